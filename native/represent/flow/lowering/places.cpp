#include "represent/flow/lowering/places.hpp"

#include "represent/flow/lowering/engine.hpp"

namespace codekin::flow {

Value Places::lower_as(int32_t node, const Rule &rule) {
    switch (rule.shape) {
        case Shape::NAME: return lower_name(node);
        case Shape::ADDRESS: return lower_address(node, rule, tree_.in(node, rule, slot::VALUE));
        case Shape::DEREF: return lower_deref(node, tree_.in(node, rule, slot::VALUE));
        default: return lower_link(node, rule);
    }
}

// The object that the code of a class runs on, also inside lambdas.
int32_t Places::receiver(int32_t name, int32_t type) {
    if (type < 0) type = scopes_.classes()[scopes_.current_class()].name;
    const int32_t known = scopes_.read(name);
    if (program_.variables[known].kind == VariableKind::RECEIVER && program_.variables[known].type == type)
        return known;
    const int32_t made = scopes_.make(name, function_, VariableKind::RECEIVER);
    program_.variables[made].type = type;
    return made;
}

Value Places::lower_name(int32_t node) {
    const int32_t name = name_node(node);
    if (tree_.start[name] == tree_.end[name]) return {};
    if (tree_.span(name) == table_.wildcard) return {};
    const bool is_quiet = !table_.quiet.empty() && table_.quiet.count(tree_.span(node)) != 0;
    if (is_quiet && !scopes_.declared(text(name))) return {};
    const bool is_receiver = table_.receivers.count(tree_.span(name)) != 0 && scopes_.current_class() >= 0;
    const int32_t outer = scopes_.innermost(text(name));  // `self` in a function inside a method
    const bool is_captured = outer >= 0 && program_.variables[outer].kind == VariableKind::RECEIVER;
    const int32_t variable = is_receiver   ? receiver(text(name), -1)
                             : is_captured ? outer
                                           : scopes_.read(text(name));
    Value value;
    value.reads.push_back({variable, -1, Mode::READ});
    value.place = variable;
    value.direct = true;
    value.function = program_.variables[variable].function;
    if (value.function < 0) value.function = -1;
    return value;
}

Value Places::reached(int32_t operation, const Value &object, int32_t field, Mode mode) {
    if (object.direct) {
        access(operation, object.place, mode, field);
    } else {
        take(operation, object);
        if (object.place >= 0) access(operation, object.place, mode, field);
    }
    Value value = of(operation);
    if (object.address >= 0 && field < 0) access(operation, object.address, Mode::READ);
    if (object.place >= 0) value.place = element(object.place);
    value.holder = object.place;
    value.holder_field = field;
    return value;
}

// One link of a chain: a member, an index, a call. What follows `a?.` runs only if there is an
// `a`, to the end of the chain.
Value Places::lower_link(int32_t node, const Rule &rule) {
    const bool is_inner = in_chain_;
    in_chain_ = false;
    const int32_t outside = skips_;
    if (!is_inner) skips_ = 0;
    Value value;
    switch (rule.shape) {
        case Shape::CALL: value = engine_.calls.lower_call(node, rule); break;
        case Shape::METHOD_CALL: value = engine_.calls.lower_method_call(node, rule); break;
        case Shape::MEMBER: value = lower_member(node, rule); break;
        default: value = lower_index(node, rule); break;
    }
    if (is_inner) return value;
    for (; skips_ > 0; --skips_, --branches_) emit(Code::END);
    skips_ = outside;
    return value;
}

Value Places::link(int32_t object, int32_t node, const Rule &rule) {
    if (object < 0) return {};
    const Shape shape = tree_.shape(object);
    in_chain_ = shape == Shape::CALL || shape == Shape::METHOD_CALL || shape == Shape::MEMBER ||
                shape == Shape::INDEX;
    Value value = lower(object);
    in_chain_ = false;
    skip_unless(value, node, rule);
    return value;
}

void Places::skip_unless(const Value &value, int32_t node, const Rule &rule) {
    if (rule.slots[slot::GUARD].empty() || value.empty()) return;
    if (tree_.in(node, rule, slot::GUARD) < 0) return;
    emit(Code::IF, predicate(value, node));
    ++skips_;
    ++branches_;
}

int32_t Places::receiver_class(const Value &value) {
    if (!value.direct) return -1;
    const Variable &variable = program_.variables[value.place];
    if (variable.kind == VariableKind::RECEIVER && variable.type >= 0)
        return scopes_.class_number(variable.type);
    // A function inside a method has not settled yet what it means by `this`.
    const bool is_captured = variable.tentative && variable.name >= 0 &&
                             table_.receivers.count(program_.strings.text(variable.name)) != 0;
    return variable.kind == VariableKind::RECEIVER || is_captured ? scopes_.current_class() : -1;
}

void Places::see_through(Value &object, bool is_index) {
    if (!object.deref || object.holder < 0) return;
    if (is_index && object.place >= 0)
        program_.aliases.push_back({object.place, object.holder, AliasKind::COPY});
    object.place = object.holder;
}

int32_t Places::field_of(int32_t node, const Rule &rule, int32_t name) {
    if (!table_.parts.empty()) {
        const int32_t written = tree_.in(node, rule, slot::OPERATOR);
        if (written >= 0) {
            const std::string key = std::string(tree_.span(written)) + std::string(tree_.span(name));
            if (table_.parts.count(key) != 0) return -1;
        }
    }
    return text(name);
}

Value Places::lower_member(int32_t node, const Rule &rule) {
    if (!table_.quiet.empty() && table_.quiet.count(tree_.span(node)) != 0) return {};
    const int32_t object = tree_.in(node, rule, slot::OBJECT);
    const int32_t name = tree_.in(node, rule, slot::NAME);
    if (name >= 0 && object >= 0 && table_.receivers.count(tree_.span(name)) != 0) {  // Outer.this
        Value outer;
        // Before the name: compilers differ in the order in which they evaluate arguments.
        const int32_t type = type_name(object);
        outer.place = receiver(text(name), type);
        outer.reads.push_back({outer.place, -1, Mode::READ});
        outer.direct = true;
        return outer;
    }
    Value on = link(object, node, rule);
    if (name < 0) return on;
    return member_of(node, text(name), on, field_of(node, rule, name));
}

Value Places::member_of(int32_t node, int32_t member, Value object, int32_t field) {
    const int32_t made = make(Op::MEMBER, member, node, raises("member") ? RAISES : 0);
    const int32_t cls = receiver_class(object);
    if (cls < 0) {
        see_through(object, false);
        return reached(made, object, field, Mode::LOAD);
    }
    const int32_t own = scopes_.field(cls, member);
    access(made, own, Mode::READ);
    Value value = of(made);
    value.place = value.holder = own;
    return value;
}

Value Places::lower_index(int32_t node, const Rule &rule) {
    Value on = link(tree_.in(node, rule, slot::OBJECT), node, rule);
    see_through(on, true);
    const Value at = children(node, rule, slot::RIGHT);
    const int32_t made = make(Op::INDEX, word("index"), node, raises("index") ? RAISES : 0);
    Value value = reached(made, on, -1, Mode::LOAD);
    take(made, at);
    const int32_t right = tree_.in(node, rule, slot::RIGHT);
    const bool is_range =
        right >= 0 && tree_.shape(right) == Shape::OPERATION && tree_.rule(right).label == "range";
    if (is_range) value.place = on.place;  // a part of the same sequence
    const bool is_slice =
        right >= 0 && tree_.shape(right) == Shape::OPERATION && tree_.rule(right).label == "slice";
    if (is_slice && on.place >= 0) {  // a new sequence of the same elements
        value.place = scopes_.make(-1, function_, VariableKind::LOCAL);
        program_.aliases.push_back({element(value.place), element(on.place), AliasKind::COPY});
    }
    return value;
}

Value Places::lower_deref(int32_t node, int32_t inner) {
    const Value on = lower(inner);
    const int32_t made = make(Op::INDEX, word("deref"), node);
    Value value = reached(made, on, -1, Mode::LOAD);
    value.deref = true;
    return value;
}

Value Places::lower_address(int32_t node, const Rule &rule, int32_t inner) {
    if (inner < 0) return {};
    const bool wants_mark = !rule.slots[slot::OPERATOR].empty() && rule.shape == Shape::ADDRESS;
    const bool marked = !wants_mark || tree_.in(node, rule, slot::OPERATOR) >= 0;
    Value value = lower(inner);
    if (!marked) return value;
    // What is stored through the address of a part is stored in the whole.
    if (value.holder >= 0 && value.place >= 0 && value.place != value.holder)
        program_.aliases.push_back({value.place, value.holder, AliasKind::COPY});
    if (!value.direct && value.place >= 0 && program_.variables[value.place].kind == VariableKind::FIELD)
        value.address = value.place;
    const bool is_shown = rule.shape == Shape::UNARY || !rule.label.empty();
    if (is_shown) {
        const int32_t made = make(Op::OPERATOR, word("address"), node);
        Value result = of(made);
        if (value.direct) {
            result.address = value.place;
        } else {
            take(made, value);
            result.place = value.holder >= 0 ? value.holder : value.place;
        }
        return result;
    }
    if (value.direct)
        value.address = value.place;
    else if (value.holder >= 0)
        value.place = value.holder;
    return value;
}

}  // namespace codekin::flow
