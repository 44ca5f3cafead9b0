// The arrays of a flow IR (src/codekin/represent/flow/flow_ir.py), checked.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "common/arrays.hpp"
#include "common/checks.hpp"

namespace codekin::flow::effect {

namespace operation_kind {
enum Kind : uint8_t {
    ENTRY,
    PARAMETER,
    CONSTANT,
    ASSIGN,
    OPERATOR,
    CALL,
    INDEX,
    MEMBER,
    RETURN,
    JUMP,
    PREDICATE,
    FUNCTION,
    OPAQUE,
    CLASS,
    IMPORT,
};
}
namespace function_kind {
enum Kind : uint8_t { MODULE, FUNCTION, METHOD, LAMBDA, STATIC, CONSTRUCTOR };
}
namespace access_mode {
enum Mode : uint8_t { READ, BASE, LOAD, DEFINE, MAYBE, STORE };
}
namespace variable_kind {
enum Kind : uint8_t { LOCAL, PARAMETER, GLOBAL, FIELD, RECEIVER };
}
namespace alias_kind {
enum Kind : uint8_t { COPY, ADDRESS, ELEMENT };
}
namespace call_shape {
enum Shape : uint8_t { PLAIN, MEMBER, CONSTRUCTION, OWN_MEMBER };
}

// Steps that may still be taken. Everything whose cost can grow faster than the text takes its
// steps from here; where they run out, what is left is not looked at, and the result says so.
struct Budget {
    int64_t left;
    int64_t room = left / 4;  // of memory, in words of eight bytes

    bool take(int64_t steps = 1) { return (left -= steps) >= 0; }
    // To merge two sorted lists costs less than to find out what is in them.
    bool merge(size_t first, size_t second) { return take(1 + static_cast<int64_t>((first + second) / 8)); }
    // Room for words that are kept; without it no further step is taken either.
    bool keep(size_t words) {
        room -= static_cast<int64_t>(words);
        if (room < 0) left = std::min<int64_t>(left, -1);
        return room >= 0;
    }
    bool is_spent() const { return left < 0; }
};

// What an attribute of the IR holds.
template <typename T> ArrayIn<T> array_of(const nanobind::object &ir, const char *name) {
    ArrayIn<T> array;
    if (!nanobind::try_cast(nanobind::getattr(ir, name, nanobind::none()), array))
        throw nanobind::type_error((std::string("ir.") + name + " must be a contiguous array of " +
                                    nanobind::detail::dtype_name<T>::name.text)
                                       .c_str());
    return array;
}

inline nanobind::tuple strings_of(const nanobind::object &ir) {
    const nanobind::object strings = nanobind::getattr(ir, "strings", nanobind::none());
    bool fits = PyTuple_Check(strings.ptr());
    for (Py_ssize_t i = 0; fits && i < PyTuple_GET_SIZE(strings.ptr()); ++i)
        fits = PyUnicode_Check(PyTuple_GET_ITEM(strings.ptr(), i));
    if (!fits) throw nanobind::type_error("ir.strings must be a tuple of str");
    return nanobind::borrow<nanobind::tuple>(strings);
}

struct FlowArrays {
    nanobind::tuple strings;
    ArrayIn<int32_t> function_name, function_parent, function_owner, function_start, function_end;
    ArrayIn<int32_t> function_first, function_least, function_most;
    ArrayIn<uint8_t> function_kind, kind;
    ArrayIn<int32_t> name, function, start, end, operand_from, operand;
    ArrayIn<int32_t> access_from, access_variable, access_field;
    ArrayIn<uint8_t> access_mode;
    ArrayIn<int32_t> variable_name, variable_owner, variable_type;
    ArrayIn<uint8_t> variable_kind;
    ArrayIn<int32_t> alias_left, alias_right;
    ArrayIn<uint8_t> alias_kind;
    ArrayIn<int32_t> call_operation, call_name, call_arguments, call_receiver, call_target, call_owner;
    ArrayIn<uint8_t> call_shape;
    ArrayIn<int32_t> argument_from, argument_variable;
    ArrayIn<uint8_t> argument_kind;
    int32_t functions, operations, variables, calls;

    explicit FlowArrays(const nanobind::object &ir)
        : strings(strings_of(ir)),
          function_name(array_of<int32_t>(ir, "function_name")),
          function_parent(array_of<int32_t>(ir, "function_parent")),
          function_owner(array_of<int32_t>(ir, "function_owner")),
          function_start(array_of<int32_t>(ir, "function_start")),
          function_end(array_of<int32_t>(ir, "function_end")),
          function_first(array_of<int32_t>(ir, "function_first_operation")),
          function_least(array_of<int32_t>(ir, "function_least")),
          function_most(array_of<int32_t>(ir, "function_most")),
          function_kind(array_of<uint8_t>(ir, "function_kind")),
          kind(array_of<uint8_t>(ir, "kind")),
          name(array_of<int32_t>(ir, "name")),
          function(array_of<int32_t>(ir, "function")),
          start(array_of<int32_t>(ir, "start")),
          end(array_of<int32_t>(ir, "end")),
          operand_from(array_of<int32_t>(ir, "operand_offsets")),
          operand(array_of<int32_t>(ir, "operands")),
          access_from(array_of<int32_t>(ir, "access_offsets")),
          access_variable(array_of<int32_t>(ir, "access_variable")),
          access_field(array_of<int32_t>(ir, "access_field")),
          access_mode(array_of<uint8_t>(ir, "access_mode")),
          variable_name(array_of<int32_t>(ir, "variable_name")),
          variable_owner(array_of<int32_t>(ir, "variable_owner")),
          variable_type(array_of<int32_t>(ir, "variable_type")),
          variable_kind(array_of<uint8_t>(ir, "variable_kind")),
          alias_left(array_of<int32_t>(ir, "alias_left")),
          alias_right(array_of<int32_t>(ir, "alias_right")),
          alias_kind(array_of<uint8_t>(ir, "alias_kind")),
          call_operation(array_of<int32_t>(ir, "call_operation")),
          call_name(array_of<int32_t>(ir, "call_name")),
          call_arguments(array_of<int32_t>(ir, "call_arguments")),
          call_receiver(array_of<int32_t>(ir, "call_receiver")),
          call_target(array_of<int32_t>(ir, "call_target")),
          call_owner(array_of<int32_t>(ir, "call_owner")),
          call_shape(array_of<uint8_t>(ir, "call_shape")),
          argument_from(array_of<int32_t>(ir, "argument_offsets")),
          argument_variable(array_of<int32_t>(ir, "argument_variable")),
          argument_kind(array_of<uint8_t>(ir, "argument_kind")),
          functions(static_cast<int32_t>(function_name.size())),
          operations(static_cast<int32_t>(kind.size())),
          variables(static_cast<int32_t>(variable_name.size())),
          calls(static_cast<int32_t>(call_operation.size())) {
        check_functions();
        check_operations();
        check_variables();
        check_calls();
    }

  private:
    // So that nodes of all kinds, and variables with what functions give back, can be numbered together.
    static constexpr uint64_t MOST = uint64_t{1} << 28;

    void check_functions() const {
        check::at_most("functions", function_name.size(), MOST);
        check::same_length("ir.function_name", function_name.size(),
                           {{"ir.function_parent", function_parent.size()},
                            {"ir.function_owner", function_owner.size()},
                            {"ir.function_kind", function_kind.size()},
                            {"ir.function_first_operation", function_first.size()},
                            {"ir.function_least", function_least.size()},
                            {"ir.function_most", function_most.size()},
                            {"ir.function_start", function_start.size()},
                            {"ir.function_end", function_end.size()}});
        check::all_in_range("ir.function_first_operation", function_first, 0, operations);
        check::all_in_range("ir.function_parent", function_parent, -1, functions);
        for (int32_t f = 0; f < functions; ++f)
            if (function_parent(f) >= std::max(f, 1))
                check::refuse("ir.function_parent[" + std::to_string(f) + "] is " +
                              std::to_string(function_parent(f)) +
                              "; an enclosing function comes before what it encloses");
    }

    void check_operations() const {
        check::at_most("operations", kind.size(), MOST);
        check::same_length("ir.kind", kind.size(),
                           {{"ir.name", name.size()},
                            {"ir.function", function.size()},
                            {"ir.start", start.size()},
                            {"ir.end", end.size()}});
        check::all_in_range("ir.function", function, 0, functions);
        check::offsets("ir.operand_offsets", operand_from, kind.size(), operand.size());
        check::all_in_range("ir.operands", operand, 0, operations);
        check::offsets("ir.access_offsets", access_from, kind.size(), access_variable.size());
        check::same_length(
            "ir.access_variable", access_variable.size(),
            {{"ir.access_field", access_field.size()}, {"ir.access_mode", access_mode.size()}});
        check::all_in_range("ir.access_variable", access_variable, 0, variables);
        check::all_in_range("ir.access_field", access_field, -1, INT32_MAX - 8);
    }

    void check_variables() const {
        check::at_most("variables", variable_name.size(), MOST);
        check::same_length("ir.variable_name", variable_name.size(),
                           {{"ir.variable_owner", variable_owner.size()},
                            {"ir.variable_type", variable_type.size()},
                            {"ir.variable_kind", variable_kind.size()}});
        check::all_in_range("ir.variable_owner", variable_owner, 0, functions);
        check::same_length("ir.alias_left", alias_left.size(),
                           {{"ir.alias_right", alias_right.size()}, {"ir.alias_kind", alias_kind.size()}});
        check::all_in_range("ir.alias_left", alias_left, 0, variables);
        check::all_in_range("ir.alias_right", alias_right, 0, variables);
    }

    void check_calls() const {
        check::at_most("calls", call_operation.size(), MOST);
        check::same_length("ir.call_operation", call_operation.size(),
                           {{"ir.call_name", call_name.size()},
                            {"ir.call_arguments", call_arguments.size()},
                            {"ir.call_receiver", call_receiver.size()},
                            {"ir.call_target", call_target.size()},
                            {"ir.call_owner", call_owner.size()},
                            {"ir.call_shape", call_shape.size()}});
        check::all_in_range("ir.call_operation", call_operation, 0, operations);
        check::all_in_range("ir.call_receiver", call_receiver, -1, variables);
        check::all_in_range("ir.call_target", call_target, -1, functions);
        check::offsets("ir.argument_offsets", argument_from, call_operation.size(), argument_variable.size());
        check::same_length("ir.argument_variable", argument_variable.size(),
                           {{"ir.argument_kind", argument_kind.size()}});
        check::all_in_range("ir.argument_variable", argument_variable, -1, variables);
    }
};

}  // namespace codekin::flow::effect
