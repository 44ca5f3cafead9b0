// Flattens a tree-sitter tree into arrays in depth-first preorder.
//
// The tree-sitter wheel hides its C library, so the walk goes through the Python objects it
// exports (TreeCursor and Node). Calling their descriptors' C functions directly, instead of going
// through attribute look-up and argument parsing, is what keeps flattening cheaper than parsing.
#include <Python.h>

#include <cstdint>
#include <vector>

#include "common/arrays.hpp"

namespace nb = nanobind;

namespace codekin {

namespace {

// An attribute of a foreign type, read by its getter where the type has one.
class Attribute {
  public:
    Attribute(PyObject *type, const char *name) : name_(nb::steal(PyUnicode_InternFromString(name))) {
        nb::object descriptor = nb::steal(PyObject_GetAttr(type, name_.ptr()));
        if (!descriptor.is_valid()) throw nb::python_error();
        if (Py_TYPE(descriptor.ptr()) == &PyGetSetDescr_Type) {
            auto *getset = reinterpret_cast<PyGetSetDescrObject *>(descriptor.ptr())->d_getset;
            getter_ = getset->get;
            closure_ = getset->closure;
        }
    }

    nb::object operator()(PyObject *self) const {
        PyObject *value = getter_ ? getter_(self, closure_) : PyObject_GetAttr(self, name_.ptr());
        if (!value) throw nb::python_error();
        return nb::steal(value);
    }

    uint32_t number(PyObject *self) const {
        nb::object value = (*this)(self);
        if (value.is_none()) return 0;
        const unsigned long result = PyLong_AsUnsignedLong(value.ptr());
        if (result == static_cast<unsigned long>(-1) && PyErr_Occurred()) throw nb::python_error();
        return static_cast<uint32_t>(result);
    }

    bool truth(PyObject *self) const { return (*this)(self).ptr() == Py_True; }

  private:
    nb::object name_;
    getter getter_ = nullptr;
    void *closure_ = nullptr;
};

// A method without arguments that answers True or False.
class Move {
  public:
    Move(PyObject *type, const char *name) : name_(nb::steal(PyUnicode_InternFromString(name))) {
        nb::object descriptor = nb::steal(PyObject_GetAttr(type, name_.ptr()));
        if (!descriptor.is_valid()) throw nb::python_error();
        if (Py_TYPE(descriptor.ptr()) == &PyMethodDescr_Type) {
            auto *method = reinterpret_cast<PyMethodDescrObject *>(descriptor.ptr())->d_method;
            if (method->ml_flags == METH_NOARGS) function_ = method->ml_meth;
        }
    }

    bool operator()(PyObject *self) const {
        PyObject *moved = function_ ? function_(self, nullptr) : PyObject_CallMethodNoArgs(self, name_.ptr());
        if (!moved) throw nb::python_error();
        const bool result = moved == Py_True;
        Py_DECREF(moved);
        return result;
    }

  private:
    nb::object name_;
    PyCFunction function_ = nullptr;
};

struct Access {
    explicit Access(nb::module_ tree_sitter)
        : Access(tree_sitter.attr("Tree"), tree_sitter.attr("Node"), tree_sitter.attr("TreeCursor")) {}

    Access(nb::object tree, nb::object node_type, nb::object cursor_type)
        : tree_type(reinterpret_cast<PyTypeObject *>(tree.inc_ref().ptr())),
          kind(node_type.ptr(), "kind_id"),
          start(node_type.ptr(), "start_byte"),
          end(node_type.ptr(), "end_byte"),
          is_missing(node_type.ptr(), "is_missing"),
          has_error(node_type.ptr(), "has_error"),
          descendants(node_type.ptr(), "descendant_count"),
          node(cursor_type.ptr(), "node"),
          field(cursor_type.ptr(), "field_id"),
          first_child(cursor_type.ptr(), "goto_first_child"),
          next_sibling(cursor_type.ptr(), "goto_next_sibling"),
          parent(cursor_type.ptr(), "goto_parent") {}

    PyTypeObject *const tree_type;
    Attribute kind, start, end, is_missing, has_error, descendants, node, field;
    Move first_child, next_sibling, parent;
};

const Access &access() {
    // Never freed: the interpreter may be gone before static destructors run.
    static const Access *instance = new Access(nb::module_::import_("tree_sitter"));
    return *instance;
}

struct FlatArrays {
    std::vector<uint16_t> kind, field;
    std::vector<int32_t> parent, size, start, end, missing;

    void reserve(size_t n) {
        kind.reserve(n), field.reserve(n);
        parent.reserve(n), size.reserve(n), start.reserve(n), end.reserve(n);
    }
};

FlatArrays walk(nb::object tree) {
    const Access &at = access();
    FlatArrays out;
    nb::object root = tree.attr("root_node");
    out.reserve(at.descendants.number(root.ptr()));
    const bool broken = at.has_error.truth(root.ptr());
    root.reset();

    nb::object cursor = tree.attr("walk")();
    PyObject *c = cursor.ptr();
    int32_t parent = -1;
    for (;;) {
        const auto index = static_cast<int32_t>(out.kind.size());
        {
            nb::object node = at.node(c);
            out.kind.push_back(static_cast<uint16_t>(at.kind.number(node.ptr())));
            out.start.push_back(static_cast<int32_t>(at.start.number(node.ptr())));
            out.end.push_back(static_cast<int32_t>(at.end.number(node.ptr())));
            if (broken && at.is_missing.truth(node.ptr())) out.missing.push_back(index);
        }
        out.field.push_back(static_cast<uint16_t>(at.field.number(c)));
        out.parent.push_back(parent);
        out.size.push_back(1);

        if (at.first_child(c)) {
            parent = index;
            continue;
        }
        while (!at.next_sibling(c)) {
            if (parent < 0 || !at.parent(c)) return out;
            parent = out.parent[parent];
        }
    }
}

// The getters are called directly and so do not check what they are called on.
nb::tuple flatten(nb::object tree) {
    if (Py_TYPE(tree.ptr()) != access().tree_type) throw nb::type_error("tree must be a tree_sitter.Tree");
    FlatArrays flat = walk(std::move(tree));
    // A child stands after its parent, so one sweep from the end sums the subtree sizes.
    for (size_t i = flat.size.size(); i-- > 1;) flat.size[flat.parent[i]] += flat.size[i];
    return nb::make_tuple(to_numpy(std::move(flat.kind)), to_numpy(std::move(flat.field)),
                          to_numpy(std::move(flat.parent)), to_numpy(std::move(flat.size)),
                          to_numpy(std::move(flat.start)), to_numpy(std::move(flat.end)),
                          to_numpy(std::move(flat.missing)));
}

}  // namespace

void register_flat_tree(nb::module_ &m) {
    m.def("flatten", &flatten, nb::arg("tree"),
          "Arrays (kind, field, parent, size, start, end, missing) of a tree_sitter.Tree in preorder.");
}

}  // namespace codekin
