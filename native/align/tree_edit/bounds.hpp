// Bounds on the weight of the best mapping, where finding it would cost too much.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "align/tree_edit/tree.hpp"

namespace codekin::tree_edit {

struct Weights {
    double same;
    double differ;
};

// No mapping weighs more: every node is in one pair at most, and pairs of equal labels are at most
// as many as the two trees' labels have in common. Near-linear time.
double label_bound(const Tree &a, const Tree &b, const Weights &weights);

// No mapping weighs more: a mapping keeps the preorder and the postorder of its nodes, so it is an
// alignment of either sequence. Takes 2 * a.size * b.size steps and linear memory.
double sequence_bound(const Tree &a, const Tree &b, const Weights &weights);

// A valid mapping found from the roots down, aligning the children of mapped nodes by equal
// subtrees and equal labels. Near-linear time and memory.
Mapping top_down_mapping(const Tree &a, const Tree &b, const Weights &weights);

double mapping_weight(const Tree &a, const Tree &b, const Weights &weights, const Mapping &mapping);

// The heaviest constrained mapping (Zhang): disjoint subtrees map into disjoint subtrees. Takes
// O(a.size * b.size) time, and twice as many cells of memory.
template <class Cell> class ConstrainedMapping {
  public:
    ConstrainedMapping(const Tree &a, const Tree &b, Cell same, Cell differ)
        : a_(a), b_(b), same_(same), differ_(differ) {
        const auto cells = static_cast<std::size_t>(a.size) * b.size;
        trees_.resize(cells);
        forests_.resize(cells);
        for (std::int32_t w = 0; w < b.size; ++w) kids_b_.push_back(children(b, w));
        for (std::int32_t v = 0; v < a.size; ++v) {
            kids_a_ = children(a, v);
            for (std::int32_t w = 0; w < b.size; ++w) relate(v, w);
        }
    }

    Cell weight() const { return trees_.back(); }

    Mapping mapping() {
        Mapping out;
        stack_.push_back({a_.root(), b_.root(), true});
        while (!stack_.empty()) {
            const Task task = stack_.back();
            stack_.pop_back();
            task.trees ? trace_trees(task.v, task.w, out) : trace_forests(task.v, task.w);
        }
        return out;
    }

  private:
    using Nodes = std::vector<std::int32_t>;
    struct Task {
        std::int32_t v, w;
        bool trees;  // the subtrees of v and w, or the forests below them
    };

    static Nodes children(const Tree &tree, std::int32_t v) {
        Nodes out;
        tree.for_children(v, [&](std::int32_t c) { out.push_back(c); });
        std::reverse(out.begin(), out.end());
        return out;
    }

    std::size_t at(std::int32_t v, std::int32_t w) const { return static_cast<std::size_t>(v) * b_.size + w; }

    Cell pair_weight(std::int32_t v, std::int32_t w) const {
        return a_.label(v) == b_.label(w) ? same_ : differ_;
    }

    void relate(std::int32_t v, std::int32_t w) {
        const Nodes &kids_b = kids_b_[w];
        Cell forest = 0, tree = 0;
        for (const std::int32_t c : kids_b) {
            forest = std::max(forest, forests_[at(v, c)]);
            tree = std::max(tree, trees_[at(v, c)]);
        }
        for (const std::int32_t c : kids_a_) {
            forest = std::max(forest, forests_[at(c, w)]);
            tree = std::max(tree, trees_[at(c, w)]);
        }
        if (!kids_a_.empty() && !kids_b.empty()) {
            align(kids_a_, kids_b);
            forest = std::max(forest, table_[kids_a_.size() * (kids_b.size() + 1) + kids_b.size()]);
        }
        forests_[at(v, w)] = forest;
        trees_[at(v, w)] = std::max(tree, static_cast<Cell>(forest + pair_weight(v, w)));
    }

    void align(const Nodes &x, const Nodes &y) {
        const std::size_t width = y.size() + 1;
        table_.assign((x.size() + 1) * width, Cell(0));
        for (std::size_t i = 1; i <= x.size(); ++i) {
            const Cell *above = table_.data() + (i - 1) * width;
            Cell *row = table_.data() + i * width;
            for (std::size_t j = 1; j < width; ++j) {
                const Cell matched = static_cast<Cell>(above[j - 1] + trees_[at(x[i - 1], y[j - 1])]);
                row[j] = std::max(std::max(above[j], row[j - 1]), matched);
            }
        }
    }

    void trace_trees(std::int32_t v, std::int32_t w, Mapping &out) {
        const Cell value = trees_[at(v, w)], weight = pair_weight(v, w);
        if (value == static_cast<Cell>(forests_[at(v, w)] + weight)) {
            if (weight > 0) out.push_back({a_.pre[v], b_.pre[w]});
            stack_.push_back({v, w, false});
            return;
        }
        descend(v, w, value, true);
    }

    // Goes on with the child of v or w that has the value of the pair; whether there is one.
    bool descend(std::int32_t v, std::int32_t w, Cell value, bool trees) {
        const std::vector<Cell> &table = trees ? trees_ : forests_;
        for (const std::int32_t c : kids_b_[w]) {
            if (table[at(v, c)] != value) continue;
            stack_.push_back({v, c, trees});
            return true;
        }
        for (const std::int32_t c : children(a_, v)) {
            if (table[at(c, w)] != value) continue;
            stack_.push_back({c, w, trees});
            return true;
        }
        return false;
    }

    void trace_forests(std::int32_t v, std::int32_t w) {
        const Cell value = forests_[at(v, w)];
        if (value == 0 || descend(v, w, value, false)) return;
        const Nodes x = children(a_, v);
        const Nodes &y = kids_b_[w];
        align(x, y);
        const std::size_t width = y.size() + 1;
        for (std::size_t i = x.size(), j = y.size(); i > 0 && j > 0;) {
            const Cell *cell = table_.data() + i * width + j;
            if (*cell == cell[-static_cast<std::ptrdiff_t>(width)]) {
                --i;
            } else if (*cell == cell[-1]) {
                --j;
            } else {
                stack_.push_back({x[--i], y[--j], true});
            }
        }
    }

    const Tree &a_, &b_;
    Cell same_, differ_;
    std::vector<Cell> trees_, forests_, table_;
    std::vector<Nodes> kids_b_;
    Nodes kids_a_;
    std::vector<Task> stack_;
};

}  // namespace codekin::tree_edit
