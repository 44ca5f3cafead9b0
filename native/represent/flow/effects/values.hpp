// Functions as values: which variables hold which functions of the text, and who may run them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "represent/flow/effects/aliases.hpp"
#include "represent/flow/effects/frames.hpp"
#include "represent/flow/flow_ir.hpp"

namespace codekin::flow::effect {

// Operations that take a function as a value may run it: calls that read a variable which holds
// it, and where nobody holds it, the one that makes it.
class FunctionValues {
  public:
    FunctionValues(const FlowArrays &ir, Frames &frames, AliasClasses &classes, Budget &budget)
        : ir_(ir), frames_(frames), classes_(classes), budget_(budget) {}

    void add_sites() {
        hold_made();
        hold_named();
        if (!held_.empty()) spread();
        for (int32_t o = 0; o < ir_.operations && !held_.empty(); ++o) {
            if (ir_.kind(o) != operation_kind::CALL) continue;
            frames_.each_access(o, [&](int32_t v, int32_t, uint8_t mode) {
                if (mode != access_mode::READ) return;
                classes_.each_within(classes_.find(v), [&](int32_t cls) {
                    each_held(cls, [&](int32_t f) { runs_.emplace(o, f); });
                });
            });
        }
        for (const auto &[o, f] : runs_) frames_.sites.push_back({o, ir_.function(o), f, -1, -1, {}});
        if (!runs_.empty()) frames_.order_sites();
    }

  private:
    static constexpr size_t WORDS_PER_PAIR = 8;

    const FlowArrays &ir_;
    Frames &frames_;
    AliasClasses &classes_;
    Budget &budget_;
    std::set<std::pair<int32_t, int32_t>> held_, runs_;  // (class, function), (operation, function)

    template <typename Visit> void each_held(int32_t cls, Visit visit) {
        for (auto at = held_.lower_bound({cls, -1}); at != held_.end() && at->first == cls; ++at)
            if (budget_.take() && budget_.keep(WORDS_PER_PAIR))
                visit(at->second);
            else
                return;
    }

    // What a variable is given, it holds. A function given to a call that changes an object runs where
    // it is made: held by the object, it would run wherever that is read.
    void hold_made() {
        for (const auto &made : frames_.made) {
            bool is_held = false;
            frames_.each_taken(made.first, [&](int32_t v, bool into) {
                if (into) return;
                is_held = true;
                held_.emplace(classes_.find(v), made.second);
            });
            if (!is_held) runs_.emplace(made.first, made.second);
        }
    }

    // A variable that nothing assigns to is the function of that name.
    void hold_named() {
        std::vector<std::pair<int64_t, int32_t>> named;
        const auto key = [](int32_t owner, int32_t name) { return (int64_t{owner} << 32) + name; };
        for (int32_t f = 1; f < ir_.functions; ++f)
            if (ir_.function_kind(f) == function_kind::FUNCTION)
                named.emplace_back(key(std::max(ir_.function_parent(f), 0), ir_.function_name(f)), f);
        if (named.empty()) return;
        std::sort(named.begin(), named.end());
        std::vector<uint8_t> assigned(ir_.variables, 0);
        for (size_t i = 0; i < ir_.access_variable.size(); ++i)
            if (ir_.access_mode(i) == access_mode::DEFINE) assigned[ir_.access_variable(i)] = 1;
        for (int32_t v = 0; v < ir_.variables; ++v) {
            const int64_t wanted = key(ir_.variable_owner(v), ir_.variable_name(v));
            for (auto at = std::lower_bound(named.begin(), named.end(), std::make_pair(wanted, -1));
                 !assigned[v] && at != named.end() && at->first == wanted && budget_.keep(WORDS_PER_PAIR);
                 ++at)
                held_.emplace(classes_.find(v), at->second);
        }
    }

    // Functions go with arguments into callees, and with results back.
    void spread() {
        std::vector<std::pair<int32_t, int32_t>> more;
        const auto flow = [&](int32_t from, int32_t to) {
            each_held(from, [&](int32_t f) { more.emplace_back(to, f); });
        };
        for (size_t before = 0; before != held_.size() && !budget_.is_spent();) {
            before = held_.size();
            for (const Site &site : frames_.sites) {
                for (const Passed &p : site.passed)
                    classes_.each_pair(p.parameter, p.argument,
                                       [&](int32_t in, int32_t out) { flow(out, in); });
                frames_.each_taken(site.operation, [&](int32_t v, bool) {
                    classes_.each_pair(frames_.result_of(site.callee), v,
                                       [&](int32_t in, int32_t out) { flow(in, out); });
                });
                held_.insert(more.begin(), more.end());
                more.clear();
            }
        }
    }
};

}  // namespace codekin::flow::effect
