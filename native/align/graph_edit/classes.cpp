#include "align/graph_edit/classes.hpp"

#include <algorithm>
#include <tuple>

namespace codekin::graph_edit {

// How many edges of one kind a node has with nodes of one label.
struct Classes::Degree {
    std::uint64_t key;  // of the class
    std::uint8_t way;   // from the lesser label to the other, or back; edges to oneself apart
    std::uint8_t view;  // whether the edges lead away from the node
    std::int16_t kind;  // negative for all kinds of a level or above, kAny for all
    std::uint8_t side;  // of which graph
    std::int32_t count;

    static constexpr std::int16_t kAny = -1;

    auto group() const { return std::tie(key, way, view, kind); }
    bool operator<(const Degree &other) const {
        if (group() != other.group()) return group() < other.group();
        return side != other.side ? side < other.side : count > other.count;
    }
};

Classes::Classes(const Task &task) : task_(task) {
    const Graph *graphs[] = {&task.first, &task.second};
    std::int32_t labels = 0;
    for (const Graph *graph : graphs)
        for (const std::int32_t label : graph->label) labels = std::max(labels, label + 1);
    for (int side = 0; side < 2; ++side) {
        members_[side].resize(labels);
        for (std::int32_t i = 0; i < graphs[side]->size(); ++i)
            members_[side][graphs[side]->label[i]].push_back(i);
    }
    count_edges();
}

void Classes::collect_degrees(int side, const Graph &graph, std::vector<Degree> &degrees) const {
    std::int32_t counts[2][64];  // edges in and out, by kind
    const auto &levels = task_.costs.levels();
    const auto add = [&](Kinds kinds, int view) {
        for (; kinds; kinds &= kinds - 1) ++counts[view][countr_zero(kinds)];
    };
    const auto store = [&](std::uint64_t edges, std::uint8_t way, int view, Kinds kinds) {
        const auto one = static_cast<std::uint8_t>(view), of = static_cast<std::uint8_t>(side);
        auto level = static_cast<std::int16_t>(-static_cast<int>(levels.size()));
        std::int32_t sum = 0;
        for (const Costs::Level &next : levels) {
            for (Kinds added = kinds & next.added; added; added &= added - 1) {
                const int kind = countr_zero(added);
                sum += counts[view][kind];
                if (task_.costs.typed())
                    degrees.push_back(
                        {edges, way, one, static_cast<std::int16_t>(kind), of, counts[view][kind]});
                counts[view][kind] = 0;
            }
            if (sum) degrees.push_back({edges, way, one, level, of, sum});
            ++level;
        }
    };
    std::fill(&counts[0][0], &counts[0][0] + 2 * 64, 0);
    for (std::int32_t i = 0; i < graph.size(); ++i) {
        const std::int32_t own = graph.label[i];
        for (const Neighbour *x = graph.begin(i); x != graph.end(i);) {
            const std::int32_t label = graph.label[x->node];
            Kinds out = 0, in = 0;
            for (; x != graph.end(i) && graph.label[x->node] == label; ++x) {
                add(x->out, 1);
                add(x->in, 0);
                out |= x->out;
                in |= x->in;
            }
            store(key(own, label), own > label, 1, out);
            store(key(own, label), label > own, 0, in);
        }
        if (graph.loops[i]) {
            add(graph.loops[i], 1);
            store(key(own, own), 2, 1, graph.loops[i]);
        }
    }
}

// What a degree of so many edges is worth for each edge that is kept: kept kinds and kept edges of each
// level add up to what Costs::saved() counts.
std::int64_t Classes::worth_of(const Degree &degree) const {
    if (degree.kind >= 0) return task_.costs.edge(degree.kind);
    const auto &levels = task_.costs.levels();
    return std::int64_t{levels[levels.size() + degree.kind].height} * (task_.costs.typed() ? 1 : 2);
}

// Nodes cannot keep more edges than either has; the sum is largest if they meet in order of their
// degrees. Edges are seen from where they start and from where they end, and the lesser sum holds.
std::int64_t Classes::most_of_edges(const Degree *at, const Degree *end) const {
    std::int64_t sum[3][2] = {};
    bool seen[3][2] = {};
    while (at != end) {
        const Degree *second = at;
        while (second != end && second->group() == at->group() && second->side == 0) ++second;
        const Degree *stop = second;
        while (stop != end && stop->group() == at->group()) ++stop;
        seen[at->way][at->view] = true;
        std::int64_t kept = 0;
        for (const Degree *x = at, *y = second; x != second && y != stop; ++x, ++y)
            kept += std::min(x->count, y->count);
        sum[at->way][at->view] += kept * worth_of(*at);
        at = stop;
    }
    std::int64_t most = 0;
    for (int way = 0; way < 3; ++way) most += seen[way][0] ? std::min(sum[way][0], sum[way][1]) : sum[way][1];
    return most / task_.unit;
}

void Classes::count_edges() {
    std::vector<Degree> degrees;
    collect_degrees(0, task_.first, degrees);
    collect_degrees(1, task_.second, degrees);
    std::sort(degrees.begin(), degrees.end());
    for (std::size_t begin = 0, end = 0; begin < degrees.size(); begin = end) {
        while (end < degrees.size() && degrees[end].key == degrees[begin].key) ++end;
        EdgeClass edges{
            degrees[begin].key, {0, 0}, most_of_edges(degrees.data() + begin, degrees.data() + end)};
        for (std::size_t d = begin; d < end; ++d)
            if (degrees[d].kind == Degree::kAny && degrees[d].way < 2 && degrees[d].view)
                edges.joined[degrees[d].side] += degrees[d].count;
        if (edges.most) edges_.push_back(edges);
    }
}

std::int64_t Classes::most_of_nodes(std::int32_t label) const {
    return std::int64_t(std::min(members_[0][label].size(), members_[1][label].size())) *
           task_.node_value(label);
}

std::int64_t Classes::most_value() const {
    std::int64_t most = 0;
    for (std::int32_t label = 0; label < labels(); ++label) most += most_of_nodes(label);
    for (const EdgeClass &edges : edges_) most += edges.most;
    return most;
}

Classes::Choice Classes::within(std::int64_t most_pairs, std::int64_t most_links) const {
    Choice choice;
    std::vector<std::pair<std::int64_t, std::int32_t>> sizes;
    for (std::int32_t label = 0; label < labels(); ++label) {
        const auto size = std::int64_t(members_[0][label].size()) * std::int64_t(members_[1][label].size());
        if (size) sizes.emplace_back(size, label);
    }
    std::sort(sizes.begin(), sizes.end());
    std::vector<bool> chosen(labels(), false);
    for (const auto &[size, label] : sizes) {
        most_pairs -= size;
        if (most_pairs < 0) {
            choice.outside += most_of_nodes(label);
            continue;
        }
        chosen[label] = true;
        choice.labels.push_back(label);
    }
    std::sort(choice.labels.begin(), choice.labels.end());
    choose_edges(chosen, most_links, choice);
    return choice;
}

void Classes::choose_edges(const std::vector<bool> &chosen, std::int64_t most_links, Choice &choice) const {
    std::vector<std::pair<std::int64_t, const EdgeClass *>> sizes;
    const auto leave_out = [&](const EdgeClass &edges) {
        choice.without.insert(edges.key);
        choice.outside += edges.most;
    };
    for (const EdgeClass &edges : edges_) {
        const auto one = edges.key >> 32, other = edges.key & 0xffffffffU;
        if (chosen[one] && chosen[other])
            sizes.emplace_back((one == other ? 4 : 2) * edges.joined[0] * edges.joined[1], &edges);
        else
            leave_out(edges);
    }
    std::sort(sizes.begin(), sizes.end());
    for (const auto &[links, edges] : sizes) {
        most_links -= links;
        if (most_links < 0) leave_out(*edges);
    }
}

}  // namespace codekin::graph_edit
