#include "align/tree_edit/bounds.hpp"

#include <unordered_map>
#include <utility>

namespace codekin::tree_edit {

namespace {

using Nodes = std::vector<std::int32_t>;

std::vector<std::int64_t> sorted_labels(const Tree &tree) {
    std::vector<std::int64_t> labels = tree.view[0].label;
    std::sort(labels.begin(), labels.end());
    return labels;
}

// Weight of the best alignment of two label sequences.
double align_sequences(const std::vector<std::int64_t> &x, const std::vector<std::int64_t> &y,
                       const Weights &weights) {
    std::vector<double> row(y.size() + 1, 0.0);
    for (const std::int64_t label : x) {
        double diagonal = 0, best = 0;
        for (std::size_t j = 0; j < y.size(); ++j) {
            const double above = row[j + 1];
            const double matched = diagonal + (label == y[j] ? weights.same : weights.differ);
            best = std::max(std::max(above, matched), best);
            row[j + 1] = best;
            diagonal = above;
        }
    }
    return row.back();
}

// Numbers for subtrees of both trees: equal numbers if and only if equal subtrees.
class SubtreeClasses {
  public:
    std::vector<std::uint32_t> of(const Tree &tree) {
        std::vector<std::uint32_t> out(tree.size);
        for (std::int32_t v = 0; v < tree.size; ++v) {
            std::uint32_t sofar =
                labels_.try_emplace(tree.label(v), static_cast<std::uint32_t>(labels_.size())).first->second;
            // The chain of (label, last child), .. (.., first child) has one number for each
            // prefix; bit 0 tells such a number from a label's.
            sofar *= 2;
            tree.for_children(v, [&](std::int32_t c) {
                const std::uint64_t key = static_cast<std::uint64_t>(sofar) << 32 | out[c];
                sofar =
                    1 + 2 * pairs_.try_emplace(key, static_cast<std::uint32_t>(pairs_.size())).first->second;
            });
            out[v] = sofar;
        }
        return out;
    }

  private:
    std::unordered_map<std::int64_t, std::uint32_t> labels_;
    std::unordered_map<std::uint64_t, std::uint32_t> pairs_;
};

class TopDown {
  public:
    TopDown(const Tree &a, const Tree &b, const Weights &weights) : a_(a), b_(b), weights_(weights) {
        SubtreeClasses classes;
        class_a_ = classes.of(a);
        class_b_ = classes.of(b);
    }

    Mapping run() {
        stack_.push_back({a_.root(), b_.root()});
        while (!stack_.empty()) {
            const auto [v, w] = stack_.back();
            stack_.pop_back();
            if (class_a_[v] == class_b_[w]) {
                for (std::int32_t k = 0; k < a_.extent[v]; ++k) pair(v - k, w - k);
                continue;
            }
            pair(v, w);
            if (!a_.is_leaf(v) && !b_.is_leaf(w)) match_children(v, w);
        }
        return std::move(out_);
    }

  private:
    struct Range {
        std::size_t begin, end;
    };

    // Mapping a pair is never required for mapping what is below it.
    void pair(std::int32_t v, std::int32_t w) {
        const double weight = a_.label(v) == b_.label(w) ? weights_.same : weights_.differ;
        if (weight > 0) out_.push_back({a_.pre[v], b_.pre[w]});
    }

    static Nodes children(const Tree &tree, std::int32_t v) {
        Nodes out;
        tree.for_children(v, [&](std::int32_t c) { out.push_back(c); });
        std::reverse(out.begin(), out.end());
        return out;
    }

    void match_children(std::int32_t v, std::int32_t w) {
        x_ = children(a_, v);
        y_ = children(b_, w);
        std::size_t i = 0, j = 0;
        for (const auto &[at_x, at_y] : anchors()) {
            match_between({i, at_x}, {j, at_y});
            stack_.push_back({x_[at_x], y_[at_y]});
            i = at_x + 1;
            j = at_y + 1;
        }
        match_between({i, x_.size()}, {j, y_.size()});
    }

    // Children whose subtree occurs once on either side, the longest list of them in equal order.
    std::vector<std::pair<std::size_t, std::size_t>> anchors() const {
        struct Seen {
            std::size_t count_x = 0, count_y = 0, at_y = 0;
        };
        std::unordered_map<std::uint32_t, Seen> seen;
        for (const std::int32_t c : x_) ++seen[class_a_[c]].count_x;
        for (std::size_t j = 0; j < y_.size(); ++j) {
            Seen &s = seen[class_b_[y_[j]]];
            ++s.count_y;
            s.at_y = j;
        }
        // Longest increasing subsequence: tails[k] ends the best list of k + 1 anchors so far.
        std::vector<std::pair<std::size_t, std::size_t>> found, out;
        std::vector<std::size_t> tails, before;
        constexpr std::size_t kNone = static_cast<std::size_t>(-1);
        for (std::size_t i = 0; i < x_.size(); ++i) {
            const Seen &s = seen[class_a_[x_[i]]];
            if (s.count_x != 1 || s.count_y != 1) continue;
            const auto tail =
                std::lower_bound(tails.begin(), tails.end(), s.at_y,
                                 [&](std::size_t k, std::size_t at) { return found[k].second < at; });
            before.push_back(tail == tails.begin() ? kNone : *(tail - 1));
            found.push_back({i, s.at_y});
            if (tail == tails.end())
                tails.push_back(found.size() - 1);
            else
                *tail = found.size() - 1;
        }
        for (std::size_t k = tails.empty() ? kNone : tails.back(); k != kNone; k = before[k])
            out.push_back(found[k]);
        std::reverse(out.begin(), out.end());
        return out;
    }

    // In blocks, so that the time stays linear in the number of children.
    void match_between(Range x, Range y) {
        constexpr std::size_t kBlock = 64;
        while (x.begin < x.end && y.begin < y.end) {
            const Range block_x{x.begin, std::min(x.end, x.begin + kBlock)};
            const Range block_y{y.begin, std::min(y.end, y.begin + kBlock)};
            align_block(block_x, block_y);
            x.begin = block_x.end;
            y.begin = block_y.end;
        }
    }

    // A guess at what mapping two children may save.
    double promise(std::int32_t v, std::int32_t w) const {
        if (class_a_[v] == class_b_[w]) return weights_.same * a_.extent[v];
        const double common = std::min(a_.extent[v], b_.extent[w]) - 1;
        const bool equal = a_.label(v) == b_.label(w);
        return (equal ? weights_.same : weights_.differ) + (equal ? 0.5 : 0.25) * weights_.same * common;
    }

    void align_block(Range x, Range y) {
        const std::size_t n = x.end - x.begin, m = y.end - y.begin, width = m + 1;
        table_.assign((n + 1) * width, 0.0);
        for (std::size_t i = 1; i <= n; ++i)
            for (std::size_t j = 1; j <= m; ++j) {
                double *cell = table_.data() + i * width + j;
                const double matched = cell[-static_cast<std::ptrdiff_t>(width) - 1] +
                                       promise(x_[x.begin + i - 1], y_[y.begin + j - 1]);
                *cell = std::max(std::max(cell[-static_cast<std::ptrdiff_t>(width)], cell[-1]), matched);
            }
        for (std::size_t i = n, j = m; i > 0 && j > 0;) {
            const double *cell = table_.data() + i * width + j;
            if (*cell == cell[-static_cast<std::ptrdiff_t>(width)]) {
                --i;
            } else if (*cell == cell[-1]) {
                --j;
            } else {
                --i, --j;
                stack_.push_back({x_[x.begin + i], y_[y.begin + j]});
            }
        }
    }

    const Tree &a_, &b_;
    Weights weights_;
    std::vector<std::uint32_t> class_a_, class_b_;
    Nodes x_, y_;  // children of the current pair
    std::vector<double> table_;
    std::vector<std::pair<std::int32_t, std::int32_t>> stack_;
    Mapping out_;
};

}  // namespace

double label_bound(const Tree &a, const Tree &b, const Weights &weights) {
    const std::vector<std::int64_t> x = sorted_labels(a), y = sorted_labels(b);
    std::int32_t common = 0;
    for (std::size_t i = 0, j = 0; i < x.size() && j < y.size();) {
        if (x[i] == y[j]) ++common;
        const bool advance_x = x[i] <= y[j], advance_y = y[j] <= x[i];
        i += advance_x;
        j += advance_y;
    }
    return common * weights.same + (std::min(a.size, b.size) - common) * weights.differ;
}

double sequence_bound(const Tree &a, const Tree &b, const Weights &weights) {
    // The mirrored postorder is the preorder read backwards.
    return std::min(align_sequences(a.view[0].label, b.view[0].label, weights),
                    align_sequences(a.view[1].label, b.view[1].label, weights));
}

Mapping top_down_mapping(const Tree &a, const Tree &b, const Weights &weights) {
    return TopDown(a, b, weights).run();
}

double mapping_weight(const Tree &a, const Tree &b, const Weights &weights, const Mapping &mapping) {
    size_t same = 0;
    for (const auto &[i, j] : mapping) {
        // Preorder number i is number size - 1 - i in the mirrored view.
        const std::int64_t x = a.view[1].label[a.size - 1 - i], y = b.view[1].label[b.size - 1 - j];
        same += x == y;
    }
    return static_cast<double>(same) * weights.same +
           static_cast<double>(mapping.size() - same) * weights.differ;
}

}  // namespace codekin::tree_edit
