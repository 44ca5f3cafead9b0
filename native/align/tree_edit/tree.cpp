#include "align/tree_edit/tree.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

namespace codekin::tree_edit {

namespace {

[[noreturn]] void reject(const char *name, const std::string &what) {
    throw std::invalid_argument(std::string(name) + ": " + what);
}

// Fills first and level and keyroots of a view from the extents and parents in its own numbers.
void finish_view(View &view, const std::vector<std::int32_t> &extent,
                 const std::vector<std::int32_t> &parent) {
    const auto n = static_cast<std::int32_t>(extent.size());
    view.first.resize(n);
    view.level.resize(n);
    for (std::int32_t i = n - 1; i >= 0; --i) {  // parents have higher numbers than children
        view.first[i] = i - extent[i] + 1;
        const std::int32_t p = parent[i];
        const bool starts_path = p < 0 || view.first[p] != view.first[i];
        view.level[i] = p < 0 ? 0 : view.level[p] + (starts_path ? 1 : 0);
        if (starts_path && extent[i] > 1) view.keyroots.push_back(i);
    }
    std::reverse(view.keyroots.begin(), view.keyroots.end());
}

// A tree by preorder numbers, for comparing subtrees.
struct Shape {
    const InputTree &tree;
    std::vector<std::int32_t> size;
    std::vector<std::uint64_t> hash;  // of the whole subtree: unequal subtrees differ at once

    explicit Shape(const InputTree &t) : tree(t), size(subtree_sizes(t)), hash(size.size(), 0) {
        for (std::size_t i = size.size(); i-- > 0;) {
            hash[i] = mix(hash[i] ^ static_cast<std::uint64_t>(tree.labels[i]));
            if (i > 0) hash[tree.parents[i]] = mix(hash[tree.parents[i]] + hash[i]);
        }
    }

    static std::uint64_t mix(std::uint64_t x) {
        x = (x + 0x9E3779B97F4A7C15u) * 0xBF58476D1CE4E5B9u;
        return (x ^ (x >> 29)) * 0x94D049BB133111EBu ^ (x >> 32);
    }
};

// Whether two subtrees are equal node by node; the hash alone never decides that they are.
bool same_subtree(const Shape &a, std::int32_t v, const Shape &b, std::int32_t w) {
    const std::int32_t n = a.size[v];
    const auto labels_a = a.tree.labels.begin() + v, labels_b = b.tree.labels.begin() + w;
    return n == b.size[w] && a.hash[v] == b.hash[w] &&
           std::equal(a.size.begin() + v, a.size.begin() + v + n, b.size.begin() + w) &&
           std::equal(labels_a, labels_a + n, labels_b);
}

std::vector<std::int32_t> children_of(const std::vector<std::int32_t> &size, std::int32_t v) {
    std::vector<std::int32_t> children;
    for (std::int32_t c = v + 1; c < v + size[v]; c += size[c]) children.push_back(c);
    return children;
}

}  // namespace

void validate(const InputTree &tree, const char *name) {
    if (tree.labels.size() != tree.parents.size()) reject(name, "labels and parents differ in length");
    if (tree.labels.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max() / 4))
        reject(name, "too many nodes");
    const auto n = static_cast<std::int32_t>(tree.labels.size());
    if (n > 0 && tree.parents[0] != -1) reject(name, "parents[0] must be -1, the root");
    for (std::int32_t i = 1; i < n; ++i) {
        const std::int32_t p = tree.parents[i];
        if (p < 0) reject(name, "parents[" + std::to_string(i) + "] names a second root");
        if (p >= i) reject(name, "parents[" + std::to_string(i) + "] does not come before its child");
        // In preorder the parent is the previous node or one of its ancestors. A node climbed over
        // is closed for good, so all climbs together take n steps.
        std::int32_t open = i - 1;
        while (open > p) open = tree.parents[open];
        if (open != p) reject(name, "nodes are not in preorder at parents[" + std::to_string(i) + "]");
    }
}

std::vector<std::int32_t> subtree_sizes(const InputTree &tree) {
    const auto n = static_cast<std::int32_t>(tree.parents.size());
    std::vector<std::int32_t> size(n, 1);
    for (std::int32_t i = n - 1; i > 0; --i) size[tree.parents[i]] += size[i];
    return size;
}

Tree index_tree(const InputTree &input) {
    Tree t;
    const auto n = static_cast<std::int32_t>(input.parents.size());
    t.size = n;
    const std::vector<std::int32_t> size = subtree_sizes(input);
    std::vector<std::int32_t> post(n), depth(n, 0), mirrored_extent(n), mirrored_parent(n);
    t.parent.resize(n);
    t.extent.resize(n);
    t.pre.resize(n);
    t.heavy.assign(n, -1);
    for (View &view : t.view) {
        view.node.resize(n);
        view.label.resize(n);
    }
    for (std::int32_t i = 0; i < n; ++i) {
        const std::int32_t p = input.parents[i];
        if (p >= 0) depth[i] = depth[p] + 1;
        // All nodes before i in preorder but its ancestors, and all nodes below i, precede it.
        const std::int32_t v = post[i] = i - depth[i] + size[i] - 1;
        const std::int32_t mirrored = n - 1 - i;
        t.pre[v] = i;
        t.extent[v] = mirrored_extent[mirrored] = size[i];
        t.parent[v] = p < 0 ? -1 : post[p];
        mirrored_parent[mirrored] = p < 0 ? -1 : n - 1 - p;
        t.view[0].node[v] = t.view[1].node[mirrored] = v;
        t.view[0].label[v] = t.view[1].label[mirrored] = input.labels[i];
    }
    for (std::int32_t v = 0; v + 1 < n; ++v) {
        std::int32_t &heavy = t.heavy[t.parent[v]];
        if (heavy < 0 || t.extent[v] > t.extent[heavy]) heavy = v;
    }
    finish_view(t.view[0], t.extent, t.parent);
    finish_view(t.view[1], mirrored_extent, mirrored_parent);
    return t;
}

// Cuts off equal structure without changing the distance. Deleting and inserting everything costs
// a constant, and each mapped pair saves some weight: `same` for equal labels, the most any pair
// can save, and less or nothing otherwise. So take any mapping of largest saving.
//
// (1) Roots with equal labels can be mapped to each other. At most one of the two roots is in a
//     pair with a node other than the other root: were both, (r1, y) and (x, r2), then r1 above x
//     would need y above r2. That one pair can be replaced by (r1, r2), which saves no less; with
//     no such pair (r1, r2) can be added. Both keep order and ancestry, being above all others.
// (2) Then two forests T A and T B with an equal first tree T remain. Pairs from the first T into
//     B and pairs from A into the second T exclude each other, for they would cross. Say there is
//     none from A into the second T. Drop the pairs of the first T, at most |T| of them, which
//     frees all of the second T, and map T to T identically: |T| pairs that save the most. Pairs
//     from A to B remain valid. The other case is symmetric, and so are equal last trees.
// (3) What remains below the roots is again a pair of trees if one tree is left on either side.
Trimmed trim(const InputTree &a, const InputTree &b) {
    const Shape shape_a(a), shape_b(b);
    const std::vector<std::int32_t> &size_a = shape_a.size, &size_b = shape_b.size;
    Trimmed out;
    const auto share = [&](std::int32_t v, std::int32_t w, std::int32_t length) {
        out.shared.push_back({v, w, length});
        out.shared_nodes += length;
    };
    std::int32_t v = 0, w = 0;
    for (;;) {
        out.first = {v, v + 1, v + size_a[v]};
        out.second = {w, w + 1, w + size_b[w]};
        if (a.labels[v] != b.labels[w]) return out;
        const std::vector<std::int32_t> kids_a = children_of(size_a, v);
        const std::vector<std::int32_t> kids_b = children_of(size_b, w);
        const std::size_t fewer = std::min(kids_a.size(), kids_b.size());
        std::size_t head = 0, tail = 0;
        const auto equal = [&](std::size_t i, std::size_t j) {
            return same_subtree(shape_a, kids_a[i], shape_b, kids_b[j]);
        };
        for (; head < fewer && equal(head, head); ++head)
            share(kids_a[head], kids_b[head], size_a[kids_a[head]]);
        for (; head + tail < fewer; ++tail) {
            const std::size_t i = kids_a.size() - 1 - tail, j = kids_b.size() - 1 - tail;
            if (!equal(i, j)) break;
            share(kids_a[i], kids_b[j], size_a[kids_a[i]]);
        }
        const auto shrink = [&](Slice &slice, const std::vector<std::int32_t> &kids) {
            if (head > 0) slice.begin = head < kids.size() ? kids[head] : slice.end;
            if (tail > 0) slice.end = std::max(slice.begin, kids[kids.size() - tail]);
        };
        shrink(out.first, kids_a);
        shrink(out.second, kids_b);
        if (kids_a.size() != head + tail + 1 || kids_b.size() != head + tail + 1) return out;
        share(v, w, 1);
        v = kids_a[head];
        w = kids_b[head];
    }
}

InputTree cut(const InputTree &tree, const Slice &slice) {
    InputTree out;
    out.labels.reserve(slice.size());
    out.parents.reserve(slice.size());
    out.labels.push_back(tree.labels[slice.root]);
    out.parents.push_back(-1);
    for (std::int32_t i = slice.begin; i < slice.end; ++i) {
        out.labels.push_back(tree.labels[i]);
        const std::int32_t p = tree.parents[i];
        out.parents.push_back(p == slice.root ? 0 : p - slice.begin + 1);
    }
    return out;
}

}  // namespace codekin::tree_edit
