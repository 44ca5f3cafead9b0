// CodeBLEU's counts of a pair, beyond the n-grams, and its value from the counts.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "align/ngram_overlap.hpp"
#include "common/arrays.hpp"
#include "common/checks.hpp"

namespace nb = nanobind;

namespace codekin {

namespace {

constexpr int ORDER = 4;
constexpr size_t STATISTICS = 22;  // as measures/codebleu.py lists them
constexpr double FLOOR = 0.1;      // counts as the matches of an order that has none

using Bag = std::vector<uint64_t>;

Bag checked(const char *name, const ArrayIn<uint64_t> &numbers) {
    check::ascending(name, numbers);
    return Bag(numbers.data(), numbers.data() + numbers.size());
}

struct CodeBags {
    CodeBags(ArrayIn<uint64_t> keywords, ArrayIn<uint64_t> shapes, ArrayIn<uint64_t> items)
        : keywords(checked("keywords", keywords)),
          shapes(checked("shapes", shapes)),
          items(checked("items", items)) {}
    Bag keywords, shapes, items;
};

int64_t overlap(const Bag &a, const Bag &b) { return sorted_common(a.data(), a.size(), b.data(), b.size()); }

// For keywords, subtrees and edges: how many the two share, and how many the second has.
std::array<int64_t, 6> shared_bags(const CodeBags &a, const CodeBags &b) {
    return {overlap(a.keywords, b.keywords), static_cast<int64_t>(b.keywords.size()),
            overlap(a.shapes, b.shapes),     static_cast<int64_t>(b.shapes.size()),
            overlap(a.items, b.items),       static_cast<int64_t>(b.items.size())};
}

double mean(const double *matches, const double *totals, double penalty) {
    if (matches[0] == 0) return 0.0;
    double logs = 0.0;
    int orders = 0;
    for (int n = 0; n < ORDER; ++n) {
        if (totals[n] == 0) continue;
        logs += std::log((matches[n] == 0 ? FLOOR : matches[n]) / totals[n]);
        ++orders;
    }
    return std::min(1.0, penalty * std::exp(logs / orders));
}

// (value, n-gram, weighted n-gram, syntax, data flow); -1 for a part that is left out.
nb::tuple codebleu_value(const std::vector<double> &counts, const std::array<double, 4> &weights) {
    check::length("counts", counts.size(), STATISTICS);
    check::counts("counts", counts);
    for (const double weight : weights) check::finite("weights", weight);
    const double length = counts[0], closest = counts[1];
    if (length == 0 || closest == 0) {
        const double both = length == closest;
        return nb::make_tuple(both, both, both, -1.0, -1.0);
    }
    const double penalty = length >= closest ? 1.0 : std::exp(1.0 - closest / length);
    const std::array<double, 4> parts{
        mean(&counts[2], &counts[6], penalty), mean(&counts[10], &counts[14], penalty),
        counts[19] > 0 ? counts[18] / counts[19] : -1.0, counts[21] > 0 ? counts[20] / counts[21] : -1.0};
    double total = 0.0, weight = 0.0;
    for (int i = 0; i < 4; ++i) {
        if (parts[i] < 0) continue;
        total += weights[i] * parts[i];
        weight += weights[i];
    }
    // Where all the weight lies on parts that are left out, the n-grams speak.
    const double value = weight > 0 ? std::min(1.0, total / weight) : parts[0];
    return nb::make_tuple(value, parts[0], parts[1], parts[2], parts[3]);
}

}  // namespace

void register_codebleu(nb::module_ &m) {
    nb::class_<CodeBags>(m, "CodeBags")
        .def(nb::init<ArrayIn<uint64_t>, ArrayIn<uint64_t>, ArrayIn<uint64_t>>(), nb::arg("keywords"),
             nb::arg("shapes"), nb::arg("items"), "Sorted numbers of each kind.");
    m.def("shared_bags", &shared_bags, nb::arg("a"), nb::arg("b"),
          "For keywords, subtrees and edges: how many are shared, and how many `b` has.");
    m.def("codebleu_value", &codebleu_value, nb::arg("counts"), nb::arg("weights"),
          "Value and parts from CodeBLEU's statistics; -1 for a part that is left out.");
}

}  // namespace codekin
