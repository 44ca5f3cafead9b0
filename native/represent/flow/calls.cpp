// Calls: which functions of the same text a call may run, by name and number of arguments.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "common/arrays.hpp"
#include "represent/flow/flow_ir.hpp"

namespace nb = nanobind;

namespace codekin::flow {
namespace {

using namespace effect;

class CallResolver {
  public:
    CallResolver(const FlowArrays &ir, int64_t limit)
        : ir_(ir), steps_(limit), depth_(ir.functions, 0), class_around_(ir.functions, -1) {
        for (int32_t f = 1; f < ir.functions; ++f) {
            depth_[f] = depth_[enclosing(f)] + 1;
            class_around_[f] = ir.function_owner(f) >= 0 ? ir.function_owner(f) : class_around_[enclosing(f)];
            by_name_.emplace_back(ir.function_name(f), f);
            if (ir.function_kind(f) == function_kind::CONSTRUCTOR)
                constructors_.emplace_back(ir.function_owner(f), f);
            if (ir.function_owner(f) >= 0) classes_.push_back(ir.function_owner(f));
        }
        for (int32_t o = 0; o < ir.operations; ++o)
            if (ir.kind(o) == operation_kind::CLASS) classes_.push_back(ir.name(o));
        number_scopes();
        find_given();
        std::sort(by_name_.begin(), by_name_.end());
        std::sort(constructors_.begin(), constructors_.end());
        std::sort(classes_.begin(), classes_.end());
        this_ = number_of("this");
        super_ = number_of("super");
    }

    // Whether the steps sufficed for all calls so far.
    bool is_complete() const { return steps_ >= 0; }

    // The functions that call number k may run, appended.
    void resolve(int32_t k, std::vector<int32_t> &found) {
        const size_t before = found.size();
        if (ir_.call_target(k) >= 0) {
            found.push_back(ir_.call_target(k));
            return;
        }
        if (ir_.call_name(k) < 0) return;
        switch (ir_.call_shape(k)) {
            case call_shape::CONSTRUCTION: constructors(k, ir_.call_name(k), found); break;
            case call_shape::MEMBER: member(k, found); break;
            case call_shape::OWN_MEMBER: own_member(k, found); break;
            default: plain(k, found);
        }
        std::sort(found.begin() + before, found.end());
        found.erase(std::unique(found.begin() + before, found.end()), found.end());
    }

  private:
    using Named = std::vector<std::pair<int32_t, int32_t>>;

    const FlowArrays &ir_;
    int64_t steps_;
    std::vector<int32_t> depth_, class_around_, scope_first_,
        scope_end_;                 // of functions: nesting, and as intervals
    Named by_name_, constructors_;  // (name or class, function)
    std::vector<int32_t> classes_;
    std::vector<uint8_t> given_;  // variables that some operation defines
    int32_t this_ = -1, super_ = -1;

    void find_given() {
        given_.assign(ir_.variables, 0);
        for (int32_t o = 0; o < ir_.operations; ++o)
            for (int32_t x = ir_.access_from(o); x < ir_.access_from(o + 1); ++x)
                if (ir_.access_mode(x) == access_mode::DEFINE) given_[ir_.access_variable(x)] = 1;
    }

    int32_t enclosing(int32_t f) const { return std::max(ir_.function_parent(f), 0); }

    int32_t number_of(std::string_view word) const {
        int32_t number = 0;
        for (nb::handle text : ir_.strings) {
            if (PyUnicode_GET_LENGTH(text.ptr()) == static_cast<Py_ssize_t>(word.size()) &&
                PyUnicode_CompareWithASCIIString(text.ptr(), word.data()) == 0)
                return number;
            ++number;
        }
        return -2;
    }

    // A function's interval holds those of the functions inside it.
    void number_scopes() {
        std::vector<int32_t> size(ir_.functions, 1), next(ir_.functions, 0);
        for (int32_t f = ir_.functions - 1; f > 0; --f) size[enclosing(f)] += size[f];
        scope_first_.assign(ir_.functions, 0);
        scope_end_.assign(ir_.functions, 0);
        for (int32_t f = 0; f < ir_.functions; ++f) {
            if (f > 0) scope_first_[f] = next[enclosing(f)], next[enclosing(f)] += size[f];
            scope_end_[f] = scope_first_[f] + size[f];
            next[f] = scope_first_[f] + 1;
        }
    }

    bool encloses(int32_t outer, int32_t inner) const {
        return scope_first_[outer] <= scope_first_[inner] && scope_first_[inner] < scope_end_[outer];
    }

    bool takes(int32_t f, int32_t arguments) const {
        if (arguments < 0) return true;  // a spread: nobody knows how many
        return ir_.function_least(f) <= arguments &&
               (ir_.function_most(f) < 0 || arguments <= ir_.function_most(f));
    }

    bool is_member(int32_t f) const {
        const uint8_t kind = ir_.function_kind(f);
        return kind == function_kind::METHOD || kind == function_kind::STATIC ||
               kind == function_kind::CONSTRUCTOR;
    }

    bool is_class(int32_t name) const { return std::binary_search(classes_.begin(), classes_.end(), name); }

    int32_t caller(int32_t k) const { return ir_.function(ir_.call_operation(k)); }

    // The class in whose methods a call stands.
    int32_t own_class(int32_t k) const { return class_around_[caller(k)]; }

    template <typename Visit> void each(const Named &named, int32_t name, Visit visit) {
        auto at = std::lower_bound(named.begin(), named.end(), std::make_pair(name, -1));
        for (; at != named.end() && at->first == name && --steps_ >= 0; ++at) visit(at->second);
    }

    // Members of that name and number of arguments, of one class or (-1) of any.
    void members(int32_t k, int32_t cls, std::vector<int32_t> &found, bool explicit_receiver = false) {
        const int32_t arguments = ir_.call_arguments(k);
        each(by_name_, ir_.call_name(k), [&](int32_t f) {
            if (!is_member(f) || (cls >= 0 && ir_.function_owner(f) != cls)) return;
            const bool shifted =
                explicit_receiver && arguments > 0 && ir_.function_kind(f) != function_kind::STATIC;
            if (takes(f, arguments) || (shifted && takes(f, arguments - 1))) found.push_back(f);
        });
    }

    // A class without such a method may inherit it, and a call of the method that it stands in
    // may be meant for the class above.
    void members_or_inherited(int32_t k, int32_t cls, std::vector<int32_t> &found) {
        const size_t before = found.size();
        members(k, cls, found);
        if (found.size() == before || (found.size() == before + 1 && found.back() == caller(k)))
            members(k, -1, found);
    }

    void constructors(int32_t k, int32_t cls, std::vector<int32_t> &found) {
        each(constructors_, cls, [&](int32_t f) {
            if (takes(f, ir_.call_arguments(k))) found.push_back(f);
        });
    }

    void member(int32_t k, std::vector<int32_t> &found) {
        const int32_t on = ir_.call_receiver(k), qualifier = ir_.call_owner(k);
        if (on >= 0 && ir_.variable_kind(on) == variable_kind::RECEIVER) return own_member(k, found);
        const int32_t type = on >= 0 ? ir_.variable_type(on) : qualifier == own_class(k) ? -1 : qualifier;
        if (type < 0) return members(k, -1, found);
        if (is_class(type)) members_or_inherited(k, type, found);
    }

    void own_member(int32_t k, std::vector<int32_t> &found) {
        const int32_t cls = own_class(k) >= 0 ? own_class(k) : ir_.call_owner(k), name = ir_.call_name(k);
        if (name == this_) return constructors(k, cls, found);
        if (name == super_) {
            for (const auto &[owner, f] : constructors_)
                if (--steps_ < 0)
                    return;
                else if (owner != cls && takes(f, ir_.call_arguments(k)))
                    found.push_back(f);
            return;
        }
        members_or_inherited(k, cls, found);
    }

    bool is_own_variable(int32_t v, int32_t name) const {
        const uint8_t kind = ir_.variable_kind(v);
        return ir_.variable_name(v) == name && given_[v] &&
               (kind == variable_kind::LOCAL || kind == variable_kind::PARAMETER);
    }

    // How deep the function lies whose variable is called, -1 if none is: that variable hides all
    // functions of its name that are declared outside. An argument of that name is not called.
    int32_t depth_of_called_variable(int32_t k) const {
        const int32_t o = ir_.call_operation(k), name = ir_.call_name(k);
        int32_t depth = -1, times = 0;
        for (int32_t x = ir_.access_from(o); x < ir_.access_from(o + 1); ++x) {
            const int32_t v = ir_.access_variable(x);
            if (ir_.access_mode(x) != access_mode::READ || !is_own_variable(v, name)) continue;
            ++times;
            depth = std::max(depth, depth_[std::max(ir_.variable_owner(v), 0)]);
        }
        for (int32_t x = ir_.argument_from(k); x < ir_.argument_from(k + 1); ++x)
            if (ir_.argument_variable(x) >= 0 && is_own_variable(ir_.argument_variable(x), name)) --times;
        return times > 0 ? depth : -1;
    }

    // A name means the innermost function that can be seen; in a class, also the class's own.
    void plain(int32_t k, std::vector<int32_t> &found) {
        const int32_t own = own_class(k), qualifier = ir_.call_owner(k);
        if (qualifier >= 0 && qualifier != own) {
            if (is_class(qualifier)) members(k, qualifier, found, true);
            return;
        }
        const size_t before = found.size();
        int32_t deepest = depth_of_called_variable(k);
        const int32_t hidden = deepest;
        each(by_name_, ir_.call_name(k), [&](int32_t f) {
            if (is_member(f) || !takes(f, ir_.call_arguments(k)) || !encloses(enclosing(f), caller(k)))
                return;
            if (depth_[f] <= hidden) return;
            if (depth_[f] > deepest) found.resize(before), deepest = depth_[f];
            if (depth_[f] == deepest) found.push_back(f);
        });
        if (own >= 0) {
            if (found.size() == before)
                members_or_inherited(k, own, found);
            else
                members(k, own, found);
        }
        if (found.size() == before && hidden < 0) constructors(k, ir_.call_name(k), found);
    }
};

// Pairs take memory by the number of arguments; `limit` of them are found, in as many steps as that
// times STEPS_PER_PAIR.
constexpr int64_t STEPS_PER_PAIR = 64;

nb::tuple resolve_calls(nb::object flow_ir, int64_t limit) {
    const FlowArrays ir(flow_ir);
    limit = std::min(std::max(limit, int64_t{0}), int64_t{INT32_MAX});
    CallResolver resolver(ir, limit * STEPS_PER_PAIR);
    std::vector<std::pair<int32_t, int32_t>> pairs;
    std::vector<int32_t> found;
    for (int32_t k = 0; k < ir.calls && limit >= 0; ++k) {
        found.clear();
        resolver.resolve(k, found);
        const auto arguments = static_cast<int64_t>(ir.argument_from(k + 1) - ir.argument_from(k));
        limit -= static_cast<int64_t>(found.size()) * (1 + arguments / STEPS_PER_PAIR);
        if (limit < 0) break;
        for (int32_t f : found) pairs.emplace_back(ir.call_operation(k), f);
    }
    const bool complete = resolver.is_complete() && limit >= 0;
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    std::vector<int32_t> operation, function;
    for (const auto &pair : pairs) operation.push_back(pair.first), function.push_back(pair.second);
    return nb::make_tuple(to_numpy(std::move(operation)), to_numpy(std::move(function)), complete);
}

}  // namespace

}  // namespace codekin::flow

namespace codekin {

void register_calls(nb::module_ &m) {
    using namespace flow;
    m.def("resolve_calls", &resolve_calls, nb::arg("ir"), nb::arg("limit"),
          "Arrays (call operation, function) of the calls to functions of the same text, sorted; whether "
          "they are all.");
}

}  // namespace codekin
