// Single-path functions of the tree edit distance.
//
// All of them maximise the weight that a mapping saves against deleting one tree and inserting the
// other: every pair of nodes weighs `same` (delete + insert) where labels agree and `differ`
// (delete + insert - rename, or nothing if negative) where they do not. Forest borders are then
// zero, deleting and inserting add nothing, delete and insert costs need no telling apart, and
// cells are small non-negative numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "align/tree_edit/tree.hpp"

namespace codekin::tree_edit {

template <class Cell> struct Problem {
    const Tree &a;
    const Tree &b;
    Cell same;
    Cell differ;
    // Largest weight for every pair of subtrees, by canonical ids; a.size rows.
    std::vector<Cell> similarity;

    Problem(const Tree &first, const Tree &second, Cell same_weight, Cell differ_weight)
        : a(first),
          b(second),
          same(same_weight),
          differ(differ_weight),
          similarity(static_cast<std::size_t>(first.size) * second.size) {}

    Cell weight(std::int64_t x, std::int64_t y) const { return x == y ? same : differ; }
    Cell *row(std::int32_t v) { return similarity.data() + static_cast<std::size_t>(v) * b.size; }
    const Cell *row(std::int32_t v) const { return similarity.data() + static_cast<std::size_t>(v) * b.size; }
};

// Rows of a forest table of which only some are needed at a time. The nodes of one left path share
// the row before their first leaf as their base, and the paths above a node lie on different
// levels, so one base row for each level and the current row suffice.
template <class Cell> class RowStack {
  public:
    void reset(std::size_t width) { width_ = width; }
    Cell *current() { return row(0); }
    // Makes the current row the base of `level` (> 0) and returns an unset current row.
    Cell *start_path(std::int32_t level) {
        row(level);
        std::swap(rows_[0], rows_[level]);
        return row(0);
    }
    const Cell *base(std::int32_t level) { return rows_[level].data(); }

  private:
    Cell *row(std::size_t i) {
        if (rows_.size() <= i) rows_.resize(i + 1);
        if (rows_[i].size() < width_) rows_[i].resize(width_);
        return rows_[i].data();
    }
    std::size_t width_ = 0;
    std::vector<std::vector<Cell>> rows_;
};

// Left paths (or right paths, on the mirrored views): the forest table of Zhang and Shasha for one
// pair of subtrees. Sets the similarity of all pairs with both nodes on the left paths of v and w;
// all other pairs of nodes below must be known.
template <class Cell, bool kMirrored> class PathKernel {
  public:
    explicit PathKernel(Problem<Cell> &problem)
        : problem_(problem), a_(problem.a.view[kMirrored]), b_(problem.b.view[kMirrored]) {
        rows_.reset(static_cast<std::size_t>(problem.b.size) + 1);
    }

    // v and w are numbers in the view. Row cell j + 1 stands for the forest up to node j.
    void run(std::int32_t v, std::int32_t w) {
        const std::int32_t begin = b_.first[w];
        Cell *current = rows_.current();
        std::fill(current + begin, current + w + 2, Cell(0));
        for (std::int32_t i = a_.first[v]; i <= v; ++i) {
            Cell *similarity = problem_.row(a_.node[i]);
            const std::int32_t level = a_.level[i] - a_.level[v];
            if (level == 0) {
                path_row(current, similarity, a_.label[i], begin, w);
                continue;
            }
            const Cell *previous = current;
            if (a_.is_leaf(i)) current = rows_.start_path(level);
            current[begin] = 0;
            row(previous, rows_.base(level), current, similarity, begin, w);
        }
    }

  private:
    Cell &at(Cell *similarity, std::int32_t j) const { return similarity[kMirrored ? b_.node[j] : j]; }

    void row(const Cell *previous, const Cell *base, Cell *current, Cell *similarity, std::int32_t begin,
             std::int32_t w) const {
        const std::int32_t *first = b_.first.data();
        Cell best = 0;
        for (std::int32_t j = begin; j <= w; ++j) {
            const Cell matched = static_cast<Cell>(base[first[j]] + at(similarity, j));
            best = std::max(std::max(previous[j + 1], matched), best);
            current[j + 1] = best;
        }
    }

    // A row of a node on the left path of v: before its subtree there is nothing.
    void path_row(Cell *current, Cell *similarity, std::int64_t label, std::int32_t begin,
                  std::int32_t w) const {
        const std::int32_t *first = b_.first.data();
        Cell best = 0, diagonal = 0;
        for (std::int32_t j = begin; j <= w; ++j) {
            const Cell above = current[j + 1];
            Cell &known = at(similarity, j);
            if (first[j] == begin) {
                const Cell matched = static_cast<Cell>(diagonal + problem_.weight(label, b_.label[j]));
                best = std::max(std::max(above, matched), best);
                known = best;
            } else {
                best = std::max(std::max(above, known), best);
            }
            current[j + 1] = best;
            diagonal = above;
        }
    }

    Problem<Cell> &problem_;
    const View &a_, &b_;
    RowStack<Cell> rows_;
};

// Heavy paths: forests of the path's tree P (which grows from the path's leaf by the nodes right
// of the path, left of it, and on it) against all subforests of the other tree Q, as by Demaine et
// al. A subforest of Q is named by its leftmost and rightmost root. Takes |P| * all(Q) cells and
// keeps |Q|^2 of them.
template <class Cell> class HeavyKernel {
  public:
    explicit HeavyKernel(Problem<Cell> &problem) : problem_(problem) {}

    // Sets the similarity of all nodes on the heavy path of v (in the first tree, or in the second
    // where `second`) to all nodes below w in the other. Pairs with nodes off the path must be
    // known.
    void run(std::int32_t v, std::int32_t w, bool second) {
        second_ = second;
        p_ = second ? &problem_.b : &problem_.a;
        q_ = second ? &problem_.a : &problem_.b;
        w_ = w;
        width_ = q_->extent[w];
        offset_ = w - width_ + 1;
        side_ = 0;
        forests_.assign(static_cast<std::size_t>(width_) * width_, Cell(0));
        rows_.reset(static_cast<std::size_t>(width_) + 1);
        path_similarity_.resize(width_);
        path_.clear();
        for (std::int32_t x = v; x >= 0; x = p_->heavy[x]) path_.push_back(x);
        for (std::size_t i = path_.size(); i-- > 0;) extend_to(path_[i]);
    }

  private:
    // From the forests against the tree of the path child of x to those against the tree of x.
    void extend_to(std::int32_t x) {
        const std::int32_t child = p_->heavy[x];
        const bool leaf = child < 0;
        const std::int32_t right = leaf ? 0 : x - 1 - child;
        const std::int32_t left = leaf ? 0 : p_->mirrored(x) - 1 - p_->mirrored(child);
        if (right > 0) grow(1, x, right, left == 0);
        if (left > 0) grow(0, x, left, true);
        if (left == 0 && right == 0) grow(side_, x, 0, true);
    }

    // Adds the `count` nodes before x in its postorder (side 1: nodes right of the path) or in its
    // mirrored postorder (side 0: nodes left of the path), and then x itself if `with_root`. On
    // side 0 the leftmost root of Q's forest varies within a row of forests_, and the rightmost is
    // fixed; on side 1 all is mirrored.
    void grow(int side, std::int32_t x, std::int32_t count, bool with_root) {
        if (side != side_) transpose();
        side_ = side;
        const View &p = p_->view[1 - side];
        const View &q = q_->view[side];
        const std::int32_t top = p_->in_view(1 - side, x), begin = top - count;
        const std::int32_t low = q.first[q_->in_view(side, w_)];
        find_similarity(p, begin, top);
        carry_.assign(static_cast<std::size_t>(count) + 2, Cell(0));
        left_.clear();
        left_extent_.clear();
        for (std::int32_t r = 0; r < width_; ++r) {
            const std::int32_t id = q.node[low + r] - offset_;
            fixed_ = {id, q.first[low + r] - low, 0, q.is_leaf(low + r)};
            if (r + 1 < width_ && !q.is_leaf(low + r + 1)) fixed_.next = q.first[low + r + 1] - low;
            Cell *stored = forests_.data() + static_cast<std::size_t>(id) * width_;
            Cell *current = load(stored);
            Cell inside = take_carry(0, current);
            for (std::int32_t k = 0; k < count; ++k)
                current = add_node(p, begin + k, p.level[top], current, &inside, k);
            if (with_root) add_root(x, current, inside, count);
            store(stored, current);
            left_.insert(left_.begin() + fixed_.left, id);
            left_extent_.insert(left_extent_.begin() + fixed_.left, q_->extent[offset_ + id]);
        }
        if (with_root) save_similarity(x);
    }

    // The right boundary of the forests of one row: position 0.. left - 1 of a row stand for the
    // forests from a node left of it (in preorder, left_) up to it, position `left` for its tree.
    struct Boundary {
        std::int32_t id;
        std::int32_t left;  // how many nodes are left of it
        // The boundary's children as a forest are at this position of the row before, whose
        // boundary is the last child; so that value is carried over. This is the position of the
        // value that the next row needs.
        std::int32_t next;
        bool leaf;
    };

    // The value of the forest below the boundary, in exchange for the next boundary's.
    Cell take_carry(std::size_t k, const Cell *row) {
        const Cell inside = fixed_.leaf ? Cell(0) : carry_[k];
        carry_[k] = row[fixed_.next];
        return inside;
    }

    Cell *load(const Cell *stored) {
        Cell *current = rows_.current();
        for (std::int32_t i = 0; i < fixed_.left; ++i) current[i] = stored[left_[i]];
        current[fixed_.left] = stored[fixed_.id];
        return current;
    }

    void store(Cell *stored, const Cell *current) const {
        for (std::int32_t i = 0; i < fixed_.left; ++i) stored[left_[i]] = current[i];
        stored[fixed_.id] = current[fixed_.left];
    }

    Cell *add_node(const View &p, std::int32_t node, std::int32_t level_of_path, Cell *current, Cell *inside,
                   std::int32_t k) {
        const std::int32_t level = p.level[node] - level_of_path;
        const Cell *previous = current;
        if (p.is_leaf(node)) current = rows_.start_path(level);
        const Cell *base = rows_.base(level), *similarity = similarity_[k];
        const std::int32_t *ids = left_.data(), *extents = left_extent_.data();
        const std::int32_t left = fixed_.left;
        // Before `current` is written, for it may be `previous`.
        const Cell held = fixed_.leaf ? Cell(0) : carry_[k + 1];
        Cell best = std::max(std::max(previous[left], held), similarity[fixed_.id]);
        current[left] = best;
        for (std::int32_t i = left - 1; i >= 0; --i) {
            const Cell matched = static_cast<Cell>(base[i + extents[i]] + similarity[ids[i]]);
            best = std::max(std::max(previous[i], matched), best);
            current[i] = best;
        }
        carry_[k + 1] = current[fixed_.next];
        *inside = held;
        return current;
    }

    // The path node x maps to some node of the forest, with all below it, or to none. `inside` is
    // the value of the forest below x against the forest below the boundary.
    void add_root(std::int32_t x, Cell *current, Cell inside, std::int32_t count) {
        const Cell held = fixed_.leaf ? Cell(0) : carry_[count + 1];
        const Cell matched =
            static_cast<Cell>(inside + problem_.weight(p_->label(x), q_->label(offset_ + fixed_.id)));
        Cell best = std::max(std::max(current[fixed_.left], held), matched);
        path_similarity_[fixed_.id] = best;
        current[fixed_.left] = best;
        for (std::int32_t i = fixed_.left - 1; i >= 0; --i) {
            best = std::max(std::max(current[i], path_similarity_[left_[i]]), best);
            current[i] = best;
        }
        carry_[count + 1] = current[fixed_.next];
    }

    // Rows of known similarities of the nodes begin.. end - 1 of the view to the nodes of Q.
    void find_similarity(const View &p, std::int32_t begin, std::int32_t end) {
        const auto count = static_cast<std::size_t>(end - begin), width = std::size_t(width_);
        similarity_.resize(count);
        if (!second_) {
            for (std::size_t k = 0; k < count; ++k)
                similarity_[k] = problem_.row(p.node[begin + k]) + offset_;
            return;
        }
        columns_.resize(count * width);
        for (std::size_t j = 0; j < width; ++j) {
            const Cell *row = problem_.row(offset_ + static_cast<std::int32_t>(j));
            for (std::size_t k = 0; k < count; ++k) columns_[k * width + j] = row[p.node[begin + k]];
        }
        for (std::size_t k = 0; k < count; ++k) similarity_[k] = columns_.data() + k * width;
    }

    void save_similarity(std::int32_t x) {
        for (std::int32_t j = 0; j < width_; ++j)
            (second_ ? problem_.row(offset_ + j)[x] : problem_.row(x)[offset_ + j]) = path_similarity_[j];
    }

    // In blocks that stay in cache.
    void transpose() {
        constexpr std::int32_t kBlock = 32;
        const auto cell = [&](std::int32_t i, std::int32_t j) -> Cell & {
            return forests_[static_cast<std::size_t>(i) * width_ + j];
        };
        for (std::int32_t i0 = 0; i0 < width_; i0 += kBlock)
            for (std::int32_t j0 = i0; j0 < width_; j0 += kBlock)
                for (std::int32_t i = i0; i < std::min(i0 + kBlock, width_); ++i)
                    for (std::int32_t j = std::max(j0, i + 1); j < std::min(j0 + kBlock, width_); ++j)
                        std::swap(cell(i, j), cell(j, i));
    }

    Problem<Cell> &problem_;
    const Tree *p_ = nullptr, *q_ = nullptr;  // the path's tree, and the other
    bool second_ = false;
    std::int32_t w_ = 0, width_ = 0, offset_ = 0;  // root, size and first node of Q
    int side_ = 0;                                 // how forests_ is laid out
    Boundary fixed_{};
    std::vector<Cell> forests_;  // weight by fixed root and varying root, for the forest of P so far
    RowStack<Cell> rows_;
    std::vector<Cell> carry_, path_similarity_, columns_;
    std::vector<const Cell *> similarity_;
    std::vector<std::int32_t> path_, left_, left_extent_;
};

}  // namespace codekin::tree_edit
