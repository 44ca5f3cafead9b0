// The flow IR while it is being made; see src/codekin/represent/flow/flow_ir.py.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace codekin::flow {

// clang-format off
enum class Op : uint8_t {
    ENTRY, PARAMETER, CONSTANT, ASSIGN, OPERATOR, CALL, INDEX, MEMBER, RETURN, JUMP, PREDICATE,
    FUNCTION, OPAQUE, CLASS, IMPORT,
};
// clang-format on
enum class Mode : uint8_t { READ, BASE, LOAD, DEFINE, MAYBE, STORE };
// clang-format off
enum class Code : uint8_t {
    OP, IF, ELSE, END, LOOP, TEST, NEXT, LOOPELSE, SWITCH, CASE, MATCH, DEFAULT, GUARD, LEAVE, TRY,
    CATCH, TRYELSE, FINALLY, RETURN, THROW, BREAK, CONTINUE, GOTO, LABEL, BLOCK,
};
// clang-format on
enum class FunctionKind : uint8_t { MODULE, FUNCTION, METHOD, LAMBDA, STATIC, CONSTRUCTOR };
enum class VariableKind : uint8_t { LOCAL, PARAMETER, GLOBAL, FIELD, RECEIVER };
enum class AliasKind : uint8_t { COPY, ADDRESS, ELEMENT };
enum class CallShape : uint8_t { PLAIN, MEMBER, CONSTRUCTION, OWN_MEMBER };
enum OpFlag : uint8_t {
    RAISES = 1,
    IS_TRUE = 2,
    IS_FALSE = 4,
    MEMBER_CALL = 8,
    A_STRING = 16,
    A_NUMBER = 32
};

struct Operation {
    Op kind;
    uint8_t flags;
    int32_t name, function, start, end, statement;
};
struct Operand {
    int32_t operation, value;
};
struct AccessRecord {
    int32_t operation, variable, field;
    Mode mode;
};
struct Item {
    Code code;
    int32_t a, b;
};
struct Alias {
    int32_t left, right;
    AliasKind kind;
};
struct Argument {
    int32_t variable;
    bool address;
    int32_t holder = -1;  // the variable of which it is a part
};
struct CallRecord {
    int32_t operation, name, receiver, owner, callee;  // callee: variable that is called, or -1
    CallShape shape;
    bool unknown;  // no entry in the table of effects: may change what it reaches
    int32_t target, count;
    std::vector<Argument> arguments;
    size_t first_effect = 0, end_effect = 0;  // the accesses that the table of effects gave it
};
struct Variable {
    int32_t name, owner, type;
    VariableKind kind;
    bool tentative;         // read before any declaration was seen
    int32_t forward = -1;   // the variable this one turned out to be
    int32_t function = -1;  // the function it is bound to; -2: several, or something else
    int32_t through = -1;   // a reference: what changes with it
    bool by_reference = false;
    bool indirect = false;   // declared as a pointer, an array or a reference
    bool is_module = false;  // an import bound it: calls through it change nothing of it
};
struct Function {
    int32_t name, parent, owner, start, end, least = 0, most = 0;
    FunctionKind kind = FunctionKind::FUNCTION;
    std::vector<Item> items{};
    std::vector<uint8_t> by_reference{};  // by parameter
    struct Deferred {
        std::vector<Item> items;
        int32_t decides;  // the operation that puts them off, if it does not always run
    };
    std::vector<Deferred> deferred{};
    std::vector<int32_t> results{};     // variables that a bare return gives
    std::vector<int32_t> parameters{};  // variables
    bool leaves = false;                // a way out has been seen
};
struct Statement {
    int32_t start, end;
};

// Numbers for texts; the texts must outlive the pool.
class StringPool {
  public:
    int32_t number(std::string_view text) {
        const auto [at, is_new] = numbers_.try_emplace(text, static_cast<int32_t>(texts_.size()));
        if (is_new) texts_.push_back(text);
        return at->second;
    }
    int32_t kept(std::string text) {
        const auto at = numbers_.find(text);
        if (at != numbers_.end()) return at->second;
        return number(made_.emplace_back(std::move(text)));
    }
    std::string_view text(int32_t number) const { return texts_[number]; }
    const std::vector<std::string_view> &all() const { return texts_; }

  private:
    std::unordered_map<std::string_view, int32_t> numbers_;
    std::vector<std::string_view> texts_;
    std::deque<std::string> made_;
};

struct Program {
    StringPool strings;
    std::vector<Function> functions;
    std::vector<Operation> operations;
    std::vector<Operand> operands;
    std::vector<AccessRecord> accesses;
    std::vector<Variable> variables;
    std::vector<Alias> aliases;
    std::vector<CallRecord> calls;
    std::vector<Statement> statements;
    bool complete = true;  // false where a limit left something out
};

}  // namespace codekin::flow
