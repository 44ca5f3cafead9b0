// Which definitions reach which uses of one location: sparse, by static single assignment.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "represent/flow/reaching_definitions/blocks.hpp"

namespace codekin::flow::reaching {

// A definition at a rank; a weak one lets what was before it through.
struct Definition {
    int32_t rank;
    bool strong;
};

// The values of one location at a time: definitions, and the places where several of them meet.
class Values {
  public:
    explicit Values(const Blocks &blocks)
        : blocks_(blocks), marked_(blocks.count, -1), live_(blocks.count, -1), killed_(blocks.count, -1) {}

    // Takes the definitions and uses of location number `location`, each in the order of their ranks.
    // Counts the steps that this takes beyond their number; false: they would be more than `most`.
    bool build(int32_t location, const Definition *definition, const Definition *definition_end,
               const int32_t *use, const int32_t *use_end, int64_t &steps, int64_t most) {
        steps_ = steps, most_ = most;
        if (!place_meetings(location, definition, definition_end, false)) {
            find_live(location, definition, definition_end, use, use_end);
            place_meetings(location, definition, definition_end, true);
        }
        if (steps_ <= most_) {
            list_values(definition, definition_end);
            list_arrivals();
        }
        steps = steps_;
        if (steps_ > most_) return false;
        sweep(use, use_end);
        return true;
    }

    // The value that use number i of the location sees, -1 for none.
    int32_t seen_by(size_t use) const { return seen_[use]; }

    // Calls `found(rank of a definition)` for all that a value stands for, until it answers false;
    // counts the steps.
    template <typename Found> bool for_each_definition(int32_t value, int64_t &steps, Found found) {
        pending_.assign(1, value);
        visited_.resize(values_.size(), 0);
        if (++visit_ == 0) std::fill(visited_.begin(), visited_.end(), 0), visit_ = 1;
        while (!pending_.empty()) {
            const int32_t v = pending_.back();
            pending_.pop_back();
            if (v < 0 || visited_[v] == visit_) continue;
            visited_[v] = visit_;
            ++steps;
            const Value &one = values_[v];
            if (one.is_meeting) {
                for (int32_t i = one.first; i < one.end; ++i) pending_.push_back(arrived_[i]);
                continue;
            }
            if (!found(one.rank)) return false;
            if (!one.strong) pending_.push_back(one.first);
        }
        return true;
    }

  private:
    struct Value {
        int32_t rank, scope_end;
        int32_t first, end;  // what arrives at a meeting; `first` of a weak definition: the value before it
        bool is_meeting, strong;
    };
    struct Arrival {
        int32_t rank, slot;
        bool operator<(const Arrival &other) const {
            return rank != other.rank ? rank < other.rank : slot < other.slot;
        }
    };

    static constexpr int32_t FEW_STEPS = 64;  // fewer cost less than to find out where meetings matter

    const Blocks &blocks_;
    std::vector<int32_t> marked_, live_, killed_, meetings_, work_, arrived_, open_, seen_, pending_;
    std::vector<Value> values_;
    std::vector<Arrival> arrivals_;
    std::vector<uint32_t> visited_;
    uint32_t visit_ = 0;
    int64_t steps_ = 0, most_ = 0;

    // The iterated dominance frontier of the blocks with definitions. Gives up when that takes long,
    // unless it may leave out what is not live.
    bool place_meetings(int32_t location, const Definition *definition, const Definition *definition_end,
                        bool live_only) {
        meetings_.clear();
        work_.clear();
        const int32_t mark = 2 * location + live_only;
        int32_t last = -1, steps = 0;
        for (; definition != definition_end; ++definition) {
            const int32_t block = blocks_.block_at[definition->rank];
            if (block != last) work_.push_back(block);
            last = block;
        }
        while (!work_.empty() && steps_ <= most_) {
            const int32_t block = work_.back();
            work_.pop_back();
            steps += blocks_.frontier.size(block);
            if (!live_only && steps > FEW_STEPS) return false;
            steps_ += 1 + blocks_.frontier.size(block) / 4;  // to look at one costs little
            for (const int32_t *f = blocks_.frontier.begin(block); f != blocks_.frontier.end(block); ++f)
                if (marked_[*f] != mark && (!live_only || live_[*f] == location)) {
                    marked_[*f] = mark;
                    meetings_.push_back(*f);
                    work_.push_back(*f);
                }
        }
        std::sort(meetings_.begin(), meetings_.end());
        return true;
    }

    // Meetings matter only where a use may still come before the next strong definition. In deep
    // nests of loops, each with a variable of its own, this is what keeps their number linear.
    void find_live(int32_t location, const Definition *definition, const Definition *definition_end,
                   const int32_t *use, const int32_t *use_end) {
        work_.clear();
        const auto live_at = [&](int32_t block) {
            if (block == 0 || live_[block] == location) return;
            live_[block] = location;
            work_.push_back(block);
        };
        for (const Definition *d = definition; d != definition_end; ++d)
            if (d->strong) killed_[blocks_.block_at[d->rank]] = location;
        for (const Definition *d = definition; use != use_end; ++use) {
            const int32_t block = blocks_.block_at[*use];
            while (d != definition_end &&
                   (d->rank < blocks_.first_rank[block] || (!d->strong && d->rank < *use)))
                ++d;
            if (d == definition_end || d->rank >= *use) live_at(block);
        }
        while (!work_.empty() && steps_ <= most_) {
            const int32_t block = work_.back();
            work_.pop_back();
            steps_ += blocks_.predecessors.size(block);
            for (const int32_t *p = blocks_.predecessors.begin(block); p != blocks_.predecessors.end(block);
                 ++p)
                if (killed_[*p] != location) live_at(*p);
        }
    }

    void list_values(const Definition *definition, const Definition *definition_end) {
        values_.clear();
        auto meeting = meetings_.begin();
        while (meeting != meetings_.end() || definition != definition_end) {
            const bool meets =
                meeting != meetings_.end() &&
                (definition == definition_end || blocks_.first_rank[*meeting] <= definition->rank);
            if (meets) {
                values_.push_back(
                    {blocks_.first_rank[*meeting], blocks_.subtree_end[*meeting], 0, 0, true, false});
                ++meeting;
            } else {
                const int32_t block = blocks_.block_at[definition->rank];
                // Without frontiers nobody knows what meets where; inside a block nothing does.
                const int32_t end = blocks_.complete ? blocks_.subtree_end[block] : blocks_.end_rank[block];
                values_.push_back({definition->rank, end, -1, 0, false, definition->strong});
                ++definition;
            }
        }
    }

    void list_arrivals() {
        arrivals_.clear();
        arrived_.clear();
        for (Value &value : values_) {
            if (!value.is_meeting) continue;
            value.first = static_cast<int32_t>(arrived_.size());
            const int32_t block = blocks_.block_at[value.rank];
            steps_ += blocks_.predecessors.size(block);
            if (steps_ > most_) return;
            for (const int32_t *p = blocks_.predecessors.begin(block); p != blocks_.predecessors.end(block);
                 ++p) {
                if (*p == 0) continue;
                arrivals_.push_back({blocks_.end_rank[*p] - 1, static_cast<int32_t>(arrived_.size())});
                arrived_.push_back(-1);
            }
            value.end = static_cast<int32_t>(arrived_.size());
        }
        std::sort(arrivals_.begin(), arrivals_.end());
    }

    int32_t current(int32_t rank) {
        while (!open_.empty() && values_[open_.back()].scope_end <= rank) open_.pop_back();
        return open_.empty() ? -1 : open_.back();
    }

    // Opens the values before the uses of a rank (its meeting), or with its definition.
    void advance(size_t &next, int32_t rank, bool with_definition) {
        for (; next < values_.size(); ++next) {
            Value &value = values_[next];
            if (value.rank > rank || (value.rank == rank && !value.is_meeting && !with_definition)) return;
            const int32_t before = current(value.rank);
            if (!value.is_meeting) value.first = before;
            open_.push_back(static_cast<int32_t>(next));
        }
    }

    // One pass over the ranks: the innermost open value dominates and is the nearest.
    void sweep(const int32_t *use, const int32_t *use_end) {
        open_.clear();
        seen_.clear();
        size_t next = 0;
        auto arrival = arrivals_.begin();
        while (use != use_end || arrival != arrivals_.end()) {
            if (use != use_end && (arrival == arrivals_.end() || *use <= arrival->rank)) {
                advance(next, *use, false);
                seen_.push_back(current(*use++));
            } else {
                advance(next, arrival->rank, true);
                arrived_[arrival->slot] = current(arrival->rank);
                ++arrival;
            }
        }
        advance(next, INT32_MAX, true);
    }
};

}  // namespace codekin::flow::reaching
