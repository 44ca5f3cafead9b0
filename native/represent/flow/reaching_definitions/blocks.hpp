// Basic blocks of control flow, their dominator tree and dominance frontiers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace codekin::flow::reaching {

// Lists of ints, one a thing: the list of thing i is items[offsets[i] .. offsets[i + 1]).
struct Lists {
    std::vector<int32_t> offsets, items;

    Lists() = default;

    // Groups the second of each pair under the first; the order of the pairs is kept.
    Lists(int32_t count, const std::vector<std::pair<int32_t, int32_t>> &pairs)
        : offsets(static_cast<size_t>(count) + 1, 0), items(pairs.size()) {
        for (const auto &p : pairs) ++offsets[p.first + 1];
        for (int32_t i = 0; i < count; ++i) offsets[i + 1] += offsets[i];
        std::vector<int32_t> next(offsets.begin(), offsets.end() - 1);
        for (const auto &p : pairs) items[next[p.first]++] = p.second;
    }

    int32_t size(int32_t i) const { return offsets[i + 1] - offsets[i]; }
    const int32_t *begin(int32_t i) const { return items.data() + offsets[i]; }
    const int32_t *end(int32_t i) const { return items.data() + offsets[i + 1]; }
};

// The immediate dominators of a graph whose vertices are numbered in preorder of a depth-first
// search from 0 (Georgiadis & Tarjan, Semi-NCA with path compression).
class DominatorTree {
  public:
    std::vector<int32_t> immediate;

    DominatorTree(const std::vector<int32_t> &parent, const Lists &predecessors)
        : immediate(parent), above_(parent), lowest_(parent.size()), semi_(parent) {
        const auto n = static_cast<int32_t>(parent.size());
        for (int32_t w = n - 1; w > 0; --w) {
            for (const int32_t *v = predecessors.begin(w); v != predecessors.end(w); ++v)
                semi_[w] = std::min(semi_[w], *v <= w ? *v : lowest_semi(*v, w));
            lowest_[w] = semi_[w];
        }
        for (int32_t w = 1; w < n; ++w)
            while (immediate[w] > semi_[w]) immediate[w] = immediate[immediate[w]];
    }

  private:
    std::vector<int32_t> above_, lowest_, semi_, path_;

    int32_t lowest_semi(int32_t v, int32_t w) {
        int32_t u = v;
        for (; above_[u] > w; u = above_[u]) path_.push_back(u);
        int32_t lowest = lowest_[u];
        for (; !path_.empty(); path_.pop_back()) {
            const int32_t x = path_.back();
            lowest = lowest_[x] = std::min(lowest_[x], lowest);
            above_[x] = above_[u];
        }
        return lowest;
    }
};

// Blocks numbered in preorder of the dominator tree; block 0 is virtual and comes before every
// root. Nodes have ranks, in the order of the blocks and, in a block, in the order they run.
class Blocks {
  public:
    int32_t count = 0;                                       // with the virtual one
    std::vector<int32_t> node_at, block_at;                  // by rank
    std::vector<int32_t> first_rank, end_rank, subtree_end;  // by block; the ends are not included
    Lists predecessors, frontier;                            // by block
    bool complete = true;                                    // false: the frontiers are too many to list

    // What the entries do not reach is entered at roots of its own, and sends nothing back.
    Blocks(int32_t nodes, const std::vector<std::pair<int32_t, int32_t>> &edges,
           const std::vector<int32_t> &entries, const std::vector<uint8_t> &defines)
        : successors_(nodes, edges) {
        find_roots(nodes, entries);
        cut(nodes);
        order();
        find_frontiers(defines);
    }

  private:
    static constexpr int32_t MOST_FRONTIERS = 32'000'000;  // n nested loops have n * n / 2

    Lists successors_;             // of nodes
    std::vector<int32_t> region_;  // of a node: 1 reached from the entries, 2 not
    std::vector<int32_t> roots_;
    std::vector<int32_t> block_of_, chain_,
        cut_;  // blocks in the order they were cut, as ranges of the chain
    std::vector<int32_t> immediate_;

    bool flows(int32_t from, int32_t to) const { return region_[from] == 1 || region_[to] == 2; }

    void reach(int32_t root, int32_t region, std::vector<int32_t> &pending) {
        if (region_[root] != 0) return;
        roots_.push_back(root);
        region_[root] = region;
        pending.push_back(root);
        while (!pending.empty()) {
            const int32_t node = pending.back();
            pending.pop_back();
            for (const int32_t *s = successors_.begin(node); s != successors_.end(node); ++s)
                if (region_[*s] == 0) region_[*s] = region, pending.push_back(*s);
        }
    }

    void find_roots(int32_t nodes, const std::vector<int32_t> &entries) {
        region_.assign(nodes, 0);
        std::vector<int32_t> pending;
        for (int32_t entry : entries) reach(entry, 1, pending);
        for (int32_t node = 0; node < nodes; ++node) reach(node, 2, pending);
    }

    // A block goes on as long as the one way on is the one way in.
    void cut(int32_t nodes) {
        std::vector<int32_t> ways_in(nodes, 0);
        for (int32_t root : roots_) ways_in[root] = 2;
        for (int32_t node = 0; node < nodes; ++node)
            for (const int32_t *s = successors_.begin(node); s != successors_.end(node); ++s)
                if (flows(node, *s)) ways_in[*s] += successors_.size(node) == 1 ? 1 : 2;
        block_of_.assign(nodes, -1);
        chain_.reserve(nodes);
        for (int32_t head = 0; head < nodes; ++head) {
            if (ways_in[head] == 1) continue;
            cut_.push_back(static_cast<int32_t>(chain_.size()));
            for (int32_t node = head;;) {
                block_of_[node] = static_cast<int32_t>(cut_.size()) - 1;
                chain_.push_back(node);
                if (successors_.size(node) != 1) break;
                const int32_t next = *successors_.begin(node);
                if (ways_in[next] != 1 || !flows(node, next)) break;
                node = next;
            }
        }
        count = static_cast<int32_t>(cut_.size()) + 1;
        cut_.push_back(static_cast<int32_t>(chain_.size()));
    }

    // Preorder of a depth-first search over the blocks, from the virtual one: `number` by cut.
    void search(std::vector<int32_t> &number, std::vector<int32_t> &parent,
                std::vector<std::pair<int32_t, int32_t>> &into) const {
        std::vector<std::pair<int32_t, int32_t>> pending;  // block, number of the one before
        for (auto root = roots_.rbegin(); root != roots_.rend(); ++root)
            pending.emplace_back(block_of_[*root], 0);
        parent.push_back(0);
        while (!pending.empty()) {
            const auto [block, before] = pending.back();
            pending.pop_back();
            if (number[block] >= 0) continue;
            const auto own = static_cast<int32_t>(parent.size());
            number[block] = own;
            parent.push_back(before);
            const int32_t last = chain_[cut_[block + 1] - 1];
            for (const int32_t *s = successors_.begin(last); s != successors_.end(last); ++s)
                if (flows(last, *s)) pending.emplace_back(block_of_[*s], own);
        }
        for (int32_t root : roots_) into.emplace_back(number[block_of_[root]], 0);
        for (int32_t block = 0; block < count - 1; ++block) {
            const int32_t last = chain_[cut_[block + 1] - 1];
            for (const int32_t *s = successors_.begin(last); s != successors_.end(last); ++s)
                if (flows(last, *s)) into.emplace_back(number[block_of_[*s]], number[block]);
        }
    }

    void order() {
        std::vector<int32_t> number(count - 1, -1), parent;
        std::vector<std::pair<int32_t, int32_t>> into;
        search(number, parent, into);
        const DominatorTree tree(parent, Lists(count, into));
        std::vector<int32_t> size(count, 1), place(count, 0), next(count, 1);
        for (int32_t w = count - 1; w > 0; --w) size[tree.immediate[w]] += size[w];
        for (int32_t w = 1; w < count; ++w) {
            place[w] = next[tree.immediate[w]];
            next[tree.immediate[w]] += size[w];
            next[w] = place[w] + 1;
        }
        immediate_.assign(count, 0);
        for (int32_t w = 1; w < count; ++w) immediate_[place[w]] = place[tree.immediate[w]];
        for (auto &edge : into) edge = {place[edge.first], place[edge.second]};
        predecessors = Lists(count, into);
        rank(number, place, size);
    }

    void rank(const std::vector<int32_t> &number, const std::vector<int32_t> &place,
              const std::vector<int32_t> &size) {
        std::vector<int32_t> cut_at(count, -1);
        for (int32_t block = 0; block < count - 1; ++block) cut_at[place[number[block]]] = block;
        first_rank.assign(count + 1, 0);
        end_rank.assign(count, 0);
        for (int32_t b = 1; b < count; ++b) {
            first_rank[b] = static_cast<int32_t>(node_at.size());
            for (int32_t i = cut_[cut_at[b]]; i < cut_[cut_at[b] + 1]; ++i) {
                node_at.push_back(chain_[i]);
                block_at.push_back(b);
            }
            end_rank[b] = static_cast<int32_t>(node_at.size());
        }
        first_rank[count] = static_cast<int32_t>(node_at.size());
        subtree_end.resize(count);
        for (int32_t w = 0; w < count; ++w) subtree_end[place[w]] = first_rank[place[w] + size[w]];
    }

    // Climbs stop where an earlier climb for the same block went: what is above has it already. Only
    // frontiers of blocks that define something or where ways meet are asked for; climbs skip the
    // others, such as the many tests of a switch whose cases fall through.
    void find_frontiers(const std::vector<uint8_t> &defines) {
        std::vector<int32_t> asked(count, 0);  // the nearest such block: itself or above
        for (int32_t b = 1; b < count; ++b) {
            bool is_asked = predecessors.size(b) > 1;
            for (int32_t r = first_rank[b]; r < end_rank[b] && !is_asked; ++r)
                is_asked = defines[node_at[r]] != 0;
            asked[b] = is_asked ? b : asked[immediate_[b]];
        }
        std::vector<int32_t> climbed(count, 0);
        const auto climb = [&](auto visit) {
            for (int32_t join = 1; join < count && complete; ++join)
                for (const int32_t *p = predecessors.begin(join); p != predecessors.end(join); ++p)
                    for (int32_t b = asked[*p]; b > immediate_[join] && climbed[b] != join;
                         b = asked[immediate_[b]]) {
                        climbed[b] = join;
                        visit(b, join);
                    }
        };
        frontier.offsets.assign(static_cast<size_t>(count) + 1, 0);
        int32_t found = 0;
        climb([&](int32_t b, int32_t) {
            ++frontier.offsets[b + 1];
            complete = ++found < MOST_FRONTIERS && complete;
        });
        if (!complete) {
            frontier.offsets.assign(static_cast<size_t>(count) + 1, 0);
            return;
        }
        for (int32_t b = 0; b < count; ++b) frontier.offsets[b + 1] += frontier.offsets[b];
        frontier.items.resize(found);
        std::vector<int32_t> next(frontier.offsets.begin(), frontier.offsets.end() - 1);
        std::fill(climbed.begin(), climbed.end(), 0);
        climb([&](int32_t b, int32_t join) { frontier.items[next[b]++] = join; });
    }
};

}  // namespace codekin::flow::reaching
