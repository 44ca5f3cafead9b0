#include "represent/flow/lowering/switches.hpp"

#include <cctype>

#include "represent/flow/lowering/engine.hpp"

namespace codekin::flow {

void Switches::find_cases(int32_t node, std::vector<int32_t> &cases) const {
    tree_.each_named(node, [&](int32_t child) {
        const Shape shape = tree_.shape(child);
        if (shape == Shape::CASE)
            cases.push_back(child);
        else if (shape == Shape::SEQUENCE || tree_.is_error(child))
            find_cases(child, cases);
    });
}

Value Switches::lower_switch(int32_t node, const Rule &rule) {
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
            engine_.assignments.targets(name, Declares::YES, found, nullptr);
            engine_.assignments.assign(name, "=", found, value, false);
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

bool Switches::is_constant(int32_t node) const {
    if (!table_.capital_constants || tree_.shape(node) != Shape::NAME) return false;
    if (tree_.in(node, slot::OBJECT) >= 0) return true;  // Colour::Red
    return std::isupper(static_cast<unsigned char>(tree_.text[tree_.start[node]])) != 0;
}

bool Switches::is_wildcard(int32_t node) const {
    const std::string_view written = tree_.span(node);
    return written == table_.wildcard;
}

bool Switches::binds_all(int32_t node) const {
    while (true) {
        const Rule &rule = tree_.rule(node);
        if (is_constant(node)) return false;
        if (rule.shape == Shape::NAME) return tree_.size[node] == 1 && tree_.in(node, rule, slot::NAME) < 0;
        const bool wraps =
            rule.shape == Shape::EXPRESSION || (rule.shape == Shape::PATTERN && rule.is(flag::EXPRESSION));
        if (!wraps || tree_.named_count(node) != 1) return false;
        node = tree_.place(node, 0);
    }
}

// Whether the subject alone decides: constants, or names of constants.
bool Switches::is_simple(int32_t node, const Rule &rule) const {
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

Value Switches::pattern(int32_t node, int32_t from, const Value &subject, const Rule &rule) {
    Value beside;
    std::vector<Target> found;
    engine_.assignments.targets(from, rule.is(flag::HOISTED) ? Declares::HOISTED : Declares::YES, found,
                                &beside);
    const bool is_named = rule.shape == Shape::LET && !rule.label.empty();
    const int32_t made =
        make(is_named ? Op::OPERATOR : Op::PREDICATE, is_named ? word(rule.label) : word("case"), node);
    take(made, subject, true);
    take(made, beside);
    for (const Target &target : found) {
        engine_.assignments.define(made, target);
        if (target.variable >= 0 && !target.stored && subject.place >= 0)
            program_.aliases.push_back({target.variable, subject.place, AliasKind::COPY});
    }
    return of(made);
}

// The values or patterns of an alternative; they may stand in labels, which are alternatives too.
void Switches::case_tests(int32_t node, const Rule &rule, Alternative &found) const {
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

Value Switches::lower_case(int32_t node, const Rule &rule, const Rule &around, int32_t subject,
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
        holds = predicate(lower(guard), guard);
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

}  // namespace codekin::flow
