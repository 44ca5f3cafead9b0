// What it costs to delete or insert a node or an edge, and what it saves to keep edges.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/bits.hpp"

namespace codekin::graph_edit {

using Kinds = std::uint64_t;  // a set of kinds of edges, one bit each

// Mostly there is one kind or none, and not every processor counts bits by itself.
inline std::int32_t count(Kinds kinds) {
    return kinds < 2 ? static_cast<std::int32_t>(kinds) : popcount(kinds);
}

// Costs of nodes by label and of edges by kind; empty where all are 1. Kinds are numbered by falling cost.
//
// With `typed`, edges of several kinds between two nodes are separate, and changing a kind costs as much
// as the dearer of the two. Otherwise they are one edge that costs as much as the dearest, and the lesser
// of two costs is kept.
class Costs {
  public:
    static constexpr std::int32_t kMost = 1 << 20;  // sums over all kinds between two nodes fit into 32 bits

    // Edges of a cost or more, and the difference to the next lower cost.
    struct Level {
        Kinds added;  // kinds that the level before has not
        std::int32_t height;
    };

    Costs(bool typed, std::vector<std::int32_t> nodes, std::vector<std::int32_t> edges)
        : typed_(typed), nodes_(std::move(nodes)), edges_(std::move(edges)) {
        for (const std::int32_t one : nodes_) {
            largest_ = std::max(largest_, one);
            some_nodes_are_free_ |= one == 0;
        }
        if (edges_.empty()) {
            levels_ = {{~Kinds{0}, 1}};
            return;
        }
        for (std::size_t kind = 0; kind < edges_.size(); ++kind) {
            largest_ = std::max(largest_, edges_[kind]);
            const bool same = kind && edges_[kind] == edges_[kind - 1];
            if (!same) {
                if (kind) levels_.back().height -= edges_[kind];
                levels_.push_back({0, edges_[kind]});
            }
            levels_.back().added |= Kinds{1} << kind;
        }
    }

    bool typed() const { return typed_; }
    // Whether it matters which kind an edge has.
    bool tells_apart() const { return typed_ || !edges_.empty(); }
    std::int64_t kinds() const { return edges_.empty() ? 64 : static_cast<std::int64_t>(edges_.size()); }
    std::int32_t largest() const { return largest_; }
    bool some_nodes_are_free() const { return some_nodes_are_free_; }
    std::int32_t node(std::int32_t label) const { return nodes_.empty() ? 1 : nodes_[label]; }
    std::int32_t edge(int kind) const { return edges_.empty() ? 1 : edges_[kind]; }

    // From the highest cost to the lowest.
    const std::vector<Level> &levels() const { return levels_; }

    // What it saves to keep the edges between two nodes as those between two others: an edge on both sides
    // its deletion and its insertion, a changed kind the lesser of them. Kinds that differ are best paired
    // in order of their costs. This is the sum over levels of the same at costs of 1, times their heights.
    std::int32_t saved(Kinds a, Kinds b) const {
        if (edges_.empty()) return std::min(count(a), count(b)) + count(a & b);
        if (!a || !b) return 0;
        if (!typed_) return 2 * lesser(a, b);
        std::int32_t sum = 0;
        for (Kinds both = a & b; both; both &= both - 1) sum += 2 * edges_[countr_zero(both)];
        for (Kinds x = a & ~b, y = b & ~a; x && y; x &= x - 1, y &= y - 1) sum += lesser(x, y);
        return sum;
    }

  private:
    // Of the dearest kinds of two sets.
    std::int32_t lesser(Kinds a, Kinds b) const { return edges_[std::max(countr_zero(a), countr_zero(b))]; }

    bool typed_, some_nodes_are_free_ = false;
    std::int32_t largest_ = 1;
    std::vector<std::int32_t> nodes_, edges_;
    std::vector<Level> levels_;
};

}  // namespace codekin::graph_edit
