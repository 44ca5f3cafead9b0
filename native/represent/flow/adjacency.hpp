// Edges of a graph by the node at one of their ends.
#pragma once

#include <cstdint>
#include <vector>

namespace codekin::flow::control {

struct Adjacency {
    std::vector<int32_t> offsets, others;

    // From each node in `from` to its partner in `to`; edges of the given kind are left out.
    Adjacency(int32_t nodes, size_t count, const int32_t *from, const int32_t *to,
              const uint8_t *kind = nullptr, uint8_t left_out = 255)
        : offsets(static_cast<size_t>(nodes) + 1, 0) {
        for (size_t e = 0; e < count; ++e)
            if (!kind || kind[e] != left_out) ++offsets[from[e] + 1];
        for (int32_t v = 0; v < nodes; ++v) offsets[v + 1] += offsets[v];
        others.resize(offsets[nodes]);
        std::vector<int32_t> at(offsets.begin(), offsets.end() - 1);
        for (size_t e = 0; e < count; ++e)
            if (!kind || kind[e] != left_out) others[at[from[e]]++] = to[e];
    }

    const int32_t *begin(int32_t node) const { return others.data() + offsets[node]; }
    const int32_t *end(int32_t node) const { return others.data() + offsets[node + 1]; }
};

// Marks with 1 what can be reached from the pending nodes, which are marked already.
inline void mark_reachable(const Adjacency &next, std::vector<int32_t> &pending,
                           std::vector<uint8_t> &reached) {
    while (!pending.empty()) {
        const int32_t node = pending.back();
        pending.pop_back();
        for (const int32_t *to = next.begin(node); to != next.end(node); ++to)
            if (!reached[*to]) reached[*to] = 1, pending.push_back(*to);
    }
}

}  // namespace codekin::flow::control
