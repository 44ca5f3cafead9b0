// Expressions that compute.
#pragma once

#include "represent/flow/lowering/part.hpp"

namespace codekin::flow {

class Expressions : Part {
  public:
    using Part::Part;

    // Lowers a node of one of the shapes that expressions have.
    Value lower_as(int32_t node, const Rule &rule);
    // The same value in another type: it reaches what it reached.
    Value cast(int32_t node, const Value &value);
    // Rust's `?`: an error leaves the function.
    Value propagate(int32_t node, const Value &inner);
    // Whether a node is a string without holes.
    bool is_text(int32_t node) const;

  private:
    bool has_holes(int32_t node, const Rule &rule) const;
    Value lower_literal(int32_t node, const Rule &rule);
    Value lower_binary(int32_t node, const Rule &rule);
    Value lower_logical(int32_t node, const Rule &rule, std::string_view name);
    Value lower_chain(int32_t node);
    Value lower_unary(int32_t node, const Rule &rule);
    Value lower_conjunction(int32_t node, const Rule &rule);
    Value lower_pair(int32_t node, const Rule &rule);
    Value lower_operation(int32_t node, const Rule &rule);
    Value lower_conditional(int32_t node, const Rule &rule);
    Value lower_comprehension(int32_t node, const Rule &rule);

    bool keys_read_ = false;  // bare names as keys are variables
};

}  // namespace codekin::flow
