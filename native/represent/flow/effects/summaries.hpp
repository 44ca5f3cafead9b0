// What running a function reads and changes outside it: a fixpoint over the call sites.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "represent/flow/effects/touches.hpp"

namespace codekin::flow::effect {

using Keys = std::vector<Key>;

template <typename T> void sort_unique(std::vector<T> &all) {
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
}

class Summaries {
  public:
    Summaries(const FlowArrays &ir, const Frames &frames, AliasClasses &classes, Touches &touches,
              Budget &budget)
        : ir_(ir),
          frames_(frames),
          classes_(classes),
          touches_(touches),
          budget_(budget),
          reads_(ir.functions),
          writes_(ir.functions),
          given_(ir.functions) {
        pair_classes();
        for (int32_t f = 0; f < ir.functions; ++f) find_given(f);
        for (int32_t o = 0; o < ir.operations; ++o) {
            touches_.gather(o);
            export_touches(ir.function(o), ir.kind(o) == operation_kind::PARAMETER);
        }
        for (int32_t f = 0; f < ir.functions; ++f) sort_unique(reads_[f]), sort_unique(writes_[f]);
        close();
    }

    // Puts what site number s touches in its caller into the touches.
    void at_site(size_t s) {
        const Site &site = frames_.sites[s];
        if (!budget_.take(static_cast<int64_t>(reads_[site.callee].size() + writes_[site.callee].size())))
            return;
        for (Key key : reads_[site.callee]) translate_read(site, pairs_[s], key);
        for (Key key : writes_[site.callee]) translate_write(site, pairs_[s], key);
    }

  private:
    using Pairs = std::vector<std::pair<int32_t, int32_t>>;

    const FlowArrays &ir_;
    const Frames &frames_;
    AliasClasses &classes_;
    Touches &touches_;
    Budget &budget_;
    std::vector<Keys> reads_, writes_;
    std::vector<std::vector<int32_t>> given_;  // by function: classes that come from its caller
    std::vector<Pairs> pairs_;                 // by site: (class of the callee, class of the caller)

    void pair_classes() {
        for (const Site &site : frames_.sites) {
            Pairs pairs;
            for (const Passed &p : site.passed)
                classes_.each_pair(p.parameter, p.argument,
                                   [&](int32_t in, int32_t out) { pairs.emplace_back(in, out); });
            std::sort(pairs.begin(), pairs.end());
            pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
            if (!budget_.keep(pairs.size())) pairs.clear();
            pairs_.push_back(std::move(pairs));
        }
    }

    void find_given(int32_t f) {
        const auto add = [&](int32_t v) {
            classes_.each_within(classes_.find(v), [&](int32_t cls) { given_[f].push_back(cls); });
        };
        for (const auto &[place, v] : frames_.parameters(f)) add(v);
        for (int32_t v : frames_.receivers(f)) add(v);
        std::sort(given_[f].begin(), given_[f].end());
    }

    bool is_seen_outside(int32_t f, Key key) const {
        const int32_t number = number_of(key);
        if (part_of(key) == BINDING) return ir_.variable_owner(number) != f;
        return classes_.owner(number) != f || std::binary_search(given_[f].begin(), given_[f].end(), number);
    }

    void export_touches(int32_t f, bool reads_only) {
        for (Key key : touches_.uses)
            if (is_seen_outside(f, key)) reads_[f].push_back(key);
        for (const Written &written : touches_.definitions)
            if (!reads_only && !written.strong && is_seen_outside(f, written.key))
                writes_[f].push_back(written.key);
            else if (written.strong && part_of(written.key) == BINDING && is_seen_outside(f, written.key))
                writes_[f].push_back(written.key);
    }

    template <typename Visit> void each_out(const Site &site, const Pairs &pairs, int32_t cls, Visit visit) {
        if (classes_.owner(cls) != site.callee) visit(cls);
        auto at = std::lower_bound(pairs.begin(), pairs.end(), std::make_pair(cls, -1));
        for (; at != pairs.end() && at->first == cls && budget_.take(); ++at)
            if (at->second != cls || classes_.owner(cls) == site.callee) visit(at->second);
    }

    void translate_read(const Site &site, const Pairs &pairs, Key key) {
        if (part_of(key) == BINDING) {
            if (ir_.variable_owner(number_of(key)) != site.callee) touches_.uses.push_back(key);
            return;
        }
        each_out(site, pairs, number_of(key), [&](int32_t cls) {
            if (part_of(key) == ALL)
                touches_.load_all(cls);
            else
                touches_.load(cls, part_of(key));
        });
    }

    void translate_write(const Site &site, const Pairs &pairs, Key key) {
        if (part_of(key) != BINDING)
            return each_out(site, pairs, number_of(key),
                            [&](int32_t cls) { touches_.store(cls, part_of(key)); });
        const int32_t v = number_of(key);
        if (ir_.variable_owner(v) == site.callee) return;
        touches_.define(key, false);
        if (ir_.variable_kind(v) == variable_kind::FIELD && site.receiver >= 0)
            touches_.define(key_of(classes_.find(site.receiver), STATE), false);
    }

    bool grow(Keys &into, Keys &more) {
        sort_unique(more);
        budget_.merge(into.size(), more.size());
        if (std::includes(into.begin(), into.end(), more.begin(), more.end())) return false;
        Keys all;
        all.reserve(into.size() + more.size());
        std::set_union(into.begin(), into.end(), more.begin(), more.end(), std::back_inserter(all));
        if (!budget_.keep(all.size() - into.size())) return false;
        into.swap(all);
        return true;
    }

    // Sites come callee first, so one round is enough but for recursion; and every round but the
    // last adds keys.
    void close() {
        std::vector<int32_t> changed(ir_.functions, 1), done(frames_.sites.size(), 0);
        for (bool again = true; again;) {
            again = false;
            for (size_t s = 0; s < frames_.sites.size() && !budget_.is_spent(); ++s) {
                const Site &site = frames_.sites[s];
                if (done[s] == changed[site.callee]) continue;
                done[s] = changed[site.callee];
                touches_.uses.clear();
                touches_.definitions.clear();
                at_site(s);
                Keys reads, writes;
                for (Key key : touches_.uses)
                    if (is_seen_outside(site.caller, key)) reads.push_back(key);
                for (const Written &written : touches_.definitions)
                    if (is_seen_outside(site.caller, written.key)) writes.push_back(written.key);
                const bool more_read = grow(reads_[site.caller], reads);
                if (grow(writes_[site.caller], writes) || more_read) ++changed[site.caller], again = true;
            }
        }
    }
};

}  // namespace codekin::flow::effect
