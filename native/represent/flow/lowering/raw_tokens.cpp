#include "represent/flow/lowering/raw_tokens.hpp"

#include <cctype>

#include "represent/flow/lowering/engine.hpp"

namespace codekin::flow {

namespace {

int precedence(std::string_view written) {
    static const ByWord<int> known = {{"*", 10}, {"/", 10}, {"%", 10}, {"+", 9},  {"-", 9},
                                      {"<<", 8}, {">>", 8}, {"&", 7},  {"^", 6},  {"|", 5},
                                      {"==", 4}, {"!=", 4}, {"<", 4},  {">", 4},  {"<=", 4},
                                      {">=", 4}, {"&&", 3}, {"||", 2}, {"..", 1}, {"..=", 1}};
    const auto found = known.find(written);
    return found == known.end() ? 0 : found->second;
}

}  // namespace

// The tokens of a list between its brackets.
Tokens RawTokens::tokens_in(int32_t tree) const {
    Tokens tokens;
    tree_.each_child(tree, [&](int32_t child) {
        if (tree_.shape(child) != Shape::COMMENT) tokens.all.push_back(child);
    });
    if (tokens.all.size() >= 2) {
        tokens.all.pop_back();
        tokens.all.erase(tokens.all.begin());
    }
    return tokens;
}

std::string_view RawTokens::token(const Tokens &tokens, size_t ahead) const {
    const size_t at = tokens.next + ahead;
    if (at >= tokens.all.size()) return {};
    const int32_t node = tokens.all[at];
    return tree_.size[node] > 1 ? std::string_view() : tree_.span(node);
}

// A list in brackets that comes next, or -1.
int32_t RawTokens::token_list(const Tokens &tokens, char bracket, size_t ahead) const {
    const size_t at = tokens.next + ahead;
    if (at >= tokens.all.size()) return -1;
    const int32_t node = tokens.all[at];
    return tree_.size[node] > 1 && tree_.text[tree_.start[node]] == bracket ? node : -1;
}

// Every name in the tokens from here on is read: what this cannot take for an expression.
Value RawTokens::loose_tokens(Tokens &tokens) {
    Value all;
    read_loosely(tokens, all);
    return all;
}

void RawTokens::read_loosely(Tokens &tokens, Value &all) {
    for (; tokens.next < tokens.all.size(); ++tokens.next) {
        const int32_t node = tokens.all[tokens.next];
        if (tree_.size[node] > 1 && tree_.shape(node) != Shape::LITERAL) {
            Tokens inner = tokens_in(node);
            read_loosely(inner, all);
        } else if (tree_.shape(node) == Shape::NAME && tree_.start[node] < tree_.end[node]) {
            all.reads.push_back({scopes_.read(text(node)), -1, Mode::READ});
        } else if (tree_.shape(node) == Shape::LITERAL) {
            all.join(placeholders(node));
        }
    }
}

// {name} in a format string.
Value RawTokens::placeholders(int32_t node) {
    Value all;
    const std::string_view written = tree_.span(node);
    if (!tree_.rule(node).is(flag::STRING)) return all;
    for (size_t open = written.find('{'); open != std::string_view::npos;
         open = written.find('{', open + 1)) {
        size_t end = open + 1;
        while (end < written.size() &&
               (std::isalnum(static_cast<unsigned char>(written[end])) || written[end] == '_'))
            ++end;
        if (end == open + 1 || end >= written.size()) continue;
        if (std::isdigit(static_cast<unsigned char>(written[open + 1]))) continue;
        if (written[end] != '}' && written[end] != ':') continue;
        const int32_t name = program_.strings.number(written.substr(open + 1, end - open - 1));
        all.reads.push_back({scopes_.read(name), -1, Mode::READ});
    }
    return all;
}

// The values between commas (or semicolons).
void RawTokens::token_arguments(int32_t list, std::vector<Value> &values) {
    Tokens all = tokens_in(list);
    Tokens one;
    const auto finish = [&] {
        if (one.all.empty()) return;
        values.push_back(token_argument(one));
        one = Tokens{};
    };
    for (int32_t node : all.all) {
        const std::string_view written = tree_.size[node] > 1 ? std::string_view() : tree_.span(node);
        if (written == "," || written == ";")
            finish();
        else
            one.all.push_back(node);
    }
    finish();
}

Value RawTokens::token_argument(Tokens &tokens) {
    if (token(tokens, 1) == "=") tokens.next += 2;  // name = value
    Value value = token_expression(tokens, 1);
    if (tokens.next < tokens.all.size()) value.join(loose_tokens(tokens));
    return value;
}

Value RawTokens::token_expression(Tokens &tokens, int least) {
    Value left = token_primary(tokens);
    while (true) {
        const std::string_view name = token(tokens);
        const int strength = precedence(name);
        if (strength == 0 || strength < least || tokens.next + 1 >= tokens.all.size()) break;
        const int32_t node = tokens.all[tokens.next++];
        const bool is_logical = table_.logical.count(name) != 0;
        int32_t decides = -1;
        if (is_logical) {
            decides = predicate(left, node);
            emit(Code::IF, decides);
            if (name != "&&") emit(Code::ELSE);
            ++branches_;
        }
        const Value right = token_expression(tokens, strength + 1);
        if (is_logical) {
            --branches_;
            emit(Code::END);
        }
        const bool is_range = strength == 1;
        const int32_t made =
            make(Op::OPERATOR, word(is_range ? "range" : name), node, raises(name) ? RAISES : 0);
        if (decides >= 0)
            program_.operands.push_back({made, decides});
        else
            take(made, left);
        take(made, right);
        left = of(made);
    }
    return left;
}

// Types in `::<...>` are passed over.
void RawTokens::skip_types(Tokens &tokens) {
    if (token(tokens) != "::" || token(tokens, 1) != "<") return;
    ++tokens.next;
    int32_t open = 0;
    do {
        open += token(tokens) == "<" ? 1 : token(tokens) == ">" ? -1 : token(tokens) == ">>" ? -2 : 0;
        ++tokens.next;
    } while (open > 0 && tokens.next < tokens.all.size());
}

Value RawTokens::token_primary(Tokens &tokens) {
    if (tokens.next >= tokens.all.size()) return {};
    // Tokens may nest where the tree does not: -----1
    if (depth_ >= 200) return loose_tokens(tokens);
    ++depth_;
    Value value = token_operand(tokens);
    --depth_;
    return value;
}

Value RawTokens::token_operand(Tokens &tokens) {
    const int32_t node = tokens.all[tokens.next];
    const std::string_view written = token(tokens);
    if (written == "&" || written == "&&") {
        ++tokens.next;
        const bool is_changed = token(tokens) == "mut";
        if (is_changed) ++tokens.next;
        Value value = token_primary(tokens);
        if (is_changed && value.direct) value.address = value.place;
        return value;
    }
    if (written == "*" || written == "-" || written == "!") {
        ++tokens.next;
        const Value value = token_primary(tokens);
        if (written == "*")
            return engine_.places.reached(make(Op::INDEX, word("deref"), node), value, -1, Mode::LOAD);
        const int32_t made = make(Op::OPERATOR, word(written == "-" ? "neg" : "!"), node);
        take(made, value);
        return of(made);
    }
    Value value;
    if (tree_.shape(node) == Shape::LITERAL) {
        ++tokens.next;
        value = lower(node);
        value.join(placeholders(node));
    } else if (tree_.shape(node) == Shape::NAME || token(tokens, 1) == "::") {
        value = token_name(tokens);
    } else if (const int32_t list = token_list(tokens, '(', 0); list >= 0) {
        ++tokens.next;
        value = token_group(list, "tuple");
    } else if (const int32_t items = token_list(tokens, '[', 0); items >= 0) {
        ++tokens.next;
        value = token_group(items, "list");
    } else {
        return loose_tokens(tokens);
    }
    return token_links(tokens, std::move(value));
}

Value RawTokens::token_group(int32_t list, std::string_view label) {
    std::vector<Value> values;
    token_arguments(list, values);
    if (values.size() == 1 && label == "tuple") return values[0];
    const int32_t made = make(Op::OPERATOR, word(label), list);
    for (const Value &one : values) take(made, one, true);
    return of(made);
}

// A name, a path, a call, a macro.
Value RawTokens::token_name(Tokens &tokens) {
    int32_t node = tokens.all[tokens.next++], scope = -1;
    skip_types(tokens);
    while (token(tokens) == "::" && tokens.next + 1 < tokens.all.size()) {
        scope = node;
        node = tokens.all[tokens.next + 1];
        tokens.next += 2;
        skip_types(tokens);
    }
    const int32_t name = text(node);
    if (token(tokens) == "!" && (token_list(tokens, '(', 1) >= 0 || token_list(tokens, '[', 1) >= 0)) {
        const int32_t list = tokens.all[tokens.next + 1];
        tokens.next += 2;
        return macro(node, name, list);
    }
    const int32_t list = token_list(tokens, '(', 0);
    if (list < 0) {
        if (tree_.shape(node) == Shape::NAME) return engine_.places.lower_name(node);
        return {};
    }
    ++tokens.next;
    std::vector<Value> values;
    token_arguments(list, values);
    const int32_t callee = scope < 0 ? scopes_.read(name) : -1;
    Value value =
        engine_.calls.call_with(node, name, CallShape::PLAIN, nullptr, callee, values, false, nullptr);
    if (scope >= 0) program_.calls.back().owner = engine_.calls.qualifier(text(scope));
    return value;
}

// What follows a value: members, calls, indices, `?`, `as T`.
Value RawTokens::token_links(Tokens &tokens, Value value) {
    while (tokens.next < tokens.all.size()) {
        const int32_t node = tokens.all[tokens.next];
        if (token(tokens) == "." && tokens.next + 1 < tokens.all.size()) {
            const int32_t member = tokens.all[tokens.next + 1];
            tokens.next += 2;
            skip_types(tokens);
            const int32_t list = token_list(tokens, '(', 0);
            if (list >= 0) {
                ++tokens.next;
                std::vector<Value> values;
                token_arguments(list, values);
                const bool own = engine_.places.receiver_class(value) >= 0;
                value = engine_.calls.call_with(member, text(member),
                                                own ? CallShape::OWN_MEMBER : CallShape::MEMBER, &value, -1,
                                                values, false, nullptr);
            } else {
                value = engine_.places.member_of(member, text(member), value, text(member));
            }
        } else if (const int32_t at = token_list(tokens, '[', 0); at >= 0) {
            ++tokens.next;
            std::vector<Value> values;
            token_arguments(at, values);
            const int32_t made = make(Op::INDEX, word("index"), node, raises("index") ? RAISES : 0);
            value = engine_.places.reached(made, value, -1, Mode::LOAD);
            for (const Value &one : values) take(made, one);
        } else if (token(tokens) == "?") {
            ++tokens.next;
            value = engine_.expressions.propagate(node, value);
        } else if (token(tokens) == "as") {
            tokens.next += 2;
        } else {
            break;
        }
    }
    return value;
}

Value RawTokens::macro(int32_t node, int32_t name, int32_t list) {
    std::vector<Value> values;
    if (list >= 0) token_arguments(list, values);
    // vec![...] is a list, format!(...) a string.
    const auto known = table_.operators.find(std::string(program_.strings.text(name)) + "!");
    if (known != table_.operators.end()) {
        const int32_t made = make(Op::OPERATOR, word(known->second), node);
        for (const Value &value : values) take(made, value, true);
        return of(made);
    }
    return engine_.calls.call_with(node, name, CallShape::PLAIN, nullptr, -1, values, false, nullptr);
}

Value RawTokens::lower_macro(int32_t node, const Rule &rule) {
    const int32_t name = tree_.in(node, rule, slot::NAME);
    const int32_t list = tree_.in(node, rule, slot::ARGUMENTS);
    return macro(node, name < 0 ? word("macro") : text(name_node(name)), list);
}

}  // namespace codekin::flow
