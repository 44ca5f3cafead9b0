#include "represent/flow/lowering/engine.hpp"

#include <utility>

namespace codekin::flow {

namespace {
constexpr int32_t DEEPEST = 200'000;  // levels of the tree; what lies deeper is opaque
}

void Engine::run() {
    Function module{word("<module>"), -1, -1, 0, static_cast<int32_t>(tree_.text.size())};
    module.kind = FunctionKind::MODULE;
    program_.functions.push_back(std::move(module));
    scopes_.open(Scopes::Kind::FUNCTION, 0);
    program_.statements.push_back({0, 0});
    statement_ = 0;
    program_.operations.push_back({Op::ENTRY, 0, word("<module>"), 0, 0, 0, 0});
    emit(Code::OP, 0);
    functions.find_own_names();
    if (tree_.count > 0) statement(0);
    functions.run_deferred(1);
    scopes_.close();
    settle(*this);
}

void Engine::statement(int32_t node) {
    const int32_t before = statement_;
    begin_statement(node);
    lower(node);
    statement_ = before;
}

Value Engine::value_in(int32_t node, const Rule &rule, Slot slot) {
    const int32_t child = tree_.in(node, rule, slot);
    return child < 0 ? Value{} : lower(child);
}

// The values of all children in a slot; of all named ones if the rule says nothing.
Value Engine::children(int32_t node, const Rule &rule, Slot slot) {
    Value all;
    int32_t count = 0;
    const auto visit = [&](int32_t child) {
        Value value = lower(child);
        if (++count == 1)
            all = std::move(value);
        else
            all.join(value);
    };
    if (rule.slots[slot].empty())
        tree_.each_named(node, visit);
    else
        tree_.each_in(node, rule, slot, visit);
    return all;
}

// What the parser could not read uses and may define what it names; what it could is lowered.
Value Engine::opaque(int32_t node) {
    if (tree_.start[node] == tree_.end[node]) return {};
    if (noted_.seen_errors.empty()) noted_.seen_errors.resize(tree_.count, 0);
    noted_.seen_errors[node] = 1;
    Value inside;
    std::vector<int32_t> names;
    tree_.each_child(node, [&](int32_t child) {
        if (!tree_.counts(child)) return;
        if (tree_.shape(child) == Shape::NAME && tree_.size[child] == 1)
            names.push_back(child);
        else
            inside.join(lower(child));
    });
    const int32_t made = make(Op::OPAQUE, word("opaque"), node, RAISES);
    take(made, inside);
    for (int32_t name : names) {
        if (tree_.start[name] == tree_.end[name]) continue;
        const int32_t variable = scopes_.read(text(name));
        access(made, variable, Mode::READ);
        access(made, variable, Mode::MAYBE);
    }
    return of(made);
}

Value Engine::lower(int32_t node) {
    if (depth_ > DEEPEST) {
        program_.complete = false;
        return of(make(Op::OPAQUE, word("opaque"), node));
    }
    struct Deeper {
        int32_t &depth;
        explicit Deeper(int32_t &d) : depth(d) { ++depth; }
        ~Deeper() { --depth; }
    } deeper(depth_);
    if (tree_.is_error(node)) return opaque(node);
    if (!tree_.has_errors) return lower_as(node, tree_.rule(node));
    node = instead(node);
    const bool is_loop = macro_loops.open_displaced(node);
    Value value = lower_as(node, tree_.rule(node));
    if (is_loop) macro_loops.close_macro_loop();
    {
        // What the parser left out of a node's parts is there all the same.
        tree_.each_child(node, [&](int32_t child) {
            if (tree_.is_error(child) && (noted_.seen_errors.empty() || !noted_.seen_errors[child]))
                opaque(child);
        });
    }
    return value;
}

Value Engine::lower_as(int32_t node, const Rule &rule) {
    switch (rule.shape) {
        case Shape::SKIP:
        case Shape::COMMENT:
        case Shape::FALLTHROUGH:
        case Shape::DECLARATOR:
        case Shape::PARAMETER: return {};
        case Shape::EXPRESSION: {
            Value value = children(node, rule, slot::VALUE);
            const bool is_dropped = tree_.in(node, rule, slot::OTHERWISE) >= 0;  // a statement's end
            return is_dropped ? Value{} : value;
        }
        case Shape::SPREAD:
        case Shape::WITH_ITEM: return children(node, rule, slot::VALUE);
        case Shape::FOR_CLAUSE: return children(node, rule, slot::RIGHT);
        case Shape::IF_CLAUSE: return children(node, rule, slot::CONDITION);
        case Shape::CASE:
        case Shape::CATCH:
        case Shape::FINALLY: return children(node, rule, slot::BODY);
        case Shape::NAME:
        case Shape::CALL:
        case Shape::METHOD_CALL:
        case Shape::MEMBER:
        case Shape::INDEX:
        case Shape::ADDRESS:
        case Shape::DEREF: return places.lower_as(node, rule);
        case Shape::NEW: return calls.lower_new(node, rule);
        case Shape::MACRO: return raw_tokens.lower_macro(node, rule);
        case Shape::LITERAL:
        case Shape::BINARY:
        case Shape::CHAIN:
        case Shape::UNARY:
        case Shape::OPERATION:
        case Shape::PATTERN:
        case Shape::CONDITIONAL:
        case Shape::COMPREHENSION:
        case Shape::PAIR:
        case Shape::PROPAGATE: return expressions.lower_as(node, rule);
        case Shape::ASSIGN:
        case Shape::UPDATE: return assignments.lower_as(node, rule);
        case Shape::DECLARE:
        case Shape::DECLARATION: return declarations.lower_as(node, rule);
        case Shape::FUNCTION:
        case Shape::CLASS:
        case Shape::GLOBAL:
        case Shape::NONLOCAL: return functions.lower_as(node, rule);
        case Shape::SWITCH: return switches.lower_switch(node, rule);
        case Shape::IMPORT:
        case Shape::SEQUENCE:
        case Shape::IF:
        case Shape::WHILE:
        case Shape::DO:
        case Shape::FOR:
        case Shape::FOR_EACH:
        case Shape::LOOP:
        case Shape::TRY:
        case Shape::WITH:
        case Shape::RETURN:
        case Shape::BREAK:
        case Shape::CONTINUE:
        case Shape::THROW:
        case Shape::GOTO:
        case Shape::YIELD:
        case Shape::LABELED:
        case Shape::DEFER:
        case Shape::ASSERT:
        case Shape::LET: return statements.lower_as(node, rule);
    }
    return {};
}

}  // namespace codekin::flow
