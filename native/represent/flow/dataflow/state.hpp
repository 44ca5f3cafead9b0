// From which tokens each name may have its value, with branches that can be undone and joined.
//
// It is one table with a log of changes, so a branch costs in proportion to what it assigned and
// not to the number of variables in the program.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace codekin::dataflow {

class FlowState {
  public:
    static constexpr int32_t ABSENT = -1;
    struct Change {
        int32_t name, value;
    };
    using Outcome = std::vector<Change>;

    FlowState(size_t names, size_t tokens, int64_t most_steps)
        : value_(names, ABSENT), used_(tokens, 0), tokens_(static_cast<int32_t>(tokens)), most_(most_steps) {}

    bool knows(int32_t name) const { return value_[name] != ABSENT; }
    size_t mark() const { return log_.size(); }
    const std::vector<uint8_t> &used() const { return used_; }
    int64_t steps() const { return steps_; }

    void assign(int32_t name, int32_t token) { set(name, token); }
    void use_token(int32_t token) { used_[token] = 1; }
    void use(int32_t name) {
        const int32_t value = value_[name];
        if (value < tokens_) {
            used_[value] = 1;
        } else if (!list_used_[value - tokens_]) {
            list_used_[value - tokens_] = 1;
            for (int32_t token : lists_[value - tokens_]) used_[token] = 1;
        }
    }

    void undo(size_t mark) {
        while (log_.size() > mark) {
            value_[log_.back().name] = log_.back().value;
            log_.pop_back();
        }
    }

    // What changed since the mark, by name, with the values of now; the changes are undone.
    Outcome take(size_t mark) {
        Outcome out(log_.begin() + static_cast<std::ptrdiff_t>(mark), log_.end());
        std::sort(out.begin(), out.end(), [](const Change &a, const Change &b) { return a.name < b.name; });
        out.erase(std::unique(out.begin(), out.end(),
                              [](const Change &a, const Change &b) { return a.name == b.name; }),
                  out.end());
        for (Change &change : out) change.value = value_[change.name];
        undo(mark);
        steps_ += static_cast<int64_t>(out.size());
        return out;
    }

    void redo(const Outcome &outcome) {
        for (const Change &change : outcome) set(change.name, change.value);
    }

    // A name may afterwards have its value from wherever one of the outcomes says.
    void join(const std::vector<Outcome> &outcomes) {
        std::vector<int32_t> changed;
        for (const auto &outcome : outcomes)
            for (const Change &change : outcome) changed.push_back(change.name);
        std::sort(changed.begin(), changed.end());
        changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
        // Charged before the work, so that the walk can end here.
        steps_ += static_cast<int64_t>(changed.size()) * static_cast<int64_t>(outcomes.size());
        if (steps_ > most_) return;
        std::vector<size_t> at(outcomes.size(), 0);
        std::vector<int32_t> values;
        for (int32_t name : changed) {
            values.clear();
            for (size_t k = 0; k < outcomes.size(); ++k) {
                const bool here = at[k] < outcomes[k].size() && outcomes[k][at[k]].name == name;
                const int32_t value = here ? outcomes[k][at[k]++].value : value_[name];
                if (value != ABSENT) values.push_back(value);
            }
            set(name, united(values));
        }
    }

  private:
    void set(int32_t name, int32_t value) {
        log_.push_back({name, value_[name]});
        value_[name] = value;
    }

    // A value is a token or, from tokens_ on, a list of tokens.
    int32_t united(std::vector<int32_t> &values) {
        std::sort(values.begin(), values.end());
        values.erase(std::unique(values.begin(), values.end()), values.end());
        if (values.size() == 1) return values[0];
        std::vector<int32_t> all;
        for (int32_t value : values) {
            if (value < tokens_) {
                all.push_back(value);
            } else {
                const auto &list = lists_[value - tokens_];
                all.insert(all.end(), list.begin(), list.end());
            }
        }
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        steps_ += static_cast<int64_t>(all.size());
        for (int32_t value : values)
            if (value >= tokens_ && lists_[value - tokens_].size() == all.size()) return value;
        lists_.push_back(std::move(all));
        list_used_.push_back(0);
        return tokens_ + static_cast<int32_t>(lists_.size()) - 1;
    }

    std::vector<int32_t> value_;
    std::vector<uint8_t> used_;  // tokens from which some other token has its value
    int32_t tokens_;
    std::vector<Change> log_;
    std::vector<std::vector<int32_t>> lists_;
    std::vector<uint8_t> list_used_;
    int64_t steps_ = 0;
    int64_t most_;
};

}  // namespace codekin::dataflow
