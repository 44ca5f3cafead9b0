// Graph edit distance for Python: reads and checks the arrays, then searches without the GIL.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>

#include "align/graph_edit/search.hpp"
#include "common/arrays.hpp"
#include "common/checks.hpp"

namespace nb = nanobind;

namespace codekin::graph_edit {

namespace {

using Ints = ArrayIn<std::int32_t>;
using Pairs = std::vector<std::pair<std::int32_t, std::int32_t>>;

// The search gives up at the next chance; the signal's handler then runs where Python called us.
bool signal_is_pending() {
    const nb::gil_scoped_acquire gil;
    return PyErr_CheckSignals() != 0;
}

Graph read_graph(const char *name, const Ints &labels, const Ints &source, const Ints &target,
                 const Ints &kind, const Costs &costs) {
    const auto n = static_cast<std::int64_t>(labels.size());
    check::at_most("nodes", labels.size(), INT32_MAX / 4);
    check::at_most("edges", source.size(), INT32_MAX / 4);
    check::same_length("source", source.size(), {{"target", target.size()}, {"kind", kind.size()}});
    check::all_in_range("kind", kind, 0, costs.kinds());
    std::vector<EdgeIn> edges(source.size());
    for (std::size_t e = 0; e < edges.size(); ++e) {
        if (source(e) < 0 || source(e) >= n || target(e) < 0 || target(e) >= n) {
            const std::string words = "edge " + std::to_string(e) + " of the " + name + " graph, (" +
                                      std::to_string(source(e)) + ", " + std::to_string(target(e)) +
                                      "), leads to no node; there are " + std::to_string(n);
            throw nb::value_error(words.c_str());
        }
        edges[e] = {source(e), target(e), static_cast<std::uint8_t>(costs.tells_apart() ? kind(e) : 0)};
    }
    return Graph({labels.data(), labels.data() + n}, std::move(edges), costs.typed());
}

void check_pair(const char *what, const Graph &first, const Graph &second, std::int32_t i, std::int32_t a) {
    if (i >= 0 && i < first.size() && a >= 0 && a < second.size()) return;
    const std::string words = std::string(what) + " pair (" + std::to_string(i) + ", " + std::to_string(a) +
                              ") is none of nodes of both graphs";
    throw nb::value_error(words.c_str());
}

Costs read_costs(bool typed, const Ints &node_costs, const Ints &edge_costs) {
    check::all_in_range("node_costs", node_costs, 0, Costs::kMost + 1);
    check::all_in_range("edge_costs", edge_costs, 0, Costs::kMost + 1);
    check::at_most("edge_costs", edge_costs.size(), 64);
    for (std::size_t kind = 1; kind < edge_costs.size(); ++kind)
        if (edge_costs(kind) > edge_costs(kind - 1)) check::refuse("edge_costs must not ascend");
    const auto copy = [](const Ints &costs) {
        return std::vector<std::int32_t>{costs.data(), costs.data() + costs.size()};
    };
    return Costs(typed, copy(node_costs), copy(edge_costs));
}

Task make_task(const Graph &first, const Graph &second, const Pairs &fixed, Pairs forbidden, Costs costs) {
    const std::int32_t unit = costs.typed() ? 1 : 2;
    Task task{first, second, std::move(costs), unit, {}, {}, {}};
    // Bounds are computed in fractions of a unit, with 64 bits.
    if (task.most_cost() > std::int64_t{1} << 48) check::refuse("edge_costs: all costs together exceed 2^48");
    task.must.assign(first.size(), -1);
    task.must_back.assign(second.size(), -1);
    for (const auto &[i, a] : forbidden) check_pair("forbidden", first, second, i, a);
    std::sort(forbidden.begin(), forbidden.end());
    for (const auto &[i, a] : fixed) {
        check_pair("fixed", first, second, i, a);
        const std::string pair = "fixed pair (" + std::to_string(i) + ", " + std::to_string(a) + ")";
        if (first.label[i] != second.label[a])
            throw nb::value_error((pair + ": the labels differ, and only equal ones match").c_str());
        if (std::binary_search(forbidden.begin(), forbidden.end(), std::make_pair(i, a)))
            throw nb::value_error((pair + " is forbidden too").c_str());
        if (task.must[i] >= 0 || task.must_back[a] >= 0)
            throw nb::value_error((pair + ": one of the nodes is fixed already").c_str());
        task.must[i] = a;
        task.must_back[a] = i;
    }
    task.forbidden = std::move(forbidden);
    return task;
}

using Result = std::tuple<std::int64_t, std::int64_t, std::int64_t, Pairs>;

Result distance(const Ints &labels1, const Ints &source1, const Ints &target1, const Ints &kind1,
                const Ints &labels2, const Ints &source2, const Ints &target2, const Ints &kind2,
                const Pairs &fixed, const Pairs &forbidden, bool typed, const Ints &node_costs,
                const Ints &edge_costs, std::int64_t steps) {
    check::not_negative("steps", steps);
    // Memory is spent on each label, whether a node has it or not.
    constexpr std::int64_t UNUSED = 1 << 16;
    auto most_labels = static_cast<std::int64_t>(labels1.size() + labels2.size()) + UNUSED;
    if (node_costs.size()) most_labels = std::min(most_labels, static_cast<std::int64_t>(node_costs.size()));
    check::all_in_range("labels1", labels1, 0, most_labels);
    check::all_in_range("labels2", labels2, 0, most_labels);
    Costs costs = read_costs(typed, node_costs, edge_costs);
    const Graph first = read_graph("first", labels1, source1, target1, kind1, costs);
    const Graph second = read_graph("second", labels2, source2, target2, kind2, costs);
    const Task task = make_task(first, second, fixed, forbidden, std::move(costs));
    Budget budget(steps, signal_is_pending);
    Result result;
    try {
        const nb::gil_scoped_release released;
        Search search(task, budget);
        search.run();
        Pairs pairs;
        for (std::int32_t i = 0; i < first.size(); ++i)
            if (search.mapping().partner[i] >= 0) pairs.emplace_back(i, search.mapping().partner[i]);
        result = {search.lower(), search.upper(), budget.used(), std::move(pairs)};
    } catch (const Interrupted &) {
        throw nb::python_error();
    }
    return result;
}

}  // namespace

}  // namespace codekin::graph_edit

namespace codekin {

void register_graph_edit(nb::module_ &m) {
    using namespace graph_edit;
    m.def("graph_edit_distance", &distance, nb::arg("labels1"), nb::arg("source1"), nb::arg("target1"),
          nb::arg("kind1"), nb::arg("labels2"), nb::arg("source2"), nb::arg("target2"), nb::arg("kind2"),
          nb::arg("fixed"), nb::arg("forbidden"), nb::arg("typed"), nb::arg("node_costs"),
          nb::arg("edge_costs"), nb::arg("steps"));
}

}  // namespace codekin
