// The search: a first mapping and a first bound, then both get better until they meet.
#pragma once

#include <cstdint>
#include <memory>
#include <queue>
#include <vector>

#include "align/graph_edit/budget.hpp"
#include "align/graph_edit/classes.hpp"
#include "align/graph_edit/dual.hpp"
#include "align/graph_edit/mapping.hpp"
#include "align/graph_edit/problem.hpp"

namespace codekin::graph_edit {

class Search {
  public:
    Search(const Task &task, Budget &budget);

    // Runs until the bounds meet or the budget ends. What is found never depends on the budget
    // otherwise, so a larger one continues where a smaller one stopped.
    void run();

    const Mapping &mapping() const { return best_; }
    std::int64_t lower() const { return task_.most_cost() - task_.unit * most_; }
    std::int64_t upper() const { return task_.most_cost() - task_.unit * value_; }

  private:
    // A part of the search space that is still open: that of its parent with one decision more.
    struct Branch {
        std::int64_t most;  // no mapping in it is worth more
        std::int32_t depth, id;
        bool operator<(const Branch &other) const {
            if (most != other.most) return most < other.most;
            return depth != other.depth ? depth < other.depth : id > other.id;
        }
    };
    struct Decision {
        std::int32_t parent, pair;
        bool required;
    };
    // How long the bound of a branch is tightened.
    struct Patience {
        int pushes;    // rounds that share by pushing
        int idle;      // steps without progress before they get shorter
        int shortest;  // sixteenths of a full step at which it ends
        int first;     // sixteenths of a full step at the start
    };

    bool met() const { return value_ >= most_; }
    void offer(Mapping mapping);
    template <class Work> void improve(Mapping &mapping, const Work &work);
    void polish(Mapping mapping);
    void start();
    // The value that no mapping of the current branch exceeds, as far as patience goes.
    std::int64_t tighten(std::int64_t most, const Patience &patience, bool is_root);
    void take_assignment(int round);
    std::int64_t assigned_value() const;
    void branch();
    void open(std::int32_t parent, std::int32_t pair, std::int64_t most, std::int32_t depth);
    void enter(std::int32_t branch);
    std::int32_t pair_to_decide() const;

    const Task &task_;
    Budget &budget_;
    Classes classes_;
    Mapping best_;
    std::int64_t value_ = 0, most_ = 0;
    const std::int64_t grain_;  // a typical cost of an edge
    std::unique_ptr<Problem> problem_;
    std::unique_ptr<Dual> dual_;
    std::unique_ptr<ClassByClass> by_class_;
    Dual::State root_;
    std::vector<std::int32_t> times_assigned_;
    std::int32_t rounds_ = 0;
    std::priority_queue<Branch> open_;
    std::vector<Decision> decisions_;
};

}  // namespace codekin::graph_edit
