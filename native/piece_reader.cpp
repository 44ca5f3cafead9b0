// Hands a text to tree-sitter's Python binding in small pieces, and only so many of them.
//
// The binding calls this for every piece; for TypeScript that is several times for each byte.
#include <Python.h>
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "kernels.hpp"

namespace nb = nanobind;

namespace {

constexpr size_t LONGEST_CHARACTER = 4;

class PieceReader {
  public:
    PieceReader(nb::bytes data, size_t piece, int64_t reads, nb::bytes tail, nb::object buffers)
        : data_(std::move(data)), tail_(std::move(tail)), buffers_(std::move(buffers)),
          piece_(piece), left_(reads) {
        const size_t longest = std::max(piece, LONGEST_CHARACTER);
        if (!buffers_.is_none() &&
            (!PyList_CheckExact(buffers_.ptr()) || nb::len(buffers_) <= longest))
            throw nb::value_error("buffers must be a list with a place for each length");
    }

    nb::object read(uint32_t byte, nb::handle) {
        if (--left_ < 0) {
            if (cut_ < 0) cut_ = byte;
            return byte <= cut_ ? nb::object(tail_) : nb::steal(PyBytes_FromStringAndSize("", 0));
        }
        const size_t size = data_.size(), start = std::min<size_t>(byte, size);
        const char *text = data_.c_str() + start;
        size_t length = std::min(piece_, size - start);
        if (piece_ == 1) {
            // The interpreter has each bytes of length one once, and keeps it anyway.
            if (length == 0 || static_cast<unsigned char>(*text) < 0x80) return bytes(text, length);
            // A character is never cut.
            length = std::min(LONGEST_CHARACTER, size - start);
        }
        return buffers_.is_none() ? bytes(text, length) : filled(text, length);
    }

    // The tree holds on to its reader, which must not write where another parse reads.
    void let_go() { buffers_ = nb::none(); }

  private:
    static nb::object bytes(const char *text, size_t length) {
        nb::object made = nb::steal(PyBytes_FromStringAndSize(text, length));
        if (!made.is_valid()) throw nb::python_error();
        return made;
    }

    nb::object filled(const char *text, size_t length) const {
        PyObject *buffer = PyList_GET_ITEM(buffers_.ptr(), length);
        if (PyByteArray_CheckExact(buffer) &&
            static_cast<size_t>(PyByteArray_GET_SIZE(buffer)) == length) {
            std::memcpy(PyByteArray_AS_STRING(buffer), text, length);
            return nb::borrow(buffer);
        }
        nb::object made = nb::steal(PyByteArray_FromStringAndSize(text, length));
        if (!made.is_valid()) throw nb::python_error();
        Py_INCREF(made.ptr());  // PyList_SetItem takes a reference over
        PyList_SetItem(buffers_.ptr(), length, made.ptr());
        return made;
    }

    nb::bytes data_, tail_;
    nb::object buffers_;
    size_t piece_;
    int64_t left_, cut_ = -1;
};

}  // namespace

void register_piece_reader(nb::module_ &m) {
    nb::class_<PieceReader>(m, "PieceReader")
        .def(nb::init<nb::bytes, size_t, int64_t, nb::bytes, nb::object>(), nb::arg("data"),
             nb::arg("piece"), nb::arg("reads"), nb::arg("tail"), nb::arg("buffers").none())
        .def("__call__", &PieceReader::read)
        .def("let_go", &PieceReader::let_go);
}
