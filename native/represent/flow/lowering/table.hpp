// How a language's syntax becomes flow: rules by kind of node, and the language's facts.
// The meaning of shapes, slots and flags stands in src/codekin/languages/lowering_rules.py.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace codekin::flow {

// clang-format off
enum class Shape : uint8_t {
    SKIP, COMMENT, SEQUENCE, EXPRESSION, NAME, LITERAL, BINARY, CHAIN, UNARY, UPDATE, ASSIGN,
    DECLARE, DECLARATION, DECLARATOR, CALL, METHOD_CALL, NEW, MEMBER, INDEX, OPERATION,
    CONDITIONAL, FUNCTION, PARAMETER, CLASS, COMPREHENSION, FOR_CLAUSE, IF_CLAUSE, IF, WHILE, DO,
    FOR, FOR_EACH, LOOP, SWITCH, CASE, TRY, CATCH, FINALLY, WITH, WITH_ITEM, RETURN, BREAK,
    CONTINUE, THROW, GOTO, LABELED, DEFER, ASSERT, GLOBAL, NONLOCAL, LET, PAIR, MACRO, PROPAGATE,
    FALLTHROUGH, YIELD, ADDRESS, DEREF, PATTERN, SPREAD, IMPORT,
};
// clang-format on

namespace slot {
// clang-format off
enum Slot : uint8_t {
    NAME, LEFT, RIGHT, OPERATOR, CONDITION, BODY, OTHERWISE, INIT, UPDATE, VALUE, OBJECT, ARGUMENTS,
    FUNCTION, TYPE, PARAMETERS, LABEL, HANDLERS, FINALLY, GUARD, ITEMS, BASES, RECEIVER, COUNT,
};
// clang-format on
}  // namespace slot
using slot::Slot;

namespace flag {
// clang-format off
enum Flag : uint32_t {
    SCOPE = 1u << 0, VALUE = 1u << 1, NUMBER = 1u << 2, STRING = 1u << 3, TRUE = 1u << 4,
    FALSE = 1u << 5, NONE = 1u << 6, EACH = 1u << 7, HOISTED = 1u << 8, REFERENCE = 1u << 9,
    POINTER = 1u << 10, PROTOTYPE = 1u << 11, METHOD = 1u << 12, STATIC = 1u << 13,
    CONSTRUCTOR = 1u << 14, LAMBDA = 1u << 15, VARARGS = 1u << 16, RECEIVER = 1u << 17,
    FALLS = 1u << 18, DEFAULT = 1u << 19, PATTERN = 1u << 20, TARGET = 1u << 21,
    DECLARES = 1u << 22, BINDS = 1u << 23, EXPRESSION = 1u << 24,
    GETTER = 1u << 25, INITIALIZER = 1u << 26, UNTYPED = 1u << 27,
};
// clang-format on
}  // namespace flag

struct Selector {
    enum By : uint8_t { FIELD, KIND, PLACE, REST } by;
    int32_t id;
};

struct Rule {
    Shape shape = Shape::EXPRESSION;
    uint32_t flags = 0;
    std::string label;
    std::array<std::vector<Selector>, slot::COUNT> slots;

    bool is(uint32_t wanted) const { return (flags & wanted) != 0; }
};

enum class Reach : uint8_t { NONE, ELEMENT, SAME, ARGUMENTS, PLACE, JOINED, COPY };

struct Effect {
    bool receiver = false;
    std::vector<int32_t> changed, assigned, bound, kept;
    int32_t after = 0;
    Reach result = Reach::NONE;
    bool ends = false;
};

// Words; what is longer than all of them is not looked up, however long it is.
class Words {
  public:
    void insert(std::string_view word) {
        all_.insert(word);
        longest_ = std::max(longest_, word.size());
    }
    size_t count(std::string_view word) const { return word.size() > longest_ ? 0 : all_.count(word); }
    bool empty() const { return all_.empty(); }

  private:
    std::unordered_set<std::string_view> all_;
    size_t longest_ = 0;
};
template <class T> using ByWord = std::unordered_map<std::string_view, T>;

struct Table {
    std::vector<int16_t> rule_of;    // by kind number; -1: none
    std::vector<int32_t> canonical;  // by kind number: the first kind of the same name
    std::vector<uint8_t> named;      // by kind number
    std::vector<Rule> rules;
    std::vector<std::string> texts;  // what the views below look at
    ByWord<std::string_view> operators;
    ByWord<std::string_view> streams;
    ByWord<Effect> effects;
    Words logical, receivers, primitives, raising, constructors, quiet, hoisting, parts, values;
    std::vector<std::string_view> receiver_names;  // the receivers, in order
    std::string wildcard;
    bool first_receiver = false;
    bool assignment_declares = false;
    bool class_scope = true;
    bool pointer_arithmetic = false;
    bool references = false;
    bool member_effects = false;  // some effects are of methods alone
    bool declared_first = false;
    bool shadowing = false;
    bool capital_constants = false;
    bool capital_types = false;
};

}  // namespace codekin::flow
