// An upper bound on the value of every mapping, which tightens: Lagrangian relaxation.
//
// A link's value is shared between its two ends. Each pair then takes the best matching of its
// neighbours' links by itself (a small assignment problem a label), and each class the best
// assignment of its pairs. The sum is a bound for any sharing, and the best sharing gives that of
// the linear relaxation with Klau's constraints (BMC Bioinformatics 10, 2009). Sharings change by
// pushes, which never loosen the bound (Hahn and Grant, Operations Research 46, 1998), and by
// steps along a subgradient with momentum, of the length that Polyak gives with the value of the
// best mapping known. All numbers are integers, so every machine takes the same way.
#pragma once

#include <cstdint>
#include <vector>

#include "align/graph_edit/assignment.hpp"
#include "align/graph_edit/budget.hpp"
#include "align/graph_edit/problem.hpp"

namespace codekin::graph_edit {

// What evaluate() leaves (slack, spare, the chosen links and the assignment) belongs to that sharing:
// step() and exclude() read it, and everything that changes shares or takes something out makes it
// stale until the next evaluate(). Every loop over pairs or links is charged before its result counts;
// where the budget ends within one, the Dual is not to be used any more.
class Dual {
  public:
    // Shares are fractions of a unit: as fine as this where sums of `most` fit into 32 bits, and coarser
    // where costs are large, but never coarser than this is for costs of 1; 0 if nothing fits.
    static constexpr std::int32_t kFinest = 1 << 12;
    static std::int32_t scale_for(std::int64_t most, std::int32_t largest_cost);

    // What a branch of the search changes, to be put back.
    struct State {
        std::vector<std::int32_t> share;
        std::vector<std::uint8_t> out, cut;
    };

    Dual(const Problem &problem, std::int32_t scale, std::int32_t largest_cost, Budget &budget);

    std::int32_t scale() const { return scale_; }

    // The bound of the current sharing, in fractions of a unit.
    std::int64_t evaluate();
    // Pushes what pairs have to spare to their neighbours, class by class.
    void push(bool forwards);
    // Moves shares so that a bound that is `excess` too large falls; false if nothing can move.
    bool step(std::int64_t excess);
    // Takes out what no mapping of at least `goal` can have, given the bound just evaluated.
    void exclude(std::int64_t bound, std::int64_t goal);
    // Takes out one pair, or all others of its nodes.
    void take_out(std::int32_t pair);
    void require(std::int32_t pair);
    void forget_direction();

    State save() const { return {share_, out_, cut_}; }
    void restore(const State &state);

    bool is_out(std::int32_t pair) const { return out_[pair]; }
    // For each node of the first graph its pair in the assignment just evaluated, or -1.
    const std::vector<std::int32_t> &assigned() const { return assigned_; }
    bool is_assigned(std::int32_t pair) const { return assigned_pair_[pair]; }

  private:
    static constexpr std::int32_t kDirection = 1 << 10, kPrecision = 1 << 12;  // of steps

    void evaluate_pair(std::int32_t pair);
    std::int64_t evaluate_single(const Block &block);
    std::int64_t evaluate_block(const Block &block);
    void evaluate_class(std::size_t index);
    void assign_rest(const Problem::NodeClass &nodes);
    void refresh(std::size_t index);
    void push_from(std::int32_t pair);
    void collect_disagreement();
    void touch(std::int32_t pair) {
        if (!stale_[pair]) {
            stale_[pair] = 1;
            ++stale_in_[problem_.class_of[pair]];
        }
    }
    void cut(std::int32_t link) {
        const std::int32_t twin = problem_.links[link].twin;
        cut_[link] = cut_[twin] = 1;
        chosen_[link] = chosen_[twin] = 0;
        touch(problem_.links[link].pair);
        touch(problem_.links[twin].pair);
    }

    const Problem &problem_;
    Budget &budget_;
    std::int32_t scale_, largest_share_;
    std::vector<std::int32_t> share_;      // of each link's value, at its end
    std::vector<std::int32_t> spare_;      // by how much a share could grow with the same matching
    std::vector<std::uint8_t> chosen_;     // links in the best matchings
    std::vector<std::uint8_t> out_, cut_;  // pairs and links taken out
    std::vector<std::int32_t> worth_;      // of each pair with its links
    std::vector<std::int64_t> slack_;      // by how much a pair's worth could grow
    std::vector<std::int32_t> growth_;     // matched neighbours of a pair at most
    std::vector<std::uint8_t> stale_;      // pairs to be evaluated
    std::vector<std::int32_t> stale_in_;   // how many in each class
    std::vector<std::int64_t> bound_of_;   // of each class
    std::vector<std::int32_t> assigned_;
    std::vector<std::uint8_t> assigned_pair_;
    std::vector<std::int32_t> direction_;  // of each link, at its first end
    std::vector<std::int32_t> moving_;     // links with a direction
    std::vector<std::uint8_t> moves_;
    std::vector<std::int32_t> matrix_, link_at_;
    Assignment assignment_;
};

}  // namespace codekin::graph_edit
