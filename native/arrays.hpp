// Moving std::vectors into numpy arrays without a copy, and reading arrays in.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <vector>

template <typename T>
using Vector = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>;

template <typename T>
using ArrayIn = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

template <typename T>
Vector<T> to_numpy(std::vector<T> &&values) {
    auto *owned = new std::vector<T>(std::move(values));
    nanobind::capsule owner(owned, [](void *p) noexcept { delete static_cast<std::vector<T> *>(p); });
    return Vector<T>(owned->data(), {owned->size()}, owner);
}

// Raises ValueError unless the arrays are those of a flat tree in preorder, with sound nesting.
inline void check_tree(const ArrayIn<uint16_t> &kind, const ArrayIn<uint16_t> &field,
                       const ArrayIn<int32_t> &parent, const ArrayIn<int32_t> &size) {
    const size_t n = kind.size();
    bool fits = n < INT32_MAX && field.size() == n && parent.size() == n && size.size() == n;
    for (size_t k = 0; fits && k < n; ++k) {
        const auto i = static_cast<int32_t>(k);
        int32_t above = i - 1;  // the innermost node that is not over yet
        while (above >= 0 && i >= above + size(above)) above = parent(above);
        const auto stop = above < 0 ? static_cast<int64_t>(n) : int64_t{above} + size(above);
        fits = parent(k) == above && size(k) >= 1 && int64_t{i} + size(k) <= stop;
    }
    if (!fits) throw nanobind::value_error("the arrays are not those of a tree");
}

// The same, and that the spans lie in a text of so many bytes.
inline void check_tree(size_t length, const ArrayIn<uint16_t> &kind, const ArrayIn<uint16_t> &field,
                       const ArrayIn<int32_t> &parent, const ArrayIn<int32_t> &size,
                       const ArrayIn<int32_t> &start, const ArrayIn<int32_t> &end) {
    check_tree(kind, field, parent, size);
    const size_t n = kind.size();
    bool fits = length <= INT32_MAX && start.size() == n && end.size() == n;
    for (size_t i = 0; fits && i < n; ++i)
        fits = start(i) >= 0 && start(i) <= end(i) && static_cast<size_t>(end(i)) <= length;
    if (!fits) throw nanobind::value_error("the arrays are not those of a tree of this text");
}
