#include "represent/flow/lowering/macro_loops.hpp"

#include <algorithm>
#include <cctype>

#include "represent/flow/lowering/engine.hpp"

namespace codekin::flow {

bool MacroLoops::is_defined_macro(std::string_view name) {
    if (!macros_known_) {
        macros_known_ = true;
        constexpr std::string_view DEFINE = "define";
        const std::string_view text = tree_.text;
        for (size_t at = text.find(DEFINE); at != std::string_view::npos; at = text.find(DEFINE, at + 1)) {
            size_t first = at + DEFINE.size();
            while (first < text.size() && (text[first] == ' ' || text[first] == '\t')) ++first;
            size_t end = first;
            while (end < text.size() &&
                   (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
                ++end;
            if (end > first && end < text.size() && text[end] == '(')
                macros_.insert(text.substr(first, end - first));
        }
    }
    return macros_.count(name) != 0;
}

bool MacroLoops::is_macro_head(int32_t node, int32_t next) {
    const Rule &rule = tree_.rule(node);
    if (rule.shape != Shape::EXPRESSION || tree_.size[node] < 4) return false;
    int32_t last = -1;
    tree_.each_child(node, [&](int32_t child) { last = child; });
    if (last < 0 || tree_.named(last) || tree_.start[last] != tree_.end[last]) return false;
    const int32_t call = tree_.place(node, 0);
    if (call < 0 || tree_.shape(call) != Shape::CALL || tree_.named_count(node) != 1) return false;
    const int32_t function = tree_.in(call, slot::FUNCTION);
    if (function < 0 || tree_.shape(function) != Shape::NAME) return false;
    if (is_defined_macro(tree_.span(name_node(function)))) return true;
    // Not a call whose semicolon was forgotten: what it governs begins on its line, or is a block.
    const std::string_view between = tree_.text.substr(tree_.end[node], tree_.start[next] - tree_.end[node]);
    return between.find('\n') == std::string_view::npos ||
           (tree_.shape(next) == Shape::SEQUENCE && tree_.rule(next).is(flag::SCOPE));
}

void MacroLoops::open_macro_loop(int32_t node, int32_t list) {
    scopes_.open(Scopes::Kind::BLOCK, function_);
    Value bounds;
    std::vector<Target> found;
    bool first = true;
    if (list >= 0)
        tree_.each_named(list, [&](int32_t child) {
            const bool is_type = tree_.shape(child) == Shape::PARAMETER;
            const int32_t named = is_type ? tree_.in(child, slot::TYPE) : child;
            const bool is_name = named >= 0 && tree_.size[named] == 1 &&
                                 (is_type ? tree_.size[child] == 2 : tree_.shape(named) == Shape::NAME);
            if (first && is_name) {
                const int32_t number = text(named);
                const bool is_known = scopes_.known(number) >= 0;
                found.push_back({is_known ? scopes_.write(number) : scopes_.declare(number)});
            } else {
                bounds.join(is_type ? engine_.declarations.read_as_type(child) : lower(child));
            }
            first = false;
        });
    emit(Code::LOOP, -1, next_.loop_label);
    next_.loop_label = -1;
    const int32_t made = make(Op::PREDICATE, word("each"), node);
    take(made, bounds, true);
    for (const Target &target : found) engine_.assignments.define(made, target);
    emit(Code::TEST, made);
    ++branches_;
}

size_t MacroLoops::macro_loop(const std::vector<int32_t> &parts, size_t at) {
    size_t open = 0;
    while (at + 1 < parts.size() && is_macro_head(parts[at], parts[at + 1])) {
        const int32_t call = tree_.place(parts[at], 0);
        open_macro_loop(call, tree_.in(call, slot::ARGUMENTS));
        ++open;
        ++at;
    }
    statement(parts[at]);
    for (; open > 0; --open) close_macro_loop();
    return at;
}

void MacroLoops::close_macro_loop() {
    --branches_;
    emit(Code::END);
    scopes_.close();
}

bool MacroLoops::open_displaced(int32_t node) {
    if (tree_.shape(node) != Shape::EXPRESSION || tree_.size[node] < 6) return false;
    const int32_t call = first_call(node);
    if (call < 0) return false;
    const int32_t error = call + tree_.size[call];
    if (error >= node + tree_.size[node] || !tree_.is_error(error) || tree_.size[error] != 2) return false;
    const int32_t function = tree_.in(call, slot::FUNCTION);
    if (function < 0 || tree_.shape(function) != Shape::NAME || tree_.shape(error + 1) != Shape::NAME)
        return false;
    if (!is_defined_macro(tree_.span(function))) return false;
    open_macro_loop(call, tree_.in(call, slot::ARGUMENTS));
    lowering_.displaced.put(tree_, call, error + 1);
    if (noted_.seen_errors.empty()) noted_.seen_errors.resize(tree_.count, 0);
    noted_.seen_errors[error] = 1;
    return true;
}

// The call that a node begins with, below it; -1: none.
int32_t MacroLoops::first_call(int32_t node) {
    constexpr int32_t UNKNOWN = -2;
    if (first_calls_.empty()) first_calls_.resize(tree_.count, UNKNOWN);
    std::vector<int32_t> path;
    int32_t call = UNKNOWN;
    for (int32_t at = node; call == UNKNOWN;) {
        call = first_calls_[at];
        if (call != UNKNOWN) break;
        path.push_back(at);
        at = tree_.place(at, 0);
        if (at < 0 || tree_.shape(at) == Shape::CALL) call = at;
    }
    for (int32_t one : path) first_calls_[one] = call;
    return call;
}

}  // namespace codekin::flow
