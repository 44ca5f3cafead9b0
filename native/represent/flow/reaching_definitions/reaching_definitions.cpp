// Reaching definitions: which operation's definition of a location which other operation may use.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/arrays.hpp"
#include "common/checks.hpp"
#include "represent/flow/reaching_definitions/blocks.hpp"
#include "represent/flow/reaching_definitions/values.hpp"

namespace nb = nanobind;

namespace codekin::flow {
namespace {

using namespace reaching;

constexpr uint8_t LAST_REAL_EDGE = 3;  // what is above is no way that a run takes
constexpr int64_t STEPS_PER_PAIR = 32;
constexpr int64_t MOST_LIMIT = INT64_MAX / STEPS_PER_PAIR - 1;

// What happens to each location, in the order of the ranks.
struct Events {
    std::vector<int32_t> use_offsets, definition_offsets, uses;
    std::vector<Definition> definitions;
    int32_t locations = 0;

    Events(const Blocks &blocks, const ArrayIn<int32_t> &use_from, const ArrayIn<int32_t> &use,
           const ArrayIn<int32_t> &definition_from, const ArrayIn<int32_t> &definition,
           const ArrayIn<uint8_t> &strong) {
        for (size_t i = 0; i < use.size(); ++i) locations = std::max(locations, use(i) + 1);
        for (size_t i = 0; i < definition.size(); ++i) locations = std::max(locations, definition(i) + 1);
        use_offsets = offsets(use);
        definition_offsets = offsets(definition);
        uses.resize(use.size());
        definitions.resize(definition.size());
        std::vector<int32_t> next_use(use_offsets), next_definition(definition_offsets);
        const auto operations = static_cast<int32_t>(use_from.size()) - 1;
        for (int32_t rank = 0; rank < static_cast<int32_t>(blocks.node_at.size()); ++rank) {
            const int32_t node = blocks.node_at[rank];
            if (node >= operations) continue;
            for (int32_t i = use_from(node); i < use_from(node + 1); ++i) uses[next_use[use(i)]++] = rank;
            for (int32_t i = definition_from(node); i < definition_from(node + 1); ++i)
                definitions[next_definition[definition(i)]++] = {rank, strong(i) != 0};
        }
    }

  private:
    std::vector<int32_t> offsets(const ArrayIn<int32_t> &location) const {
        std::vector<int32_t> from(static_cast<size_t>(locations) + 1, 0);
        for (size_t i = 0; i < location.size(); ++i) ++from[location(i) + 1];
        for (int32_t l = 0; l < locations; ++l) from[l + 1] += from[l];
        return from;
    }
};

struct Triples {
    std::vector<int32_t> definition, use, location;
    bool complete = true;

    // Stable, so that what was sorted by location before stays so among equals.
    void sort_by(const std::vector<int32_t> &key, int32_t keys) {
        std::vector<int32_t> next(static_cast<size_t>(keys) + 1, 0);
        for (int32_t k : key) ++next[k + 1];
        for (int32_t k = 0; k < keys; ++k) next[k + 1] += next[k];
        Triples sorted;
        sorted.definition.resize(key.size());
        sorted.use.resize(key.size());
        sorted.location.resize(key.size());
        for (size_t i = 0; i < key.size(); ++i) {
            const int32_t to = next[key[i]]++;
            sorted.definition[to] = definition[i];
            sorted.use[to] = use[i];
            sorted.location[to] = location[i];
        }
        definition.swap(sorted.definition);
        use.swap(sorted.use);
        location.swap(sorted.location);
    }

    // An operation that defines a location twice gave its pairs twice.
    void make_unique() {
        size_t kept = 0;
        for (size_t i = 0; i < use.size(); ++i) {
            if (kept > 0 && definition[i] == definition[kept - 1] && use[i] == use[kept - 1] &&
                location[i] == location[kept - 1])
                continue;
            definition[kept] = definition[i];
            use[kept] = use[i];
            location[kept++] = location[i];
        }
        definition.resize(kept);
        use.resize(kept);
        location.resize(kept);
    }
};

void pair_location(const Blocks &blocks, const Events &events, int32_t location, Values &values,
                   int64_t limit, int64_t &steps, Triples &out) {
    const int32_t *use = events.uses.data() + events.use_offsets[location];
    const int32_t *use_end = events.uses.data() + events.use_offsets[location + 1];
    const Definition *definition = events.definitions.data() + events.definition_offsets[location];
    const Definition *definition_end = events.definitions.data() + events.definition_offsets[location + 1];
    if (use == use_end || definition == definition_end) return;
    const int64_t most = (limit + 1) * STEPS_PER_PAIR;
    if (!values.build(location, definition, definition_end, use, use_end, steps, most)) {
        out.complete = false;
        return;
    }
    for (size_t i = 0; use + i != use_end && out.complete; ++i) {
        const int32_t node = blocks.node_at[use[i]];
        if (i > 0 && use[i - 1] == use[i]) continue;  // named twice
        out.complete = values.for_each_definition(values.seen_by(i), steps, [&](int32_t rank) {
            if (static_cast<int64_t>(out.use.size()) >= limit || steps > most) return false;
            out.definition.push_back(blocks.node_at[rank]);
            out.use.push_back(node);
            out.location.push_back(location);
            return true;
        });
    }
}

Triples reaching(int32_t nodes, const std::vector<std::pair<int32_t, int32_t>> &edges,
                 const std::vector<int32_t> &entries, const ArrayIn<int32_t> &use_from,
                 const ArrayIn<int32_t> &use, const ArrayIn<int32_t> &definition_from,
                 const ArrayIn<int32_t> &definition, const ArrayIn<uint8_t> &strong, int64_t limit) {
    std::vector<uint8_t> defines(nodes, 0);
    for (size_t i = 0; i + 1 < definition_from.size(); ++i)
        defines[i] = definition_from(i) < definition_from(i + 1);
    const Blocks blocks(nodes, edges, entries, defines);
    const Events events(blocks, use_from, use, definition_from, definition, strong);
    Values values(blocks);
    Triples triples;
    int64_t steps = 0;
    for (int32_t l = 0; l < events.locations && triples.complete; ++l)
        pair_location(blocks, events, l, values, limit, steps, triples);
    triples.complete = triples.complete && blocks.complete;
    triples.sort_by(std::vector<int32_t>(triples.use), nodes);
    triples.sort_by(std::vector<int32_t>(triples.definition), nodes);
    triples.make_unique();
    return triples;
}

// Lists of locations, one for each operation.
void check_lists(const char *from, const ArrayIn<int32_t> &offsets, const char *name,
                 const ArrayIn<int32_t> &items, size_t operations) {
    constexpr int64_t MOST_LOCATIONS = 1 << 24;  // memory is spent on each of them
    check::offsets(from, offsets, operations, items.size());
    check::all_in_range(name, items, 0, MOST_LOCATIONS);
}

nb::tuple reaching_definitions(int32_t nodes, ArrayIn<int32_t> source, ArrayIn<int32_t> target,
                               ArrayIn<uint8_t> kind, ArrayIn<int32_t> entry, ArrayIn<int32_t> late_entry,
                               int32_t before_late, ArrayIn<int32_t> use_from, ArrayIn<int32_t> use,
                               ArrayIn<int32_t> definition_from, ArrayIn<int32_t> definition,
                               ArrayIn<uint8_t> strong, int64_t limit) {
    if (use_from.size() == 0) check::refuse("use_from must begin with 0, but is empty");
    const size_t operations = use_from.size() - 1;
    check::not_far_beyond("nodes", nodes, operations + 2 * source.size() + entry.size() + late_entry.size());
    check::at_most("operations", operations, static_cast<uint64_t>(nodes));
    check::edges(source, target, nodes);
    check::same_length("source", source.size(), {{"kind", kind.size()}});
    check::all_in_range("entry", entry, 0, nodes);
    check::all_in_range("late_entry", late_entry, 0, nodes);
    check::in_range("before_late", before_late, -1, nodes - 1);
    check_lists("use_from", use_from, "use", use, operations);
    check_lists("definition_from", definition_from, "definition", definition, operations);
    check::same_length("definition", definition.size(), {{"strong", strong.size()}});
    check::in_range("limit", limit, 0, MOST_LIMIT);
    Triples triples;
    {
        nb::gil_scoped_release unlocked;
        std::vector<std::pair<int32_t, int32_t>> edges;
        edges.reserve(source.size() + late_entry.size());
        for (size_t i = 0; i < source.size(); ++i)
            if (kind(i) <= LAST_REAL_EDGE) edges.emplace_back(source(i), target(i));
        for (size_t i = 0; before_late >= 0 && i < late_entry.size(); ++i)
            edges.emplace_back(before_late, late_entry(i));
        const std::vector<int32_t> entries(entry.data(), entry.data() + entry.size());
        triples = reaching(nodes, edges, entries, use_from, use, definition_from, definition, strong, limit);
    }
    return nb::make_tuple(to_numpy(std::move(triples.definition)), to_numpy(std::move(triples.use)),
                          to_numpy(std::move(triples.location)), triples.complete);
}

}  // namespace

}  // namespace codekin::flow

namespace codekin {

void register_reaching_definitions(nb::module_ &m) {
    using namespace flow;
    m.def("reaching_definitions", &reaching_definitions, nb::arg("nodes"), nb::arg("source"),
          nb::arg("target"), nb::arg("kind"), nb::arg("entry"), nb::arg("late_entry"), nb::arg("before_late"),
          nb::arg("use_from"), nb::arg("use"), nb::arg("definition_from"), nb::arg("definition"),
          nb::arg("strong"), nb::arg("limit"),
          "Arrays (definition, use, location), sorted, and whether they are all.");
}

}  // namespace codekin
