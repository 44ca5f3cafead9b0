// Branches, loops, jumps, exceptions.
#include <cctype>

#include "lowering_engine.hpp"

namespace codekin::flow {

// Lowers a condition; the operation that decides.
int32_t Engine::condition(int32_t node, const Rule &rule) {
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

int32_t Engine::label(int32_t node, const Rule &rule) {
    const int32_t child = tree_.in(node, rule, slot::LABEL);
    if (child < 0) return -1;
    return text(child);
}

Value Engine::lower_if(int32_t node, const Rule &rule) {
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

void Engine::lower_while(int32_t node, const Rule &rule) {
    int32_t name = label(node, rule);
    if (name < 0) name = loop_label_;
    loop_label_ = -1;
    scopes_.open(Scopes::Kind::BLOCK, function_);
    emit(Code::LOOP, -1, name);
    const int32_t decides = condition(node, rule);
    emit(Code::TEST, decides);
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

void Engine::lower_do(int32_t node, const Rule &rule) {
    emit(Code::LOOP, -1, loop_label_);
    loop_label_ = -1;
    ++branches_;
    tree_.each_in(node, rule, slot::BODY, [&](int32_t child) { statement(child); });
    emit(Code::NEXT);
    emit(Code::TEST, condition(node, rule));
    --branches_;
    emit(Code::END);
}

void Engine::lower_for(int32_t node, const Rule &rule) {
    // The header may be a node of its own, and say that it is another kind of loop.
    const int32_t header = tree_.in(node, rule, slot::ITEMS);
    const int32_t from = header < 0 ? node : header;
    const Rule &parts = tree_.rule(from);
    if (parts.shape == Shape::FOR_EACH) return lower_for_each(node, rule, from, parts);
    const int32_t name = loop_label_;
    loop_label_ = -1;
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

// The operation that takes the next element and binds it.
int32_t Engine::each(int32_t node, int32_t left, const Value &source, Declares declares, bool reference,
                     int32_t type_node) {
    Value beside;
    std::vector<Target> found;
    if (left >= 0) targets(left, declares, found, &beside);
    if (type_node >= 0) {
        uint32_t flags = reference ? uint32_t{flag::REFERENCE} : 0u;
        int32_t parameters = -1;
        if (left >= 0) declarator(left, flags, parameters);
        for (const Target &target : found)
            if (target.variable >= 0 && !target.stored)
                set_type(target.variable, type_name(type_node), type_node, flags);
    }
    const int32_t made = make(Op::PREDICATE, word("each"), node, raises("each") ? RAISES : 0);
    take(made, source, true);
    take(made, beside);
    for (const Target &target : found) {
        define(made, target);
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
void Engine::lower_for_each(int32_t node, const Rule &rule, int32_t from, const Rule &parts) {
    int32_t name = label(node, rule);
    if (name < 0) name = loop_label_;
    loop_label_ = -1;
    scopes_.open(Scopes::Kind::BLOCK, function_);
    tree_.each_in(node, rule, slot::INIT, [&](int32_t child) { statement(child); });
    const int32_t right = tree_.in(from, parts, slot::RIGHT);
    const int32_t left = tree_.in(from, parts, slot::LEFT);
    const int32_t before = statement_;
    if (right >= 0) begin_statement(right);
    const Value source = right < 0 ? Value{} : lower(right);
    emit(Code::LOOP, -1, name);
    const Declares declares = declares_of(from, parts);
    uint32_t flags = parts.flags;
    int32_t parameters = -1;
    if (left >= 0) declarator(left, flags, parameters);
    const int32_t next = each(right < 0 ? node : right, left, source, declares,
                              (flags & flag::REFERENCE) != 0, tree_.in(node, rule, slot::TYPE));
    emit(Code::TEST, next);
    statement_ = before;
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

Value Engine::lower_loop(int32_t node, const Rule &rule) {
    int32_t name = label(node, rule);
    if (name < 0) name = loop_label_;
    loop_label_ = -1;
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

void Engine::find_cases(int32_t node, std::vector<int32_t> &cases) const {
    tree_.each_named(node, [&](int32_t child) {
        const Shape shape = tree_.shape(child);
        if (shape == Shape::CASE)
            cases.push_back(child);
        else if (shape == Shape::SEQUENCE || tree_.is_error(child))
            find_cases(child, cases);
    });
}

Value Engine::lower_switch(int32_t node, const Rule &rule) {
    scopes_.open(Scopes::Kind::BLOCK, function_);
    tree_.each_in(node, rule, slot::INIT, [&](int32_t child) { statement(child); });
    const int32_t subject = tree_.in(node, rule, slot::VALUE);
    Value value;
    int32_t decides = -1;
    if (subject >= 0) {
        const int32_t before = statement_;
        begin_statement(subject);
        value = lower(subject);
        decides = predicate(value, subject, "switch");
        const int32_t name = tree_.in(node, rule, slot::LEFT);  // switch t := x.(type)
        if (name >= 0) {
            std::vector<Target> found;
            targets(name, Declares::YES, found, nullptr);
            assign(name, "=", found, value, false);
        }
        statement_ = before;
    } else if (!rule.label.empty()) {
        decides = make(Op::PREDICATE, word(rule.label), node);
    }
    std::vector<int32_t> cases;
    tree_.each_in(node, rule, slot::BODY, [&](int32_t body) {
        if (tree_.shape(body) == Shape::CASE)
            cases.push_back(body);
        else
            find_cases(body, cases);
    });
    emit(Code::SWITCH, decides, -1);
    program_.functions[function_].items.back().b = rule.is(flag::FALLS | flag::TARGET) ? 0 : 1;
    leaving_.push_back({{}, -1, true});
    ++branches_;
    Value result;
    for (int32_t one : cases) result.join(lower_case(one, tree_.rule(one), rule, decides, value));
    --branches_;
    emit(Code::END);
    // The choice between the branches is part of the value.
    if (!result.empty() && decides >= 0) result.operations.push_back(decides);
    result.join(leaving_.back().value);
    leaving_.pop_back();
    scopes_.close();
    return rule.is(flag::VALUE) ? result : Value{};
}

// Whether a name in a pattern is a constant's, and binds nothing.
bool Engine::is_constant(int32_t node) const {
    if (!table_.capital_constants || tree_.shape(node) != Shape::NAME) return false;
    if (tree_.in(node, slot::OBJECT) >= 0) return true;  // Colour::Red
    return std::isupper(static_cast<unsigned char>(tree_.text[tree_.start[node]])) != 0;
}

bool Engine::is_wildcard(int32_t node) const {
    const std::string_view written = tree_.span(node);
    return written == table_.wildcard;
}

// Whether a pattern is a bare name, which takes anything.
bool Engine::binds_all(int32_t node) const {
    while (true) {
        const Rule &rule = tree_.rule(node);
        if (is_constant(node)) return false;
        if (rule.shape == Shape::NAME)
            return tree_.size[node] == 1 && tree_.in(node, rule, slot::NAME) < 0;
        const bool wraps = rule.shape == Shape::EXPRESSION ||
                           (rule.shape == Shape::PATTERN && rule.is(flag::EXPRESSION));
        if (!wraps || tree_.named_count(node) != 1) return false;
        node = tree_.place(node, 0);
    }
}

// Whether the subject alone decides: constants, or names of constants.
bool Engine::is_simple(int32_t node, const Rule &rule) const {
    const Rule &value = tree_.rule(node);
    if (value.shape == Shape::LITERAL || value.shape == Shape::SKIP) return true;
    if (value.shape == Shape::PATTERN && value.is(flag::BINDS)) return false;
    if (is_constant(node)) return true;
    if (value.shape == Shape::UNARY || value.shape == Shape::EXPRESSION || value.shape == Shape::PATTERN ||
        value.shape == Shape::SEQUENCE) {
        bool all = tree_.size[node] > 1;
        tree_.each_named(node, [&](int32_t child) { all = all && is_simple(child, rule); });
        return all;
    }
    const bool is_name = value.shape == Shape::NAME || value.shape == Shape::MEMBER;
    return is_name && !rule.is(flag::EXPRESSION) && !rule.is(flag::PATTERN);
}

// A pattern: an operation that takes the subject and binds its names.
Value Engine::pattern(int32_t node, int32_t from, const Value &subject, const Rule &rule) {
    Value beside;
    std::vector<Target> found;
    targets(from, rule.is(flag::HOISTED) ? Declares::HOISTED : Declares::YES, found, &beside);
    const bool is_named = rule.shape == Shape::LET && !rule.label.empty();
    const int32_t made = make(is_named ? Op::OPERATOR : Op::PREDICATE,
                              is_named ? word(rule.label) : word("case"), node);
    take(made, subject, true);
    take(made, beside);
    for (const Target &target : found) {
        define(made, target);
        if (target.variable >= 0 && !target.stored && subject.place >= 0)
            program_.aliases.push_back({target.variable, subject.place, AliasKind::COPY});
    }
    return of(made);
}

// The values or patterns of an alternative; they may stand in labels, which are alternatives too.
void Engine::case_tests(int32_t node, const Rule &rule, Alternative &found) const {
    const size_t before = found.tests.size();
    tree_.each_in(node, rule, slot::LEFT, [&](int32_t child) {
        const Rule &inner = tree_.rule(child);
        if (inner.shape == Shape::CASE)
            case_tests(child, inner, found);
        else if (inner.shape == Shape::NAME && tree_.span(child) == "default")
            found.is_default = true;
        else if (rule.is(flag::PATTERN))
            found.tests.push_back(child);
        else
            list_items(child, found.tests);
    });
    if (found.guard < 0) found.guard = tree_.in(node, rule, slot::GUARD);
    found.is_default = found.is_default || found.tests.size() == before || rule.is(flag::DEFAULT);
}

Value Engine::lower_case(int32_t node, const Rule &rule, const Rule &around, int32_t subject,
                         const Value &value) {
    emit(Code::CASE);
    scopes_.open(Scopes::Kind::BLOCK, function_);
    const int32_t before = statement_;
    begin_statement(node);
    Alternative alternative;
    case_tests(node, rule, alternative);
    const auto &[tests, guard, is_marked] = alternative;
    const int32_t first = tree_.in(node, rule, slot::INIT);  // select: what happens if it is chosen
    bool is_default = first < 0 && (tests.empty() || is_marked);
    bool catches_all = false;
    bool has_pattern = rule.is(flag::PATTERN);
    for (int32_t test : tests) has_pattern = has_pattern || tree_.shape(test) == Shape::PATTERN;
    if (rule.is(flag::PATTERN) && tests.size() == 1)
        catches_all = is_wildcard(tests[0]) || binds_all(tests[0]);
    bool simple = true;
    if (!rule.is(flag::STATIC))  // else all values are constants
        for (int32_t test : tests) simple = simple && is_simple(test, rule);
    if (catches_all && guard < 0) is_default = true;
    int32_t chosen = -1;
    if (is_default) {
        emit(Code::DEFAULT);
        if (catches_all && !is_wildcard(tests[0])) pattern(node, tests[0], value, rule);
    } else if (simple) {
        emit(Code::MATCH, -1);
    } else if (has_pattern) {
        Value matched;
        for (int32_t test : tests) matched = pattern(test, test, value, rule);
        if (!matched.empty()) chosen = matched.operations[0];
        emit(Code::MATCH, chosen);
    } else {
        // Values: compared with the subject, or conditions where there is none.
        Value all;
        for (int32_t test : tests) {
            Value one = lower(test);
            if (subject >= 0) {
                const int32_t made = make(Op::OPERATOR, word("=="), test);
                take(made, value);
                take(made, one);
                one = of(made);
            }
            all.join(one);
        }
        chosen = predicate(all, tests[0], "case");
        emit(Code::MATCH, chosen);
    }
    int32_t holds = -1;
    if (guard >= 0) {
        const Value value = lower(guard);
        holds = predicate(value, guard);
        emit(Code::GUARD, holds);
    }
    if (first >= 0) statement(first);
    statement_ = before;
    Value result;
    bool falls = around.is(flag::FALLS) && !rule.is(flag::VALUE);
    tree_.each_in(node, rule, slot::BODY, [&](int32_t child) {
        const int32_t outside = statement_;
        begin_statement(child);
        if (tree_.shape(child) == Shape::FALLTHROUGH) falls = true;
        // A list of statements may end in it too.
        if (tree_.shape(child) == Shape::SEQUENCE) {
            const int32_t last = tree_.place(child, -1);
            if (last >= 0 && tree_.shape(last) == Shape::FALLTHROUGH) falls = true;
        }
        result = lower(child);
        statement_ = outside;
    });
    if (!falls) emit(Code::LEAVE);
    if (!result.empty())
        for (int32_t one : {chosen, holds})
            if (one >= 0) result.operations.push_back(one);
    scopes_.close();
    return result;
}

void Engine::lower_try(int32_t node, const Rule &rule) {
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

void Engine::lower_catch(int32_t node, const Rule &rule) {
    int32_t left = tree_.in(node, rule, slot::LEFT);
    int32_t type = tree_.in(node, rule, slot::TYPE);
    if (type < 0 && left >= 0) type = tree_.in(left, slot::TYPE);
    if (left < 0 && type >= 0) left = tree_.in(type, slot::LEFT);
    emit(Code::CATCH, -1, type < 0 ? -1 : text(type));
    scopes_.open(Scopes::Kind::BLOCK, function_);
    if (left >= 0) {
        const int32_t before = statement_;
        begin_statement(left);
        std::vector<Target> found;
        targets(left, table_.assignment_declares ? Declares::NO : Declares::YES, found, nullptr);
        if (!found.empty()) {
            const int32_t made = make(Op::ASSIGN, word("catch"), left);
            for (const Target &target : found) define(made, target);
        }
        statement_ = before;
    }
    tree_.each_in(node, rule, slot::BODY, [&](int32_t child) { statement(child); });
    scopes_.close();
}

void Engine::lower_with(int32_t node, const Rule &rule) {
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
            if (left >= 0) targets(left, Declares::NO, found, &beside);
            for (const Target &target : found) {
                define(made, target);
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

Value Engine::lower_jump(int32_t node, const Rule &rule) {
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
            if (yields)
                emit(Code::LEAVE, made);
            else
                emit(Code::BREAK, made, to);
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

void Engine::lower_labeled(int32_t node, const Rule &rule) {
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
        if (is_loop) loop_label_ = name;
        const bool is_left = is_block && (!is_target || shape == Shape::SWITCH);
        if (is_left) emit(Code::BLOCK, -1, name);
        statement(body);
        if (is_left) emit(Code::END);
        loop_label_ = -1;
    });
}

void Engine::lower_assert(int32_t node, const Rule &rule) {
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
void Engine::lower_defer(int32_t node, const Rule &rule) {
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
void Engine::lower_import(int32_t node, const Rule &rule) {
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

Value Engine::lower_let(int32_t node, const Rule &rule) {
    const Value value = children(node, rule, slot::VALUE);
    const int32_t left = tree_.in(node, rule, slot::LEFT);
    if (left >= 0) return pattern(node, left, value, rule);
    if (rule.label.empty()) return value;
    const int32_t made = make(Op::OPERATOR, word(rule.label), node);
    take(made, value);
    return of(made);
}

}  // namespace codekin::flow
