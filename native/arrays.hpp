// Moving std::vectors into numpy arrays without a copy, and reading arrays in.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

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
