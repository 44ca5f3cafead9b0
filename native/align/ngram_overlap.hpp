// How many n-grams of one sequence stand in others, counted exactly and for all orders at once.
//
// N-grams are numbered level by level: the number of an n-gram is looked up by the pair (number of
// its first n-1 items, number of its last item), which fits 64 bits, so nothing rests on a hash
// being free of collisions. An n-gram can only match where its first n-1 items match, so the work
// shrinks as the order grows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace codekin {

// How many numbers two sorted bags share.
inline int64_t sorted_common(const uint64_t *a, size_t n, const uint64_t *b, size_t m) {
    size_t i = 0, j = 0;
    int64_t common = 0;
    while (i < n && j < m) {
        const uint64_t u = a[i], v = b[j];
        common += u == v;
        i += u <= v;
        j += v <= u;
    }
    return common;
}

constexpr uint32_t NO_NUMBER = 0xFFFFFFFFu;

// Numbers 64-bit keys in the order in which they first appear.
class Numbering {
  public:
    void reset(size_t most_keys) {
        size_t capacity = 16;
        while (capacity < most_keys * 2) capacity *= 2;
        if (slots_.size() < capacity || slots_.size() > capacity * 16) slots_.resize(capacity);
        std::fill(slots_.begin(), slots_.end(), Slot{0, NO_NUMBER});
        shift_ = 64;
        for (size_t c = slots_.size(); c > 1; c /= 2) --shift_;
        mask_ = slots_.size() - 1;
        count_ = 0;
    }

    uint32_t add(uint64_t key) {
        Slot &slot = slot_of(key);
        if (slot.number == NO_NUMBER) slot = Slot{key, count_++};
        return slot.number;
    }

    uint32_t find(uint64_t key) { return slot_of(key).number; }
    uint32_t count() const { return count_; }

  private:
    struct Slot {
        uint64_t key;
        uint32_t number;
    };

    Slot &slot_of(uint64_t key) {
        size_t at = (key * 0x9E3779B97F4A7C15ull) >> shift_;
        while (slots_[at].number != NO_NUMBER && slots_[at].key != key) at = (at + 1) & mask_;
        return slots_[at];
    }

    std::vector<Slot> slots_;
    size_t mask_ = 0;
    int shift_ = 64;
    uint32_t count_ = 0;
};

// A sequence of items with, optionally, a byte per position: bit n-1 set means that the n-gram
// that begins there does not count.
template <typename Item> struct Sequence {
    const Item *items;
    size_t length;
    const uint8_t *dropped = nullptr;

    bool counts(size_t position, int order) const {
        return !dropped || !(dropped[position] >> (order - 1) & 1);
    }
    size_t positions(int order) const {
        return length >= static_cast<size_t>(order) ? length - order + 1 : 0;
    }
    int64_t total(int order) const {
        const size_t n = positions(order);
        if (!dropped) return static_cast<int64_t>(n);
        int64_t kept = 0;
        for (size_t i = 0; i < n; ++i) kept += counts(i, order);
        return kept;
    }
};

class Overlap {
  public:
    // matches[n-1]: n-grams of `candidate` that stand in a reference, each counted at most as often
    // as in the reference that has it most.
    template <typename Item> void matches(const Sequence<Item> &candidate,
                                          const std::vector<Sequence<Item>> &references, int orders,
                                          int64_t *out) {
        std::fill(out, out + orders, 0);
        number_items(candidate, references);
        for (int n = 1; n <= orders; ++n) {
            if (n > 1) extend(candidate, references, n);
            out[n - 1] = count(candidate, references, n);
            if (!any_alive_) break;
        }
    }

  private:
    template <typename Item>
    void number_items(const Sequence<Item> &candidate, const std::vector<Sequence<Item>> &references) {
        numbering_.reset(candidate.length);
        candidate_items_.resize(candidate.length);
        for (size_t i = 0; i < candidate.length; ++i)
            candidate_items_[i] = numbering_.add(static_cast<uint64_t>(candidate.items[i]));
        candidate_grams_ = candidate_items_;
        reference_items_.resize(references.size());
        for (size_t r = 0; r < references.size(); ++r) {
            reference_items_[r].resize(references[r].length);
            for (size_t i = 0; i < references[r].length; ++i)
                reference_items_[r][i] = numbering_.find(static_cast<uint64_t>(references[r].items[i]));
        }
        reference_grams_.assign(reference_items_.begin(), reference_items_.end());
    }

    static uint64_t joined(uint32_t gram, uint32_t item) { return static_cast<uint64_t>(gram) << 32 | item; }

    template <typename Item>
    void extend(const Sequence<Item> &candidate, const std::vector<Sequence<Item>> &references, int n) {
        const size_t positions = candidate.positions(n);
        numbering_.reset(positions);
        for (size_t i = 0; i < positions; ++i)
            if (candidate_grams_[i] != NO_NUMBER)
                candidate_grams_[i] =
                    numbering_.add(joined(candidate_grams_[i], candidate_items_[i + n - 1]));
        for (size_t r = 0; r < references.size(); ++r) {
            auto &grams = reference_grams_[r];
            const auto &items = reference_items_[r];
            for (size_t i = 0; i < references[r].positions(n); ++i) {
                if (grams[i] == NO_NUMBER) continue;
                const uint32_t last = items[i + n - 1];
                grams[i] = last == NO_NUMBER ? NO_NUMBER : numbering_.find(joined(grams[i], last));
            }
        }
    }

    template <typename Item>
    int64_t count(const Sequence<Item> &candidate, const std::vector<Sequence<Item>> &references, int n) {
        const uint32_t grams = numbering_.count();
        in_candidate_.assign(grams, 0);
        most_.assign(grams, 0);
        alive_.assign(grams, 0);
        const size_t positions = candidate.positions(n);
        for (size_t i = 0; i < positions; ++i)
            if (candidate_grams_[i] != NO_NUMBER && candidate.counts(i, n))
                ++in_candidate_[candidate_grams_[i]];
        for (size_t r = 0; r < references.size(); ++r) {
            auto &into = r == 0 ? most_ : in_reference_;
            if (r > 0) in_reference_.assign(grams, 0);
            for (size_t i = 0; i < references[r].positions(n); ++i) {
                const uint32_t gram = reference_grams_[r][i];
                if (gram == NO_NUMBER) continue;
                alive_[gram] = 1;
                into[gram] += references[r].counts(i, n);
            }
            if (r > 0)
                for (uint32_t g = 0; g < grams; ++g) most_[g] = std::max(most_[g], in_reference_[g]);
        }
        int64_t matched = 0;
        any_alive_ = false;
        for (uint32_t g = 0; g < grams; ++g) {
            matched += std::min(in_candidate_[g], most_[g]);
            any_alive_ |= alive_[g] != 0;
        }
        for (size_t i = 0; i < positions; ++i)
            if (candidate_grams_[i] != NO_NUMBER && !alive_[candidate_grams_[i]])
                candidate_grams_[i] = NO_NUMBER;
        return matched;
    }

    Numbering numbering_;
    std::vector<uint32_t> candidate_items_, candidate_grams_;
    std::vector<std::vector<uint32_t>> reference_items_, reference_grams_;
    std::vector<uint32_t> in_candidate_, in_reference_, most_;
    std::vector<uint8_t> alive_;
    bool any_alive_ = false;
};

// The scratch memory of a thread, kept between calls at the size of its longest text.
inline Overlap &thread_overlap() {
    thread_local Overlap overlap;
    return overlap;
}

}  // namespace codekin
