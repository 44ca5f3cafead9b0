// Finding one's way in the arrays of a flat tree.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "represent/flow/dataflow/rules.hpp"

using Nodes = std::vector<int32_t>;

struct TreeView {
    std::string_view text;
    const uint16_t *kind, *field;
    const int32_t *parent, *size, *start, *end;
    int32_t nodes;

    int32_t after(int32_t node) const { return node + size[node]; }

    Nodes children(int32_t node) const {
        Nodes out;
        for (int32_t c = node + 1; c < after(node); c += size[c]) out.push_back(c);
        return out;
    }

    // The child that a selector means; -1 where there is none.
    int32_t child(int32_t node, int32_t selector, const DataflowRules &rules) const {
        if (node < 0 || selector == NONE) return -1;
        const Nodes all = children(node);
        const auto at = [&all](size_t i) { return i < all.size() ? all[i] : -1; };
        if (selector == FIRST_CHILD) return at(0);
        if (selector == LAST_CHILD) return all.empty() ? -1 : all.back();
        if (selector == SECOND_CHILD) return at(1);
        if (selector == THIRD_CHILD) return at(2);
        if (selector == SECOND_OF_TWO) return all.size() == 2 ? all[1] : -1;
        const bool again = selector <= BY_KIND_AGAIN;
        const int32_t wanted = (again ? BY_KIND_AGAIN : BY_KIND) - selector;
        if (selector == AFTER_SEPARATOR || selector == BEFORE_SEPARATOR) {
            for (size_t i = 1; i + 1 < all.size(); ++i)
                if (rules.flags(kind[all[i]]) & SEPARATOR)
                    return selector == AFTER_SEPARATOR ? all[i + 1] : all[i - 1];
            return -1;
        }
        bool seen = false;
        for (size_t i = 0; i < all.size(); ++i) {
            if (selector > 0) {
                if (field[all[i]] == selector) return all[i];
            } else if (kind[all[i]] == wanted) {
                if (!again || seen) return all[i];
                seen = true;
            }
        }
        return -1;
    }
};
