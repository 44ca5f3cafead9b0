// A labelled directed graph as the search sees it: neighbours with the kinds of the edges between.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/bits.hpp"

namespace codekin::graph_edit {

using Kinds = std::uint64_t;  // a set of kinds of edges, one bit each

struct EdgeIn {
    std::int32_t source, target;
    std::uint8_t kind;
};

// A node at the other end of edges, and which kinds of edges lead there and come from there.
struct Neighbour {
    std::int32_t node;
    Kinds out, in;
};

// Mostly there is one kind or none, and not every processor counts bits by itself.
inline std::int32_t count(Kinds kinds) {
    return kinds < 2 ? static_cast<std::int32_t>(kinds) : popcount(kinds);
}

// What it saves, in half edits, to keep edges between two nodes as edges between two others: a
// kind on both sides saves a deletion and an insertion, a changed kind one of them.
inline std::int32_t saved(Kinds a, Kinds b) { return std::min(count(a), count(b)) + count(a & b); }

class Graph {
  public:
    Graph(std::vector<std::int32_t> labels, std::vector<EdgeIn> edges) : label(std::move(labels)) {
        const auto n = label.size();
        const auto before = [](const EdgeIn &x, const EdgeIn &y) {
            if (x.source != y.source) return x.source < y.source;
            return x.target != y.target ? x.target < y.target : x.kind < y.kind;
        };
        const auto same = [](const EdgeIn &x, const EdgeIn &y) {
            return x.source == y.source && x.target == y.target && x.kind == y.kind;
        };
        if (!std::is_sorted(edges.begin(), edges.end(), before))
            std::sort(edges.begin(), edges.end(), before);
        edges.erase(std::unique(edges.begin(), edges.end(), same), edges.end());
        edge_count = static_cast<std::int64_t>(edges.size());
        loops.assign(n, 0);
        std::vector<std::vector<Neighbour>> found(n);
        for (const EdgeIn &edge : edges) {
            const Kinds kind = Kinds{1} << edge.kind;
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
    std::int64_t edge_count = 0;

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
// Values are counted in units: one unit is two edits where kinds do not count and everything comes
// in pairs, and one edit where they do. distance = most_edits - unit * value.
struct Task {
    const Graph &first, &second;
    std::int32_t unit;
    std::vector<std::int32_t> must;       // for each node of the first its partner, or -1
    std::vector<std::int32_t> must_back;  // the same from the second
    std::vector<std::pair<std::int32_t, std::int32_t>> forbidden;  // sorted

    std::int32_t node_value() const { return 2 / unit; }
    std::int32_t edge_value(const Neighbour &x, const Neighbour &y) const {
        return (saved(x.out, y.out) + saved(x.in, y.in)) / unit;
    }
    std::int32_t pair_value(std::int32_t i, std::int32_t a) const {
        return node_value() + saved(first.loops[i], second.loops[a]) / unit;
    }
    bool allowed(std::int32_t i, std::int32_t a) const {
        if (first.label[i] != second.label[a]) return false;
        if (must[i] != -1 || must_back[a] != -1) return must[i] == a;
        return forbidden.empty() ||
               !std::binary_search(forbidden.begin(), forbidden.end(), std::make_pair(i, a));
    }
    std::int64_t most_edits() const {
        return std::int64_t{first.size()} + second.size() + first.edge_count + second.edge_count;
    }
};

}  // namespace codekin::graph_edit
