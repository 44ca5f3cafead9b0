// Post-dominators of a graph, and control dependence of a control-flow graph.
#include "dominance.hpp"

#include <nanobind/nanobind.h>

#include "arrays.hpp"
#include "dominance_dependence.hpp"
#include "kernels.hpp"

namespace nb = nanobind;

namespace codekin::flow {
namespace {

using control::Adjacency;
using control::Dependence;
using control::Pairs;

void check_nodes(const ArrayIn<int32_t> &nodes, int64_t least, int64_t count) {
    bool fits = true;
    for (size_t i = 0; i < nodes.size(); ++i) fits = fits && nodes(i) >= least && nodes(i) < count;
    if (!fits) throw nb::value_error("a node is named that is not there");
}

void check_edges(const ArrayIn<int32_t> &source, const ArrayIn<int32_t> &target, int64_t count) {
    if (count < 0 || count >= INT32_MAX / 2 || source.size() != target.size() ||
        source.size() >= INT32_MAX / 2)
        throw nb::value_error("the arrays are not those of a graph");
    check_nodes(source, 0, count);
    check_nodes(target, 0, count);
}

Vector<int32_t> post_dominators(int64_t count, ArrayIn<int32_t> source, ArrayIn<int32_t> target,
                                ArrayIn<int32_t> exits) {
    check_edges(source, target, count);
    check_nodes(exits, 0, count);
    std::vector<int32_t> found;
    {
        nb::gil_scoped_release unlocked;
        const auto nodes = static_cast<int32_t>(count);
        const Adjacency next(nodes, source.size(), source.data(), target.data());
        const Adjacency before(nodes, source.size(), target.data(), source.data());
        const std::vector<int32_t> ends(exits.data(), exits.data() + exits.size());
        found = control::PostDominators(nodes, next, before, ends).immediate();
    }
    return to_numpy(std::move(found));
}

control::Flow closed(const ArrayIn<int32_t> &entries, int32_t operations, const ArrayIn<int32_t> &source,
                     const ArrayIn<int32_t> &target, const ArrayIn<uint8_t> &kind,
                     const ArrayIn<int32_t> &decides, const ArrayIn<int32_t> &closing) {
    control::Flow flow{operations, static_cast<int32_t>(entries.size()),
                       static_cast<int32_t>(decides.size()),
                       {source.data(), source.data() + source.size()},
                       {target.data(), target.data() + target.size()},
                       {entries.data(), entries.data() + entries.size()},
                       {kind.data(), kind.data() + kind.size()},
                       std::vector<uint8_t>(decides.size(), 0),
                       decides.data()};
    for (size_t i = 0; i < closing.size(); ++i) flow.is_closed[source(closing(i))] = 1;
    for (int32_t f = 0; f < flow.functions; ++f) {
        if (entries(f) < 0) continue;
        flow.source.push_back(entries(f)), flow.target.push_back(operations + f);
        flow.kind.push_back(control::FOLLOWS);
    }
    return flow;
}

// Arrays (controller, dependent), sorted, and whether they hold every pair.
nb::tuple control_dependence(ArrayIn<int32_t> entries, int64_t operations, ArrayIn<int32_t> source,
                             ArrayIn<int32_t> target, ArrayIn<uint8_t> kind, ArrayIn<int32_t> decides,
                             ArrayIn<int32_t> choice, ArrayIn<int32_t> chosen_by,
                             ArrayIn<int32_t> closing, int64_t limit) {
    const auto nodes = static_cast<int64_t>(decides.size());
    check_edges(source, target, nodes);
    if (kind.size() != source.size() || choice.size() != chosen_by.size() || operations < 0 ||
        operations + static_cast<int64_t>(entries.size()) > nodes)
        throw nb::value_error("the arrays are not those of a control-flow graph");
    check_nodes(entries, -1, operations);
    check_nodes(decides, -1, operations);
    check_nodes(choice, operations + static_cast<int64_t>(entries.size()), nodes);
    check_nodes(chosen_by, operations + static_cast<int64_t>(entries.size()), nodes);
    check_nodes(closing, 0, static_cast<int64_t>(source.size()));
    std::vector<int32_t> controller, dependent;
    bool complete = true;
    {
        nb::gil_scoped_release unlocked;
        const auto flow = closed(entries, static_cast<int32_t>(operations), source, target, kind, decides,
                                 closing);
        Pairs chosen;
        for (size_t i = 0; i < choice.size(); ++i) chosen.emplace_back(choice(i), chosen_by(i));
        const Dependence dependence(flow, chosen, limit);
        complete = dependence.is_complete();
        for (const auto &[above, below] : dependence.pairs())
            controller.push_back(above), dependent.push_back(below);
    }
    return nb::make_tuple(to_numpy(std::move(controller)), to_numpy(std::move(dependent)), complete);
}

}  // namespace

void register_dominance(nb::module_ &m) {
    m.def("post_dominators", &post_dominators, nb::arg("count"), nb::arg("source"), nb::arg("target"),
          nb::arg("exits"), "The immediate post-dominator of each node, or -1.");
    m.def("control_dependence", &control_dependence, nb::arg("entries"), nb::arg("operations"),
          nb::arg("source"), nb::arg("target"), nb::arg("kind"), nb::arg("decides"), nb::arg("choice"),
          nb::arg("chosen_by"), nb::arg("closing"), nb::arg("limit"),
          "Arrays (controller, dependent), sorted, and whether they hold every pair.");
}

}  // namespace codekin::flow
