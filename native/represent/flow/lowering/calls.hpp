// Calls, and what library functions change.
#pragma once

#include "represent/flow/lowering/part.hpp"

namespace codekin::flow {

class Calls : Part {
  public:
    using Part::Part;

    // What a value reaches changes.
    void change(int32_t operation, const Value &value);
    // The accesses and aliases that an effect gives an operation; without one, addresses may change.
    void apply(int32_t operation, const Effect *effect, const Value *receiver,
               const std::vector<Value> &values);
    // What the table says of a call: of the class's own function, or of any of that name.
    const Effect *effect_of(int32_t name, const Value *receiver, size_t count) const;
    // A call whose arguments are still to be lowered; `arguments` is their list's node, or -1.
    Value call(int32_t node, int32_t name, CallShape shape, const Value *receiver, int32_t callee,
               int32_t arguments, const Value *function);
    // A call with these values: its operation, its record, and what the table of effects says of it.
    Value call_with(int32_t node, int32_t name, CallShape shape, const Value *receiver, int32_t callee,
                    const std::vector<Value> &values, bool spread, const Value *function);
    // The class that `Self::f` or `C::f` means; -1 for a module of the text.
    int32_t qualifier(int32_t name) const;
    Value lower_call(int32_t node, const Rule &rule);
    Value lower_method_call(int32_t node, const Rule &rule);
    Value lower_new(int32_t node, const Rule &rule);

  private:
    void arguments(int32_t node, std::vector<Value> &values, bool &spread);
    bool takes_value(const Value &value) const;
    void give_value(int32_t operation, const Value &value);
    void give_elements(const Value &receiver, const std::vector<Value> &values);
    int32_t pointed_function(int32_t node);
    int32_t gathered(Reach reach, const Value *receiver, const std::vector<Value> &values);
    bool is_super(int32_t node) const;

    int32_t anonymous_ = 0;  // classes without a name so far
};

}  // namespace codekin::flow
