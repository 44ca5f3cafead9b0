// What sets of weighted features share. Weights are whole numbers, so sums are exact: no order of
// summation, and no way to compute it, changes a score.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "common/arrays.hpp"
#include "common/checks.hpp"
#include "represent/graph/features.hpp"

namespace nb = nanobind;

namespace codekin {
namespace {

using Weight = int32_t;
using Sum = int64_t;  // room for 2^32 features of the greatest weight

constexpr uint64_t MOST_IN_ALL_PAIRS = 1 << 16;  // their triangle takes 16 GB

// The weight of what two sorted sets share, family by family.
// Numbers out of order are counted wrong, and that is all: to look for them would take a third of the time.
Vector<Sum> shared_weights(ArrayIn<uint64_t> a, ArrayIn<uint64_t> b, ArrayIn<Weight> weights_of_a) {
    check::same_length("a", a.size(), {{"weights_of_a", weights_of_a.size()}});
    std::vector<Sum> sums(FAMILIES, 0);
    size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        const uint64_t mine = a(i), other = b(j);
        if (mine == other) sums[family_of(mine)] += weights_of_a(i);
        i += mine <= other;
        j += other <= mine;
    }
    return to_numpy(std::move(sums));
}

// Sets as rows of columns, ascending in each, with a weight for every column.
class Rows {
  public:
    Rows(ArrayIn<int64_t> offsets, ArrayIn<int32_t> columns, ArrayIn<Weight> weights)
        : offsets_(offsets), columns_(columns), weights_(weights) {
        if (offsets.size() == 0) check::refuse("offsets must begin with 0, but is empty");
        check::positions("offsets", offsets.size());
        check::offsets("offsets", offsets, offsets.size() - 1, columns.size());
        check::all_in_range("columns", columns, 0, static_cast<int64_t>(weights.size()));
    }

    size_t size() const { return offsets_.size() - 1; }
    size_t width() const { return weights_.size(); }
    size_t entries() const { return columns_.size(); }
    const int32_t *begin(size_t row) const { return columns_.data() + offsets_(row); }
    const int32_t *end(size_t row) const { return columns_.data() + offsets_(row + 1); }
    Weight weight(size_t column) const { return weights_(column); }

  private:
    ArrayIn<int64_t> offsets_;
    ArrayIn<int32_t> columns_;
    ArrayIn<Weight> weights_;
};

// Chosen pairs of rows. Pairs of one left row are taken together: the weights of that row are
// spread out once, and each partner then reads those of its own columns.
std::vector<Sum> overlaps_of_pairs(const Rows &rows, const ArrayIn<int32_t> &left,
                                   const ArrayIn<int32_t> &right) {
    std::vector<uint32_t> order(left.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&left](uint32_t p, uint32_t q) { return left(p) < left(q); });
    std::vector<Weight> spread(rows.width(), 0);
    std::vector<Sum> out(left.size(), 0);
    int32_t held = -1;
    for (const uint32_t pair : order) {
        if (left(pair) != held) {
            if (held >= 0)
                for (auto c = rows.begin(held); c != rows.end(held); ++c) spread[*c] = 0;
            held = left(pair);
            for (auto c = rows.begin(held); c != rows.end(held); ++c) spread[*c] = rows.weight(*c);
        }
        Sum sum = 0;
        for (auto c = rows.begin(right(pair)); c != rows.end(right(pair)); ++c) sum += spread[*c];
        out[pair] = sum;
    }
    return out;
}

Vector<Sum> pair_overlaps(ArrayIn<int64_t> offsets, ArrayIn<int32_t> columns, ArrayIn<Weight> weights,
                          ArrayIn<int32_t> left, ArrayIn<int32_t> right) {
    const Rows rows(offsets, columns, weights);
    check::same_length("left", left.size(), {{"right", right.size()}});
    check::at_most("pairs", left.size(), UINT32_MAX - 1);
    check::all_in_range("left", left, 0, static_cast<int64_t>(rows.size()));
    check::all_in_range("right", right, 0, static_cast<int64_t>(rows.size()));
    std::vector<Sum> out;
    {
        nb::gil_scoped_release unlocked;
        out = overlaps_of_pairs(rows, left, right);
    }
    return to_numpy(std::move(out));
}

// For each column the rows that have it, ascending.
struct Postings {
    std::vector<size_t> offsets;
    std::vector<uint32_t> row;

    explicit Postings(const Rows &rows) : offsets(rows.width() + 1, 0), row(rows.entries()) {
        for (auto c = rows.begin(0); rows.size() && c != rows.end(rows.size() - 1); ++c) ++offsets[*c + 1];
        std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
        std::vector<size_t> next(offsets.begin(), offsets.end() - 1);
        for (size_t r = 0; r < rows.size(); ++r)
            for (auto c = rows.begin(r); c != rows.end(r); ++c) row[next[*c]++] = static_cast<uint32_t>(r);
    }
};

// All pairs of rows: the lower triangle with its diagonal, row by row.
Vector<Sum> all_overlaps(ArrayIn<int64_t> offsets, ArrayIn<int32_t> columns, ArrayIn<Weight> weights) {
    const Rows rows(offsets, columns, weights);
    check::at_most("rows of which all pairs are compared", rows.size(), MOST_IN_ALL_PAIRS);
    std::vector<Sum> out;
    {
        nb::gil_scoped_release unlocked;
        const Postings postings(rows);
        out.assign(rows.size() * (rows.size() + 1) / 2, 0);
        for (size_t r = 0; r < rows.size(); ++r) {
            Sum *shared = out.data() + r * (r + 1) / 2;
            for (auto c = rows.begin(r); c != rows.end(r); ++c) {
                const Weight weight = rows.weight(*c);
                const uint32_t *with = postings.row.data() + postings.offsets[*c];
                const uint32_t *stop = postings.row.data() + postings.offsets[*c + 1];
                for (; with != stop && *with <= r; ++with) shared[*with] += weight;
            }
        }
    }
    return to_numpy(std::move(out));
}

}  // namespace

void register_feature_overlap(nb::module_ &m) {
    m.def("shared_weights", &shared_weights, nb::arg("a"), nb::arg("b"), nb::arg("weights_of_a"));
    m.def("pair_overlaps", &pair_overlaps, nb::arg("offsets"), nb::arg("columns"), nb::arg("weights"),
          nb::arg("left"), nb::arg("right"));
    m.def("all_overlaps", &all_overlaps, nb::arg("offsets"), nb::arg("columns"), nb::arg("weights"));
}

}  // namespace codekin
