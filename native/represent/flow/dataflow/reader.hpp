// What a walk reads in a tree: children by role, and variables.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "represent/flow/dataflow/rules.hpp"
#include "represent/flow/dataflow/tokens.hpp"

namespace codekin::dataflow {

class FlowReader {
  public:
    FlowReader(const TreeView &tree, const DataflowRules &rules)
        : tokens(tree, rules), tree_(tree), rules_(rules) {}

    FlowTokens tokens;

  protected:
    // The package recurses once a level, and of Python's thousand frames four are taken.
    static constexpr int32_t DEEPEST = 996;

    using Pairs = std::vector<std::pair<int32_t, int32_t>>;

    int32_t after(int32_t node) const { return tree_.after(node); }
    Nodes children(int32_t node) const { return tree_.children(node); }
    uint16_t flags(int32_t node) const { return rules_.flags(tree_.kind[node]); }
    int32_t child(int32_t node, int32_t selector) const { return tree_.child(node, selector); }

    bool too_deep() const {
        Nodes depth(tree_.nodes);
        for (int32_t i = 0; i < tree_.nodes;) {
            depth[i] = tree_.parent[i] < 0 ? 1 : depth[tree_.parent[i]] + 1;
            if (depth[i] > DEEPEST) return true;
            i += tokens.is_leaf(i) ? tree_.size[i] : 1;
        }
        return false;
    }

    // The tokens of a subtree that can stand in an edge.
    Nodes variables(int32_t node) {
        Nodes out;
        if (!must(node >= 0)) return out;
        for (int32_t i = node; i < after(node);) {
            if (!tokens.is_leaf(i)) {
                ++i;
                continue;
            }
            const int32_t token = tokens.of(i);
            if (token < 0)
                must(false);
            else if (tokens.variable[token])
                out.push_back(token);
            i = after(i);
        }
        steps_ += tree_.size[node];
        return out;
    }

    // Where the package would raise, its flow is empty.
    bool must(bool holds) {
        failed_ = failed_ || !holds;
        return holds;
    }

    const TreeView &tree_;
    const DataflowRules &rules_;
    int64_t steps_ = 0;
    bool failed_ = false;
};

}  // namespace codekin::dataflow
