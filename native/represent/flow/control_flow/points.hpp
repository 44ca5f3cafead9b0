// The place in a function up to which the graph is drawn, and points whose nodes are not known yet.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "represent/flow/control_flow/control_flow.hpp"

namespace codekin::flow::control {

// Targets of edges are nodes, or points, which are written as ~point and become nodes in the end:
// an empty branch or an END costs no node that way.
class Place {
  public:
    explicit Place(ControlGraph &graph) : graph_(graph) {}

    int32_t point() {
        value_.push_back(UNKNOWN), used_.push_back(0);
        return static_cast<int32_t>(value_.size()) - 1;
    }

    void begin() {
        first_edge_ = graph_.source.size();
        last_ = here_ = jumped_ = -1;
    }

    void edge(int32_t from, int32_t to, uint8_t way) {
        graph_.edge(from, to, way);
        if (to < 0) used_[~to] = 1;
    }

    void use(int32_t point) { used_[point] = 1; }
    bool is_used(int32_t point) const { return used_[point] != 0; }

    // No path leads here, as far as the text up to here tells.
    bool is_dead() const { return last_ < 0 && (here_ < 0 || !used_[here_]); }

    // The operation just ran, and nothing else leads here.
    bool is_just_after(int32_t node) const { return node >= 0 && last_ == node && way_ == FOLLOWS; }

    void put(int32_t node) {
        if (last_ >= 0)
            edge(last_, node, way_);
        else if (here_ >= 0)
            alias(here_, node);
        if (jumped_ >= 0) edge(jumped_, node, FALLS_THROUGH);
        resume(node, FOLLOWS);
    }

    // A point that others go to lies here.
    void arrive(int32_t point) {
        if (last_ >= 0) edge(last_, ~point, way_);
        if (last_ < 0 && here_ >= 0)
            alias(point, ~here_);
        else
            here_ = point;
        last_ = -1;
    }

    void go(int32_t target, uint8_t way = FOLLOWS) {
        if (last_ >= 0)
            edge(last_, target, way_ == FOLLOWS ? way : way_);
        else if (here_ >= 0)
            alias(here_, target);
        if (jumped_ >= 0) edge(jumped_, target, FALLS_THROUGH);
        last_ = here_ = jumped_ = -1;
    }

    // The same for a jump; with `falls_through` its operation also leads to what follows in the text.
    void jump(int32_t operation, int32_t target, uint8_t way, bool falls_through) {
        const bool ran = operation >= 0 && last_ == operation;
        go(target, way);
        if (ran && falls_through) jumped_ = operation;
    }

    // Go on from a node, by a way that it has not got yet.
    void resume(int32_t node, uint8_t way) {
        last_ = node, way_ = way;
        here_ = jumped_ = -1;
    }

    void nowhere() { last_ = here_ = jumped_ = -1; }

    // Every edge of the function ends at a node from now on.
    void settle(int32_t exit) {
        for (size_t e = first_edge_; e < graph_.target.size(); ++e)
            if (graph_.target[e] < 0) graph_.target[e] = node_of(~graph_.target[e], exit);
        value_.clear(), used_.clear();
    }

  private:
    static constexpr int32_t UNKNOWN = std::numeric_limits<int32_t>::min();
    static constexpr int32_t ON_THE_WAY = UNKNOWN + 1;

    void alias(int32_t point, int32_t target) {
        value_[point] = target;
        if (target < 0 && used_[point]) used_[~target] = 1;
    }

    // Labels that are nowhere lie at the exit; points that lead to themselves are an empty endless loop.
    int32_t node_of(int32_t point, int32_t exit) {
        chain_.clear();
        int32_t found = ~point;
        while (found < 0) {
            const int32_t next = value_[~found];
            if (next == ON_THE_WAY) {
                found = graph_.pseudo(-1);
                graph_.edge(found, found, FOLLOWS);
            } else if (next == UNKNOWN) {
                found = exit;
            } else {
                chain_.push_back(~found);
                value_[~found] = ON_THE_WAY;
                found = next;
            }
        }
        for (const int32_t passed : chain_) value_[passed] = found;
        return found;
    }

    ControlGraph &graph_;
    std::vector<int32_t> value_;  // a node, another point, or unknown
    std::vector<uint8_t> used_;
    std::vector<int32_t> chain_;
    size_t first_edge_ = 0;
    int32_t last_ = -1;  // a node whose next edge is not drawn yet,
    uint8_t way_ = FOLLOWS;
    int32_t here_ = -1;    // or a point that lies here
    int32_t jumped_ = -1;  // a jump just before, which would lead here if it did nothing
};

}  // namespace codekin::flow::control
