// Features of graphs and of token sequences, and the set that stands for a bag of them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "arrays.hpp"
#include "features.hpp"
#include "kernels.hpp"

namespace nb = nanobind;

namespace codekin::features {
namespace {

constexpr int MOST_DEPTH = 8, MOST_ORDER = 16;
// Where an edge is seen from: as itself, from its target (coming in), from its source (going out).
enum Side : uint64_t { EDGE = 1, IN = 2, OUT = 3 };

struct Edges {
    ArrayIn<int32_t> source, target;
    ArrayIn<uint8_t> kind;

    size_t size() const { return source.size(); }

    bool fit(size_t nodes) const {
        if (target.size() != size() || kind.size() != size()) return false;
        for (size_t e = 0; e < size(); ++e)
            if (source(e) < 0 || target(e) < 0 || static_cast<size_t>(source(e)) >= nodes ||
                static_cast<size_t>(target(e)) >= nodes)
                return false;
        return true;
    }
};

// Each edge with the labels of its ends.
std::vector<uint64_t> labelled_edges(const std::vector<uint64_t> &nodes, const Edges &edges) {
    std::vector<uint64_t> out(edges.size());
    for (size_t e = 0; e < edges.size(); ++e)
        out[e] = chained(chained(chained(EDGE, nodes[edges.source(e)]), edges.kind(e)),
                         nodes[edges.target(e)]);
    return out;
}

// One round of Weisfeiler and Leman's refinement: a node with what it sees along its edges. The
// multiset of neighbours is a sum, which no order can change.
std::vector<uint64_t> refined(const std::vector<uint64_t> &nodes, const Edges &edges) {
    std::vector<uint64_t> in(nodes.size(), 0), out(nodes.size(), 0);
    for (size_t e = 0; e < edges.size(); ++e) {
        const uint64_t kind = edges.kind(e);
        in[edges.target(e)] += chained(chained(IN, kind), nodes[edges.source(e)]);
        out[edges.source(e)] += chained(chained(OUT, kind), nodes[edges.target(e)]);
    }
    for (size_t i = 0; i < nodes.size(); ++i) out[i] = chained(chained(nodes[i], in[i]), out[i]);
    return out;
}

// [features of the nodes, of the edges, of the neighbourhoods at depth 1, 2, ...]
nb::list graph_features(ArrayIn<uint64_t> labels, ArrayIn<int32_t> source, ArrayIn<int32_t> target,
                        ArrayIn<uint8_t> edge_kind, int depth) {
    if (depth < 0 || depth > MOST_DEPTH) throw nb::value_error("the depth is out of range");
    const Edges edges{source, target, edge_kind};
    if (!edges.fit(labels.size())) throw nb::value_error("the edges are not between the nodes");
    std::vector<uint64_t> nodes(labels.size());
    for (size_t i = 0; i < nodes.size(); ++i) nodes[i] = scrambled(labels(i));
    std::vector<std::vector<uint64_t>> found;
    {
        nb::gil_scoped_release unlocked;
        found.push_back(nodes);
        found.push_back(labelled_edges(nodes, edges));
        for (int round = 0; round < depth; ++round)
            found.push_back(refined(round ? found.back() : nodes, edges));
    }
    nb::list out;
    for (auto &features : found) out.append(to_numpy(std::move(features)));
    return out;
}

// The n-grams of a sequence, one for each place where one begins.
Vector<uint64_t> gram_features(ArrayIn<uint64_t> ids, int order) {
    if (order < 1 || order > MOST_ORDER) throw nb::value_error("the order is out of range");
    const size_t length = ids.size(), n = static_cast<size_t>(order);
    std::vector<uint64_t> out(length >= n ? length - n + 1 : 0);
    for (size_t i = 0; i < out.size(); ++i) {
        uint64_t gram = n;
        for (size_t k = 0; k < n; ++k) gram = chained(gram, ids(i + k));
        out[i] = gram;
    }
    return to_numpy(std::move(out));
}

// The k-th occurrence of a feature is a feature of its own, so that the intersection of two sets is
// the overlap of two bags.
uint64_t occurrence(uint64_t feature, uint64_t k) {
    return k == 1 ? feature : of_family(chained(feature, k), family_of(feature));
}

void check_family(int family) {
    if (family < 0 || family >= FAMILIES) throw nb::value_error("no such family of features");
}

// Bags of families as one sorted set.
Vector<uint64_t> feature_set(std::vector<std::pair<int, ArrayIn<uint64_t>>> bags) {
    std::vector<uint64_t> set;
    for (const auto &[family, features] : bags) {
        check_family(family);
        for (size_t i = 0; i < features.size(); ++i) set.push_back(of_family(features(i), family));
    }
    {
        nb::gil_scoped_release unlocked;
        std::sort(set.begin(), set.end());
        uint64_t feature = 0, k = 0;
        for (size_t i = 0; i < set.size(); ++i) {
            k = i > 0 && set[i] == feature ? k + 1 : 1;
            feature = set[i];
            set[i] = occurrence(feature, k);
        }
        std::sort(set.begin(), set.end());
        set.erase(std::unique(set.begin(), set.end()), set.end());
    }
    return to_numpy(std::move(set));
}

// The features of a bag as they stand in a set, in the order in which they occur.
Vector<uint64_t> numbered_features(int family, ArrayIn<uint64_t> features) {
    check_family(family);
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

void register_graph_features(nb::module_ &m) {
    m.attr("FEATURE_FAMILY_SHIFT") = FAMILY_SHIFT;
    m.def("graph_features", &graph_features, nb::arg("nodes"), nb::arg("source"),
          nb::arg("target"), nb::arg("edge_kind"), nb::arg("depth"));
    m.def("gram_features", &gram_features, nb::arg("ids"), nb::arg("order"));
    m.def("numbered_features", &numbered_features, nb::arg("family"), nb::arg("features"));
    m.def("feature_set", &feature_set, nb::arg("bags"));
}

}  // namespace codekin::features
