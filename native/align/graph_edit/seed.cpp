// A first mapping: nodes whose surroundings agree, by the refinement of Weisfeiler and Lehman.
#include <algorithm>
#include <array>

#include "align/graph_edit/mapping.hpp"

namespace codekin::graph_edit {

namespace {

constexpr int kDepth = 4;

using Signatures = std::array<std::vector<std::uint64_t>, kDepth + 1>;

std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

// For each depth a number for each node, the same where all that is so near to it is the same.
Signatures signatures(const Graph &graph, Budget &budget) {
    Signatures found;
    for (const std::int32_t label : graph.label) found[0].push_back(mix(std::uint64_t(label)));
    for (int depth = 1; depth <= kDepth; ++depth) {
        for (std::int32_t i = 0; i < graph.size(); ++i) {
            budget.spend(graph.degree(i) + 1);
            std::uint64_t sum = mix(found[depth - 1][i] ^ mix(graph.loops[i]));
            for (const Neighbour *x = graph.begin(i); x != graph.end(i); ++x)
                sum += mix(found[depth - 1][x->node] ^ mix(x->out * 3 + mix(x->in)));
            found[depth].push_back(sum);
        }
    }
    return found;
}

class Seed {
  public:
    Seed(const Task &task, Budget &budget)
        : task_(task),
          budget_(budget),
          mapping_(task),
          one_(signatures(task.first, budget)),
          two_(signatures(task.second, budget)) {}

    Mapping run() {
        depth_ = kDepth;
        for (std::int32_t i = 0; i < task_.first.size(); ++i)
            if (task_.must[i] >= 0) join(i, task_.must[i]);
        spread();
        for (; depth_ >= 0; --depth_) match_depth();
        return std::move(mapping_);
    }

  private:
    struct Keyed {
        std::uint64_t key;
        std::int32_t node;
        bool operator<(const Keyed &other) const {
            return key != other.key ? key < other.key : node < other.node;
        }
    };
    using Nodes = std::vector<Keyed>;

    void join(std::int32_t i, std::int32_t a) {
        mapping_.join(i, a);
        waiting_.emplace_back(i, a);
    }

    // All nodes of equal signatures, rare ones first since they are surest.
    void match_depth() {
        Nodes left, right;
        for (std::int32_t i = 0; i < task_.first.size(); ++i)
            if (mapping_.partner[i] < 0) left.push_back({one_[depth_][i], i});
        for (std::int32_t a = 0; a < task_.second.size(); ++a)
            if (mapping_.back[a] < 0) right.push_back({two_[depth_][a], a});
        budget_.spend(8 * std::int64_t(left.size() + right.size()));
        std::sort(left.begin(), left.end());
        std::sort(right.begin(), right.end());
        struct Group {
            std::size_t size, left, right;
        };
        std::vector<Group> groups;
        for (std::size_t x = 0, y = 0; x < left.size() && y < right.size();) {
            if (left[x].key < right[y].key) {
                ++x;
                continue;
            }
            if (right[y].key < left[x].key) {
                ++y;
                continue;
            }
            const Group group{0, x, y};
            const std::uint64_t key = left[x].key;
            while (x < left.size() && left[x].key == key) ++x;
            while (y < right.size() && right[y].key == key) ++y;
            groups.push_back({std::max(x - group.left, y - group.right), group.left, group.right});
        }
        std::stable_sort(groups.begin(), groups.end(), [&](const Group &a, const Group &b) {
            return a.size != b.size ? a.size < b.size : left[a.left].node < left[b.left].node;
        });
        for (const Group &group : groups) match_group(left, group.left, right, group.right);
    }

    void match_group(const Nodes &left, std::size_t x, const Nodes &right, std::size_t y) {
        const std::uint64_t key = left[x].key;
        while (x < left.size() && left[x].key == key && y < right.size() && right[y].key == key) {
            budget_.spend(1);
            if (mapping_.partner[left[x].node] >= 0) {
                ++x;
                continue;
            }
            if (mapping_.back[right[y].node] >= 0) {
                ++y;
                continue;
            }
            if (task_.allowed(left[x].node, right[y].node)) {
                join(left[x].node, right[y].node);
                spread();
                ++x;
            }
            ++y;
        }
    }

    // From pairs to their neighbours, deeper agreement first.
    void spread() {
        while (!waiting_.empty()) {
            const auto [i, a] = waiting_.back();
            waiting_.pop_back();
            for (int depth = kDepth; depth >= depth_; --depth)
                if (!match_neighbours(i, a, depth)) break;
        }
    }

    // Whether neighbours of both nodes are still free.
    bool match_neighbours(std::int32_t i, std::int32_t a, int depth) {
        const auto collect = [&](const Graph &graph, std::int32_t node,
                                 const std::vector<std::int32_t> &taken,
                                 const std::vector<std::uint64_t> &signature, Nodes &found) {
            found.clear();
            for (const Neighbour *x = graph.begin(node); x != graph.end(node); ++x)
                if (taken[x->node] < 0)
                    found.push_back({mix(signature[x->node] ^ mix(x->out * 3 + mix(x->in))), x->node});
            budget_.spend(graph.degree(node) + 4 * std::int64_t(found.size()));
        };
        Nodes left, right;
        collect(task_.first, i, mapping_.partner, one_[depth], left);
        collect(task_.second, a, mapping_.back, two_[depth], right);
        if (left.empty() || right.empty()) return false;
        std::sort(left.begin(), left.end());
        std::sort(right.begin(), right.end());
        for (std::size_t x = 0, y = 0; x < left.size() && y < right.size();) {
            if (left[x].key < right[y].key) {
                ++x;
                continue;
            }
            if (right[y].key < left[x].key) {
                ++y;
                continue;
            }
            if (task_.allowed(left[x].node, right[y].node)) join(left[x++].node, right[y].node);
            ++y;
        }
        return true;
    }

    const Task &task_;
    Budget &budget_;
    Mapping mapping_;
    Signatures one_, two_;
    int depth_ = kDepth;
    std::vector<std::pair<std::int32_t, std::int32_t>> waiting_;
};

}  // namespace

Mapping seed(const Task &task, const Classes &classes, Budget &budget) {
    Mapping mapping = Seed(task, budget).run();
    complete(task, classes, mapping);
    return mapping;
}

}  // namespace codekin::graph_edit
