#include "represent/flow/lowering/emitter.hpp"

#include <algorithm>
#include <string>

namespace codekin::flow {

// What stands in the place of a call, and where the call was.
void Displaced::put(const SyntaxTree &tree, int32_t call, int32_t instead) {
    if (instead_.empty()) instead_.resize(tree.count, -1);
    instead_[call] = instead;
    calls_at_[tree.start[call]].push_back(call);
}

int32_t Displaced::start_of(const SyntaxTree &tree, int32_t node) const {
    const auto found = calls_at_.find(tree.start[node]);
    if (found == calls_at_.end()) return tree.start[node];
    int32_t first = INT32_MAX;  // the outermost of those that the node begins with
    for (int32_t call : found->second)
        if (call >= node && call < node + tree.size[node]) first = std::min(first, call);
    return tree.start[first == INT32_MAX ? node : instead_[first]];
}

void Emitter::begin_statement(int32_t node) {
    program_.statements.push_back({tree_.start[node], tree_.end[node]});
    statement_ = static_cast<int32_t>(program_.statements.size()) - 1;
}

void Emitter::emit(Code code, int32_t a, int32_t b) {
    Function &function = program_.functions[function_];
    function.items.push_back({code, a, b});
    if (code == Code::RETURN || code == Code::THROW || code == Code::GOTO) function.leaves = true;
}

int32_t Emitter::make(Op kind, int32_t name, int32_t node, uint8_t flags) {
    const auto made = static_cast<int32_t>(program_.operations.size());
    program_.operations.push_back({kind, flags, name, function_, lowering_.displaced.start_of(tree_, node),
                                   tree_.end[node], statement_});
    emit(Code::OP, made);
    return made;
}

void Emitter::access(int32_t operation, int32_t variable, Mode mode, int32_t field) {
    program_.accesses.push_back({operation, variable, field, mode});
}

void Emitter::take(int32_t operation, const Value &value, bool deep) {
    for (int32_t source : value.operations) program_.operands.push_back({operation, source});
    for (const Pending &read : value.reads) access(operation, read.variable, read.mode, read.field);
    if (deep && value.place >= 0 && !value.direct) access(operation, value.place, Mode::READ);
}

int32_t Emitter::predicate(const Value &value, int32_t node, std::string_view name) {
    if (value.operations.size() == 1 && value.reads.empty()) {
        const auto &items = program_.functions[function_].items;
        const bool is_last =
            !items.empty() && items.back().code == Code::OP && items.back().a == value.operations[0];
        if (is_last) return value.operations[0];
    }
    const int32_t made = make(Op::PREDICATE, word(name), node);
    take(made, value);
    return made;
}

std::string_view Emitter::operator_of(int32_t node, const Rule &rule, bool unary) {
    const int32_t child = tree_.in(node, rule, slot::OPERATOR);
    const std::string_view written = child >= 0 ? tree_.span(child) : std::string_view(rule.label);
    if (unary) {
        const std::string key = "unary " + std::string(written);
        const auto found = table_.operators.find(key);
        if (found != table_.operators.end()) return found->second;
    }
    const auto found = table_.operators.find(written);
    return found == table_.operators.end() ? written : found->second;
}

int32_t Emitter::element(int32_t variable) {
    if (static_cast<size_t>(variable) >= lowering_.elements.size())
        lowering_.elements.resize(variable + 1, -1);
    if (lowering_.elements[variable] < 0) {
        const int32_t made = scopes_.make(-1, function_, VariableKind::LOCAL);
        lowering_.elements[variable] = made;
        program_.aliases.push_back({made, variable, AliasKind::ELEMENT});
    }
    return lowering_.elements[variable];
}

bool Emitter::shares(int32_t variable) const {
    const Variable &known = program_.variables[variable];
    if (known.indirect || known.type < 0) return true;
    return table_.primitives.count(program_.strings.text(known.type)) == 0;
}

bool Emitter::copies(int32_t variable) const {
    const Variable &known = program_.variables[variable];
    if (known.indirect || known.type < 0) return false;
    const std::string_view type = program_.strings.text(known.type);
    return table_.primitives.count(type) != 0 || table_.values.count(type) != 0;
}

void Emitter::alias(int32_t left, const Value &value) {
    if (copies(left)) return;
    if (program_.variables[left].type >= 0)
        for (int32_t reached : value.given)
            if (reached != left) program_.aliases.push_back({left, reached, AliasKind::COPY});
    if (value.address >= 0)
        program_.aliases.push_back({left, value.address, AliasKind::ADDRESS});
    else if (value.place >= 0 && value.place != left)
        program_.aliases.push_back({left, value.place, AliasKind::COPY});
    for (const Pending &read : value.reads)
        if (read.variable != left && read.variable != value.place && read.variable != value.address)
            program_.aliases.push_back({left, read.variable, AliasKind::COPY});
}

void Emitter::reach_either(Value &value, const Value &first, const Value &second) {
    const auto reaches = [](const Value &one) { return one.place >= 0 || one.address >= 0; };
    if (!reaches(first) && !reaches(second)) return;
    value.place = scopes_.make(-1, function_, VariableKind::LOCAL);
    for (const Value *one : {&first, &second})
        if (reaches(*one)) alias(value.place, *one);
}

int32_t Emitter::name_node(int32_t node) const {
    while (true) {
        const Rule &rule = tree_.rule(node);
        if (rule.shape != Shape::NAME) return node;
        const int32_t inner = tree_.in(node, rule, slot::NAME);
        if (inner < 0) return node;
        node = inner;
    }
}

int32_t Emitter::type_name(int32_t node) {
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

int32_t Emitter::declarator(int32_t node, uint32_t &flags, int32_t &parameters) const {
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

void Emitter::list_items(int32_t node, std::vector<int32_t> &items) const {
    const Rule &rule = tree_.rule(node);
    const bool is_list =
        (rule.shape == Shape::OPERATION || rule.shape == Shape::PATTERN) && rule.is(flag::EACH);
    if (!is_list) {
        items.push_back(node);
        return;
    }
    tree_.each_named(node, [&](int32_t child) { items.push_back(child); });
}

int32_t Emitter::only_item(int32_t node) const {
    while (tree_.rule(node).is(flag::EXPRESSION) && tree_.named_count(node) == 1 &&
           (tree_.shape(node) == Shape::OPERATION || tree_.shape(node) == Shape::PATTERN))
        node = tree_.place(node, 0);
    return node;
}

}  // namespace codekin::flow
