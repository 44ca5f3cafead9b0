// The edges found so far, and how the edges of one token become one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "dataflow_tokens.hpp"
#include "set_order.hpp"

struct Edge {
    int32_t token;
    uint8_t relation;  // 0: comesFrom, 1: computedFrom
    bool settled;      // listing the sources as a set would not reorder them
    std::vector<int32_t> sources;  // names
};

class Edges {
  public:
    Edges(const FlowTokens &tokens, bool reproduce) : tokens_(tokens), reproduce_(reproduce) {}

    size_t size() const { return edges_.size(); }
    const std::vector<Edge> &all() const { return edges_; }
    void clear() { edges_.clear(); }

    void add(int32_t token, uint8_t relation, std::vector<int32_t> sources) {
        const bool settled = sources.size() == 1;
        edges_.push_back({token, relation, settled, std::move(sources)});
    }

    void reserve(size_t count) { edges_.reserve(count); }

    // Joins, among the edges from `first` on, those of one token; apart by relation if wanted.
    void merge(size_t first, bool by_relation) {
        const auto begin = edges_.begin() + static_cast<std::ptrdiff_t>(first);
        std::stable_sort(begin, edges_.end(),
                         [](const Edge &a, const Edge &b) { return a.token < b.token; });
        size_t out = first, group = first;
        for (size_t i = first; i < edges_.size(); ++i) {
            if (i == first || edges_[i].token != edges_[group].token) group = out;
            size_t into = group;
            while (into < out && by_relation && edges_[into].relation != edges_[i].relation) ++into;
            if (into < out && (edges_[into].token == edges_[i].token)) {
                unite(edges_[into], edges_[i]);
            } else {
                if (out != i) edges_[out] = std::move(edges_[i]);
                ++out;
            }
        }
        edges_.resize(out);
    }

    template <typename Keep>
    void filter(Keep &&keep) {
        edges_.erase(std::remove_if(edges_.begin(), edges_.end(), [&](const Edge &e) { return !keep(e); }),
                     edges_.end());
    }

  private:
    static bool has(const std::vector<int32_t> &names, int32_t name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    }

    void unite(Edge &into, const Edge &from) {
        // The package lets the last relation win; a computation says more than a copy.
        into.relation = reproduce_ ? from.relation : std::max(into.relation, from.relation);
        bool known = true;
        for (int32_t name : from.sources) known = known && has(into.sources, name);
        if (!reproduce_) {
            for (int32_t name : from.sources)
                if (!has(into.sources, name)) into.sources.push_back(name);
        } else if (!known || !into.settled) {
            list_as_set(into, from);
        }
    }

    void list_as_set(Edge &into, const Edge &from) {
        for (size_t name = hashes_.size(); name < tokens_.name_count(); ++name)
            hashes_.push_back(set_order::string_hash(std::string(tokens_.text(static_cast<int32_t>(name)))));
        set_order::Table table(hashes_);
        for (int32_t name : into.sources) table.add(name);
        for (int32_t name : from.sources) table.add(name);
        std::vector<int32_t> listed = table.order();
        into.settled = listed == into.sources || listed.size() <= 1;
        into.sources = std::move(listed);
    }

    const FlowTokens &tokens_;
    bool reproduce_;
    std::vector<Edge> edges_;
    std::vector<uint64_t> hashes_;
};
