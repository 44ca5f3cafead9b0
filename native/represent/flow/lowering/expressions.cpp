#include "represent/flow/lowering/expressions.hpp"

#include "represent/flow/lowering/engine.hpp"

namespace codekin::flow {

Value Expressions::lower_as(int32_t node, const Rule &rule) {
    switch (rule.shape) {
        case Shape::LITERAL: return lower_literal(node, rule);
        case Shape::BINARY: return lower_binary(node, rule);
        case Shape::CHAIN: return rule.label.empty() ? lower_chain(node) : lower_conjunction(node, rule);
        case Shape::UNARY: return lower_unary(node, rule);
        case Shape::CONDITIONAL: return lower_conditional(node, rule);
        case Shape::COMPREHENSION: return lower_comprehension(node, rule);
        case Shape::PAIR: return lower_pair(node, rule);
        case Shape::PROPAGATE: return propagate(node, children(node, rule, slot::VALUE));
        default: return lower_operation(node, rule);
    }
}

// Whether a string has holes, itself or in one of the strings that it joins.
bool Expressions::has_holes(int32_t node, const Rule &rule) const {
    bool found = false;
    tree_.each_in(node, rule, slot::ITEMS, [&](int32_t child) {
        const Rule &part = tree_.rule(child);
        found = found || part.shape != Shape::LITERAL || has_holes(child, part);
    });
    return found;
}

bool Expressions::is_text(int32_t node) const {
    const Rule &rule = tree_.rule(node);
    return rule.shape == Shape::LITERAL && rule.is(flag::STRING) && !has_holes(node, rule);
}

Value Expressions::lower_literal(int32_t node, const Rule &rule) {
    // A string with holes is made of them.
    if (has_holes(node, rule)) {
        Value parts;
        tree_.each_in(node, rule, slot::ITEMS, [&](int32_t child) {
            const Rule &part = tree_.rule(child);
            if (part.shape != Shape::LITERAL || has_holes(child, part)) parts.join(lower(child));
        });
        const int32_t made = make(Op::OPERATOR, word("format"), node);
        take(made, parts, true);
        return of(made);
    }
    uint8_t flags = A_STRING | A_NUMBER;
    if (rule.is(flag::NUMBER)) flags = A_NUMBER;
    if (rule.is(flag::STRING)) flags = A_STRING;
    const bool either = rule.is(flag::TRUE) && rule.is(flag::FALSE);  // the text says which
    const bool written_true = tree_.span(node) == "true";
    if (rule.is(flag::TRUE) && (!either || written_true)) flags |= IS_TRUE;
    if (rule.is(flag::FALSE) && (!either || !written_true)) flags |= IS_FALSE;
    if (rule.is(flag::NUMBER) && tree_.span(node) == "0") flags |= IS_FALSE;
    if (rule.is(flag::NUMBER) && tree_.span(node) == "1") flags |= IS_TRUE;
    return of(make(Op::CONSTANT, rule.label.empty() ? text(node) : word(rule.label), node, flags));
}

Value Expressions::lower_binary(int32_t node, const Rule &rule) {
    const std::string_view name = operator_of(node, rule);
    if (table_.logical.count(name) != 0) return lower_logical(node, rule, name);
    if (!table_.streams.empty() && (name == "<<" || name == ">>")) {
        const int32_t first = engine_.streams.stream_start(node, rule, name);
        if (first >= 0) return engine_.streams.lower_stream(node, rule, name, first);
    }
    Value left = value_in(node, rule, slot::LEFT);
    const Value right = value_in(node, rule, slot::RIGHT);
    const int32_t made = make(Op::OPERATOR, word(name), node, raises(name) ? RAISES : 0);
    take(made, left);
    take(made, right);
    const auto known = table_.effects.find(name);
    if (known != table_.effects.end())
        engine_.calls.apply(made, &known->second, &left, {right});  // channel <- value
    Value result = of(made);
    if (table_.pointer_arithmetic && (name == "+" || name == "-")) {
        result.place = left.place >= 0 ? left.place : right.place;
        result.address = left.address;
    }
    return result;
}

// `a && b`: b runs if a demands it.
Value Expressions::lower_logical(int32_t node, const Rule &rule, std::string_view name) {
    const int32_t left = tree_.in(node, rule, slot::LEFT);
    Value first = left < 0 ? Value{} : lower(left);
    const int32_t decides = predicate(first, left < 0 ? node : left);
    emit(Code::IF, decides);
    if (name != "&&") emit(Code::ELSE);
    ++branches_;
    const Value second = value_in(node, rule, slot::RIGHT);
    --branches_;
    emit(Code::END);
    const int32_t made = make(Op::OPERATOR, word(name), node);
    program_.operands.push_back({made, decides});
    take(made, second);
    Value result = of(made);
    reach_either(result, first, second);
    return result;
}

// a < b < c: the second comparison runs if the first holds.
Value Expressions::lower_chain(int32_t node) {
    Value last, result;
    std::string written;
    int32_t opened = 0, operands = 0, start = node;
    std::vector<int32_t> decided;
    tree_.each_child(node, [&](int32_t child) {
        if (tree_.shape(child) == Shape::COMMENT) return;
        if (!tree_.named(child)) {
            written = std::string(tree_.span(child));
            return;
        }
        if (operands++ == 0) {
            last = lower(child);
            return;
        }
        if (operands > 2) {
            decided.push_back(result.operations[0]);
            emit(Code::IF, result.operations[0]);
            ++opened;
            ++branches_;
        }
        const Value right = lower(child);
        const auto known = table_.operators.find(written);
        const int32_t name =
            known == table_.operators.end() ? program_.strings.kept(written) : word(known->second);
        const int32_t made = make(Op::OPERATOR, name, start);
        take(made, last);
        take(made, right);
        last = right;
        result = of(made);
    });
    if (operands < 2) return last;
    for (; opened > 0; --opened, --branches_) {
        emit(Code::END);
        const int32_t both = make(Op::OPERATOR, word("&&"), node);
        program_.operands.push_back({both, decided.back()});
        decided.pop_back();
        take(both, result);
        result = of(both);
    }
    return result;
}

Value Expressions::lower_unary(int32_t node, const Rule &rule) {
    const std::string_view name = operator_of(node, rule, true);
    const int32_t inner = tree_.in(node, rule, slot::VALUE);
    if (inner < 0) return {};
    if (name == "deref") return engine_.places.lower_deref(node, inner);
    if (name == "address") return engine_.places.lower_address(node, rule, inner);
    const bool is_number = tree_.shape(inner) == Shape::LITERAL && tree_.rule(inner).is(flag::NUMBER);
    if ((name == "neg" || name == "pos") && is_number)  // -1 is a constant
        return of(make(Op::CONSTANT, text(node), node, A_NUMBER));
    const auto known = table_.effects.find(name);
    const Effect *effect = known == table_.effects.end() ? nullptr : &known->second;
    std::vector<Target> found;
    Value value;
    if (effect && !effect->assigned.empty())  // `delete a.b` takes the place away
        engine_.assignments.targets(inner, Declares::NO, found, &value);
    else
        value = lower(inner);
    if (name == "cast") return cast(node, value);
    const int32_t made = make(Op::OPERATOR, word(name), node, raises(name) ? RAISES : 0);
    take(made, value);
    for (const Target &target : found) engine_.assignments.define(made, target);
    if (effect && effect->receiver) engine_.calls.change(made, value);
    Value result = of(made);
    if (effect && effect->result == Reach::ELEMENT && value.place >= 0) result.place = element(value.place);
    return result;
}

Value Expressions::cast(int32_t node, const Value &value) {
    const int32_t made = make(Op::OPERATOR, word("cast"), node);
    take(made, value);
    Value result = value;
    result.operations = {made};
    result.reads.clear();
    result.direct = false;
    return result;
}

// Conditions in a row: each but the first is evaluated if the ones before hold.
Value Expressions::lower_conjunction(int32_t node, const Rule &rule) {
    Value result;
    std::vector<int32_t> decided;
    int32_t last = -1;
    tree_.each_named(node, [&](int32_t child) {
        if (last >= 0) {
            decided.push_back(last);
            emit(Code::IF, last);
            ++branches_;
        }
        result = lower(child);
        last = predicate(result, child);
    });
    if (decided.empty()) return result;
    for (size_t i = 0; i < decided.size(); ++i, --branches_) emit(Code::END);
    const int32_t made = make(Op::OPERATOR, word(rule.label), node);
    for (int32_t one : decided) program_.operands.push_back({made, one});
    program_.operands.push_back({made, last});
    return of(made);
}

// A key with a value. A key that is a bare name is a field's name.
Value Expressions::lower_pair(int32_t node, const Rule &rule) {
    const int32_t key = tree_.in(node, rule, slot::NAME);
    const int32_t value = tree_.in(node, rule, slot::VALUE);
    if (key >= 0 && value >= 0 && tree_.shape(value) == Shape::FUNCTION) {
        next_.name = text(key);
        next_.is_member = true;
    }
    const bool is_read =
        rule.is(flag::EXPRESSION) && key >= 0 && (keys_read_ || !engine_.switches.binds_all(key));
    const bool keys_outside = keys_read_;
    keys_read_ = false;
    Value before = is_read ? lower(key) : Value{};
    Value all = children(node, rule, slot::VALUE);
    next_.name = -1;
    next_.is_member = false;
    keys_read_ = keys_outside;
    if (is_read) all.join(before);
    return all;
}

Value Expressions::lower_operation(int32_t node, const Rule &rule) {
    const int32_t instead = tree_.in(node, rule, slot::VALUE);
    if (instead >= 0) return lower(instead);
    if (rule.is(flag::EXPRESSION) && tree_.named_count(node) == 1) return lower(tree_.place(node, 0));
    const int32_t object = tree_.in(node, rule, slot::OBJECT);
    const Value whole = object < 0 ? Value{} : lower(object);
    const int32_t type = tree_.in(node, rule, slot::TYPE);
    const bool keys_outside = keys_read_;
    keys_read_ = type >= 0 && tree_.rule(type).label == "dict";  // a map's keys are values
    std::vector<Value> parts;
    const auto visit = [&](int32_t child) { parts.push_back(lower(child)); };
    if (rule.slots[slot::ITEMS].empty())
        tree_.each_named(node, visit);
    else
        tree_.each_in(node, rule, slot::ITEMS, visit);
    keys_read_ = keys_outside;
    std::string_view label = rule.label.empty() ? "group" : std::string_view(rule.label);
    if (type >= 0 && !tree_.rule(type).label.empty()) label = tree_.rule(type).label;
    const int32_t made = make(Op::OPERATOR, word(label), node, raises(label) ? RAISES : 0);
    take(made, whole, true);
    for (const Value &part : parts) take(made, part, true);
    Value value = of(made);
    if (whole.place >= 0) {  // a slice reaches what the whole reaches
        value.place = whole.place;
        return value;
    }
    // A collection holds what its elements reach.
    for (const Value &part : parts) {
        if (part.place < 0 && part.address < 0 && part.reads.empty()) continue;
        if (value.place < 0) value.place = scopes_.make(-1, function_, VariableKind::LOCAL);
        const int32_t held = element(value.place);
        if (part.address >= 0) program_.aliases.push_back({held, part.address, AliasKind::ADDRESS});
        if (part.place >= 0) program_.aliases.push_back({held, part.place, AliasKind::COPY});
        for (const Pending &read : part.reads)
            if (read.variable != part.place && read.variable != part.address)
                program_.aliases.push_back({held, read.variable, AliasKind::COPY});
    }
    return value;
}

Value Expressions::lower_conditional(int32_t node, const Rule &rule) {
    const int32_t decides = engine_.statements.condition(node, rule);
    emit(Code::IF, decides);
    ++branches_;
    const Value first = value_in(node, rule, slot::BODY);
    emit(Code::ELSE);
    const Value second = value_in(node, rule, slot::OTHERWISE);
    --branches_;
    emit(Code::END);
    const int32_t made = make(Op::OPERATOR, word("?:"), node);
    if (decides >= 0) program_.operands.push_back({made, decides});
    take(made, first);
    take(made, second);
    Value value = of(made);
    reach_either(value, first, second);
    return value;
}

Value Expressions::lower_comprehension(int32_t node, const Rule &rule) {
    scopes_.open(Scopes::Kind::BLOCK, function_);
    const int32_t outside = branches_;
    int32_t open = 0;
    std::vector<int32_t> deciding;
    tree_.each_in(node, rule, slot::ITEMS, [&](int32_t clause) {
        const Rule &inner = tree_.rule(clause);
        if (inner.shape == Shape::FOR_CLAUSE) {
            const Value source = children(clause, inner, slot::RIGHT);
            emit(Code::LOOP);
            const int32_t next = engine_.statements.each(clause, tree_.in(clause, inner, slot::LEFT), source,
                                                         Declares::YES, false);
            emit(Code::TEST, next);
            deciding.push_back(next);
            ++open;
        } else if (inner.shape == Shape::IF_CLAUSE) {
            const int32_t child = tree_.in(clause, inner, slot::CONDITION);
            if (child < 0) return;
            const Value value = lower(child);
            deciding.push_back(predicate(value, child));
            emit(Code::IF, deciding.back());
            ++open;
        }
        ++branches_;
    });
    Value element_value = children(node, rule, slot::BODY);
    for (; open > 0; --open) emit(Code::END);
    branches_ = outside;
    const int32_t made =
        make(Op::OPERATOR, word(rule.label.empty() ? "list" : std::string_view(rule.label)), node);
    take(made, element_value, true);
    // A bare name is read here: what decides how often it is taken must come along.
    if (element_value.operations.empty())
        for (int32_t one : deciding) program_.operands.push_back({made, one});
    scopes_.close();
    Value value = of(made);
    if (element_value.place >= 0) {
        const int32_t held = scopes_.make(-1, function_, VariableKind::LOCAL);
        program_.aliases.push_back({element(held), element_value.place, AliasKind::COPY});
        value.place = held;
    }
    return value;
}

Value Expressions::propagate(int32_t node, const Value &inner) {
    const int32_t made = make(Op::PREDICATE, word("?"), node);
    take(made, inner);
    emit(Code::IF, made);
    emit(Code::ELSE);
    const int32_t leaves = make(Op::RETURN, word("return"), node);
    program_.operands.push_back({leaves, made});
    emit(Code::RETURN, leaves);
    emit(Code::END);
    Value value = of(made);
    value.place = inner.place;
    return value;
}

}  // namespace codekin::flow
