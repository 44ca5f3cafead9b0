// Nodes by label and edges by the labels of their ends: what can be matched at all, and how much
// of it at most.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "align/graph_edit/graph.hpp"

namespace codekin::graph_edit {

class Classes {
  public:
    // The classes that are searched, and the value of all others at most.
    struct Choice {
        std::vector<std::int32_t> labels;  // ascending
        std::unordered_set<std::uint64_t> without;
        std::int64_t outside = 0;

        bool has_edges(std::int32_t one, std::int32_t other) const {
            return without.empty() || !without.count(key(one, other));
        }
    };

    explicit Classes(const Task &task);

    const std::vector<std::int32_t> &members(int side, std::int32_t label) const {
        return members_[side][label];
    }
    std::int32_t labels() const { return static_cast<std::int32_t>(members_[0].size()); }

    // No match is worth more: each class as if its nodes and edges could be matched freely.
    std::int64_t most_value() const;

    // So many classes, small ones first, that no more pairs of nodes and of edges are searched.
    Choice within(std::int64_t most_pairs, std::int64_t most_links) const;

  private:
    // Edges between two labels, one of them the lesser.
    struct EdgeClass {
        std::uint64_t key;
        std::int64_t joined[2];  // pairs of nodes with edges between, in each graph
        std::int64_t most;       // value that can be kept
    };
    struct Degree;

    static std::uint64_t key(std::int32_t one, std::int32_t other) {
        return std::uint64_t(std::uint32_t(std::min(one, other))) << 32 | std::uint32_t(std::max(one, other));
    }
    std::int64_t most_of_nodes(std::int32_t label) const;
    void count_edges();
    void collect_degrees(int side, const Graph &graph, std::vector<Degree> &degrees) const;
    std::int64_t worth_of(const Degree &degree) const;
    std::int64_t most_of_edges(const Degree *begin, const Degree *end) const;
    void choose_edges(const std::vector<bool> &chosen, std::int64_t most_links, Choice &choice) const;

    const Task &task_;
    std::vector<std::vector<std::int32_t>> members_[2];
    std::vector<EdgeClass> edges_;
};

}  // namespace codekin::graph_edit
