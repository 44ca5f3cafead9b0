// Colour refinement: nodes identified by what is around them, a number of edges away.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/arrays.hpp"
#include "common/checks.hpp"
#include "represent/graph/features.hpp"

namespace nb = nanobind;

namespace codekin {
namespace {

// In each round, a node gets the sum over its neighbours: a multiset, which no order can change.
void refine(std::vector<uint64_t> &nodes, const ArrayIn<int32_t> &source, const ArrayIn<int32_t> &target,
            const ArrayIn<uint8_t> &link, int rounds) {
    std::vector<uint64_t> before(nodes.size()), after(nodes.size());
    for (int round = 0; round < rounds; ++round) {
        std::fill(before.begin(), before.end(), 0);
        std::fill(after.begin(), after.end(), 0);
        for (size_t e = 0; e < source.size(); ++e) {
            before[target(e)] += chained(scrambled(nodes[source(e)]), link(e));
            after[source(e)] += chained(scrambled(nodes[target(e)]), link(e));
        }
        for (size_t i = 0; i < nodes.size(); ++i)
            nodes[i] = chained(chained(scrambled(nodes[i]), before[i]), after[i]);
    }
}

Vector<uint64_t> refined_nodes(ArrayIn<uint64_t> nodes, ArrayIn<int32_t> source, ArrayIn<int32_t> target,
                               ArrayIn<uint8_t> link, int rounds) {
    check::positions("nodes", nodes.size());
    check::edges(source, target, static_cast<int64_t>(nodes.size()));
    check::same_length("source", source.size(), {{"link", link.size()}});
    check::in_range("rounds", rounds, 0, 1000);
    std::vector<uint64_t> refined(nodes.data(), nodes.data() + nodes.size());
    {
        nb::gil_scoped_release unlocked;
        refine(refined, source, target, link, rounds);
        std::sort(refined.begin(), refined.end());
    }
    return to_numpy(std::move(refined));
}

}  // namespace

void register_refinement(nb::module_ &m) {
    m.def("refined_nodes", &refined_nodes, nb::arg("nodes"), nb::arg("source"), nb::arg("target"),
          nb::arg("link"), nb::arg("rounds"));
}

}  // namespace codekin
