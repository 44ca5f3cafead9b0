// Where some wanted numbers are in a long array: one pass, which a snippet makes over a whole index.
#include <nanobind/nanobind.h>

#include <cstdint>
#include <vector>

#include "common/arrays.hpp"
#include "common/checks.hpp"
#include "represent/graph/features.hpp"

namespace nb = nanobind;

namespace codekin {
namespace {

// A set of numbers with a place each. Most lookups end at a bit of a small filter.
class Wanted {
  public:
    explicit Wanted(const ArrayIn<uint64_t> &ids) {
        size_t size = 16;
        while (size < ids.size() * 2 + 1) size *= 2;
        slots_.assign(size, -1);
        filter_.assign(size / 4, 0);  // 16 bits per slot
        for (size_t i = 0; i < ids.size(); ++i) {
            const uint64_t mixed = scrambled(ids(i));
            filter_[bit(mixed) / 64] |= uint64_t{1} << bit(mixed) % 64;
            size_t at = mixed & (size - 1);
            while (slots_[at] >= 0 && ids(static_cast<size_t>(slots_[at])) != ids(i))
                at = (at + 1) & (size - 1);
            if (slots_[at] < 0) slots_[at] = static_cast<int32_t>(i);
        }
        ids_ = ids.data();
    }

    // The first place of a number; -1 if it is not wanted.
    int32_t place(uint64_t id) const {
        const uint64_t mixed = scrambled(id);
        if (!(filter_[bit(mixed) / 64] >> bit(mixed) % 64 & 1)) return -1;
        const size_t mask = slots_.size() - 1;
        size_t at = mixed & mask;
        while (slots_[at] >= 0 && ids_[slots_[at]] != id) at = (at + 1) & mask;
        return slots_[at];
    }

  private:
    size_t bit(uint64_t mixed) const { return mixed >> 32 & (filter_.size() * 64 - 1); }

    const uint64_t *ids_ = nullptr;
    std::vector<int32_t> slots_;
    std::vector<uint64_t> filter_;
};

nb::tuple found_ids(ArrayIn<uint64_t> ids, ArrayIn<uint64_t> wanted) {
    check::positions("wanted", wanted.size());
    std::vector<int64_t> places;
    std::vector<int32_t> which;
    {
        nb::gil_scoped_release unlocked;
        const Wanted table(wanted);
        for (size_t i = 0; i < ids.size(); ++i) {
            const int32_t place = table.place(ids(i));
            if (place < 0) continue;
            places.push_back(static_cast<int64_t>(i));
            which.push_back(place);
        }
    }
    return nb::make_tuple(to_numpy(std::move(places)), to_numpy(std::move(which)));
}

}  // namespace

void register_found_ids(nb::module_ &m) {
    m.def("found_ids", &found_ids, nb::arg("ids"), nb::arg("wanted"),
          "Arrays: the places of wanted numbers, and which of the wanted each is (its first place).");
}

}  // namespace codekin
