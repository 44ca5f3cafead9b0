// Rank statistics of weighted rows: Spearman's rho, Kendall's tau b and the area under the curve.
//
// Rows keep their order from resample to resample; only how often each counts changes. So eight
// resamples go through the rows side by side, and what is looked up for a row is looked up once.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "common/arrays.hpp"
#include "common/checks.hpp"

namespace nb = nanobind;

namespace codekin {

namespace {

constexpr size_t LANES = 8;

using CountsIn = TableIn<int32_t, -1>;

// One number a resample. Sums of counts are exact, since doubles hold whole numbers up to 2^53.
struct alignas(64) Lanes {
    double at[LANES] = {};

    Lanes &operator+=(const Lanes &other) {
        for (size_t k = 0; k < LANES; ++k) at[k] += other.at[k];
        return *this;
    }
};

struct Rows {
    const int32_t *first, *second, *unit;  // sorted by `first`
    size_t size, levels;                   // levels of `second`
};

struct Moments {
    Lanes total;                               // rows, each as often as it counts
    Lanes cross, first_spread, second_spread;  // of doubled ranks around their mean
    Lanes first_ties, second_ties;             // twice the pairs that are equal
    Lanes concordance;                         // concordant pairs less discordant ones
};

class Sweep {
  public:
    explicit Sweep(const Rows &rows, size_t units)
        : rows_(rows), weight_(units), count_(rows.levels), rank_(rows.levels), tree_(rows.levels + 1) {}

    // counts: LANES resamples of `stride` units each, of which `given` are there.
    Moments operator()(const int32_t *counts, size_t stride, size_t given) {
        for (size_t u = 0; u < weight_.size(); ++u)
            for (size_t k = 0; k < LANES; ++k) weight_[u].at[k] = k < given ? counts[k * stride + u] : 0;
        Moments out;
        rank_second(out);
        clear(count_);
        clear(tree_);
        Lanes before;
        for (size_t start = 0, end = 0; start < rows_.size; start = end) {
            while (end < rows_.size && rows_.first[end] == rows_.first[start]) ++end;
            group(start, end, before, out);
        }
        return out;
    }

  private:
    static void clear(std::vector<Lanes> &lanes) { std::fill(lanes.begin(), lanes.end(), Lanes{}); }

    // Adds a level's share to spread and ties; returns its doubled rank around the mean.
    static Lanes level(const Lanes &here, Lanes &before, const Lanes &total, Lanes &spread, Lanes &ties) {
        Lanes rank;
        for (size_t k = 0; k < LANES; ++k) {
            rank.at[k] = 2 * before.at[k] + here.at[k] - total.at[k];
            spread.at[k] += here.at[k] * rank.at[k] * rank.at[k];
            ties.at[k] += here.at[k] * (here.at[k] - 1);
            before.at[k] += here.at[k];
        }
        return rank;
    }

    void rank_second(Moments &out) {
        clear(count_);
        for (size_t i = 0; i < rows_.size; ++i) count_[rows_.second[i]] += weight_[rows_.unit[i]];
        for (const Lanes &here : count_) out.total += here;
        Lanes before;
        for (size_t y = 0; y < rows_.levels; ++y)
            rank_[y] = level(count_[y], before, out.total, out.second_spread, out.second_ties);
    }

    // Rows that are equal in `first`; `before` counts those below, which count_ and tree_ hold.
    void group(size_t start, size_t end, Lanes &before, Moments &out) {
        Lanes here, ranks;
        const bool first = start == 0;
        for (size_t i = start; i < end; ++i) {
            const Lanes &weight = weight_[rows_.unit[i]];
            const Lanes &rank = rank_[rows_.second[i]];
            for (size_t k = 0; k < LANES; ++k) {
                here.at[k] += weight.at[k];
                ranks.at[k] += weight.at[k] * rank.at[k];
            }
            if (!first) compare(rows_.second[i], weight, before, out.concordance);
        }
        const Lanes rank = level(here, before, out.total, out.first_spread, out.first_ties);
        for (size_t k = 0; k < LANES; ++k) out.cross.at[k] += rank.at[k] * ranks.at[k];
        for (size_t i = start; i < end; ++i) add(rows_.second[i], weight_[rows_.unit[i]]);
    }

    // Adds the rows below in both, less those below in `first` and above in `second`.
    void compare(size_t y, const Lanes &weight, const Lanes &before, Lanes &concordance) const {
        Lanes below;
        for (size_t node = y; node > 0; node &= node - 1) below += tree_[node];
        for (size_t k = 0; k < LANES; ++k)
            concordance.at[k] += weight.at[k] * (2 * below.at[k] + count_[y].at[k] - before.at[k]);
    }

    void add(size_t y, const Lanes &weight) {
        count_[y] += weight;
        for (size_t node = y + 1; node <= rows_.levels; node += node & (~node + 1)) tree_[node] += weight;
    }

    const Rows &rows_;
    std::vector<Lanes> weight_;  // of each unit
    std::vector<Lanes> count_;   // of each level of `second`
    std::vector<Lanes> rank_;    // of each level of `second`, doubled, around the mean
    std::vector<Lanes> tree_;    // Fenwick's, of count_
};

constexpr double NOTHING = std::numeric_limits<double>::quiet_NaN();

double ratio(double above, double below_one, double below_other) {
    if (below_one <= 0 || below_other <= 0) return NOTHING;
    // The root of a square is exact, so that equal orders give 1 and not almost 1.
    return std::clamp(above / std::sqrt(below_one * below_other), -1.0, 1.0);
}

size_t check_rows(const ArrayIn<int32_t> &first, const ArrayIn<int32_t> &second, const ArrayIn<int32_t> &unit,
                  size_t units) {
    const size_t n = first.size();
    check::same_length("first", n, {{"second", second.size()}, {"unit", unit.size()}});
    check::ascending("first", first);
    check::all_in_range("second", second, 0, static_cast<int64_t>(n));
    check::all_in_range("unit", unit, 0, static_cast<int64_t>(units));
    int32_t last = -1;
    for (size_t i = 0; i < n; ++i) last = std::max(last, second(i));
    return static_cast<size_t>(last) + 1;
}

nb::tuple rank_statistics(ArrayIn<int32_t> first, ArrayIn<int32_t> second, ArrayIn<int32_t> unit,
                          CountsIn counts) {
    const size_t resamples = counts.shape(0), units = counts.shape(1);
    if (units == 0) check::at_most("resamples without units", resamples, 1 << 20);
    for (size_t i = 0; i < counts.size(); ++i)
        if (counts.data()[i] < 0) check::refuse("counts must not be negative");
    const Rows rows{first.data(), second.data(), unit.data(), first.size(),
                    check_rows(first, second, unit, units)};
    std::vector<double> spearman(resamples), kendall(resamples), auc(resamples);
    {
        nb::gil_scoped_release unlocked;
        Sweep sweep(rows, units);
        for (size_t start = 0; start < resamples; start += LANES) {
            const size_t given = std::min(LANES, resamples - start);
            const Moments m = sweep(counts.data() + start * units, units, given);
            for (size_t k = 0; k < given; ++k) {
                const double pairs = m.total.at[k] * (m.total.at[k] - 1);
                const double second_apart = pairs - m.second_ties.at[k];
                spearman[start + k] = ratio(m.cross.at[k], m.first_spread.at[k], m.second_spread.at[k]);
                kendall[start + k] = ratio(2 * m.concordance.at[k], pairs - m.first_ties.at[k], second_apart);
                // Two values of `second`: the pairs that are apart are one row of each.
                auc[start + k] =
                    rows.levels == 2 && second_apart > 0 ? 0.5 + m.concordance.at[k] / second_apart : NOTHING;
            }
        }
    }
    return nb::make_tuple(to_numpy(std::move(spearman)), to_numpy(std::move(kendall)),
                          to_numpy(std::move(auc)));
}

}  // namespace

void register_rank_statistics(nb::module_ &m) {
    m.def("rank_statistics", &rank_statistics, nb::arg("first"), nb::arg("second"), nb::arg("unit"),
          nb::arg("counts"),
          "Spearman's rho, Kendall's tau b and AUC in each resample; rows are sorted by `first`.");
}

}  // namespace codekin
