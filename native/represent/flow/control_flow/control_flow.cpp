// The control-flow graph of every function of a flow IR.
#include "represent/flow/control_flow/control_flow.hpp"

#include <nanobind/nanobind.h>

#include "common/arrays.hpp"
#include "common/checks.hpp"
#include "represent/flow/control_flow/closing.hpp"
#include "represent/flow/control_flow/reader.hpp"

namespace nb = nanobind;

namespace codekin::flow {
namespace {

using namespace control;

constexpr size_t MOST = size_t{1} << 28;  // so that node numbers of all kinds fit

std::vector<Routine> routines_of(const ArrayIn<int32_t> &first_operation,
                                 const ArrayIn<int32_t> &end_operation, const ArrayIn<int32_t> &first_item,
                                 const ArrayIn<int32_t> &end_item, size_t operations, size_t items) {
    const size_t count = first_operation.size();
    check::same_length("first_operation", count,
                       {{"end_operation", end_operation.size()},
                        {"first_item", first_item.size()},
                        {"end_item", end_item.size()}});
    for (const auto &[name, size] :
         {check::Length{"functions", count}, {"operations", operations}, {"items", items}})
        check::at_most(name, size, MOST);
    const auto in = [](int32_t first, int32_t end, size_t size) {
        return first >= 0 && first <= end && static_cast<size_t>(end) <= size;
    };
    std::vector<Routine> routines;
    size_t read = 0, run = 0;
    for (size_t f = 0; f < count; ++f) {
        const Routine of{first_operation(f), end_operation(f), first_item(f), end_item(f)};
        if (!in(of.first_operation, of.end_operation, operations) || !in(of.first_item, of.end_item, items))
            check::refuse("function " + std::to_string(f) +
                          " does not lie in the arrays of operations and items");
        read += of.end_item - of.first_item, run += of.end_operation - of.first_operation;
        routines.push_back(of);
    }
    // Each item and operation belongs to one function at most; so the work is linear.
    if (read > items || run > operations)
        check::refuse("the arrays of functions overlap: an item or operation belongs to more than one");
    return routines;
}

void draw(ControlGraph &graph, const std::vector<Routine> &routines, const Items &items, size_t item_count,
          const uint8_t *kind, const uint8_t *flags, const Options &options) {
    const auto operations = graph.operations;
    const size_t likely = operations + operations / 2 + 2 * routines.size();
    graph.source.reserve(likely), graph.target.reserve(likely), graph.kind.reserve(likely);
    graph.decides.resize(operations + routines.size(), -1);
    std::vector<int32_t> function(graph.decides.size(), -1);
    Outline outline(item_count, operations);
    Reader reader(graph, items, kind, flags, outline, options);
    for (size_t f = 0; f < routines.size(); ++f) {
        const auto number = static_cast<int32_t>(f);
        const Routine &of = routines[f];
        outline.read(items, of);
        reader.read(of, graph.exit(number));
        for (int32_t op = of.first_operation; op < of.end_operation; ++op) function[op] = number;
        function[graph.exit(number)] = number;
        function.resize(graph.decides.size(), number);
    }
    for (int32_t v = 0; v < operations; ++v) graph.decides[v] = v;
    Closing::add(graph, function);
}

// Arrays (source, target, kind, decides, choice, chosen_by, closing).
nb::tuple control_flow(ArrayIn<int32_t> first_operation, ArrayIn<int32_t> end_operation,
                       ArrayIn<int32_t> first_item, ArrayIn<int32_t> end_item, ArrayIn<uint8_t> kind,
                       ArrayIn<uint8_t> flags, ArrayIn<uint8_t> code, ArrayIn<int32_t> a, ArrayIn<int32_t> b,
                       bool fold, bool jumps, bool raising) {
    check::same_length("kind", kind.size(), {{"flags", flags.size()}});
    check::same_length("code", code.size(), {{"a", a.size()}, {"b", b.size()}});
    const auto routines =
        routines_of(first_operation, end_operation, first_item, end_item, kind.size(), code.size());
    ControlGraph graph;
    graph.operations = static_cast<int32_t>(kind.size());
    graph.functions = static_cast<int32_t>(routines.size());
    try {
        nb::gil_scoped_release unlocked;
        draw(graph, routines, {code.data(), a.data(), b.data()}, code.size(), kind.data(), flags.data(),
             {fold, jumps, raising});
    } catch (const std::invalid_argument &problem) {
        throw nb::value_error(problem.what());
    }
    return nb::make_tuple(to_numpy(std::move(graph.source)), to_numpy(std::move(graph.target)),
                          to_numpy(std::move(graph.kind)), to_numpy(std::move(graph.decides)),
                          to_numpy(std::move(graph.choice)), to_numpy(std::move(graph.chosen_by)),
                          to_numpy(std::move(graph.closing)));
}

}  // namespace

}  // namespace codekin::flow

namespace codekin {

void register_control_flow(nb::module_ &m) {
    using namespace flow;
    m.def("control_flow", &control_flow, nb::arg("first_operation"), nb::arg("end_operation"),
          nb::arg("first_item"), nb::arg("end_item"), nb::arg("kind"), nb::arg("flags"), nb::arg("code"),
          nb::arg("a"), nb::arg("b"), nb::arg("fold"), nb::arg("jumps"), nb::arg("raising"),
          "Arrays (source, target, kind, decides, choice, chosen_by, closing) of a flow IR.");
}

}  // namespace codekin
