// The exact similarity of all pairs of subtrees, and an optimal mapping from it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "align/tree_edit/kernels.hpp"
#include "align/tree_edit/strategy.hpp"

namespace codekin::tree_edit {

// Runs the single-path functions in the order that a strategy asks for.
template <class Cell> class Solver {
  public:
    Solver(Problem<Cell> &problem, const Strategy &strategy)
        : problem_(problem), strategy_(strategy), left_(problem), right_(problem), heavy_(problem) {}

    void run() {
        fill_leaves();
        push(problem_.a.root(), problem_.b.root());
        while (!stack_.empty()) {  // an own stack, for trees may be deep
            const Frame frame = stack_.back();
            if (frame.expanded) {
                stack_.pop_back();
                run_path(frame.v, frame.w);
            } else {
                stack_.back().expanded = true;
                push_hanging(frame.v, frame.w);
            }
        }
    }

  private:
    struct Frame {
        std::int32_t v, w;
        bool expanded;
    };

    // A subtree saves the most with a single node if it holds the node's label.
    void fill_leaves() {
        const View &a = problem_.a.view[0], &b = problem_.b.view[0];
        std::vector<std::int32_t> leaves, last;  // of b; the last node of a with the leaf's label
        for (std::int32_t w = 0; w < problem_.b.size; ++w)
            if (b.is_leaf(w)) leaves.push_back(w);
        last.assign(leaves.size(), -1);
        for (std::int32_t v = 0; v < problem_.a.size; ++v) {
            Cell *row = problem_.row(v);
            for (std::size_t k = 0; k < leaves.size(); ++k) {
                if (b.label[leaves[k]] == a.label[v]) last[k] = v;
                row[leaves[k]] = last[k] >= a.first[v] ? problem_.same : problem_.differ;
            }
            if (!a.is_leaf(v)) continue;
            std::int32_t found = -1;
            for (std::int32_t w = 0; w < problem_.b.size; ++w) {
                if (b.label[w] == a.label[v]) found = w;
                row[w] = found >= b.first[w] ? problem_.same : problem_.differ;
            }
        }
    }

    void push(std::int32_t v, std::int32_t w) {
        if (!problem_.a.is_leaf(v) && !problem_.b.is_leaf(w)) stack_.push_back({v, w, false});
    }

    void push_hanging(std::int32_t v, std::int32_t w) {
        const Path path = strategy_.at(v, w);
        const bool second = path >= Path::kLeftSecond;
        const Tree &tree = second ? problem_.b : problem_.a;
        std::int32_t x = second ? w : v;
        while (!tree.is_leaf(x)) {
            const std::int32_t child = path_child(tree, x, path);
            tree.for_children(x, [&](std::int32_t c) {
                if (c != child) second ? push(v, c) : push(c, w);
            });
            x = child;
        }
    }

    static std::int32_t path_child(const Tree &tree, std::int32_t x, Path path) {
        switch (path) {
            case Path::kLeftFirst:
            case Path::kLeftSecond: {
                // The mirrored postorder visits the first child last.
                return tree.view[1].node[tree.mirrored(x) - 1];
            }
            case Path::kRightFirst:
            case Path::kRightSecond: return x - 1;
            default: return tree.heavy[x];
        }
    }

    void run_path(std::int32_t v, std::int32_t w) {
        const Tree &a = problem_.a, &b = problem_.b;
        const std::int32_t mv = a.mirrored(v), mw = b.mirrored(w);
        switch (strategy_.at(v, w)) {
            case Path::kLeftFirst:
                for_keyroots(b.view[0], w, [&](std::int32_t k) { left_.run(v, k); });
                break;
            case Path::kRightFirst:
                for_keyroots(b.view[1], mw, [&](std::int32_t k) { right_.run(mv, k); });
                break;
            case Path::kLeftSecond:
                for_keyroots(a.view[0], v, [&](std::int32_t k) { left_.run(k, w); });
                break;
            case Path::kRightSecond:
                for_keyroots(a.view[1], mv, [&](std::int32_t k) { right_.run(k, mw); });
                break;
            case Path::kHeavyFirst: heavy_.run(v, w, false); break;
            case Path::kHeavySecond: heavy_.run(w, v, true); break;
        }
    }

    // The inner nodes below `root` that start a left path, and `root` itself; ascending.
    template <class Visit> static void for_keyroots(const View &view, std::int32_t root, Visit visit) {
        auto it = std::lower_bound(view.keyroots.begin(), view.keyroots.end(), view.first[root]);
        for (; it != view.keyroots.end() && *it < root; ++it) visit(*it);
        visit(root);
    }

    Problem<Cell> &problem_;
    const Strategy &strategy_;
    PathKernel<Cell, false> left_;
    PathKernel<Cell, true> right_;
    HeavyKernel<Cell> heavy_;
    std::vector<Frame> stack_;
};

// Finds an optimal mapping where the similarity of all pairs of subtrees is known: computes the
// forest table of a pair again, follows it back, and goes on with the pairs of subtrees it meets.
template <class Cell> class Traceback {
  public:
    Traceback(const Problem<Cell> &problem, Mapping &out) : problem_(problem), out_(out) {}

    void run() {
        stack_.push_back({problem_.a.root(), problem_.b.root()});
        while (!stack_.empty()) {
            const auto [v, w] = stack_.back();
            stack_.pop_back();
            const int side = choose_side(v, w);
            fill(side, problem_.a.in_view(side, v), problem_.b.in_view(side, w));
            follow(side, problem_.a.in_view(side, v), problem_.b.in_view(side, w));
        }
    }

  private:
    // The side whose paths lead into the larger children leaves the smaller ones to do again.
    int choose_side(std::int32_t v, std::int32_t w) const {
        const auto gain = [](const Tree &tree, std::int32_t x) {
            if (tree.is_leaf(x)) return 0;
            const std::int32_t first = tree.view[1].node[tree.mirrored(x) - 1], last = x - 1;
            return tree.extent[last] - tree.extent[first];
        };
        return gain(problem_.a, v) + gain(problem_.b, w) > 0 ? 1 : 0;
    }

    Cell &at(std::int32_t i, std::int32_t j) { return table_[static_cast<std::size_t>(i) * width_ + j]; }

    // Cell (i, j) stands for the first i nodes below v and the first j nodes below w.
    void fill(int side, std::int32_t v, std::int32_t w) {
        const View &a = problem_.a.view[side], &b = problem_.b.view[side];
        const std::int32_t low_a = a.first[v], low_b = b.first[w];
        width_ = static_cast<std::size_t>(w - low_b) + 2;
        table_.assign((static_cast<std::size_t>(v - low_a) + 2) * width_, Cell(0));
        for (std::int32_t i = 1; i <= v - low_a + 1; ++i) {
            const std::int32_t x = low_a + i - 1;
            const Cell *known = problem_.row(a.node[x]);
            const Cell *above = &at(i - 1, 0), *base = &at(a.first[x] - low_a, 0);
            Cell *row = &at(i, 0);
            for (std::int32_t j = 1; j <= w - low_b + 1; ++j) {
                const std::int32_t y = low_b + j - 1;
                const bool trees = a.first[x] == low_a && b.first[y] == low_b;
                const Cell matched =
                    static_cast<Cell>(trees ? above[j - 1] + problem_.weight(a.label[x], b.label[y])
                                            : base[b.first[y] - low_b] + known[b.node[y]]);
                row[j] = std::max(std::max(above[j], row[j - 1]), matched);
            }
        }
    }

    void follow(int side, std::int32_t v, std::int32_t w) {
        const View &a = problem_.a.view[side], &b = problem_.b.view[side];
        const std::int32_t low_a = a.first[v], low_b = b.first[w];
        std::int32_t i = v - low_a + 1, j = w - low_b + 1;
        while (i > 0 && j > 0) {
            const std::int32_t x = low_a + i - 1, y = low_b + j - 1;
            const bool trees = a.first[x] == low_a && b.first[y] == low_b;
            const Cell weight = problem_.weight(a.label[x], b.label[y]);
            // Pairs that save nothing are left out: a rename may cost more than it replaces.
            if (trees && weight > 0 && at(i, j) == static_cast<Cell>(at(i - 1, j - 1) + weight)) {
                emit(a.node[x], b.node[y]);
                --i, --j;
            } else if (at(i, j) == at(i - 1, j)) {
                --i;
            } else if (at(i, j) == at(i, j - 1)) {
                --j;
            } else {
                stack_.push_back({a.node[x], b.node[y]});
                i = a.first[x] - low_a;
                j = b.first[y] - low_b;
            }
        }
    }

    void emit(std::int32_t v, std::int32_t w) { out_.push_back({problem_.a.pre[v], problem_.b.pre[w]}); }

    const Problem<Cell> &problem_;
    Mapping &out_;
    std::vector<std::pair<std::int32_t, std::int32_t>> stack_;
    std::vector<Cell> table_;
    std::size_t width_ = 0;
};

}  // namespace codekin::tree_edit
