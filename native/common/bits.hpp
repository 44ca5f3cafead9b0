// Arithmetic on 64-bit words that C++17 has no names for: counting and finding bits (by the names of
// C++20), adding with a carry, and multiplying to 128 bits.
//
// Each has a portable form. It serves compilers without the intrinsic, and every compiler where
// CODEKIN_PORTABLE is defined, so that tests can cover it.
#pragma once

#include <cstdint>

#if defined(CODEKIN_PORTABLE)
#elif defined(_MSC_VER) && defined(_M_X64)
#include <intrin.h>
#define CODEKIN_MSVC_INTRINSICS 1
#elif defined(__GNUC__) || defined(__clang__)
#define CODEKIN_GNU_BUILTINS 1
#if defined(__x86_64__)
#include <immintrin.h>
#define CODEKIN_X86_CARRY 1
#endif
#endif

namespace codekin {

inline int popcount(uint64_t word) {
#if defined(CODEKIN_GNU_BUILTINS)
    return __builtin_popcountll(word);
#else  // not every x64 processor has the instruction behind MSVC's __popcnt64
    word -= word >> 1 & 0x5555555555555555ull;
    word = (word & 0x3333333333333333ull) + (word >> 2 & 0x3333333333333333ull);
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0Full;
    return static_cast<int>(word * 0x0101010101010101ull >> 56);
#endif
}

// How many zeros a word that is not 0 ends with.
inline int countr_zero(uint64_t word) {
#if defined(CODEKIN_GNU_BUILTINS)
    return __builtin_ctzll(word);
#elif defined(CODEKIN_MSVC_INTRINSICS)
    unsigned long at;
    _BitScanForward64(&at, word);
    return static_cast<int>(at);
#else
    return popcount(~word & (word - 1));
#endif
}

// How many zeros a word that is not 0 begins with.
inline int countl_zero(uint64_t word) {
#if defined(CODEKIN_GNU_BUILTINS)
    return __builtin_clzll(word);
#elif defined(CODEKIN_MSVC_INTRINSICS)
    unsigned long at;
    _BitScanReverse64(&at, word);
    return 63 - static_cast<int>(at);
#else
    for (int shift = 1; shift < 64; shift *= 2) word |= word >> shift;
    return popcount(~word);
#endif
}

#if defined(CODEKIN_X86_CARRY) || defined(CODEKIN_MSVC_INTRINSICS)
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

// Both halves of a product, folded into one word.
inline uint64_t folded_product(uint64_t a, uint64_t b) {
#if defined(CODEKIN_GNU_BUILTINS) && defined(__SIZEOF_INT128__)
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
#elif defined(CODEKIN_MSVC_INTRINSICS)
    uint64_t high;
    const uint64_t low = _umul128(a, b, &high);
    return low ^ high;
#else
    const uint64_t a_low = a & 0xFFFFFFFFull, a_high = a >> 32, b_low = b & 0xFFFFFFFFull, b_high = b >> 32;
    const uint64_t lowest = a_low * b_low;
    const uint64_t middle = a_high * b_low + (lowest >> 32);
    const uint64_t other = a_low * b_high + (middle & 0xFFFFFFFFull);
    const uint64_t high = a_high * b_high + (middle >> 32) + (other >> 32);
    return (other << 32 | (lowest & 0xFFFFFFFFull)) ^ high;
#endif
}

}  // namespace codekin
