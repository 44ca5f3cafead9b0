#include "align/graph_edit/dual.hpp"

#include <algorithm>

namespace codekin::graph_edit {

std::int32_t Dual::scale_for(std::int64_t most, std::int32_t largest_cost) {
    // Class-by-class improvement multiplies values by 8, hence the coarsest.
    constexpr std::int64_t kMost = 1 << 30;
    constexpr std::int32_t kCoarsest = 8;
    std::int32_t scale = kFinest;
    while (scale * most > kMost && scale > kCoarsest && std::int64_t{scale} * largest_cost > kFinest)
        scale /= 2;
    return scale * most > kMost ? 0 : scale;
}

Dual::Dual(const Problem &problem, std::int32_t scale, std::int32_t largest_cost, Budget &budget)
    : problem_(problem), budget_(budget), scale_(scale) {
    const auto pairs = static_cast<std::size_t>(problem.pairs()), links = problem.links.size();
    budget.spend(static_cast<std::int64_t>(pairs + links));
    share_.resize(links);
    for (std::size_t e = 0; e < links; ++e) share_[e] = problem.links[e].value * (scale / 2);
    spare_.assign(links, 0);
    chosen_.assign(links, 0);
    cut_.assign(links, 0);
    direction_.assign(links, 0);
    moves_.assign(links, 0);
    out_.resize(pairs);
    for (std::size_t p = 0; p < pairs; ++p) out_[p] = problem.value[p] < 0;
    worth_.assign(pairs, 0);
    slack_.assign(pairs, 0);
    stale_.assign(pairs, 1);
    assigned_pair_.assign(pairs, 0);
    growth_.assign(pairs, 0);
    std::int32_t most = 1, nodes = 0;
    for (std::size_t p = 0; p < pairs; ++p) {
        for (std::int32_t b = problem.block_begin[p]; b < problem.block_begin[p + 1]; ++b)
            growth_[p] += std::min(problem.blocks[b].rows, problem.blocks[b].columns);
        most = std::max(most, growth_[p]);
        nodes = std::max(nodes, problem.left[p] + 1);
    }
    // A sum of them fits.
    largest_share_ = static_cast<std::int32_t>(
        std::min<std::int64_t>(std::int64_t{64} * scale * largest_cost, (1 << 30) / most));
    assigned_.assign(nodes, -1);
    bound_of_.assign(problem.classes.size(), 0);
    for (const auto &nodes_of_label : problem.classes)
        stale_in_.push_back(nodes_of_label.end - nodes_of_label.begin);
}

std::int64_t Dual::evaluate_single(const Block &block) {
    std::int32_t best = 0, at = -1;
    for (std::int32_t e = block.begin; e < block.end; ++e) {
        chosen_[e] = 0;
        if (!cut_[e] && share_[e] > best) {
            best = share_[e];
            at = e;
        }
    }
    if (at >= 0) chosen_[at] = 1;
    for (std::int32_t e = block.begin; e < block.end; ++e) spare_[e] = best - share_[e];
    return best;
}

std::int64_t Dual::evaluate_block(const Block &block) {
    if (block.rows == 1 || block.columns == 1) return evaluate_single(block);
    const bool turned = block.rows > block.columns;
    const std::int32_t rows = std::min(block.rows, block.columns),
                       columns = std::max(block.rows, block.columns);
    matrix_.assign(std::size_t(rows) * columns, 0);
    link_at_.assign(std::size_t(rows) * columns, -1);
    const auto cell = [&](const Link &link) {
        return turned ? std::size_t(link.column) * columns + link.row
                      : std::size_t(link.row) * columns + link.column;
    };
    for (std::int32_t e = block.begin; e < block.end; ++e) {
        chosen_[e] = 0;
        if (cut_[e] || share_[e] <= 0) continue;
        const std::size_t at = cell(problem_.links[e]);
        matrix_[at] = share_[e];
        link_at_[at] = e;
    }
    const std::int64_t sum = assignment_.solve(rows, columns, matrix_.data(), budget_);
    for (std::int32_t x = 0; x < rows; ++x) {
        const std::int32_t e = link_at_[std::size_t(x) * columns + assignment_.column_of[x]];
        if (e >= 0) chosen_[e] = 1;
    }
    for (std::int32_t e = block.begin; e < block.end; ++e) {
        const Link &link = problem_.links[e];
        const std::int32_t x = turned ? link.column : link.row, y = turned ? link.row : link.column;
        spare_[e] =
            static_cast<std::int32_t>(assignment_.row_price[x] + assignment_.column_price[y]) - share_[e];
    }
    return sum;
}

void Dual::evaluate_pair(std::int32_t pair) {
    stale_[pair] = 0;
    if (out_[pair]) {
        worth_[pair] = 0;
        return;
    }
    std::int64_t sum = std::int64_t{problem_.value[pair]} * scale_;
    budget_.spend(problem_.link_begin[pair + 1] - problem_.link_begin[pair] + 1);
    for (std::int32_t b = problem_.block_begin[pair]; b < problem_.block_begin[pair + 1]; ++b)
        sum += evaluate_block(problem_.blocks[b]);
    worth_[pair] = static_cast<std::int32_t>(sum);
}

void Dual::evaluate_class(std::size_t index) {
    const Problem::NodeClass &nodes = problem_.classes[index];
    const auto rows = static_cast<std::int32_t>(nodes.rows.size());
    const auto columns = static_cast<std::int32_t>(nodes.columns.size());
    const bool turned = rows > columns;
    const std::int32_t *weights = worth_.data() + nodes.begin;
    if (turned) {
        matrix_.resize(std::size_t(rows) * columns);
        for (std::int32_t x = 0; x < rows; ++x)
            for (std::int32_t y = 0; y < columns; ++y)
                matrix_[std::size_t(y) * rows + x] = weights[std::size_t(x) * columns + y];
        bound_of_[index] = assignment_.solve(columns, rows, matrix_.data(), budget_);
    } else {
        bound_of_[index] = assignment_.solve(rows, columns, weights, budget_);
    }
    for (const std::int32_t i : nodes.rows) {
        if (assigned_[i] >= 0) assigned_pair_[assigned_[i]] = 0;
        assigned_[i] = -1;
    }
    for (std::int32_t s = 0; s < std::min(rows, columns); ++s) {
        const std::int32_t t = assignment_.column_of[s], x = turned ? t : s, y = turned ? s : t;
        const std::int32_t pair = nodes.begin + x * columns + y;
        if (out_[pair]) continue;
        assigned_[nodes.rows[x]] = pair;
        assigned_pair_[pair] = 1;
    }
    if (nodes.is_free) assign_rest(nodes);
    const auto &row_price = turned ? assignment_.column_price : assignment_.row_price;
    const auto &column_price = turned ? assignment_.row_price : assignment_.column_price;
    std::int32_t pair = nodes.begin;
    for (std::int32_t x = 0; x < rows; ++x)
        for (std::int32_t y = 0; y < columns; ++y, ++pair)
            slack_[pair] = row_price[x] + column_price[y] - worth_[pair];
}

// Where nodes cost nothing, a pair that shares nothing is worth as little as one that is out, and the
// assignment may take either. A mapping takes the pair: its links may be worth something at their other ends.
void Dual::assign_rest(const Problem::NodeClass &nodes) {
    const auto columns = static_cast<std::int32_t>(nodes.columns.size());
    budget_.spend(nodes.end - nodes.begin);
    std::vector<std::uint8_t> taken(nodes.columns.size(), 0);
    for (const std::int32_t i : nodes.rows)
        if (assigned_[i] >= 0) taken[(assigned_[i] - nodes.begin) % columns] = 1;
    std::int32_t pair = nodes.begin;
    for (const std::int32_t i : nodes.rows)
        for (std::int32_t y = 0; y < columns; ++y, ++pair) {
            if (assigned_[i] >= 0 || taken[y] || out_[pair]) continue;
            assigned_[i] = pair;
            assigned_pair_[pair] = taken[y] = 1;
        }
}

void Dual::refresh(std::size_t index) {
    if (!stale_in_[index]) return;
    const Problem::NodeClass &nodes = problem_.classes[index];
    for (std::int32_t pair = nodes.begin; pair < nodes.end; ++pair)
        if (stale_[pair]) evaluate_pair(pair);
    stale_in_[index] = 0;
    evaluate_class(index);
}

std::int64_t Dual::evaluate() {
    std::int64_t sum = problem_.outside * scale_;
    for (std::size_t c = 0; c < problem_.classes.size(); ++c) {
        refresh(c);
        sum += bound_of_[c];
    }
    return sum;
}

void Dual::push(bool forwards) {
    const std::size_t n = problem_.classes.size();
    for (std::size_t k = 0; k < n; ++k) {
        const std::size_t index = forwards ? k : n - 1 - k;
        refresh(index);
        for (std::int32_t pair = problem_.classes[index].begin; pair < problem_.classes[index].end; ++pair)
            if (growth_[pair] && !out_[pair]) push_from(pair);
    }
}

// Gives seven tenths of what can be spared: all of it would only go back and forth.
void Dual::push_from(std::int32_t pair) {
    const std::int32_t begin = problem_.link_begin[pair], end = problem_.link_begin[pair + 1];
    budget_.spend(end - begin);
    const std::int64_t each = slack_[pair] * 7 / 10 / growth_[pair];
    for (std::int32_t e = begin; e < end; ++e) {
        if (cut_[e]) continue;
        const std::int32_t twin = problem_.links[e].twin;
        const std::int64_t room = std::min(largest_share_ - share_[e], largest_share_ + share_[twin]);
        const auto given = static_cast<std::int32_t>(std::min(each + std::int64_t{spare_[e]} * 7 / 10, room));
        if (given <= 0) continue;
        share_[e] += given;
        share_[twin] -= given;
        touch(pair);
        touch(problem_.links[e].pair);
    }
}

// Where one end counts on a link and the other does not, its direction turns that way.
void Dual::collect_disagreement() {
    std::size_t kept = 0;
    for (const std::int32_t link : moving_) {
        direction_[link] = direction_[link] * 13 / 16;
        if (direction_[link] > kDirection / 64 || direction_[link] < -kDirection / 64) {
            moving_[kept++] = link;
        } else {
            direction_[link] = 0;
            moves_[link] = 0;
        }
    }
    moving_.resize(kept);
    for (const std::int32_t pair : assigned_) {
        if (pair < 0) continue;
        const std::int32_t begin = problem_.link_begin[pair], end = problem_.link_begin[pair + 1];
        budget_.spend(end - begin);
        for (std::int32_t e = begin; e < end; ++e) {
            if (!chosen_[e]) continue;
            const Link &link = problem_.links[e];
            if (assigned_pair_[link.pair] && chosen_[link.twin]) continue;
            const std::int32_t at = std::min(e, link.twin);
            direction_[at] += e == at ? kDirection : -kDirection;
            if (!moves_[at]) {
                moves_[at] = 1;
                moving_.push_back(at);
            }
        }
    }
}

bool Dual::step(std::int64_t excess) {
    collect_disagreement();
    budget_.spend(static_cast<std::int64_t>(moving_.size()));
    std::int64_t norm = 0;
    for (const std::int32_t link : moving_) norm += std::int64_t{direction_[link]} * direction_[link];
    if (norm == 0) return false;
    const std::int64_t length = std::min(excess, std::int64_t{1} << 38) * kDirection * kPrecision / norm;
    for (const std::int32_t link : moving_) {
        const std::int32_t twin = problem_.links[link].twin;
        if (cut_[link]) continue;
        std::int64_t change = length * direction_[link] / kPrecision;
        const std::int64_t low = std::max(share_[link], -share_[twin]) - std::int64_t{largest_share_};
        const std::int64_t high = std::min(share_[link], -share_[twin]) + std::int64_t{largest_share_};
        change = std::min(std::max(change, low), high);
        if (change == 0) continue;
        share_[link] -= static_cast<std::int32_t>(change);
        share_[twin] += static_cast<std::int32_t>(change);
        touch(problem_.links[link].pair);
        touch(problem_.links[twin].pair);
    }
    return true;
}

void Dual::exclude(std::int64_t bound, std::int64_t goal) {
    const std::int64_t excess = bound - goal * scale_;  // what a mapping of that value may lose
    budget_.spend(problem_.pairs());
    for (std::int32_t pair = 0; pair < problem_.pairs(); ++pair) {
        if (out_[pair]) continue;
        if (slack_[pair] > excess) {
            take_out(pair);
            continue;
        }
        const std::int32_t begin = problem_.link_begin[pair], end = problem_.link_begin[pair + 1];
        budget_.spend(end - begin);
        for (std::int32_t e = begin; e < end; ++e)
            if (!cut_[e] && slack_[pair] + spare_[e] > excess) cut(e);
    }
}

void Dual::take_out(std::int32_t pair) {
    if (out_[pair]) return;
    out_[pair] = 1;
    touch(pair);
    for (std::int32_t e = problem_.link_begin[pair]; e < problem_.link_begin[pair + 1]; ++e)
        if (!cut_[e]) cut(e);
}

void Dual::require(std::int32_t pair) {
    const Problem::NodeClass &nodes = problem_.classes[problem_.class_of[pair]];
    const auto columns = static_cast<std::int32_t>(nodes.columns.size());
    const std::int32_t row = (pair - nodes.begin) / columns, column = (pair - nodes.begin) % columns;
    budget_.spend(columns + static_cast<std::int64_t>(nodes.rows.size()));
    for (std::int32_t y = 0; y < columns; ++y)
        if (y != column) take_out(nodes.begin + row * columns + y);
    for (std::int32_t x = 0; x < static_cast<std::int32_t>(nodes.rows.size()); ++x)
        if (x != row) take_out(nodes.begin + x * columns + column);
}

void Dual::forget_direction() {
    for (const std::int32_t link : moving_) {
        direction_[link] = 0;
        moves_[link] = 0;
    }
    moving_.clear();
}

void Dual::restore(const State &state) {
    budget_.spend(static_cast<std::int64_t>(stale_.size() + share_.size() / 8));
    share_ = state.share;
    out_ = state.out;
    cut_ = state.cut;
    forget_direction();
    std::fill(stale_.begin(), stale_.end(), std::uint8_t{1});
    for (std::size_t c = 0; c < stale_in_.size(); ++c)
        stale_in_[c] = problem_.classes[c].end - problem_.classes[c].begin;
}

}  // namespace codekin::graph_edit
