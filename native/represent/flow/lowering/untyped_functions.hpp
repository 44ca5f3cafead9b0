// Functions of C whose type is left out: `main() { ... }`, `f(a, b) int a; { ... }`. The parser takes
// the head for a call, a declaration or an error, and the body for a block of the top level.
#pragma once

#include "represent/flow/lowering/part.hpp"

namespace codekin::flow {

class UntypedFunctions : Part {
  public:
    using Part::Part;

    // Where the head of a function's definition without a type begins, if that is one; else -1.
    int32_t untyped_head(int32_t node, const Rule &rule) const;
    // The blocks of the top level that are bodies, each with its head; what belongs to a head, with -1.
    std::unordered_map<int32_t, int32_t> find_untyped(int32_t node);
    // Lowers such a function.
    void lower_untyped(int32_t first, int32_t body);

  private:
    struct Head {
        int32_t name = -1;                // the leaf that names the function, or -1
        std::vector<int32_t> parameters;  // leaves
    };
    Head head_between(int32_t first, int32_t end) const;
    bool may_be_head(int32_t node) const;
};

}  // namespace codekin::flow
