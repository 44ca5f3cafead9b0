// Token identities: a 64-bit number that stands for a token's text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "common/bits.hpp"

namespace codekin {

// Texts of up to seven bytes are packed whole, so they can never collide with one another; longer
// texts are hashed into the upper half of the range (63 bits).
inline uint64_t token_id(const char *text, size_t length) {
    if (length <= 7) {
        uint64_t packed = 0;
        std::memcpy(&packed, text, length);
        return packed << 4 | length;  // 7 * 8 + 4 bits: the top four stay clear
    }
    uint64_t h = 0x9E3779B97F4A7C15ull ^ length;
    auto mix = [&h](uint64_t word) {
        h ^= word;
        h = folded_product(h, 0xD6E8FEB86659FD93ull) ^ 0xA0761D6478BD642Full;
    };
    size_t i = 0;
    for (; i + 8 <= length; i += 8) {
        uint64_t word;
        std::memcpy(&word, text + i, 8);
        mix(word);
    }
    uint64_t tail = 0;
    std::memcpy(&tail, text + i, length - i);
    mix(tail ^ static_cast<uint64_t>(length - i) << 56);
    mix(h >> 29);
    return h | 1ull << 63;
}

}  // namespace codekin
