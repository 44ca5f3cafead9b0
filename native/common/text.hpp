// Reading Python strings without copying them, and turning pieces of them into token identities.
#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>

#include "common/token_ids.hpp"

namespace codekin {

// Calls f(characters, length) with a pointer of the string's own character width.
template <typename F> void with_characters(nanobind::str text, F &&f) {
    PyObject *s = text.ptr();
    const auto n = static_cast<size_t>(PyUnicode_GET_LENGTH(s));
    switch (PyUnicode_KIND(s)) {
        case PyUnicode_1BYTE_KIND: f(static_cast<const Py_UCS1 *>(PyUnicode_DATA(s)), n); break;
        case PyUnicode_2BYTE_KIND: f(static_cast<const Py_UCS2 *>(PyUnicode_DATA(s)), n); break;
        default: f(static_cast<const Py_UCS4 *>(PyUnicode_DATA(s)), n);
    }
}

// What str.split() and str.isspace() call a space.
inline bool is_space(uint32_t c) {
    if (c < 0x80) return c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F);
    return Py_UNICODE_ISSPACE(static_cast<Py_UCS4>(c));
}

inline bool is_ascii_punctuation(uint32_t c) {
    return (c >= 0x21 && c <= 0x2F) || (c >= 0x3A && c <= 0x40) || (c >= 0x5B && c <= 0x60) ||
           (c >= 0x7B && c <= 0x7E);
}

// Calls f(from, to) for each run of characters that are no spaces, as str.split() finds them.
template <typename Char, typename F> void for_each_word(const Char *chars, size_t n, F &&f) {
    size_t i = 0;
    while (i < n) {
        while (i < n && is_space(chars[i])) ++i;
        const size_t from = i;
        while (i < n && !is_space(chars[i])) ++i;
        if (i > from) f(from, i);
    }
}

// Identities of pieces of text, the same whatever the width of the string they stand in.
class TokenWriter {
  public:
    template <typename Char> uint64_t id(const Char *chars, size_t n) {
        utf8_.clear();
        for (size_t i = 0; i < n; ++i) put(chars[i]);
        return token_id(utf8_.data(), utf8_.size());
    }

  private:
    void put(uint32_t c) {
        auto byte = [this](uint32_t b) { utf8_.push_back(static_cast<char>(b)); };
        if (c < 0x80) {
            byte(c);
        } else if (c < 0x800) {
            byte(0xC0 | c >> 6), byte(0x80 | (c & 0x3F));
        } else if (c < 0x10000) {
            byte(0xE0 | c >> 12), byte(0x80 | (c >> 6 & 0x3F)), byte(0x80 | (c & 0x3F));
        } else {
            byte(0xF0 | c >> 18), byte(0x80 | (c >> 12 & 0x3F));
            byte(0x80 | (c >> 6 & 0x3F)), byte(0x80 | (c & 0x3F));
        }
    }

    std::string utf8_;
};

}  // namespace codekin
