// Chains of << and >> on streams: one call that writes or assigns.
#pragma once

#include "represent/flow/lowering/part.hpp"

namespace codekin::flow {

class Streams : Part {
  public:
    using Part::Part;

    // The leftmost object of a chain of << or >>, if the language knows it as a stream. A chain inside
    // another begins where that begins.
    int32_t stream_start(int32_t node, const Rule &rule, std::string_view name);
    // A chain that begins with the stream `first`.
    Value lower_stream(int32_t node, const Rule &rule, std::string_view name, int32_t first);

  private:
    int32_t stream_variable(int32_t node);
    bool names_any(int32_t node, const std::unordered_set<std::string_view> &names) const;
    int32_t stream_call(int32_t node, std::string_view name, int32_t first, const Value &all,
                        const std::vector<Target> &found);

    std::vector<int32_t> starts_;  // by node: the stream at its start, -1: none; -2: not known
};

}  // namespace codekin::flow
