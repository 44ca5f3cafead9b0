// What can be said only at the end: which variable a name meant, which call is known.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "represent/flow/lowering/engine.hpp"

namespace codekin::flow {

namespace {

constexpr size_t MOST_ADDED = 500'000, ADDED_PER_ACCESS = 16;

// A member reached through another object may be a field of a class of the text.
struct FieldsByName {
    std::unordered_map<int32_t, std::vector<int32_t>> variables;

    explicit FieldsByName(const std::vector<Class> &classes) {
        for (const Class &cls : classes) {
            std::vector<std::pair<int32_t, int32_t>> ordered(cls.fields.begin(), cls.fields.end());
            std::sort(ordered.begin(), ordered.end());
            for (const auto &[name, variable] : ordered) variables[name].push_back(variable);
        }
    }
};

class Settling : Emitter {
  public:
    explicit Settling(const Emitter &lowered) : Emitter(lowered) {}
    void finish();

  private:
    bool is_type(int32_t variable) const;
    void forget_effects();
    bool is_place(int32_t variable) const;
    void settle_names();
    void settle_fields();
    void settle_made();
    void settle_types();
    void settle_properties();
    void drop_bare_catches();
    void pass_parts(CallRecord &call, const std::unordered_map<int32_t, std::vector<uint8_t>> &references);
};

// Whether a name that nothing declared is a class or a place where functions are found.
bool Settling::is_type(int32_t variable) const {
    const Variable &known = program_.variables[variable];
    if (!known.tentative || known.name < 0) return false;
    const std::string_view name = program_.strings.text(known.name);
    const bool is_capital = table_.capital_types && name[0] >= 'A' && name[0] <= 'Z';
    return is_capital || scopes_.known_class(known.name) >= 0;
}

// A function of the text is no library's, whatever its name.
void Settling::forget_effects() {
    std::unordered_set<int32_t> own;
    for (const Function &function : program_.functions)
        if (function.kind == FunctionKind::FUNCTION) own.insert(function.name);
    bool any = false;
    auto &accesses = program_.accesses;
    for (const CallRecord &call : program_.calls) {
        if (call.shape != CallShape::PLAIN || call.unknown || own.count(call.name) == 0) continue;
        for (size_t i = call.first_effect; i < call.end_effect; ++i) accesses[i].variable = -1;
        any |= call.end_effect > call.first_effect;
    }
    if (!any) return;
    accesses.erase(std::remove_if(accesses.begin(), accesses.end(),
                                  [](const AccessRecord &access) { return access.variable < 0; }),
                   accesses.end());
}

// Whether a name is only where functions are found: a class, or a module.
bool Settling::is_place(int32_t variable) const {
    return program_.variables[variable].is_module || is_type(variable);
}

// Names turn out to be the variables they mean.
void Settling::settle_names() {
    for (AccessRecord &access : program_.accesses) access.variable = scopes_.resolved(access.variable);
    auto &aliases = program_.aliases;
    for (Alias &alias : aliases) {
        alias.left = scopes_.resolved(alias.left);
        alias.right = scopes_.resolved(alias.right);
    }
    aliases.erase(std::remove_if(aliases.begin(), aliases.end(),
                                 [&](const Alias &alias) {
                                     if (is_place(alias.left) || is_place(alias.right)) return true;
                                     return alias.kind != AliasKind::ADDRESS &&
                                            (copies(alias.left) || !shares(alias.right));
                                 }),
                  aliases.end());
}

// Accesses of a member that may be a field of a class of the text are accesses of that field.
void Settling::settle_fields() {
    const FieldsByName fields(scopes_.classes());
    auto &accesses = program_.accesses;
    // A field that no method uses by its bare name is a part of its object and nothing else.
    std::vector<uint8_t> touched(program_.variables.size(), 0);
    for (const AccessRecord &access : accesses) touched[access.variable] = 1;
    // Many objects whose class nobody knows, times many classes: not all of these are looked at.
    const size_t written = accesses.size(), most = written + MOST_ADDED + ADDED_PER_ACCESS * written;
    for (size_t i = 0; i < written; ++i) {
        const AccessRecord access = accesses[i];
        if (access.field < 0) continue;
        const auto found = fields.variables.find(access.field);
        if (found == fields.variables.end()) continue;
        const Variable &on = program_.variables[access.variable];
        const bool is_static = is_type(access.variable);
        const int32_t type = is_static ? on.name : on.type;
        const int32_t cls = type < 0 ? -1 : scopes_.known_class(type);
        if (is_static && cls < 0) continue;
        const int32_t only = cls < 0 ? -1 : scopes_.inherited(cls, access.field);
        for (int32_t field : found->second) {
            if (accesses.size() >= most) {
                program_.complete = false;
                break;
            }
            if ((only >= 0 && field != only) || !touched[field]) continue;
            if (access.mode == Mode::LOAD) accesses.push_back({access.operation, field, -1, Mode::READ});
            const Mode change = is_static && only >= 0 ? Mode::DEFINE : Mode::MAYBE;
            if (access.mode == Mode::STORE) accesses.push_back({access.operation, field, -1, change});
        }
    }
    accesses.erase(std::remove_if(accesses.begin(), accesses.end(),
                                  [&](const AccessRecord &access) {
                                      const bool changes =
                                          access.mode == Mode::STORE || access.mode == Mode::MAYBE;
                                      return is_type(access.variable) ||
                                             (changes && program_.variables[access.variable].is_module);
                                  }),
                   accesses.end());
}

// A variable that gets nothing but new objects of one class has that type.
void Settling::settle_made() {
    constexpr int32_t NONE = -1, SEVERAL = -2;
    std::vector<int32_t> made_by(program_.operations.size(), NONE), type(program_.variables.size(), NONE);
    for (const Operand &operand : program_.operands) {
        const Operation &value = program_.operations[operand.value];
        const bool is_new = value.kind == Op::CALL && scopes_.known_class(value.name) >= 0;
        int32_t &known = made_by[operand.operation];
        known = known == NONE && is_new ? value.name : SEVERAL;
    }
    for (const AccessRecord &access : program_.accesses) {
        const bool is_assign = program_.operations[access.operation].kind == Op::ASSIGN;
        if (access.mode == Mode::READ && is_assign) made_by[access.operation] = SEVERAL;
    }
    for (const AccessRecord &access : program_.accesses) {
        if (access.mode != Mode::DEFINE && access.mode != Mode::MAYBE) continue;
        const bool is_assign = program_.operations[access.operation].kind == Op::ASSIGN;
        const int32_t made = is_assign ? made_by[access.operation] : SEVERAL;
        int32_t &known = type[access.variable];
        known = made >= 0 && (known == NONE || known == made) ? made : SEVERAL;
    }
    for (size_t v = 0; v < type.size(); ++v)
        if (type[v] >= 0 && program_.variables[v].type < 0) program_.variables[v].type = type[v];
}

// A type that classes of the text extend does not say which of them an object is.
void Settling::settle_types() {
    std::unordered_set<int32_t> extended;
    for (const Class &cls : scopes_.classes()) extended.insert(cls.bases.begin(), cls.bases.end());
    for (Variable &variable : program_.variables)
        if (variable.type >= 0 && variable.kind != VariableKind::RECEIVER &&
            extended.count(variable.type) != 0)
            variable.type = -1;
}

// Using a property runs its methods.
void Settling::settle_properties() {
    if (noted_.getters.empty() && noted_.setters.empty()) return;
    std::unordered_set<int32_t> assigned;
    const auto runs = [&](int32_t operation, int32_t name, int32_t count) {
        CallRecord record{operation, name, -1, -1, -1, CallShape::MEMBER, false, -1, count, {}};
        record.arguments.assign(count, {-1, false});
        program_.calls.push_back(std::move(record));
    };
    for (const auto &[assignment, member] : noted_.assigned_members) {
        assigned.insert(member);
        const int32_t name = program_.operations[member].name;
        if (noted_.setters.count(name) != 0) runs(assignment, name, 1);
    }
    const auto made = static_cast<int32_t>(program_.operations.size());
    for (int32_t operation = 0; operation < made; ++operation) {
        const Operation &one = program_.operations[operation];
        if (one.kind == Op::MEMBER && noted_.getters.count(one.name) != 0 && assigned.count(operation) == 0)
            runs(operation, one.name, 0);
    }
}

// A handler that reads only names which nothing in the text defines (`except ValueError`) does
// nothing; it is no operation then.
void Settling::drop_bare_catches() {
    if (noted_.bare_catches.empty()) return;
    std::vector<uint8_t> defined(program_.variables.size(), 0), dropped(program_.operations.size(), 0);
    for (const AccessRecord &access : program_.accesses)
        if (access.mode >= Mode::DEFINE) defined[access.variable] = 1;
    for (int32_t one : noted_.bare_catches) dropped[one] = 1;
    for (const AccessRecord &access : program_.accesses)
        if (defined[access.variable]) dropped[access.operation] = 0;
    std::vector<int32_t> place(dropped.size());
    int32_t kept = 0;
    for (size_t i = 0; i < dropped.size(); ++i) place[i] = dropped[i] ? -1 : kept++;
    if (static_cast<size_t>(kept) == dropped.size()) return;
    const auto erase = [](auto &records, auto is_gone) {
        records.erase(std::remove_if(records.begin(), records.end(), is_gone), records.end());
    };
    // Its statement goes with it.
    std::vector<uint8_t> is_empty(program_.statements.size(), 0);
    for (size_t i = 0; i < dropped.size(); ++i)
        if (dropped[i]) is_empty[program_.operations[i].statement] = 1;
    std::vector<int32_t> statement(is_empty.size());
    for (size_t i = 0, left = 0; i < is_empty.size(); ++i)
        statement[i] = static_cast<int32_t>(is_empty[i] ? left : left++);
    size_t at = 0;
    erase(program_.statements, [&](const Statement &) { return is_empty[at++] != 0; });
    for (Operation &operation : program_.operations) operation.statement = statement[operation.statement];
    at = 0;
    erase(program_.operations, [&](const Operation &) { return dropped[at++] != 0; });
    erase(program_.accesses, [&](const AccessRecord &access) { return dropped[access.operation] != 0; });
    for (AccessRecord &access : program_.accesses) access.operation = place[access.operation];
    for (Operand &operand : program_.operands) operand = {place[operand.operation], place[operand.value]};
    for (CallRecord &call : program_.calls) call.operation = place[call.operation];
    for (auto &[assignment, member] : noted_.assigned_members)
        assignment = place[assignment], member = place[member];
    for (Function &function : program_.functions) {
        erase(function.items, [&](const Item &item) { return item.a >= 0 && dropped[item.a] != 0; });
        for (Item &item : function.items)
            if (item.a >= 0) item.a = place[item.a];
    }
}

void Settling::finish() {
    auto &variables = program_.variables;
    forget_effects();
    settle_names();
    drop_bare_catches();
    settle_fields();
    settle_made();
    settle_types();
    std::vector<uint8_t> aliased(variables.size(), 0);
    for (const Alias &alias : program_.aliases) aliased[alias.left] = 1;
    std::vector<uint8_t> defined(variables.size(), 0);
    for (size_t v = 0; v < variables.size(); ++v)
        if (variables[v].kind == VariableKind::PARAMETER)
            defined[scopes_.resolved(static_cast<int32_t>(v))] = 1;
    for (const AccessRecord &access : program_.accesses)
        if (access.mode == Mode::DEFINE) defined[access.variable] = 1;

    std::unordered_set<int32_t> function_names;
    std::unordered_map<int32_t, std::vector<uint8_t>> references;  // by name: places by reference
    for (const Function &function : program_.functions) {
        function_names.insert(function.name);
        auto &places = references[function.name];
        if (places.size() < function.by_reference.size()) places.resize(function.by_reference.size(), 0);
        for (size_t i = 0; i < function.by_reference.size(); ++i) places[i] |= function.by_reference[i];
    }
    for (CallRecord &call : program_.calls) {
        if (call.receiver >= 0) call.receiver = scopes_.resolved(call.receiver);
        for (Argument &argument : call.arguments) {
            if (argument.variable >= 0) argument.variable = scopes_.resolved(argument.variable);
            if (argument.holder >= 0) argument.holder = scopes_.resolved(argument.holder);
        }
        pass_parts(call, references);
        if (call.callee >= 0) {
            const int32_t callee = scopes_.resolved(call.callee);
            if (variables[callee].function >= 0) call.target = variables[callee].function;
            if (defined[callee]) program_.accesses.push_back({call.operation, callee, -1, Mode::READ});
            // add = out.append; add(x): what the method belongs to may change.
            if (call.target < 0 && aliased[callee])
                program_.accesses.push_back({call.operation, callee, -1, Mode::STORE});
        }
        const bool is_class = scopes_.known_class(call.name) >= 0;
        if (call.shape == CallShape::PLAIN && is_class && call.target < 0)
            call.shape = CallShape::CONSTRUCTION;
        if (call.receiver >= 0 && call.shape == CallShape::MEMBER && is_place(call.receiver)) {
            call.owner = variables[call.receiver].name;
            call.shape = CallShape::PLAIN;
            call.receiver = -1;
        }
        const bool in_text = function_names.count(call.name) != 0 || is_class;
        if (call.unknown && !in_text && call.receiver >= 0 && call.target < 0)
            program_.accesses.push_back({call.operation, call.receiver, -1, Mode::STORE});
    }
    settle_properties();
}

// A part of a collection that is passed by reference: what changes it changes the collection.
void Settling::pass_parts(CallRecord &call,
                          const std::unordered_map<int32_t, std::vector<uint8_t>> &references) {
    const auto found = references.find(call.name);
    if (found == references.end()) return;
    for (size_t i = 0; i < call.arguments.size() && i < found->second.size(); ++i) {
        Argument &argument = call.arguments[i];
        if (!found->second[i] || argument.holder < 0) continue;
        if (argument.variable >= 0 && argument.variable != argument.holder)
            program_.aliases.push_back({argument.variable, argument.holder, AliasKind::COPY});
        argument.variable = argument.holder;
    }
}

}  // namespace

void settle(const Emitter &lowered) { Settling(lowered).finish(); }

}  // namespace codekin::flow
