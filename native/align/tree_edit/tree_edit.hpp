// Exact tree edit distance, and bounds on it where the exact one costs too much.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace codekin::tree_edit {

// A tree as it comes in: nodes in depth-first preorder, parents[0] == -1.
struct InputTree {
    std::vector<std::int64_t> labels;
    std::vector<std::int32_t> parents;
};

struct Costs {
    double del;
    double ins;
    double ren;
};

// What the computation may use: dynamic programming cells, and bytes of tables.
struct Limits {
    std::int64_t steps;
    std::int64_t memory;
};

struct Result {
    double lower;
    double upper;
    bool exact;
    std::int64_t steps;
};

// Pairs of preorder indices (node of the first tree, node of the second tree).
using Mapping = std::vector<std::pair<std::int32_t, std::int32_t>>;

// Throws std::invalid_argument where a tree is not a rooted tree in preorder, or a cost or limit
// is out of range. Where `mapping` is given it receives an edit mapping of cost `upper`, sorted.
Result tree_edit_distance(const InputTree &first, const InputTree &second, const Costs &costs,
                          const Limits &limits, Mapping *mapping = nullptr);

}  // namespace codekin::tree_edit
