// Mappings: which node of the first graph is which of the second, where they come from, and how
// they get better.
#pragma once

#include <cstdint>
#include <vector>

#include "align/graph_edit/assignment.hpp"
#include "align/graph_edit/budget.hpp"
#include "align/graph_edit/classes.hpp"
#include "align/graph_edit/dual.hpp"
#include "align/graph_edit/problem.hpp"

namespace codekin::graph_edit {

struct Mapping {
    std::vector<std::int32_t> partner, back;  // of each node of the first and the second graph, or -1

    explicit Mapping(const Task &task) : partner(task.first.size(), -1), back(task.second.size(), -1) {}

    void join(std::int32_t i, std::int32_t a) {
        partner[i] = a;
        back[a] = i;
    }
    void part(std::int32_t i) {
        if (partner[i] < 0) return;
        back[partner[i]] = -1;
        partner[i] = -1;
    }
};

// What a mapping is worth, from the graphs alone.
std::int64_t value_of(const Task &task, const Mapping &mapping);

// Pairs the nodes of each label in their order, fixed ones first; what is paired already stays.
void complete(const Task &task, const Classes &classes, Mapping &mapping);

// Pairs nodes whose surroundings agree as far as possible, and from there their neighbours.
Mapping seed(const Task &task, const Classes &classes, Budget &budget);

// Exchanges partners of two nodes as long as that gains something; candidates are those who would
// keep an edge to a neighbour.
void exchange(const Task &task, Mapping &mapping, Budget &budget);

// The best partners for each class given those of all others, class after class.
class ClassByClass {
  public:
    ClassByClass(const Problem &problem, Budget &budget)
        : problem_(problem), budget_(budget), on_(problem.pairs(), 0) {}

    // Improves a mapping in place; pairs that the dual has taken out are no candidates.
    void improve(Mapping &mapping, const Dual &dual);

  private:
    bool improve_class(const Problem::NodeClass &nodes, Mapping &mapping, const Dual &dual);
    std::int64_t value_within(const Problem::NodeClass &nodes) const;

    const Problem &problem_;
    Budget &budget_;
    std::vector<std::uint8_t> on_;  // pairs of the mapping
    std::vector<std::int32_t> weights_, chosen_, before_;
    Assignment assignment_;
};

}  // namespace codekin::graph_edit
