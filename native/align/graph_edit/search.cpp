#include "align/graph_edit/search.hpp"

#include <algorithm>

namespace codekin::graph_edit {

Search::Search(const Task &task, Budget &budget)
    : task_(task), budget_(budget), classes_(task), best_(task), grain_(task.grain()) {
    complete(task_, classes_, best_);
    value_ = value_of(task_, best_);
    most_ = classes_.most_value();
}

void Search::run() {
    try {
        if (!met()) start();
        if (!met() && dual_) {
            most_ = std::min(most_, tighten(most_, {5, 20, 1, 16}, true));
            if (!met()) branch();
        }
    } catch (const Exhausted &) {}
    most_ = std::max(most_, value_);
}

void Search::offer(Mapping mapping) {
    // Nodes that cost nothing may have been left alone though a pair of them keeps edges.
    if (task_.costs.some_nodes_are_free()) complete(task_, classes_, mapping);
    const std::int64_t value = value_of(task_, mapping);
    if (value <= value_) return;
    value_ = value;
    best_ = std::move(mapping);
}

// What is better already counts even if the budget ends within the work.
template <class Work> void Search::improve(Mapping &mapping, const Work &work) {
    try {
        work();
    } catch (const Exhausted &) {
        offer(mapping);
        throw;
    }
    offer(mapping);
}

void Search::polish(Mapping mapping) {
    if (dual_) improve(mapping, [&] { by_class_->improve(mapping, *dual_); });
    improve(mapping, [&] { exchange(task_, mapping, budget_); });
}

void Search::start() {
    offer(seed(task_, classes_, budget_));
    if (met()) return;
    problem_ = std::make_unique<Problem>(task_, classes_, budget_);
    // Pairs count their loops, even if edges of that class are outside.
    const std::int64_t most = most_ - problem_->outside + problem_->largest_value;
    const std::int32_t largest_cost = task_.costs.largest();
    if (const std::int32_t scale = Dual::scale_for(most, largest_cost)) {
        dual_ = std::make_unique<Dual>(*problem_, scale, largest_cost, budget_);
        by_class_ = std::make_unique<ClassByClass>(*problem_, budget_);
        times_assigned_.assign(problem_->pairs(), 0);
    }
    polish(best_);
}

std::int64_t Search::assigned_value() const {
    std::int64_t sum = 0;
    for (const std::int32_t pair : dual_->assigned()) {
        if (pair < 0) continue;
        sum += problem_->value[pair];
        for (std::int32_t e = problem_->link_begin[pair]; e < problem_->link_begin[pair + 1]; ++e) {
            const Link &link = problem_->links[e];
            if (link.pair > pair && dual_->is_assigned(link.pair)) sum += link.value;
        }
    }
    return sum;
}

// The assignment of the bound is a mapping too, and often nearly the best one.
void Search::take_assignment(int round) {
    const std::int64_t value = assigned_value();
    constexpr int kEvery = 10, kAlways = 3;
    if (round >= kAlways && round % kEvery && value + 2 * grain_ <= value_) return;
    Mapping mapping(task_);
    for (const std::int32_t pair : dual_->assigned())
        if (pair >= 0) mapping.join(problem_->left[pair], problem_->right[pair]);
    complete(task_, classes_, mapping);
    const std::int64_t before = value_;
    offer(mapping);
    improve(mapping, [&] { by_class_->improve(mapping, *dual_); });
    if (value_ > before) polish(best_);
}

std::int64_t Search::tighten(std::int64_t most, const Patience &patience, bool is_root) {
    const std::int64_t scale = dual_->scale(), progress = scale * grain_ / 64;
    std::int64_t least = most * scale + scale - 1;
    int idle = 0, sixteenths = patience.first;
    std::fill(times_assigned_.begin(), times_assigned_.end(), 0);
    for (rounds_ = 0;; ++rounds_) {
        if (rounds_ < patience.pushes) dual_->push(rounds_ % 2 == 0);
        const std::int64_t bound = dual_->evaluate();
        const bool better = bound < least;
        idle = least - bound > progress ? 0 : idle + 1;
        least = std::min(least, bound);
        if (is_root) most_ = std::min(most_, least / scale);
        const std::int64_t before = value_;
        take_assignment(static_cast<int>(rounds_));
        for (const std::int32_t pair : dual_->assigned())
            if (pair >= 0) ++times_assigned_[pair];
        if (least / scale <= value_) break;
        if (better || value_ > before) dual_->exclude(bound, value_ + 1);
        if (rounds_ < patience.pushes) continue;
        if (idle > patience.idle) {
            idle = 0;
            sixteenths = sixteenths * 11 / 16;
            if (sixteenths < patience.shortest) break;
        }
        if (!dual_->step((bound - value_ * scale) * sixteenths / 16)) break;
    }
    return std::max(least / scale, value_);
}

void Search::open(std::int32_t parent, std::int32_t pair, std::int64_t most, std::int32_t depth) {
    for (const bool required : {true, false}) {
        open_.push({most, depth, static_cast<std::int32_t>(decisions_.size())});
        decisions_.push_back({parent, pair, required});
    }
}

// Whether a pair is matched is decided where the assignments changed their mind most.
std::int32_t Search::pair_to_decide() const {
    std::int32_t best = -1;
    std::int64_t most = -1;
    for (const Problem::NodeClass &nodes : problem_->classes) {
        const auto columns = static_cast<std::int32_t>(nodes.columns.size());
        std::vector<std::int32_t> in_row(nodes.rows.size(), 0), in_column(columns, 0);
        for (std::int32_t pair = nodes.begin; pair < nodes.end; ++pair)
            if (!dual_->is_out(pair)) {
                ++in_row[(pair - nodes.begin) / columns];
                ++in_column[(pair - nodes.begin) % columns];
            }
        for (std::int32_t pair = nodes.begin; pair < nodes.end; ++pair) {
            if (dual_->is_out(pair)) continue;
            if (in_row[(pair - nodes.begin) / columns] == 1 && in_column[(pair - nodes.begin) % columns] == 1)
                continue;
            const std::int64_t times = times_assigned_[pair];
            const std::int64_t links = problem_->link_begin[pair + 1] - problem_->link_begin[pair];
            const std::int64_t doubt = times * (rounds_ + 1 - times) * 64 + std::min<std::int64_t>(links, 63);
            if (doubt > most) {
                most = doubt;
                best = pair;
            }
        }
    }
    return best;
}

void Search::enter(std::int32_t branch) {
    dual_->restore(root_);
    for (std::int32_t at = branch; at >= 0; at = decisions_[at].parent) {
        const Decision &decision = decisions_[at];
        if (decision.required)
            dual_->require(decision.pair);
        else
            dual_->take_out(decision.pair);
    }
}

void Search::branch() {
    root_ = dual_->save();
    std::int64_t decided = 0;  // the most that a branch with nothing left to decide may be worth
    const auto divide = [&](std::int32_t id, std::int64_t most, std::int32_t depth) {
        const std::int32_t pair = pair_to_decide();
        if (pair >= 0) {
            open(id, pair, most, depth + 1);
        } else {
            dual_->evaluate();
            decided = std::max(decided, problem_->outside + assigned_value());
        }
    };
    divide(-1, most_, 0);
    while (!open_.empty()) {
        const Branch next = open_.top();
        most_ = std::min(most_, std::max({next.most, decided, value_}));
        if (met() || decided >= next.most) return;
        enter(next.id);
        const std::int64_t most = tighten(next.most, {0, 10, 2, 8}, false);
        open_.pop();
        if (most > value_) divide(next.id, most, next.depth);
    }
    most_ = std::min(most_, std::max(decided, value_));
}

}  // namespace codekin::graph_edit
