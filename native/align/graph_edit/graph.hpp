// A labelled directed graph as the search sees it: neighbours with the kinds of the edges between.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "align/graph_edit/costs.hpp"

namespace codekin::graph_edit {

struct EdgeIn {
    std::int32_t source, target;
    std::uint8_t kind;
};

// A node at the other end of edges, and which kinds of edges lead there and come from there.
struct Neighbour {
    std::int32_t node;
    Kinds out, in;
};

class Graph {
  public:
    // Unless kinds count, edges from one node to another are one, of the first of their kinds.
    Graph(std::vector<std::int32_t> labels, std::vector<EdgeIn> edges, bool typed)
        : label(std::move(labels)) {
        const auto n = label.size();
        const auto before = [](const EdgeIn &x, const EdgeIn &y) {
            if (x.source != y.source) return x.source < y.source;
            return x.target != y.target ? x.target < y.target : x.kind < y.kind;
        };
        const auto same = [typed](const EdgeIn &x, const EdgeIn &y) {
            return x.source == y.source && x.target == y.target && (!typed || x.kind == y.kind);
        };
        if (!std::is_sorted(edges.begin(), edges.end(), before))
            std::sort(edges.begin(), edges.end(), before);
        edges.erase(std::unique(edges.begin(), edges.end(), same), edges.end());
        loops.assign(n, 0);
        std::vector<std::vector<Neighbour>> found(n);
        for (const EdgeIn &edge : edges) {
            const Kinds kind = Kinds{1} << edge.kind;
            ++edges_of_kind[edge.kind];
            if (edge.source == edge.target) {
                loops[edge.source] |= kind;
                continue;
            }
            found[edge.source].push_back({edge.target, kind, 0});
            found[edge.target].push_back({edge.source, 0, kind});
        }
        first_.assign(n + 1, 0);
        for (std::size_t i = 0; i < n; ++i) {
            append_merged(found[i]);
            first_[i + 1] = static_cast<std::int32_t>(neighbours_.size());
        }
    }

    std::int32_t size() const { return static_cast<std::int32_t>(label.size()); }

    // Sorted by label, then by node.
    const Neighbour *begin(std::int32_t i) const { return neighbours_.data() + first_[i]; }
    const Neighbour *end(std::int32_t i) const { return neighbours_.data() + first_[i + 1]; }
    std::int32_t degree(std::int32_t i) const { return first_[i + 1] - first_[i]; }

    const Neighbour *find(std::int32_t i, std::int32_t other) const {
        const auto at =
            std::lower_bound(begin(i), end(i), other, [this](const Neighbour &x, std::int32_t node) {
                return label[x.node] != label[node] ? label[x.node] < label[node] : x.node < node;
            });
        return at != end(i) && at->node == other ? at : nullptr;
    }

    std::vector<std::int32_t> label;
    std::vector<Kinds> loops;  // kinds of the edges from a node to itself
    std::array<std::int64_t, 64> edges_of_kind{};

  private:
    void append_merged(std::vector<Neighbour> &found) {
        std::sort(found.begin(), found.end(), [this](const Neighbour &x, const Neighbour &y) {
            return label[x.node] != label[y.node] ? label[x.node] < label[y.node] : x.node < y.node;
        });
        const auto start = neighbours_.size();
        for (const Neighbour &next : found) {
            if (neighbours_.size() > start && neighbours_.back().node == next.node) {
                neighbours_.back().out |= next.out;
                neighbours_.back().in |= next.in;
            } else {
                neighbours_.push_back(next);
            }
        }
    }

    std::vector<std::int32_t> first_;
    std::vector<Neighbour> neighbours_;
};

// Two graphs, what may be matched, and what a match is worth.
//
// Values are counted in units: one unit is a cost of 2 where kinds do not count and everything comes
// in pairs, and of 1 where they do. distance = most_cost - unit * value.
struct Task {
    const Graph &first, &second;
    Costs costs;
    std::int32_t unit;
    std::vector<std::int32_t> must;       // for each node of the first its partner, or -1
    std::vector<std::int32_t> must_back;  // the same from the second
    std::vector<std::pair<std::int32_t, std::int32_t>> forbidden;  // sorted

    std::int32_t node_value(std::int32_t label) const { return costs.node(label) * (2 / unit); }
    std::int32_t edge_value(const Neighbour &x, const Neighbour &y) const {
        return (costs.saved(x.out, y.out) + costs.saved(x.in, y.in)) / unit;
    }
    std::int32_t pair_value(std::int32_t i, std::int32_t a) const {
        return node_value(first.label[i]) + costs.saved(first.loops[i], second.loops[a]) / unit;
    }
    bool allowed(std::int32_t i, std::int32_t a) const {
        if (first.label[i] != second.label[a]) return false;
        if (must[i] != -1 || must_back[a] != -1) return must[i] == a;
        return forbidden.empty() ||
               !std::binary_search(forbidden.begin(), forbidden.end(), std::make_pair(i, a));
    }
    // What it costs to delete one graph and insert the other.
    std::int64_t most_cost() const {
        std::int64_t sum = 0;
        for (const Graph *graph : {&first, &second}) {
            for (const std::int32_t label : graph->label) sum += costs.node(label);
            for (int kind = 0; kind < 64; ++kind)
                if (graph->edges_of_kind[kind]) sum += graph->edges_of_kind[kind] * costs.edge(kind);
        }
        return sum;
    }
    // A typical cost of an edge, at least 1.
    std::int64_t grain() const {
        std::int64_t edges = 0, sum = 0;
        for (const Graph *graph : {&first, &second})
            for (int kind = 0; kind < 64; ++kind) {
                edges += graph->edges_of_kind[kind];
                if (graph->edges_of_kind[kind]) sum += graph->edges_of_kind[kind] * costs.edge(kind);
            }
        return edges ? std::max<std::int64_t>(sum / edges, 1) : 1;
    }
};

}  // namespace codekin::graph_edit
