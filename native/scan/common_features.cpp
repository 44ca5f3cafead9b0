// Numbers features from the rarest on.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/arrays.hpp"
#include "common/checks.hpp"
#include "represent/graph/features.hpp"

namespace nb = nanobind;

namespace codekin {
namespace {

// Counts of features, in a table with open addressing that doubles.
class FeatureCounts {
  public:
    struct Slot {
        uint64_t feature;
        uint32_t first, count;  // count 0: free
    };

    FeatureCounts() : slots_(1 << 12) {}

    void add(uint64_t feature, uint32_t at) {
        Slot &slot = find(feature);
        if (slot.count++ == 0) {
            slot.feature = feature, slot.first = at;
            if (++used_ * 2 > slots_.size()) grow();
        }
    }

    Slot &find(uint64_t feature) {
        const size_t mask = slots_.size() - 1;
        size_t at = scrambled(feature) & mask;
        while (slots_[at].count > 0 && slots_[at].feature != feature) at = (at + 1) & mask;
        return slots_[at];
    }

    std::vector<Slot> used() const {
        std::vector<Slot> found;
        found.reserve(used_);
        for (const Slot &slot : slots_)
            if (slot.count > 0) found.push_back(slot);
        return found;
    }

  private:
    void grow() {
        std::vector<Slot> before(slots_.size() * 2);
        before.swap(slots_);
        for (const Slot &slot : before)
            if (slot.count > 0) find(slot.feature) = slot;
    }

    std::vector<Slot> slots_;
    size_t used_ = 0;
};

// The number of each feature: rare ones first, equally rare ones by their value.
nb::tuple common_features(ArrayIn<uint64_t> features) {
    check::positions("features", features.size());
    std::vector<int32_t> columns(features.size()), first, counts;
    {
        nb::gil_scoped_release unlocked;
        FeatureCounts table;
        for (size_t i = 0; i < features.size(); ++i) table.add(features(i), static_cast<uint32_t>(i));
        std::vector<FeatureCounts::Slot> ranked = table.used();
        std::sort(ranked.begin(), ranked.end(), [](const auto &a, const auto &b) {
            return a.count != b.count ? a.count < b.count : a.feature < b.feature;
        });
        for (size_t k = 0; k < ranked.size(); ++k) {
            first.push_back(static_cast<int32_t>(ranked[k].first));
            counts.push_back(static_cast<int32_t>(ranked[k].count));
            table.find(ranked[k].feature).first = static_cast<uint32_t>(k);
        }
        for (size_t i = 0; i < features.size(); ++i)
            columns[i] = static_cast<int32_t>(table.find(features(i)).first);
    }
    return nb::make_tuple(to_numpy(std::move(columns)), to_numpy(std::move(first)),
                          to_numpy(std::move(counts)));
}

// The elements of each row in ascending order, less `first` each; those below it are left out.
nb::tuple ranked_rows(ArrayIn<int64_t> offsets, ArrayIn<int32_t> columns, int64_t first) {
    if (offsets.size() == 0) check::refuse("offsets must begin with 0, but is empty");
    check::offsets("offsets", offsets, offsets.size() - 1, columns.size());
    check::in_range("first", first, 0, INT32_MAX);
    std::vector<int64_t> ends(1, 0);
    std::vector<int32_t> kept;
    {
        nb::gil_scoped_release unlocked;
        size_t count = 0;
        for (size_t k = 0; k < columns.size(); ++k) count += columns(k) >= first;
        kept.reserve(count);
        ends.reserve(offsets.size());
        for (size_t r = 0; r + 1 < offsets.size(); ++r) {
            const auto begin = static_cast<int64_t>(kept.size());
            for (int64_t k = offsets(r); k < offsets(r + 1); ++k) {
                const int32_t column = columns(static_cast<size_t>(k));
                if (column >= first) kept.push_back(column - static_cast<int32_t>(first));
            }
            std::sort(kept.begin() + begin, kept.end());
            ends.push_back(static_cast<int64_t>(kept.size()));
        }
    }
    return nb::make_tuple(to_numpy(std::move(ends)), to_numpy(std::move(kept)));
}

}  // namespace

void register_common_features(nb::module_ &m) {
    m.def("common_features", &common_features, nb::arg("features"),
          "Arrays: the number of each feature, and the first place and the count of each number.");
    m.def("ranked_rows", &ranked_rows, nb::arg("offsets"), nb::arg("columns"), nb::arg("first"),
          "Arrays (offsets, columns): the columns of each row from `first` on, ascending, less `first`.");
}

}  // namespace codekin
