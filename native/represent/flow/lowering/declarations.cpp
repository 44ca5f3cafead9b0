#include "represent/flow/lowering/declarations.hpp"

#include "represent/flow/lowering/engine.hpp"

namespace codekin::flow {

Value Declarations::lower_as(int32_t node, const Rule &rule) {
    if (rule.shape == Shape::DECLARATION) return lower_declaration(node, rule);
    if (rule.is(flag::INITIALIZER)) return initialized(node, rule);
    const Declares declares = rule.is(flag::HOISTED) ? Declares::HOISTED : Declares::YES;
    return lower_declare(node, rule, {-1, -1, declares, false});
}

int32_t Declarations::array_of(int32_t type) {
    return program_.strings.kept(std::string(program_.strings.text(type)) + "[]");
}

// A reference to a variable is that variable; one to a part changes the whole.
bool Declarations::bind_reference(int32_t variable, const Value &value) {
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

void Declarations::set_type(int32_t variable, int32_t type, int32_t type_node, uint32_t flags) {
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

Value Declarations::lower_declare(int32_t node, const Rule &rule, const Declared &declared) {
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
        const Value matched = engine_.switches.pattern(node, left, subject, rule);
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
        if (engine_.assignments.assign_pairs(node, lefts, rights, as.declares, result)) return result;
    }
    const bool is_function = right >= 0 && tree_.shape(only_item(right)) == Shape::FUNCTION;
    std::vector<Target> found;
    Value beside, value;
    next_.is_name = is_name && is_function;
    if (is_function) engine_.assignments.targets(left, as.declares, found, &beside);
    next_.is_name = false;
    if (is_name) next_.name = text(name_node(inner));
    next_.is_member = is_name && is_function && scopes_.in_class();
    if (right >= 0) value = constructs(as, right) ? constructed(node, as, right) : lower(right);
    next_.name = -1;
    next_.is_member = false;
    next_.is_name = is_name;
    if (!is_function) engine_.assignments.targets(left, as.declares, found, &beside);
    next_.is_name = false;
    for (const Target &target : found)
        if (target.variable >= 0 && !target.stored) set_type(target.variable, as.type, as.type_node, flags);
    if (right < 0) {
        // Where a variable without a value gets an empty one, that is a definition.
        const bool is_empty = rule.is(flag::VALUE) && as.declares != Declares::HOISTED;
        return is_empty ? engine_.assignments.assign(node, "=", found, Value{}, false) : Value{};
    }
    const bool is_reference = (flags & flag::REFERENCE) && found.size() == 1 && !found[0].stored &&
                              found[0].variable >= 0 &&
                              program_.variables[found[0].variable].kind != VariableKind::FIELD;
    if (is_reference && value.direct && bind_reference(found[0].variable, value)) return value;
    const Value bound = value;
    value.join(beside);
    result = engine_.assignments.assign(node, "=", found, value, false);
    if (is_reference) bind_reference(found[0].variable, bound);
    return result;
}

// var a, b = 1, 2
Value Declarations::declare_several(int32_t node, const Rule &rule, const std::vector<int32_t> &lefts,
                                    int32_t right, Declares declares) {
    std::vector<int32_t> rights;
    Value value;
    if (right >= 0) {
        list_items(right, rights);
        if (engine_.assignments.assign_pairs(node, lefts, rights, declares, value)) return value;
        value = lower(right);
    }
    std::vector<Target> found;
    for (int32_t left : lefts) engine_.assignments.targets(left, declares, found, &value);
    const int32_t type = type_name(tree_.in(node, rule, slot::TYPE));
    for (const Target &target : found)
        if (target.variable >= 0 && type >= 0) program_.variables[target.variable].type = type;
    if (right < 0 && !rule.is(flag::VALUE)) return {};
    return engine_.assignments.assign(node, "=", found, value, false);
}

// The declarators of a declaration in turn; a value may stand beside its declarator.
Value Declarations::lower_declaration(int32_t node, const Rule &rule) {
    Declared as;
    as.type_node = tree_.in(node, rule, slot::TYPE);
    if (as.type_node >= 0) {
        as.type = type_name(as.type_node);
        if (tree_.shape(as.type_node) == Shape::CLASS) lower(as.type_node);  // struct S { ... } s;
    }
    as.declares = rule.is(flag::HOISTED) ? Declares::HOISTED : Declares::YES;
    if (function_ != 0 && !scopes_.in_class())
        tree_.each_in(node, rule, slot::GUARD,
                      [&](int32_t child) { as.is_static |= tree_.span(child) == "static"; });
    std::vector<int32_t> items, values;
    tree_.each_in(node, rule, slot::ITEMS, [&](int32_t child) { items.push_back(child); });
    tree_.each_in(node, rule, slot::VALUE, [&](int32_t child) { values.push_back(child); });
    Value last;
    size_t next = 0;
    for (size_t i = 0; i < items.size(); ++i) {
        const int32_t stop = i + 1 < items.size() ? items[i + 1] : node + tree_.size[node];
        int32_t value = -1;
        if (next < values.size() && values[next] > items[i] && values[next] < stop) value = values[next++];
        const size_t accesses = program_.accesses.size();
        last = declare_one(items[i], value, as);
        if (as.is_static) keep_earlier(accesses);
    }
    return last;
}

Value Declarations::declare_one(int32_t node, int32_t value_node, const Declared &as) {
    const Rule &rule = tree_.rule(node);
    if (rule.shape == Shape::DECLARE) return lower_declare(node, rule, as);
    uint32_t flags = 0;
    int32_t parameters = -1;
    const int32_t name = declarator(node, flags, parameters);
    if (name < 0) return {};
    const bool prototype = (flags & flag::PROTOTYPE) != 0;
    if (prototype && !is_construction(parameters)) return {};
    Value value;
    if (prototype)
        value = constructed(node, as, parameters);
    else if (value_node >= 0)
        value = lower(value_node);
    std::vector<Target> found;
    engine_.assignments.targets(node, as.declares, found, nullptr);
    for (const Target &target : found)
        if (target.variable >= 0) set_type(target.variable, as.type, as.type_node, flags);
    const bool is_object = (flags & (flag::POINTER | flag::REFERENCE)) == 0 && !scopes_.in_class();
    if (prototype || value_node >= 0) return engine_.assignments.assign(node, "=", found, value, false);
    if (is_object && has_constructor(as.type))
        return engine_.assignments.assign(node, "=", found, constructed(node, as, -1), false);
    return {};
}

// A variable that keeps its value from call to call: its first value need not be its last.
void Declarations::keep_earlier(size_t first_access) {
    for (size_t i = first_access; i < program_.accesses.size(); ++i) {
        AccessRecord &one = program_.accesses[i];
        if (one.mode != Mode::DEFINE) continue;
        one.mode = Mode::MAYBE;
        Variable &known = program_.variables[one.variable];
        known.kind = VariableKind::GLOBAL;
        known.owner = 0;
    }
}

bool Declarations::has_constructor(int32_t type) const {
    return type >= 0 && scopes_.known_class(type) >= 0 && noted_.constructed.count(type) != 0;
}

// Whether a value is a list of arguments: `T v(a, b)`, and `T v{a, b}` of a class that takes them.
bool Declarations::constructs(const Declared &as, int32_t value) const {
    const Rule &rule = tree_.rule(value);
    if (rule.shape == Shape::SEQUENCE) return !rule.is(flag::VALUE);  // a list, not a block's value
    return rule.shape == Shape::OPERATION && rule.is(flag::EACH) && has_constructor(as.type);
}

// `T v(a, b)`: the value of a variable that is made from arguments.
Value Declarations::constructed(int32_t node, const Declared &as, int32_t list) {
    const bool is_number = as.type_node >= 0 && tree_.rule(as.type_node).is(flag::NUMBER);
    if (list >= 0 && tree_.named_count(list) == 1 && (is_number || as.type < 0)) {
        const int32_t only = tree_.place(list, 0);
        return tree_.shape(only) == Shape::PARAMETER ? read_as_type(only) : lower(only);
    }
    const int32_t name = as.type >= 0 ? as.type : word("list");
    return engine_.calls.call(node, name, CallShape::CONSTRUCTION, nullptr, -1, list, nullptr);
}

// A constructor's initialiser: of a field, or of the class it extends.
Value Declarations::initialized(int32_t node, const Rule &rule) {
    const int32_t left = tree_.in(node, rule, slot::LEFT);
    const int32_t list = tree_.in(node, rule, slot::VALUE);
    if (left < 0 || list < 0) return {};
    const int32_t name = type_name(left);
    const int32_t field = name < 0 ? -1 : scopes_.known(name);
    const bool is_base =
        name >= 0 && (tree_.shape(left) != Shape::NAME || (scopes_.known_class(name) >= 0 && field < 0));
    if (is_base) return engine_.calls.call(node, name, CallShape::OWN_MEMBER, nullptr, -1, list, nullptr);
    Declared as;
    as.declares = Declares::NO;
    if (field >= 0 && tree_.named_count(list) != 1) as.type = program_.variables[field].type;
    std::vector<Target> found;
    Value value = tree_.shape(list) == Shape::SEQUENCE ? constructed(node, as, list) : lower(list);
    engine_.assignments.targets(left, Declares::NO, found, &value);
    return engine_.assignments.assign(node, "=", found, value, false);
}

// `T v(n);` reads as a function's declaration. Inside a function it makes a variable if what
// stands for types may be variables; outside only if one is known to be.
bool Declarations::is_construction(int32_t parameters) {
    if (parameters < 0 || scopes_.in_class()) return false;
    bool any = false, all = true, known = false;
    tree_.each_named(parameters, [&](int32_t child) {
        any = true;
        const Rule &rule = tree_.rule(child);
        const int32_t type = tree_.in(child, rule, slot::TYPE);
        if (rule.shape != Shape::PARAMETER || type < 0) {
            all = false;
            return;
        }
        const int32_t name = type_name(type);
        const bool is_type = tree_.rule(type).is(flag::NUMBER) || name < 0 || scopes_.known_class(name) >= 0;
        if (name >= 0 && scopes_.known(name) >= 0) known = true;
        uint32_t flags = 0;
        int32_t inside = -1;
        const int32_t left = tree_.in(child, rule, slot::NAME);
        const bool is_called = left >= 0 && declarator(left, flags, inside) < 0 && inside >= 0;
        if (is_type && !is_called) all = false;
        if (left >= 0 && (flags & flag::REFERENCE)) all = false;
        if (left >= 0 && !is_called && (flags & (flag::POINTER | flag::PROTOTYPE)) == 0) all = false;
    });
    return any && all && (known || function_ != 0);
}

Value Declarations::read_as_type(int32_t node) {
    const Rule &rule = tree_.rule(node);
    const int32_t type = tree_.in(node, rule, slot::TYPE);
    const int32_t left = tree_.in(node, rule, slot::NAME);
    const int32_t name = type_name(type);
    if (name < 0) return {};
    uint32_t flags = 0;
    int32_t inside = -1;
    const int32_t named = left < 0 ? -1 : declarator(left, flags, inside);
    if (inside >= 0) {
        const bool plain = tree_.size[type] == 1;
        return engine_.calls.call(node, name, plain ? CallShape::PLAIN : CallShape::CONSTRUCTION, nullptr, -1,
                                  inside, nullptr);
    }
    const int32_t variable = scopes_.read(name);
    Value value;
    value.reads.push_back({variable, -1, Mode::READ});
    value.place = variable;
    value.direct = true;
    if (left < 0) return value;
    const bool is_product = named >= 0;
    const int32_t made = make(is_product ? Op::OPERATOR : Op::INDEX, word(is_product ? "*" : "index"), node);
    Value result = of(made);
    if (is_product) {
        take(made, value);
        take(made, lower(named));
    } else {
        result = engine_.places.reached(made, value, -1, Mode::LOAD);
        tree_.each_named(left, [&](int32_t child) { take(made, lower(child)); });
    }
    return result;
}

}  // namespace codekin::flow
