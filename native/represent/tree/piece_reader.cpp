// Hands a text to tree-sitter's Python binding in small pieces, until the parser has done too much.
//
// The binding calls this for every piece; for TypeScript that is several times for each byte. Where a
// limit is reached, the parser finds the end of the text.
#include <Python.h>
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "common/checks.hpp"
#include "represent/tree/parse_meter.hpp"

namespace nb = nanobind;

namespace codekin {

namespace {

constexpr size_t LONGEST_CHARACTER = 4;
constexpr int64_t MOST = INT32_MAX;
constexpr int64_t HARMLESS = 2000;  // a stack that takes some megabytes at most, however it is read

// How much the parser may do with a text.
struct Limits {
    int64_t reads, allocations, allocations_per_byte, stack_nodes;
};

class PieceReader {
  public:
    PieceReader(nb::bytes data, size_t piece, nb::bytes tail, nb::object buffers, int64_t reads,
                int64_t allocations, int64_t allocations_per_byte, int64_t stack_nodes, size_t node_bytes)
        : data_(std::move(data)),
          tail_(std::move(tail)),
          buffers_(std::move(buffers)),
          piece_(piece),
          limits_{reads, allocations, allocations_per_byte, stack_nodes},
          meter_(node_bytes) {
        const size_t longest = std::max(piece, LONGEST_CHARACTER);
        if (piece == 0) check::refuse("piece must be at least 1");
        check::in_range("reads", reads, 0, MOST);
        check::in_range("allocations", allocations, 0, MOST);
        check::in_range("allocations_per_byte", allocations_per_byte, 0, MOST);
        check::in_range("stack_nodes", stack_nodes, 0, MOST);
        if (!buffers_.is_none() && (!PyList_CheckExact(buffers_.ptr()) || nb::len(buffers_) <= longest))
            throw nb::value_error("buffers must be a list with a place for each length");
    }

    nb::object read(uint32_t byte, nb::handle) {
        // A character that a piece cuts in two is asked for again, and tree-sitter crashes where it then
        // finds the end of the text.
        const bool again = byte >= last_start_ && byte < last_end_;
        if (cut_ < 0 && too_much(byte) && !again) cut_ = byte;
        if (cut_ >= 0) return byte <= cut_ ? nb::object(tail_) : bytes("", 0);
        const size_t size = data_.size(), start = std::min<size_t>(byte, size);
        const char *text = data_.c_str() + start;
        size_t length = std::min(piece_, size - start);
        const bool single = piece_ == 1 && (length == 0 || static_cast<unsigned char>(*text) < 0x80);
        // A character is never cut.
        if (piece_ == 1 && !single) length = std::min(LONGEST_CHARACTER, size - start);
        last_start_ = static_cast<int64_t>(start);
        last_end_ = last_start_ + static_cast<int64_t>(length);
        // The interpreter has each bytes of length one once, and keeps it anyway.
        return single || buffers_.is_none() ? bytes(text, length) : filled(text, length);
    }

    void start() { meter_.start(); }

    // The tree holds on to its reader, which must not write where another parse reads.
    void stop() {
        meter_.stop();
        buffers_ = nb::none();
    }

    // Where the text was cut off for the parser; -1 if it was not.
    int64_t cut() const { return cut_; }
    int64_t allocations() const { return meter_.allocations(); }
    size_t commonest_size() const { return meter_.commonest_size(); }

  private:
    // What tree-sitter does where the text ends takes memory by the square of its stack, if what is on
    // it can be read in several ways; those are what makes for many allocations a byte.
    bool too_much(int64_t byte) {
        const int64_t made = meter_.allocations(), deep = meter_.stack_nodes();
        return ++reads_ > limits_.reads || made - limits_.allocations > limits_.allocations_per_byte * byte ||
               (deep > HARMLESS && deep * std::max(made, byte) > limits_.stack_nodes * byte);
    }

    static nb::object bytes(const char *text, size_t length) {
        nb::object made = nb::steal(PyBytes_FromStringAndSize(text, length));
        if (!made.is_valid()) throw nb::python_error();
        return made;
    }

    nb::object filled(const char *text, size_t length) const {
        if (static_cast<size_t>(PyList_GET_SIZE(buffers_.ptr())) <= length)
            throw nb::value_error("buffers must keep a place for each length");
        PyObject *buffer = PyList_GET_ITEM(buffers_.ptr(), length);
        if (PyByteArray_CheckExact(buffer) && static_cast<size_t>(PyByteArray_GET_SIZE(buffer)) == length) {
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
    Limits limits_;
    ParseMeter meter_;
    int64_t reads_ = 0, cut_ = -1, last_start_ = 0, last_end_ = 0;
};

}  // namespace

void register_piece_reader(nb::module_ &m) {
    nb::class_<PieceReader>(m, "PieceReader")
        .def(nb::init<nb::bytes, size_t, nb::bytes, nb::object, int64_t, int64_t, int64_t, int64_t, size_t>(),
             nb::arg("data"), nb::arg("piece"), nb::arg("tail"), nb::arg("buffers").none(), nb::arg("reads"),
             nb::arg("allocations"), nb::arg("allocations_per_byte"), nb::arg("stack_nodes"),
             nb::arg("node_bytes"))
        .def("__call__", &PieceReader::read)
        .def("start", &PieceReader::start)
        .def("stop", &PieceReader::stop)
        .def_prop_ro("cut", &PieceReader::cut)
        .def_prop_ro("allocations", &PieceReader::allocations)
        .def_prop_ro("commonest_size", &PieceReader::commonest_size);
}

}  // namespace codekin
