// Macros that stand for loops: `rep(i, n) { ... }`. The parser takes the head for a call whose
// semicolon is missing, or for a function's definition without a type.
#pragma once

#include "represent/flow/lowering/part.hpp"

namespace codekin::flow {

class MacroLoops : Part {
  public:
    using Part::Part;

    // Whether a statement is a call without its semicolon whose macro the next statement belongs to.
    bool is_macro_head(int32_t node, int32_t next);
    // The loop's head: takes the next element into the first argument and decides.
    void open_macro_loop(int32_t node, int32_t arguments);
    // Heads in a row and the statement they govern; the place of that statement.
    size_t macro_loop(const std::vector<int32_t> &parts, size_t at);
    // Ends what open_macro_loop or open_displaced began.
    void close_macro_loop();
    // `rep(i, n) x[i] = 0;` reads as an assignment to a part of the call, with `x` in the way. Where
    // the text defines the macro, the call is a loop's head and `x` stands in its place.
    bool open_displaced(int32_t node);

  private:
    bool is_defined_macro(std::string_view name);
    int32_t first_call(int32_t node);

    bool macros_known_ = false;
    std::unordered_set<std::string_view> macros_;  // names that the text defines with arguments
    std::vector<int32_t> first_calls_;             // by node: the call at its start, -1: none; -2: not known
};

}  // namespace codekin::flow
