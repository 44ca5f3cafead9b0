// Edges to the exit for what never gets there: endless loops.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "represent/flow/adjacency.hpp"
#include "represent/flow/control_flow/control_flow.hpp"

namespace codekin::flow::control {

// The strongly connected components (Tarjan 1972) that no edge leaves, among nodes that cannot
// reach the exit. Each gets an edge to the exit from where it is entered: every round of a loop passes
// its head, so that what runs in some rounds only still depends on what decides that.
class Closing {
  public:
    // `function` gives the function of every node.
    static void add(ControlGraph &graph, const std::vector<int32_t> &function) {
        const auto nodes = static_cast<int32_t>(graph.decides.size());
        const Adjacency before(nodes, graph.source.size(), graph.target.data(), graph.source.data(),
                               graph.kind.data(), FALLS_THROUGH);
        std::vector<uint8_t> ends(nodes, 0);
        std::vector<int32_t> pending;
        for (int32_t f = 0; f < graph.functions; ++f)
            pending.push_back(graph.exit(f)), ends[graph.exit(f)] = 1;
        mark_reachable(before, pending, ends);
        if (std::find(ends.begin(), ends.end(), 0) == ends.end()) return;
        Closing closing(graph, before);
        for (int32_t v = 0; v < nodes; ++v)
            if (!ends[v] && closing.number_[v] == 0) closing.search(v);
        std::sort(closing.heads_.begin(), closing.heads_.end());
        for (const int32_t head : closing.heads_) {
            if (function[head] < 0) continue;
            graph.closing.push_back(static_cast<int32_t>(graph.source.size()));
            graph.edge(head, graph.exit(function[head]), FOLLOWS);
        }
    }

  private:
    Closing(const ControlGraph &graph, const Adjacency &before)
        : nodes_(static_cast<int32_t>(graph.decides.size())),
          next_(nodes_, graph.source.size(), graph.source.data(), graph.target.data(), graph.kind.data(),
                FALLS_THROUGH),
          before_(before),
          number_(nodes_, 0),
          low_(nodes_, 0),
          at_(nodes_, 0),
          member_(nodes_, -1),
          done_(nodes_, 0) {}

    void visit(int32_t v) {
        number_[v] = low_[v] = ++count_;
        at_[v] = next_.offsets[v];
        path_.push_back(v), component_.push_back(v);
    }

    void search(int32_t root) {
        visit(root);
        while (!path_.empty()) {
            const int32_t v = path_.back();
            if (at_[v] < next_.offsets[v + 1]) {
                const int32_t w = next_.others[at_[v]++];
                if (number_[w] == 0)
                    visit(w);
                else if (!done_[w])
                    low_[v] = std::min(low_[v], number_[w]);
                continue;
            }
            path_.pop_back();
            if (!path_.empty()) low_[path_.back()] = std::min(low_[path_.back()], low_[v]);
            if (low_[v] == number_[v]) finish(v);
        }
    }

    // The nodes of a component lie on top of the stack. It is left where an edge leads to one done before.
    void finish(int32_t root) {
        const auto first = std::find(component_.rbegin(), component_.rend(), root).base() - 1;
        bool left = false;
        for (auto v = first; v != component_.end(); ++v) {
            member_[*v] = root;
            for (const int32_t *w = next_.begin(*v); w != next_.end(*v); ++w) left = left || done_[*w];
        }
        if (!left) {
            int32_t head = INT32_MAX, start = INT32_MAX;
            for (auto v = first; v != component_.end(); ++v) {
                head = std::min(head, *v);
                if (is_entered(*v)) start = std::min(start, *v);
            }
            heads_.push_back(start < INT32_MAX ? start : head);
        }
        for (auto v = first; v != component_.end(); ++v) done_[*v] = 1;
        component_.erase(first, component_.end());
    }

    bool is_entered(int32_t node) const {
        for (const int32_t *w = before_.begin(node); w != before_.end(node); ++w)
            if (member_[*w] != member_[node]) return true;
        return false;
    }

    const int32_t nodes_;
    const Adjacency next_, &before_;
    std::vector<int32_t> number_, low_, at_, member_;
    std::vector<uint8_t> done_;
    std::vector<int32_t> path_, component_, heads_;
    int32_t count_ = 0;
};

}  // namespace codekin::flow::control
