// The budget of a search: steps, not seconds, so that every machine stops at the same place.
#pragma once

#include <algorithm>
#include <cstdint>

namespace codekin::graph_edit {

struct Exhausted {};    // the steps are used up
struct Interrupted {};  // a signal is pending

class Budget {
  public:
    using Pending = bool (*)();  // whether a signal is pending

    Budget(std::int64_t limit, Pending pending) : limit_(limit), pending_(pending) { plan(); }

    // Charges work before its result counts, so that no result needs more than the budget.
    void spend(std::int64_t steps) {
        used_ += steps;
        if (used_ > next_) pause();
    }

    std::int64_t used() const { return std::min(used_, limit_); }

  private:
    static constexpr std::int64_t kBetweenSignals = 20'000'000;

    void pause() {
        if (used_ > limit_) throw Exhausted{};
        if (pending_()) throw Interrupted{};
        plan();
    }
    void plan() { next_ = limit_ - used_ > kBetweenSignals ? used_ + kBetweenSignals : limit_; }

    std::int64_t limit_, used_ = 0, next_ = 0;
    Pending pending_;
};

}  // namespace codekin::graph_edit
