// What a stream of items is made of, and the control-flow graph that is built from it.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace codekin::flow::control {

// The same numbers stand in represent/flow/flow_ir.py.
// clang-format off
enum class Item : uint8_t {
    OP, IF, ELSE, END, LOOP, TEST, NEXT, LOOPELSE, SWITCH, CASE, MATCH, DEFAULT, GUARD, LEAVE,
    TRY, CATCH, TRYELSE, FINALLY, RETURN, THROW, BREAK, CONTINUE, GOTO, LABEL, BLOCK, COUNT
};
// clang-format on

constexpr uint8_t PARAMETER_KIND = 1;
constexpr uint8_t MAY_RAISE = 1, CONSTANT_TRUE = 2, CONSTANT_FALSE = 4;

// Kinds of edges; the same numbers stand in represent/flow/control_flow.py.
enum Way : uint8_t { FOLLOWS = 0, WHEN_TRUE = 1, WHEN_FALSE = 2, RAISED = 3, FALLS_THROUGH = 4 };

struct Items {
    const uint8_t *code;
    const int32_t *a, *b;

    Item item(int32_t i) const { return static_cast<Item>(code[i]); }
};

struct Routine {
    int32_t first_operation, end_operation, first_item, end_item;
};

struct Options {
    bool fold, jumps, raising;
};

// Nodes are the operations, the exits of the functions, then pseudo nodes.
struct ControlGraph {
    int32_t operations = 0, functions = 0;
    std::vector<int32_t> source, target;
    std::vector<uint8_t> kind;
    std::vector<int32_t> decides;            // of every node
    std::vector<int32_t> choice, chosen_by;  // pairs of nodes, see close_finally
    std::vector<int32_t> closing;            // edges that were added so that all can reach the exit

    int32_t exit(int32_t function) const { return operations + function; }

    int32_t pseudo(int32_t decider) {
        decides.push_back(decider);
        return static_cast<int32_t>(decides.size()) - 1;
    }

    void edge(int32_t from, int32_t to, uint8_t way) {
        source.push_back(from), target.push_back(to), kind.push_back(way);
    }
};

[[noreturn]] inline void malformed(const char *what, int32_t item) {
    throw std::invalid_argument(std::string(what) + " at item " + std::to_string(item));
}

}  // namespace codekin::flow::control
