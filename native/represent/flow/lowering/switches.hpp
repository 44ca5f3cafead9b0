// Choices between alternatives: switches, their cases, patterns.
#pragma once

#include "represent/flow/lowering/part.hpp"

namespace codekin::flow {

// What an alternative of a switch asks for.
struct Alternative {
    std::vector<int32_t> tests;
    int32_t guard = -1;
    bool is_default = false;
};

class Switches : Part {
  public:
    using Part::Part;

    // A switch with all its cases; its value where it has one.
    Value lower_switch(int32_t node, const Rule &rule);
    // Whether a name in a pattern is a constant's, and binds nothing.
    bool is_constant(int32_t node) const;
    // Whether a pattern is a bare name, which takes anything.
    bool binds_all(int32_t node) const;
    // A pattern: an operation that takes the subject and binds its names.
    Value pattern(int32_t node, int32_t from, const Value &subject, const Rule &rule);

  private:
    void find_cases(int32_t node, std::vector<int32_t> &cases) const;
    bool is_wildcard(int32_t node) const;
    bool is_simple(int32_t node, const Rule &rule) const;
    void case_tests(int32_t node, const Rule &rule, Alternative &found) const;
    Value lower_case(int32_t node, const Rule &rule, const Rule &around, int32_t subject, const Value &value);
};

}  // namespace codekin::flow
