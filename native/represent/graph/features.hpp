// Features of a program: 64-bit numbers that say what family a feature is of, and which one it is.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace codekin {

// The upper bits name the family, so that sorted features lie family by family.
constexpr int FAMILY_BITS = 4;
constexpr int FAMILIES = 1 << FAMILY_BITS;
constexpr int FAMILY_SHIFT = 64 - FAMILY_BITS;
constexpr uint64_t FAMILY_MASK = ~uint64_t{0} << FAMILY_SHIFT;

// The finaliser of splitmix64 (Steele, Lea and Flood 2014): every bit of the result depends on
// every bit of the argument.
inline uint64_t scrambled(uint64_t z) {
    z += 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
}

// A number that stands for a sequence, from the number of all but its last.
inline uint64_t chained(uint64_t sequence, uint64_t last) {
    return scrambled(sequence * 0xD6E8FEB86659FD93ull + last);
}

inline uint64_t of_family(uint64_t feature, int family) {
    return (feature & ~FAMILY_MASK) | static_cast<uint64_t>(family) << FAMILY_SHIFT;
}

inline int family_of(uint64_t feature) { return static_cast<int>(feature >> FAMILY_SHIFT); }

// A feature, and which of its occurrences it is.
using Occurrence = std::pair<uint64_t, uint8_t>;

// A bag as a sorted set in which the k-th occurrence of a feature is a feature of its own; those
// beyond the `most`-th are left out. The bag is sorted.
std::vector<Occurrence> set_of_bag(std::vector<uint64_t> &bag, int most);

}  // namespace codekin
