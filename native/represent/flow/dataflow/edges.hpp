// The edges found so far, and how the edges of one token become one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "represent/flow/dataflow/set_order.hpp"
#include "represent/flow/dataflow/tokens.hpp"

namespace codekin::dataflow {

struct Edge {
    int32_t token;
    uint8_t relation;              // 0: comesFrom, 1: computedFrom
    bool settled;                  // listing the sources as a set would not reorder them
    bool apart;                    // stands for one edge a source; merging joins them
    std::vector<int32_t> sources;  // names
};

class Edges {
  public:
    explicit Edges(const FlowTokens &tokens) : tokens_(tokens) {}

    size_t size() const { return edges_.size(); }
    const std::vector<Edge> &all() const { return edges_; }
    void clear() { edges_.clear(); }

    void add(int32_t token, uint8_t relation, std::vector<int32_t> sources) {
        const bool settled = sources.size() == 1;
        edges_.push_back({token, relation, settled, false, std::move(sources)});
    }

    // An edge for each of the sources, kept as one until they are merged.
    void add_each(int32_t token, uint8_t relation, const std::vector<int32_t> &sources) {
        if (!sources.empty()) edges_.push_back({token, relation, false, true, sources});
    }

    // Joins, among the edges from `first` on, those of one token; apart by relation if wanted.
    // False, and the edges are of no use, where that takes too long.
    bool merge(size_t first, bool by_relation) {
        const auto begin = edges_.begin() + static_cast<std::ptrdiff_t>(first);
        std::stable_sort(begin, edges_.end(), [](const Edge &a, const Edge &b) { return a.token < b.token; });
        size_t out = first, group = first;
        for (size_t i = first; i < edges_.size(); ++i) {
            if (i == first || edges_[i].token != edges_[group].token) group = out;
            size_t into = group;
            while (into < out && by_relation && edges_[into].relation != edges_[i].relation) ++into;
            // In a group of one token, there is one edge to join with, or one of each relation.
            const size_t slot = by_relation ? edges_[i].relation : 0;
            if (into < out && (edges_[into].token == edges_[i].token)) {
                unite(edges_[into], edges_[i], slot);
            } else {
                if (out != i) edges_[out] = std::move(edges_[i]);
                open(edges_[out], slot);
                ++out;
            }
            if (steps_ > MOST_STEPS) return false;
        }
        edges_.resize(out);
        return true;
    }

    template <typename Keep> void filter(Keep &&keep) {
        edges_.erase(std::remove_if(edges_.begin(), edges_.end(), [&](const Edge &e) { return !keep(e); }),
                     edges_.end());
    }

  private:
    // Names listed as sets: a name that comes to n others makes for n + 1. It ends after about 0.6 s.
    static constexpr int64_t MOST_STEPS = int64_t{1} << 26;

    // Notes the sources of an edge that others are to join.
    void open(Edge &edge, size_t slot) {
        known_[slot].resize(tokens_.name_count(), 0);
        group_[slot] = ++groups_;
        std::vector<int32_t> sources;
        if (edge.apart) {
            sources.swap(edge.sources);
            edge.sources.push_back(sources[0]);
            edge.settled = true;
            edge.apart = false;
        }
        for (int32_t name : edge.sources) known_[slot][name] = groups_;
        for (size_t i = 1; i < sources.size(); ++i) unite_sources(edge, &sources[i], 1, slot);
    }

    void unite(Edge &into, const Edge &from, size_t slot) {
        into.relation = from.relation;  // the last one wins
        if (!from.apart) return unite_sources(into, from.sources.data(), from.sources.size(), slot);
        for (const int32_t &name : from.sources) unite_sources(into, &name, 1, slot);
    }

    void unite_sources(Edge &into, const int32_t *from, size_t count, size_t slot) {
        std::vector<uint32_t> &known = known_[slot];
        bool all_known = true;
        for (size_t i = 0; i < count; ++i) {
            if (known[from[i]] == group_[slot]) continue;
            known[from[i]] = group_[slot];
            all_known = false;
        }
        if (!all_known || !into.settled) list_as_set(into, from, count);
    }

    void list_as_set(Edge &into, const int32_t *from, size_t count) {
        steps_ += static_cast<int64_t>(into.sources.size() + count);
        if (steps_ > MOST_STEPS) return;
        for (size_t name = hashes_.size(); name < tokens_.name_count(); ++name)
            hashes_.push_back(set_order::string_hash(std::string(tokens_.text(static_cast<int32_t>(name)))));
        set_order::Table table(hashes_);
        for (int32_t name : into.sources) table.add(name);
        for (size_t i = 0; i < count; ++i) table.add(from[i]);
        std::vector<int32_t> listed = table.order();
        into.settled = listed == into.sources || listed.size() <= 1;
        into.sources = std::move(listed);
    }

    const FlowTokens &tokens_;
    std::vector<Edge> edges_;
    std::vector<uint64_t> hashes_;
    int64_t steps_ = 0;
    // The names of the open edge of each slot: those with its group's number.
    std::vector<uint32_t> known_[2];
    uint32_t group_[2] = {0, 0}, groups_ = 0;
};

}  // namespace codekin::dataflow
