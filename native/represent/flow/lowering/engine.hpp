// From syntax to flow: the engine that reads the rules. Its parts stand in lowering_*.cpp.
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

// Raw tokens, as far as they are read.
struct Tokens {
    std::vector<int32_t> all;
    size_t next = 0;
};

// Something that can be assigned to.
struct Target {
    int32_t variable;  // changes itself (stored == false) or in what it reaches
    int32_t field = -1;
    bool stored = false;
    int32_t operation = -1;  // the index or member operation that finds the place
};

// What an alternative of a switch asks for.
struct Alternative {
    std::vector<int32_t> tests;
    int32_t guard = -1;
    bool is_default = false;
};

class Engine {
  public:
    Engine(const SyntaxTree &tree, Program &program)
        : tree_(tree), table_(tree.table), program_(program), scopes_(program, tree.table, tree.count) {}
    void run();

  private:
    // lowering_engine.cpp
    Value lower(int32_t node);
    Value lower_as(int32_t node, const Rule &rule);
    void statement(int32_t node);
    void begin_statement(int32_t node);
    int32_t make(Op kind, int32_t name, int32_t node, uint8_t flags = 0);
    void emit(Code code, int32_t a = -1, int32_t b = -1);
    void take(int32_t operation, const Value &value, bool deep = false);
    void access(int32_t operation, int32_t variable, Mode mode, int32_t field = -1);
    int32_t predicate(const Value &value, int32_t node, std::string_view name = "test");
    int32_t text(int32_t node) { return program_.strings.number(tree_.span(node)); }
    int32_t word(std::string_view fixed) { return program_.strings.number(fixed); }
    std::string_view operator_of(int32_t node, const Rule &rule, bool unary = false);
    bool raises(std::string_view what) const { return table_.raising.count(what) != 0; }
    int32_t element(int32_t variable);
    void alias(int32_t left, const Value &value);
    bool shares(int32_t variable) const;
    bool copies(int32_t variable) const;
    Value of(int32_t operation) {
        Value value;
        value.operations.push_back(operation);
        return value;
    }
    Value opaque(int32_t node);
    Value sequence(int32_t node, const Rule &rule);
    Value children(int32_t node, const Rule &rule, Slot slot);
    Value value_in(int32_t node, const Rule &rule, Slot slot);
    void find_own_names();
    void finish();
    bool is_type(int32_t variable) const;
    void forget_effects();
    void settle_names();
    void settle_fields();
    void settle_types();
    void pass_parts(CallRecord &call, const std::unordered_map<int32_t, std::vector<uint8_t>> &references);
    bool is_place(int32_t variable) const;
    void drop_bare_catches();
    void settle_made();
    void settle_properties();

    // lowering_expressions.cpp
    int32_t receiver(int32_t name, int32_t type);
    Value lower_name(int32_t node, const Rule &rule);
    bool has_holes(int32_t node, const Rule &rule) const;
    Value lower_literal(int32_t node, const Rule &rule);
    Value lower_binary(int32_t node, const Rule &rule);
    Value lower_logical(int32_t node, const Rule &rule, std::string_view name);
    Value lower_stream(int32_t node, const Rule &rule, std::string_view name, int32_t first);
    int32_t stream_start(int32_t node, const Rule &rule, std::string_view name);
    Value lower_chain(int32_t node, const Rule &rule);
    Value lower_unary(int32_t node, const Rule &rule);
    Value lower_operation(int32_t node, const Rule &rule);
    Value lower_pair(int32_t node, const Rule &rule);
    void reach_either(Value &value, const Value &first, const Value &second);
    Value lower_conditional(int32_t node, const Rule &rule);
    Value lower_comprehension(int32_t node, const Rule &rule);
    Value propagate(int32_t node, const Value &inner);
    Value lower_conjunction(int32_t node, const Rule &rule);
    Value cast(int32_t node, const Value &value);
    int32_t stream_variable(int32_t node);
    int32_t stream_call(int32_t node, std::string_view name, int32_t first, const Value &all,
                        const std::vector<Target> &found);
    bool names_any(int32_t node, const std::unordered_set<std::string_view> &names) const;
    int32_t name_node(int32_t node) const;

    // lowering_places.cpp
    Value lower_member(int32_t node, const Rule &rule);
    Value lower_index(int32_t node, const Rule &rule);
    Value lower_deref(int32_t node, int32_t inner);
    Value lower_address(int32_t node, const Rule &rule, int32_t inner);
    Value member_of(int32_t node, int32_t member, Value object, int32_t field);
    Value lower_link(int32_t node, const Rule &rule);
    Value link(int32_t object, int32_t node, const Rule &rule);
    void skip_unless(const Value &value, int32_t node, const Rule &rule);
    int32_t receiver_class(const Value &value);
    Value reached(int32_t operation, const Value &object, int32_t field, Mode mode);
    void see_through(Value &object, bool is_index);
    int32_t field_of(int32_t node, const Rule &rule, int32_t name);

    // lowering_targets.cpp
    enum class Declares : uint8_t { NO, YES, HOISTED };
    struct Declared {
        int32_t type = -1, type_node = -1;  // the type's name and node
        Declares declares = Declares::YES;
        bool is_static = false;  // keeps its value from call to call
    };
    void targets(int32_t node, Declares declares, std::vector<Target> &found, Value *beside);
    void define(int32_t operation, const Target &target, bool also_reads = false);
    Value lower_assign(int32_t node, const Rule &rule);
    Value lower_declare(int32_t node, const Rule &rule, const Declared &as);
    Value lower_update(int32_t node, const Rule &rule);
    Value assign(int32_t node, std::string_view name, const std::vector<Target> &left, const Value &right,
                 bool also_reads);
    bool assign_pairs(int32_t node, const std::vector<int32_t> &lefts, const std::vector<int32_t> &rights,
                      Declares declares, Value &result);
    Value assign_if_needed(int32_t node, int32_t left, int32_t right, std::string_view name);
    Value declare_several(int32_t node, const Rule &rule, const std::vector<int32_t> &lefts, int32_t right,
                          Declares declares);
    Declares declares_of(int32_t node, const Rule &rule) const;
    int32_t only_item(int32_t node) const;
    void bind_name(int32_t target);
    void list_items(int32_t node, std::vector<int32_t> &items) const;
    int32_t declarator(int32_t node, uint32_t &flags, int32_t &parameters) const;
    int32_t type_name(int32_t node);
    int32_t array_of(int32_t type);
    bool bind_reference(int32_t variable, const Value &value);
    void set_type(int32_t variable, int32_t type, int32_t type_node, uint32_t flags);

    // lowering_declarations.cpp
    Value lower_declaration(int32_t node, const Rule &rule);
    Value declare_one(int32_t node, int32_t value_node, const Declared &as);
    bool constructs(const Declared &as, int32_t value) const;
    Value constructed(int32_t node, const Declared &as, int32_t list);
    Value initialized(int32_t node, const Rule &rule);
    bool is_construction(int32_t parameters);
    Value read_as_type(int32_t node);
    bool has_constructor(int32_t type) const;
    void keep_earlier(size_t first_access);

    // lowering_macros.cpp
    size_t macro_loop(const std::vector<int32_t> &parts, size_t at);
    bool is_macro_head(int32_t node, int32_t next);
    void open_macro_loop(int32_t node, int32_t arguments);
    void close_macro_loop();
    bool is_defined_macro(std::string_view name);
    bool open_displaced(int32_t node);
    int32_t start_of(int32_t node) const;
    int32_t first_call(int32_t node);
    int32_t instead(int32_t node) const {
        return displaced_.empty() || displaced_[node] < 0 ? node : displaced_[node];
    }

    // lowering_untyped.cpp
    struct Head {
        int32_t name = -1;                // the leaf that names the function, or -1
        std::vector<int32_t> parameters;  // leaves
    };
    Head head_between(int32_t first, int32_t end) const;
    int32_t untyped_head(int32_t node, const Rule &rule) const;
    bool may_be_head(int32_t node) const;
    std::unordered_map<int32_t, int32_t> find_untyped(int32_t node);
    void lower_untyped(int32_t first, int32_t body);

    // lowering_calls.cpp
    Value lower_call(int32_t node, const Rule &rule);
    int32_t pointed_function(int32_t node);
    bool is_super(int32_t node) const;
    Value lower_method_call(int32_t node, const Rule &rule);
    Value lower_new(int32_t node, const Rule &rule);
    Value lower_macro(int32_t node, const Rule &rule);
    Value call(int32_t node, int32_t name, CallShape shape, const Value *receiver, int32_t callee,
               int32_t arguments, const Value *function);
    void arguments(int32_t node, std::vector<Value> &values, bool &spread);
    const Effect *effect_of(int32_t name, const Value *receiver, size_t count) const;
    void apply(int32_t operation, const Effect *effect, const Value *receiver,
               const std::vector<Value> &values);
    int32_t gathered(Reach reach, const Value *receiver, const std::vector<Value> &values);
    void change(int32_t operation, const Value &value);
    void give_value(int32_t operation, const Value &value);
    bool takes_value(const Value &value) const;
    Value call_with(int32_t node, int32_t name, CallShape shape, const Value *receiver, int32_t callee,
                    const std::vector<Value> &values, bool spread, const Value *function);
    int32_t qualifier(int32_t name) const;
    void give_elements(const Value &receiver, const std::vector<Value> &values);

    // lowering_raw_tokens.cpp
    Tokens tokens_in(int32_t tree) const;
    std::string_view token(const Tokens &tokens, size_t ahead = 0) const;
    int32_t token_list(const Tokens &tokens, char bracket, size_t ahead) const;
    Value loose_tokens(Tokens &tokens);
    void read_loosely(Tokens &tokens, Value &all);
    Value placeholders(int32_t node);
    void token_arguments(int32_t list, std::vector<Value> &values);
    Value token_argument(Tokens &tokens);
    Value token_expression(Tokens &tokens, int least);
    void skip_types(Tokens &tokens);
    Value token_primary(Tokens &tokens);
    Value token_operand(Tokens &tokens);
    Value token_group(int32_t list, std::string_view label);
    Value token_name(Tokens &tokens);
    Value token_links(Tokens &tokens, Value value);
    Value macro(int32_t node, int32_t name, int32_t list);

    // lowering_statements.cpp
    Value lower_if(int32_t node, const Rule &rule);
    void finish_loop(int32_t node, const Rule &rule);
    void lower_while(int32_t node, const Rule &rule);
    void lower_do(int32_t node, const Rule &rule);
    void lower_for(int32_t node, const Rule &rule);
    void lower_for_each(int32_t node, const Rule &rule, int32_t from, const Rule &parts);
    Value lower_loop(int32_t node, const Rule &rule);
    int32_t each(int32_t node, int32_t left, const Value &source, Declares declares, bool reference,
                 int32_t type = -1);
    int32_t tail(int32_t body) const;
    void lower_try(int32_t node, const Rule &rule);
    void lower_catch(int32_t node, const Rule &rule);
    void lower_with(int32_t node, const Rule &rule);
    Value lower_jump(int32_t node, const Rule &rule);
    void lower_labeled(int32_t node, const Rule &rule);
    void lower_assert(int32_t node, const Rule &rule);
    void lower_defer(int32_t node, const Rule &rule);
    void lower_import(int32_t node, const Rule &rule);
    Value lower_let(int32_t node, const Rule &rule);
    int32_t condition(int32_t node, const Rule &rule);
    int32_t label(int32_t node, const Rule &rule);

    // lowering_switches.cpp
    Value lower_switch(int32_t node, const Rule &rule);
    void find_cases(int32_t node, std::vector<int32_t> &cases) const;
    Value lower_case(int32_t node, const Rule &rule, const Rule &around, int32_t subject, const Value &value);
    Value pattern(int32_t node, int32_t from, const Value &subject, const Rule &rule);
    void case_tests(int32_t node, const Rule &rule, Alternative &found) const;
    bool is_simple(int32_t node, const Rule &rule) const;
    bool is_wildcard(int32_t node) const;
    bool is_constant(int32_t node) const;
    bool binds_all(int32_t node) const;

    // lowering_functions.cpp
    Value lower_function(int32_t node, const Rule &rule);
    int32_t function_name(int32_t node, const Rule &rule, int32_t &owner, int32_t &parameters);
    void decorate(int32_t node);
    bool is_static(int32_t modifiers) const;
    FunctionKind function_kind(const Rule &rule, int32_t name, int32_t owner) const;
    void lower_parameters(int32_t node, bool is_method);
    void lower_parameter(int32_t node, bool is_receiver);
    void function_body(int32_t node, const Rule &rule);
    void run_deferred(size_t first_item);
    void keep_header(int32_t header, int32_t cls);
    void find_bases(int32_t node, bool is_list, int32_t cls);
    void lower_results(int32_t node, const Rule &rule);
    bool has_receiver(int32_t parameters) const;
    void lower_class(int32_t node, const Rule &rule, int32_t name);
    Value lower_class_expression(int32_t node, const Rule &rule);
    void scope_names(int32_t node, const Rule &rule);

    const SyntaxTree &tree_;
    const Table &table_;
    Program &program_;
    Scopes scopes_;
    int32_t function_ = 0;
    int32_t statement_ = -1;
    int32_t loop_label_ = -1;  // a label whose statement comes next
    int32_t bound_name_ = -1;  // the name that the next function value gets
    int32_t branches_ = 0;     // open conditions and loops of the current function
    int32_t depth_ = 0;        // how deep in the tree
    std::unordered_set<int32_t> own_functions_, own_classes_;  // names that the text gives
    std::unordered_set<int32_t> constructed_;                  // names of classes whose constructor was seen
    struct {
        int32_t node;
        bool points;
    } pointing_type_{-1, false};  // the last type that was looked at, and whether it has pointers
    uint32_t decorated_ = 0;      // flags that decorators give to the next function
    std::unordered_set<int32_t> getters_, setters_;              // methods that run as members are used
    std::vector<std::pair<int32_t, int32_t>> assigned_members_;  // (assignment, its member)
    int32_t header_ = -1;                 // parameters of the class around, until its constructor is seen
    int32_t anonymous_ = 0;               // classes without a name so far
    int32_t skips_ = 0;                   // open conditions of a chain a?.b.c
    bool in_chain_ = false;               // the next link is the object of another
    bool bound_member_ = false;           // `bound_name_` is a member's name
    std::vector<uint8_t> seen_errors_;    // by node: errors that are operations already
    std::vector<int32_t> displaced_;      // by node: what stands in its place, or -1
    std::vector<int32_t> first_calls_;    // by node: the call at its start, -1: none; -2: not known
    std::vector<int32_t> stream_starts_;  // by node: the stream at its start, -1: none; -2: not known
    std::unordered_map<int32_t, std::vector<int32_t>> displaced_at_;  // calls that are, by where they begin
    bool macros_known_ = false;
    std::unordered_set<std::string_view> macros_;  // names that the text defines with arguments
    int32_t token_depth_ = 0;                      // how deep in expressions of raw tokens
    bool keys_read_ = false;                       // bare names as keys are variables
    bool naming_ = false;                          // the next target is a declaration's name and no pattern
    bool bare_block_ = false;                      // the next block is a function's body: no scope of its own
    std::vector<int32_t> elements_;                // by variable: the one that stands for its parts
    std::vector<int32_t> bare_catches_;            // handlers that bind nothing and read bare names
    std::vector<Leaving> leaving_;                 // values given to the blocks around (break, yield)
};

}  // namespace codekin::flow
