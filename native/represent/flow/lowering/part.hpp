// A part of the lowering: it can emit, lower nodes of any kind, and reach the other parts.
#pragma once

#include "represent/flow/lowering/emitter.hpp"

namespace codekin::flow {

class Engine;

class Part : protected Emitter {
  public:
    explicit Part(Engine &engine);
    Part(const Part &) = delete;
    Part &operator=(const Part &) = delete;

  protected:
    // The same as the engine's.
    Value lower(int32_t node);
    void statement(int32_t node);
    Value children(int32_t node, const Rule &rule, Slot slot);
    Value value_in(int32_t node, const Rule &rule, Slot slot);
    Value opaque(int32_t node);

    Engine &engine_;
};

}  // namespace codekin::flow
