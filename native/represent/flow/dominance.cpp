// Post-dominators of a graph, and control dependence of a control-flow graph.
#include "represent/flow/dominance.hpp"

#include <nanobind/nanobind.h>

#include "common/arrays.hpp"
#include "common/checks.hpp"
#include "represent/flow/control_dependence.hpp"

namespace nb = nanobind;

namespace codekin::flow {
namespace {

using control::Adjacency;
using control::Dependence;
using control::Pairs;

constexpr int64_t MOST_NODES = INT32_MAX / 4;

Vector<int32_t> post_dominators(int64_t count, ArrayIn<int32_t> source, ArrayIn<int32_t> target,
                                ArrayIn<int32_t> exits) {
    check::in_range("count", count, 0, MOST_NODES);
    check::not_far_beyond("count", count, source.size() + target.size() + exits.size());
    check::edges(source, target, count);
    check::all_in_range("exits", exits, 0, count);
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
    control::Flow flow{operations,
                       static_cast<int32_t>(entries.size()),
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
                             ArrayIn<int32_t> choice, ArrayIn<int32_t> chosen_by, ArrayIn<int32_t> closing,
                             int64_t limit) {
    check::at_most("decides", decides.size(), MOST_NODES);
    check::at_most("entries", entries.size(), decides.size());
    const auto nodes = static_cast<int64_t>(decides.size()), functions = static_cast<int64_t>(entries.size());
    check::in_range("operations", operations, 0, nodes - functions);
    check::not_negative("limit", limit);
    check::edges(source, target, nodes);
    check::same_length("source", source.size(), {{"kind", kind.size()}});
    check::same_length("choice", choice.size(), {{"chosen_by", chosen_by.size()}});
    check::all_in_range("entries", entries, -1, operations);
    check::all_in_range("decides", decides, -1, operations);
    check::all_in_range("choice", choice, operations + functions, nodes);
    check::all_in_range("chosen_by", chosen_by, operations + functions, nodes);
    check::all_in_range("closing", closing, 0, static_cast<int64_t>(source.size()));
    std::vector<int32_t> controller, dependent;
    bool complete = true;
    {
        nb::gil_scoped_release unlocked;
        const auto flow =
            closed(entries, static_cast<int32_t>(operations), source, target, kind, decides, closing);
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

}  // namespace codekin::flow

namespace codekin {

void register_dominance(nb::module_ &m) {
    using namespace flow;
    m.def("post_dominators", &post_dominators, nb::arg("count"), nb::arg("source"), nb::arg("target"),
          nb::arg("exits"), "The immediate post-dominator of each node, or -1.");
    m.def("control_dependence", &control_dependence, nb::arg("entries"), nb::arg("operations"),
          nb::arg("source"), nb::arg("target"), nb::arg("kind"), nb::arg("decides"), nb::arg("choice"),
          nb::arg("chosen_by"), nb::arg("closing"), nb::arg("limit"),
          "Arrays (controller, dependent), sorted, and whether they hold every pair.");
}

}  // namespace codekin
