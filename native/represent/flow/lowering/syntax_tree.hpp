// A syntax tree as the lowering walks it.
#pragma once

#include <cstdint>
#include <string_view>

#include "represent/flow/lowering/table.hpp"

namespace codekin::flow {

constexpr uint16_t ERROR_KIND = 65535;

struct SyntaxTree {
    std::string_view text;
    const uint16_t *kind;
    const uint16_t *field;
    const int32_t *size;
    const int32_t *start;
    const int32_t *end;
    int32_t count;
    const Table &table;
    bool has_errors = false;

    std::string_view span(int32_t node) const { return text.substr(start[node], end[node] - start[node]); }
    bool named(int32_t node) const { return table.named[kind[node]] != 0; }
    bool is_error(int32_t node) const { return kind[node] == ERROR_KIND; }
    const Rule &rule(int32_t node) const {
        static const Rule plain{};
        const int16_t found = table.rule_of[kind[node]];
        return found < 0 ? plain : table.rules[found];
    }
    Shape shape(int32_t node) const { return rule(node).shape; }
    // Some grammars give a list's field to the commas in it too.
    bool is_comma(int32_t node) const {
        return end[node] - start[node] == 1 && text[start[node]] == ',' && !named(node);
    }
    bool counts(int32_t node) const { return named(node) && shape(node) != Shape::COMMENT; }

    template <class Visit> void each_child(int32_t node, Visit visit) const {
        const int32_t stop = node + size[node];
        for (int32_t child = node + 1; child < stop; child += size[child]) visit(child);
    }
    template <class Visit> void each_named(int32_t node, Visit visit) const {
        each_child(node, [&](int32_t child) {
            if (counts(child)) visit(child);
        });
    }
    int32_t named_count(int32_t node) const {
        int32_t found = 0;
        each_named(node, [&](int32_t) { ++found; });
        return found;
    }
    int32_t place(int32_t node, int32_t wanted) const {
        if (wanted < 0) wanted += named_count(node);
        int32_t found = -1, index = 0;
        each_named(node, [&](int32_t child) {
            if (index++ == wanted) found = child;
        });
        return found;
    }

    bool fits(int32_t node, const Selector &selector, const Rule &rule, int32_t child) const {
        switch (selector.by) {
            case Selector::FIELD:
                return field[child] == selector.id && shape(child) != Shape::COMMENT && !is_comma(child);
            case Selector::KIND: return table.canonical[kind[child]] == selector.id;
            case Selector::PLACE: return child == place(node, selector.id);
            case Selector::REST: return counts(child) && !claimed(node, rule, child);
        }
        return false;
    }
    // Whether another slot of the rule names this child.
    bool claimed(int32_t node, const Rule &rule, int32_t child) const {
        for (const auto &selectors : rule.slots)
            for (const Selector &selector : selectors)
                if (selector.by != Selector::REST && fits(node, selector, rule, child)) return true;
        return false;
    }
    // Every child in a slot: those that fit the first selector that fits any.
    template <class Visit> bool each_in(int32_t node, const Rule &rule, Slot slot, Visit visit) const {
        for (const Selector &selector : rule.slots[slot]) {
            if (selector.by == Selector::PLACE) {
                const int32_t child = place(node, selector.id);
                if (child >= 0) return visit(child), true;
                continue;
            }
            bool found = false;
            each_child(node, [&](int32_t child) {
                if (!fits(node, selector, rule, child)) return;
                found = true;
                visit(child);
            });
            if (found) return true;
        }
        return false;
    }
    // The first child in a slot, or -1.
    int32_t in(int32_t node, const Rule &rule, Slot slot) const {
        for (const Selector &selector : rule.slots[slot]) {
            if (selector.by == Selector::PLACE) {
                const int32_t child = place(node, selector.id);
                if (child >= 0) return child;
                continue;
            }
            const int32_t stop = node + size[node];
            for (int32_t child = node + 1; child < stop; child += size[child])
                if (fits(node, selector, rule, child)) return child;
        }
        return -1;
    }
    int32_t in(int32_t node, Slot slot) const { return in(node, rule(node), slot); }
};

}  // namespace codekin::flow
