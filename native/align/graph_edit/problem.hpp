// What is decided in a search: pairs of nodes that may be matched, and pairs of such pairs that
// keep an edge if both are.
#pragma once

#include <cstdint>
#include <vector>

#include "align/graph_edit/budget.hpp"
#include "align/graph_edit/classes.hpp"
#include "align/graph_edit/graph.hpp"

namespace codekin::graph_edit {

// Neighbours of one label around both nodes of a pair, of which each may be matched once: the
// links that keep an edge as a sparse matrix.
struct Block {
    std::int32_t begin, end;  // of its links
    std::int32_t rows, columns;
};

// Half of the two-sided decision that two pairs are both matched, seen from one of them.
struct Link {
    std::int32_t pair;         // the other pair
    std::int32_t twin;         // the same link seen from there
    std::int32_t value;        // of the edges kept
    std::int32_t row, column;  // in its block
};

// Pairs are numbered class by class, within a class row by row, so that the links of a pair
// ascend with the pairs that they lead to.
class Problem {
  public:
    struct NodeClass {
        std::vector<std::int32_t> rows, columns;  // nodes of the first and the second graph
        std::int32_t begin = 0, end = 0;          // of its pairs
        bool is_free = false;                     // whether its nodes cost nothing
    };

    std::vector<NodeClass> classes;
    std::vector<std::int32_t> left, right, class_of;  // of each pair
    std::vector<std::int32_t> value;                  // of each pair by itself; -1 if it is forbidden
    std::vector<std::int32_t> link_begin, block_begin;
    std::vector<Link> links;
    std::vector<Block> blocks;
    std::int64_t outside = 0;        // no match is worth more than this in what is left out here
    std::int32_t largest_value = 0;  // of a pair by itself

    std::int32_t pairs() const { return static_cast<std::int32_t>(left.size()); }

    Problem(const Task &task, const Classes &all, Budget &budget) : task_(task) {
        const Classes::Choice chosen = all.within(kMostPairs, kMostLinks);
        outside = chosen.outside;
        number_pairs(all, chosen, budget);
        link_begin.assign(pairs() + 1, 0);
        block_begin.assign(pairs() + 1, 0);
        for (std::int32_t p = 0; p < pairs(); ++p) {
            if (value[p] >= 0) find_links(p, chosen, budget);
            link_begin[p + 1] = static_cast<std::int32_t>(links.size());
            block_begin[p + 1] = static_cast<std::int32_t>(blocks.size());
        }
        join_twins();
    }

  private:
    // About 150 MB in all.
    static constexpr std::int64_t kMostPairs = 1'000'000, kMostLinks = 3'000'000;

    void number_pairs(const Classes &all, const Classes::Choice &chosen, Budget &budget) {
        first_pair_.assign(task_.first.size(), -1);
        place_.assign(task_.second.size(), 0);
        for (const std::int32_t label : chosen.labels) {
            NodeClass next;
            next.rows = all.members(0, label);
            next.columns = all.members(1, label);
            next.begin = pairs();
            next.is_free = task_.node_value(label) == 0;
            budget.spend(std::int64_t(next.rows.size()) * next.columns.size());
            for (std::size_t y = 0; y < next.columns.size(); ++y)
                place_[next.columns[y]] = static_cast<std::int32_t>(y);
            for (const std::int32_t i : next.rows) {
                first_pair_[i] = pairs();
                for (const std::int32_t a : next.columns) {
                    left.push_back(i);
                    right.push_back(a);
                    class_of.push_back(static_cast<std::int32_t>(classes.size()));
                    value.push_back(task_.allowed(i, a) ? task_.pair_value(i, a) : -1);
                    largest_value = std::max(largest_value, value.back());
                }
            }
            next.end = pairs();
            classes.push_back(std::move(next));
        }
    }

    void find_links(std::int32_t p, const Classes::Choice &chosen, Budget &budget) {
        const Graph &one = task_.first, &two = task_.second;
        const std::int32_t i = left[p], a = right[p], own = one.label[i];
        const Neighbour *x = one.begin(i), *y = two.begin(a);
        const Neighbour *const x_end = one.end(i), *const y_end = two.end(a);
        budget.spend((x_end - x) + (y_end - y));
        while (x != x_end && y != y_end) {
            const std::int32_t label = one.label[x->node], other = two.label[y->node];
            if (label < other) {
                ++x;
                continue;
            }
            if (other < label) {
                ++y;
                continue;
            }
            const Neighbour *x_stop = x, *y_stop = y;
            while (x_stop != x_end && one.label[x_stop->node] == label) ++x_stop;
            while (y_stop != y_end && two.label[y_stop->node] == label) ++y_stop;
            if (chosen.has_edges(own, label)) add_block(x, x_stop, y, y_stop, budget);
            x = x_stop;
            y = y_stop;
        }
    }

    void add_block(const Neighbour *x, const Neighbour *x_stop, const Neighbour *y, const Neighbour *y_stop,
                   Budget &budget) {
        const auto begin = static_cast<std::int32_t>(links.size());
        const auto rows = static_cast<std::int32_t>(x_stop - x),
                   columns = static_cast<std::int32_t>(y_stop - y);
        budget.spend(std::int64_t{rows} * columns);
        for (std::int32_t r = 0; r < rows; ++r)
            for (std::int32_t c = 0; c < columns; ++c) {
                const std::int32_t kept = task_.edge_value(x[r], y[c]);
                if (!kept) continue;
                const std::int32_t other = first_pair_[x[r].node] + place_[y[c].node];
                if (value[other] >= 0) links.push_back({other, -1, kept, r, c});
            }
        const auto end = static_cast<std::int32_t>(links.size());
        if (end > begin) blocks.push_back({begin, end, rows, columns});
    }

    // Links ascend within each pair, so the twins of a pair's links are met in their order.
    void join_twins() {
        std::vector<std::int32_t> next(link_begin.begin(), link_begin.end() - 1);
        for (std::int32_t p = 0; p < pairs(); ++p)
            for (std::int32_t e = link_begin[p]; e < link_begin[p + 1]; ++e) {
                if (links[e].pair < p) continue;
                const std::int32_t twin = next[links[e].pair]++;
                links[e].twin = twin;
                links[twin].twin = e;
            }
    }

    const Task &task_;
    std::vector<std::int32_t> first_pair_, place_;
};

}  // namespace codekin::graph_edit
