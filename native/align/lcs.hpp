// Longest common subsequences of two sequences, and how an alignment is written down.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "common/arrays.hpp"
#include "common/checks.hpp"

namespace codekin {

// A stretch of token identities.
struct Stretch {
    const uint64_t *at;
    int32_t size;

    uint64_t operator[](int32_t i) const { return at[i]; }
    Stretch from(int32_t start) const { return {at + start, size - start}; }
    Stretch between(int32_t start, int32_t end) const { return {at + start, end - start}; }
};

// An array as a stretch; positions are 32 bits wide.
inline Stretch stretch_of(const ArrayIn<uint64_t> &ids) {
    check::positions("tokens of a sequence", ids.size());
    return {ids.data(), static_cast<int32_t>(ids.size())};
}

struct Hunk {
    int32_t first_start, first_end, second_start, second_end;
};

// Takes matches in order; keeps the stretches between them, none of which touches another.
class HunkWriter {
  public:
    void match(int32_t i, int32_t j, int32_t length) {
        if (length == 0) return;
        close(i, j);
        i_ = i + length, j_ = j + length;
    }

    std::vector<Hunk> finish(int32_t first_size, int32_t second_size) {
        close(first_size, second_size);
        return std::move(hunks_);
    }

  private:
    void close(int32_t i, int32_t j) {
        if (i > i_ || j > j_) hunks_.push_back({i_, i, j_, j});
    }

    std::vector<Hunk> hunks_;
    int32_t i_ = 0, j_ = 0;  // the end of the last match
};

// Writes the matches of the leftmost longest common subsequence: of all longest ones the one whose
// list of pairs is lexicographically smallest. Positions are written from `i` and `j` on.
void match_lcs(Stretch first, Stretch second, int32_t i, int32_t j, HunkWriter &out);

std::vector<Hunk> lcs_hunks(Stretch first, Stretch second);

// Rows of numbers as a numpy array of so many columns.
template <typename Row>
nanobind::ndarray<nanobind::numpy, int32_t, nanobind::ndim<2>> rows_to_numpy(std::vector<Row> &&rows) {
    constexpr size_t COLUMNS = sizeof(Row) / sizeof(int32_t);
    auto *owned = new std::vector<Row>(std::move(rows));
    nanobind::capsule owner(owned, [](void *p) noexcept { delete static_cast<std::vector<Row> *>(p); });
    return {reinterpret_cast<int32_t *>(owned->data()), {owned->size(), COLUMNS}, owner};
}

// Calls f, without the GIL where so much work is worth the price of giving it away.
template <typename F> auto unlocked_if_long(double steps, F &&f) {
    constexpr double LONG = 1 << 19;
    if (steps < LONG) return f();
    nanobind::gil_scoped_release release;
    return f();
}

inline int32_t common_prefix(Stretch a, Stretch b) {
    const int32_t most = a.size < b.size ? a.size : b.size;
    int32_t k = 0;
    while (k < most && a[k] == b[k]) ++k;
    return k;
}

inline int32_t common_suffix(Stretch a, Stretch b) {
    const int32_t most = a.size < b.size ? a.size : b.size;
    int32_t k = 0;
    while (k < most && a[a.size - 1 - k] == b[b.size - 1 - k]) ++k;
    return k;
}

}  // namespace codekin
