// The arrays of a flow IR (src/codekin/represent/flow_ir.py), checked.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>

#include "arrays.hpp"

namespace codekin::flow::effect {

namespace operation_kind {
enum Kind : uint8_t {
    ENTRY, PARAMETER, CONSTANT, ASSIGN, OPERATOR, CALL, INDEX, MEMBER, RETURN, JUMP, PREDICATE,
    FUNCTION, OPAQUE, CLASS, IMPORT,
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
template <typename T>
ArrayIn<T> array_of(const nanobind::object &ir, const char *name) {
    return nanobind::cast<ArrayIn<T>>(ir.attr(name));
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
        : strings(nanobind::cast<nanobind::tuple>(ir.attr("strings"))),
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
        check();
    }

private:
    template <typename T>
    static bool within(const ArrayIn<T> &values, int64_t least, int64_t end) {
        for (size_t i = 0; i < values.size(); ++i)
            if (values(i) < least || values(i) >= end) return false;
        return true;
    }

    static bool is_lists(const ArrayIn<int32_t> &from, size_t count, size_t items) {
        bool fits = from.size() == count + 1 && from(0) == 0 && static_cast<size_t>(from(count)) == items;
        for (size_t i = 0; fits && i < count; ++i) fits = from(i) <= from(i + 1);
        return fits;
    }

    bool functions_fit() const {
        const auto n = static_cast<size_t>(functions);
        bool fits = function_parent.size() == n && function_owner.size() == n && function_kind.size() == n &&
                    function_first.size() == n && function_least.size() == n && function_most.size() == n &&
                    function_start.size() == n && function_end.size() == n;
        fits = fits && within(function_first, 0, operations);
        // An enclosing function comes before what it encloses.
        for (int32_t f = 0; fits && f < functions; ++f) fits = function_parent(f) < std::max(f, 1);
        return fits;
    }

    bool operations_fit() const {
        const auto n = static_cast<size_t>(operations);
        return name.size() == n && function.size() == n && start.size() == n && end.size() == n &&
               within(function, 0, functions) && is_lists(operand_from, n, operand.size()) &&
               within(operand, 0, operations) && is_lists(access_from, n, access_variable.size()) &&
               access_field.size() == access_variable.size() && access_mode.size() == access_variable.size() &&
               within(access_variable, 0, variables) && within(access_field, -1, INT32_MAX - 8);
    }

    bool variables_fit() const {
        const auto n = static_cast<size_t>(variables);
        return variable_owner.size() == n && variable_type.size() == n && variable_kind.size() == n &&
               within(variable_owner, 0, functions) && alias_right.size() == alias_left.size() &&
               alias_kind.size() == alias_left.size() && within(alias_left, 0, variables) &&
               within(alias_right, 0, variables);
    }

    bool calls_fit() const {
        const auto n = static_cast<size_t>(calls);
        return call_name.size() == n && call_arguments.size() == n && call_receiver.size() == n &&
               call_target.size() == n && call_owner.size() == n && call_shape.size() == n &&
               within(call_operation, 0, operations) && within(call_receiver, -1, variables) &&
               within(call_target, -1, functions) && is_lists(argument_from, n, argument_variable.size()) &&
               argument_kind.size() == argument_variable.size() && within(argument_variable, -1, variables);
    }

    void check() const {
        if (!functions_fit() || !operations_fit() || !variables_fit() || !calls_fit())
            throw nanobind::value_error("the arrays are not those of a flow IR");
    }
};

}  // namespace codekin::flow::effect
