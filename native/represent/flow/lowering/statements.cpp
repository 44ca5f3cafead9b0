#include "represent/flow/lowering/statements.hpp"

#include <algorithm>

#include "represent/flow/lowering/engine.hpp"

namespace codekin::flow {

Value Statements::lower_as(int32_t node, const Rule &rule) {
    switch (rule.shape) {
        case Shape::IMPORT: return lower_import(node, rule), Value{};
        case Shape::SEQUENCE: return sequence(node, rule);
        case Shape::IF: return lower_if(node, rule);
        case Shape::WHILE: return lower_while(node, rule), Value{};
        case Shape::DO: return lower_do(node, rule), Value{};
        case Shape::FOR: return lower_for(node, rule), Value{};
        case Shape::FOR_EACH: return lower_for_each(node, rule, node, rule), Value{};
        case Shape::LOOP: return lower_loop(node, rule);
        case Shape::TRY: return lower_try(node, rule), Value{};
        case Shape::WITH: return lower_with(node, rule), Value{};
        case Shape::LABELED: return lower_labeled(node, rule), Value{};
        case Shape::DEFER: return lower_defer(node, rule), Value{};
        case Shape::ASSERT: return lower_assert(node, rule), Value{};
        case Shape::LET: return lower_let(node, rule);
        default: return lower_jump(node, rule);
    }
}

Value Statements::sequence(int32_t node, const Rule &rule) {
    const bool is_scope = rule.is(flag::SCOPE) && !next_.is_body;
    next_.is_body = false;
    if (is_scope) scopes_.open(Scopes::Kind::BLOCK, function_);
    const int32_t name = label(node, rule);
    if (name >= 0) {
        leaving_.push_back({{}, name, false});
        emit(Code::BLOCK, -1, name);
    }
    tree_.each_in(node, rule, slot::GUARD, [&](int32_t mark) { engine_.functions.decorate(mark); });
    Value last;
    std::vector<int32_t> parts;
    const auto visit = [&](int32_t child) { parts.push_back(child); };
    if (rule.slots[slot::ITEMS].empty())
        tree_.each_named(node, visit);
    else
        tree_.each_in(node, rule, slot::ITEMS, visit);
    std::unordered_map<int32_t, int32_t> untyped;
    if (rule.is(flag::UNTYPED)) untyped = engine_.untyped.find_untyped(node);
    for (size_t i = 0; i < parts.size(); ++i) {
        if (const auto head = untyped.find(parts[i]); head != untyped.end()) {
            if (head->second >= 0) engine_.untyped.lower_untyped(head->second, parts[i]);
            continue;
        }
        if (!rule.is(flag::VALUE) && is_docstring(parts[i])) continue;
        const int32_t before = statement_;
        begin_statement(parts[i]);
        const bool is_head =
            i + 1 < parts.size() && engine_.macro_loops.is_macro_head(parts[i], parts[i + 1]);
        if (is_head)
            i = engine_.macro_loops.macro_loop(parts, i);
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

// Whether a statement is nothing but a string, which does nothing.
bool Statements::is_docstring(int32_t node) const {
    return tree_.shape(node) == Shape::EXPRESSION && tree_.named_count(node) == 1 &&
           engine_.expressions.is_text(tree_.place(node, 0));
}

int32_t Statements::condition(int32_t node, const Rule &rule) {
    const int32_t child = tree_.in(node, rule, slot::CONDITION);
    // for (;;) has a semicolon or an empty statement there.
    if (child < 0 || !tree_.named(child) || tree_.shape(child) == Shape::SKIP) return -1;
    const int32_t before = statement_;
    if (rule.shape != Shape::CONDITIONAL) begin_statement(child);
    const Value value = lower(child);
    const int32_t decides = predicate(value, child);
    statement_ = before;
    return decides;
}

int32_t Statements::label(int32_t node, const Rule &rule) {
    const int32_t child = tree_.in(node, rule, slot::LABEL);
    if (child < 0) return -1;
    return text(child);
}

Value Statements::lower_if(int32_t node, const Rule &rule) {
    const bool is_scope = !rule.is(flag::HOISTED);
    if (is_scope) scopes_.open(Scopes::Kind::BLOCK, function_);
    tree_.each_in(node, rule, slot::INIT, [&](int32_t child) { statement(child); });
    const int32_t decides = condition(node, rule);
    emit(Code::IF, decides);
    ++branches_;
    Value result;
    const auto part = [&](int32_t child) {
        const int32_t before = statement_;
        begin_statement(child);
        const Value value = lower(child);
        if (rule.is(flag::VALUE)) result.join(value);
        statement_ = before;
    };
    tree_.each_in(node, rule, slot::BODY, part);
    if (tree_.in(node, rule, slot::OTHERWISE) >= 0) {
        // Several alternatives in a row (elif, elif, else) nest in each other.
        int32_t nested = 0;
        tree_.each_in(node, rule, slot::OTHERWISE, [&](int32_t child) {
            const Rule &inner = tree_.rule(child);
            emit(Code::ELSE);
            if (inner.shape == Shape::IF && inner.is(flag::EACH)) {
                const int32_t again = condition(child, inner);
                emit(Code::IF, again);
                ++nested;
                tree_.each_in(child, inner, slot::BODY, part);
            } else {
                part(child);
            }
        });
        for (; nested > 0; --nested) emit(Code::END);
    }
    --branches_;
    emit(Code::END);
    if (!result.empty() && decides >= 0) result.operations.push_back(decides);
    if (is_scope) scopes_.close();
    return result;
}

// The body of a loop that was tested, what runs when the test ends it, and the loop's scope.
void Statements::finish_loop(int32_t node, const Rule &rule) {
    ++branches_;
    tree_.each_in(node, rule, slot::BODY, [&](int32_t child) { statement(child); });
    if (tree_.in(node, rule, slot::OTHERWISE) >= 0) {
        emit(Code::LOOPELSE);
        tree_.each_in(node, rule, slot::OTHERWISE, [&](int32_t child) { statement(child); });
    }
    --branches_;
    emit(Code::END);
    scopes_.close();
}

void Statements::lower_while(int32_t node, const Rule &rule) {
    int32_t name = label(node, rule);
    if (name < 0) name = next_.loop_label;
    next_.loop_label = -1;
    scopes_.open(Scopes::Kind::BLOCK, function_);
    emit(Code::LOOP, -1, name);
    const int32_t decides = condition(node, rule);
    emit(Code::TEST, decides);
    finish_loop(node, rule);
}

void Statements::lower_do(int32_t node, const Rule &rule) {
    emit(Code::LOOP, -1, next_.loop_label);
    next_.loop_label = -1;
    ++branches_;
    tree_.each_in(node, rule, slot::BODY, [&](int32_t child) { statement(child); });
    emit(Code::NEXT);
    emit(Code::TEST, condition(node, rule));
    --branches_;
    emit(Code::END);
}

void Statements::lower_for(int32_t node, const Rule &rule) {
    // The header may be a node of its own, and say that it is another kind of loop.
    const int32_t header = tree_.in(node, rule, slot::ITEMS);
    const int32_t from = header < 0 ? node : header;
    const Rule &parts = tree_.rule(from);
    if (parts.shape == Shape::FOR_EACH) return lower_for_each(node, rule, from, parts);
    const int32_t name = next_.loop_label;
    next_.loop_label = -1;
    scopes_.open(Scopes::Kind::BLOCK, function_);
    tree_.each_in(from, parts, slot::INIT, [&](int32_t child) { statement(child); });
    emit(Code::LOOP, -1, name);
    const int32_t decides = condition(from, parts);
    if (decides >= 0) emit(Code::TEST, decides);
    ++branches_;
    tree_.each_in(node, rule, slot::BODY, [&](int32_t child) { statement(child); });
    emit(Code::NEXT);
    tree_.each_in(from, parts, slot::UPDATE, [&](int32_t child) { statement(child); });
    --branches_;
    emit(Code::END);
    scopes_.close();
}

int32_t Statements::each(int32_t node, int32_t left, const Value &source, Declares declares, bool reference,
                         int32_t type_node) {
    Value beside;
    std::vector<Target> found;
    if (left >= 0) engine_.assignments.targets(left, declares, found, &beside);
    if (type_node >= 0) {
        uint32_t flags = reference ? uint32_t{flag::REFERENCE} : 0u;
        int32_t parameters = -1;
        if (left >= 0) declarator(left, flags, parameters);
        for (const Target &target : found)
            if (target.variable >= 0 && !target.stored)
                engine_.declarations.set_type(target.variable, type_name(type_node), type_node, flags);
    }
    const int32_t made = make(Op::PREDICATE, word("each"), node, raises("each") ? RAISES : 0);
    take(made, source, true);
    take(made, beside);
    for (const Target &target : found) {
        engine_.assignments.define(made, target);
        if (target.variable < 0 || target.stored) continue;
        Variable &known = program_.variables[target.variable];
        if (source.place >= 0) {
            if (reference) known.through = source.place;
            if (source.address >= 0)  // for x in &mut v
                program_.aliases.push_back({target.variable, source.place, AliasKind::COPY});
            if (!copies(target.variable))
                program_.aliases.push_back({target.variable, source.place, AliasKind::ELEMENT});
        }
    }
    return made;
}

// `from` has the variables and what they run over; it may be a header of the loop.
void Statements::lower_for_each(int32_t node, const Rule &rule, int32_t from, const Rule &parts) {
    int32_t name = label(node, rule);
    if (name < 0) name = next_.loop_label;
    next_.loop_label = -1;
    scopes_.open(Scopes::Kind::BLOCK, function_);
    tree_.each_in(node, rule, slot::INIT, [&](int32_t child) { statement(child); });
    const int32_t right = tree_.in(from, parts, slot::RIGHT);
    const int32_t left = tree_.in(from, parts, slot::LEFT);
    const int32_t before = statement_;
    if (right >= 0) begin_statement(right);
    const Value source = right < 0 ? Value{} : lower(right);
    emit(Code::LOOP, -1, name);
    const Declares declares = engine_.assignments.declares_of(from, parts);
    uint32_t flags = parts.flags;
    int32_t parameters = -1;
    if (left >= 0) declarator(left, flags, parameters);
    const int32_t next = each(right < 0 ? node : right, left, source, declares,
                              (flags & flag::REFERENCE) != 0, tree_.in(node, rule, slot::TYPE));
    emit(Code::TEST, next);
    statement_ = before;
    finish_loop(node, rule);
}

Value Statements::lower_loop(int32_t node, const Rule &rule) {
    int32_t name = label(node, rule);
    if (name < 0) name = next_.loop_label;
    next_.loop_label = -1;
    leaving_.push_back({{}, name, false});
    emit(Code::LOOP, -1, name);
    ++branches_;
    tree_.each_in(node, rule, slot::BODY, [&](int32_t child) { statement(child); });
    --branches_;
    emit(Code::END);
    Value result = std::move(leaving_.back().value);
    leaving_.pop_back();
    return result;
}

void Statements::lower_try(int32_t node, const Rule &rule) {
    scopes_.open(Scopes::Kind::BLOCK, function_);
    emit(Code::TRY);
    ++branches_;
    tree_.each_in(node, rule, slot::INIT, [&](int32_t child) { statement(child); });
    tree_.each_in(node, rule, slot::BODY, [&](int32_t child) { statement(child); });
    tree_.each_in(node, rule, slot::HANDLERS, [&](int32_t child) { lower_catch(child, tree_.rule(child)); });
    if (tree_.in(node, rule, slot::OTHERWISE) >= 0) {
        emit(Code::TRYELSE);
        tree_.each_in(node, rule, slot::OTHERWISE, [&](int32_t child) { statement(child); });
    }
    const int32_t last = tree_.in(node, rule, slot::FINALLY);
    if (last >= 0) {
        emit(Code::FINALLY);
        statement(last);
    }
    --branches_;
    emit(Code::END);
    scopes_.close();
}

void Statements::lower_catch(int32_t node, const Rule &rule) {
    int32_t left = tree_.in(node, rule, slot::LEFT);
    int32_t type = tree_.in(node, rule, slot::TYPE);
    if (type < 0 && left >= 0) type = tree_.in(left, slot::TYPE);
    std::vector<int32_t> types;  // those that are evaluated
    if (rule.is(flag::EXPRESSION))
        tree_.each_in(node, rule, slot::TYPE, [&](int32_t one) {
            const bool is_bound = tree_.shape(one) == Shape::PATTERN;  // A as e
            if (is_bound && left < 0) left = tree_.in(one, slot::LEFT);
            const int32_t inner = is_bound ? tree_.in(one, slot::VALUE) : one;
            if (inner >= 0) list_items(inner, types);
        });
    emit(Code::CATCH, -1, type < 0 ? -1 : text(type));
    scopes_.open(Scopes::Kind::BLOCK, function_);
    const int32_t before = statement_;
    const bool begins = left >= 0 || !types.empty();
    if (begins) begin_statement(left >= 0 ? left : type);
    Value wanted;
    for (int32_t one : types) wanted.join(lower(one));
    std::vector<Target> found;
    if (left >= 0)
        engine_.assignments.targets(left, table_.assignment_declares ? Declares::NO : Declares::YES, found,
                                    &wanted);
    if (!found.empty() || !wanted.empty()) {
        const int32_t made = make(Op::ASSIGN, word("catch"), left >= 0 ? left : type);
        take(made, wanted);
        for (const Target &target : found) engine_.assignments.define(made, target);
        if (found.empty() && wanted.operations.empty()) noted_.bare_catches.push_back(made);
    } else if (begins && left < 0) {
        program_.statements.pop_back();  // except _
    }
    statement_ = before;
    tree_.each_in(node, rule, slot::BODY, [&](int32_t child) { statement(child); });
    scopes_.close();
}

void Statements::lower_with(int32_t node, const Rule &rule) {
    scopes_.open(Scopes::Kind::BLOCK, function_);
    tree_.each_in(node, rule, slot::ITEMS, [&](int32_t child) {
        const int32_t before = statement_;
        begin_statement(child);
        const Rule &inner = tree_.rule(child);
        const auto one = [&](int32_t item) {
            const Rule &part = tree_.rule(item);
            const Value value = children(item, part, slot::VALUE);
            int32_t left = tree_.in(item, part, slot::LEFT);
            const int32_t inside = tree_.in(item, part, slot::VALUE);
            if (left < 0 && inside >= 0 && tree_.shape(inside) == Shape::PATTERN)
                left = tree_.in(inside, slot::LEFT);
            const int32_t made = make(Op::OPERATOR, word("with"), item, RAISES);
            take(made, value, true);
            std::vector<Target> found;
            Value beside;
            if (left >= 0) engine_.assignments.targets(left, Declares::NO, found, &beside);
            take(made, beside);
            for (const Target &target : found) {
                engine_.assignments.define(made, target);
                if (!target.stored && target.variable >= 0) alias(target.variable, value);
            }
        };
        if (inner.shape == Shape::WITH_ITEM)
            one(child);
        else
            tree_.each_named(child, [&](int32_t item) {
                if (tree_.shape(item) == Shape::WITH_ITEM)
                    one(item);
                else
                    lower(item);
            });
        statement_ = before;
    });
    tree_.each_in(node, rule, slot::BODY, [&](int32_t child) { statement(child); });
    scopes_.close();
}

Value Statements::lower_jump(int32_t node, const Rule &rule) {
    const bool only_label = rule.slots[slot::VALUE].empty() && !rule.slots[slot::LABEL].empty();
    const Value value = only_label ? Value{} : children(node, rule, slot::VALUE);
    switch (rule.shape) {
        case Shape::RETURN: {
            const int32_t made = make(Op::RETURN, word("return"), node);
            take(made, value, true);
            for (int32_t result : program_.functions[function_].results)
                access(made, result, value.empty() ? Mode::READ : Mode::DEFINE);
            emit(Code::RETURN, made);
            return {};
        }
        case Shape::THROW: {
            const int32_t made = make(Op::JUMP, word("throw"), node, RAISES);
            take(made, value, true);
            emit(Code::THROW, made);
            return {};
        }
        case Shape::BREAK:
        case Shape::YIELD: {
            const bool yields = rule.shape == Shape::YIELD;
            const int32_t made = make(Op::JUMP, word(yields ? "yield" : "break"), node);
            take(made, value, true);
            const int32_t to = label(node, rule);
            for (auto one = leaving_.rbegin(); one != leaving_.rend() && !value.empty(); ++one) {
                const bool fits = yields ? one->is_switch : !one->is_switch && (to < 0 || one->label == to);
                if (!fits) continue;
                one->value.join(of(made));
                break;
            }
            const bool in_switch =
                std::any_of(leaving_.begin(), leaving_.end(), [](const auto &one) { return one.is_switch; });
            if (!yields)
                emit(Code::BREAK, made, to);
            else if (in_switch)
                emit(Code::LEAVE, made);
            return {};
        }
        case Shape::CONTINUE: {
            const int32_t made = make(Op::JUMP, word("continue"), node);
            emit(Code::CONTINUE, made, label(node, rule));
            return {};
        }
        default: {
            const int32_t made = make(Op::JUMP, word("goto"), node);
            emit(Code::GOTO, made, label(node, rule));
            return {};
        }
    }
}

void Statements::lower_labeled(int32_t node, const Rule &rule) {
    const int32_t name = label(node, rule);
    const bool is_target = rule.is(flag::TARGET);
    if (is_target) emit(Code::LABEL, -1, name);
    bool first = true;
    tree_.each_in(node, rule, slot::BODY, [&](int32_t body) {
        const Shape shape = tree_.shape(body);
        const bool is_loop = shape == Shape::WHILE || shape == Shape::DO || shape == Shape::FOR ||
                             shape == Shape::FOR_EACH || shape == Shape::LOOP;
        const bool is_block = first && !is_loop;
        first = false;
        if (is_loop) next_.loop_label = name;
        const bool is_left = is_block && (!is_target || shape == Shape::SWITCH);
        if (is_left) emit(Code::BLOCK, -1, name);
        statement(body);
        if (is_left) emit(Code::END);
        next_.loop_label = -1;
    });
}

void Statements::lower_assert(int32_t node, const Rule &rule) {
    const int32_t decides = condition(node, rule);
    emit(Code::IF, decides);
    emit(Code::ELSE);
    const Value value = children(node, rule, slot::VALUE);
    const int32_t made = make(Op::JUMP, word("assert"), node, RAISES);
    take(made, value);
    emit(Code::THROW, made);
    emit(Code::END);
}

// The deferred call runs when the function ends; its arguments are read here already.
void Statements::lower_defer(int32_t node, const Rule &rule) {
    const int32_t child = tree_.in(node, rule, slot::VALUE);
    if (child < 0) return;
    const size_t first_access = program_.accesses.size(), first_call = program_.calls.size();
    const Value value = lower(child);
    const int32_t call = value.operations.size() == 1 ? value.operations[0] : -1;
    Function::Deferred later{{}, -1};
    auto &items = program_.functions[function_].items;
    while (call >= 0 && items.back().a == call &&
           (items.back().code == Code::OP || items.back().code == Code::RETURN)) {
        later.items.insert(later.items.begin(), items.back());
        items.pop_back();
    }
    const int32_t made = make(Op::OPERATOR, word("defer"), node);
    if (later.items.empty()) return take(made, value);
    const int32_t on = program_.calls.size() > first_call ? program_.calls.back().receiver : -1;
    for (size_t i = first_access; i < program_.accesses.size(); ++i) {
        AccessRecord &access = program_.accesses[i];
        if (access.operation == call && access.mode == Mode::READ && access.variable != on)
            access.operation = made;
    }
    program_.operands.push_back({call, made});
    if (branches_ != 0 || program_.functions[function_].leaves) later.decides = made;
    program_.functions[function_].deferred.push_back(std::move(later));
}

// An import binds names where the language says so; what it binds is a module or comes from one.
void Statements::lower_import(int32_t node, const Rule &rule) {
    if (!rule.is(flag::BINDS)) return;
    tree_.each_in(node, rule, slot::ITEMS, [&](int32_t child) {
        const Rule &part = tree_.rule(child);
        int32_t name = child;  // a.b binds a; a.b as c binds c
        const int32_t as = tree_.in(child, part, slot::LEFT);
        if (as >= 0)
            name = as;
        else if (tree_.named_count(child) > 0)
            name = tree_.place(child, 0);
        if (tree_.shape(name) != Shape::NAME || tree_.start[name] == tree_.end[name]) return;
        const int32_t variable = scopes_.write(text(name));
        const int32_t made = make(Op::IMPORT, text(child), child, RAISES);
        access(made, variable, Mode::DEFINE);
        program_.variables[variable].is_module = rule.is(flag::TARGET);
    });
}

Value Statements::lower_let(int32_t node, const Rule &rule) {
    const Value value = children(node, rule, slot::VALUE);
    const int32_t left = tree_.in(node, rule, slot::LEFT);
    if (left >= 0) return engine_.switches.pattern(node, left, value, rule);
    if (rule.label.empty()) return value;
    const int32_t made = make(Op::OPERATOR, word(rule.label), node);
    take(made, value);
    return of(made);
}

}  // namespace codekin::flow
