// Data flow of a program: which tokens have their value from which others.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/arrays.hpp"
#include "common/checks.hpp"
#include "common/token_ids.hpp"
#include "represent/flow/dataflow/rules.hpp"
#include "represent/flow/dataflow/walk.hpp"

namespace nb = nanobind;

namespace codekin::dataflow {

namespace {

// Names give way to numbers in the order in which the edges mention them, sources before targets.
std::vector<uint64_t> normalised(const Walk &walk) {
    std::vector<int32_t> number(walk.tokens.name_count(), -1);
    int32_t next = 0;
    std::vector<uint64_t> items;
    std::vector<uint64_t> item;
    for (const Edge &edge : walk.edges.all()) {
        item.clear();
        for (int32_t name : edge.sources) {
            if (number[name] < 0) number[name] = next++;
            item.push_back(static_cast<uint64_t>(number[name]));
        }
        const int32_t target = walk.tokens.name[edge.token];
        if (number[target] < 0) number[target] = next++;
        item.push_back(static_cast<uint64_t>(number[target]) << 1 | edge.relation);
        // Eight bytes a number: always long enough to be hashed, to 63 bits.
        items.push_back(token_id(reinterpret_cast<const char *>(item.data()), item.size() * 8));
    }
    return items;
}

nb::tuple dataflow(const DataflowRules &rules, nb::bytes data, ArrayIn<uint16_t> kind,
                   ArrayIn<uint16_t> field, ArrayIn<int32_t> parent, ArrayIn<int32_t> size,
                   ArrayIn<int32_t> start, ArrayIn<int32_t> end) {
    check::tree(data.size(), kind, field, parent, size, start, end);
    const TreeView tree{{data.c_str(), data.size()},
                        kind.data(),
                        field.data(),
                        parent.data(),
                        size.data(),
                        start.data(),
                        end.data(),
                        static_cast<int32_t>(kind.size())};
    std::vector<uint64_t> items;
    std::vector<int32_t> token_start, token_end, offsets{0}, source_start, source_end;
    std::vector<uint8_t> relation;
    {
        nb::gil_scoped_release unlocked;
        const Walk walk(tree, rules);
        items = normalised(walk);
        for (const Edge &edge : walk.edges.all()) {
            token_start.push_back(walk.tokens.start[edge.token]);
            token_end.push_back(walk.tokens.end[edge.token]);
            relation.push_back(edge.relation);
            for (int32_t source : edge.sources) {
                const int32_t token = walk.tokens.example(source);
                source_start.push_back(walk.tokens.start[token]);
                source_end.push_back(walk.tokens.end[token]);
            }
            offsets.push_back(static_cast<int32_t>(source_start.size()));
        }
    }
    return nb::make_tuple(to_numpy(std::move(items)), to_numpy(std::move(token_start)),
                          to_numpy(std::move(token_end)), to_numpy(std::move(relation)),
                          to_numpy(std::move(offsets)), to_numpy(std::move(source_start)),
                          to_numpy(std::move(source_end)));
}

}  // namespace

}  // namespace codekin::dataflow

namespace codekin {

void register_dataflow(nb::module_ &m) {
    using namespace dataflow;
    nb::class_<DataflowRules>(m, "DataflowRules")
        .def(nb::init<std::vector<std::string>, ArrayIn<uint16_t>, ArrayIn<uint8_t>,
                      std::vector<std::array<int32_t, 5>>>(),
             nb::arg("kinds"), nb::arg("flags"), nb::arg("rule_of"), nb::arg("rules"));
    m.def("dataflow", &dataflow::dataflow, nb::arg("rules"), nb::arg("data"), nb::arg("kind"),
          nb::arg("field"), nb::arg("parent"), nb::arg("size"), nb::arg("start"), nb::arg("end"),
          "Arrays (item, start, end, relation, offset, source start, source end) of the edges.");
}

}  // namespace codekin
