// What can be said only at the end: which variable a name meant, which call is known.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "lowering_engine.hpp"

namespace codekin::flow {

namespace {

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

}  // namespace

void Engine::finish() {
    auto &variables = program_.variables;
    for (AccessRecord &access : program_.accesses) access.variable = scopes_.resolved(access.variable);
    for (Alias &alias : program_.aliases) {
        alias.left = scopes_.resolved(alias.left);
        alias.right = scopes_.resolved(alias.right);
    }
    std::vector<uint8_t> defined(variables.size(), 0);
    for (size_t v = 0; v < variables.size(); ++v)
        if (variables[v].kind == VariableKind::PARAMETER) defined[scopes_.resolved(static_cast<int32_t>(v))] = 1;
    for (const AccessRecord &access : program_.accesses)
        if (access.mode == Mode::DEFINE) defined[access.variable] = 1;

    const FieldsByName fields(scopes_.classes());
    const size_t written = program_.accesses.size();
    for (size_t i = 0; i < written; ++i) {
        const AccessRecord access = program_.accesses[i];
        if (access.field < 0) continue;
        const auto found = fields.variables.find(access.field);
        if (found == fields.variables.end()) continue;
        int32_t only = -1;
        const int32_t type = variables[access.variable].type;
        const int32_t cls = type < 0 ? -1 : scopes_.known_class(type);
        if (cls >= 0) {
            const auto own = scopes_.classes()[cls].fields.find(access.field);
            if (own != scopes_.classes()[cls].fields.end()) only = own->second;
        }
        for (int32_t field : found->second) {
            if (only >= 0 && field != only) continue;
            if (access.mode == Mode::LOAD) program_.accesses.push_back({access.operation, field, -1, Mode::READ});
            if (access.mode == Mode::STORE) program_.accesses.push_back({access.operation, field, -1, Mode::MAYBE});
        }
    }

    std::unordered_set<int32_t> function_names;
    for (const Function &function : program_.functions) function_names.insert(function.name);
    for (CallRecord &call : program_.calls) {
        if (call.receiver >= 0) call.receiver = scopes_.resolved(call.receiver);
        for (Argument &argument : call.arguments)
            if (argument.variable >= 0) argument.variable = scopes_.resolved(argument.variable);
        if (call.callee >= 0) {
            const int32_t callee = scopes_.resolved(call.callee);
            if (variables[callee].function >= 0)
                call.target = variables[callee].function;
            else if (defined[callee])
                program_.accesses.push_back({call.operation, callee, -1, Mode::READ});
        }
        const bool is_class = scopes_.known_class(call.name) >= 0;
        if (call.shape == CallShape::PLAIN && is_class && call.target < 0)
            call.shape = CallShape::CONSTRUCTION;
        if (call.receiver >= 0 && call.shape == CallShape::MEMBER) {
            const Variable &on = variables[call.receiver];
            if (!defined[call.receiver] && on.name >= 0 && scopes_.known_class(on.name) >= 0) {
                call.owner = on.name;
                call.shape = CallShape::PLAIN;
                call.receiver = -1;
            }
        }
        const bool in_text = function_names.count(call.name) != 0 || is_class;
        if (call.unknown && !in_text && call.receiver >= 0 && call.target < 0)
            program_.accesses.push_back({call.operation, call.receiver, -1, Mode::STORE});
    }
}

}  // namespace codekin::flow
