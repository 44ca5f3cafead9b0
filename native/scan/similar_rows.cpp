// Pairs of weighted sets that share a given part of the heavier one: a join by prefixes.
//
// Elements are numbered from the rarest on. If two sets share at least a part p of the weight of either,
// they share an element among the rarest of each whose weight exceeds 1 - p of the whole (Chaudhuri, Ganti
// and Kaushik 2006; Bayardo, Ma and Srikant 2007). Only those are looked up, so no more than a small part of
// all pairs is ever touched.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "common/arrays.hpp"
#include "common/checks.hpp"

namespace nb = nanobind;

namespace codekin {
namespace {

constexpr uint32_t NONE = UINT32_MAX;

struct WeightedRows {
    ArrayIn<int64_t> offsets;
    ArrayIn<int32_t> columns;
    ArrayIn<int32_t> weights;
    ArrayIn<int64_t> totals;  // may exceed the sum of the weights: elements of one row alone are left out
    ArrayIn<double> least;    // the part of the heavier set that must be shared
    ArrayIn<int32_t> file, begin, end;

    size_t size() const { return totals.size(); }
    size_t first(size_t row) const { return static_cast<size_t>(offsets(row)); }
    size_t last(size_t row) const { return static_cast<size_t>(offsets(row + 1)); }
    size_t column(size_t k) const { return static_cast<size_t>(columns(k)); }

    // The weight that a partner which is not heavier must share.
    double needed(size_t row) const { return least(row) * static_cast<double>(totals(row)); }

    // Whether one lies in the other, as a block does in its function.
    bool overlap(uint32_t a, uint32_t b) const {
        return file(a) == file(b) && begin(a) < end(b) && begin(b) < end(a);
    }
};

// The weights of all elements in the order of the rows, and their sums.
struct RowWeights {
    explicit RowWeights(const WeightedRows &rows) : values(rows.columns.size()), sums(rows.size(), 0) {
        for (size_t k = 0; k < values.size(); ++k) values[k] = rows.weights(rows.column(k));
        for (size_t row = 0; row < rows.size(); ++row)
            for (size_t k = rows.first(row); k < rows.last(row); ++k) sums[row] += values[k];
    }

    // The end of the elements of which a row has one in common with whatever shares enough.
    size_t last_looked_up(const WeightedRows &rows, size_t row) const {
        size_t k = rows.first(row);
        if (rows.totals(row) <= 0) return k;
        for (int64_t rest = sums[row]; k < rows.last(row) && static_cast<double>(rest) >= rows.needed(row);
             ++k)
            rest -= values[k];
        return k;
    }

    // The weight that two rows share; less than `needed` where they do not share as much.
    int64_t shared(const WeightedRows &rows, uint32_t a, uint32_t b, double needed) const {
        size_t i = rows.first(a), j = rows.first(b);
        const size_t i_end = rows.last(a), j_end = rows.last(b);
        int64_t found = 0, left_a = sums[a], left_b = sums[b];
        while (i < i_end && j < j_end) {
            // Without branches, which cannot be predicted here.
            for (size_t steps = std::min({STEPS, i_end - i, j_end - j}); steps > 0; --steps) {
                const int32_t x = rows.columns(i), y = rows.columns(j);
                const int64_t in_a = x <= y, in_b = y <= x, of_a = values[i], of_b = values[j];
                found += of_a & -(in_a & in_b);
                left_a -= of_a & -in_a, left_b -= of_b & -in_b;
                i += static_cast<size_t>(in_a), j += static_cast<size_t>(in_b);
            }
            if (static_cast<double>(found + std::min(left_a, left_b)) < needed) break;
        }
        return found;
    }

    std::vector<int32_t> values;
    std::vector<int64_t> sums;

  private:
    static constexpr size_t STEPS = 16;
};

struct SimilarPairs {
    std::vector<int32_t> left, right;
    std::vector<int64_t> shared;
};

// Bounds of what two sets share: the weight of each in every one of some groups of elements. What they share
// in a group is at most the smaller weight, and the elements of unlike sets are mostly in different groups.
// Weights are in units that grow with the sets that are compared, so that they fit into a byte; what does not
// fit is counted once for all groups.
class GroupWeights {
  public:
    GroupWeights(const WeightedRows &rows, const RowWeights &weights)
        : rows_(rows),
          weights_(weights),
          groups_(rows.size() * GROUPS),
          excess_(rows.size()),
          shifts_(rows.size(), UINT8_MAX) {}

    // From here on, sets are at most this heavy.
    void grow(int64_t total) {
        while (total >> shift_ > UNITS) ++shift_;
    }

    // Whether rows may share as much; their places are where their weights are kept.
    bool may_share(uint32_t a, size_t place_a, uint32_t b, size_t place_b, double needed) {
        const uint8_t *x = of(a, place_a), *y = of(b, place_b);
        uint16_t sums[LANES] = {};  // which compilers add at once
        for (size_t g = 0; g < GROUPS; g += LANES)
            for (size_t k = 0; k < LANES; ++k)
                sums[k] = static_cast<uint16_t>(sums[k] + std::min(x[g + k], y[g + k]));
        int64_t units = std::min(excess_[place_a], excess_[place_b]);
        for (const uint16_t sum : sums) units += sum;
        return static_cast<double>(units) * static_cast<double>(int64_t{1} << shift_) >= needed;
    }

  private:
    static constexpr size_t GROUPS = 256, LANES = 16;
    static constexpr int64_t UNITS = 8192;

    const uint8_t *of(uint32_t row, size_t place) {
        uint8_t *out = &groups_[place * GROUPS];
        if (shifts_[place] == shift_) return out;
        shifts_[place] = static_cast<uint8_t>(shift_);
        int64_t weights[GROUPS] = {}, excess = 0;
        for (size_t k = rows_.first(row); k < rows_.last(row); ++k)
            weights[(static_cast<uint32_t>(rows_.columns(k)) * 2654435761u) >> 24] += weights_.values[k];
        for (size_t g = 0; g < GROUPS; ++g) {
            const int64_t units = (weights[g] >> shift_) + 1;
            out[g] = static_cast<uint8_t>(weights[g] > 0 ? std::min<int64_t>(units, UINT8_MAX) : 0);
            excess += std::max<int64_t>(units - UINT8_MAX, 0);
        }
        excess_[place] = excess;
        return out;
    }

    const WeightedRows &rows_;
    const RowWeights &weights_;
    int shift_ = 0;
    std::vector<uint8_t> groups_;
    std::vector<int64_t> excess_;
    std::vector<uint8_t> shifts_;
};

// The place of a row that has an element among its rarest, by their order, and what the row weighs without
// rarer elements that are looked up, rounded up.
struct Posting {
    uint32_t place;
    float reach;
};

float not_less(int64_t value) {
    const auto nearest = static_cast<float>(value);
    return static_cast<double>(nearest) < static_cast<double>(value) ? std::nextafter(nearest, HUGE_VALF)
                                                                     : nearest;
}

// The rows that have an element among their rarest, of those that came so far.
class Postings {
  public:
    struct List {
        const Posting *begin, *end;
    };

    // `most`: elements of more rows are not looked up.
    Postings(const WeightedRows &rows, const RowWeights &weights, size_t most)
        : common_(rows.weights.size()), begins_(rows.weights.size() + 1, 0) {
        std::vector<uint32_t> frequency(rows.weights.size(), 0);
        for (size_t k = 0; k < rows.columns.size(); ++k) ++frequency[rows.column(k)];
        for (size_t c = 0; c < frequency.size(); ++c) common_[c] = frequency[c] > most;
        for (size_t row = 0; row < rows.size(); ++row)
            for (size_t k = rows.first(row), end = weights.last_looked_up(rows, row); k < end; ++k)
                if (!common_[rows.column(k)]) ++begins_[rows.column(k) + 1];
        std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
        ends_.assign(begins_.begin(), begins_.end() - 1);
        postings_.resize(begins_.back());
    }

    bool looks_up(size_t element) const { return !common_[element]; }

    // Those that came before, by place; this one is the next.
    List add(size_t element, Posting posting) {
        const List before{postings_.data() + begins_[element], postings_.data() + ends_[element]};
        postings_[ends_[element]++] = posting;
        return before;
    }

  private:
    std::vector<uint8_t> common_;
    std::vector<size_t> begins_, ends_;
    std::vector<Posting> postings_;
};

SimilarPairs join(const WeightedRows &rows, size_t most, size_t partners) {
    const size_t size = rows.size();
    const RowWeights weights(rows);
    std::vector<uint32_t> order(size);
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return rows.totals(a) < rows.totals(b); });
    GroupWeights groups(rows, weights);
    Postings postings(rows, weights, most);
    std::vector<Postings::List> lists;
    std::vector<uint32_t> seen(size, NONE), candidates;
    std::vector<std::pair<int64_t, uint32_t>> found;
    SimilarPairs out;
    for (uint32_t place = 0; place < size; ++place) {
        const uint32_t one = order[place];
        const double needed = rows.needed(one);
        const size_t last = weights.last_looked_up(rows, one);
        if (last == rows.first(one)) continue;
        const auto lightest =
            std::partition_point(
                order.begin(), order.begin() + place,
                [&](uint32_t other) { return static_cast<double>(rows.totals(other)) < needed; }) -
            order.begin();
        lists.clear();
        int64_t reach = weights.sums[one];
        for (size_t k = rows.first(one); k < last; ++k) {
            if (!postings.looks_up(rows.column(k))) continue;
            lists.push_back(postings.add(rows.column(k), {place, not_less(reach)}));
            reach -= weights.values[k];
        }
        candidates.clear();
        for (const Postings::List &list : lists) {
            // From the heaviest, which came last, to the lightest that can share enough.
            for (const Posting *it = list.end; it != list.begin && it[-1].place >= lightest; --it) {
                const auto [other, most_shared] = it[-1];
                // At elements that they share after this one, the most that they can share is less.
                if (static_cast<double>(most_shared) < needed || seen[other] == place) continue;
                seen[other] = place;
                if (!rows.overlap(one, order[other])) candidates.push_back(other);
            }
        }
        groups.grow(rows.totals(one));
        found.clear();
        for (const uint32_t other_place : candidates) {
            const uint32_t other = order[other_place];
            const double enough =
                std::max(rows.least(one), rows.least(other)) * static_cast<double>(rows.totals(one));
            if (!groups.may_share(one, place, other, other_place, enough)) continue;
            const int64_t shared = weights.shared(rows, one, other, enough);
            if (static_cast<double>(shared) >= enough) found.emplace_back(-shared, other);
        }
        // Of very many, those that share most.
        if (found.size() > partners) {
            std::nth_element(found.begin(), found.begin() + static_cast<int64_t>(partners), found.end());
            found.resize(partners);
        }
        for (const auto &[minus, other] : found) {
            out.left.push_back(static_cast<int32_t>(std::min(one, other)));
            out.right.push_back(static_cast<int32_t>(std::max(one, other)));
            out.shared.push_back(-minus);
        }
    }
    return out;
}

// offsets, columns: the elements of each row, ascending, so from the rarest on. weights: of each element.
// totals: of each row. least: from 0 to 1. file, begin, end: where each row comes from; rows that overlap
// are not compared. Elements of more than `most` rows are not looked up, and each row has at most `partners`
// lighter partners.
nb::tuple similar_rows(ArrayIn<int64_t> offsets, ArrayIn<int32_t> columns, ArrayIn<int32_t> weights,
                       ArrayIn<int64_t> totals, ArrayIn<double> least, ArrayIn<int32_t> file,
                       ArrayIn<int32_t> begin, ArrayIn<int32_t> end, int64_t most, int64_t partners) {
    check::positions("totals", totals.size());
    check::offsets("offsets", offsets, totals.size(), columns.size());
    check::all_in_range("columns", columns, 0, static_cast<int64_t>(weights.size()));
    check::same_length(
        "totals", totals.size(),
        {{"least", least.size()}, {"file", file.size()}, {"begin", begin.size()}, {"end", end.size()}});
    check::not_negative("most", most);
    check::not_negative("partners", partners);
    for (size_t i = 0; i < least.size(); ++i) check::between("least", least(i), 0, 1);
    SimilarPairs out;
    {
        nb::gil_scoped_release unlocked;
        out = join({offsets, columns, weights, totals, least, file, begin, end}, static_cast<size_t>(most),
                   static_cast<size_t>(partners));
    }
    return nb::make_tuple(to_numpy(std::move(out.left)), to_numpy(std::move(out.right)),
                          to_numpy(std::move(out.shared)));
}

}  // namespace

void register_similar_rows(nb::module_ &m) {
    m.def("similar_rows", &similar_rows, nb::arg("offsets"), nb::arg("columns"), nb::arg("weights"),
          nb::arg("totals"), nb::arg("least"), nb::arg("file"), nb::arg("begin"), nb::arg("end"),
          nb::arg("most"), nb::arg("partners"),
          "Arrays (left, right, shared weight) of the pairs of rows that share enough.");
}

}  // namespace codekin
