// Declarators, types, and variables that are declared with a value.
#include "represent/flow/lowering/engine.hpp"

namespace codekin::flow {

// The name inside declarators; what they say of it comes back in `flags` and `parameters`.
int32_t Engine::declarator(int32_t node, uint32_t &flags, int32_t &parameters) const {
    while (node >= 0) {
        const Rule &rule = tree_.rule(node);
        if (rule.shape != Shape::DECLARATOR) return node;
        // int (*f)(int) is a pointer, int *f(int) a function.
        if (rule.is(flag::POINTER)) flags &= ~uint32_t{flag::PROTOTYPE};
        flags |= rule.flags;
        const int32_t inside = tree_.in(node, rule, slot::PARAMETERS);
        if (inside >= 0) parameters = inside;
        node = tree_.in(node, rule, slot::NAME);
    }
    return -1;
}

// A type's simple name: the first word of `List<Integer>`, the last of `std::string`.
int32_t Engine::type_name(int32_t node) {
    if (node < 0) return -1;
    while (true) {
        const Rule &rule = tree_.rule(node);
        if (rule.shape == Shape::SKIP && rule.is(flag::DEFAULT)) return -1;  // auto
        if (tree_.size[node] <= 1) break;
        if (rule.shape == Shape::SKIP && rule.is(flag::POINTER)) break;  // an array of it
        int32_t inner = tree_.in(node, rule, slot::NAME);
        if (inner < 0) inner = tree_.place(node, 0);
        if (inner < 0) break;
        node = inner;
    }
    return text(node);
}

int32_t Engine::array_of(int32_t type) {
    return program_.strings.kept(std::string(program_.strings.text(type)) + "[]");
}

// A reference to a variable is that variable; one to a part changes the whole.
bool Engine::bind_reference(int32_t variable, const Value &value) {
    if (value.direct && value.place != variable) {
        scopes_.forward(variable, scopes_.resolved(value.place));
        return true;
    }
    if (value.holder >= 0) {
        program_.variables[variable].through = value.holder;
        program_.aliases.push_back({value.holder, variable, AliasKind::ADDRESS});
    } else if (value.place >= 0) {
        program_.variables[variable].through = value.place;
    }
    return false;
}

// What a declaration says of a variable. Collections of pointers share what they point at.
void Engine::set_type(int32_t variable, int32_t type, int32_t type_node, uint32_t flags) {
    Variable &known = program_.variables[variable];
    if (type >= 0) known.type = type;
    bool indirect = (flags & (flag::POINTER | flag::REFERENCE)) != 0;
    if (type_node >= 0 && tree_.size[type_node] > 1) {
        if (type_node != pointing_type_.node) {  // several variables of one type
            const std::string_view written = tree_.span(type_node);
            pointing_type_ = {type_node, written.find('*') != std::string_view::npos ||
                                             written.find("ptr") != std::string_view::npos};
        }
        indirect |= pointing_type_.points;
    }
    known.indirect = indirect;
}

Value Engine::lower_declare(int32_t node, const Rule &rule, const Declared &declared) {
    Declared as = declared;
    const int32_t left = tree_.in(node, rule, slot::LEFT);
    const int32_t right = tree_.in(node, rule, slot::VALUE);
    const int32_t typed = tree_.in(node, rule, slot::TYPE);
    if (typed >= 0) as.type = type_name(as.type_node = typed);
    if (as.type >= 0 && tree_.in(node, rule, slot::ITEMS) >= 0) as.type = array_of(as.type);
    if (left < 0) return right < 0 ? Value{} : lower(right);
    std::vector<int32_t> lefts, rights;
    tree_.each_in(node, rule, slot::LEFT, [&](int32_t child) { lefts.push_back(child); });
    if (lefts.size() > 1) return declare_several(node, rule, lefts, right, as.declares);
    uint32_t flags = rule.flags;
    int32_t parameters = -1;
    const int32_t inner = declarator(left, flags, parameters);
    const bool is_name = inner >= 0 && tree_.shape(inner) == Shape::NAME;
    const int32_t otherwise = tree_.in(node, rule, slot::OTHERWISE);
    if (otherwise >= 0 && right >= 0) {  // let Some(x) = y else { return };
        const Value subject = lower(right);
        const Value matched = pattern(node, left, subject, rule);
        emit(Code::IF, matched.operations[0]);
        emit(Code::ELSE);
        ++branches_;
        statement(otherwise);
        --branches_;
        emit(Code::END);
        return {};
    }
    Value result;
    if (right >= 0 && !is_name) {
        lefts.clear();
        list_items(left, lefts);
        list_items(right, rights);
        if (assign_pairs(node, lefts, rights, as.declares, result)) return result;
    }
    const bool is_function = right >= 0 && tree_.shape(only_item(right)) == Shape::FUNCTION;
    std::vector<Target> found;
    Value beside, value;
    naming_ = is_name && is_function;
    if (is_function) targets(left, as.declares, found, &beside);
    naming_ = false;
    if (is_name) bound_name_ = text(name_node(inner));
    bound_member_ = is_name && is_function && scopes_.in_class();
    if (right >= 0) value = constructs(as, right) ? constructed(node, as, right) : lower(right);
    bound_name_ = -1;
    bound_member_ = false;
    naming_ = is_name;
    if (!is_function) targets(left, as.declares, found, &beside);
    naming_ = false;
    for (const Target &target : found)
        if (target.variable >= 0 && !target.stored) set_type(target.variable, as.type, as.type_node, flags);
    if (right < 0) {
        // Where a variable without a value gets an empty one, that is a definition.
        const bool is_empty = rule.is(flag::VALUE) && as.declares != Declares::HOISTED;
        return is_empty ? assign(node, "=", found, Value{}, false) : Value{};
    }
    const bool is_reference = (flags & flag::REFERENCE) && found.size() == 1 && !found[0].stored &&
                              found[0].variable >= 0 &&
                              program_.variables[found[0].variable].kind != VariableKind::FIELD;
    if (is_reference && value.direct && bind_reference(found[0].variable, value)) return value;
    const Value bound = value;
    value.join(beside);
    result = assign(node, "=", found, value, false);
    if (is_reference) bind_reference(found[0].variable, bound);
    return result;
}

// var a, b = 1, 2
Value Engine::declare_several(int32_t node, const Rule &rule, const std::vector<int32_t> &lefts,
                              int32_t right, Declares declares) {
    std::vector<int32_t> rights;
    Value value;
    if (right >= 0) {
        list_items(right, rights);
        if (assign_pairs(node, lefts, rights, declares, value)) return value;
        value = lower(right);
    }
    std::vector<Target> found;
    for (int32_t left : lefts) targets(left, declares, found, &value);
    const int32_t type = type_name(tree_.in(node, rule, slot::TYPE));
    for (const Target &target : found)
        if (target.variable >= 0 && type >= 0) program_.variables[target.variable].type = type;
    if (right < 0 && !rule.is(flag::VALUE)) return {};
    return assign(node, "=", found, value, false);
}

}  // namespace codekin::flow
