#include "represent/flow/lowering/streams.hpp"

#include "represent/flow/lowering/engine.hpp"

namespace codekin::flow {

int32_t Streams::stream_start(int32_t node, const Rule &rule, std::string_view name) {
    constexpr int32_t UNKNOWN = -2;
    if (starts_.empty()) starts_.resize(tree_.count, UNKNOWN);
    std::vector<int32_t> chain;
    int32_t at = node, found = UNKNOWN;
    while (found == UNKNOWN && tree_.shape(at) == Shape::BINARY) {
        const int32_t written = tree_.in(at, rule, slot::OPERATOR);
        if (written < 0 || tree_.span(written) != name) {
            found = -1;
            break;
        }
        found = starts_[at];
        chain.push_back(at);
        at = tree_.in(at, rule, slot::LEFT);
        if (at < 0) found = -1;
    }
    if (found == UNKNOWN) {
        at = instead(at);
        const bool is_stream =
            tree_.shape(at) == Shape::NAME &&
            (table_.streams.count(tree_.span(name_node(at))) != 0 || stream_variable(at) >= 0);
        found = is_stream ? at : -1;
    }
    for (int32_t one : chain) starts_[one] = found;
    return found;
}

// The variable of a name whose declared type is a stream's, or -1.
int32_t Streams::stream_variable(int32_t node) {
    const int32_t variable = scopes_.known(text(name_node(node)));
    if (variable < 0) return -1;
    const int32_t type = program_.variables[variable].type;
    return type >= 0 && table_.streams.count(program_.strings.text(type)) != 0 ? variable : -1;
}

// Whether a name in an expression is one of these.
bool Streams::names_any(int32_t node, const std::unordered_set<std::string_view> &names) const {
    for (int32_t at = node; at < node + tree_.size[node] && !names.empty(); ++at)
        if (tree_.shape(at) == Shape::NAME && names.count(tree_.span(at)) != 0) return true;
    return false;
}

int32_t Streams::stream_call(int32_t node, std::string_view name, int32_t first, const Value &all,
                             const std::vector<Target> &found) {
    const int32_t variable = stream_variable(first);
    const std::string_view key = variable >= 0 ? name : tree_.span(name_node(first));
    const auto called = table_.streams.find(key);
    const int32_t made = make(Op::CALL, word(called == table_.streams.end() ? name : called->second), node,
                              raises("call") ? RAISES : 0);
    take(made, all, true);
    if (variable >= 0) {
        access(made, variable, Mode::READ);
        access(made, variable, Mode::STORE);
    }
    for (const Target &target : found) engine_.assignments.define(made, target);
    return made;
}

Value Streams::lower_stream(int32_t node, const Rule &rule, std::string_view name, int32_t first) {
    std::vector<int32_t> parts;
    for (int32_t at = node; instead(at) != first; at = tree_.in(at, rule, slot::LEFT))
        parts.push_back(tree_.in(at, rule, slot::RIGHT));
    Value all;
    std::vector<Target> found;
    std::unordered_set<std::string_view> names;  // of the variables found
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
        if (*part < 0) continue;
        if (name != ">>") {
            all.join(lower(*part));
            continue;
        }
        if (names_any(*part, names)) {  // cin >> n >> a[n]
            stream_call(node, name, first, all, found);
            found.clear();
            names.clear();
            all = Value{};
        }
        const size_t before = found.size();
        engine_.assignments.targets(*part, Declares::NO, found, &all);
        for (size_t i = before; i < found.size(); ++i) {
            if (found[i].stored || found[i].variable < 0) continue;
            const int32_t named = program_.variables[found[i].variable].name;
            if (named >= 0) names.insert(program_.strings.text(named));
        }
    }
    return of(stream_call(node, name, first, all, found));
}

}  // namespace codekin::flow
