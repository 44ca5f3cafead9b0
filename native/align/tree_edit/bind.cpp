#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <limits>
#include <stdexcept>
#include <string>

#include "align/tree_edit/tree_edit.hpp"
#include "common/arrays.hpp"

namespace nb = nanobind;

namespace codekin {

// Adds the tree edit distance to the extension module.
void register_tree_edit(nb::module_ &m);

namespace {

using tree_edit::Costs;
using tree_edit::InputTree;
using tree_edit::Limits;
using tree_edit::Mapping;
using tree_edit::Result;

using Array = Unconverted<nb::ro, nb::ndim<1>>;  // of integers of any width

template <class From, class To> void copy_as(const Array &array, std::vector<To> &out) {
    const From *data = static_cast<const From *>(array.data());
    out.resize(array.shape(0));
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = static_cast<To>(data[i]);
        if (static_cast<From>(out[i]) != data[i] || (out[i] < 0) != (data[i] < From(0)))
            throw nb::value_error("an entry is out of range");
    }
}

template <class To> void copy_integers(const Array &array, const char *name, std::vector<To> &out) {
    const nb::dlpack::dtype type = array.dtype();
    if (type == nb::dtype<std::int32_t>()) return copy_as<std::int32_t>(array, out);
    if (type == nb::dtype<std::int64_t>()) return copy_as<std::int64_t>(array, out);
    if (type == nb::dtype<std::uint32_t>()) return copy_as<std::uint32_t>(array, out);
    if (type == nb::dtype<std::uint64_t>()) return copy_as<std::uint64_t>(array, out);
    if (type == nb::dtype<std::int16_t>()) return copy_as<std::int16_t>(array, out);
    if (type == nb::dtype<std::uint16_t>()) return copy_as<std::uint16_t>(array, out);
    if (type == nb::dtype<std::int8_t>()) return copy_as<std::int8_t>(array, out);
    if (type == nb::dtype<std::uint8_t>()) return copy_as<std::uint8_t>(array, out);
    throw nb::type_error((std::string(name) + " must be an array of integers").c_str());
}

// A copy, so that nothing changes it while the interpreter lock is released.
InputTree input_tree(const Array &labels, const Array &parents) {
    InputTree tree;
    copy_integers(labels, "labels", tree.labels);
    copy_integers(parents, "parents", tree.parents);
    return tree;
}

Result compute(const Array &labels1, const Array &parents1, const Array &labels2, const Array &parents2,
               const Costs &costs, const Limits &limits, Mapping *mapping) {
    const InputTree first = input_tree(labels1, parents1), second = input_tree(labels2, parents2);
    const nb::gil_scoped_release release;
    return tree_edit::tree_edit_distance(first, second, costs, limits, mapping);
}

nb::tuple distance(const Array &labels1, const Array &parents1, const Array &labels2, const Array &parents2,
                   double del, double ins, double ren, std::int64_t steps, std::int64_t memory) {
    const Result r = compute(labels1, parents1, labels2, parents2, {del, ins, ren}, {steps, memory}, nullptr);
    return nb::make_tuple(r.lower, r.upper, r.exact, r.steps);
}

nb::tuple mapping(const Array &labels1, const Array &parents1, const Array &labels2, const Array &parents2,
                  double del, double ins, double ren, std::int64_t steps, std::int64_t memory) {
    Mapping pairs;
    const Result r = compute(labels1, parents1, labels2, parents2, {del, ins, ren}, {steps, memory}, &pairs);
    nb::list list;
    for (const auto &[i, j] : pairs) list.append(nb::make_tuple(i, j));
    return nb::make_tuple(list, r.lower, r.upper, r.exact, r.steps);
}

constexpr std::int64_t kDefaultMemory = std::int64_t(1) << 30;

}  // namespace

void register_tree_edit(nb::module_ &m) {
    m.def("tree_edit_distance", &distance, nb::arg("labels1"), nb::arg("parents1"), nb::arg("labels2"),
          nb::arg("parents2"), nb::arg("delete"), nb::arg("insert"), nb::arg("rename"), nb::arg("steps"),
          nb::arg("memory") = kDefaultMemory,
          "Tree edit distance of two trees in preorder: (lower, upper, exact, steps used).");
    m.def("tree_edit_mapping", &mapping, nb::arg("labels1"), nb::arg("parents1"), nb::arg("labels2"),
          nb::arg("parents2"), nb::arg("delete"), nb::arg("insert"), nb::arg("rename"), nb::arg("steps"),
          nb::arg("memory") = kDefaultMemory,
          "An edit mapping of cost upper: (pairs, lower, upper, exact, steps used).");
}

}  // namespace codekin
