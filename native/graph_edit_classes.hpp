// Nodes by label and edges by the labels of their ends: what can be matched at all, and how much
// of it at most.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <unordered_set>
#include <vector>

#include "graph_edit_graph.hpp"

namespace codekin::graph_edit {

class Classes {
public:
    // The classes that are searched, smallest first, and the value of all others at most.
    struct Choice {
        std::vector<std::int32_t> labels;  // ascending
        std::unordered_set<std::uint64_t> without;
        std::int64_t outside = 0;

        bool has_edges(std::int32_t one, std::int32_t other) const {
            return without.empty() || !without.count(key(one, other));
        }
    };

    explicit Classes(const Task &task) : task_(task) {
        const Graph *graphs[] = {&task.first, &task.second};
        std::int32_t labels = 0;
        for (const Graph *graph : graphs)
            for (const std::int32_t label : graph->label) labels = std::max(labels, label + 1);
        for (int side = 0; side < 2; ++side) {
            const Graph &graph = *graphs[side];
            members_[side].resize(labels);
            loops_[side].resize(labels);
            for (std::int32_t i = 0; i < graph.size(); ++i) {
                members_[side][graph.label[i]].push_back(i);
                loops_[side][graph.label[i]].add(graph.loops[i]);
                for (const Neighbour *x = graph.begin(i); x != graph.end(i); ++x) {
                    const std::int32_t from = graph.label[i], to = graph.label[x->node];
                    if (from > to || (from == to && i > x->node)) continue;
                    EdgeClass &edges = edges_[key(from, to)];
                    ++edges.joined[side];
                    // Within a class both ways are one bucket; between classes each is its own.
                    edges.ways[0][side].add(x->out);
                    edges.ways[from == to ? 0 : 1][side].add(x->in);
                }
            }
        }
    }

    const std::vector<std::int32_t> &members(int side, std::int32_t label) const { return members_[side][label]; }
    std::int32_t labels() const { return static_cast<std::int32_t>(members_[0].size()); }

    // No match is worth more: each class as if its nodes and edges could be matched freely.
    std::int64_t most_value() const {
        std::int64_t most = 0;
        for (std::int32_t label = 0; label < labels(); ++label) most += most_of_nodes(label);
        for (const auto &[_, edges] : edges_) most += most_of_edges(edges);
        return most;
    }

    // So many classes that no more pairs of nodes and pairs of edges are searched than allowed.
    Choice within(std::int64_t most_pairs, std::int64_t most_links) const {
        Choice choice;
        std::vector<std::pair<std::int64_t, std::int32_t>> nodes;
        for (std::int32_t label = 0; label < labels(); ++label) {
            const auto size = std::int64_t(members_[0][label].size()) * std::int64_t(members_[1][label].size());
            if (size) nodes.emplace_back(size, label);
        }
        std::sort(nodes.begin(), nodes.end());
        std::vector<bool> chosen(labels(), false);
        for (const auto &[size, label] : nodes) {
            most_pairs -= size;
            if (most_pairs < 0) {
                choice.outside += most_of_nodes(label);
                continue;
            }
            chosen[label] = true;
            choice.labels.push_back(label);
        }
        std::sort(choice.labels.begin(), choice.labels.end());
        choose_edges(chosen, most_links, choice);
        return choice;
    }

private:
    // Edges as a multiset of kinds.
    struct Bucket {
        std::int64_t all = 0;
        std::map<int, std::int64_t> by_kind;

        void add(Kinds kinds) {
            all += count(kinds);
            for (; kinds; kinds &= kinds - 1) ++by_kind[__builtin_ctzll(kinds)];
        }
        std::int64_t saved(const Bucket &other) const {
            std::int64_t sum = std::min(all, other.all);
            for (const auto &[kind, number] : by_kind) {
                const auto found = other.by_kind.find(kind);
                if (found != other.by_kind.end()) sum += std::min(number, found->second);
            }
            return sum;
        }
    };
    struct EdgeClass {
        std::int64_t joined[2] = {0, 0};  // pairs of nodes with edges between, in each graph
        Bucket ways[2][2];
    };

    static std::uint64_t key(std::int32_t one, std::int32_t other) {
        return std::uint64_t(std::uint32_t(std::min(one, other))) << 32 | std::uint32_t(std::max(one, other));
    }
    std::int64_t most_of_nodes(std::int32_t label) const {
        const auto pairs = std::int64_t(std::min(members_[0][label].size(), members_[1][label].size()));
        return pairs * task_.node_value() + loops_[0][label].saved(loops_[1][label]) / task_.unit;
    }
    std::int64_t most_of_edges(const EdgeClass &edges) const {
        std::int64_t sum = 0;
        for (const auto &way : edges.ways) sum += way[0].saved(way[1]) / task_.unit;
        return sum;
    }
    void choose_edges(const std::vector<bool> &chosen, std::int64_t most_links, Choice &choice) const {
        std::vector<std::pair<std::int64_t, std::uint64_t>> sizes;
        for (const auto &[edges, found] : edges_) {
            const bool within = edges >> 32 == (edges & 0xffffffffU);
            const auto links = (within ? 4 : 2) * found.joined[0] * found.joined[1];
            if (!links) continue;
            if (chosen[edges >> 32] && chosen[edges & 0xffffffffU])
                sizes.emplace_back(links, edges);
            else
                leave_out(edges, found, choice);
        }
        std::sort(sizes.begin(), sizes.end());
        for (const auto &[links, edges] : sizes) {
            most_links -= links;
            if (most_links < 0) leave_out(edges, edges_.at(edges), choice);
        }
    }
    void leave_out(std::uint64_t edges, const EdgeClass &found, Choice &choice) const {
        choice.without.insert(edges);
        choice.outside += most_of_edges(found);
    }

    const Task &task_;
    std::vector<std::vector<std::int32_t>> members_[2];
    std::vector<Bucket> loops_[2];
    std::map<std::uint64_t, EdgeClass> edges_;
};

}  // namespace codekin::graph_edit
