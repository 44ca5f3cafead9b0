// Moving std::vectors into numpy arrays without a copy, and reading arrays in.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace codekin {

template <typename T> using Vector = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>;

// An array that a kernel reads as it is. nanobind alone would convert another dtype or layout without a
// word, and so copy every time, wrap a number that does not fit, and cut a fraction off.
template <typename... Args> class Unconverted
    : public nanobind::ndarray<Args..., nanobind::c_contig, nanobind::device::cpu> {
  public:
    using Base = nanobind::ndarray<Args..., nanobind::c_contig, nanobind::device::cpu>;
    using Base::Base;
    explicit Unconverted(Base &&array) : Base(std::move(array)) {}
};

template <typename T> using ArrayIn = Unconverted<const T, nanobind::ndim<1>>;

// A table with a fixed number of columns, or (-1) any.
template <typename T, int64_t COLUMNS> using TableIn = Unconverted<const T, nanobind::shape<-1, COLUMNS>>;

}  // namespace codekin

namespace nanobind::detail {

template <typename... Args> struct type_caster<codekin::Unconverted<Args...>> {
    using Array = codekin::Unconverted<Args...>;
    using Base = typename Array::Base;

    NB_TYPE_CASTER(Array, type_caster<Base>::Name)

    bool from_python(handle src, uint32_t flags, cleanup_list *cleanup) noexcept {
        type_caster<Base> caster;
        if (!caster.from_python(src, flags & ~static_cast<uint32_t>(cast_flags::convert), cleanup))
            return false;
        // A view into bytes may begin anywhere, and the kernels read whole numbers.
        const size_t width = caster.value.itemsize();
        if (width > 1 && reinterpret_cast<uintptr_t>(caster.value.data()) % width != 0) return false;
        value = Array(std::move(caster.value));
        return true;
    }
};

}  // namespace nanobind::detail

namespace codekin {

template <typename T> Vector<T> to_numpy(std::vector<T> &&values) {
    auto *owned = new std::vector<T>(std::move(values));
    nanobind::capsule owner(owned, [](void *p) noexcept { delete static_cast<std::vector<T> *>(p); });
    return Vector<T>(owned->data(), {owned->size()}, owner);
}

}  // namespace codekin
