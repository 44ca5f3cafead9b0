// Control dependence: which branches decide whether an operation runs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "represent/flow/adjacency.hpp"
#include "represent/flow/control_flow/control_flow.hpp"
#include "represent/flow/dominance.hpp"

namespace codekin::flow::control {

// The arrays of a control-flow graph, with an edge from each entry to its exit added at the end.
struct Flow {
    int32_t operations, functions, nodes;
    std::vector<int32_t> source, target, entries;
    std::vector<uint8_t> kind, is_closed;  // edges; nodes that have an edge to the exit which no run takes
    const int32_t *decides;
};

using Pairs = std::vector<std::pair<int32_t, int32_t>>;

// Ferrante, Ottenstein and Warren 1987: for an edge a -> b all of b and its post-dominators below
// the one of a depend on a. Branches at pseudo nodes are ascribed to operations.
class Dependence {
  public:
    Dependence(const Flow &flow, const Pairs &chosen_by, int64_t steps)
        : flow_(flow),
          steps_(steps),
          next_(flow.nodes, flow.source.size(), flow.source.data(), flow.target.data()),
          before_(flow.nodes, flow.source.size(), flow.target.data(), flow.source.data()),
          reached_(flow.nodes, 0),
          stood_(flow.nodes),
          subject_(flow.operations, 0) {
        std::vector<int32_t> exits(flow.functions);
        for (int32_t f = 0; f < flow.functions; ++f) exits[f] = flow.operations + f;
        above_ = PostDominators(flow.nodes, next_, before_, exits).immediate();
        mark_reached();
        stand_in();
        for (int32_t v = flow.operations + flow.functions; v < flow.nodes; ++v)
            if (flow.decides[v] >= 0) subject_[flow.decides[v]] = 1;
        walk();
        ascribe(chosen_by);
        std::sort(pairs_.begin(), pairs_.end());
        pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
    }

    const Pairs &pairs() const { return pairs_; }

    // False where the steps did not suffice: then only the nearest dependences are all there.
    bool is_complete() const { return steps_ >= 0; }

  private:
    static constexpr size_t FEW = 64;  // pseudo nodes that are asked where the steps are spent

    bool is_operation(int32_t node) const { return node < flow_.operations; }
    bool is_pseudo(int32_t node) const { return node >= flow_.operations + flow_.functions; }

    // What only runs where a jump is left out counts too: the jump decides on it.
    void mark_reached() {
        std::vector<int32_t> pending;
        for (const int32_t entry : flow_.entries)
            if (entry >= 0 && !reached_[entry]) reached_[entry] = 1, pending.push_back(entry);
        mark_reachable(next_, pending, reached_);
    }

    // A pseudo node to which only another one leads that asks the same operation is one decision
    // with it: the alternatives of a switch.
    void stand_in() {
        for (int32_t v = 0; v < flow_.nodes; ++v) stood_[v] = v;
        for (int32_t v = flow_.operations + flow_.functions; v < flow_.nodes; ++v) {
            if (before_.end(v) - before_.begin(v) != 1 || flow_.decides[v] < 0) continue;
            const int32_t only = *before_.begin(v);
            if (only < v && is_pseudo(only) && flow_.decides[only] == flow_.decides[v])
                stood_[v] = stood_[only];
        }
    }

    void walk() {
        std::vector<std::pair<int32_t, int32_t>> last(flow_.nodes, {-1, -1});
        for (int32_t a = 0; a < flow_.nodes; ++a) {
            if (!reached_[a] || next_.end(a) - next_.begin(a) < 2 + flow_.is_closed[a]) continue;
            const std::pair<int32_t, int32_t> now{stood_[a], above_[a]};
            for (const int32_t *b = next_.begin(a); b != next_.end(a); ++b) {
                for (int32_t t = *b; t >= 0 && t != now.second; t = above_[t]) {
                    if (last[t] == now) break;  // and so the rest of the way
                    last[t] = now;
                    if (reached_[t]) record(now.first, t);
                    if (--steps_ < 0) break;
                }
            }
        }
    }

    void record(int32_t controller, int32_t dependent) {
        if (is_pseudo(dependent) || (is_operation(dependent) && subject_[dependent]))
            controllers_.emplace_back(dependent, controller);
        if (!is_operation(dependent)) return;
        if (is_operation(controller))
            pairs_.emplace_back(controller, dependent);
        else
            ascribed_.emplace_back(controller, dependent);
    }

    // What depends on a pseudo node depends on the operation it asks, and on what the node itself
    // depends on, as far as that operation does not.
    void ascribe(const Pairs &chosen_by) {
        if (ascribed_.empty()) return;
        std::sort(controllers_.begin(), controllers_.end());
        std::sort(ascribed_.begin(), ascribed_.end());
        chosen_by_ = chosen_by;
        std::sort(chosen_by_.begin(), chosen_by_.end());
        seen_.assign(flow_.nodes, -1);
        for (size_t i = 0; i < ascribed_.size();) {
            const int32_t node = ascribed_[i].first;
            find_deciders(node);
            for (; i < ascribed_.size() && ascribed_[i].first == node; ++i) {
                size_t most = deciders_.size();
                steps_ -= static_cast<int64_t>(most);
                if (steps_ < 0) most = std::min<size_t>(most, 1);
                for (size_t k = 0; k < most; ++k) pairs_.emplace_back(deciders_[k], ascribed_[i].second);
            }
        }
    }

    void find_deciders(int32_t node) {
        deciders_.clear(), pending_.clear();
        round_ = node;
        meet(node);
        for (size_t k = 0; k < pending_.size(); ++k) {
            const int32_t pseudo = pending_[k], asked = flow_.decides[pseudo];
            if (asked >= 0) meet(asked);
            if (--steps_ < 0 && (!deciders_.empty() || k >= FEW)) return;
            for (auto c = first_of(controllers_, pseudo); c != controllers_.end() && c->first == pseudo;
                 ++c) {
                --steps_;
                if (asked < 0 || !depends(asked, c->second)) meet(c->second);
            }
            for (auto c = first_of(chosen_by_, pseudo); c != chosen_by_.end() && c->first == pseudo; ++c) {
                --steps_;
                meet(c->second);
            }
        }
    }

    void meet(int32_t node) {
        if (seen_[node] == round_) return;
        seen_[node] = round_;
        (is_operation(node) ? deciders_ : pending_).push_back(node);
    }

    static Pairs::const_iterator first_of(const Pairs &pairs, int32_t key) {
        return std::lower_bound(pairs.begin(), pairs.end(), std::pair<int32_t, int32_t>{key, -1});
    }

    bool depends(int32_t operation, int32_t controller) const {
        return std::binary_search(controllers_.begin(), controllers_.end(),
                                  std::pair<int32_t, int32_t>{operation, controller});
    }

    const Flow &flow_;
    int64_t steps_;
    const Adjacency next_, before_;
    std::vector<int32_t> above_;  // immediate post-dominators
    std::vector<uint8_t> reached_;
    std::vector<int32_t> stood_;     // the node that stands for each
    std::vector<uint8_t> subject_;   // operations that pseudo nodes ask
    Pairs pairs_;                    // (controller, dependent), both operations
    Pairs ascribed_;                 // the same where the controller is a pseudo node
    Pairs controllers_, chosen_by_;  // (node, controller), (node, node whose controllers count too)
    std::vector<int32_t> seen_, deciders_, pending_;
    int32_t round_ = -1;
};

}  // namespace codekin::flow::control
