// Macros: their arguments are raw tokens, read here as expressions as far as they look like some.
#pragma once

#include "represent/flow/lowering/part.hpp"

namespace codekin::flow {

// Raw tokens, as far as they are read.
struct Tokens {
    std::vector<int32_t> all;
    size_t next = 0;
};

class RawTokens : Part {
  public:
    using Part::Part;

    Value lower_macro(int32_t node, const Rule &rule);

  private:
    Tokens tokens_in(int32_t tree) const;
    std::string_view token(const Tokens &tokens, size_t ahead = 0) const;
    int32_t token_list(const Tokens &tokens, char bracket, size_t ahead) const;
    Value loose_tokens(Tokens &tokens);
    void read_loosely(Tokens &tokens, Value &all);
    Value placeholders(int32_t node);
    void token_arguments(int32_t list, std::vector<Value> &values);
    Value token_argument(Tokens &tokens);
    Value token_expression(Tokens &tokens, int least);
    void skip_types(Tokens &tokens);
    Value token_primary(Tokens &tokens);
    Value token_operand(Tokens &tokens);
    Value token_group(int32_t list, std::string_view label);
    Value token_name(Tokens &tokens);
    Value token_links(Tokens &tokens, Value value);
    Value macro(int32_t node, int32_t name, int32_t list);

    int32_t depth_ = 0;  // how deep in expressions
};

}  // namespace codekin::flow
