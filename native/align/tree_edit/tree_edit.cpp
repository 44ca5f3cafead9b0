#include "align/tree_edit/tree_edit.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>

#include "align/tree_edit/bounds.hpp"
#include "align/tree_edit/solver.hpp"
#include "align/tree_edit/strategy.hpp"
#include "align/tree_edit/tree.hpp"
#include "common/arrays.hpp"

namespace nb = nanobind;

namespace codekin::tree_edit {

namespace {

// Costs in the units of the cells: cost = (nodes' delete and insert costs - unit * weight) / scale.
struct Scaled {
    double del, ins;
    double same, differ;
    double unit = 1, scale = 1;
    bool integral = false;

    double cost(double deletions, double insertions, double weight) const {
        return std::max(0.0, (deletions * del + insertions * ins - unit * weight) / scale);
    }
};

// Whether x is an integer, or the double nearest to a fraction of `scale`.
bool is_multiple(double x, double scale) {
    const double y = x * scale, nearest = std::nearbyint(y);
    constexpr double kLargest = 2147483648.0;
    return y <= kLargest && std::abs(y - nearest) <= 2 * std::numeric_limits<double>::epsilon() * y;
}

// Integers where all costs are multiples of a common decimal or binary fraction.
Scaled scale_costs(const Costs &costs) {
    for (const double scale : {1.0, 2.0, 4.0, 8.0, 10.0, 100.0, 1000.0, 10000.0}) {
        if (!is_multiple(costs.del, scale) || !is_multiple(costs.ins, scale) ||
            !is_multiple(costs.ren, scale))
            continue;
        const auto del = std::llround(costs.del * scale), ins = std::llround(costs.ins * scale);
        const auto ren = std::llround(costs.ren * scale);
        const auto same = del + ins, differ = std::max(0LL, same - ren);
        const auto unit = std::max(1LL, std::gcd(same, differ));
        return {double(del), double(ins), double(same / unit), double(differ / unit), double(unit),
                scale,       true};
    }
    const double same = costs.del + costs.ins;
    return {costs.del, costs.ins, same, std::max(0.0, same - costs.ren)};
}

void check(const Costs &costs, const Limits &limits) {
    constexpr double kLargest = 1e150;  // sums and products of costs stay finite
    for (const double cost : {costs.del, costs.ins, costs.ren})
        if (!(cost >= 0 && cost <= kLargest))
            throw std::invalid_argument("costs must be finite, not negative and at most 1e150");
    if (limits.steps < 0) throw std::invalid_argument("steps must not be negative");
    if (limits.memory < 0) throw std::invalid_argument("memory must not be negative");
}

// Bounds on the weight of the best mapping of two trimmed trees.
struct Outcome {
    double least = 0;  // weight of `mapping`, where that is asked for
    double most = 0;
    bool exact = false;
    double steps = 0;
    Mapping mapping;
};

double area(const Tree &a, const Tree &b) { return static_cast<double>(a.size) * b.size; }

// Cells of the kernels' row stacks: one row for each level of left or right paths.
double row_cells(const Tree &a, const Tree &b) {
    std::int32_t levels = 0;
    for (const Tree *tree : {&a, &b})
        for (const View &view : tree->view)
            levels = std::max(levels, *std::max_element(view.level.begin(), view.level.end()));
    return (levels + 2.0) * (std::max(a.size, b.size) + 1.0);
}

// Tries to find the exact weight within the limits.
template <class Cell> bool solve_exactly(const Tree &a, const Tree &b, const Scaled &scaled,
                                         const Limits &limits, bool with_mapping, Outcome &out) {
    const double pairs = area(a, b);
    const double searched = static_cast<double>(inner_nodes(a)) * static_cast<double>(inner_nodes(b));
    // Similarities and their traceback.
    double bytes = ((with_mapping ? 2 : 1) * pairs + row_cells(a, b)) * sizeof(Cell);
    double steps = pairs;
    const auto fits = [&] {
        return steps <= static_cast<double>(limits.steps) && bytes <= static_cast<double>(limits.memory);
    };
    if (!fits()) return false;
    Strategy strategy = Strategy::uniform(a, b);
    constexpr double kSearchCells = 6;  // cells computed in the time one pair is searched
    if (strategy.cells() > kSearchCells * searched) {
        steps += searched;
        bytes += searched;
        if (!fits()) return false;
        strategy = Strategy::optimal(a, b);
        if (strategy.uses_heavy()) bytes += pairs * sizeof(Cell);
    }
    steps += strategy.cells();
    if (!fits()) return false;
    Problem<Cell> problem(a, b, static_cast<Cell>(scaled.same), static_cast<Cell>(scaled.differ));
    Solver<Cell>(problem, strategy).run();
    out.least = out.most = static_cast<double>(problem.similarity.back());
    out.exact = true;
    out.steps = steps;
    if (with_mapping) Traceback<Cell>(problem, out.mapping).run();
    return true;
}

template <class Cell>
Outcome solve(const Tree &a, const Tree &b, const Scaled &scaled, const Limits &limits, bool with_mapping) {
    Outcome out;
    if (solve_exactly<Cell>(a, b, scaled, limits, with_mapping, out)) return out;
    const Weights weights{scaled.same, scaled.differ};
    const double pairs = area(a, b);
    out.steps = static_cast<double>(a.size) + b.size;
    out.most = label_bound(a, b, weights);
    const bool quadratic = 3 * pairs <= static_cast<double>(limits.steps);
    if (quadratic) {
        out.steps = 3 * pairs;
        out.most = std::min(out.most, sequence_bound(a, b, weights));
    }
    if (quadratic && 2 * pairs * sizeof(Cell) <= static_cast<double>(limits.memory)) {
        ConstrainedMapping<Cell> constrained(a, b, static_cast<Cell>(scaled.same),
                                             static_cast<Cell>(scaled.differ));
        out.least = static_cast<double>(constrained.weight());
        if (with_mapping) out.mapping = constrained.mapping();
    } else {
        out.mapping = top_down_mapping(a, b, weights);
        out.least = mapping_weight(a, b, weights, out.mapping);
    }
    out.most = std::max(out.least, out.most);  // against rounding only
    out.exact = out.least == out.most;
    return out;
}

// In the smallest cells that hold the weight of any mapping.
Outcome solve_in_cells(const Tree &a, const Tree &b, const Scaled &scaled, const Limits &limits,
                       bool with_mapping) {
    const double largest = scaled.same * std::min(a.size, b.size);
    if (scaled.integral && largest <= std::numeric_limits<std::int16_t>::max())
        return solve<std::int16_t>(a, b, scaled, limits, with_mapping);
    if (scaled.integral && largest <= std::numeric_limits<std::int32_t>::max())
        return solve<std::int32_t>(a, b, scaled, limits, with_mapping);
    return solve<double>(a, b, scaled, limits, with_mapping);
}

Mapping whole_mapping(const Trimmed &trimmed, const Mapping &rest) {
    Mapping out;
    for (const SharedRun &run : trimmed.shared)
        for (std::int32_t k = 0; k < run.length; ++k) out.push_back({run.first + k, run.second + k});
    for (const auto &[i, j] : rest) out.push_back({trimmed.first.original(i), trimmed.second.original(j)});
    std::sort(out.begin(), out.end());
    return out;
}

Result solve_trimmed(const InputTree &first, const InputTree &second, const Scaled &scaled,
                     const Limits &limits, Mapping *mapping) {
    const Trimmed trimmed = trim(first, second);
    const Tree a = index_tree(cut(first, trimmed.first));
    const Tree b = index_tree(cut(second, trimmed.second));
    const Outcome out = solve_in_cells(a, b, scaled, limits, mapping != nullptr);
    if (mapping) *mapping = whole_mapping(trimmed, out.mapping);
    // Trimmed nodes cost nothing, so they are counted on neither side.
    const double lower = scaled.cost(a.size, b.size, out.most);
    const double upper = scaled.cost(a.size, b.size, out.least);
    // Weights that differ may be one cost once they are rounded.
    return {lower, upper, out.exact || lower == upper, static_cast<std::int64_t>(out.steps)};
}

}  // namespace

Result tree_edit_distance(const InputTree &first, const InputTree &second, const Costs &costs,
                          const Limits &limits, Mapping *mapping) {
    check(costs, limits);
    validate(first, "first tree");
    validate(second, "second tree");
    if (mapping) mapping->clear();
    const Scaled scaled = scale_costs(costs);
    const auto n = static_cast<double>(first.labels.size());
    const auto m = static_cast<double>(second.labels.size());
    if (n == 0 || m == 0 || scaled.same == 0) {
        const double cost = scaled.cost(n, m, 0);
        return {cost, cost, true, 0};
    }
    if (scaled.same != scaled.differ) return solve_trimmed(first, second, scaled, limits, mapping);
    // Renaming is free: only the shapes count, and with equal labels more of them is shared.
    InputTree shape1{std::vector<std::int64_t>(first.labels.size()), first.parents};
    InputTree shape2{std::vector<std::int64_t>(second.labels.size()), second.parents};
    return solve_trimmed(shape1, shape2, scaled, limits, mapping);
}

}  // namespace codekin::tree_edit

namespace codekin {

namespace {

using tree_edit::Costs;
using tree_edit::InputTree;
using tree_edit::Limits;
using tree_edit::Mapping;
using tree_edit::Result;

using Array = Unconverted<nb::ro, nb::ndim<1>>;  // of integers of any width

template <class From, class To> void copy_as(const Array &array, std::vector<To> &out) {
    const From *data = static_cast<const From *>(array.data());
    out.resize(array.shape(0));
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = static_cast<To>(data[i]);
        if (static_cast<From>(out[i]) != data[i] || (out[i] < 0) != (data[i] < From(0)))
            throw nb::value_error("an entry is out of range");
    }
}

template <class To> void copy_integers(const Array &array, const char *name, std::vector<To> &out) {
    const nb::dlpack::dtype type = array.dtype();
    if (type == nb::dtype<std::int32_t>()) return copy_as<std::int32_t>(array, out);
    if (type == nb::dtype<std::int64_t>()) return copy_as<std::int64_t>(array, out);
    if (type == nb::dtype<std::uint32_t>()) return copy_as<std::uint32_t>(array, out);
    if (type == nb::dtype<std::uint64_t>()) return copy_as<std::uint64_t>(array, out);
    if (type == nb::dtype<std::int16_t>()) return copy_as<std::int16_t>(array, out);
    if (type == nb::dtype<std::uint16_t>()) return copy_as<std::uint16_t>(array, out);
    if (type == nb::dtype<std::int8_t>()) return copy_as<std::int8_t>(array, out);
    if (type == nb::dtype<std::uint8_t>()) return copy_as<std::uint8_t>(array, out);
    throw nb::type_error((std::string(name) + " must be an array of integers").c_str());
}

// A copy, so that nothing changes it while the interpreter lock is released.
InputTree input_tree(const Array &labels, const Array &parents) {
    InputTree tree;
    copy_integers(labels, "labels", tree.labels);
    copy_integers(parents, "parents", tree.parents);
    return tree;
}

Result compute(const Array &labels1, const Array &parents1, const Array &labels2, const Array &parents2,
               const Costs &costs, const Limits &limits, Mapping *mapping) {
    const InputTree first = input_tree(labels1, parents1), second = input_tree(labels2, parents2);
    const nb::gil_scoped_release release;
    return tree_edit::tree_edit_distance(first, second, costs, limits, mapping);
}

nb::tuple distance(const Array &labels1, const Array &parents1, const Array &labels2, const Array &parents2,
                   double del, double ins, double ren, std::int64_t steps, std::int64_t memory) {
    const Result r = compute(labels1, parents1, labels2, parents2, {del, ins, ren}, {steps, memory}, nullptr);
    return nb::make_tuple(r.lower, r.upper, r.exact, r.steps);
}

nb::tuple mapping(const Array &labels1, const Array &parents1, const Array &labels2, const Array &parents2,
                  double del, double ins, double ren, std::int64_t steps, std::int64_t memory) {
    Mapping pairs;
    const Result r = compute(labels1, parents1, labels2, parents2, {del, ins, ren}, {steps, memory}, &pairs);
    nb::list list;
    for (const auto &[i, j] : pairs) list.append(nb::make_tuple(i, j));
    return nb::make_tuple(list, r.lower, r.upper, r.exact, r.steps);
}

constexpr std::int64_t kDefaultMemory = std::int64_t(1) << 30;

}  // namespace

void register_tree_edit(nb::module_ &m) {
    m.def("tree_edit_distance", &distance, nb::arg("labels1"), nb::arg("parents1"), nb::arg("labels2"),
          nb::arg("parents2"), nb::arg("delete"), nb::arg("insert"), nb::arg("rename"), nb::arg("steps"),
          nb::arg("memory") = kDefaultMemory,
          "Tree edit distance of two trees in preorder: (lower, upper, exact, steps used).");
    m.def("tree_edit_mapping", &mapping, nb::arg("labels1"), nb::arg("parents1"), nb::arg("labels2"),
          nb::arg("parents2"), nb::arg("delete"), nb::arg("insert"), nb::arg("rename"), nb::arg("steps"),
          nb::arg("memory") = kDefaultMemory,
          "An edit mapping of cost upper: (pairs, lower, upper, exact, steps used).");
}

}  // namespace codekin
