// The order in which CPython 3.11 iterates over a set of strings when PYTHONHASHSEED is 0.
//
// The codebleu package lists the names of a data-flow edge by iterating over a set, so its scores
// depend on the interpreter's hash seed. Its compat mode reproduces the run with seed 0, which
// needs the interpreter's string hash (SipHash-1-3 with a zero key) and its probing scheme.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace codekin::set_order {

inline uint64_t rotate(uint64_t x, int bits) { return x << bits | x >> (64 - bits); }

inline uint64_t siphash13(const uint8_t *data, size_t length) {
    uint64_t v0 = 0x736f6d6570736575ull, v1 = 0x646f72616e646f6dull;
    uint64_t v2 = 0x6c7967656e657261ull, v3 = 0x7465646279746573ull;
    auto round = [&] {
        v0 += v1, v2 += v3;
        v1 = rotate(v1, 13) ^ v0, v3 = rotate(v3, 16) ^ v2;
        v0 = rotate(v0, 32);
        v2 += v1, v0 += v3;
        v1 = rotate(v1, 17) ^ v2, v3 = rotate(v3, 21) ^ v0;
        v2 = rotate(v2, 32);
    };
    size_t i = 0;
    for (; i + 8 <= length; i += 8) {
        uint64_t word;
        std::memcpy(&word, data + i, 8);
        v3 ^= word;
        round();
        v0 ^= word;
    }
    uint64_t tail = 0;
    std::memcpy(&tail, data + i, length - i);
    tail |= static_cast<uint64_t>(length) << 56;
    v3 ^= tail;
    round();
    v0 ^= tail;
    v2 ^= 0xff;
    for (int k = 0; k < 3; ++k) round();
    return v0 ^ v1 ^ v2 ^ v3;
}

// The characters of a text of UTF-8.
inline std::vector<uint32_t> characters(const std::string &text) {
    std::vector<uint32_t> out;
    for (size_t i = 0; i < text.size();) {
        const auto lead = static_cast<uint8_t>(text[i]);
        const size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        uint32_t c = length == 1 ? lead : lead & (0x7F >> length);
        for (size_t k = 1; k < length && i + k < text.size(); ++k) c = c << 6 | (text[i + k] & 0x3F);
        out.push_back(c);
        i += length;
    }
    return out;
}

// hash(str): the interpreter hashes the characters at the narrowest width that holds them all.
inline uint64_t string_hash(const std::string &text) {
    if (text.empty()) return 0;
    const std::vector<uint32_t> wide = characters(text);
    uint32_t widest = 0;
    for (uint32_t c : wide) widest |= c;
    const size_t width = widest < 0x100 ? 1 : widest < 0x10000 ? 2 : 4;
    std::vector<uint8_t> bytes(wide.size() * width);
    for (size_t i = 0; i < wide.size(); ++i) std::memcpy(&bytes[i * width], &wide[i], width);
    const uint64_t h = siphash13(bytes.data(), bytes.size());
    return h == ~0ull ? h - 1 : h;
}

class Table {
  public:
    explicit Table(const std::vector<uint64_t> &hash_of) : hash_of_(hash_of), slots_(8, -1) {}

    void add(int32_t key) {
        const size_t slot = find(key);
        if (slots_[slot] == key) return;
        slots_[slot] = key;
        ++used_;
        if (used_ * 5 >= (slots_.size() - 1) * 3) grow();
    }

    std::vector<int32_t> order() const {
        std::vector<int32_t> out;
        for (int32_t key : slots_)
            if (key >= 0) out.push_back(key);
        return out;
    }

  private:
    // The slot that holds the key, or the free one where it belongs.
    size_t find(int32_t key) const {
        const size_t mask = slots_.size() - 1;
        uint64_t perturb = hash_of_[key];
        size_t i = perturb & mask;
        for (;;) {
            size_t probes = i + 9 <= mask ? 9 : 0;
            for (size_t slot = i;; ++slot) {
                if (slots_[slot] < 0 || slots_[slot] == key) return slot;
                if (probes-- == 0) break;
            }
            perturb >>= 5;
            i = (i * 5 + 1 + perturb) & mask;
        }
    }

    void grow() {
        const size_t wanted = used_ > 50000 ? used_ * 2 : used_ * 4;
        size_t size = 8;
        while (size <= wanted) size <<= 1;
        std::vector<int32_t> old(size, -1);
        old.swap(slots_);
        for (int32_t key : old)
            if (key >= 0) slots_[find(key)] = key;
    }

    const std::vector<uint64_t> &hash_of_;
    std::vector<int32_t> slots_;
    size_t used_ = 0;
};

}  // namespace codekin::set_order
