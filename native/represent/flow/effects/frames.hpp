// Where functions are run from: call sites, which argument becomes which parameter, who takes the result.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "represent/flow/flow_ir.hpp"

namespace codekin::flow::effect {

// A parameter and the variable that its value comes from; `by_address`: that variable itself is passed.
struct Passed {
    int32_t parameter, argument;
    bool by_address;
};

// An operation that may run a function: a call (with what is passed), or one that takes a
// function as a value and may run it.
struct Site {
    int32_t operation, caller, callee, shape, receiver;
    std::vector<Passed> passed;
};

// A variable that gets the value which an operation computes (a call, a function).
struct Taken {
    int32_t operation, variable;
    bool into;  // the variable does not become the value, it only comes to hold it
    bool operator<(const Taken &other) const {
        return operation != other.operation ? operation < other.operation : variable < other.variable;
    }
};

class Frames {
  public:
    std::vector<Site> sites;
    std::vector<Taken> taken;                           // sorted by operation
    std::vector<std::pair<int32_t, int32_t>> returned;  // (result of a function, variable)
    std::vector<std::pair<int32_t, int32_t>> made;      // (FUNCTION operation, function)
    std::vector<int32_t> receiver_of;                   // of a function, or of those around it; -1
    std::vector<int32_t> call_of;                       // by operation: number of its call, -1

    // The variable that stands for what a function gives back comes after the real ones.
    int32_t result_of(int32_t f) const { return ir_.variables + f; }

    Frames(const FlowArrays &ir, const ArrayIn<int32_t> &call, const ArrayIn<int32_t> &callee)
        : receiver_of(ir.functions, -1),
          call_of(ir.operations, -1),
          ir_(ir),
          parameters_(ir.functions),
          receivers_(ir.functions) {
        for (int32_t k = 0; k < ir.calls; ++k) call_of[ir.call_operation(k)] = k;
        find_parameters();
        for (size_t i = 0; i < call.size(); ++i) add_site(call(i), callee(i));
        find_functions();
        if (!sites.empty() || !made.empty()) find_values();
        order_sites();
    }

    // Functions in an order in which, but for recursion, what is called comes before its callers.
    void order_sites() {
        std::vector<std::vector<int32_t>> callees(ir_.functions);
        for (const Site &site : sites) callees[site.caller].push_back(site.callee);
        std::vector<int32_t> rank(ir_.functions, -1);
        std::vector<std::pair<int32_t, size_t>> open;
        int32_t next = 0;
        std::vector<uint8_t> seen(ir_.functions, 0);
        for (int32_t root = 0; root < ir_.functions; ++root) {
            if (seen[root]) continue;
            seen[root] = 1;
            open.assign(1, {root, 0});
            while (!open.empty()) {
                const int32_t f = open.back().first;
                if (open.back().second < callees[f].size()) {
                    const int32_t callee = callees[f][open.back().second++];
                    if (!seen[callee]) seen[callee] = 1, open.emplace_back(callee, 0);
                } else {
                    rank[f] = next++;
                    open.pop_back();
                }
            }
        }
        std::stable_sort(sites.begin(), sites.end(),
                         [&](const Site &a, const Site &b) { return rank[a.caller] < rank[b.caller]; });
    }

    // What passes to a function called back with anything that the call knows.
    const std::vector<std::pair<int32_t, int32_t>> &parameters(int32_t f) const { return parameters_[f]; }
    const std::vector<int32_t> &receivers(int32_t f) const { return receivers_[f]; }

    template <typename Visit> void each_access(int32_t operation, Visit visit) const {
        for (int32_t i = ir_.access_from(operation); i < ir_.access_from(operation + 1); ++i)
            visit(ir_.access_variable(i), ir_.access_field(i), ir_.access_mode(i));
    }

    // The variables that take the value of an operation.
    template <typename Visit> void each_taken(int32_t operation, Visit visit) const {
        auto at = std::lower_bound(taken.begin(), taken.end(), Taken{operation, -1, false});
        for (; at != taken.end() && at->operation == operation; ++at) visit(at->variable, at->into);
    }

  private:
    const FlowArrays &ir_;
    std::vector<std::vector<std::pair<int32_t, int32_t>>> parameters_;  // (place, variable)
    std::vector<std::vector<int32_t>> receivers_;

    void find_parameters() {
        std::vector<int32_t> place(ir_.functions, 0);
        for (int32_t o = 0; o < ir_.operations; ++o) {
            if (ir_.kind(o) != operation_kind::PARAMETER) continue;
            const int32_t f = ir_.function(o), at = place[f]++;
            each_access(o, [&](int32_t v, int32_t, uint8_t mode) {
                if (mode == access_mode::DEFINE) parameters_[f].emplace_back(at, v);
            });
        }
        for (int32_t v = 0; v < ir_.variables; ++v)
            if (ir_.variable_kind(v) == variable_kind::RECEIVER)
                receivers_[ir_.variable_owner(v)].push_back(v);
        for (int32_t f = 0; f < ir_.functions; ++f) {
            const int32_t above = ir_.function_parent(f);
            receiver_of[f] = !receivers_[f].empty() ? receivers_[f][0] : above >= 0 ? receiver_of[above] : -1;
        }
    }

    void add_site(int32_t operation, int32_t f) {
        const int32_t k = call_of[operation], caller = ir_.function(operation);
        Site site{operation, caller, f, -1, -1, {}};
        if (k >= 0) {
            site.shape = ir_.call_shape(k);
            pass(k, f, site);
        }
        sites.push_back(std::move(site));
    }

    // Arguments by place; the last parameter takes what is left. `C.f(object, x)` names the receiver.
    void pass(int32_t k, int32_t f, Site &site) const {
        const int32_t first = ir_.argument_from(k), count = ir_.argument_from(k + 1) - first;
        const int32_t places = parameters_[f].empty() ? 0 : parameters_[f].back().first + 1;
        site.receiver = ir_.call_receiver(k);
        int32_t shift = 0;
        const uint8_t kind = ir_.function_kind(f);
        if (kind == function_kind::METHOD && site.receiver < 0) {
            if (count == places + 1)
                site.receiver = ir_.argument_variable(first), shift = 1;
            else if (site.shape != call_shape::CONSTRUCTION)
                site.receiver = receiver_of[site.caller];
        }
        if (kind == function_kind::CONSTRUCTOR && site.shape == call_shape::OWN_MEMBER)
            site.receiver = receiver_of[site.caller];  // this(...), super(...)
        if (site.receiver >= 0)
            for (int32_t v : receivers_[f]) site.passed.push_back({v, site.receiver, false});
        for (const auto &[place, variable] : parameters_[f]) {
            const int32_t end = place == places - 1 ? count : std::min(place + shift + 1, count);
            for (int32_t i = place + shift; i < end; ++i)
                if (ir_.argument_variable(first + i) >= 0)
                    site.passed.push_back(
                        {variable, ir_.argument_variable(first + i), ir_.argument_kind(first + i) == 1});
        }
    }

    // Which function a FUNCTION operation makes: the one of the same text inside the same function.
    void find_functions() {
        std::vector<int32_t> makers;
        for (int32_t o = 0; o < ir_.operations; ++o)
            if (ir_.kind(o) == operation_kind::FUNCTION) makers.push_back(o);
        if (makers.empty()) return;
        std::vector<std::pair<int64_t, int32_t>> by_start, by_name;
        const auto key = [](int32_t parent, int32_t what) {
            return int64_t{parent} * (int64_t{1} << 32) + what;
        };
        for (int32_t f = 1; f < ir_.functions; ++f) {
            by_start.emplace_back(key(ir_.function_parent(f), ir_.function_start(f)), f);
            by_name.emplace_back(key(ir_.function_parent(f), ir_.function_name(f)), f);
        }
        std::sort(by_start.begin(), by_start.end());
        std::sort(by_name.begin(), by_name.end());
        for (int32_t o : makers) {
            int32_t found = -1;
            const auto look = [&](const std::vector<std::pair<int64_t, int32_t>> &in, int64_t wanted,
                                  bool spans) {
                for (auto at = std::lower_bound(in.begin(), in.end(), std::make_pair(wanted, -1));
                     found < 0 && at != in.end() && at->first == wanted; ++at)
                    if (!spans || ir_.function_end(at->second) == ir_.end(o)) found = at->second;
            };
            look(by_start, key(ir_.function(o), ir_.start(o)), true);
            look(by_name, key(ir_.function(o), ir_.name(o)), false);
            if (found >= 0) made.emplace_back(o, found);
        }
    }

    // Operators whose value is, or holds, one of the values that they take.
    std::vector<uint8_t> passing_names() const {
        static const char *const words[] = {"?:",    "&&",   "||",     "??",    "and",
                                            "or",    "list", "tuple",  "set",   "dict",
                                            "group", "pair", "object", "array", "struct"};
        std::vector<uint8_t> passing(nanobind::len(ir_.strings), 0);
        size_t number = 0;
        for (nanobind::handle text : ir_.strings) {
            if (PyUnicode_GET_LENGTH(text.ptr()) <= 6)
                for (const char *word : words)
                    if (PyUnicode_CompareWithASCIIString(text.ptr(), word) == 0) passing[number] = 1;
            ++number;
        }
        return passing;
    }

    // Follows the values that assignments and returns take to the calls and functions they come from.
    void find_values() {
        const std::vector<uint8_t> passing = passing_names();
        const auto passes = [&](int32_t o) {
            const int32_t name = ir_.name(o);
            return ir_.kind(o) == operation_kind::OPERATOR && name >= 0 &&
                   static_cast<size_t>(name) < passing.size() && passing[name];
        };
        std::vector<int32_t> pending, seen(ir_.operations, -1);  // by operation: the last that looked at it
        for (int32_t o = 0; o < ir_.operations; ++o) {
            const bool returns = ir_.kind(o) == operation_kind::RETURN;
            bool gives = returns;  // else nobody gets what it takes
            each_access(o, [&](int32_t, int32_t, uint8_t mode) {
                gives = gives || mode == access_mode::DEFINE || mode == access_mode::STORE;
            });
            if (!gives) continue;
            const int32_t result = result_of(ir_.function(o));
            const auto take = [&](int32_t from) {
                if (returns) taken.push_back({from, result, false});
                each_access(o, [&](int32_t v, int32_t, uint8_t mode) {
                    if (mode == access_mode::DEFINE || mode == access_mode::STORE)
                        taken.push_back({from, v, mode == access_mode::STORE});
                });
            };
            if (ir_.kind(o) == operation_kind::FUNCTION) take(o);
            pending.assign(1, o);
            while (!pending.empty()) {
                const int32_t at = pending.back();
                pending.pop_back();
                if (returns)
                    each_access(at, [&](int32_t v, int32_t, uint8_t mode) {
                        if (mode == access_mode::READ) returned.emplace_back(result, v);
                    });
                for (int32_t i = ir_.operand_from(at); i < ir_.operand_from(at + 1); ++i) {
                    const int32_t value = ir_.operand(i);
                    if (value >= at || seen[value] == o) continue;  // values come before what takes them
                    seen[value] = o;
                    if (ir_.kind(value) == operation_kind::CALL ||
                        ir_.kind(value) == operation_kind::FUNCTION)
                        take(value);
                    else if (passes(value))
                        pending.push_back(value);
                }
                if (ir_.kind(o) == operation_kind::CALL) break;
            }
        }
        std::sort(taken.begin(), taken.end());
    }
};

}  // namespace codekin::flow::effect
