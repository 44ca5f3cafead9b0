// Features of a semantic graph and of tokens, and the set that stands for a bag of them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "common/arrays.hpp"
#include "common/checks.hpp"
#include "represent/graph/features.hpp"

namespace nb = nanobind;

namespace codekin {
namespace {

// These mirror codekin.represent.graph.parts.EdgeKind.
enum EdgeKind : uint8_t { DATA = 0, CONTROL = 1 };

struct Graph {
    ArrayIn<uint64_t> nodes;
    ArrayIn<int32_t> source, target;
    ArrayIn<uint8_t> kind;
};

// What each node gets its data from, and what it gives data to, as the sum of their numbers: a
// multiset, which no order can change.
std::pair<std::vector<uint64_t>, std::vector<uint64_t>> data_ends(const Graph &graph) {
    std::vector<uint64_t> givers(graph.nodes.size(), 0), takers(graph.nodes.size(), 0);
    for (size_t e = 0; e < graph.source.size(); ++e) {
        if (graph.kind(e) != DATA) continue;
        givers[graph.target(e)] += scrambled(graph.nodes(graph.source(e)));
        takers[graph.source(e)] += scrambled(graph.nodes(graph.target(e)));
    }
    return {std::move(givers), std::move(takers)};
}

// What decides whether each node runs, each label once.
std::vector<uint64_t> deciders(const Graph &graph) {
    std::vector<std::pair<int32_t, uint64_t>> pairs;
    for (size_t e = 0; e < graph.source.size(); ++e)
        if (graph.kind(e) == CONTROL) pairs.emplace_back(graph.target(e), graph.nodes(graph.source(e)));
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    std::vector<uint64_t> found(graph.nodes.size(), 0);
    for (const auto &[node, label] : pairs) found[node] += scrambled(label);
    return found;
}

// Each node's label with a number of what is around it.
Vector<uint64_t> joined(const Graph &graph, const std::vector<uint64_t> &around) {
    std::vector<uint64_t> out(around.size());
    for (size_t i = 0; i < out.size(); ++i) out[i] = chained(scrambled(graph.nodes(i)), around[i]);
    return to_numpy(std::move(out));
}

// For each node: its label, and its label with those it has its data from, gives its data to, and
// is decided by.
nb::tuple graph_features(ArrayIn<uint64_t> nodes, ArrayIn<int32_t> source, ArrayIn<int32_t> target,
                         ArrayIn<uint8_t> edge_kind) {
    check::positions("nodes", nodes.size());
    check::edges(source, target, static_cast<int64_t>(nodes.size()));
    check::same_length("source", source.size(), {{"edge_kind", edge_kind.size()}});
    const Graph graph{nodes, source, target, edge_kind};
    std::pair<std::vector<uint64_t>, std::vector<uint64_t>> ends;
    std::vector<uint64_t> above;
    {
        nb::gil_scoped_release unlocked;
        ends = data_ends(graph);
        above = deciders(graph);
    }
    std::vector<uint64_t> alone(nodes.size());
    for (size_t i = 0; i < alone.size(); ++i) alone[i] = scrambled(nodes(i));
    return nb::make_tuple(to_numpy(std::move(alone)), joined(graph, ends.first), joined(graph, ends.second),
                          joined(graph, above));
}

// The k-th occurrence of a feature is a feature of its own, so that the intersection of two sets is
// the overlap of two bags.
uint64_t occurrence(uint64_t feature, uint64_t k) {
    return k == 1 ? feature : of_family(chained(feature, k), family_of(feature));
}

void check_family(int family) { check::in_range("family", family, 0, FAMILIES - 1); }

// Bags of families as one sorted set, and for each feature which occurrence it is; those beyond
// the `most`-th are left out.
nb::tuple feature_set(std::vector<std::pair<int, ArrayIn<uint64_t>>> bags, int most) {
    check::in_range("most", most, 1, 255);
    std::vector<uint64_t> bag;
    for (const auto &[family, features] : bags) {
        check_family(family);
        for (size_t i = 0; i < features.size(); ++i) bag.push_back(of_family(features(i), family));
    }
    std::vector<uint64_t> features;
    std::vector<uint8_t> ordinals;
    {
        nb::gil_scoped_release unlocked;
        for (const auto &[feature, ordinal] : set_of_bag(bag, most))
            features.push_back(feature), ordinals.push_back(ordinal);
    }
    return nb::make_tuple(to_numpy(std::move(features)), to_numpy(std::move(ordinals)));
}

// The features of one bag as they stand in a set, in the order in which they occur.
Vector<uint64_t> numbered_features(int family, ArrayIn<uint64_t> features) {
    check_family(family);
    check::at_most("features", features.size(), UINT32_MAX);
    std::vector<uint32_t> order(features.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&features](uint32_t i, uint32_t j) { return features(i) < features(j); });
    std::vector<uint64_t> out(features.size());
    uint64_t k = 0;
    for (size_t at = 0; at < order.size(); ++at) {
        const uint64_t feature = features(order[at]);
        k = at > 0 && features(order[at - 1]) == feature ? k + 1 : 1;
        out[order[at]] = occurrence(of_family(feature, family), k);
    }
    return to_numpy(std::move(out));
}

}  // namespace

std::vector<Occurrence> set_of_bag(std::vector<uint64_t> &bag, int most) {
    std::sort(bag.begin(), bag.end());
    std::vector<Occurrence> set;
    set.reserve(bag.size());
    int k = 0;
    for (size_t i = 0; i < bag.size(); ++i) {
        k = i > 0 && bag[i] == bag[i - 1] ? std::min(k + 1, most + 1) : 1;
        if (k <= most) set.emplace_back(occurrence(bag[i], k), static_cast<uint8_t>(k));
    }
    std::sort(set.begin(), set.end());
    const auto same = [](const Occurrence &a, const Occurrence &b) { return a.first == b.first; };
    set.erase(std::unique(set.begin(), set.end(), same), set.end());
    return set;
}

void register_graph_features(nb::module_ &m) {
    m.attr("FEATURE_FAMILY_SHIFT") = FAMILY_SHIFT;
    m.def("graph_features", &graph_features, nb::arg("nodes"), nb::arg("source"), nb::arg("target"),
          nb::arg("edge_kind"));
    m.def("feature_set", &feature_set, nb::arg("bags"), nb::arg("most"));
    m.def("numbered_features", &numbered_features, nb::arg("family"), nb::arg("features"));
}

}  // namespace codekin
