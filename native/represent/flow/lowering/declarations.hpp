// Declarations: variables, their types, and the values they begin with.
#pragma once

#include "represent/flow/lowering/part.hpp"

namespace codekin::flow {

class Declarations : Part {
  public:
    using Part::Part;

    // Lowers a declaration: of several variables, of one with its value, or of what a constructor begins
    // with.
    Value lower_as(int32_t node, const Rule &rule);
    // What a declaration says of a variable. Collections of pointers share what they point at.
    void set_type(int32_t variable, int32_t type, int32_t type_node, uint32_t flags);
    // The value of what was taken for a parameter: `n`, `n *m`, `a[i]`, `f(x)`.
    Value read_as_type(int32_t node);

  private:
    int32_t array_of(int32_t type);
    bool bind_reference(int32_t variable, const Value &value);
    Value lower_declare(int32_t node, const Rule &rule, const Declared &as);
    Value declare_several(int32_t node, const Rule &rule, const std::vector<int32_t> &lefts, int32_t right,
                          Declares declares);
    Value lower_declaration(int32_t node, const Rule &rule);
    Value declare_one(int32_t node, int32_t value_node, const Declared &as);
    void keep_earlier(size_t first_access);
    bool has_constructor(int32_t type) const;
    bool constructs(const Declared &as, int32_t value) const;
    Value constructed(int32_t node, const Declared &as, int32_t list);
    Value initialized(int32_t node, const Rule &rule);
    bool is_construction(int32_t parameters);

    struct {
        int32_t node;
        bool points;
    } pointing_type_{-1, false};  // the last type that was looked at, and whether it has pointers
};

}  // namespace codekin::flow
