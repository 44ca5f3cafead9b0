// How long the longest common subsequence of each of many pairs of sequences is.
//
// Most pairs of a large set have little in common, and nobody asks how little. A pair is given up as soon as
// it cannot share enough of the longer sequence: by the lengths, then by the tokens that both have in any
// order. For the others, rows of the table of lengths are words of bits (Hyyrö 2004). Pairs that follow one
// another with the same first sequence share what is computed about it.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "align/lcs.hpp"
#include "common/arrays.hpp"
#include "common/bits.hpp"
#include "common/checks.hpp"

namespace nb = nanobind;

namespace codekin {
namespace {

constexpr int32_t GIVEN_UP = -1;
constexpr size_t WORD = 64;

struct Run {
    int32_t id, count;
};

struct Sequence {
    const int32_t *at;
    size_t size;
};

// The different tokens of each sequence, with how often each occurs.
class Bags {
  public:
    Bags(const ArrayIn<int64_t> &offsets, const ArrayIn<int32_t> &ids) {
        const size_t size = offsets.size() - 1;
        starts_.reserve(size + 1);
        starts_.push_back(0);
        std::vector<int32_t> sorted;
        for (size_t i = 0; i < size; ++i) {
            sorted.assign(ids.data() + offsets(i), ids.data() + offsets(i + 1));
            std::sort(sorted.begin(), sorted.end());
            for (size_t k = 0; k < sorted.size();) {
                size_t end = k + 1;
                while (end < sorted.size() && sorted[end] == sorted[k]) ++end;
                runs_.push_back({sorted[k], static_cast<int32_t>(end - k)});
                k = end;
            }
            starts_.push_back(runs_.size());
        }
    }

    const Run *begin(size_t one) const { return runs_.data() + starts_[one]; }
    const Run *end(size_t one) const { return runs_.data() + starts_[one + 1]; }

  private:
    std::vector<Run> runs_;
    std::vector<size_t> starts_;
};

// One sequence that others are compared with.
class Pattern {
  public:
    explicit Pattern(size_t alphabet) : counts_(alphabet, 0), number_(alphabet, -1) {}

    void set(Sequence sequence, const Run *begin, const Run *end) {
        for (const Run *run = begin_; run != end_; ++run) counts_[run->id] = 0, number_[run->id] = -1;
        sequence_ = sequence, begin_ = begin, end_ = end;
        int32_t number = 0;
        for (const Run *run = begin; run != end; ++run)
            counts_[run->id] = run->count, number_[run->id] = number++;
        has_masks_ = false;
    }

    // How many tokens are common in any order.
    size_t shared(const Run *begin, const Run *end) const {
        size_t found = 0;
        for (const Run *run = begin; run != end; ++run) found += std::min(counts_[run->id], run->count);
        return found;
    }

    size_t common(Sequence other) {
        const size_t words = (sequence_.size + WORD - 1) / WORD;
        if (static_cast<size_t>(end_ - begin_) * words > MOST_MASKS) return long_common(other);
        if (!has_masks_) make_masks(words);
        row_.assign(words, ~uint64_t{0});
        for (size_t j = 0; j < other.size; ++j) {
            const int32_t number = number_[other.at[j]];
            if (number < 0) continue;
            const uint64_t *mask = masks_.data() + static_cast<size_t>(number) * words;
            uint64_t carry = 0;
            for (size_t w = 0; w < words; ++w) {
                const uint64_t row = row_[w], hits = row & mask[w];
                const uint64_t sum = row + hits, carried = sum + carry;
                carry = (sum < row) | (carried < sum);
                row_[w] = carried | (row - hits);
            }
        }
        size_t found = 0;
        for (size_t w = 0; w < words; ++w) {
            uint64_t zeros = ~row_[w];
            if (w + 1 == words && sequence_.size % WORD) zeros &= (uint64_t{1} << sequence_.size % WORD) - 1;
            found += static_cast<size_t>(popcount(zeros));
        }
        return found;
    }

  private:
    static constexpr size_t MOST_MASKS = size_t{1} << 22;  // 32 MiB

    void make_masks(size_t words) {
        masks_.assign(static_cast<size_t>(end_ - begin_) * words, 0);
        for (size_t i = 0; i < sequence_.size; ++i)
            masks_[static_cast<size_t>(number_[sequence_.at[i]]) * words + i / WORD] |= uint64_t{1}
                                                                                        << i % WORD;
        has_masks_ = true;
    }

    // For sequences so long that their masks would fill the memory.
    size_t long_common(Sequence other) const {
        const std::vector<uint64_t> a(sequence_.at, sequence_.at + sequence_.size);
        const std::vector<uint64_t> b(other.at, other.at + other.size);
        const auto stretch = [](const std::vector<uint64_t> &ids) {
            return Stretch{ids.data(), static_cast<int32_t>(ids.size())};
        };
        size_t found = a.size();
        for (const Hunk &hunk : lcs_hunks(stretch(a), stretch(b)))
            found -= static_cast<size_t>(hunk.first_end - hunk.first_start);
        return found;
    }

    Sequence sequence_{nullptr, 0};
    const Run *begin_ = nullptr, *end_ = nullptr;
    std::vector<int32_t> counts_, number_;
    std::vector<uint64_t> masks_, row_;
    bool has_masks_ = false;
};

// offsets: where each sequence begins in `ids`; one more at the end. ids: numbers from 0 up to, but not
// including, `alphabet`. first, second: the sequences of each pair. A length per pair comes back, -1 where
// it is less than above/below of the longer sequence.
Vector<int32_t> common_lengths(ArrayIn<int64_t> offsets, ArrayIn<int32_t> ids, int64_t alphabet,
                               ArrayIn<int32_t> first, ArrayIn<int32_t> second, int64_t above,
                               int64_t below) {
    check::in_range("below", below, 1, 1000);
    check::in_range("above", above, 0, below);
    check::not_far_beyond("alphabet", alphabet, ids.size());
    if (offsets.size() == 0) check::refuse("offsets must begin with 0, but is empty");
    check::positions("offsets", offsets.size());
    check::positions("ids", ids.size());
    check::offsets("offsets", offsets, offsets.size() - 1, ids.size());
    check::all_in_range("ids", ids, 0, alphabet);
    check::same_length("first", first.size(), {{"second", second.size()}});
    const auto size = static_cast<int64_t>(offsets.size()) - 1;
    check::all_in_range("first", first, 0, size);
    check::all_in_range("second", second, 0, size);
    std::vector<int32_t> out(first.size());
    {
        nb::gil_scoped_release unlocked;
        const auto sequence = [&](size_t one) {
            return Sequence{ids.data() + offsets(one), static_cast<size_t>(offsets(one + 1) - offsets(one))};
        };
        const Bags bags(offsets, ids);
        Pattern pattern(static_cast<size_t>(alphabet));
        int64_t current = -1;
        for (size_t k = 0; k < out.size(); ++k) {
            const auto one = static_cast<size_t>(first(k)), other = static_cast<size_t>(second(k));
            const Sequence mine = sequence(one), its = sequence(other);
            const size_t longer = std::max(mine.size, its.size), shorter = std::min(mine.size, its.size);
            const size_t least = (longer * static_cast<size_t>(above) + static_cast<size_t>(below) - 1) /
                                 static_cast<size_t>(below);
            out[k] = GIVEN_UP;
            if (shorter < least) continue;
            if (current != first(k)) {
                pattern.set(mine, bags.begin(one), bags.end(one));
                current = first(k);
            }
            if (pattern.shared(bags.begin(other), bags.end(other)) < least) continue;
            const size_t found = pattern.common(its);
            if (found >= least) out[k] = static_cast<int32_t>(found);
        }
    }
    return to_numpy(std::move(out));
}

}  // namespace

void register_common_lengths(nb::module_ &m) {
    m.def("common_lengths", &common_lengths, nb::arg("offsets"), nb::arg("ids"), nb::arg("alphabet"),
          nb::arg("first"), nb::arg("second"), nb::arg("above"), nb::arg("below"));
}

}  // namespace codekin
