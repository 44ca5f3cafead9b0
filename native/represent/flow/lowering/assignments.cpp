#include "represent/flow/lowering/assignments.hpp"

#include "represent/flow/lowering/engine.hpp"

namespace codekin::flow {

Value Assignments::lower_as(int32_t node, const Rule &rule) {
    return rule.shape == Shape::UPDATE ? lower_update(node, rule) : lower_assign(node, rule);
}

void Assignments::targets(int32_t node, Declares declares, std::vector<Target> &found, Value *beside) {
    node = instead(node);
    const Rule &rule = tree_.rule(node);
    if (tree_.is_error(node)) {
        if (beside) beside->join(opaque(node));
        return;
    }
    switch (rule.shape) {
        case Shape::NAME: {
            const int32_t name = name_node(node);
            if (tree_.start[name] == tree_.end[name] || tree_.span(name) == table_.wildcard) return;
            if (declares != Declares::NO && !next_.is_name && engine_.switches.is_constant(node)) {
                if (beside) beside->join(lower(node));
                return;
            }
            const int32_t number = text(name);
            int32_t variable;
            if (declares == Declares::NO)
                variable = scopes_.write(number);
            else
                variable = scopes_.declare(number, declares == Declares::HOISTED);
            found.push_back({variable});
            return;
        }
        case Shape::MEMBER: {
            const int32_t object = tree_.in(node, rule, slot::OBJECT);
            const int32_t name = tree_.in(node, rule, slot::NAME);
            Value on = object < 0 ? Value{} : lower(object);
            if (name < 0) return;
            const int32_t member = text(name);
            const int32_t made = make(Op::MEMBER, member, node);
            const int32_t cls = engine_.places.receiver_class(on);
            if (cls >= 0) {
                Target target{scopes_.field(cls, member)};
                target.operation = made;
                found.push_back(target);
                return;
            }
            engine_.places.see_through(on, false);
            const int32_t field = engine_.places.field_of(node, rule, name);
            engine_.places.reached(made, on, field, Mode::BASE);
            found.push_back({on.place, field, true, made});
            return;
        }
        case Shape::INDEX: {
            Value on = value_in(node, rule, slot::OBJECT);
            engine_.places.see_through(on, true);
            const Value at = children(node, rule, slot::RIGHT);
            const int32_t made = make(Op::INDEX, word("index"), node, raises("index") ? RAISES : 0);
            engine_.places.reached(made, on, -1, Mode::BASE);
            take(made, at);
            found.push_back({on.place, -1, true, made});
            return;
        }
        case Shape::DEREF:
        case Shape::UNARY: {
            const bool is_deref = rule.shape == Shape::DEREF || operator_of(node, rule, true) == "deref";
            const int32_t inner = tree_.in(node, rule, slot::VALUE);
            if (!is_deref || inner < 0) break;
            const Value on = lower(inner);
            const int32_t made = make(Op::INDEX, word("deref"), node);
            engine_.places.reached(made, on, -1, Mode::BASE);
            if (on.address >= 0) found.push_back({on.address});
            found.push_back({on.place, -1, true, made});
            return;
        }
        case Shape::CALL:
        case Shape::METHOD_CALL: {
            const int32_t list = tree_.in(node, rule, slot::ARGUMENTS);
            const int32_t called = tree_.in(node, rule, slot::FUNCTION);
            if (list >= 0 && called >= 0 && tree_.shape(called) == Shape::NAME) {
                const Effect *effect = engine_.calls.effect_of(text(name_node(called)), nullptr, 0);
                if (effect && effect->result == Reach::ARGUMENTS) {  // tie(a, b) = ...
                    tree_.each_named(list, [&](int32_t child) { targets(child, declares, found, beside); });
                    return;
                }
            }
            const Value value = lower(node);
            const int32_t changed = value.holder >= 0 ? value.holder : value.place;
            found.push_back({changed, value.holder >= 0 ? value.holder_field : -1, true,
                             value.operations.empty() ? -1 : value.operations[0]});
            return;
        }
        case Shape::DECLARATOR: {
            const int32_t inner = tree_.in(node, rule, slot::NAME);
            if (inner >= 0) targets(inner, declares, found, beside);
            return;
        }
        case Shape::ASSIGN: {  // a pattern's default
            const int32_t left = tree_.in(node, rule, slot::LEFT);
            const int32_t right = tree_.in(node, rule, slot::RIGHT);
            if (right >= 0 && beside) beside->join(lower(right));
            if (left >= 0) targets(left, declares, found, beside);
            return;
        }
        case Shape::PAIR: {
            const int32_t value = tree_.in(node, rule, slot::VALUE);
            if (value >= 0) targets(value, declares, found, beside);
            return;
        }
        case Shape::DECLARE:
        case Shape::DECLARATION: {
            const Slot part = rule.shape == Shape::DECLARE ? slot::LEFT : slot::ITEMS;
            tree_.each_in(node, rule, part,
                          [&](int32_t child) { targets(child, Declares::YES, found, beside); });
            return;
        }
        case Shape::SKIP:
        case Shape::COMMENT: return;
        case Shape::LITERAL:
        case Shape::BINARY:
        case Shape::CONDITIONAL: break;
        default: {
            if (rule.is(flag::VALUE) && rule.shape == Shape::PATTERN && tree_.named_count(node) > 1) {
                const Value path = lower(tree_.place(node, 0));  // a constant's path: Color.RED
                if (beside) beside->join(path);
                return;
            }
            const auto visit = [&](int32_t child) { targets(child, declares, found, beside); };
            const Slot part =
                rule.shape == Shape::EXPRESSION || rule.shape == Shape::SPREAD ? slot::VALUE : slot::ITEMS;
            if (rule.slots[part].empty())
                tree_.each_named(node, visit);
            else
                tree_.each_in(node, rule, part, visit);
            return;
        }
    }
    const Value value = lower(node);
    if (beside) beside->join(value);
}

void Assignments::define(int32_t operation, const Target &target, bool also_reads) {
    if (target.operation >= 0) {
        program_.operands.push_back({operation, target.operation});
        if (program_.operations[target.operation].kind == Op::MEMBER)
            noted_.assigned_members.emplace_back(operation, target.operation);
    }
    if (target.variable < 0) return;
    if (target.stored) {
        if (also_reads) access(operation, target.variable, Mode::LOAD, target.field);
        access(operation, target.variable, Mode::STORE, target.field);
        return;
    }
    if (also_reads) access(operation, target.variable, Mode::READ);
    access(operation, target.variable, Mode::DEFINE);
    const Variable &known = program_.variables[target.variable];
    if (known.through >= 0) access(operation, known.through, Mode::STORE);
    if (known.by_reference) access(operation, target.variable, Mode::STORE);
}

Value Assignments::assign(int32_t node, std::string_view name, const std::vector<Target> &left,
                          const Value &right, bool also_reads) {
    const int32_t made = make(Op::ASSIGN, word(name), node);
    take(made, right);
    for (const Target &target : left) {
        define(made, target, also_reads);
        if (target.variable < 0) continue;
        if (!target.stored) {
            alias(target.variable, right);
            Variable &known = program_.variables[target.variable];
            const bool is_first = known.function == -1 && right.function >= 0;
            known.function = is_first ? right.function : -2;
        } else if (right.place >= 0 && !copies(right.place)) {
            program_.aliases.push_back({right.place, target.variable, AliasKind::ELEMENT});
        }
        if (target.stored && right.address >= 0)
            program_.aliases.push_back({element(target.variable), right.address, AliasKind::ADDRESS});
    }
    Value value = of(made);
    if (left.size() == 1 && left[0].variable >= 0 && !left[0].stored) value.place = left[0].variable;
    return value;
}

bool Assignments::assign_pairs(int32_t node, const std::vector<int32_t> &lefts,
                               const std::vector<int32_t> &rights, Declares declares, Value &result) {
    if (lefts.size() != rights.size() || lefts.size() < 2) return false;
    for (const auto *list : {&lefts, &rights})
        for (int32_t item : *list) {
            const Shape shape = tree_.shape(item);
            if (shape == Shape::SPREAD || tree_.is_error(item)) return false;
        }
    std::vector<Value> values;
    for (int32_t item : rights) values.push_back(lower(item));
    std::vector<std::vector<Target>> found(lefts.size());
    std::vector<Value> beside(lefts.size());  // what each target takes on the way: a default
    for (size_t i = 0; i < lefts.size(); ++i) targets(lefts[i], declares, found[i], &beside[i]);
    std::unordered_map<int32_t, size_t> last_read;  // by variable: the last value that reads it
    for (size_t k = 0; k < values.size(); ++k)
        for (const Pending &read : values[k].reads) last_read[read.variable] = k;
    bool entangled = false;
    for (size_t i = 0; i < found.size() && !entangled; ++i)
        for (const Target &target : found[i]) {
            const auto read = last_read.find(target.variable);
            entangled |= read != last_read.end() && read->second > i;
        }
    if (!entangled) {
        for (size_t i = 0; i < found.size(); ++i) {
            values[i].join(beside[i]);
            result.join(assign(lefts[i], "=", found[i], values[i], false));
        }
        return true;
    }
    Value all;
    std::vector<Target> together;
    for (const Value &value : values) all.join(value);
    for (const auto &part : found) together.insert(together.end(), part.begin(), part.end());
    for (const Value &value : beside) all.join(value);
    result = assign(node, "=", together, all, false);
    return true;
}

Value Assignments::lower_assign(int32_t node, const Rule &rule) {
    const int32_t left = tree_.in(node, rule, slot::LEFT);
    const int32_t right = tree_.in(node, rule, slot::RIGHT);
    std::string_view name = operator_of(node, rule);
    if (name.empty()) name = "=";
    if (left < 0) return right < 0 ? Value{} : lower(right);
    if (right < 0) {  // a declaration of a type alone
        std::vector<Target> found;
        if (table_.assignment_declares) targets(left, Declares::NO, found, nullptr);
        return {};
    }
    const bool writes_declares = name == ":=" && !rule.slots[slot::OPERATOR].empty();
    const Declares declares = rule.is(flag::DECLARES) || writes_declares ? Declares::YES : Declares::NO;
    const bool is_plain = name == "=" || name == ":=";
    if (!is_plain && name.back() == '=' && table_.logical.count(name.substr(0, name.size() - 1)) != 0)
        return assign_if_needed(node, left, right, name);
    Value result;
    std::vector<int32_t> lefts, rights;
    list_items(left, lefts);
    list_items(right, rights);
    if (is_plain && assign_pairs(node, lefts, rights, declares, result)) return result;
    const bool is_function = tree_.shape(only_item(right)) == Shape::FUNCTION;
    if (is_function) bind_name(only_item(left));
    Value value = lower(right);
    next_.name = -1;
    next_.is_member = false;
    std::vector<Target> found;
    targets(left, declares, found, &value);
    const int32_t type = type_name(tree_.in(node, rule, slot::TYPE));
    for (const Target &target : found)
        if (type >= 0 && target.variable >= 0 && !target.stored)
            program_.variables[target.variable].type = type;
    const Value assigned = assign(node, is_plain ? "=" : name, found, value, !is_plain);
    // `a += [x]` changes a list in place, where others may see it.
    const Shape added = tree_.shape(only_item(right));
    const bool in_place = !is_plain && table_.assignment_declares &&
                          (added == Shape::OPERATION || added == Shape::COMPREHENSION);
    for (const Target &target : found)
        if (in_place && target.variable >= 0 && !target.stored)
            access(assigned.operations[0], target.variable, Mode::STORE);
    return assigned;
}

// `a ||= b`: b is evaluated and assigned only if a demands it.
Value Assignments::assign_if_needed(int32_t node, int32_t left, int32_t right, std::string_view name) {
    std::vector<Target> found;
    Value beside;
    targets(left, Declares::NO, found, &beside);
    const int32_t decides = make(Op::PREDICATE, word("test"), left);
    take(decides, beside);
    for (const Target &target : found) {
        if (target.operation >= 0) program_.operands.push_back({decides, target.operation});
        if (target.variable < 0) continue;
        access(decides, target.variable, target.stored ? Mode::LOAD : Mode::READ, target.field);
    }
    emit(Code::IF, decides);
    if (name != "&&=") emit(Code::ELSE);
    ++branches_;
    Value value = assign(node, name, found, lower(right), false);
    --branches_;
    emit(Code::END);
    return value;
}

// A function that is assigned gets the name of its target.
void Assignments::bind_name(int32_t target) {
    next_.is_member = tree_.shape(target) == Shape::MEMBER;
    if (tree_.shape(target) == Shape::NAME) next_.name = text(name_node(target));
    if (!next_.is_member) return;
    const int32_t member = tree_.in(target, slot::NAME);
    if (member >= 0) next_.name = text(member);
}

Declares Assignments::declares_of(int32_t node, const Rule &rule) const {
    if (!rule.slots[slot::OPERATOR].empty()) {
        const int32_t written = tree_.in(node, rule, slot::OPERATOR);
        if (written < 0) return Declares::NO;
        return table_.hoisting.count(tree_.span(written)) != 0 ? Declares::HOISTED : Declares::YES;
    }
    if (rule.is(flag::HOISTED)) return Declares::HOISTED;
    return rule.is(flag::DECLARES) ? Declares::YES : Declares::NO;
}

Value Assignments::lower_update(int32_t node, const Rule &rule) {
    const int32_t inner = tree_.in(node, rule, slot::VALUE);
    if (inner < 0) return {};
    std::vector<Target> found;
    Value beside;
    targets(inner, Declares::NO, found, &beside);
    return assign(node, operator_of(node, rule), found, beside, true);
}

}  // namespace codekin::flow
