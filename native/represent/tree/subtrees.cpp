// Shapes of subtrees: a number for each, equal where tree-sitter writes the same S-expression.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/arrays.hpp"
#include "common/bits.hpp"
#include "common/checks.hpp"

namespace nb = nanobind;

namespace codekin {

namespace {

uint64_t mixed(uint64_t h, uint64_t word) {
    return folded_product(h ^ word ^ 0x9E3779B97F4A7C15ull, 0xD6E8FEB86659FD93ull) + 0xA0761D6478BD642Full;
}

// How a kind of node takes part in the S-expression; the same numbers stand in represent/tree/subtrees.py.
enum Part : uint8_t {
    SILENT = 0,  // not written, its children are: anonymous tokens
    WRITTEN = 1,
    LEFT_OUT = 2  // with all that stands inside it: comments
};

struct Shapes {
    ArrayIn<uint16_t> kind, field;
    ArrayIn<int32_t> parent, size;
    ArrayIn<uint64_t> kind_label, field_label;
    ArrayIn<uint8_t> part;
    std::vector<uint64_t> own;  // what a node's own label adds: made up by the parser, unreadable text
    std::vector<uint8_t> gone;  // nodes left out by number: docstrings
    std::vector<uint64_t> shape;

    bool is_left_out(int32_t node) const {
        return part(kind(node)) == LEFT_OUT || (!gone.empty() && gone[node]);
    }

    // The field under which a node is written; a silent parent hands its own down.
    uint64_t field_of(int32_t node, int32_t above) const {
        for (int32_t i = node; i != above; i = parent(i))
            if (field(i) != 0) return field_label(field(i));
        return 0;
    }

    void compute(int32_t node) {
        uint64_t h = mixed(kind_label(kind(node)), own.empty() ? 0 : own[node]);
        for (int32_t i = node + 1; i < node + size(node);) {
            const uint8_t how = part(kind(i));
            if (how == SILENT && (own.empty() || own[i] == 0)) {
                ++i;
                continue;
            }
            if (!is_left_out(i)) h = mixed(mixed(h, field_of(i, node)), shape[i]);
            i += size(i);
        }
        shape[node] = mixed(h, 0x5CA1AB1Eull);
    }
};

// Arrays (shape, node) of the subtrees with children and of the root, sorted by shape.
nb::tuple subtree_shapes(ArrayIn<uint16_t> kind, ArrayIn<uint16_t> field, ArrayIn<int32_t> parent,
                         ArrayIn<int32_t> size, ArrayIn<uint64_t> kind_label, ArrayIn<uint64_t> field_label,
                         ArrayIn<uint8_t> part, ArrayIn<int32_t> special, ArrayIn<uint64_t> special_label,
                         ArrayIn<int32_t> left_out, ArrayIn<uint8_t> hidden) {
    const auto n = static_cast<int32_t>(kind.size());
    check::length("kind_label", kind_label.size(), check::KINDS);
    check::length("part", part.size(), check::KINDS);
    check::length("hidden", hidden.size(), check::KINDS);
    check::tree(kind, field, parent, size);
    check::same_length("special", special.size(), {{"special_label", special_label.size()}});
    check::all_in_range("field", field, 0, static_cast<int64_t>(field_label.size()));
    check::all_in_range("special", special, 0, n);
    check::all_in_range("left_out", left_out, 0, n);
    Shapes shapes{kind, field, parent, size, kind_label, field_label, part, {}, {}, {}};
    std::vector<std::pair<uint64_t, int32_t>> found;
    {
        nb::gil_scoped_release unlocked;
        shapes.shape.resize(n);
        if (special.size() > 0) shapes.own.assign(n, 0);
        for (size_t i = 0; i < special.size(); ++i) shapes.own[special(i)] = special_label(i);
        if (left_out.size() > 0) shapes.gone.assign(n, 0);
        for (size_t i = 0; i < left_out.size(); ++i) shapes.gone[left_out(i)] = 1;
        for (int32_t i = n; i-- > 0;) shapes.compute(i);
        for (int32_t i = 0; i < n;) {
            if (shapes.is_left_out(i)) {
                i += size(i);
                continue;
            }
            if ((i == 0 || size(i) > 1) && !hidden(kind(i))) found.emplace_back(shapes.shape[i], i);
            ++i;
        }
        std::sort(found.begin(), found.end());
    }
    std::vector<uint64_t> shape;
    std::vector<int32_t> node;
    for (const auto &f : found) shape.push_back(f.first), node.push_back(f.second);
    return nb::make_tuple(to_numpy(std::move(shape)), to_numpy(std::move(node)));
}

// How many of the sorted numbers `a` stand in `b` too, each as often as it stands in `a`.
// Numbers out of order are counted wrong, and that is all: to look for them would take a third of the time.
size_t members(ArrayIn<uint64_t> a, ArrayIn<uint64_t> b) {
    size_t i = 0, j = 0, common = 0;
    while (i < a.size() && j < b.size()) {
        if (a(i) == b(j))
            ++common, ++i;
        else if (a(i) < b(j))
            ++i;
        else
            ++j;
    }
    return common;
}

}  // namespace

void register_subtrees(nb::module_ &m) {
    m.def("subtree_shapes", &subtree_shapes, nb::arg("kind"), nb::arg("field"), nb::arg("parent"),
          nb::arg("size"), nb::arg("kind_label"), nb::arg("field_label"), nb::arg("part"), nb::arg("special"),
          nb::arg("special_label"), nb::arg("left_out"), nb::arg("hidden"),
          "Arrays (shape, node) of the subtrees with children, sorted by shape.");
    m.def("sorted_members", &members, nb::arg("a"), nb::arg("b"),
          "How many of the sorted numbers `a` stand in `b` too, however often.");
}

}  // namespace codekin
