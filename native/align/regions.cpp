// Divergent regions of two revisions of one origin: the hunks of both pairs, merged in one pass.
//
// What an origin and a revision share at their beginning, and then at their end, is cut off before
// they are aligned, whole lines first, so that nothing shared there can change what lies between. The
// hunks of a pair do not depend on the other revision, so they can be found once and merged often.
#include "align/regions.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "align/anchors.hpp"
#include "common/checks.hpp"

namespace nb = nanobind;

namespace codekin {

namespace {

using Numbers = ArrayIn<uint64_t>;
using LineStarts = ArrayIn<int32_t>;
using Rows = nb::ndarray<nb::numpy, int32_t, nb::ndim<2>>;
// Of first, second and origin.
using Lines = std::optional<std::tuple<LineStarts, LineStarts, LineStarts>>;

struct Revisions {
    Stretch first, second, origin;

    // How many tokens all three share at their beginning, and how many of the rest at their end.
    std::pair<int32_t, int32_t> shared_ends() const {
        const int32_t most = std::min({first.size, second.size, origin.size});
        int32_t head = 0, tail = 0;
        while (head < most && first[head] == origin[head] && second[head] == origin[head]) ++head;
        const uint64_t *a = first.at + first.size, *b = second.at + second.size, *o = origin.at + origin.size;
        while (tail < most - head && a[-1] == o[-1] && b[-1] == o[-1]) --a, --b, --o, ++tail;
        return {head, tail};
    }
};

// How much lies outside of what is left to align.
struct Ends {
    int32_t head = 0, tail = 0;

    Stretch between(Stretch tokens) const { return tokens.between(head, tokens.size - tail); }
};

// What both share at their beginning, and then at their end.
Ends shared_by(Stretch first, Stretch second) {
    const int32_t head = common_prefix(first, second);
    return {head, common_suffix(first.from(head), second.from(head))};
}

// The same in whole lines. A line's first token may be one that every line has, as where indentation
// counts; token by token, the beginning would then reach into the line behind what was deleted.
Ends lines_shared_by(const LinedStretch &first, const LinedStretch &second) {
    const auto begins = [](const LinedStretch &text, int32_t i) {
        return i == text.tokens.size || std::binary_search(text.starts.begin(), text.starts.end(), i);
    };
    const Stretch a = first.tokens, b = second.tokens;
    int32_t head = common_prefix(a, b);
    while (head > 0 && !(begins(first, head) && begins(second, head))) --head;
    int32_t tail = common_suffix(a.from(head), b.from(head));
    while (tail > 0 && !(begins(first, a.size - tail) && begins(second, b.size - tail))) --tail;
    return {head, tail};
}

// Where a revision differs from its origin. In lines, whole ones alone are cut off, and the leftmost
// subsequence is taken between anchors: it stays what it is where a line that stands once parts it.
std::vector<Hunk> hunks_of_pair(Stretch origin, Stretch revision, const LineStarts *origin_lines,
                                const LineStarts *revision_lines) {
    const Ends cut = origin_lines
                         ? lines_shared_by(lined_between(origin, *origin_lines, 0, origin.size),
                                           lined_between(revision, *revision_lines, 0, revision.size))
                         : shared_by(origin, revision);
    const Stretch before = cut.between(origin), after = cut.between(revision);
    std::vector<Hunk> hunks = unlocked_if_long(static_cast<double>(before.size) * after.size, [&] {
        if (!origin_lines) return lcs_hunks(before, after);
        return anchored_hunks(lined_between(origin, *origin_lines, cut.head, origin.size - cut.tail),
                              lined_between(revision, *revision_lines, cut.head, revision.size - cut.tail));
    });
    for (Hunk &h : hunks)
        h.first_start += cut.head, h.first_end += cut.head, h.second_start += cut.head,
            h.second_end += cut.head;
    return hunks;
}

std::pair<int32_t, int32_t> shared_ends(Numbers first, Numbers second, Numbers origin) {
    return Revisions{stretch_of(first), stretch_of(second), stretch_of(origin)}.shared_ends();
}

Rows pair_hunks(Numbers origin, Numbers revision, std::optional<std::tuple<LineStarts, LineStarts>> lines) {
    return rows_to_numpy(hunks_of_pair(stretch_of(origin), stretch_of(revision),
                                       lines ? &std::get<0>(*lines) : nullptr,
                                       lines ? &std::get<1>(*lines) : nullptr));
}

Rows divergent_regions(Numbers first, Numbers second, Numbers origin, Lines lines) {
    const LineStarts *first_lines = nullptr, *second_lines = nullptr, *origin_lines = nullptr;
    if (lines)
        std::tie(first_lines, second_lines, origin_lines) =
            std::apply([](auto &...one) { return std::tuple(&one...); }, *lines);
    const std::vector<Hunk> a =
        hunks_of_pair(stretch_of(origin), stretch_of(first), origin_lines, first_lines);
    const std::vector<Hunk> b =
        hunks_of_pair(stretch_of(origin), stretch_of(second), origin_lines, second_lines);
    return rows_to_numpy(merge_hunks(a.data(), a.size(), b.data(), b.size()));
}

Rows bound_merge_hunks(HunksIn first, HunksIn second) {
    const Hunk a = check_hunks("first", first), b = check_hunks("second", second);
    // Where one revision's last hunk ends in the origin must be a position in the other revision, too.
    const int64_t end = std::max(a.first_end, b.first_end);
    for (const Hunk &last : {a, b})
        check::at_most("tokens of a revision", end + last.second_end - last.first_end, check::MOST_POSITIONS);
    return rows_to_numpy(merge_hunks(reinterpret_cast<const Hunk *>(first.data()), first.shape(0),
                                     reinterpret_cast<const Hunk *>(second.data()), second.shape(0)));
}

// The hunks of one revision that are still to be merged.
class Side {
  public:
    Side(const Hunk *hunks, size_t size) : next_(hunks), end_(hunks + size) {}

    bool done() const { return next_ == end_; }
    int32_t start() const { return done() ? INT32_MAX : next_->first_start; }
    // The position in the revision of a token of the origin right after the hunks merged so far.
    int32_t position(int32_t origin) const { return origin + ahead_; }
    // The end in the origin of the next hunk, which is merged.
    int32_t take() {
        ahead_ = next_->second_end - next_->first_end;
        return next_++->first_end;
    }

  private:
    const Hunk *next_, *const end_;
    int32_t ahead_ = 0;
};

}  // namespace

Hunk check_hunks(const char *name, const HunksIn &hunks) {
    check::positions(name, hunks.shape(0));
    const auto *rows = reinterpret_cast<const Hunk *>(hunks.data());
    Hunk last{0, 0, 0, 0};
    for (size_t k = 0; k < hunks.shape(0); ++k) {
        const Hunk &h = rows[k];
        const bool fits = h.first_start >= last.first_end && h.first_end >= h.first_start &&
                          h.first_end < INT32_MAX && h.second_start >= last.second_end &&
                          h.second_end >= h.second_start && h.second_end < INT32_MAX &&
                          h.first_start - last.first_end == h.second_start - last.second_end;
        if (!fits)
            check::refuse(std::string(name) + "[" + std::to_string(k) +
                          "]: hunks must ascend from 0, and what lies " +
                          "between two of them must be as long in the origin as in the revision");
        last = h;
    }
    return last;
}

void check_hunks(const char *name, const HunksIn &hunks, int32_t first_size, int32_t second_size) {
    const Hunk last = check_hunks(name, hunks);
    if (last.first_end > first_size || first_size - last.first_end != second_size - last.second_end)
        check::refuse(std::string(name) + " do not fit an origin of " + std::to_string(first_size) +
                      " tokens and a revision of " + std::to_string(second_size));
}

std::vector<DivergentRegion> merge_hunks(const Hunk *first, size_t first_size, const Hunk *second,
                                         size_t second_size) {
    Side a(first, first_size), b(second, second_size);
    std::vector<DivergentRegion> regions;
    regions.reserve(first_size + second_size);
    while (!a.done() || !b.done()) {
        const int32_t start = std::min(a.start(), b.start());
        const int32_t first_start = a.position(start), second_start = b.position(start);
        int32_t end = start;
        while (!a.done() || !b.done()) {
            Side &side = b.done() || (!a.done() && a.start() <= b.start()) ? a : b;
            if (side.start() > end) break;
            end = std::max(end, side.take());
        }
        regions.push_back({first_start, a.position(end), second_start, b.position(end), start, end});
    }
    return regions;
}

void register_regions(nb::module_ &m) {
    m.def("shared_ends", &shared_ends, nb::arg("first"), nb::arg("second"), nb::arg("origin"));
    m.def("pair_hunks", &pair_hunks, nb::arg("origin"), nb::arg("revision"), nb::arg("lines") = nb::none());
    m.def("divergent_regions", &divergent_regions, nb::arg("first"), nb::arg("second"), nb::arg("origin"),
          nb::arg("lines") = nb::none());
    m.def("merge_hunks", &bound_merge_hunks, nb::arg("first"), nb::arg("second"));
}

}  // namespace codekin
