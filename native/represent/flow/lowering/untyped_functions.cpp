#include "represent/flow/lowering/untyped_functions.hpp"

#include <cctype>

#include "represent/flow/lowering/engine.hpp"

namespace codekin::flow {

namespace {

bool is_word(std::string_view text) {
    return !text.empty() && (std::isalpha(static_cast<unsigned char>(text[0])) || text[0] == '_');
}

}  // namespace

// The name and the parameters in the nodes from `first` to before `end`: a word, then a list in
// brackets. The last word of each item is its name, but for types that stand alone.
UntypedFunctions::Head UntypedFunctions::head_between(int32_t first, int32_t end) const {
    Head head;
    int32_t depth = 0, words = 0, last = -1, leaves = 0;
    bool is_done = false, in_array = false;
    const auto finish = [&] {
        const bool is_type = words == 1 && (tree_.rule(last).is(flag::NUMBER) || tree_.span(last) == "void");
        if (last >= 0 && !is_type) head.parameters.push_back(last);
        last = -1, words = 0, in_array = false;
    };
    for (int32_t node = first; node < end && !is_done; ++node) {
        if (tree_.size[node] > 1 || tree_.start[node] == tree_.end[node]) continue;
        if (tree_.shape(node) == Shape::COMMENT) continue;
        const std::string_view text = tree_.span(node);
        const int32_t place = leaves++;
        if (place == 0) {
            if (!is_word(text)) return head;
            head.name = node;
        } else if (place == 1 && text != "(") {
            return {};
        } else if (text == "(") {
            ++depth;
        } else if (text == ")") {
            is_done = --depth == 0;
        } else if (text == "," && depth == 1) {
            finish();
        } else if (text == "[") {
            in_array = true;
        } else if (is_word(text) && !in_array) {
            last = node, ++words;
        }
    }
    if (leaves < 2) return {};
    finish();
    return head;
}

int32_t UntypedFunctions::untyped_head(int32_t node, const Rule &rule) const {
    if (!rule.is(flag::UNTYPED)) return -1;
    const int32_t type = tree_.in(node, rule, slot::TYPE), name = tree_.in(node, rule, slot::NAME);
    if (type < 0 || name < 0) return -1;
    uint32_t flags = 0;
    int32_t parameters = -1;
    const int32_t named = declarator(name, flags, parameters);
    const bool is_missing = named >= 0 && tree_.start[named] == tree_.end[named];   // static f(int a)
    const bool is_list = parameters < 0 && tree_.shape(name) == Shape::DECLARATOR;  // main(void)
    if (!is_missing && !is_list) return -1;
    return head_between(type, tree_.in(node, rule, slot::BODY)).name >= 0 ? type : -1;
}

// Whether a part of the top level may be a head: nothing that ends in a semicolon, but for the first
// declaration of a parameter that the parser put into it.
bool UntypedFunctions::may_be_head(int32_t node) const {
    if (!tree_.is_error(node) && tree_.shape(node) != Shape::EXPRESSION &&
        tree_.shape(node) != Shape::DECLARATION)
        return false;
    const int32_t end = node + tree_.size[node];
    if (tree_.shape(node) == Shape::EXPRESSION && !tree_.is_error(node)) {
        int32_t last = -1;
        tree_.each_child(node, [&](int32_t child) { last = child; });
        if (last < 0 || tree_.start[last] != tree_.end[last]) return false;
    }
    return head_between(node, end).name >= 0;
}

std::unordered_map<int32_t, int32_t> UntypedFunctions::find_untyped(int32_t node) {
    std::unordered_map<int32_t, int32_t> found;
    std::vector<int32_t> before;  // a head and what follows it
    tree_.each_child(node, [&](int32_t child) {
        if (tree_.shape(child) == Shape::COMMENT && !tree_.is_error(child)) return;
        const bool is_block = tree_.shape(child) == Shape::SEQUENCE && tree_.rule(child).is(flag::SCOPE);
        if (is_block && !before.empty()) {
            found[child] = before[0];
            for (int32_t one : before) {
                found[one] = -1;
                if (!tree_.is_error(one)) continue;
                if (noted_.seen_errors.empty()) noted_.seen_errors.resize(tree_.count, 0);
                noted_.seen_errors[one] = 1;
            }
        }
        const bool goes_on =
            !before.empty() && tree_.shape(child) == Shape::DECLARATION && !tree_.is_error(child);
        if (!goes_on) before.clear();
        if (goes_on || (!is_block && may_be_head(child))) before.push_back(child);
    });
    return found;
}

void UntypedFunctions::lower_untyped(int32_t first, int32_t body) {
    const Head head = head_between(first, body);
    const int32_t outside = function_, outer_statement = statement_, outer_branches = branches_;
    const auto made = static_cast<int32_t>(program_.functions.size());
    const int32_t name = text(head.name);
    Variable &known = program_.variables[scopes_.declare(name, false, true)];
    known.function = known.function == -1 ? made : -2;
    Function function{name, outside, -1, tree_.start[first], tree_.end[body]};
    function.kind = FunctionKind::FUNCTION;
    function.least = function.most = static_cast<int32_t>(head.parameters.size());
    function.by_reference.assign(head.parameters.size(), 0);
    program_.functions.push_back(std::move(function));
    function_ = made;
    branches_ = 0;
    scopes_.open(Scopes::Kind::FUNCTION, made);
    program_.statements.push_back({tree_.start[first], tree_.start[first]});
    statement_ = static_cast<int32_t>(program_.statements.size()) - 1;
    program_.operations.push_back(
        {Op::ENTRY, 0, name, made, tree_.start[first], tree_.end[body], statement_});
    emit(Code::OP, static_cast<int32_t>(program_.operations.size()) - 1);
    for (int32_t parameter : head.parameters) {
        const int32_t variable = scopes_.declare(text(parameter));
        program_.variables[variable].kind = VariableKind::PARAMETER;
        program_.functions[made].parameters.push_back(variable);
        access(make(Op::PARAMETER, word("param"), parameter), variable, Mode::DEFINE);
    }
    const size_t first_item = program_.functions[made].items.size();
    next_.is_body = true;
    lower(body);
    engine_.functions.run_deferred(first_item);
    scopes_.close();
    function_ = outside;
    statement_ = outer_statement;
    branches_ = outer_branches;
}

}  // namespace codekin::flow
