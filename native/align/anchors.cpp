// Patience alignment: lines that stand once in both sequences, in the longest chain that keeps their
// order, are matched whole; what lies between two of them is aligned token by token, exactly.
//
// Whether a line stands once is asked of the whole sequences, never again of what lies between. So a
// line that both get anew where they were aligned already changes nothing else: the longest chains
// are those of before with this line, and a leftmost longest common subsequence may be cut in two
// wherever it passes.
#include "align/anchors.hpp"

#include <algorithm>
#include <cstring>

#include "common/checks.hpp"

namespace nb = nanobind;

namespace codekin {

namespace {

constexpr int32_t NONE = -1;

Stretch line(const LinedStretch &text, int32_t number) {
    const bool last = static_cast<size_t>(number) + 1 == text.starts.size();
    return text.tokens.between(text.starts[number], last ? text.tokens.size : text.starts[number + 1]);
}

uint64_t hash(Stretch tokens) {
    uint64_t value = static_cast<uint64_t>(tokens.size);
    for (int32_t k = 0; k < tokens.size; ++k) {
        value = (value ^ tokens[k]) * 0x9E3779B97F4A7C15u;
        value ^= value >> 32;
    }
    return value;
}

bool same(Stretch a, Stretch b) {
    return a.size == b.size && std::memcmp(a.at, b.at, sizeof(uint64_t) * static_cast<size_t>(a.size)) == 0;
}

// How often each different line comes in two sequences, and where it came last.
class LineTable {
  public:
    struct Entry {
        uint64_t hash;
        int32_t first = NONE, second = NONE;  // numbers of the line
        int32_t first_count = 0, second_count = 0;
    };

    LineTable(const LinedStretch &first, const LinedStretch &second) : first_(first), second_(second) {
        size_t size = 16;
        while (size < 2 * (first.starts.size() + second.starts.size())) size *= 2;
        slots_.assign(size, NONE);
        entries_.reserve(first.starts.size());
        for (size_t k = 0; k < first.starts.size(); ++k) {
            Entry &entry = find(line(first, static_cast<int32_t>(k)));
            entry.first = static_cast<int32_t>(k), ++entry.first_count;
        }
        for (size_t k = 0; k < second.starts.size(); ++k) {
            Entry &entry = find(line(second, static_cast<int32_t>(k)));
            entry.second = static_cast<int32_t>(k), ++entry.second_count;
        }
    }

    // In the order in which lines come in the first sequence.
    const std::vector<Entry> &entries() const { return entries_; }

  private:
    Entry &find(Stretch tokens) {
        const uint64_t key = hash(tokens);
        size_t at = key & (slots_.size() - 1);
        for (; slots_[at] != NONE; at = (at + 1) & (slots_.size() - 1)) {
            Entry &entry = entries_[slots_[at]];
            if (entry.hash == key && same(tokens, tokens_of(entry))) return entry;
        }
        slots_[at] = static_cast<int32_t>(entries_.size());
        entries_.push_back({key});
        return entries_.back();
    }

    Stretch tokens_of(const Entry &entry) const {
        return entry.first != NONE ? line(first_, entry.first) : line(second_, entry.second);
    }

    const LinedStretch &first_, &second_;
    std::vector<int32_t> slots_;
    std::vector<Entry> entries_;
};

struct Anchor {
    int32_t first, second;  // numbers of the line
};

std::vector<Anchor> lines_once_in_both(const LinedStretch &first, const LinedStretch &second) {
    const LineTable table(first, second);
    std::vector<Anchor> once;
    for (const auto &entry : table.entries())
        if (entry.first_count == 1 && entry.second_count == 1) once.push_back({entry.first, entry.second});
    return once;
}

// The longest chain that ascends in both; of equally long ones the lexicographically smallest.
std::vector<Anchor> longest_chain(const std::vector<Anchor> &anchors) {
    std::vector<size_t> length(anchors.size());  // of the longest chain that begins with an anchor
    std::vector<int32_t> best;                   // for each length the greatest beginning, negated
    for (size_t k = anchors.size(); k-- > 0;) {
        const auto at = std::lower_bound(best.begin(), best.end(), -anchors[k].second);
        length[k] = static_cast<size_t>(at - best.begin()) + 1;
        if (at == best.end())
            best.push_back(-anchors[k].second);
        else
            *at = -anchors[k].second;
    }
    std::vector<Anchor> chain;
    size_t left = best.size();
    int32_t after = NONE;
    for (size_t k = 0; k < anchors.size() && left > 0; ++k) {
        if (length[k] != left || anchors[k].second <= after) continue;
        chain.push_back(anchors[k]);
        after = anchors[k].second, --left;
    }
    return chain;
}

nb::ndarray<nb::numpy, int32_t, nb::ndim<2>> bound_anchored_hunks(ArrayIn<uint64_t> first,
                                                                  ArrayIn<int32_t> first_lines,
                                                                  ArrayIn<uint64_t> second,
                                                                  ArrayIn<int32_t> second_lines) {
    const Stretch a = stretch_of(first), b = stretch_of(second);
    const LinedStretch lined_a = lined_between(a, first_lines, 0, a.size);
    const LinedStretch lined_b = lined_between(b, second_lines, 0, b.size);
    const double cells = static_cast<double>(a.size) * b.size;
    return rows_to_numpy(unlocked_if_long(cells, [&] { return anchored_hunks(lined_a, lined_b); }));
}

}  // namespace

LinedStretch lined_between(Stretch tokens, const ArrayIn<int32_t> &starts, int32_t from, int32_t to) {
    check::line_starts("lines", starts, tokens.size);
    LinedStretch out{tokens.between(from, to), {}};
    out.starts.reserve(starts.size());
    if (from < to) out.starts.push_back(0);
    for (size_t k = 0; k < starts.size(); ++k)
        if (starts(k) > from && starts(k) < to) out.starts.push_back(starts(k) - from);
    return out;
}

std::vector<Hunk> anchored_hunks(const LinedStretch &first, const LinedStretch &second) {
    HunkWriter out;
    int32_t i = 0, j = 0;
    auto match_until = [&](int32_t i_end, int32_t j_end) {
        match_lcs(first.tokens.between(i, i_end), second.tokens.between(j, j_end), i, j, out);
        i = i_end, j = j_end;
    };
    for (const Anchor anchor : longest_chain(lines_once_in_both(first, second))) {
        match_until(first.starts[anchor.first], second.starts[anchor.second]);
        const int32_t length = line(first, anchor.first).size;
        out.match(i, j, length);
        i += length, j += length;
    }
    match_until(first.tokens.size, second.tokens.size);
    return out.finish(first.tokens.size, second.tokens.size);
}

void register_anchors(nb::module_ &m) {
    m.def("anchored_hunks", &bound_anchored_hunks, nb::arg("first"), nb::arg("first_lines"),
          nb::arg("second"), nb::arg("second_lines"));
}

}  // namespace codekin
