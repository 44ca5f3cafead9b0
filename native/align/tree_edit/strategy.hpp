// Which root-leaf path to decompose along, for every pair of subtrees.
#pragma once

#include <cstdint>
#include <vector>

#include "align/tree_edit/tree.hpp"

namespace codekin::tree_edit {

// A path of one of the two trees; the computation for a pair of subtrees splits that tree into
// the path and the subtrees hanging off it.
enum class Path : std::uint8_t {
    kLeftFirst,
    kRightFirst,
    kHeavyFirst,
    kLeftSecond,
    kRightSecond,
    kHeavySecond
};

// Work that one tree's decompositions make, by canonical id. Pairs with a leaf have a closed form,
// so leaves count nothing.
struct Decomposition {
    std::vector<double> left;   // cells per row over the keyroots' subtrees, left paths
    std::vector<double> right;  // the same with right paths
    std::vector<double> all;    // cells per row over all subforests between two roots
    std::vector<double> rows;   // rows of the heavy path, with loading and storing the forests

    explicit Decomposition(const Tree &tree);
};

class Strategy {
  public:
    // The cheaper of the all-left and the all-right strategies of Zhang and Shasha; linear time.
    static Strategy uniform(const Tree &a, const Tree &b);
    // The cheapest mix of left, right and heavy paths, in time and bytes of inner_nodes(a) *
    // inner_nodes(b). Heavy paths whose table of subforests would be larger than the table of
    // subtree pairs are left out, which bounds the memory and leaves in those of the larger tree.
    static Strategy optimal(const Tree &a, const Tree &b);

    Path at(std::int32_t v, std::int32_t w) const {
        if (table_.empty()) return uniform_;
        return table_[static_cast<std::size_t>(rank_a_[v]) * columns_ + rank_b_[w]];
    }
    double cells() const { return cells_; }
    bool uses_heavy() const { return uses_heavy_; }

  private:
    friend class StrategySearch;
    Path uniform_ = Path::kLeftFirst;
    double cells_ = 0;
    bool uses_heavy_ = false;
    std::size_t columns_ = 0;
    std::vector<Path> table_;           // inner nodes of a by inner nodes of b
    std::vector<std::int32_t> rank_a_;  // number of an inner node among the inner nodes
    std::vector<std::int32_t> rank_b_;
};

std::int64_t inner_nodes(const Tree &tree);

}  // namespace codekin::tree_edit
