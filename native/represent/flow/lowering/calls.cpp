#include "represent/flow/lowering/calls.hpp"

#include <algorithm>
#include <cctype>

#include "represent/flow/lowering/engine.hpp"

namespace codekin::flow {

// The values of a list of arguments; `spread`: their number is not known.
void Calls::arguments(int32_t node, std::vector<Value> &values, bool &spread) {
    if (node < 0) return;
    const Rule &rule = tree_.rule(node);
    if (rule.shape != Shape::SEQUENCE && !(rule.shape == Shape::OPERATION && rule.is(flag::EACH))) {
        values.push_back(lower(node));
        return;
    }
    tree_.each_named(node, [&](int32_t child) {
        if (tree_.shape(child) == Shape::SKIP) return;
        if (tree_.shape(child) == Shape::SPREAD) spread = true;
        const bool is_type = tree_.shape(child) == Shape::PARAMETER;
        values.push_back(is_type ? engine_.declarations.read_as_type(child) : lower(child));
    });
}

void Calls::change(int32_t operation, const Value &value) {
    if (value.address >= 0)
        access(operation, value.address, Mode::MAYBE);
    else if (value.place >= 0)
        access(operation, value.place, Mode::STORE);
}

// Whether a name that is passed is passed by reference, so that the call can assign to it.
bool Calls::takes_value(const Value &value) const {
    if (!value.direct) return false;
    const Variable &known = program_.variables[value.place];
    return known.by_reference || (table_.references && !known.indirect);
}

// What a value stands for gets another value: `scanf("%d", &x)`.
void Calls::give_value(int32_t operation, const Value &value) {
    if (value.address >= 0)
        access(operation, value.address, Mode::DEFINE);
    else if (takes_value(value))
        engine_.assignments.define(operation, {value.place});
    else {
        if (table_.references && value.holder >= 0)
            access(operation, value.holder, Mode::STORE, value.holder_field);
        change(operation, value);
    }
}

namespace {

// Whether an effect's list of places has an argument's place.
bool is_chosen(const Effect &effect, const std::vector<int32_t> &places, size_t argument) {
    const auto place = static_cast<int32_t>(argument);
    for (int32_t wanted : places)
        if (wanted == place || (wanted == -1 && place >= effect.after)) return true;
    return false;
}

}  // namespace

void Calls::apply(int32_t operation, const Effect *effect, const Value *receiver,
                  const std::vector<Value> &values) {
    const auto chosen = [&](const std::vector<int32_t> &places, size_t i) {
        return is_chosen(*effect, places, i);
    };
    if (effect && effect->receiver && receiver) change(operation, *receiver);
    for (size_t i = 0; i < values.size(); ++i) {
        const bool assigned = effect && chosen(effect->assigned, i);
        if (values[i].address >= 0 && !assigned) access(operation, values[i].address, Mode::READ);
        if (assigned || (effect && chosen(effect->bound, i)))
            give_value(operation, values[i]);
        else if (!effect && values[i].address >= 0)
            change(operation, values[i]);
        else if (effect && chosen(effect->changed, i))
            change(operation, values[i]);
        const Value *holder = receiver ? receiver : &values[0];  // append(a, x)
        if (effect && holder->place >= 0 && chosen(effect->kept, i)) {
            if (values[i].place >= 0 && !copies(values[i].place))
                program_.aliases.push_back({values[i].place, holder->place, AliasKind::ELEMENT});
        }
    }
}

const Effect *Calls::effect_of(int32_t name, const Value *receiver, size_t count) const {
    const std::string_view called = program_.strings.text(name);
    if (noted_.own_functions.count(name) != 0) {  // the text's own function goes first
        if (!receiver) return nullptr;
        if (receiver->direct) {
            const Variable &on = program_.variables[receiver->place];
            const int32_t cls = on.type >= 0 ? on.type : on.name;
            if (on.kind == VariableKind::RECEIVER || noted_.own_classes.count(cls) != 0) return nullptr;
        }
    }
    if (receiver && receiver->direct) {
        const Variable &on = program_.variables[receiver->place];
        const int32_t qualifier = on.type >= 0 ? on.type : on.name;
        if (qualifier >= 0) {
            const std::string whole =
                std::string(program_.strings.text(qualifier)) + "." + std::string(called);
            const auto known = table_.effects.find(whole);
            if (known != table_.effects.end()) return &known->second;
        }
    }
    auto known = table_.effects.end();
    if (receiver && table_.member_effects) {
        const std::string member = "." + std::string(called);
        known = table_.effects.find(member + "/" + std::to_string(count));
        if (known == table_.effects.end()) known = table_.effects.find(member);
    }
    if (known == table_.effects.end()) known = table_.effects.find(called);
    return known == table_.effects.end() ? nullptr : &known->second;
}

// A function given to an object's method gets the object's parts: `rows.forEach(r => ...)`.
void Calls::give_elements(const Value &receiver, const std::vector<Value> &values) {
    for (const Value &value : values) {
        if (value.function < 0) continue;
        for (int32_t parameter : program_.functions[value.function].parameters)
            if (!copies(parameter))
                program_.aliases.push_back({parameter, receiver.place, AliasKind::ELEMENT});
    }
}

Value Calls::call(int32_t node, int32_t name, CallShape shape, const Value *receiver, int32_t callee,
                  int32_t arguments_node, const Value *function) {
    std::vector<Value> values;
    bool spread = false;
    arguments(arguments_node, values, spread);
    return call_with(node, name, shape, receiver, callee, values, spread, function);
}

Value Calls::call_with(int32_t node, int32_t name, CallShape shape, const Value *receiver, int32_t callee,
                       const std::vector<Value> &values, bool spread, const Value *function) {
    const uint8_t flags = (raises("call") ? RAISES : 0) | (receiver ? MEMBER_CALL : 0);
    const int32_t made = make(Op::CALL, name, node, flags);
    if (receiver) take(made, *receiver, true);
    if (function) take(made, *function);
    CallRecord record{made, name, -1, -1, callee, shape, false, -1, 0, {}};
    record.count = spread ? -1 : static_cast<int32_t>(values.size());
    if (receiver) record.receiver = receiver->direct ? receiver->place : -1;
    if (function && function->function >= 0) record.target = function->function;
    const Effect *effect = effect_of(name, receiver, values.size());
    for (size_t i = 0; i < values.size(); ++i) {
        const Value &value = values[i];
        const bool is_overwritten = effect && value.direct && is_chosen(*effect, effect->assigned, i);
        if (is_overwritten && !takes_value(value))
            access(made, value.place, Mode::BASE);
        else if (!is_overwritten)
            take(made, value, true);
        record.arguments.push_back(
            {value.address >= 0 ? value.address : value.place, value.address >= 0, value.holder});
    }
    record.unknown = effect == nullptr;
    record.first_effect = program_.accesses.size();
    apply(made, effect, receiver, values);
    if (receiver && receiver->place >= 0) give_elements(*receiver, values);
    record.end_effect = program_.accesses.size();
    const int32_t cls = scopes_.current_class();
    if (cls >= 0) record.owner = scopes_.classes()[cls].name;
    if (record.unknown && receiver && receiver->place >= 0 && record.receiver < 0)
        record.receiver = receiver->place;
    program_.calls.push_back(std::move(record));
    if (effect && effect->ends) emit(Code::RETURN, made);
    Value result = of(made);
    if (!effect) {
        if (receiver && receiver->place >= 0) result.given.push_back(receiver->place);
        for (const Value &value : values)
            if (value.place >= 0 && shares(value.place)) result.given.push_back(value.place);
        return result;
    }
    const Value *from = receiver ? receiver : values.empty() ? nullptr : &values[0];
    if (!from) return result;
    if (effect->result == Reach::SAME) {
        result.place = from->place;
        result.address = from->address;
    } else if (effect->result == Reach::ELEMENT && from->place >= 0) {
        result.place = element(from->place);
        result.holder = from->place;
    } else if (effect->result == Reach::PLACE && from->place >= 0) {
        // What is stored through it is stored in the receiver.
        result.place = element(from->place);
        program_.aliases.push_back({result.place, from->place, AliasKind::COPY});
    }
    if (effect && (effect->result == Reach::JOINED || effect->result == Reach::COPY))
        result.place = gathered(effect->result, receiver, values);
    return result;
}

// (*f)(x) and (f)(x) call f.
int32_t Calls::pointed_function(int32_t node) {
    while (true) {
        const Rule &rule = tree_.rule(node);
        if (rule.shape == Shape::NAME) return node;
        const bool is_deref = rule.shape == Shape::DEREF ||
                              (rule.shape == Shape::UNARY && operator_of(node, rule, true) == "deref");
        if (is_deref)
            node = tree_.in(node, rule, slot::VALUE);
        else if (rule.shape == Shape::EXPRESSION && tree_.named_count(node) == 1)
            node = tree_.place(node, 0);
        else
            return -1;
        if (node < 0) return -1;
    }
}

int32_t Calls::qualifier(int32_t name) const {
    const std::string_view written = program_.strings.text(name);
    const int32_t cls = scopes_.current_class();
    if (written == "Self") return cls < 0 ? -1 : scopes_.classes()[cls].name;
    const bool is_module = !written.empty() && std::islower(static_cast<unsigned char>(written[0]));
    return is_module && table_.quiet.count(written) == 0 ? -1 : name;
}

// What reaches the arguments of a call (`zip(a, b)`), or their elements alone (`list(a)`).
int32_t Calls::gathered(Reach reach, const Value *receiver, const std::vector<Value> &values) {
    std::vector<int32_t> places;
    if (receiver && receiver->place >= 0 && reach == Reach::COPY) places.push_back(receiver->place);
    for (const Value &value : values)
        if (value.place >= 0) places.push_back(value.place);
    if (places.empty()) return -1;
    if (reach == Reach::JOINED && places.size() == 1) return places[0];
    const int32_t held = scopes_.make(-1, function_, VariableKind::LOCAL);
    for (int32_t place : places) {
        if (reach == Reach::COPY)
            program_.aliases.push_back({element(held), element(place), AliasKind::COPY});
        else
            program_.aliases.push_back({held, place, AliasKind::COPY});
    }
    return held;
}

// Whether this is `super()`: the object itself, as its class above sees it.
bool Calls::is_super(int32_t node) const {
    const Rule &rule = tree_.rule(node);
    if (rule.shape != Shape::CALL || scopes_.current_class() < 0) return false;
    const int32_t function = tree_.in(node, rule, slot::FUNCTION);
    return function >= 0 && tree_.span(function) == "super";
}

Value Calls::lower_call(int32_t node, const Rule &rule) {
    int32_t function = tree_.in(node, rule, slot::FUNCTION);
    while (function >= 0 && tree_.in(function, slot::FUNCTION) >= 0 &&
           tree_.shape(function) == Shape::EXPRESSION)  // f::<T>(x)
        function = tree_.in(function, slot::FUNCTION);
    const int32_t list = tree_.in(node, rule, slot::ARGUMENTS);
    if (function < 0) return children(node, rule, slot::ARGUMENTS);
    if (tree_.shape(function) == Shape::SKIP)
        return engine_.expressions.cast(node,
                                        list < 0 ? Value{} : children(list, tree_.rule(list), slot::VALUE));
    const int32_t pointed = pointed_function(function);
    if (pointed >= 0) function = pointed;
    const Rule &called = tree_.rule(function);
    if (called.shape == Shape::NAME) {
        const int32_t last = name_node(function);
        const int32_t name = text(last);
        const auto conversion = table_.operators.find(tree_.span(last));
        if (conversion != table_.operators.end() && conversion->second == "cast") {
            const Value inner = list < 0 ? Value{} : children(list, tree_.rule(list), slot::VALUE);
            return engine_.expressions.cast(node, inner);
        }
        if (table_.receivers.count(tree_.span(last)) != 0 && scopes_.current_class() >= 0) {
            // this(...), super(...): another constructor runs on the same object
            const Class &cls = scopes_.classes()[scopes_.current_class()];
            const bool above = tree_.span(last) == "super";
            const int32_t constructed = above ? (cls.bases.empty() ? name : cls.bases[0]) : cls.name;
            const Value made = call(node, name, CallShape::CONSTRUCTION, nullptr, -1, list, nullptr);
            program_.calls.back().name = constructed;
            return made;
        }
        if (tree_.in(node, rule, slot::GUARD) >= 0) engine_.places.skip_unless(lower(function), node, rule);
        const int32_t scope = tree_.in(function, called, slot::OBJECT);
        if (scope >= 0) {
            const Value made = call(node, name, CallShape::PLAIN, nullptr, -1, list, nullptr);
            program_.calls.back().owner = qualifier(type_name(scope));
            return made;
        }
        const Value made = call(node, name, CallShape::PLAIN, nullptr, scopes_.read(name), list, nullptr);
        const int32_t qualifier = tree_.in(function, called, slot::OBJECT);  // A::f()
        if (qualifier >= 0 && scopes_.known_class(type_name(qualifier)) >= 0)
            program_.calls.back().owner = type_name(qualifier);
        return made;
    }
    if (called.shape == Shape::MEMBER) {
        const int32_t object = tree_.in(function, called, slot::OBJECT);
        const int32_t member = tree_.in(function, called, slot::NAME);
        if (object >= 0 && member >= 0 && is_super(object)) {
            const Class &cls = scopes_.classes()[scopes_.current_class()];
            const int32_t name = text(name_node(member));
            const bool constructs = table_.constructors.count(tree_.span(member)) != 0;
            const CallShape shape = constructs ? CallShape::CONSTRUCTION : CallShape::OWN_MEMBER;
            const Value made = call(node, name, shape, nullptr, -1, list, nullptr);
            if (constructs && !cls.bases.empty()) program_.calls.back().name = cls.bases[0];
            return made;
        }
        if (object >= 0 && member >= 0) {
            const Value on = engine_.places.link(object, function, called);
            engine_.places.skip_unless(on, node, rule);
            const bool own = engine_.places.receiver_class(on) >= 0;
            return call(node, text(name_node(member)), own ? CallShape::OWN_MEMBER : CallShape::MEMBER, &on,
                        -1, list, nullptr);
        }
    }
    const Value on = engine_.places.link(function, node, rule);
    return call(node, word("call"), CallShape::PLAIN, nullptr, -1, list, &on);
}

Value Calls::lower_method_call(int32_t node, const Rule &rule) {
    const int32_t object = tree_.in(node, rule, slot::OBJECT);
    const int32_t name = tree_.in(node, rule, slot::NAME);
    const int32_t list = tree_.in(node, rule, slot::ARGUMENTS);
    if (name < 0) return children(node, rule, slot::ARGUMENTS);
    if (object < 0) return call(node, text(name), CallShape::PLAIN, nullptr, -1, list, nullptr);
    const Value on = engine_.places.link(object, node, rule);
    const bool own = engine_.places.receiver_class(on) >= 0;
    return call(node, text(name), own ? CallShape::OWN_MEMBER : CallShape::MEMBER, &on, -1, list, nullptr);
}

Value Calls::lower_new(int32_t node, const Rule &rule) {
    const int32_t type = tree_.in(node, rule, slot::TYPE);
    const int32_t list = tree_.in(node, rule, slot::ARGUMENTS);
    const int32_t body = tree_.in(node, rule, slot::BODY);
    const int32_t constant = tree_.in(node, rule, slot::NAME);
    int32_t name = type >= 0 ? type_name(type) : word("new");
    if (constant >= 0 && scopes_.in_class()) name = scopes_.classes()[scopes_.current_class()].name;
    const size_t before = program_.operations.size();
    if (body >= 0) {
        const std::string number = std::to_string(++anonymous_);
        const int32_t own = program_.strings.kept(std::string(program_.strings.text(name)) + "$" + number);
        scopes_.add_base(scopes_.class_number(own), name);
        engine_.functions.lower_class(body, rule, own);
    }
    // A function may construct: function T() { this.x = 1 }
    const int32_t callee = type >= 0 && tree_.shape(type) == Shape::NAME ? scopes_.read(name) : -1;
    Value result = call(node, name, CallShape::CONSTRUCTION, nullptr, callee, list, nullptr);
    // The object has the methods that were made here, with what they capture.
    for (size_t made = before; body >= 0 && made < program_.operations.size(); ++made)
        if (program_.operations[made].kind == Op::FUNCTION && program_.operations[made].function == function_)
            program_.operands.push_back({result.operations[0], static_cast<int32_t>(made)});
    if (constant < 0) return result;
    std::vector<Target> found;  // a constant of an enumeration
    engine_.assignments.targets(constant, Declares::YES, found, nullptr);
    return engine_.assignments.assign(node, "=", found, result, false);
}

}  // namespace codekin::flow
