// Which variables may reach the same: classes by union-find, each with the class of its parts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "represent/flow/effects/frames.hpp"
#include "represent/flow/flow_ir.hpp"

namespace codekin::flow::effect {

class AliasClasses {
  public:
    AliasClasses(const FlowArrays &ir, const Frames &frames, bool across, Budget &budget)
        : ir_(ir), frames_(frames), budget_(budget), points_(ir.variables, 0), addressed_(ir.variables, 0) {
        for (int32_t v = 0; v < ir.variables; ++v) add(ir.variable_owner(v));
        for (int32_t f = 0; f < ir.functions; ++f) add(f);  // what each function gives back
        read_aliases();
        join_fields();
        for (const Site &site : frames.sites)
            for (const Passed &passed : site.passed)
                if (across && passed.by_address)
                    addressed_[passed.argument] = 1, set_part(passed.argument, passed.argument);
        if (across && (!frames.sites.empty() || !frames.made.empty())) {
            join_returned();
            // Each round but the last joins classes or makes parts, of which there are only so many.
            do changed_ = false, join_callers();
            while (changed_ && !budget_.is_spent());
            find_reached_outside();
            do changed_ = false, join_callees();
            while (changed_ && !budget_.is_spent());
        }
        list_addressed();
        within_.assign(up_.size(), 0);
        for (int32_t v = 0; v < count(); ++v)
            if (part_[find(v)] >= 0) within_[part(find(v))] = 1;
    }

    int32_t find(int32_t v) {
        while (up_[v] != v) v = up_[v] = up_[up_[v]];
        return v;
    }
    // The class of the parts of what a class reaches, or -1.
    int32_t part(int32_t cls) { return part_[cls] < 0 ? -1 : find(part_[cls]); }
    // The function whose variables alone make up a class, or -1 for several.
    int32_t owner(int32_t cls) const { return owner_[cls]; }
    // Nothing else reaches what the only variable of a class reaches.
    bool is_alone(int32_t cls) const { return size_[cls] == 1 && !within_[cls]; }
    int32_t count() const { return static_cast<int32_t>(up_.size()); }
    bool addressed(int32_t v) const { return addressed_[v]; }
    // Its address is taken and it holds none itself: all that changes in it changes it.
    bool is_value(int32_t v) const { return addressed_[v] && !points_[v]; }
    const std::vector<int32_t> &addressed_in(int32_t cls) const {
        static const std::vector<int32_t> none;
        return cls < static_cast<int32_t>(addressed_of_.size()) ? addressed_of_[cls] : none;
    }

    // A class and the classes of its parts and their parts.
    template <typename Visit> void each_within(int32_t cls, Visit visit) {
        ++walk_;
        for (; cls >= 0 && walked(cls) != walk_; cls = part(cls)) {
            walked(cls) = walk_, visit(cls);
            if (!budget_.take()) return;
        }
    }

    // Pairs of classes that stand for the same in callee and caller, from one value passed.
    template <typename Visit> void each_pair(int32_t callee_variable, int32_t caller_variable, Visit visit) {
        int32_t in = find(callee_variable), out = find(caller_variable);
        // Both rows of parts may go around in circles; the steps between two looks double (Brent).
        int32_t before_in = -1, before_out = -1;
        for (int64_t step = 0, next_look = 1; in >= 0; ++step) {
            if (in == before_in && out == before_out) return;
            if (step == next_look) before_in = in, before_out = out, next_look *= 2;
            visit(in, out);
            if (!budget_.take()) return;
            in = part(in);
            if (part(out) >= 0) out = part(out);
        }
    }

  private:
    static constexpr size_t DEEPEST = 6;  // rows of parts; what is deeper is as if it were there

    const FlowArrays &ir_;
    const Frames &frames_;
    Budget &budget_;
    std::vector<int32_t> up_, size_, part_, owner_, walked_;
    std::vector<uint8_t> points_, addressed_, within_;  // the last by class: it is the parts of another
    std::vector<std::vector<int32_t>> addressed_of_, outside_;  // by class; by function
    std::vector<std::pair<int32_t, int32_t>> pending_;
    int32_t walk_ = 0;
    bool changed_ = false;

    int32_t add(int32_t owner) {
        const auto made = static_cast<int32_t>(up_.size());
        up_.push_back(made);
        size_.push_back(1);
        part_.push_back(-1);
        owner_.push_back(owner);
        walked_.push_back(0);
        return made;
    }
    int32_t &walked(int32_t cls) { return walked_[cls]; }
    bool is_real(int32_t v) const { return v < ir_.variables; }

    void join(int32_t a, int32_t b) {
        pending_.assign(1, {a, b});
        while (!pending_.empty()) {
            a = find(pending_.back().first), b = find(pending_.back().second);
            pending_.pop_back();
            if (a == b) continue;
            changed_ = true;
            if (size_[a] < size_[b] || (size_[a] == size_[b] && b < a)) std::swap(a, b);
            up_[b] = a;
            size_[a] += size_[b];
            if (owner_[a] != owner_[b]) owner_[a] = -1;
            if (part_[a] >= 0 && part_[b] >= 0)
                pending_.emplace_back(part_[a], part_[b]);
            else if (part_[b] >= 0)
                part_[a] = part_[b];
        }
    }

    void mark_pointing(int32_t a, int32_t b) {
        if (is_real(a)) points_[a] = 1;
        if (is_real(b)) points_[b] = 1;
    }
    void copy(int32_t a, int32_t b) {
        mark_pointing(a, b);
        join(a, b);
    }

    int32_t made_part(int32_t v, int32_t owner) {
        const int32_t cls = find(v);
        if (part_[cls] < 0) part_[cls] = add(owner), changed_ = true;
        return find(part_[find(v)]);
    }

    void set_part(int32_t whole, int32_t piece) {
        const int32_t cls = find(whole);
        if (part_[cls] < 0)
            part_[cls] = piece, changed_ = true;
        else
            join(part_[cls], piece);
        // A part that one function's variables reach belongs to the whole of another all the same.
        const int32_t inner = part(find(whole));
        if (owner_[inner] != owner_[find(whole)]) owner_[inner] = -1;
    }

    void read_aliases() {
        for (size_t i = 0; i < ir_.alias_left.size(); ++i) {
            const int32_t left = ir_.alias_left(i), right = ir_.alias_right(i);
            switch (ir_.alias_kind(i)) {
                case alias_kind::ADDRESS:
                    // p->f and s.f are one place: with p = &s both reach the same, and *p is s.
                    points_[left] = addressed_[right] = 1;
                    join(left, right);
                    set_part(left, right);
                    break;
                case alias_kind::ELEMENT: points_[left] = 1, set_part(right, left); break;
                default: copy(left, right);
            }
        }
    }

    // What `object.items` reaches is what `items` reaches in the methods of its class.
    void join_fields() {
        std::vector<std::pair<int32_t, int32_t>> fields;
        for (int32_t v = 0; v < ir_.variables; ++v)
            if (ir_.variable_kind(v) == variable_kind::FIELD) fields.emplace_back(ir_.variable_name(v), v);
        if (fields.empty()) return;
        std::sort(fields.begin(), fields.end());
        std::vector<uint8_t> joined(fields.size(),
                                    0);  // by place: the fields of that name are one class already
        for (int32_t o = 0; o < ir_.operations; ++o)
            frames_.each_access(o, [&](int32_t v, int32_t field, uint8_t) {
                if (field < 0) return;
                const auto first = std::lower_bound(fields.begin(), fields.end(), std::make_pair(field, -1));
                if (first == fields.end() || first->first != field) return;
                uint8_t &is_joined = joined[first - fields.begin()];
                for (auto at = first; at != fields.end() && at->first == field && (at == first || !is_joined);
                     ++at)
                    copy(made_part(v, ir_.variable_owner(v)), at->second);
                is_joined = 1;
            });
    }

    void join_returned() {
        for (const auto &[result, v] : frames_.returned) copy(result, v);
        for (int32_t f = 0; f < ir_.functions; ++f) {
            const auto &receivers = frames_.receivers(f);
            for (int32_t v : receivers) join(receivers[0], v);
            if (ir_.function_kind(f) == function_kind::CONSTRUCTOR && !receivers.empty())
                join(frames_.result_of(f), receivers[0]);
        }
        // A function made in a call's list of arguments is called back with parts of the others.
        std::vector<std::pair<int32_t, int32_t>> makers(frames_.made);
        std::sort(makers.begin(), makers.end());
        for (int32_t k = 0; k < ir_.calls && !makers.empty(); ++k) {
            const int32_t o = ir_.call_operation(k);
            for (int32_t i = ir_.operand_from(o); i < ir_.operand_from(o + 1); ++i) {
                const auto at =
                    std::lower_bound(makers.begin(), makers.end(), std::make_pair(ir_.operand(i), -1));
                if (at == makers.end() || at->first != ir_.operand(i)) continue;
                for (const auto &[place, parameter] : frames_.parameters(at->second)) {
                    const int32_t caller = ir_.function(o);
                    if (!budget_.take(1 + ir_.argument_from(k + 1) - ir_.argument_from(k))) return;
                    if (ir_.call_receiver(k) >= 0) copy(parameter, made_part(ir_.call_receiver(k), caller));
                    for (int32_t a = ir_.argument_from(k); a < ir_.argument_from(k + 1); ++a)
                        if (ir_.argument_variable(a) >= 0)
                            copy(parameter, made_part(ir_.argument_variable(a), caller));
                }
            }
        }
    }

    // The caller's variable reaches as deep as the callee's, and as deep around in circles. Where a
    // function calls itself with parts of its parameter, both are one row of parts that would grow with
    // every look: then, and where a row gets too deep, parts of parts are taken for parts.
    void copy_shape(int32_t in, int32_t out, int32_t caller) {
        std::vector<std::pair<int32_t, int32_t>> path;
        for (in = find(in), out = find(out); in >= 0; in = part(in)) {
            path.emplace_back(in, out);
            const int32_t next = part(in);
            if (next < 0) return;
            for (const auto &[before, there] : path)
                if (before == next || there == next) return set_part(out, there);
            if (path.size() >= DEEPEST) return set_part(out, out);
            out = made_part(out, caller);
        }
    }

    // Visits what is passed at a site: (callee's variable, caller's variable).
    template <typename Visit> void each_passed(const Site &site, Visit visit) {
        for (const Passed &p : site.passed) visit(p.parameter, p.argument);
        if (site.shape < 0) return;
        frames_.each_taken(site.operation, [&](int32_t v, bool into) {
            visit(frames_.result_of(site.callee), into ? made_part(v, site.caller) : v);
        });
    }

    // What is the same in the callee is the same in the caller; what the callee shares with others too.
    void join_callers() {
        std::vector<std::pair<int32_t, int32_t>> pairs;
        for (const Site &site : frames_.sites) {
            if (!budget_.take()) return;
            pairs.clear();
            each_passed(site, [&](int32_t in, int32_t out) {
                copy_shape(in, out, site.caller);
                each_pair(in, out, [&](int32_t a, int32_t b) { pairs.emplace_back(a, b); });
            });
            std::sort(pairs.begin(), pairs.end());
            for (size_t i = 0; i < pairs.size(); ++i) {
                if (i > 0 && pairs[i - 1].first == pairs[i].first) join(pairs[i - 1].second, pairs[i].second);
                if (owner_[find(pairs[i].first)] != site.callee) join(pairs[i].first, pairs[i].second);
            }
        }
    }

    // For each function the variables of others that it or what it calls touches.
    void find_reached_outside() {
        outside_.assign(ir_.functions, {});
        for (int32_t o = 0; o < ir_.operations; ++o)
            frames_.each_access(o, [&](int32_t v, int32_t, uint8_t) {
                if (ir_.variable_owner(v) != ir_.function(o)) outside_[ir_.function(o)].push_back(v);
            });
        for (auto &list : outside_) {
            std::sort(list.begin(), list.end());
            list.erase(std::unique(list.begin(), list.end()), list.end());
        }
        std::vector<int32_t> all;
        for (bool grown = true; grown;) {
            grown = false;
            const auto flow = [&](int32_t callee, int32_t caller) {
                auto &into = outside_[caller];
                const auto &from = outside_[callee];
                if (caller == callee || !budget_.merge(into.size(), from.size())) return;
                if (std::includes(into.begin(), into.end(), from.begin(), from.end())) return;
                all.clear();
                std::set_union(into.begin(), into.end(), from.begin(), from.end(), std::back_inserter(all));
                if (!budget_.keep(all.size() - into.size())) return;
                into.swap(all);
                grown = true;
            };
            // Functions inside others come after them: the innermost first.
            for (auto made = frames_.made.rbegin(); made != frames_.made.rend(); ++made)
                flow(made->second, ir_.function(made->first));
            for (const Site &site : frames_.sites) flow(site.callee, site.caller);
        }
    }

    // What is the same in the caller is the same in the callee, so far as the callee can tell.
    void join_callees() {
        std::vector<std::pair<int32_t, int32_t>> pairs;
        std::vector<int32_t> reached;
        for (const Site &site : frames_.sites) {
            if (site.passed.empty()) continue;
            pairs.clear();
            reached.clear();
            for (const Passed &p : site.passed)
                each_pair(p.parameter, p.argument,
                          [&](int32_t in, int32_t out) { pairs.emplace_back(out, in); });
            if (!budget_.take()) return;
            for (int32_t v : outside_[site.callee])
                each_within(find(v), [&](int32_t cls) { reached.push_back(cls); });
            std::sort(reached.begin(), reached.end());
            std::sort(pairs.begin(), pairs.end());
            for (size_t i = 0; i < pairs.size(); ++i) {
                if (i > 0 && pairs[i - 1].first == pairs[i].first) join(pairs[i - 1].second, pairs[i].second);
                if (std::binary_search(reached.begin(), reached.end(), pairs[i].first))
                    join(pairs[i].first, pairs[i].second);
            }
        }
    }

    void list_addressed() {
        for (int32_t v = 0; v < ir_.variables; ++v) {
            if (!addressed_[v]) continue;
            if (addressed_of_.empty()) addressed_of_.resize(up_.size());
            addressed_of_[find(v)].push_back(v);
        }
    }
};

}  // namespace codekin::flow::effect
