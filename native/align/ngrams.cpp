// N-gram statistics over token identities and over characters.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "align/ngram_overlap.hpp"
#include "common/arrays.hpp"
#include "common/bits.hpp"
#include "common/checks.hpp"
#include "common/text.hpp"
#include "common/token_ids.hpp"

namespace nb = nanobind;

namespace codekin {

namespace {

constexpr int MOST_ORDERS = 64;

constexpr int MOST_MASKED_ORDERS = 8;  // bits of a mask

using Mask = ArrayIn<uint8_t>;

Sequence<uint64_t> sequence(const ArrayIn<uint64_t> &ids, const Mask *dropped) {
    check::positions("tokens of a sequence", ids.size());
    Sequence<uint64_t> result{ids.data(), ids.size()};
    if (dropped) {
        check::same_length("the tokens", ids.size(), {{"their mask", dropped->size()}});
        result.dropped = dropped->data();
    }
    return result;
}

// [matches of order 1..n, candidate n-grams of order 1..n]
std::vector<int64_t> clipped_matches(ArrayIn<uint64_t> candidate, std::vector<ArrayIn<uint64_t>> references,
                                     int orders, std::optional<Mask> candidate_dropped,
                                     std::optional<std::vector<Mask>> references_dropped) {
    const bool masked = candidate_dropped.has_value();
    check::in_range("orders", orders, 1, masked ? MOST_MASKED_ORDERS : MOST_ORDERS);
    if (masked != references_dropped.has_value())
        check::refuse("candidate_dropped and references_dropped are given both or not at all");
    if (masked)
        check::same_length("references", references.size(),
                           {{"references_dropped", references_dropped->size()}});
    const auto from = sequence(candidate, masked ? &*candidate_dropped : nullptr);
    std::vector<Sequence<uint64_t>> into;
    for (size_t r = 0; r < references.size(); ++r)
        into.push_back(sequence(references[r], masked ? &(*references_dropped)[r] : nullptr));
    std::vector<int64_t> out(2 * orders);
    {
        nb::gil_scoped_release unlocked;
        thread_overlap().matches(from, into, orders, out.data());
        for (int n = 1; n <= orders; ++n) out[orders + n - 1] = from.total(n);
    }
    return out;
}

// For each position, bit n-1 tells whether the n-gram that begins there is one of the given ones.
class NgramSet {
  public:
    void add(const std::vector<uint64_t> &ngram) {
        check::in_range("tokens of an n-gram", static_cast<int64_t>(ngram.size()), 1, MOST_MASKED_ORDERS);
        uint64_t key = 0;
        for (size_t k = 0; k < ngram.size(); ++k) key = chained(key, ngram[k]);
        keys_[ngram.size() - 1].push_back(key);
        sorted_ = false;
    }

    Vector<uint8_t> mask(ArrayIn<uint64_t> ids) {
        sort();
        const size_t n = ids.size();
        std::vector<uint8_t> out(n, 0);
        for (size_t i = 0; i < n; ++i) {
            uint64_t key = 0;
            for (size_t k = 0; k < 8 && i + k < n; ++k) {
                key = chained(key, ids(i + k));
                if (std::binary_search(keys_[k].begin(), keys_[k].end(), key))
                    out[i] |= static_cast<uint8_t>(1u << k);
            }
        }
        return to_numpy(std::move(out));
    }

  private:
    static uint64_t chained(uint64_t key, uint64_t item) {
        return folded_product(key ^ item ^ 0xA0761D6478BD642Full, 0xE7037ED1A0B428DBull);
    }

    void sort() {
        if (sorted_) return;
        for (auto &keys : keys_) std::sort(keys.begin(), keys.end());
        sorted_ = true;
    }

    std::vector<uint64_t> keys_[8];
    bool sorted_ = true;
};

// [intersection, size of the first, size of the second] of two bags or sets of sorted numbers.
// Numbers out of order are counted wrong, and that is all: to look for them would take a third of the time.
nb::tuple sorted_overlap(ArrayIn<uint64_t> a, ArrayIn<uint64_t> b) {
    return nb::make_tuple(sorted_common(a.data(), a.size(), b.data(), b.size()), a.size(), b.size());
}

// Identities of the n-grams of a sequence, sorted; as a set where wanted.
Vector<uint64_t> sorted_ngrams(ArrayIn<uint64_t> ids, int order, bool unique) {
    check::in_range("order", order, 1, MOST_ORDERS);
    std::vector<uint64_t> keys;
    if (order == 1) {
        keys.assign(ids.data(), ids.data() + ids.size());
    } else {
        for (size_t i = 0; i + order <= ids.size(); ++i)
            keys.push_back(token_id(reinterpret_cast<const char *>(ids.data() + i), order * 8));
    }
    std::sort(keys.begin(), keys.end());
    if (unique) keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return to_numpy(std::move(keys));
}

std::vector<uint32_t> characters(nb::str text, bool whitespace) {
    std::vector<uint32_t> out;
    with_characters(text, [&](const auto *chars, size_t n) {
        out.reserve(n);
        for (size_t i = 0; i < n; ++i)
            if (whitespace || !is_space(chars[i])) out.push_back(chars[i]);
    });
    return out;
}

// sacrebleu's words for chrF++: a final punctuation mark is a word of its own, else a leading one.
std::vector<uint64_t> chrf_words(nb::str text) {
    std::vector<uint64_t> ids;
    TokenWriter word;
    with_characters(text, [&](const auto *chars, size_t n) {
        auto emit = [&](size_t from, size_t to) { ids.push_back(word.id(chars + from, to - from)); };
        for_each_word(chars, n, [&](size_t from, size_t to) {
            if (to - from == 1) {
                emit(from, to);
            } else if (is_ascii_punctuation(chars[to - 1])) {
                emit(from, to - 1), emit(to - 1, to);
            } else if (is_ascii_punctuation(chars[from])) {
                emit(from, from + 1), emit(from + 1, to);
            } else {
                emit(from, to);
            }
        });
    });
    return ids;
}

template <typename Item> void append_statistics(const std::vector<Item> &candidate,
                                                const std::vector<Item> &reference, int orders,
                                                std::vector<int64_t> &out) {
    if (orders == 0) return;
    const Sequence<Item> from{candidate.data(), candidate.size()};
    const std::vector<Sequence<Item>> into{{reference.data(), reference.size()}};
    std::vector<int64_t> matches(orders);
    thread_overlap().matches(from, into, orders, matches.data());
    for (int n = 1; n <= orders; ++n) {
        // An order that the reference has no n-gram of says nothing about the candidate either.
        out.push_back(into[0].total(n) > 0 ? from.total(n) : 0);
        out.push_back(into[0].total(n));
        out.push_back(matches[n - 1]);
    }
}

// For each character order, then each word order: candidate n-grams, reference n-grams, matches.
std::vector<int64_t> chrf_statistics(nb::str candidate, nb::str reference, int char_order, int word_order,
                                     bool whitespace) {
    check::in_range("char_order", char_order, 0, MOST_ORDERS - 1);
    check::in_range("word_order", word_order, 0, MOST_ORDERS - 1);
    const auto a = characters(candidate, whitespace), b = characters(reference, whitespace);
    std::vector<uint64_t> a_words, b_words;
    if (word_order > 0) a_words = chrf_words(candidate), b_words = chrf_words(reference);
    std::vector<int64_t> out;
    nb::gil_scoped_release unlocked;
    append_statistics(a, b, char_order, out);
    append_statistics(a_words, b_words, word_order, out);
    return out;
}

}  // namespace

void register_ngrams(nb::module_ &m) {
    m.def("clipped_matches", &clipped_matches, nb::arg("candidate"), nb::arg("references"), nb::arg("orders"),
          nb::arg("candidate_dropped") = nb::none(), nb::arg("references_dropped") = nb::none());
    m.def("sorted_overlap", &sorted_overlap, nb::arg("a"), nb::arg("b"));
    m.def("sorted_ngrams", &sorted_ngrams, nb::arg("ids"), nb::arg("order"), nb::arg("unique"));
    m.def("chrf_statistics", &chrf_statistics, nb::arg("candidate"), nb::arg("reference"),
          nb::arg("char_order"), nb::arg("word_order"), nb::arg("whitespace"));
    nb::class_<NgramSet>(m, "NgramSet")
        .def(nb::init<>())
        .def("add", &NgramSet::add, nb::arg("ngram"))
        .def("mask", &NgramSet::mask, nb::arg("ids"));
}

}  // namespace codekin
