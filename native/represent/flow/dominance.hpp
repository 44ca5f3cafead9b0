// Post-dominators: what every path from a node to an exit passes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "represent/flow/adjacency.hpp"

namespace codekin::flow::control {

// Lengauer and Tarjan 1979, the simple version with path compression, O(m log n), on the reversed
// graph with one more node that leads to all exits. Nodes are known by their number in a depth-first
// search; 0 is that node.
class PostDominators {
  public:
    PostDominators(int32_t nodes, const Adjacency &next, const Adjacency &before,
                   const std::vector<int32_t> &exits)
        : next_(next), before_(before), number_(nodes, 0), is_exit_(nodes, 0) {
        for (const int32_t exit : exits) is_exit_[exit] = 1;
        vertex_.reserve(nodes + 1), parent_.reserve(nodes + 1);
        vertex_.push_back(-1), parent_.push_back(0);
        for (const int32_t exit : exits)
            if (number_[exit] == 0) search(exit);
        dominate();
    }

    // The immediate post-dominator of each node; -1 for exits, for what reaches none, and where the
    // ways to two exits part for good.
    std::vector<int32_t> immediate() const {
        std::vector<int32_t> found(number_.size(), -1);
        for (size_t i = 1; i < vertex_.size(); ++i) found[vertex_[i]] = vertex_[dominator_[i]];
        return found;
    }

  private:
    void visit(int32_t node, int32_t parent) {
        number_[node] = static_cast<int32_t>(vertex_.size());
        vertex_.push_back(node), parent_.push_back(parent);
        path_.push_back(number_[node]), at_.push_back(before_.offsets[node]);
    }

    void search(int32_t exit) {
        visit(exit, 0);
        while (!path_.empty()) {
            const int32_t i = path_.back();
            if (at_.back() == before_.offsets[vertex_[i] + 1]) {
                path_.pop_back(), at_.pop_back();
                continue;
            }
            const int32_t node = before_.others[at_.back()++];
            if (number_[node] == 0) visit(node, i);
        }
    }

    void dominate() {
        const auto count = static_cast<int32_t>(vertex_.size());
        semi_.resize(count), label_.resize(count);
        for (int32_t i = 0; i < count; ++i) semi_[i] = label_[i] = i;
        ancestor_.assign(count, -1), dominator_.assign(count, 0);
        std::vector<int32_t> bucket(count, -1), following(count, -1);
        for (int32_t i = count - 1; i > 0; --i) {
            semi_[i] = is_exit_[vertex_[i]] ? 0 : semi_of(i);
            following[i] = bucket[semi_[i]], bucket[semi_[i]] = i;
            const int32_t parent = parent_[i];
            ancestor_[i] = parent;
            for (int32_t u = bucket[parent]; u >= 0; u = following[u]) {
                const int32_t w = lowest(u);
                dominator_[u] = semi_[w] < semi_[u] ? w : parent;
            }
            bucket[parent] = -1;
        }
        for (int32_t i = 1; i < count; ++i)
            if (dominator_[i] != semi_[i]) dominator_[i] = dominator_[dominator_[i]];
    }

    int32_t semi_of(int32_t i) {
        int32_t least = parent_[i];
        for (const int32_t *to = next_.begin(vertex_[i]); to != next_.end(vertex_[i]); ++to)
            if (number_[*to] > 0) least = std::min(least, semi_[lowest(number_[*to])]);
        return least;
    }

    // The node with the least semi-dominator on the way up the forest made so far.
    int32_t lowest(int32_t i) {
        if (ancestor_[i] < 0) return i;
        for (int32_t v = i; ancestor_[ancestor_[v]] >= 0; v = ancestor_[v]) path_.push_back(v);
        for (; !path_.empty(); path_.pop_back()) {
            const int32_t v = path_.back(), above = ancestor_[v];
            if (semi_[label_[above]] < semi_[label_[v]]) label_[v] = label_[above];
            ancestor_[v] = ancestor_[above];
        }
        return label_[i];
    }

    const Adjacency &next_, &before_;
    std::vector<int32_t> number_;
    std::vector<uint8_t> is_exit_;
    std::vector<int32_t> vertex_, parent_, semi_, label_, ancestor_, dominator_;
    std::vector<int32_t> path_, at_;
};

}  // namespace codekin::flow::control
