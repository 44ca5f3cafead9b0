// Indexed trees for the tree edit distance, and the exact trimming of what two trees share.
#pragma once

#include <cstdint>
#include <vector>

#include "align/tree_edit/tree_edit.hpp"

namespace codekin::tree_edit {

// One of the two mirror images of a tree, its nodes numbered in postorder of that image. The
// subtree of node i is the range [first[i], i]. A right-path computation is the left-path
// computation on the mirrored view.
struct View {
    std::vector<std::int32_t> node;   // canonical id: the postorder number in the left view
    std::vector<std::int32_t> first;  // number of the first (leftmost) leaf below a node
    // How many edges from the root to a node lead to a child that is not the first one: nodes
    // with the same first leaf share it, and it grows along every change of left path.
    std::vector<std::int32_t> level;
    std::vector<std::int32_t> keyroots;  // inner nodes that start a left path, ascending
    std::vector<std::int64_t> label;

    bool is_leaf(std::int32_t i) const { return first[i] == i; }
};

struct Tree {
    std::int32_t size = 0;
    std::vector<std::int32_t> parent;  // by canonical id; -1 for the root
    std::vector<std::int32_t> extent;  // number of nodes in the subtree
    std::vector<std::int32_t> pre;     // preorder number
    std::vector<std::int32_t> heavy;   // child with the largest subtree; -1 for a leaf
    View view[2];                      // [0] left to right, [1] mirrored

    std::int64_t label(std::int32_t v) const { return view[0].label[v]; }
    bool is_leaf(std::int32_t v) const { return extent[v] == 1; }
    std::int32_t root() const { return size - 1; }
    std::int32_t mirrored(std::int32_t v) const { return size - 1 - pre[v]; }
    std::int32_t in_view(int side, std::int32_t v) const { return side == 0 ? v : mirrored(v); }

    // Calls visit(child) for the children of v, last child first.
    template <class Visit> void for_children(std::int32_t v, Visit visit) const {
        const std::int32_t begin = v - extent[v];
        for (std::int32_t c = v - 1; c > begin; c -= extent[c]) visit(c);
    }
};

// Throws std::invalid_argument unless `tree` is empty or one rooted tree in preorder.
void validate(const InputTree &tree, const char *name);

// Subtree sizes by preorder number.
std::vector<std::int32_t> subtree_sizes(const InputTree &tree);

Tree index_tree(const InputTree &tree);

// What is left of two trees once shared structure is cut off (see trim in the .cpp for the proof
// that cutting is exact). Node 0 of a remainder is `root`, node k > 0 is `begin + k - 1`.
struct Slice {
    std::int32_t root = 0;
    std::int32_t begin = 1;
    std::int32_t end = 1;

    std::int32_t size() const { return end - begin + 1; }
    std::int32_t original(std::int32_t k) const { return k == 0 ? root : begin + k - 1; }
};

struct SharedRun {  // nodes first.. first+length-1 match second.. second+length-1 one to one
    std::int32_t first;
    std::int32_t second;
    std::int32_t length;
};

struct Trimmed {
    Slice first;
    Slice second;
    std::vector<SharedRun> shared;
    std::int64_t shared_nodes = 0;
};

Trimmed trim(const InputTree &first, const InputTree &second);

InputTree cut(const InputTree &tree, const Slice &slice);

}  // namespace codekin::tree_edit
