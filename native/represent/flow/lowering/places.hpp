// Places: variables by name, and what is reached through something else (members, indices, pointers).
#pragma once

#include "represent/flow/lowering/part.hpp"

namespace codekin::flow {

class Places : Part {
  public:
    using Part::Part;

    // Lowers a node that names a place: a variable, a link of a chain, an address, what a pointer points at.
    Value lower_as(int32_t node, const Rule &rule);
    // The variable that a name means here.
    Value lower_name(int32_t node);
    // An operation that reads a part of an object, and the value it has.
    Value reached(int32_t operation, const Value &object, int32_t field, Mode mode);
    // The object of a link.
    Value link(int32_t object, int32_t node, const Rule &rule);
    // The rest of a chain runs only if the value is there.
    void skip_unless(const Value &value, int32_t node, const Rule &rule);
    // The class of `this`, or -1 if the value is another object.
    int32_t receiver_class(const Value &value);
    // (*p).x is p->x, and (*p)[i] is a part of what p points at.
    void see_through(Value &object, bool is_index);
    // The field that a member access names; -1 where the member is any part of a collection.
    int32_t field_of(int32_t node, const Rule &rule, int32_t name);
    // The member of a value that has this name.
    Value member_of(int32_t node, int32_t member, Value object, int32_t field);
    Value lower_deref(int32_t node, int32_t inner);
    Value lower_address(int32_t node, const Rule &rule, int32_t inner);

  private:
    int32_t receiver(int32_t name, int32_t type);
    Value lower_link(int32_t node, const Rule &rule);
    Value lower_member(int32_t node, const Rule &rule);
    Value lower_index(int32_t node, const Rule &rule);

    int32_t skips_ = 0;      // open conditions of a chain a?.b.c
    bool in_chain_ = false;  // the next link is the object of another
};

}  // namespace codekin::flow
