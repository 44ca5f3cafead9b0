// The core of the lowering: the program under construction, and how operations are added to it.
//
// Nothing here lowers a node; the parts that do derive from Emitter and share one Lowering.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "represent/flow/lowering/program.hpp"
#include "represent/flow/lowering/scopes.hpp"
#include "represent/flow/lowering/syntax_tree.hpp"
#include "represent/flow/lowering/table.hpp"

namespace codekin::flow {

struct Pending {
    int32_t variable, field;
    Mode mode;
};

// Where the value of an expression comes from.
struct Value {
    std::vector<int32_t> operations;
    std::vector<Pending> reads;  // names that the operation which takes the value will read
    int32_t place = -1;          // a variable that reaches what this value reaches
    int32_t address = -1;        // the variable whose address this is
    int32_t function = -1;       // the function this is
    int32_t holder = -1;         // the variable of which this is a part
    int32_t holder_field = -1;
    bool deref = false;          // what `holder` points at
    bool direct = false;         // a bare name: `place` is that variable itself
    std::vector<int32_t> given;  // a call's result: variables of which it may reach the same

    bool empty() const { return operations.empty() && reads.empty(); }
    void join(const Value &other) {
        operations.insert(operations.end(), other.operations.begin(), other.operations.end());
        reads.insert(reads.end(), other.reads.begin(), other.reads.end());
        if (place < 0) place = other.place;
        if (address < 0) address = other.address;
        if (function < 0) function = other.function;
        given.insert(given.end(), other.given.begin(), other.given.end());
        holder = holder_field = -1;
        direct = deref = false;
    }
};

// A block or loop that a jump can leave with a value.
struct Leaving {
    Value value;
    int32_t label;
    bool is_switch;
};

// Something that can be assigned to.
struct Target {
    int32_t variable;  // changes itself (stored == false) or in what it reaches
    int32_t field = -1;
    bool stored = false;
    int32_t operation = -1;  // the index or member operation that finds the place
};

enum class Declares : uint8_t { NO, YES, HOISTED };

// What a declaration says of its variables.
struct Declared {
    int32_t type = -1, type_node = -1;  // the type's name and node
    Declares declares = Declares::YES;
    bool is_static = false;  // keeps its value from call to call
};

// Nodes that stand where the parser put a loop's head: see macro_loops.hpp.
class Displaced {
  public:
    void put(const SyntaxTree &tree, int32_t call, int32_t instead);
    int32_t instead(int32_t node) const {
        return instead_.empty() || instead_[node] < 0 ? node : instead_[node];
    }
    // Where a node begins, not counting a loop's head inside it.
    int32_t start_of(const SyntaxTree &tree, int32_t node) const;

  private:
    std::vector<int32_t> instead_;  // by node, or -1
    // Calls that are displaced, by where they begin.
    std::unordered_map<int32_t, std::vector<int32_t>> calls_at_;
};

// What a part tells the one that lowers the next node.
struct Next {
    int32_t loop_label = -1;  // a label whose statement comes next
    int32_t name = -1;        // the name that the next function value gets
    bool is_member = false;   // `name` is a member's name
    bool is_name = false;     // the next target is a declaration's name and not a pattern
    bool is_body = false;     // the next block is a function's body: no scope of its own
};

// What is noted on the way, for other parts and for settling.cpp.
struct Noted {
    std::unordered_set<int32_t> own_functions, own_classes;     // names that the text gives
    std::unordered_set<int32_t> constructed;                    // names of classes whose constructor was seen
    std::unordered_set<int32_t> getters, setters;               // methods that run as members are used
    std::vector<std::pair<int32_t, int32_t>> assigned_members;  // (assignment, its member)
    std::vector<int32_t> bare_catches;  // handlers that bind nothing and read bare names
    std::vector<uint8_t> seen_errors;   // by node: errors that are operations already
};

// The state that all parts share.
struct Lowering {
    Lowering(const SyntaxTree &tree, Program &program)
        : tree(tree), program(program), scopes(program, tree.table, tree.count) {}

    const SyntaxTree &tree;
    Program &program;
    Scopes scopes;
    int32_t function = 0;
    int32_t statement = -1;
    int32_t branches = 0;           // open conditions and loops of the current function
    std::vector<int32_t> elements;  // by variable: the one that stands for its parts
    std::vector<Leaving> leaving;   // values given to the blocks around (break, yield)
    Displaced displaced;
    Next next;
    Noted noted;
};

class Emitter {
  public:
    explicit Emitter(Lowering &lowering)
        : lowering_(lowering),
          tree_(lowering.tree),
          table_(lowering.tree.table),
          program_(lowering.program),
          scopes_(lowering.scopes),
          function_(lowering.function),
          statement_(lowering.statement),
          branches_(lowering.branches),
          next_(lowering.next),
          noted_(lowering.noted),
          leaving_(lowering.leaving) {}

  protected:
    // ---- operations, and the items of the current function
    int32_t make(Op kind, int32_t name, int32_t node, uint8_t flags = 0);
    void emit(Code code, int32_t a = -1, int32_t b = -1);
    void access(int32_t operation, int32_t variable, Mode mode, int32_t field = -1);
    // An operation takes a value; `deep`: with all that it reaches.
    void take(int32_t operation, const Value &value, bool deep = false);
    // The operation whose outcome decides: the value's own, or a test of a bare name.
    int32_t predicate(const Value &value, int32_t node, std::string_view name = "test");
    void begin_statement(int32_t node);
    static Value of(int32_t operation) {
        Value value;
        value.operations.push_back(operation);
        return value;
    }

    // ---- which variables reach the same
    // The variable that stands for the parts of what a variable reaches.
    int32_t element(int32_t variable);
    // A variable gets a value: both may reach the same from now on.
    void alias(int32_t left, const Value &value);
    // A value that is one of two reaches what either does.
    void reach_either(Value &value, const Value &first, const Value &second);
    // Whether what a variable reaches may be reached by others: not numbers, not copies.
    bool shares(int32_t variable) const;
    // Whether a variable holds its own copy of what it was given.
    bool copies(int32_t variable) const;

    // ---- what nodes say
    int32_t text(int32_t node) { return program_.strings.number(tree_.span(node)); }
    int32_t word(std::string_view fixed) { return program_.strings.number(fixed); }
    bool raises(std::string_view what) const { return table_.raising.count(what) != 0; }
    int32_t instead(int32_t node) const { return lowering_.displaced.instead(node); }
    std::string_view operator_of(int32_t node, const Rule &rule, bool unary = false);
    // The node whose text is the name: a qualified name's last part.
    int32_t name_node(int32_t node) const;
    // A type's simple name: the first word of `List<Integer>`, the last of `std::string`.
    int32_t type_name(int32_t node);
    // The name inside declarators; what they say of it comes back in `flags` and `parameters`.
    int32_t declarator(int32_t node, uint32_t &flags, int32_t &parameters) const;
    // The items of a list of targets or values: `a, b`, `(a, b)`.
    void list_items(int32_t node, std::vector<int32_t> &items) const;
    // A list of one is its item.
    int32_t only_item(int32_t node) const;

    Lowering &lowering_;
    const SyntaxTree &tree_;
    const Table &table_;
    Program &program_;
    Scopes &scopes_;
    int32_t &function_;   // the function whose code is lowered
    int32_t &statement_;  // and the statement
    int32_t &branches_;
    Next &next_;
    Noted &noted_;
    std::vector<Leaving> &leaving_;
};

}  // namespace codekin::flow
