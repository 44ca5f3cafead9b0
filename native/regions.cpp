// Divergent regions of two revisions of one origin: the hunks of both pairs, merged in one pass.
//
// What all three sequences share at their beginning, and then at their end, is cut off before they
// are aligned, so that nothing shared there can change what lies between.
#include "regions.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "anchors.hpp"
#include "kernels.hpp"

namespace nb = nanobind;

namespace {

using Numbers = ArrayIn<uint64_t>;
using Rows = nb::ndarray<nb::numpy, int32_t, nb::ndim<2>>;
using HunksIn = nb::ndarray<const int32_t, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;
// Of first, second and origin.
using Lines = std::optional<std::tuple<ArrayIn<int32_t>, ArrayIn<int32_t>, ArrayIn<int32_t>>>;

struct Ends {
    int32_t head, tail;
};

struct Revisions {
    Stretch first, second, origin;

    double cells() const {
        return static_cast<double>(origin.size) * (static_cast<double>(first.size) + second.size);
    }

    Ends shared_ends() const {
        const int32_t most = std::min({first.size, second.size, origin.size});
        Ends ends{0, 0};
        while (ends.head < most && first[ends.head] == origin[ends.head] && second[ends.head] == origin[ends.head])
            ++ends.head;
        const uint64_t *a = first.at + first.size, *b = second.at + second.size, *o = origin.at + origin.size;
        while (ends.tail < most - ends.head && a[-1] == o[-1] && b[-1] == o[-1]) --a, --b, --o, ++ends.tail;
        return ends;
    }
};

// Hunks of the origin with the first and with the second revision.
struct RevisionHunks {
    std::vector<Hunk> first, second;
};

void shift(std::vector<Hunk> &hunks, int32_t by) {
    for (Hunk &h : hunks) h.first_start += by, h.first_end += by, h.second_start += by, h.second_end += by;
}

// The hunks of what lies between the shared ends.
RevisionHunks hunks_between(const Revisions &texts, Ends ends, const Lines &lines) {
    RevisionHunks out;
    auto inner = [&](Stretch s) { return s.between(ends.head, s.size - ends.tail); };
    if (!lines) {
        const Stretch origin = inner(texts.origin);
        out.first = lcs_hunks(origin, inner(texts.first));
        out.second = lcs_hunks(origin, inner(texts.second));
    } else {
        auto lined = [&](Stretch s, const ArrayIn<int32_t> &starts) {
            return lined_between(s, starts, ends.head, s.size - ends.tail);
        };
        const auto &[first_lines, second_lines, origin_lines] = *lines;
        const LinedStretch origin = lined(texts.origin, origin_lines);
        out.first = anchored_hunks(origin, lined(texts.first, first_lines));
        out.second = anchored_hunks(origin, lined(texts.second, second_lines));
    }
    shift(out.first, ends.head), shift(out.second, ends.head);
    return out;
}

Revisions revisions_of(const Numbers &first, const Numbers &second, const Numbers &origin) {
    return {stretch_of(first), stretch_of(second), stretch_of(origin)};
}

std::pair<int32_t, int32_t> shared_ends(Numbers first, Numbers second, Numbers origin) {
    const Ends ends = revisions_of(first, second, origin).shared_ends();
    return {ends.head, ends.tail};
}

std::pair<Rows, Rows> revision_hunks(Numbers first, Numbers second, Numbers origin, Lines lines) {
    const Revisions texts = revisions_of(first, second, origin);
    RevisionHunks hunks = unlocked_if_long(
        texts.cells(), [&] { return hunks_between(texts, texts.shared_ends(), lines); });
    return {rows_to_numpy(std::move(hunks.first)), rows_to_numpy(std::move(hunks.second))};
}

Rows divergent_regions(Numbers first, Numbers second, Numbers origin, Lines lines) {
    const Revisions texts = revisions_of(first, second, origin);
    return rows_to_numpy(unlocked_if_long(texts.cells(), [&] {
        const RevisionHunks hunks = hunks_between(texts, texts.shared_ends(), lines);
        return merge_hunks(hunks.first.data(), hunks.first.size(), hunks.second.data(), hunks.second.size());
    }));
}

Rows bound_merge_hunks(HunksIn first, HunksIn second) {
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
    m.def("revision_hunks", &revision_hunks, nb::arg("first"), nb::arg("second"), nb::arg("origin"),
          nb::arg("lines") = nb::none());
    m.def("divergent_regions", &divergent_regions, nb::arg("first"), nb::arg("second"), nb::arg("origin"),
          nb::arg("lines") = nb::none());
    m.def("merge_hunks", &bound_merge_hunks, nb::arg("first"), nb::arg("second"));
}
