// Effects: which locations each operation uses and defines, with what the functions it calls do.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/arrays.hpp"
#include "common/checks.hpp"
#include "represent/flow/effects/aliases.hpp"
#include "represent/flow/effects/frames.hpp"
#include "represent/flow/effects/summaries.hpp"
#include "represent/flow/effects/touches.hpp"
#include "represent/flow/effects/values.hpp"
#include "represent/flow/flow_ir.hpp"

namespace nb = nanobind;

namespace codekin::flow {
namespace {

using namespace effect;

// Functions that run before anything calls them: not reached by calls from the top-level code.
std::vector<int32_t> uncalled(const FlowArrays &ir, const Frames &frames) {
    std::vector<std::vector<int32_t>> callees(ir.functions);
    std::vector<uint8_t> called(ir.functions, 0), reached(ir.functions, 0);
    for (const Site &site : frames.sites) {
        callees[site.caller].push_back(site.callee);
        if (site.caller != site.callee) called[site.callee] = 1;
    }
    std::vector<int32_t> pending, roots;
    const auto reach = [&](int32_t f) {
        if (reached[f]) return false;
        reached[f] = 1;
        pending.assign(1, f);
        while (!pending.empty()) {
            const int32_t at = pending.back();
            pending.pop_back();
            for (int32_t callee : callees[at])
                if (!reached[callee]) reached[callee] = 1, pending.push_back(callee);
        }
        return true;
    };
    reach(0);
    for (int32_t f = 1; f < ir.functions; ++f)
        if (!called[f] && reach(f)) roots.push_back(ir.function_first(f));
    for (int32_t f = 1; f < ir.functions; ++f)
        if (reach(f)) roots.push_back(ir.function_first(f));
    std::sort(roots.begin(), roots.end());
    return roots;
}

// The touches of all operations as numbered locations: bindings by their variable, then what
// alias classes hold and something defines.
struct Numbered {
    std::vector<int32_t> use_from{0}, use, definition_from{0}, definition, variable, field;
    std::vector<uint8_t> strong;
};

class Numbering {
  public:
    Numbering(const FlowArrays &ir, Budget &budget) : ir_(ir), budget_(budget) {}

    // The touches of the next operation; several ways may lead to one location.
    void add(Touches &touches) {
        sort_unique(touches.uses);
        sort_unique(touches.definitions);
        const bool fits = budget_.keep(touches.uses.size() + 2 * touches.definitions.size());
        for (Key key : touches.uses)
            if (fits || part_of(key) == BINDING) uses_.push_back(key);
        for (const Written &written : touches.definitions)
            if (fits || part_of(written.key) == BINDING) definitions_.push_back(written);
        use_from_.push_back(uses_.size());
        definition_from_.push_back(definitions_.size());
    }

    Numbered number() {
        weaken_fields();
        for (const Written &written : definitions_)
            if (part_of(written.key) > FIELDS) held_.push_back(written.key);
        sort_unique(held_);
        Numbered out;
        for (int32_t o = 0; o < ir_.operations; ++o) number_operation(o, out);
        for (int32_t v = 0; v < ir_.variables; ++v) out.variable.push_back(v), out.field.push_back(-2);
        for (Key key : held_) {
            out.variable.push_back(number_of(key) < ir_.variables ? number_of(key) : -1);
            out.field.push_back(static_cast<int32_t>(part_of(key)) - static_cast<int32_t>(FIRST_FIELD));
            if (part_of(key) == STATE) out.field.back() = -3;
        }
        return out;
    }

  private:
    const FlowArrays &ir_;
    Budget &budget_;
    std::vector<Key> uses_, held_;
    std::vector<Written> definitions_;
    std::vector<size_t> use_from_{0}, definition_from_{0};
    std::vector<std::pair<int32_t, uint8_t>> now_;

    // A field of a class that a function changes in its own object, and perhaps in another.
    void weaken_fields() {
        const auto each = [&](auto visit) {
            for (int32_t o = 0; o < ir_.operations; ++o)
                for (size_t i = definition_from_[o]; i < definition_from_[o + 1]; ++i)
                    if (part_of(definitions_[i].key) == BINDING) visit(ir_.function(o), definitions_[i]);
        };
        std::vector<std::pair<int32_t, int32_t>> weak;
        each([&](int32_t f, Written &written) {
            const int32_t v = number_of(written.key);
            if (ir_.variable_kind(v) == variable_kind::FIELD && !written.strong) weak.emplace_back(f, v);
        });
        if (weak.empty()) return;
        std::sort(weak.begin(), weak.end());
        each([&](int32_t f, Written &written) {
            if (written.strong &&
                std::binary_search(weak.begin(), weak.end(), std::make_pair(f, number_of(written.key))))
                written.strong = false;
        });
    }

    // Visits the locations that a key stands for: those that something defines.
    template <typename Visit> void each_location(Key key, Visit visit) {
        if (part_of(key) == BINDING) return visit(number_of(key));
        const bool one = part_of(key) > FIELDS;
        const Key first = one ? key : key_of(number_of(key), part_of(key) == ALL ? STATE : FIRST_FIELD);
        const Key end = one ? key + 1 : key_of(number_of(key) + 1, 0);
        for (auto at = std::lower_bound(held_.begin(), held_.end(), first);
             at != held_.end() && *at < end && budget_.take() && budget_.keep(1); ++at)
            visit(ir_.variables + static_cast<int32_t>(at - held_.begin()));
    }

    void number_operation(int32_t o, Numbered &out) {
        const auto collect = [&](Key key, bool strong) {
            each_location(key, [&](int32_t location) { now_.emplace_back(location, strong ? 0 : 1); });
        };
        const auto finish = [&](auto put) {
            std::sort(now_.begin(), now_.end());
            for (size_t i = 0; i < now_.size(); ++i)
                if (i == 0 || now_[i].first != now_[i - 1].first) put(now_[i].first, now_[i].second == 0);
            now_.clear();
        };
        for (size_t i = use_from_[o]; i < use_from_[o + 1]; ++i) collect(uses_[i], true);
        finish([&](int32_t location, bool) { out.use.push_back(location); });
        for (size_t i = definition_from_[o]; i < definition_from_[o + 1]; ++i)
            collect(definitions_[i].key, definitions_[i].strong);
        finish([&](int32_t location, bool strong) {
            out.definition.push_back(location);
            out.strong.push_back(strong);
        });
        out.use_from.push_back(static_cast<int32_t>(out.use.size()));
        out.definition_from.push_back(static_cast<int32_t>(out.definition.size()));
    }
};

Numbered touched(const FlowArrays &ir, Frames &frames, AliasClasses &classes, Unknown unknown, bool summaries,
                 Budget &budget) {
    Touches touches(ir, frames, classes, unknown, summaries, budget);
    Numbering numbering(ir, budget);
    std::unique_ptr<Summaries> known;
    if (summaries) {
        FunctionValues(ir, frames, classes, budget).add_sites();
        if (!frames.sites.empty()) known = std::make_unique<Summaries>(ir, frames, classes, touches, budget);
    }
    std::vector<std::pair<int32_t, size_t>> sites;
    for (size_t s = 0; known && s < frames.sites.size(); ++s)
        sites.emplace_back(frames.sites[s].operation, s);
    std::sort(sites.begin(), sites.end());
    auto next = sites.begin();
    for (int32_t o = 0; o < ir.operations; ++o) {
        touches.gather(o);
        for (; next != sites.end() && next->first == o; ++next) known->at_site(next->second);
        numbering.add(touches);
    }
    return numbering.number();
}

nb::tuple effects(nb::object flow_ir, ArrayIn<int32_t> call, ArrayIn<int32_t> callee,
                  const std::string &unknown, bool summaries, int64_t limit) {
    const FlowArrays ir(flow_ir);
    check::same_length("call", call.size(), {{"callee", callee.size()}});
    check::all_in_range("call", call, 0, ir.operations);
    check::all_in_range("callee", callee, 0, ir.functions);
    if (unknown != "receiver" && unknown != "pure" && unknown != "arguments")
        throw nb::value_error("unknown must be 'receiver', 'pure' or 'arguments'");
    const Unknown policy = unknown == "pure"        ? Unknown::PURE
                           : unknown == "arguments" ? Unknown::ARGUMENTS
                                                    : Unknown::RECEIVER;
    Frames frames(ir, call, callee);
    Numbered out;
    Budget budget{limit};
    {
        nb::gil_scoped_release unlocked;
        AliasClasses classes(ir, frames, summaries, budget);
        out = touched(ir, frames, classes, policy, summaries, budget);
    }
    return nb::make_tuple(to_numpy(std::move(out.use_from)), to_numpy(std::move(out.use)),
                          to_numpy(std::move(out.definition_from)), to_numpy(std::move(out.definition)),
                          to_numpy(std::move(out.strong)), to_numpy(std::move(out.variable)),
                          to_numpy(std::move(out.field)), to_numpy(uncalled(ir, frames)), !budget.is_spent());
}

}  // namespace

}  // namespace codekin::flow

namespace codekin {

void register_effects(nb::module_ &m) {
    using namespace flow;
    m.def(
        "effects", &effects, nb::arg("ir"), nb::arg("call"), nb::arg("callee"), nb::arg("unknown"),
        nb::arg("summaries"), nb::arg("limit"),
        "Uses and definitions of locations by operation; the functions nobody calls; whether these are all.");
}

}  // namespace codekin
