// Sweeping one stripe of the edit matrix: the scalar way, and in the lanes of SIMD registers.
//
// levenshtein.cpp says what stripes and blocks are.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__)) && !defined(CODEKIN_PORTABLE)
#define CODEKIN_X86_SIMD 1
#ifdef __clang__
#include <immintrin.h>
#else  // GCC 12 warns about its own header, which leaves registers undefined on purpose.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif
#define TARGET_AVX2 __attribute__((target("avx2")))
#define TARGET_AVX512 __attribute__((target("avx512f,avx512vbmi2")))
#endif

namespace codekin {

namespace {

constexpr size_t WORD = 64;
constexpr size_t LANES = 8;
constexpr size_t STRIPE_ROWS = WORD * LANES;
constexpr uint64_t TOP_BIT = uint64_t{1} << 63;

// The blocks of a stripe stand in reverse: lane 7 is the topmost block, lane 0 the lowest. So what
// leaves the stripe is the lowest lane of a register, which can be stored without a shuffle.
struct alignas(64) Blocks {
    uint64_t lane[LANES];
};

// In SIMD, each block is so many columns behind the block above it. One would do, but then each step
// would have to wait until the step before has passed its carries from lane to lane.
constexpr size_t DELAY = 2, LATEST = DELAY * (LANES - 1);

struct Stripe {
    // For each column, the rows of the stripe that match its symbol. LATEST more entries stand
    // before, for the lanes that have yet to begin, and after, for those that have ended.
    const Blocks *const *match;
    size_t columns;
    size_t lanes;  // how many, from lane 0, have rows of the pattern
    Blocks vp;     // in the column before the first
    // Top bits: whether D grows or falls with each column, above the stripe when a sweep begins and
    // in its last row when it ends. LATEST more entries before and after may be overwritten.
    uint64_t *hp, *hn;
};

// The top bits tell what a block's last row does; the others are of no use to the block below.
struct Growth {
    uint64_t hp, hn;
};

struct Block {
    uint64_t vp, vn;

    Growth step(uint64_t pm, Growth above) {
        const uint64_t hp_in = above.hp >> 63, hn_in = above.hn >> 63;
        const uint64_t x = pm | hn_in;
        const uint64_t diagonal = (((x & vp) + vp) ^ vp) | x | vn;
        const uint64_t hp = vn | ~(diagonal | vp), hn = diagonal & vp;
        const uint64_t hp_shifted = hp << 1 | hp_in, hn_shifted = hn << 1 | hn_in;
        vp = hn_shifted | ~(diagonal | hp_shifted);
        vn = diagonal & hp_shifted;
        return {hp, hn};
    }
};

// Two blocks at a time, the lower one a column behind: so neither waits for the other.
void sweep_scalar(const Stripe &stripe) {
    const Stripe s = stripe;
    for (size_t l = (s.lanes + 1) / 2 * 2; l > 0; l -= 2) {
        Block upper{s.vp.lane[l - 1], 0}, lower{s.vp.lane[l - 2], 0};
        Growth between = upper.step(s.match[0]->lane[l - 1], {s.hp[0], s.hn[0]});
        for (size_t j = 1; j < s.columns; ++j) {
            const Growth below = lower.step(s.match[j - 1]->lane[l - 2], between);
            between = upper.step(s.match[j]->lane[l - 1], {s.hp[j], s.hn[j]});
            s.hp[j - 1] = below.hp, s.hn[j - 1] = below.hn;
        }
        const size_t j = s.columns - 1;
        const Growth below = lower.step(s.match[j]->lane[l - 2], between);
        s.hp[j] = below.hp, s.hn[j] = below.hn;
    }
}

#ifdef CODEKIN_X86_SIMD

// In step t, lane l works on column t - DELAY * (7 - l).

// Truth tables for vpternlog, with the bits of its arguments as A, B, C.
constexpr int A = 0xF0, B = 0xCC, C = 0xAA;
constexpr int ternary(int table) { return table & 0xFF; }

// The upper four lanes of one column's matches and the lower four of an earlier column's.
TARGET_AVX512 inline __m512i halves(const Blocks *upper, const Blocks *lower) {
    const __m512i low = _mm512_castsi256_si512(_mm256_load_si256((const __m256i *)lower->lane));
    return _mm512_inserti64x4(low, _mm256_load_si256((const __m256i *)(upper->lane + 4)), 1);
}

// Moves blocks down by a lane; what stands above the stripe comes in at the top.
TARGET_AVX512 inline __m512i take_from_above(const uint64_t *above, __m512i blocks) {
    const __m128i in = _mm_loadl_epi64((const __m128i *)above);
    return _mm512_alignr_epi64(_mm512_castsi128_si512(in), blocks, 1);
}

TARGET_AVX512 void sweep_avx512(const Stripe &stripe) {
    const Stripe s = stripe;
    const __m512i zero = _mm512_setzero_si512(), before = _mm512_load_si512(s.match[-1]);
    __m512i vp = _mm512_load_si512(&s.vp), vn = zero;
    // By the steps ago that they were made.
    __m512i hp_1 = zero, hn_1 = zero, hp_2 = zero, hn_2 = zero;
    __m512i row_1 = before, row_2 = before;
    __m512i pair_1 = before, pair_2 = before, pair_3 = before, pair_4 = before;
#ifndef __clang__
#pragma GCC unroll 4
#endif
    for (size_t t = 0; t < s.columns + LATEST; ++t) {
        // Each bit of a lane's delay is brought about by a choice between two columns.
        const __m512i row = halves(s.match[t], *(s.match + t - 4 * DELAY));
        const __m512i pair = _mm512_mask_blend_epi64(0x55, row, row_2);
        const __m512i pm = _mm512_mask_blend_epi64(0x33, pair, pair_4);
        row_2 = row_1, row_1 = row;
        pair_4 = pair_3, pair_3 = pair_2, pair_2 = pair_1, pair_1 = pair;

        const __m512i hp_above = take_from_above(s.hp + t, hp_2);
        const __m512i hn_above = take_from_above(s.hn + t, hn_2);
        const __m512i x = _mm512_or_si512(pm, _mm512_srli_epi64(hn_above, 63));
        const __m512i sum = _mm512_add_epi64(_mm512_and_si512(x, vp), vp);
        // The diagonal word but for vn, which makes no difference to hp and hn.
        const __m512i d = _mm512_ternarylogic_epi64(sum, vp, x, ternary((A ^ B) | C));
        const __m512i hp = _mm512_ternarylogic_epi64(vn, d, vp, ternary(A | ~(B | C)));
        const __m512i hn = _mm512_and_si512(d, vp);
        const __m512i diagonal = _mm512_or_si512(d, vn);
        const __m512i hp_shifted = _mm512_shldi_epi64(hp, hp_above, 1);
        const __m512i hn_shifted = _mm512_shldi_epi64(hn, hn_above, 1);
        vp = _mm512_ternarylogic_epi64(hn_shifted, diagonal, hp_shifted, ternary(A | ~(B | C)));
        vn = _mm512_and_si512(diagonal, hp_shifted);
        hp_2 = hp_1, hp_1 = hp, hn_2 = hn_1, hn_1 = hn;
        _mm_storel_epi64((__m128i *)(s.hp + t - LATEST), _mm512_castsi512_si128(hp));
        _mm_storel_epi64((__m128i *)(s.hn + t - LATEST), _mm512_castsi512_si128(hn));
    }
}

// Four blocks and what they need from earlier steps.
struct HalfStripe {
    __m256i vp, vn, hp_1, hn_1, hp_2, hn_2;
};

TARGET_AVX2 inline HalfStripe half_stripe(const Stripe &s, size_t lane) {
    const __m256i zero = _mm256_setzero_si256();
    return {_mm256_load_si256((const __m256i *)(s.vp.lane + lane)), zero, zero, zero, zero, zero};
}

// The matches of four lanes, each from the column that it is at: the topmost's or an earlier one.
TARGET_AVX2 inline __m256i gather(const Blocks *const *match, size_t lane) {
    const auto *now = (const __m256i *)(match[0]->lane + lane);
    const auto *once = (const __m256i *)((*(match - DELAY))->lane + lane);
    const auto *twice = (const __m256i *)((*(match - 2 * DELAY))->lane + lane);
    const auto *thrice = (const __m256i *)((*(match - 3 * DELAY))->lane + lane);
    const __m256i upper = _mm256_blend_epi32(_mm256_load_si256(now), _mm256_load_si256(once), 0x30);
    const __m256i lower = _mm256_blend_epi32(_mm256_load_si256(twice), _mm256_load_si256(thrice), 0x03);
    return _mm256_blend_epi32(upper, lower, 0x0F);
}

// Moves blocks down by a lane; the lowest lane of `above` comes in at the top.
TARGET_AVX2 inline __m256i take_from_above(__m256i above, __m256i blocks) {
    return _mm256_permute4x64_epi64(_mm256_blend_epi32(blocks, above, 0x03), 0x39);
}

TARGET_AVX2 inline void step(HalfStripe &h, __m256i pm, __m256i hp_above, __m256i hn_above) {
    const __m256i ones = _mm256_set1_epi64x(-1);
    const __m256i hp_in = _mm256_srli_epi64(hp_above, 63), hn_in = _mm256_srli_epi64(hn_above, 63);
    const __m256i x = _mm256_or_si256(pm, hn_in);
    const __m256i sum = _mm256_add_epi64(_mm256_and_si256(x, h.vp), h.vp);
    const __m256i d = _mm256_or_si256(_mm256_xor_si256(sum, h.vp), x);
    const __m256i hp = _mm256_or_si256(h.vn, _mm256_xor_si256(_mm256_or_si256(d, h.vp), ones));
    const __m256i hn = _mm256_and_si256(d, h.vp);
    const __m256i diagonal = _mm256_or_si256(d, h.vn);
    const __m256i hp_shifted = _mm256_or_si256(_mm256_add_epi64(hp, hp), hp_in);
    const __m256i hn_shifted = _mm256_or_si256(_mm256_add_epi64(hn, hn), hn_in);
    h.vp = _mm256_or_si256(hn_shifted, _mm256_xor_si256(_mm256_or_si256(diagonal, hp_shifted), ones));
    h.vn = _mm256_and_si256(diagonal, hp_shifted);
    h.hp_2 = h.hp_1, h.hp_1 = hp, h.hn_2 = h.hn_1, h.hn_1 = hn;
}

TARGET_AVX2 void sweep_avx2(const Stripe &stripe) {
    const Stripe s = stripe;
    HalfStripe upper = half_stripe(s, 4), lower = half_stripe(s, 0);
    for (size_t t = 0; t < s.columns + LATEST; ++t) {
        const __m256i hp_in = _mm256_castsi128_si256(_mm_loadl_epi64((const __m128i *)(s.hp + t)));
        const __m256i hn_in = _mm256_castsi128_si256(_mm_loadl_epi64((const __m128i *)(s.hn + t)));
        step(lower, gather(s.match + t - 4 * DELAY, 0), take_from_above(upper.hp_2, lower.hp_2),
             take_from_above(upper.hn_2, lower.hn_2));
        step(upper, gather(s.match + t, 4), take_from_above(hp_in, upper.hp_2),
             take_from_above(hn_in, upper.hn_2));
        _mm_storel_epi64((__m128i *)(s.hp + t - LATEST), _mm256_castsi256_si128(lower.hp_1));
        _mm_storel_epi64((__m128i *)(s.hn + t - LATEST), _mm256_castsi256_si128(lower.hn_1));
    }
}

#endif  // CODEKIN_X86_SIMD

using Sweep = void (*)(const Stripe &);

struct NamedSweep {
    std::string name;
    Sweep sweep;
};

// What this machine can run, fastest first.
const std::vector<NamedSweep> &sweeps() {
    static const std::vector<NamedSweep> found = [] {
        std::vector<NamedSweep> result;
#ifdef CODEKIN_X86_SIMD
        __builtin_cpu_init();
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vbmi2"))
            result.push_back({"avx512", sweep_avx512});
        if (__builtin_cpu_supports("avx2")) result.push_back({"avx2", sweep_avx2});
#endif
        result.push_back({"scalar", sweep_scalar});
        return result;
    }();
    return found;
}

}  // namespace

}  // namespace codekin
