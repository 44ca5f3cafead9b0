#include "represent/flow/lowering/engine.hpp"

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
    find_own_names();
    if (tree_.count > 0) statement(0);
    run_deferred(1);
    scopes_.close();
    finish();
}

// The names of the text's functions and classes, wherever they stand.
void Engine::find_own_names() {
    for (int32_t node = 0; node < tree_.count; ++node) {
        if (tree_.is_error(node)) continue;
        const Rule &rule = tree_.rule(node);
        if (rule.shape == Shape::FUNCTION) {
            int32_t owner = -1, parameters = -1;
            const int32_t name = function_name(node, rule, owner, parameters);
            if (name >= 0) own_functions_.insert(name);
        } else if (rule.shape == Shape::CLASS) {
            const int32_t name = type_name(tree_.in(node, rule, slot::NAME));
            if (name >= 0) own_classes_.insert(name);
        }
    }
}

void Engine::begin_statement(int32_t node) {
    program_.statements.push_back({tree_.start[node], tree_.end[node]});
    statement_ = static_cast<int32_t>(program_.statements.size()) - 1;
}

void Engine::statement(int32_t node) {
    const int32_t before = statement_;
    begin_statement(node);
    lower(node);
    statement_ = before;
}

void Engine::emit(Code code, int32_t a, int32_t b) {
    Function &function = program_.functions[function_];
    function.items.push_back({code, a, b});
    if (code == Code::RETURN || code == Code::THROW || code == Code::GOTO) function.leaves = true;
}

int32_t Engine::make(Op kind, int32_t name, int32_t node, uint8_t flags) {
    const auto made = static_cast<int32_t>(program_.operations.size());
    program_.operations.push_back(
        {kind, flags, name, function_, start_of(node), tree_.end[node], statement_});
    emit(Code::OP, made);
    return made;
}

void Engine::access(int32_t operation, int32_t variable, Mode mode, int32_t field) {
    program_.accesses.push_back({operation, variable, field, mode});
}

// An operation takes a value; `deep`: with all that it reaches.
void Engine::take(int32_t operation, const Value &value, bool deep) {
    for (int32_t source : value.operations) program_.operands.push_back({operation, source});
    for (const Pending &read : value.reads) access(operation, read.variable, read.mode, read.field);
    if (deep && value.place >= 0 && !value.direct) access(operation, value.place, Mode::READ);
}

// The operation whose outcome decides: the value's own, or a test of a bare name.
int32_t Engine::predicate(const Value &value, int32_t node, std::string_view name) {
    if (value.operations.size() == 1 && value.reads.empty()) {
        const auto &items = program_.functions[function_].items;
        const bool is_last =
            !items.empty() && items.back().code == Code::OP && items.back().a == value.operations[0];
        if (is_last) return value.operations[0];
    }
    const int32_t made = make(Op::PREDICATE, word(name), node);
    take(made, value);
    return made;
}

std::string_view Engine::operator_of(int32_t node, const Rule &rule, bool unary) {
    const int32_t child = tree_.in(node, rule, slot::OPERATOR);
    const std::string_view written = child >= 0 ? tree_.span(child) : std::string_view(rule.label);
    if (unary) {
        const std::string key = "unary " + std::string(written);
        const auto found = table_.operators.find(key);
        if (found != table_.operators.end()) return found->second;
    }
    const auto found = table_.operators.find(written);
    return found == table_.operators.end() ? written : found->second;
}

// The variable that stands for the parts of what a variable reaches.
int32_t Engine::element(int32_t variable) {
    if (static_cast<size_t>(variable) >= elements_.size()) elements_.resize(variable + 1, -1);
    if (elements_[variable] < 0) {
        const int32_t made = scopes_.make(-1, function_, VariableKind::LOCAL);
        elements_[variable] = made;
        program_.aliases.push_back({made, variable, AliasKind::ELEMENT});
    }
    return elements_[variable];
}

// Whether what a variable reaches may be reached by others: not numbers, not copies.
bool Engine::shares(int32_t variable) const {
    const Variable &known = program_.variables[variable];
    if (known.indirect || known.type < 0) return true;
    return table_.primitives.count(program_.strings.text(known.type)) == 0;
}

// Whether a variable holds its own copy of what it was given.
bool Engine::copies(int32_t variable) const {
    const Variable &known = program_.variables[variable];
    if (known.indirect || known.type < 0) return false;
    const std::string_view type = program_.strings.text(known.type);
    return table_.primitives.count(type) != 0 || table_.values.count(type) != 0;
}

// A variable gets a value: both may reach the same from now on.
void Engine::alias(int32_t left, const Value &value) {
    if (copies(left)) return;
    if (program_.variables[left].type >= 0)
        for (int32_t reached : value.given)
            if (reached != left) program_.aliases.push_back({left, reached, AliasKind::COPY});
    if (value.address >= 0)
        program_.aliases.push_back({left, value.address, AliasKind::ADDRESS});
    else if (value.place >= 0 && value.place != left)
        program_.aliases.push_back({left, value.place, AliasKind::COPY});
    for (const Pending &read : value.reads)
        if (read.variable != left && read.variable != value.place && read.variable != value.address)
            program_.aliases.push_back({left, read.variable, AliasKind::COPY});
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

Value Engine::sequence(int32_t node, const Rule &rule) {
    const bool is_scope = rule.is(flag::SCOPE) && !bare_block_;
    bare_block_ = false;
    if (is_scope) scopes_.open(Scopes::Kind::BLOCK, function_);
    const int32_t name = label(node, rule);
    if (name >= 0) {
        leaving_.push_back({{}, name, false});
        emit(Code::BLOCK, -1, name);
    }
    tree_.each_in(node, rule, slot::GUARD, [&](int32_t mark) { decorate(mark); });
    Value last;
    std::vector<int32_t> parts;
    const auto visit = [&](int32_t child) { parts.push_back(child); };
    if (rule.slots[slot::ITEMS].empty())
        tree_.each_named(node, visit);
    else
        tree_.each_in(node, rule, slot::ITEMS, visit);
    std::unordered_map<int32_t, int32_t> untyped;
    if (rule.is(flag::UNTYPED)) untyped = find_untyped(node);
    for (size_t i = 0; i < parts.size(); ++i) {
        if (const auto head = untyped.find(parts[i]); head != untyped.end()) {
            if (head->second >= 0) lower_untyped(head->second, parts[i]);
            continue;
        }
        const int32_t before = statement_;
        begin_statement(parts[i]);
        const bool is_head = i + 1 < parts.size() && is_macro_head(parts[i], parts[i + 1]);
        if (is_head)
            i = macro_loop(parts, i);
        else
            last = lower(parts[i]);
        if (!rule.is(flag::VALUE) || is_head) last = Value{};
        statement_ = before;
    }
    if (name >= 0) {
        emit(Code::END);
        last.join(leaving_.back().value);
        leaving_.pop_back();
    }
    if (is_scope) scopes_.close();
    return last;
}

// What the parser could not read uses and may define what it names; what it could is lowered.
Value Engine::opaque(int32_t node) {
    if (tree_.start[node] == tree_.end[node]) return {};
    if (seen_errors_.empty()) seen_errors_.resize(tree_.count, 0);
    seen_errors_[node] = 1;
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
    const bool is_loop = open_displaced(node);
    Value value = lower_as(node, tree_.rule(node));
    if (is_loop) close_macro_loop();
    {
        // What the parser left out of a node's parts is there all the same.
        tree_.each_child(node, [&](int32_t child) {
            if (tree_.is_error(child) && (seen_errors_.empty() || !seen_errors_[child])) opaque(child);
        });
    }
    return value;
}

Value Engine::lower_as(int32_t node, const Rule &rule) {
    switch (rule.shape) {
        case Shape::SKIP:
        case Shape::COMMENT:
        case Shape::FALLTHROUGH: return {};
        case Shape::IMPORT: return lower_import(node, rule), Value{};
        case Shape::SEQUENCE: return sequence(node, rule);
        case Shape::EXPRESSION: {
            Value value = children(node, rule, slot::VALUE);
            const bool is_dropped = tree_.in(node, rule, slot::OTHERWISE) >= 0;  // a statement's end
            return is_dropped ? Value{} : value;
        }
        case Shape::SPREAD: return children(node, rule, slot::VALUE);
        case Shape::NAME: return lower_name(node, rule);
        case Shape::LITERAL: return lower_literal(node, rule);
        case Shape::BINARY: return lower_binary(node, rule);
        case Shape::CHAIN:
            return rule.label.empty() ? lower_chain(node, rule) : lower_conjunction(node, rule);
        case Shape::UNARY: return lower_unary(node, rule);
        case Shape::UPDATE: return lower_update(node, rule);
        case Shape::ASSIGN: return lower_assign(node, rule);
        case Shape::DECLARE:
            if (rule.is(flag::INITIALIZER)) return initialized(node, rule);
            return lower_declare(node, rule,
                                 {-1, -1, rule.is(flag::HOISTED) ? Declares::HOISTED : Declares::YES, false});
        case Shape::DECLARATION: return lower_declaration(node, rule);
        case Shape::DECLARATOR: return {};
        case Shape::CALL:
        case Shape::METHOD_CALL:
        case Shape::MEMBER:
        case Shape::INDEX: return lower_link(node, rule);
        case Shape::NEW: return lower_new(node, rule);
        case Shape::OPERATION:
        case Shape::PATTERN: return lower_operation(node, rule);
        case Shape::CONDITIONAL: return lower_conditional(node, rule);
        case Shape::FUNCTION: return lower_function(node, rule);
        case Shape::PARAMETER: return {};
        case Shape::CLASS: return lower_class_expression(node, rule);
        case Shape::COMPREHENSION: return lower_comprehension(node, rule);
        case Shape::FOR_CLAUSE: return children(node, rule, slot::RIGHT);
        case Shape::IF_CLAUSE: return children(node, rule, slot::CONDITION);
        case Shape::IF: return lower_if(node, rule);
        case Shape::WHILE: return lower_while(node, rule), Value{};
        case Shape::DO: return lower_do(node, rule), Value{};
        case Shape::FOR: return lower_for(node, rule), Value{};
        case Shape::FOR_EACH: return lower_for_each(node, rule, node, rule), Value{};
        case Shape::LOOP: return lower_loop(node, rule);
        case Shape::SWITCH: return lower_switch(node, rule);
        case Shape::CASE: return children(node, rule, slot::BODY);
        case Shape::TRY: return lower_try(node, rule), Value{};
        case Shape::CATCH:
        case Shape::FINALLY: return children(node, rule, slot::BODY);
        case Shape::WITH: return lower_with(node, rule), Value{};
        case Shape::WITH_ITEM: return children(node, rule, slot::VALUE);
        case Shape::RETURN:
        case Shape::BREAK:
        case Shape::CONTINUE:
        case Shape::THROW:
        case Shape::GOTO:
        case Shape::YIELD: return lower_jump(node, rule);
        case Shape::LABELED: return lower_labeled(node, rule), Value{};
        case Shape::DEFER: return lower_defer(node, rule), Value{};
        case Shape::ASSERT: return lower_assert(node, rule), Value{};
        case Shape::GLOBAL:
        case Shape::NONLOCAL: return scope_names(node, rule), Value{};
        case Shape::LET: return lower_let(node, rule);
        case Shape::PAIR: return lower_pair(node, rule);
        case Shape::MACRO: return lower_macro(node, rule);
        case Shape::PROPAGATE: return propagate(node, children(node, rule, slot::VALUE));
        case Shape::ADDRESS: return lower_address(node, rule, tree_.in(node, rule, slot::VALUE));
        case Shape::DEREF: return lower_deref(node, tree_.in(node, rule, slot::VALUE));
    }
    return {};
}

}  // namespace codekin::flow
