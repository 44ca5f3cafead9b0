// Blocks, branches, loops, jumps, exceptions.
#pragma once

#include "represent/flow/lowering/part.hpp"

namespace codekin::flow {

class Statements : Part {
  public:
    using Part::Part;

    // Lowers a statement that is neither a switch nor a declaration.
    Value lower_as(int32_t node, const Rule &rule);
    // Lowers a condition; the operation that decides.
    int32_t condition(int32_t node, const Rule &rule);
    // The operation that takes the next element and binds it.
    int32_t each(int32_t node, int32_t left, const Value &source, Declares declares, bool reference,
                 int32_t type = -1);

  private:
    Value sequence(int32_t node, const Rule &rule);
    bool is_docstring(int32_t node) const;
    int32_t label(int32_t node, const Rule &rule);
    Value lower_if(int32_t node, const Rule &rule);
    void finish_loop(int32_t node, const Rule &rule);
    void lower_while(int32_t node, const Rule &rule);
    void lower_do(int32_t node, const Rule &rule);
    void lower_for(int32_t node, const Rule &rule);
    void lower_for_each(int32_t node, const Rule &rule, int32_t from, const Rule &parts);
    Value lower_loop(int32_t node, const Rule &rule);
    void lower_try(int32_t node, const Rule &rule);
    void lower_catch(int32_t node, const Rule &rule);
    void lower_with(int32_t node, const Rule &rule);
    Value lower_jump(int32_t node, const Rule &rule);
    void lower_labeled(int32_t node, const Rule &rule);
    void lower_assert(int32_t node, const Rule &rule);
    void lower_defer(int32_t node, const Rule &rule);
    void lower_import(int32_t node, const Rule &rule);
    Value lower_let(int32_t node, const Rule &rule);
};

}  // namespace codekin::flow
