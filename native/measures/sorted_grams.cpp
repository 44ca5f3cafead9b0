// N-grams of a text sorted once, so that two texts are compared by one merge.
//
// The positions of a text are sorted by the `order` tokens that begin there. All n-grams of all
// orders up to `order` are then runs of equal prefixes, and a merge of two sorted texts counts the
// clipped matches of every order in linear time. Tokens are compared themselves, never a hash of
// n-grams.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "common/arrays.hpp"
#include "common/checks.hpp"

namespace nb = nanobind;

namespace codekin {

namespace {

constexpr int MOST_ORDERS = 8;

class SortedGrams {
  public:
    SortedGrams(ArrayIn<uint64_t> ids, int order, const std::optional<ArrayIn<uint8_t>> &dropped)
        : order_(order), length_(ids.size()) {
        check::in_range("order", order, 1, MOST_ORDERS);
        check::positions("ids", length_);
        std::vector<uint8_t> mask(length_, 0);
        if (dropped) {
            check::same_length("ids", length_, {{"dropped", dropped->size()}});
            std::copy(dropped->data(), dropped->data() + length_, mask.begin());
        }
        // A position near the end begins no long n-gram; it drops out of those orders.
        for (size_t i = length_ > size_t(order) ? length_ - order + 1 : 0; i < length_; ++i)
            mask[i] |= static_cast<uint8_t>(0xFFu << (length_ - i));
        sort(ids.data(), mask);
    }

    size_t length() const { return length_; }
    int order() const { return order_; }
    const uint64_t *row(size_t i) const { return rows_.data() + i * order_; }
    bool counts(size_t i, int n) const { return !(dropped_[i] >> (n - 1) & 1); }
    int64_t total(int n) const { return totals_[n - 1]; }

  private:
    void sort(const uint64_t *ids, const std::vector<uint8_t> &mask) {
        std::vector<uint64_t> rows(length_ * order_, 0);
        for (size_t i = 0; i < length_; ++i)
            for (int k = 0; k < order_ && i + k < length_; ++k) rows[i * order_ + k] = ids[i + k];
        std::vector<uint32_t> ranks(length_);
        std::iota(ranks.begin(), ranks.end(), 0u);
        const uint64_t *data = rows.data();
        const int order = order_;
        std::sort(ranks.begin(), ranks.end(), [data, order](uint32_t a, uint32_t b) {
            return std::lexicographical_compare(data + size_t(a) * order, data + size_t(a + 1) * order,
                                                data + size_t(b) * order, data + size_t(b + 1) * order);
        });
        rows_.resize(rows.size());
        dropped_.resize(length_);
        for (size_t i = 0; i < length_; ++i) {
            std::copy_n(data + size_t(ranks[i]) * order, order, rows_.data() + i * order);
            dropped_[i] = mask[ranks[i]];
            for (int n = 1; n <= order; ++n) totals_[n - 1] += counts(i, n);
        }
    }

    int order_;
    size_t length_;
    std::vector<uint64_t> rows_;
    std::vector<uint8_t> dropped_;
    std::array<int64_t, MOST_ORDERS> totals_{};
};

// Counts of the n-gram that is being read, for every order, on both sides.
class Runs {
  public:
    explicit Runs(int order) : order_(order) {}

    void close_beyond(int shared) {
        for (int n = shared; n < order_; ++n) {
            matches[n] += std::min(a_[n], b_[n]);
            a_[n] = b_[n] = 0;
        }
    }

    void add(const SortedGrams &text, size_t i, bool first) {
        auto &counts = first ? a_ : b_;
        for (int n = 0; n < order_; ++n) counts[n] += text.counts(i, n + 1);
    }

    std::array<int64_t, MOST_ORDERS> matches{};

  private:
    int order_;
    std::array<int64_t, MOST_ORDERS> a_{}, b_{};
};

int shared_prefix(const uint64_t *a, const uint64_t *b, int order) {
    int k = 0;
    while (k < order && a[k] == b[k]) ++k;
    return k;
}

// [length of a, length of b, matches of order 1.., n-grams of a of order 1..]
std::vector<int64_t> merge_matches(const SortedGrams &a, const SortedGrams &b) {
    if (a.order() != b.order()) throw nb::value_error("the texts are sorted by different orders");
    const int order = a.order();
    Runs runs(order);
    size_t i = 0, j = 0;
    const uint64_t *previous = nullptr;
    while (i < a.length() || j < b.length()) {
        const bool first =
            j == b.length() || (i < a.length() && !std::lexicographical_compare(b.row(j), b.row(j) + order,
                                                                                a.row(i), a.row(i) + order));
        const uint64_t *row = first ? a.row(i) : b.row(j);
        if (previous) runs.close_beyond(shared_prefix(previous, row, order));
        runs.add(first ? a : b, first ? i++ : j++, first);
        previous = row;
    }
    runs.close_beyond(0);
    std::vector<int64_t> out{static_cast<int64_t>(a.length()), static_cast<int64_t>(b.length())};
    out.insert(out.end(), runs.matches.begin(), runs.matches.begin() + order);
    for (int n = 1; n <= order; ++n) out.push_back(a.total(n));
    return out;
}

enum class Smoothing { none, floor, add_k, exp };

struct BleuRule {
    Smoothing smoothing;
    double amount;
    bool effective;  // leave out the orders beyond the candidate's longest n-gram
    bool gaps;       // leave out any order that the candidate has no n-gram of
};

// (value, brevity penalty, precision of each order) of statistics as merge_matches gives them.
nb::tuple bleu(std::vector<double> statistics, int smoothing, double amount, bool effective, bool gaps) {
    if (statistics.size() < 4 || statistics.size() % 2 != 0)
        check::refuse("statistics must be two lengths, then matches and n-grams of each order, not " +
                      std::to_string(statistics.size()) + " numbers");
    check::counts("statistics", statistics);
    check::in_range("smoothing", smoothing, 0, static_cast<int64_t>(Smoothing::exp));
    check::finite("amount", amount);
    const BleuRule rule{static_cast<Smoothing>(smoothing), amount, effective, gaps};
    const size_t order = statistics.size() / 2 - 1;
    const double length = statistics[0], reference = statistics[1];
    double *correct = statistics.data() + 2, *total = correct + order;
    const double penalty = length >= reference ? 1.0 : length > 0 ? std::exp(1 - reference / length) : 0.0;
    std::vector<double> precisions(order, 0.0);
    const bool any = std::any_of(correct, correct + order, [](double c) { return c > 0; });
    double halving = 1, logs = 0;
    size_t used = 0;
    bool zero = !any || penalty == 0;
    for (size_t n = 0; any && n < order; ++n) {
        if (rule.smoothing == Smoothing::add_k && n > 0) correct[n] += amount, total[n] += amount;
        if (total[n] == 0) {
            if (rule.gaps) continue;
            zero = zero || !rule.effective;
            break;
        }
        if (correct[n] > 0)
            precisions[n] = correct[n] / total[n];
        else if (rule.smoothing == Smoothing::exp)
            precisions[n] = 1 / ((halving *= 2) * total[n]);
        else if (rule.smoothing == Smoothing::floor)
            precisions[n] = amount / total[n];
        zero = zero || precisions[n] == 0;
        logs += precisions[n] > 0 ? std::log(precisions[n]) : 0;
        ++used;
    }
    const double mean = used == 0 ? 0.0 : std::exp(logs / static_cast<double>(used));
    const double value = zero || used == 0 ? 0.0 : std::min(1.0, penalty * mean);
    return nb::make_tuple(value, penalty, precisions);
}

}  // namespace

void register_sorted_grams(nb::module_ &m) {
    nb::class_<SortedGrams>(m, "SortedGrams")
        .def(nb::init<ArrayIn<uint64_t>, int, const std::optional<ArrayIn<uint8_t>> &>(), nb::arg("ids"),
             nb::arg("order"), nb::arg("dropped") = nb::none());
    m.def("merge_matches", &merge_matches, nb::arg("a"), nb::arg("b"));
    m.def("bleu", &bleu, nb::arg("statistics"), nb::arg("smoothing"), nb::arg("amount"), nb::arg("effective"),
          nb::arg("gaps"));
}

}  // namespace codekin
