// Counting and finding bits of a word, by the names of C++20, and adding with a carry.
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

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
using Carry = unsigned char;
inline uint64_t add(uint64_t a, uint64_t b, Carry &carry) {
    unsigned long long sum;
    carry = _addcarry_u64(carry, a, b, &sum);
    return sum;
}
#else
using Carry = uint64_t;
inline uint64_t add(uint64_t a, uint64_t b, Carry &carry) {
    const uint64_t sum = a + b, total = sum + carry;
    carry = static_cast<uint64_t>(sum < a) | static_cast<uint64_t>(total < sum);
    return total;
}
#endif
