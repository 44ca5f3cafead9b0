#include "align/graph_edit/mapping.hpp"

#include <algorithm>

namespace codekin::graph_edit {

std::int64_t value_of(const Task &task, const Mapping &mapping) {
    std::int64_t sum = 0;
    for (std::int32_t i = 0; i < task.first.size(); ++i) {
        const std::int32_t a = mapping.partner[i];
        if (a < 0) continue;
        sum += task.pair_value(i, a);
        for (const Neighbour *x = task.first.begin(i); x != task.first.end(i); ++x) {
            if (x->node < i || mapping.partner[x->node] < 0) continue;
            const Neighbour *y = task.second.find(a, mapping.partner[x->node]);
            if (y) sum += task.edge_value(*x, *y);
        }
    }
    return sum;
}

void complete(const Task &task, const Classes &classes, Mapping &mapping) {
    for (std::int32_t i = 0; i < task.first.size(); ++i)
        if (task.must[i] >= 0 && mapping.partner[i] < 0) mapping.join(i, task.must[i]);
    for (std::int32_t label = 0; label < classes.labels(); ++label) {
        std::vector<std::int32_t> free;
        for (const std::int32_t a : classes.members(1, label))
            if (mapping.back[a] < 0) free.push_back(a);
        auto first = free.begin();  // those before are taken, as are all that became -1
        for (const std::int32_t i : classes.members(0, label)) {
            if (mapping.partner[i] >= 0) continue;
            const auto found =
                std::find_if(first, free.end(), [&](std::int32_t a) { return a >= 0 && task.allowed(i, a); });
            if (found == free.end()) continue;
            mapping.join(i, *found);
            *found = -1;
            while (first != free.end() && *first < 0) ++first;
        }
    }
}

namespace {

// What an exchange of partners changes at two nodes of the first graph.
class Exchange {
  public:
    Exchange(const Task &task, Mapping &mapping, Budget &budget)
        : task_(task), mapping_(mapping), budget_(budget) {}

    void run() {
        for (bool better = true; better;) {
            better = false;
            for (std::int32_t i = 0; i < task_.first.size(); ++i)
                if (task_.must[i] < 0 && improve_node(i)) better = true;
        }
    }

  private:
    static constexpr std::int32_t kHub = 64;  // neighbours of hubs tell nothing

    bool improve_node(std::int32_t i) {
        candidates_.clear();
        for (const Neighbour *x = task_.first.begin(i); x != task_.first.end(i); ++x) {
            const std::int32_t b = mapping_.partner[x->node];
            if (b < 0 || task_.second.degree(b) > kHub) continue;
            budget_.spend(task_.second.degree(b));
            for (const Neighbour *y = task_.second.begin(b); y != task_.second.end(b); ++y) {
                // Seen from b: what comes in there goes out here.
                const Neighbour from_here{b, y->in, y->out};
                if (y->node != mapping_.partner[i] && task_.allowed(i, y->node) &&
                    task_.edge_value(*x, from_here))
                    candidates_.push_back(y->node);
            }
        }
        std::sort(candidates_.begin(), candidates_.end());
        candidates_.erase(std::unique(candidates_.begin(), candidates_.end()), candidates_.end());
        for (const std::int32_t a : candidates_)
            if (try_partner(i, a)) return true;
        return false;
    }

    // The value at node i, its partner being a; `not_with` is counted elsewhere.
    std::int64_t value_at(std::int32_t i, std::int32_t a, std::int32_t not_with) const {
        if (a < 0) return 0;
        std::int64_t sum = task_.pair_value(i, a);
        for (const Neighbour *x = task_.first.begin(i); x != task_.first.end(i); ++x) {
            if (x->node == not_with || mapping_.partner[x->node] < 0) continue;
            const Neighbour *y = task_.second.find(a, mapping_.partner[x->node]);
            if (y) sum += task_.edge_value(*x, *y);
        }
        return sum;
    }

    std::int64_t value_of_both(std::int32_t i, std::int32_t other) const {
        std::int64_t sum = value_at(i, mapping_.partner[i], -1);
        if (other >= 0) sum += value_at(other, mapping_.partner[other], i);
        return sum;
    }

    void set(std::int32_t i, std::int32_t a, std::int32_t other, std::int32_t b) {
        mapping_.part(i);
        if (other >= 0) mapping_.part(other);
        if (a >= 0) mapping_.join(i, a);
        if (other >= 0 && b >= 0) mapping_.join(other, b);
    }

    bool try_partner(std::int32_t i, std::int32_t a) {
        const std::int32_t old = mapping_.partner[i], other = mapping_.back[a];
        if (other >= 0 && old >= 0 && !task_.allowed(other, old)) return false;
        // All at once and before anything changes: the mapping is sound whenever the budget ends.
        budget_.spend(8 * (task_.first.degree(i) + (other >= 0 ? task_.first.degree(other) : 0)) + 4);
        const std::int64_t before = value_of_both(i, other);
        set(i, a, other, old);
        if (value_of_both(i, other) > before) return true;
        set(i, old, other, a);
        return false;
    }

    const Task &task_;
    Mapping &mapping_;
    Budget &budget_;
    std::vector<std::int32_t> candidates_;
};

}  // namespace

void exchange(const Task &task, Mapping &mapping, Budget &budget) { Exchange(task, mapping, budget).run(); }

void ClassByClass::improve(Mapping &mapping, const Dual &dual) {
    std::fill(on_.begin(), on_.end(), std::uint8_t{0});
    budget_.spend(problem_.pairs() / 8);
    for (const Problem::NodeClass &nodes : problem_.classes)
        for (std::int32_t pair = nodes.begin; pair < nodes.end; ++pair)
            on_[pair] = mapping.partner[problem_.left[pair]] == problem_.right[pair];
    constexpr int kRounds = 10;
    for (int round = 0; round < kRounds; ++round) {
        bool better = false;
        for (const Problem::NodeClass &nodes : problem_.classes) {
            if (nodes.rows.size() == 1 && nodes.columns.size() == 1) continue;
            better |= improve_class(nodes, mapping, dual);
        }
        if (!better) return;
    }
}

// Twice the value of the pairs of a class that are on, links within the class counted once.
std::int64_t ClassByClass::value_within(const Problem::NodeClass &nodes) const {
    std::int64_t sum = 0;
    for (std::int32_t pair = nodes.begin; pair < nodes.end; ++pair) {
        if (!on_[pair]) continue;
        sum += 2 * problem_.value[pair];
        for (std::int32_t e = problem_.link_begin[pair]; e < problem_.link_begin[pair + 1]; ++e) {
            const Link &link = problem_.links[e];
            const bool within = link.pair >= nodes.begin && link.pair < nodes.end;
            if (on_[link.pair]) sum += within ? link.value : 2 * link.value;
        }
    }
    return sum;
}

bool ClassByClass::improve_class(const Problem::NodeClass &nodes, Mapping &mapping, const Dual &dual) {
    const auto rows = static_cast<std::int32_t>(nodes.rows.size());
    const auto columns = static_cast<std::int32_t>(nodes.columns.size());
    const bool turned = rows > columns;
    weights_.assign(std::size_t(rows) * columns, 0);
    for (std::int32_t pair = nodes.begin; pair < nodes.end; ++pair) {
        if (problem_.value[pair] < 0 || (dual.is_out(pair) && !on_[pair])) continue;
        const std::int32_t begin = problem_.link_begin[pair], end = problem_.link_begin[pair + 1];
        budget_.spend(end - begin + 1);
        std::int32_t weight = 2 * problem_.value[pair];
        for (std::int32_t e = begin; e < end; ++e) {
            const Link &link = problem_.links[e];
            const bool within = link.pair >= nodes.begin && link.pair < nodes.end;
            if (on_[link.pair]) weight += within ? link.value : 2 * link.value;
        }
        const std::int32_t x = (pair - nodes.begin) / columns, y = (pair - nodes.begin) % columns;
        // Of equally good partners a node keeps its own.
        weights_[turned ? std::size_t(y) * rows + x : std::size_t(x) * columns + y] = 4 * weight + on_[pair];
    }
    if (turned)
        assignment_.solve(columns, rows, weights_.data(), budget_);
    else
        assignment_.solve(rows, columns, weights_.data(), budget_);
    chosen_.clear();
    before_.clear();
    for (std::int32_t s = 0; s < std::min(rows, columns); ++s) {
        const std::int32_t t = assignment_.column_of[s];
        const std::int32_t pair = nodes.begin + (turned ? t * columns + s : s * columns + t);
        if (problem_.value[pair] >= 0 && (on_[pair] || !dual.is_out(pair))) chosen_.push_back(pair);
    }
    for (std::int32_t pair = nodes.begin; pair < nodes.end; ++pair)
        if (on_[pair]) before_.push_back(pair);
    std::sort(chosen_.begin(), chosen_.end());
    if (chosen_ == before_) return false;
    const auto change = [&](const std::vector<std::int32_t> &from, const std::vector<std::int32_t> &to) {
        for (const std::int32_t pair : from) {
            on_[pair] = 0;
            mapping.part(problem_.left[pair]);
        }
        for (const std::int32_t pair : to) {
            on_[pair] = 1;
            mapping.join(problem_.left[pair], problem_.right[pair]);
        }
    };
    const std::int64_t old = value_within(nodes);
    change(before_, chosen_);
    if (value_within(nodes) > old) return true;
    change(chosen_, before_);
    return false;
}

}  // namespace codekin::graph_edit
