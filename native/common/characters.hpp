// What bytes of UTF-8 are: blanks, line ends, digits and what can stand in a word.
#pragma once

#include <cstdint>

namespace codekin {

inline bool is_digit(uint8_t c) { return c >= '0' && c <= '9'; }
inline bool is_line_end(uint8_t c) { return c == '\n' || c == '\r'; }
inline bool is_word(uint8_t c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c >= 0x80;
}

// Width in bytes of the blank at p, 0 if it is none: Unicode's white space, and the marks of zero
// width (byte order mark, word joiner, zero-width space) that grammars take for white space too.
inline int32_t blank_width(const uint8_t *p, const uint8_t *end) {
    const uint8_t c = *p;
    if (c == ' ' || (c >= '\t' && c <= '\r')) return 1;
    if (c == 0xC2 && end - p >= 2) return p[1] == 0xA0 || p[1] == 0x85 ? 2 : 0;
    if (c < 0xE1 || c > 0xEF || end - p < 3) return 0;
    const uint32_t code = (c & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
    const bool blank = (code >= 0x2000 && code <= 0x200B) || code == 0x2028 || code == 0x2029 ||
                       code == 0x202F || code == 0x205F || code == 0x2060 || code == 0x3000 ||
                       code == 0x1680 || code == 0xFEFF;
    return blank ? 3 : 0;
}

// A character of UTF-8: its width, and its code point or -1 where the bytes are none (a broken
// sequence, a lone surrogate).
struct Character {
    int32_t width, code;
};

inline Character character_at(const uint8_t *p, const uint8_t *end) {
    const uint8_t c = p[0];
    if (c < 0x80) return {1, c};
    const int32_t width = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : 2;
    if (c < 0xC2 || c > 0xF4 || end - p < width) return {1, -1};
    int32_t code = c & (0xFF >> (width + 1));
    for (int32_t k = 1; k < width; ++k) {
        if ((p[k] & 0xC0) != 0x80) return {1, -1};
        code = code << 6 | (p[k] & 0x3F);
    }
    if (code >= 0xD800 && code < 0xE000) return {3, -1};
    return {width, code};
}

// Beyond ASCII everything is a letter but the blocks of controls, punctuation and symbols: a table
// of our own, so that the answer does not change with the Unicode version of the interpreter.
inline bool is_letter_code(int32_t code) {
    static const int32_t others[][2] = {
        {0x80, 0xA9},     {0xAB, 0xB4},     {0xB6, 0xB9},     {0xBB, 0xBF},     {0xD7, 0xD7},
        {0xF7, 0xF7},     {0x2010, 0x206F}, {0x20A0, 0x20CF}, {0x2190, 0x2BFF}, {0x2E00, 0x2E7F},
        {0x3001, 0x3004}, {0x3008, 0x3020}, {0xFE10, 0xFE1F}, {0xFE30, 0xFE6F}, {0xFF01, 0xFF0F},
        {0xFF1A, 0xFF20}, {0xFF3B, 0xFF3E}, {0xFF5B, 0xFF65}, {0xFFE0, 0xFFFF}, {0x1F000, 0x1FAFF}};
    if (code < 0x80) return false;
    for (const auto &range : others)
        if (code >= range[0] && code <= range[1]) return false;
    return true;
}

}  // namespace codekin
