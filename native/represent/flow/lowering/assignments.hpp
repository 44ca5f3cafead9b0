// Assignments, and what they change.
#pragma once

#include "represent/flow/lowering/part.hpp"

namespace codekin::flow {

class Assignments : Part {
  public:
    using Part::Part;

    // Lowers an assignment, or an update such as `i++`.
    Value lower_as(int32_t node, const Rule &rule);
    // What an expression on the left of an assignment stands for. Values that it computes on the way
    // (indices of patterns, defaults) go to `beside`.
    void targets(int32_t node, Declares declares, std::vector<Target> &found, Value *beside);
    // An operation gives a target its value.
    void define(int32_t operation, const Target &target, bool also_reads = false);
    // The operation that assigns a value to targets.
    Value assign(int32_t node, std::string_view name, const std::vector<Target> &left, const Value &right,
                 bool also_reads);
    // `a, b = x, y` is two assignments where neither reads what the other writes.
    bool assign_pairs(int32_t node, const std::vector<int32_t> &lefts, const std::vector<int32_t> &rights,
                      Declares declares, Value &result);
    // What a loop's header says of its variables.
    Declares declares_of(int32_t node, const Rule &rule) const;

  private:
    Value lower_assign(int32_t node, const Rule &rule);
    Value assign_if_needed(int32_t node, int32_t left, int32_t right, std::string_view name);
    void bind_name(int32_t target);
    Value lower_update(int32_t node, const Rule &rule);
};

}  // namespace codekin::flow
