// From syntax to flow: the engine reads the rule of each node and hands it to the part that lowers its
// shape. The parts call each other through it.
#pragma once

#include "represent/flow/lowering/assignments.hpp"
#include "represent/flow/lowering/calls.hpp"
#include "represent/flow/lowering/declarations.hpp"
#include "represent/flow/lowering/expressions.hpp"
#include "represent/flow/lowering/functions.hpp"
#include "represent/flow/lowering/macro_loops.hpp"
#include "represent/flow/lowering/places.hpp"
#include "represent/flow/lowering/raw_tokens.hpp"
#include "represent/flow/lowering/statements.hpp"
#include "represent/flow/lowering/streams.hpp"
#include "represent/flow/lowering/switches.hpp"
#include "represent/flow/lowering/untyped_functions.hpp"

namespace codekin::flow {

class Engine : public Emitter {
  public:
    explicit Engine(Lowering &lowering) : Emitter(lowering) {}
    Engine(const Engine &) = delete;
    Engine &operator=(const Engine &) = delete;

    void run();

    // Lowers a node; the value it has.
    Value lower(int32_t node);
    // Lowers a node as a statement of its own.
    void statement(int32_t node);
    // The values of all children in a slot; of all named ones if the rule says nothing.
    Value children(int32_t node, const Rule &rule, Slot slot);
    Value value_in(int32_t node, const Rule &rule, Slot slot);
    // What the parser could not read.
    Value opaque(int32_t node);

    Places places{*this};
    Expressions expressions{*this};
    Streams streams{*this};
    Assignments assignments{*this};
    Declarations declarations{*this};
    Calls calls{*this};
    RawTokens raw_tokens{*this};
    Statements statements{*this};
    Switches switches{*this};
    Functions functions{*this};
    UntypedFunctions untyped{*this};
    MacroLoops macro_loops{*this};

  private:
    Value lower_as(int32_t node, const Rule &rule);

    int32_t depth_ = 0;  // how deep in the tree
};

// What can be said only at the end: which variable a name meant, which call is known. In settling.cpp.
void settle(const Emitter &lowered);

inline Part::Part(Engine &engine) : Emitter(engine), engine_(engine) {}
inline Value Part::lower(int32_t node) { return engine_.lower(node); }
inline void Part::statement(int32_t node) { engine_.statement(node); }
inline Value Part::children(int32_t node, const Rule &rule, Slot slot) {
    return engine_.children(node, rule, slot);
}
inline Value Part::value_in(int32_t node, const Rule &rule, Slot slot) {
    return engine_.value_in(node, rule, slot);
}
inline Value Part::opaque(int32_t node) { return engine_.opaque(node); }

}  // namespace codekin::flow
