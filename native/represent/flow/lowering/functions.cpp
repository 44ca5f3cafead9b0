#include "represent/flow/lowering/functions.hpp"

#include <utility>

#include "represent/flow/lowering/engine.hpp"

namespace codekin::flow {

Value Functions::lower_as(int32_t node, const Rule &rule) {
    switch (rule.shape) {
        case Shape::FUNCTION: return lower_function(node, rule);
        case Shape::CLASS: return lower_class_expression(node, rule);
        default: return scope_names(node, rule), Value{};
    }
}

void Functions::find_own_names() {
    for (int32_t node = 0; node < tree_.count; ++node) {
        if (tree_.is_error(node)) continue;
        const Rule &rule = tree_.rule(node);
        if (rule.shape == Shape::FUNCTION) {
            int32_t owner = -1, parameters = -1;
            const int32_t name = function_name(node, rule, owner, parameters);
            if (name >= 0) noted_.own_functions.insert(name);
        } else if (rule.shape == Shape::CLASS) {
            const int32_t name = type_name(tree_.in(node, rule, slot::NAME));
            if (name >= 0) noted_.own_classes.insert(name);
        }
    }
}

// The function's name, with the class it belongs to if the name says so (`int A::f()`).
int32_t Functions::function_name(int32_t node, const Rule &rule, int32_t &owner, int32_t &parameters) {
    int32_t child = tree_.in(node, rule, slot::NAME);
    if (child < 0) return -1;
    uint32_t flags = 0;
    child = declarator(child, flags, parameters);
    if (child < 0) return -1;
    if (tree_.shape(child) == Shape::NAME) {
        const int32_t scope = tree_.in(child, tree_.rule(child), slot::OBJECT);
        if (scope >= 0) owner = type_name(scope);
        child = name_node(child);
    }
    if (tree_.shape(child) == Shape::MEMBER) {  // T.prototype.f = function () {}
        const int32_t member = tree_.in(child, tree_.rule(child), slot::NAME);
        if (member >= 0) child = member;
    }
    return tree_.start[child] == tree_.end[child] ? -1 : text(child);
}

void Functions::decorate(int32_t node) {
    const int32_t name = tree_.place(node, 0);
    if (name < 0) return;
    const std::string_view written = tree_.span(name);
    const auto ends_in = [&](std::string_view word) {
        return written.size() >= word.size() && written.substr(written.size() - word.size()) == word;
    };
    if (written == "staticmethod") decorated_ |= flag::STATIC;
    if (ends_in("property")) decorated_ |= flag::GETTER;
    if (ends_in(".setter")) decorated_ |= flag::INITIALIZER;
}

// Whether `static` is among the words that stand before a function.
bool Functions::is_static(int32_t modifiers) const {
    if (modifiers < 0) return false;
    bool found = tree_.span(modifiers) == "static";
    tree_.each_child(modifiers, [&](int32_t child) { found = found || tree_.span(child) == "static"; });
    return found;
}

FunctionKind Functions::function_kind(const Rule &rule, int32_t name, int32_t owner) const {
    if (rule.is(flag::LAMBDA)) return FunctionKind::LAMBDA;
    if (owner < 0) return FunctionKind::FUNCTION;
    const std::string_view called = name < 0 ? std::string_view() : program_.strings.text(name);
    if (rule.is(flag::CONSTRUCTOR) || name == owner || table_.constructors.count(called) != 0)
        return FunctionKind::CONSTRUCTOR;
    return FunctionKind::METHOD;
}

Value Functions::lower_function(int32_t node, const Rule &rule) {
    // Without a body it is a declaration: nothing runs.
    if (!rule.slots[slot::BODY].empty() && tree_.in(node, rule, slot::BODY) < 0) return {};
    if (const int32_t head = engine_.untyped.untyped_head(node, rule); head >= 0) {
        engine_.untyped.lower_untyped(head, tree_.in(node, rule, slot::BODY));
        return {};
    }
    int32_t owner = -1, parameters = -1;
    int32_t name = function_name(node, rule, owner, parameters);
    if (name < 0 && rule.is(flag::CONSTRUCTOR) && scopes_.in_class())
        name = scopes_.classes()[scopes_.current_class()].name;
    const bool is_named = name >= 0;
    const int32_t given = next_.name;
    const bool is_member = next_.is_member && given >= 0 && !is_named;  // T.f = function () {}
    next_.name = -1;
    next_.is_member = false;
    if (parameters < 0) parameters = tree_.in(node, rule, slot::PARAMETERS);
    const bool is_canonical = rule.is(flag::CONSTRUCTOR) && header_ >= 0 && scopes_.in_class() &&
                              (parameters < 0 || tree_.named_count(parameters) == tree_.named_count(header_));
    const int32_t header = is_canonical && parameters < 0 ? header_ : -1;
    if (header >= 0) parameters = header;
    if (is_canonical) header_ = -1;
    const int32_t receiver = tree_.in(node, rule, slot::RECEIVER);
    const bool in_class = scopes_.in_class();
    if (owner < 0 && in_class && (is_member || !rule.is(flag::LAMBDA)))
        owner = scopes_.classes()[scopes_.current_class()].name;
    const bool inside_function = function_ != 0;
    int32_t receiver_node = -1;
    if (receiver >= 0) {
        receiver_node = tree_.shape(receiver) == Shape::PARAMETER ? receiver : tree_.place(receiver, 0);
        if (receiver_node >= 0) {
            const Rule &typed = tree_.rule(receiver_node);
            const int32_t type = tree_.in(receiver_node, typed, slot::TYPE);
            if (type >= 0) owner = type_name(type);
        }
    }
    const bool is_macro = inside_function && is_named && !in_class && owner < 0 && parameters >= 0 &&
                          rule.slots[slot::PARAMETERS].empty() && !rule.slots[slot::TYPE].empty() &&
                          tree_.in(node, rule, slot::TYPE) < 0;
    if (is_macro) {  // rep(i, n) { ... }
        engine_.macro_loops.open_macro_loop(tree_.in(node, rule, slot::NAME), parameters);
        tree_.each_in(node, rule, slot::BODY, [&](int32_t child) { statement(child); });
        engine_.macro_loops.close_macro_loop();
        return {};
    }
    if (!is_named) name = given >= 0 ? given : word("<lambda>");
    FunctionKind kind = function_kind(rule, is_named ? name : -1, owner);
    if (is_member || (rule.is(flag::METHOD) && owner < 0)) kind = FunctionKind::METHOD;
    const uint32_t decorated = std::exchange(decorated_, 0) | rule.flags;
    if (kind == FunctionKind::METHOD && (decorated & flag::STATIC)) kind = FunctionKind::STATIC;
    if (kind == FunctionKind::METHOD && (decorated & flag::GETTER)) noted_.getters.insert(name);
    if (kind == FunctionKind::METHOD && (decorated & flag::INITIALIZER)) noted_.setters.insert(name);
    if (kind == FunctionKind::METHOD && is_static(tree_.in(node, rule, slot::GUARD)))
        kind = FunctionKind::STATIC;

    const int32_t outside = function_, outer_statement = statement_, outer_branches = branches_;
    const auto made = static_cast<int32_t>(program_.functions.size());
    // A function inside another, or a method of a class inside one, is a value that captures.
    const bool is_nested =
        rule.is(flag::LAMBDA) || !is_named || outside != 0 || (rule.is(flag::METHOD) && !in_class);
    int32_t variable = -1;
    if (is_named && !in_class && receiver < 0 && owner < 0 && !rule.is(flag::METHOD | flag::LAMBDA)) {
        variable = scopes_.declare(name, table_.assignment_declares, true);
        Variable &known = program_.variables[variable];
        known.function = known.function == -1 ? made : -2;
    }
    Function function{name, outside, owner, tree_.start[node], tree_.end[node]};
    function.kind = kind;
    program_.functions.push_back(std::move(function));
    if (kind == FunctionKind::CONSTRUCTOR) noted_.constructed.insert(owner);
    function_ = made;
    branches_ = 0;
    auto outer_leaving = std::move(leaving_);
    leaving_.clear();
    const int32_t cls = owner < 0 ? -1 : scopes_.class_number(owner);
    scopes_.open(Scopes::Kind::FUNCTION, made, cls);
    if (is_named && rule.is(flag::LAMBDA))  // its own name is known inside only
        program_.variables[scopes_.declare(name)].function = made;
    begin_statement(node);
    program_.statements.back().end = tree_.start[node];
    program_.operations.push_back({Op::ENTRY, 0, name, made, tree_.start[node], tree_.end[node], statement_});
    emit(Code::OP, static_cast<int32_t>(program_.operations.size()) - 1);
    if (owner >= 0 && kind != FunctionKind::LAMBDA)
        for (const std::string_view self : table_.receiver_names) {
            const int32_t own = scopes_.declare(word(self));
            program_.variables[own].kind = VariableKind::RECEIVER;
            program_.variables[own].type = owner;
        }
    if (receiver_node >= 0) lower_parameter(receiver_node, true);
    if (parameters >= 0)
        lower_parameters(parameters, kind == FunctionKind::METHOD || kind == FunctionKind::CONSTRUCTOR);
    lower_results(node, rule);
    // A function of a class without a receiver among its parameters runs on no object.
    if (kind == FunctionKind::METHOD && rule.is(flag::STATIC) && !has_receiver(parameters))
        program_.functions[made].kind = FunctionKind::STATIC;
    function_body(node, rule);
    if (header >= 0) keep_header(header, cls);
    scopes_.close();
    program_.functions[made].end = tree_.end[node];
    leaving_ = std::move(outer_leaving);
    function_ = outside;
    statement_ = outer_statement;
    branches_ = outer_branches;
    if (!is_nested) return {};
    const int32_t value = make(Op::FUNCTION, name, node);
    if (variable >= 0) access(value, variable, Mode::DEFINE);
    Value result = of(value);
    result.function = made;
    return result;
}

void Functions::function_body(int32_t node, const Rule &rule) {
    const size_t first = program_.functions[function_].items.size();
    // C++ initialisers and the like run before the body.
    tree_.each_in(node, rule, slot::INIT, [&](int32_t child) { statement(child); });
    tree_.each_in(node, rule, slot::BODY, [&](int32_t body) {
        const int32_t before = statement_;
        const Shape shape = tree_.shape(body);
        const bool is_block = shape == Shape::SEQUENCE;
        if (!is_block) begin_statement(body);
        next_.is_body = is_block;
        const Value value = lower(body);
        bool gives = is_block ? rule.is(flag::VALUE) : rule.is(flag::LAMBDA | flag::EXPRESSION);
        if (!rule.slots[slot::TYPE].empty() && tree_.in(node, rule, slot::TYPE) < 0) gives = false;
        if (gives && !value.empty()) {
            const int32_t last = tail(body);
            if (is_block) begin_statement(last);
            const int32_t made = make(Op::RETURN, word("return"), last);
            take(made, value, true);
            emit(Code::RETURN, made);
        }
        statement_ = before;
    });
    run_deferred(first);
}

// The expression at the end of a body, whose value the body has.
int32_t Functions::tail(int32_t body) const {
    while (tree_.shape(body) == Shape::SEQUENCE) {
        const int32_t last = tree_.place(body, -1);
        if (last < 0) break;
        body = last;
    }
    return body;
}

void Functions::run_deferred(size_t first_item) {
    auto deferred = std::move(program_.functions[function_].deferred);
    program_.functions[function_].deferred.clear();
    if (deferred.empty()) return;
    auto &items = program_.functions[function_].items;
    items.insert(items.begin() + static_cast<std::ptrdiff_t>(first_item), {Code::TRY, -1, -1});
    emit(Code::FINALLY);
    for (auto one = deferred.rbegin(); one != deferred.rend(); ++one) {
        if (one->decides >= 0) emit(Code::IF, one->decides);
        for (const Item &item : one->items) emit(item.code, item.a, item.b);
        if (one->decides >= 0) emit(Code::END);
    }
    emit(Code::END);
}

// Results with names are variables that start empty.
void Functions::lower_results(int32_t node, const Rule &rule) {
    const int32_t list = tree_.in(node, rule, slot::VALUE);
    if (list < 0) return;
    tree_.each_named(list, [&](int32_t child) {
        const Rule &one = tree_.rule(child);
        if (one.shape != Shape::PARAMETER) return;
        const int32_t type = type_name(tree_.in(child, one, slot::TYPE));
        tree_.each_in(child, one, slot::NAME, [&](int32_t name) {
            std::vector<Target> found;
            engine_.assignments.targets(name, Declares::YES, found, nullptr);
            if (found.empty()) return;
            engine_.assignments.assign(name, "=", found, Value{}, false);
            if (found[0].variable < 0) return;
            program_.variables[found[0].variable].type = type;
            program_.functions[function_].results.push_back(found[0].variable);
        });
    });
}

bool Functions::has_receiver(int32_t parameters) const {
    bool found = false;
    if (parameters >= 0)
        tree_.each_named(parameters, [&](int32_t child) { found |= tree_.rule(child).is(flag::RECEIVER); });
    return found;
}

void Functions::lower_parameters(int32_t node, bool is_method) {
    bool first = true;
    const bool is_one = tree_.shape(node) == Shape::NAME || tree_.shape(node) == Shape::PARAMETER;
    if (is_one) {
        lower_parameter(node, false);
        return;
    }
    tree_.each_named(node, [&](int32_t child) {
        if (tree_.shape(child) == Shape::SKIP) return;
        const bool is_receiver =
            (first && is_method && table_.first_receiver) || tree_.rule(child).is(flag::RECEIVER);
        first = false;
        lower_parameter(child, is_receiver);
    });
    if (tree_.rule(node).is(flag::DEFAULT)) {  // calls may give fewer or more
        program_.functions[function_].least = 0;
        program_.functions[function_].most = -1;
    }
}

void Functions::lower_parameter(int32_t node, bool is_receiver) {
    if (tree_.is_error(node)) return;
    const Rule &rule = tree_.rule(node);
    Function &function = program_.functions[function_];
    uint32_t flags = rule.flags;
    int32_t left = node, type = -1, standard = -1, ignored = -1;
    if (rule.shape == Shape::PARAMETER) {
        left = tree_.in(node, rule, slot::NAME);
        type = type_name(tree_.in(node, rule, slot::TYPE));
        standard = tree_.in(node, rule, slot::VALUE);
    } else if (rule.shape == Shape::ASSIGN) {
        left = tree_.in(node, rule, slot::LEFT);
        standard = tree_.in(node, rule, slot::RIGHT);
    }
    if (left >= 0 && tree_.shape(left) == Shape::SPREAD) flags |= tree_.rule(left).flags & flag::VARARGS;
    is_receiver = is_receiver || (left >= 0 && table_.receivers.count(tree_.span(left)) != 0);
    if (flags & flag::VARARGS) {
        function.most = -1;
    } else if (!is_receiver) {
        if (standard < 0 && !(flags & flag::DEFAULT)) ++function.least;
        if (function.most >= 0) ++function.most;
    }
    // Several names of one type: func f(a, b int)
    bool several = false;
    if (rule.shape == Shape::PARAMETER) {
        int32_t count = 0;
        tree_.each_in(node, rule, slot::NAME, [&](int32_t) { ++count; });
        several = count > 1;
        if (several && !is_receiver) {
            function.least += count - 1;
            if (function.most >= 0) function.most += count - 1;
        }
        if (count == 0) {
            // An unnamed parameter: `int f(int)`, `f(void)`.
            if (type >= 0 && program_.strings.text(type) == "void") {
                --function.least;
                if (function.most > 0) --function.most;
            }
            return;
        }
    }
    const auto one = [&](int32_t name) {
        if (name < 0) return;
        uint32_t own_flags = flags;
        declarator(name, own_flags, ignored);
        std::vector<Target> found;
        Value beside;
        if (is_receiver) {
            engine_.assignments.targets(name, Declares::YES, found, nullptr);
            for (const Target &target : found) {
                if (target.variable < 0) continue;
                Variable &known = program_.variables[target.variable];
                known.kind = VariableKind::RECEIVER;
                known.type = program_.functions[function_].owner;
            }
            return;
        }
        program_.functions[function_].by_reference.push_back((own_flags & flag::REFERENCE) != 0);
        const int32_t made = make(Op::PARAMETER, word("param"), node);
        engine_.assignments.targets(name, Declares::YES, found, &beside);
        if (standard >= 0) beside.join(lower(standard));
        take(made, beside);
        for (const Target &target : found) {
            engine_.assignments.define(made, target);
            if (target.variable < 0 || target.stored) continue;
            Variable &known = program_.variables[target.variable];
            known.kind = VariableKind::PARAMETER;
            known.function = -2;
            program_.functions[function_].parameters.push_back(target.variable);
            if (type >= 0) known.type = type;
            if (own_flags & flag::REFERENCE) known.by_reference = true;
            known.indirect = (own_flags & (flag::REFERENCE | flag::POINTER)) != 0;
        }
        const int32_t cls = scopes_.current_class();
        if (cls >= 0 && tree_.in(node, rule, slot::GUARD) >= 0)  // constructor(private a: A)
            for (size_t i = 0, count = found.size(); i < count; ++i) {
                if (found[i].variable < 0) continue;
                Value given;
                given.reads.push_back({found[i].variable, -1, Mode::READ});
                given.place = found[i].variable;
                const int32_t own = scopes_.field(cls, program_.variables[found[i].variable].name);
                engine_.assignments.assign(node, "=", {Target{own}}, given, false);
            }
    };
    if (several)
        tree_.each_in(node, rule, slot::NAME, one);
    else
        one(left);
}

void Functions::scope_names(int32_t node, const Rule &rule) {
    tree_.each_named(node, [&](int32_t child) {
        if (tree_.shape(child) != Shape::NAME) return;
        if (rule.shape == Shape::GLOBAL)
            scopes_.declare_global(text(child));
        else
            scopes_.declare_nonlocal(text(child));
    });
}

// The classes above a class: they stand in lists, each perhaps with words around its name.
void Functions::find_bases(int32_t node, bool is_list, int32_t cls) {
    if (is_list && tree_.named_count(node) > 0) {
        tree_.each_named(node, [&](int32_t child) {
            if (tree_.shape(child) != Shape::PAIR)
                find_bases(child, tree_.shape(child) == Shape::SEQUENCE, cls);
        });
        return;
    }
    const int32_t above = type_name(node);
    if (above >= 0 && above != scopes_.classes()[cls].name) scopes_.add_base(cls, above);
}

void Functions::lower_class(int32_t node, const Rule &rule, int32_t name) {
    const int32_t cls = scopes_.class_number(name);
    tree_.each_child(node, [&](int32_t child) {
        for (const Selector &selector : rule.slots[slot::BASES])
            if (tree_.fits(node, selector, rule, child)) return find_bases(child, true, cls);
    });
    scopes_.open(Scopes::Kind::CLASS, function_, cls);
    const int32_t body = rule.shape == Shape::CLASS ? tree_.in(node, rule, slot::BODY) : node;
    const int32_t outer_header = header_;
    header_ = rule.shape == Shape::CLASS ? tree_.in(node, rule, slot::PARAMETERS) : -1;
    if (header_ >= 0)
        tree_.each_named(header_, [&](int32_t parameter) {
            const int32_t field = tree_.in(parameter, slot::NAME);
            if (field < 0 || tree_.shape(field) != Shape::NAME) return;
            const int32_t variable = scopes_.declare(text(field));
            program_.variables[variable].type = type_name(tree_.in(parameter, slot::TYPE));
        });
    if (body >= 0) statement(body);
    if (header_ >= 0) {
        static const Rule canonical{Shape::FUNCTION, flag::CONSTRUCTOR, "", {}};
        lower_function(header_, canonical);
    }
    header_ = outer_header;
    scopes_.close();
}

// The constructor that a class's header declares keeps its parameters in fields.
void Functions::keep_header(int32_t header, int32_t cls) {
    tree_.each_named(header, [&](int32_t parameter) {
        const int32_t name = tree_.in(parameter, slot::NAME);
        if (name < 0 || tree_.shape(name) != Shape::NAME) return;
        begin_statement(parameter);
        const int32_t made = make(Op::ASSIGN, word("="), parameter);
        access(made, scopes_.read(text(name)), Mode::READ);
        access(made, scopes_.field(cls, text(name)), Mode::DEFINE);
    });
}

Value Functions::lower_class_expression(int32_t node, const Rule &rule) {
    const int32_t child = tree_.in(node, rule, slot::NAME);
    int32_t name = next_.name;
    next_.name = -1;
    if (child >= 0) name = type_name(child);
    if (name < 0) name = word("<class>");
    lower_class(node, rule, name);
    return {};
}

}  // namespace codekin::flow
