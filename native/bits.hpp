// Counting and finding bits of a word, by the names of C++20.
#pragma once

#include <cstdint>

#ifdef _MSC_VER
#include <intrin.h>
inline int popcount(uint64_t word) { return static_cast<int>(__popcnt64(word)); }
inline int countr_zero(uint64_t word) {
    unsigned long at;
    _BitScanForward64(&at, word);
    return static_cast<int>(at);
}
inline int countl_zero(uint64_t word) {
    unsigned long at;
    _BitScanReverse64(&at, word);
    return 63 - static_cast<int>(at);
}
#else
inline int popcount(uint64_t word) { return __builtin_popcountll(word); }
// Of a word that is not 0.
inline int countr_zero(uint64_t word) { return __builtin_ctzll(word); }
inline int countl_zero(uint64_t word) { return __builtin_clzll(word); }
#endif
