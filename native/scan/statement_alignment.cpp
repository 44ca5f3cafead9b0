// How much of two fragments is the same, statement by statement in order, ignoring names and values, and
// how many of the names and values in those statements are the same.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "align/anchors.hpp"
#include "align/lcs.hpp"
#include "common/arrays.hpp"
#include "common/checks.hpp"
#include "scan/scanned_tokens.hpp"

namespace nb = nanobind;

namespace codekin {
namespace scan {
namespace {

constexpr size_t MOST_CELLS = size_t{1} << 22;  // of the table of an exact alignment

struct Statements {
    ArrayIn<uint64_t> id;
    ArrayIn<uint8_t> weight;
    ArrayIn<int32_t> token;  // the first of each
    ArrayIn<uint32_t> raw, blind;
    ArrayIn<uint8_t> traits;

    size_t end_of(size_t unit) const { return unit + 1 < token.size() ? token(unit + 1) : raw.size(); }
};

struct Aligned {
    std::vector<int32_t> matched;       // weight of the statements that both have
    std::vector<int32_t> words, equal;  // names and values in them, and those that are the same
    std::vector<int32_t> renamed;       // names that differ, but always in the same way
};

class Aligner {
  public:
    explicit Aligner(const Statements &all) : all_(all) {}

    void align(int32_t a, int32_t a_end, int32_t b, int32_t b_end) {
        pairs_.clear();
        matched_ = 0;
        while (a < a_end && b < b_end && same(a, b)) match(a++, b++);
        int32_t tail = 0;
        while (a < a_end - tail && b < b_end - tail && same(a_end - 1 - tail, b_end - 1 - tail)) {
            match(a_end - 1 - tail, b_end - 1 - tail);
            ++tail;
        }
        a_end -= tail, b_end -= tail;
        const size_t rows = static_cast<size_t>(a_end - a), columns = static_cast<size_t>(b_end - b);
        if (rows == 0 || columns == 0) return;
        if ((rows + 1) * (columns + 1) <= MOST_CELLS)
            exact(a, rows, b, columns);
        else
            anchored(a, rows, b, columns);
    }

    void write(Aligned &out) {
        int32_t words = 0, equal = 0, renamed = 0;
        names_.clear();
        for (const auto &[i, j] : pairs_) {
            size_t s = all_.token(i), t = all_.token(j);
            const size_t s_end = all_.end_of(i), t_end = all_.end_of(j);
            // Blind identities of the two statements agree; what follows a statement, its braces, may not.
            for (; s < s_end && t < t_end && all_.blind(s) == all_.blind(t); ++s, ++t) {
                if (!(all_.traits(s) & (NAME | LITERAL))) continue;
                ++words;
                if (all_.raw(s) == all_.raw(t))
                    ++equal;
                else if (all_.traits(s) & NAME)
                    names_.emplace_back(all_.raw(s), all_.raw(t));
            }
        }
        std::sort(names_.begin(), names_.end());
        for (size_t k = 1; k < names_.size(); ++k) renamed += names_[k] == names_[k - 1];
        out.matched.push_back(matched_);
        out.words.push_back(words), out.equal.push_back(equal), out.renamed.push_back(renamed);
    }

  private:
    bool same(int32_t i, int32_t j) const { return all_.id(i) == all_.id(j); }

    void match(int32_t i, int32_t j) {
        matched_ += all_.weight(i);
        pairs_.emplace_back(i, j);
    }

    // The heaviest common subsequence.
    void exact(int32_t a, size_t rows, int32_t b, size_t columns) {
        const size_t width = columns + 1;
        table_.assign((rows + 1) * width, 0);
        for (size_t i = rows; i-- > 0;) {
            const uint64_t mine = all_.id(a + i);
            const int32_t weight = all_.weight(a + i);
            int32_t *row = table_.data() + i * width;
            const int32_t *below = row + width;
            for (size_t j = columns; j-- > 0;) {
                int32_t best = std::max(below[j], row[j + 1]);
                if (mine == all_.id(b + j)) best = std::max(best, below[j + 1] + weight);
                row[j] = best;
            }
        }
        for (size_t i = 0, j = 0; i < rows && j < columns;) {
            const int32_t here = table_[i * width + j];
            if (here == table_[(i + 1) * width + j])
                ++i;
            else if (here == table_[i * width + j + 1])
                ++j;
            else
                match(a + static_cast<int32_t>(i++), b + static_cast<int32_t>(j++));
        }
    }

    // Very long fragments: what lies between hunks of an alignment by anchors.
    void anchored(int32_t a, size_t rows, int32_t b, size_t columns) {
        const auto lined = [&](int32_t from, size_t count) {
            LinedStretch made{{all_.id.data() + from, static_cast<int32_t>(count)}, {}};
            for (size_t k = 0; k < count; ++k) made.starts.push_back(static_cast<int32_t>(k));
            return made;
        };
        int32_t i = 0, j = 0;
        const auto match_to = [&](int32_t i_end, int32_t j_end) {
            while (i < i_end && j < j_end) match(a + i++, b + j++);
        };
        for (const Hunk &hunk : anchored_hunks(lined(a, rows), lined(b, columns))) {
            match_to(hunk.first_start, hunk.second_start);
            i = hunk.first_end, j = hunk.second_end;
        }
        match_to(static_cast<int32_t>(rows), static_cast<int32_t>(columns));
    }

    const Statements &all_;
    std::vector<std::pair<int32_t, int32_t>> pairs_;
    std::vector<std::pair<uint32_t, uint32_t>> names_;
    std::vector<int32_t> table_;
    int32_t matched_ = 0;
};

// The statements of all texts, and their tokens; begin, end: the statements of each fragment; left, right:
// the fragments of each pair.
nb::tuple statement_alignment(ArrayIn<uint64_t> id, ArrayIn<uint8_t> weight, ArrayIn<int32_t> token,
                              ArrayIn<uint32_t> raw, ArrayIn<uint32_t> blind, ArrayIn<uint8_t> traits,
                              ArrayIn<int32_t> begin, ArrayIn<int32_t> end, ArrayIn<int32_t> left,
                              ArrayIn<int32_t> right) {
    check::positions("raw", raw.size()), check::positions("begin", begin.size());
    check::same_length("ids", id.size(), {{"weights", weight.size()}, {"tokens", token.size()}});
    check::same_length("raw", raw.size(), {{"blind", blind.size()}, {"traits", traits.size()}});
    check::same_length("left", left.size(), {{"right", right.size()}});
    check::all_in_range("tokens", token, 0, static_cast<int64_t>(raw.size()));
    check::ascending("tokens", token);
    check::spans(begin, end, id.size());
    check::all_in_range("left", left, 0, static_cast<int64_t>(begin.size()));
    check::all_in_range("right", right, 0, static_cast<int64_t>(begin.size()));
    Aligned out;
    {
        nb::gil_scoped_release unlocked;
        const Statements all{id, weight, token, raw, blind, traits};
        Aligner aligner(all);
        for (size_t k = 0; k < left.size(); ++k) {
            aligner.align(begin(left(k)), end(left(k)), begin(right(k)), end(right(k)));
            aligner.write(out);
        }
    }
    return nb::make_tuple(to_numpy(std::move(out.matched)), to_numpy(std::move(out.words)),
                          to_numpy(std::move(out.equal)), to_numpy(std::move(out.renamed)));
}

}  // namespace
}  // namespace scan

void register_statement_alignment(nb::module_ &m) {
    m.def("statement_alignment", &scan::statement_alignment, nb::arg("ids"), nb::arg("weights"),
          nb::arg("tokens"), nb::arg("raw"), nb::arg("blind"), nb::arg("traits"), nb::arg("begin"),
          nb::arg("end"), nb::arg("left"), nb::arg("right"),
          "Arrays (matched weight, words, equal words, renamed words) of pairs of fragments.");
}

}  // namespace codekin
