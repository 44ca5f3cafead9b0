// The leftmost longest common subsequence of nearly equal sequences, for lcs.cpp.
//
// Myers (1986) from the back: for d changes and a diagonal it keeps how far one comes, which answers
// what the walk from the front asks for. Time and memory grow with the square of the changes, so it
// gives up early.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "align/lcs.hpp"

namespace codekin {

class FewChanges {
  public:
    FewChanges(Stretch first, Stretch second) : first_(first), second_(second) {}

    // Whether it has the answer; within a part of the time that all rows of L would take.
    bool find() {
        const double cells = static_cast<double>(first_.size) * second_.size;
        const double sum = static_cast<double>(first_.size) + second_.size;
        const auto most =
            static_cast<int32_t>(std::max(16.0, std::min(std::sqrt(cells) / 16, 3 * std::sqrt(sum))));
        if (std::abs(first_.size - second_.size) > most) return false;
        auto steps = static_cast<int64_t>(cells / 128 + 2 * sum);
        reach_.reserve(most < 32 ? row(most + 1) : row(16));
        for (changes_ = 0; changes_ <= most && steps >= 0; ++changes_) {
            steps -= extend(changes_);
            if (within(first_.size, second_.size, changes_)) return true;
        }
        return false;
    }

    void walk(int32_t i0, int32_t j0, HunkWriter &out) const {
        int32_t i = 0, j = 0, left = changes_;
        while (i < first_.size && j < second_.size) {
            const int32_t run = common_prefix(first_.from(i), second_.from(j));
            out.match(i0 + i, j0 + j, run);
            i += run, j += run;
            if (i == first_.size || j == second_.size) return;
            const int32_t passed = insertions_before_match(i, j, left);
            if (passed == 0) {
                ++i, --left;
            } else {
                j += passed, left -= passed;
            }
        }
    }

  private:
    static size_t row(int32_t changes) { return static_cast<size_t>(changes) * (changes + 1) / 2; }

    // Whether the last x and y tokens of the sequences are so few changes apart.
    bool within(int32_t x, int32_t y, int32_t changes) const {
        const int32_t diagonal = x - y;
        return std::abs(diagonal) <= changes && reach_[row(changes) + (diagonal + changes) / 2] >= x;
    }

    // Adds how far one comes on each diagonal with so many changes; returns the steps it took.
    int64_t extend(int32_t changes) {
        reach_.resize(row(changes + 1));
        const int32_t *before = reach_.data() + row(std::max(changes - 1, 0));
        int32_t *now = reach_.data() + row(changes);
        int64_t steps = 0;
        for (int32_t e = 0; e <= changes; ++e) {
            int32_t x = e < changes ? before[e] : 0;
            if (e > 0) x = std::max(x, before[e - 1] + 1);
            const int32_t y = x - (2 * e - changes);
            if (x < first_.size && y < second_.size) {
                const Stretch a{first_.at, first_.size - x}, b{second_.at, second_.size - y};
                const int32_t run = common_suffix(a, b);
                x += run, steps += run;
            }
            now[e] = x;
        }
        return steps + changes;
    }

    // How many tokens of the second sequence stand before the match of token i, or 0 if it has none.
    int32_t insertions_before_match(int32_t i, int32_t j, int32_t left) const {
        const int32_t last = std::min(left, second_.size - 1 - j);
        for (int32_t k = 1; k <= last; ++k)
            if (second_[j + k] == first_[i])
                return within(first_.size - i - 1, second_.size - j - k - 1, left - k) ? k : 0;
        return 0;
    }

    const Stretch first_, second_;
    std::vector<int32_t> reach_;  // a triangle: for d changes the diagonals -d, -d + 2, ..., d
    int32_t changes_ = 0;
};

}  // namespace codekin
