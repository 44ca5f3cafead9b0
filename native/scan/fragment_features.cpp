// The features of parts of a program, from the features of the whole.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "common/arrays.hpp"
#include "common/checks.hpp"
#include "represent/graph/features.hpp"

namespace nb = nanobind;

namespace codekin {
namespace {

using Bag = std::tuple<int, ArrayIn<int32_t>, ArrayIn<uint64_t>>;

// The features of one family in the order of their positions.
struct Placed {
    int family;
    std::vector<std::pair<int32_t, uint64_t>> features;
};

// bags: families, each with the position of every feature in the text.
// begin, end: the parts of the text.
// A sorted set of features per part comes back, with the number of each occurrence.
nb::tuple fragment_features(std::vector<Bag> bags, ArrayIn<int32_t> begin, ArrayIn<int32_t> end, int most) {
    check::in_range("most", most, 1, 255);
    check::same_length("begin", begin.size(), {{"end", end.size()}});
    std::vector<Placed> placed;
    for (const auto &[family, positions, features] : bags) {
        check::in_range("family", family, 0, FAMILIES - 1);
        check::same_length("positions", positions.size(), {{"features", features.size()}});
        Placed one{family, {}};
        for (size_t i = 0; i < features.size(); ++i) one.features.emplace_back(positions(i), features(i));
        placed.push_back(std::move(one));
    }
    std::vector<int64_t> offsets{0};
    std::vector<uint64_t> features;
    std::vector<uint8_t> ordinals;
    {
        nb::gil_scoped_release unlocked;
        for (Placed &one : placed) std::sort(one.features.begin(), one.features.end());
        std::vector<uint64_t> bag;
        for (size_t part = 0; part < begin.size(); ++part) {
            bag.clear();
            for (const Placed &one : placed) {
                auto at = std::lower_bound(one.features.begin(), one.features.end(),
                                           std::pair<int32_t, uint64_t>{begin(part), 0});
                for (; at != one.features.end() && at->first < end(part); ++at)
                    bag.push_back(of_family(at->second, one.family));
            }
            for (const auto &[feature, ordinal] : set_of_bag(bag, most))
                features.push_back(feature), ordinals.push_back(ordinal);
            offsets.push_back(static_cast<int64_t>(features.size()));
        }
    }
    return nb::make_tuple(to_numpy(std::move(offsets)), to_numpy(std::move(features)),
                          to_numpy(std::move(ordinals)));
}

// The statements of fragments as sets: the k-th occurrence of a statement is an element of its own.
// A set per fragment comes back, with the weight of each element.
nb::tuple statement_sets(ArrayIn<uint64_t> ids, ArrayIn<uint8_t> weights, ArrayIn<int32_t> begin,
                         ArrayIn<int32_t> end) {
    check::same_length("ids", ids.size(), {{"weights", weights.size()}});
    check::same_length("begin", begin.size(), {{"end", end.size()}});
    check::all_in_range("begin", begin, 0, static_cast<int64_t>(ids.size()) + 1);
    check::all_in_range("end", end, 0, static_cast<int64_t>(ids.size()) + 1);
    std::vector<int64_t> offsets{0};
    std::vector<uint64_t> elements;
    std::vector<uint8_t> heavy;
    {
        nb::gil_scoped_release unlocked;
        std::vector<std::pair<uint64_t, uint8_t>> bag;
        for (size_t part = 0; part < begin.size(); ++part) {
            bag.clear();
            for (int32_t i = begin(part); i < end(part); ++i) bag.emplace_back(ids(i), weights(i));
            std::sort(bag.begin(), bag.end());
            uint64_t k = 0;
            for (size_t i = 0; i < bag.size(); ++i) {
                k = i > 0 && bag[i].first == bag[i - 1].first ? k + 1 : 0;
                elements.push_back(chained(bag[i].first, k)), heavy.push_back(bag[i].second);
            }
            offsets.push_back(static_cast<int64_t>(elements.size()));
        }
    }
    return nb::make_tuple(to_numpy(std::move(offsets)), to_numpy(std::move(elements)),
                          to_numpy(std::move(heavy)));
}

// The weight of the different statements of each stretch; what is repeated counts once.
Vector<int32_t> distinct_weights(ArrayIn<uint64_t> ids, ArrayIn<uint8_t> weights, ArrayIn<int32_t> begin,
                                 ArrayIn<int32_t> end) {
    check::same_length("ids", ids.size(), {{"weights", weights.size()}});
    check::same_length("begin", begin.size(), {{"end", end.size()}});
    check::all_in_range("begin", begin, 0, static_cast<int64_t>(ids.size()) + 1);
    check::all_in_range("end", end, 0, static_cast<int64_t>(ids.size()) + 1);
    std::vector<int32_t> out;
    {
        nb::gil_scoped_release unlocked;
        std::vector<std::pair<uint64_t, uint8_t>> bag;
        for (size_t part = 0; part < begin.size(); ++part) {
            bag.clear();
            for (int32_t i = begin(part); i < end(part); ++i) bag.emplace_back(ids(i), weights(i));
            std::sort(bag.begin(), bag.end());
            int32_t sum = 0;
            for (size_t i = 0; i < bag.size(); ++i)
                if (i == 0 || bag[i].first != bag[i - 1].first) sum += bag[i].second;
            out.push_back(sum);
        }
    }
    return to_numpy(std::move(out));
}

// A number for each stretch of tokens, equal for equal ones.
Vector<uint64_t> sequence_ids(ArrayIn<uint32_t> ids, ArrayIn<int32_t> begin, ArrayIn<int32_t> end) {
    check::spans(begin, end, ids.size());
    std::vector<uint64_t> out(begin.size());
    {
        nb::gil_scoped_release unlocked;
        for (size_t part = 0; part < out.size(); ++part) {
            uint64_t sum = static_cast<uint64_t>(end(part) - begin(part));
            for (int32_t i = begin(part); i < end(part); ++i) sum = sum * 0x9E3779B97F4A7C15ull + ids(i) + 1;
            out[part] = scrambled(sum);
        }
    }
    return to_numpy(std::move(out));
}

}  // namespace

void register_fragment_features(nb::module_ &m) {
    m.def("fragment_features", &fragment_features, nb::arg("bags"), nb::arg("begin"), nb::arg("end"),
          nb::arg("most"), "Arrays (offsets, features, occurrences) of the features of parts of a text.");
    m.def("statement_sets", &statement_sets, nb::arg("ids"), nb::arg("weights"), nb::arg("begin"),
          nb::arg("end"), "Arrays (offsets, elements, weights) of the statements of fragments.");
    m.def("distinct_weights", &distinct_weights, nb::arg("ids"), nb::arg("weights"), nb::arg("begin"),
          nb::arg("end"), "The weight of the different statements of each stretch.");
    m.def("sequence_ids", &sequence_ids, nb::arg("ids"), nb::arg("begin"), nb::arg("end"),
          "A number for each stretch of tokens, equal for equal ones.");
}

}  // namespace codekin
