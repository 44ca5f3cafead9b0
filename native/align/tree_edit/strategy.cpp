#include "align/tree_edit/strategy.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace codekin::tree_edit {

namespace {

// What the kernels take beside their cells, in cells: starting a row of a path's forest table, and
// for heavy paths the additional look-ups, and starting a row for each boundary of the forests.
constexpr double kRowCells = 4;
constexpr double kHeavyCells = 1.5;
constexpr double kHeavyRowCells = 12;

// Sum of the sizes of the subtrees rooted at inner keyroots of every subtree.
std::vector<double> keyroot_cells(const Tree &tree, int side) {
    const View &view = tree.view[side];
    std::vector<double> cells(tree.size, 0.0);  // until a node is done: its hanging keyroots only
    for (std::int32_t i = 0; i < tree.size; ++i) {
        const std::int32_t v = view.node[i], p = tree.parent[v];
        const double hanging = cells[v];
        if (!tree.is_leaf(v)) cells[v] += tree.extent[v] + kRowCells;
        if (p < 0) continue;
        const bool on_path = view.first[tree.in_view(side, p)] == view.first[i];
        cells[p] += on_path ? hanging : cells[v];
    }
    return cells;
}

std::vector<std::int32_t> inner_ranks(const Tree &tree) {
    std::vector<std::int32_t> rank(tree.size, -1);
    std::int32_t next = 0;
    for (std::int32_t v = 0; v < tree.size; ++v)
        if (!tree.is_leaf(v)) rank[v] = next++;
    return rank;
}

// Inner nodes in a postorder that visits the heavy child first: then only the parents at the
// light edges above the current node have partial sums, log2(size) at most.
std::vector<std::int32_t> heavy_first_postorder(const Tree &tree) {
    std::vector<std::int32_t> order, stack{tree.root()};
    while (!stack.empty()) {
        const std::int32_t v = stack.back();
        stack.pop_back();
        if (tree.is_leaf(v)) continue;
        order.push_back(v);
        stack.push_back(tree.heavy[v]);
        tree.for_children(v, [&](std::int32_t c) {
            if (c != tree.heavy[v]) stack.push_back(c);
        });
    }
    std::reverse(order.begin(), order.end());
    return order;
}

bool is_first_child(const Tree &tree, std::int32_t v) {
    return tree.view[0].first[v] == tree.view[0].first[tree.parent[v]];
}

bool is_last_child(const Tree &tree, std::int32_t v) { return v + 1 == tree.parent[v]; }

// Cost of the subtrees hanging off the left, right and heavy path of a node.
struct Hanging {
    double left = 0, right = 0, heavy = 0;
};

}  // namespace

std::int64_t inner_nodes(const Tree &tree) {
    return std::count_if(tree.extent.begin(), tree.extent.end(), [](auto n) { return n > 1; });
}

Decomposition::Decomposition(const Tree &tree)
    : left(keyroot_cells(tree, 0)),
      right(keyroot_cells(tree, 1)),
      all(tree.extent.begin(), tree.extent.end()),
      rows(tree.size, 2.0) {
    for (std::int32_t v = 0; v + 1 < tree.size; ++v) all[tree.parent[v]] += all[v];
    // A subforest is a single tree or lies between two roots, neither an ancestor of the other.
    for (std::int32_t v = 0; v < tree.size; ++v) {
        const double n = tree.extent[v];
        // As many rows as nodes, and one more for each node on the path.
        if (!tree.is_leaf(v)) {
            const std::int32_t h = tree.heavy[v];
            rows[v] = n + 1 + rows[h] - tree.extent[h];
        }
        all[v] = kHeavyCells * (n * (n + 3) / 2 - all[v]) + kHeavyRowCells * n;
    }
}

Strategy Strategy::uniform(const Tree &a, const Tree &b) {
    Strategy s;
    const double left = keyroot_cells(a, 0).back() * keyroot_cells(b, 0).back();
    const double right = keyroot_cells(a, 1).back() * keyroot_cells(b, 1).back();
    s.uniform_ = right < left ? Path::kRightFirst : Path::kLeftFirst;
    s.cells_ = std::min(left, right);
    return s;
}

// Dynamic programming over all pairs of inner nodes: the cost of a pair is the cheapest choice of
// a path, which costs its own cells and the cost of the pairs with the subtrees hanging off it.
class StrategySearch {
  public:
    StrategySearch(const Tree &a, const Tree &b) : a_(a), b_(b), da_(a) {
        out_.rank_a_ = inner_ranks(a);
        out_.rank_b_ = inner_ranks(b);
        describe_columns(Decomposition(b));
        out_.columns_ = columns_.size();
        out_.table_.resize(static_cast<std::size_t>(inner_nodes(a)) * columns_.size());
        cost_.resize(columns_.size());
        none_.resize(columns_.size());
        sums_.resize(a.size);
    }

    Strategy run() {
        for (const std::int32_t v : heavy_first_postorder(a_)) {
            choose_row(v);
            if (v != a_.root()) pass_to_parent(v);
            if (!sums_[v].empty()) pool_.push_back(std::move(sums_[v]));
            sums_[v].clear();
        }
        out_.cells_ = cost_.back();
        return std::move(out_);
    }

  private:
    struct Column {  // an inner node of the second tree
        double size, left, right, all, rows;
        std::int32_t parent;  // column of the parent, own column for the root
        bool is_first, is_last, is_heavy;
    };

    void describe_columns(const Decomposition &db) {
        for (std::int32_t w = 0; w < b_.size; ++w) {
            if (b_.is_leaf(w)) continue;
            const std::int32_t p = b_.parent[w];
            const bool top = p < 0;
            columns_.push_back({static_cast<double>(b_.extent[w]), db.left[w], db.right[w],
                                heavy_cells(b_.extent[w], db.all[w]), db.rows[w], out_.rank_b_[top ? w : p],
                                !top && is_first_child(b_, w), !top && is_last_child(b_, w),
                                !top && b_.heavy[p] == w});
        }
    }

    // Cells per row of a heavy path against all subforests of a tree of n nodes.
    double heavy_cells(double n, double all) const {
        const double limit = static_cast<double>(a_.size) * b_.size;
        return n * n <= limit ? all : std::numeric_limits<double>::infinity();
    }

    void choose_row(std::int32_t v) {
        const double size = a_.extent[v], left = da_.left[v], right = da_.right[v];
        const double all = heavy_cells(size, da_.all[v]);
        const std::vector<Hanging> &above = sums_[v].empty() ? none_ : sums_[v];
        Path *paths = out_.table_.data() + out_.rank_a_[v] * out_.columns_;
        across_.assign(columns_.size(), Hanging{});
        for (std::size_t w = 0; w < columns_.size(); ++w) {
            const Column &c = columns_[w];
            Path path = Path::kLeftFirst;
            double best = size * c.left + above[w].left;
            const auto consider = [&](double cost, Path candidate) {
                path = cost < best ? candidate : path;
                best = cost < best ? cost : best;
            };
            consider(size * c.right + above[w].right, Path::kRightFirst);
            consider(c.size * left + across_[w].left, Path::kLeftSecond);
            consider(c.size * right + across_[w].right, Path::kRightSecond);
            consider(da_.rows[v] * c.all + above[w].heavy, Path::kHeavyFirst);
            consider(c.rows * all + across_[w].heavy, Path::kHeavySecond);
            cost_[w] = best;
            paths[w] = path;
            out_.uses_heavy_ |= path == Path::kHeavyFirst || path == Path::kHeavySecond;
            Hanging &up = across_[c.parent];  // of no use to the root, which comes last
            up.left += c.is_first ? across_[w].left : best;
            up.right += c.is_last ? across_[w].right : best;
            up.heavy += c.is_heavy ? across_[w].heavy : best;
        }
    }

    void pass_to_parent(std::int32_t v) {
        const std::int32_t p = a_.parent[v];
        if (sums_[p].empty()) {
            if (!pool_.empty()) {
                sums_[p] = std::move(pool_.back());
                pool_.pop_back();
            }
            sums_[p].assign(columns_.size(), Hanging{});
        }
        const bool first = is_first_child(a_, v), last = is_last_child(a_, v);
        const bool heavy = a_.heavy[p] == v;
        const std::vector<Hanging> &own = sums_[v].empty() ? none_ : sums_[v];
        std::vector<Hanging> &up = sums_[p];
        for (std::size_t w = 0; w < columns_.size(); ++w) {
            up[w].left += first ? own[w].left : cost_[w];
            up[w].right += last ? own[w].right : cost_[w];
            up[w].heavy += heavy ? own[w].heavy : cost_[w];
        }
    }

    const Tree &a_, &b_;
    Decomposition da_;
    Strategy out_;
    std::vector<Column> columns_;
    std::vector<double> cost_;                       // of the current row
    std::vector<Hanging> across_, none_;             // sums over the second tree's paths; zeros
    std::vector<std::vector<Hanging>> sums_, pool_;  // sums over the first tree's paths, spare rows
};

Strategy Strategy::optimal(const Tree &a, const Tree &b) { return StrategySearch(a, b).run(); }

}  // namespace codekin::tree_edit
