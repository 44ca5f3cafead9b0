// Tokens of text that is not parsed: words, characters, lines, and the WMT tokeniser "13a".
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/arrays.hpp"
#include "common/text.hpp"

namespace nb = nanobind;

namespace codekin {

namespace {

template <typename Char> void append_words(const Char *chars, size_t n, std::vector<uint64_t> &ids) {
    TokenWriter writer;
    for_each_word(chars, n,
                  [&](size_t from, size_t to) { ids.push_back(writer.id(chars + from, to - from)); });
}

Vector<uint64_t> word_ids(nb::str text) {
    std::vector<uint64_t> ids;
    with_characters(text, [&](const auto *chars, size_t n) { append_words(chars, n, ids); });
    return to_numpy(std::move(ids));
}

// What text.split(" ") gives. The identity of an empty piece is one that no other token has: 0
// stands for a break between tokens elsewhere, and no packed token is eight bytes long.
Vector<uint64_t> blank_split_ids(nb::str text) {
    constexpr uint64_t EMPTY = 8;
    std::vector<uint64_t> ids;
    TokenWriter writer;
    with_characters(text, [&](const auto *chars, size_t n) {
        for (size_t from = 0, to = 0; from <= n; from = to + 1) {
            for (to = from; to < n && chars[to] != ' ';) ++to;
            ids.push_back(to > from ? writer.id(chars + from, to - from) : EMPTY);
        }
    });
    return to_numpy(std::move(ids));
}

Vector<uint64_t> character_ids(nb::str text, bool whitespace) {
    std::vector<uint64_t> ids;
    TokenWriter writer;
    with_characters(text, [&](const auto *chars, size_t n) {
        for (size_t i = 0; i < n; ++i)
            if (whitespace || !is_space(chars[i])) ids.push_back(writer.id(chars + i, 1));
    });
    return to_numpy(std::move(ids));
}

Vector<uint64_t> string_ids(nb::sequence strings) {
    std::vector<uint64_t> ids;
    TokenWriter writer;
    for (nb::handle item : strings) {
        if (!PyUnicode_Check(item.ptr())) throw nb::type_error("strings must hold nothing but str");
        with_characters(nb::borrow<nb::str>(item),
                        [&](const auto *chars, size_t n) { ids.push_back(writer.id(chars, n)); });
    }
    return to_numpy(std::move(ids));
}

bool is_digit(uint32_t c) { return c >= '0' && c <= '9'; }
bool is_stop(uint32_t c) { return c == '.' || c == ','; }

// Every ASCII punctuation mark and blank but ' - . and , stands by itself.
bool is_separate(uint32_t c) {
    return (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') || c == '/' || (c >= ':' && c <= '@') ||
           (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

template <typename Char> class Tokenizer13a {
  public:
    std::vector<Char> text, next;

    // Entities, hyphenation at line ends and line ends, each replaced over the whole text in turn.
    void normalise() {
        replace("<skipped>", "");
        replace("-\n", "");
        std::replace(text.begin(), text.end(), Char('\n'), Char(' '));
        replace("&quot;", "\"");
        replace("&amp;", "&");
        replace("&lt;", "<");
        replace("&gt;", ">");
        text.insert(text.begin(), ' ');
        text.push_back(' ');
    }

    void separate() {
        pass([this](size_t i) {
            if (is_separate(text[i]))
                put(' '), put(text[i]), put(' ');
            else
                put(text[i]);
            return i + 1;
        });
        pass([this](size_t i) {  // a stop after anything but a digit
            put(text[i]);
            if (i + 1 == text.size() || is_digit(text[i]) || !is_stop(text[i + 1])) return i + 1;
            put(' '), put(text[i + 1]), put(' ');
            return i + 2;
        });
        pass([this](size_t i) {  // a stop before anything but a digit
            if (i + 1 == text.size() || !is_stop(text[i]) || is_digit(text[i + 1])) {
                put(text[i]);
                return i + 1;
            }
            put(' '), put(text[i]), put(' '), put(text[i + 1]);
            return i + 2;
        });
        pass([this](size_t i) {  // a dash after a digit
            put(text[i]);
            if (i + 1 == text.size() || !is_digit(text[i]) || text[i + 1] != '-') return i + 1;
            put(' '), put('-'), put(' ');
            return i + 2;
        });
    }

  private:
    void put(Char c) { next.push_back(c); }

    template <typename Step> void pass(Step &&step) {
        next.clear();
        next.reserve(text.size() * 2);
        for (size_t i = 0; i < text.size();) i = step(i);
        text.swap(next);
    }

    bool stands_at(size_t i, const char *pattern, size_t length) const {
        if (i + length > text.size()) return false;
        for (size_t k = 0; k < length; ++k)
            if (text[i + k] != static_cast<Char>(pattern[k])) return false;
        return true;
    }

    void replace(const char *pattern, const char *by) {
        const size_t length = std::char_traits<char>::length(pattern);
        // Most texts hold none of the patterns; looking is cheaper than copying.
        if (std::search(text.begin(), text.end(), pattern, pattern + length,
                        [](Char a, char b) { return a == static_cast<Char>(b); }) == text.end())
            return;
        pass([&](size_t i) {
            if (text[i] != static_cast<Char>(pattern[0]) || !stands_at(i, pattern, length)) {
                put(text[i]);
                return i + 1;
            }
            for (const char *c = by; *c; ++c) put(static_cast<Char>(*c));
            return i + length;
        });
    }
};

Vector<uint64_t> ids_13a(nb::str text) {
    std::vector<uint64_t> ids;
    with_characters(text, [&](const auto *chars, size_t n) {
        using Char = std::remove_const_t<std::remove_pointer_t<decltype(chars)>>;
        while (n > 0 && is_space(chars[n - 1])) --n;
        Tokenizer13a<Char> tokenizer;
        tokenizer.text.assign(chars, chars + n);
        tokenizer.normalise();
        tokenizer.separate();
        append_words(tokenizer.text.data(), tokenizer.text.size(), ids);
    });
    return to_numpy(std::move(ids));
}

}  // namespace

void register_plain_tokens(nb::module_ &m) {
    m.def("word_ids", &word_ids, nb::arg("text"));
    m.def("blank_split_ids", &blank_split_ids, nb::arg("text"));
    m.def("character_ids", &character_ids, nb::arg("text"), nb::arg("whitespace"));
    m.def("string_ids", &string_ids, nb::arg("strings"));
    m.def("ids_13a", &ids_13a, nb::arg("text"));
}

}  // namespace codekin
