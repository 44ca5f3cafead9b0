// Cuts code into tokens along the leaves of its flat syntax tree.
//
// Nothing is lost: bytes between leaves that are not blank, and leaves of ERROR nodes, become
// tokens too. Layout tokens (line end, indent, dedent) follow the rules of Python's own tokeniser
// but need no valid code.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "common/arrays.hpp"
#include "common/characters.hpp"
#include "common/checks.hpp"
#include "common/token_ids.hpp"

namespace nb = nanobind;

namespace codekin {

namespace {

// These mirror codekin.languages.token_classes.TokenClass and codekin.languages.language.
enum Class : uint8_t {
    UNKNOWN = 0,
    IDENTIFIER = 2,
    INTEGER = 4,
    FLOAT = 5,
    STRING = 6,
    CHARACTER = 7,
    OPERATOR = 10,
    DELIMITER = 11,
    COMMENT = 12,
    DOCSTRING = 13,
    NEWLINE = 14,
    INDENT = 15,
    DEDENT = 16
};
constexpr uint8_t NUMERIC = 0x20, ATOM = 0x40, SPLIT = 0x80, SKIP = 0xFF, CLASS_MASK = 0x1F;
constexpr uint16_t ERROR_KIND = 65535;

// INTEGER or FLOAT, by how a number is written: a point, or an exponent.
uint8_t class_of_number(const uint8_t *p, const uint8_t *end) {
    const bool prefixed = end - p > 1 && p[0] == '0' && !is_digit(p[1]) && p[1] != '.';
    const uint8_t base = prefixed ? p[1] | 0x20 : 0;
    const uint8_t exponent = base == 'x' ? 'p' : 'e';
    for (; p < end; ++p) {
        if (*p == '.') return FLOAT;
        if ((*p | 0x20) != exponent || p + 1 == end || base == 'b' || base == 'o') continue;
        if (is_digit(p[1]) || p[1] == '+' || p[1] == '-') return FLOAT;
    }
    return INTEGER;
}

struct TokenArrays {
    std::vector<int32_t> start, end;
    std::vector<uint8_t> cls;

    void push(int32_t s, int32_t e, uint8_t c) { start.push_back(s), end.push_back(e), cls.push_back(c); }
};

class Cutter {
  public:
    Cutter(const char *data, size_t length)
        : data_(reinterpret_cast<const uint8_t *>(data)), length_(static_cast<int32_t>(length)) {}

    void leaf(int32_t start, int32_t end, uint8_t entry) {
        // Where the text is no valid UTF-8 (lone surrogates) a parser may cut through a character.
        start = character_start(start), end = character_start(end);
        if (start > position_) gap(start);
        // A parser may hand out a zero-width leaf, or one inside what an atom already covered.
        if (start < position_) start = position_;
        if (end <= start) return;
        position_ = end;
        // Layout holds blanks and joined lines alone, unless the text ends in the middle of it.
        if (entry == SKIP) entry = SPLIT | UNKNOWN;
        const uint8_t cls = entry & CLASS_MASK;
        if (entry & SPLIT) {
            words(start, end, cls);
            return;
        }
        // Some grammars let a comment or a directive take its line end along.
        while (end > start && is_ascii_blank(end - 1)) --end;
        while (end > start && is_ascii_blank(start)) ++start;
        if (entry & NUMERIC)
            number(start, end);
        else if (end > start)
            tokens_.push(start, end, cls);
    }

    // From here to a byte lies code that the grammar has no rule for.
    void broken_until(int32_t end) {
        if (end > broken_end_) broken_end_ = end;
    }

    TokenArrays finish() {
        gap(length_);
        return std::move(tokens_);
    }

  private:
    // Text between leaves: skipped by the parser, or read by a rule that leaves no node.
    void gap(int32_t to) { words(position_, to, position_ < broken_end_ ? UNKNOWN : IDENTIFIER); }

    // Some grammars read a sign into the number; it is a token of its own everywhere else.
    void number(int32_t start, int32_t end) {
        if (end - start > 1 && (data_[start] == '-' || data_[start] == '+')) {
            tokens_.push(start, start + 1, OPERATOR);
            start = skip_blanks(start + 1, end);
        }
        if (end > start) tokens_.push(start, end, class_of_number(data_ + start, data_ + end));
    }

    int32_t skip_blanks(int32_t i, int32_t to) const {
        while (i < to && is_ascii_blank(i)) ++i;
        return i;
    }

    // Raw text. Code (a macro's body) is cut as a C compiler would; anything else, UNKNOWN or
    // STRING, into runs of word characters and every other character by itself.
    void words(int32_t from, int32_t to, uint8_t cls) {
        const bool code = cls != UNKNOWN && cls != STRING;
        int32_t i = from;
        while (i < to) {
            if (const int32_t width = blank_width(data_ + i, data_ + to)) {
                i += width;
            } else if (data_[i] == '\\' && i + 1 < length_ && is_line_end(data_[i + 1])) {
                ++i;
            } else {
                uint8_t own = cls;
                const int32_t j = code ? code_end(i, to, own) : word_end(i, to);
                tokens_.push(i, j, own);
                i = j;
            }
        }
    }

    int32_t character_start(int32_t i) const {
        while (i < length_ && (data_[i] & 0xC0) == 0x80) ++i;
        return i;
    }

    int32_t word_end(int32_t i, int32_t to) const {
        if (!is_word(data_[i])) return i + 1;
        do ++i;
        while (i < to && is_word(data_[i]) && !blank_width(data_ + i, data_ + to));
        return i;
    }

    int32_t code_end(int32_t i, int32_t to, uint8_t &cls) const {
        const uint8_t c = data_[i], next = i + 1 < to ? data_[i + 1] : 0;
        if (is_digit(c) || (c == '.' && is_digit(next))) {
            const int32_t j = number_end(i, to);
            cls = class_of_number(data_ + i, data_ + j);
            return j;
        }
        if (is_word(c)) return cls = IDENTIFIER, word_end(i, to);
        if (c == '"' || c == '\'') return cls = c == '"' ? STRING : CHARACTER, quote_end(i, to);
        if (c == '/' && next == '/') return cls = COMMENT, line_end(i, to);
        const int32_t width = punctuation_width(i, to);
        cls = OPERATOR;
        if (std::strchr("()[]{},;:.", c) && c != 0) cls = DELIMITER;
        if (width == 2 && c == '-' && next == '>') cls = DELIMITER;
        return i + width;
    }

    int32_t number_end(int32_t i, int32_t to) const {
        for (; i < to; ++i) {
            if (is_word(data_[i]) || data_[i] == '.') continue;
            const uint8_t before = data_[i - 1] | 0x20;
            const bool sign = data_[i] == '+' || data_[i] == '-';
            if (!sign || (before != 'e' && before != 'p')) break;
        }
        return i;
    }

    int32_t quote_end(int32_t i, int32_t to) const {
        const uint8_t quote = data_[i];
        for (++i; i < to && data_[i] != quote; ++i)
            if (data_[i] == '\\' && i + 1 < to) ++i;
        return i < to ? i + 1 : to;
    }

    int32_t line_end(int32_t i, int32_t to) const {
        while (i < to && !is_line_end(data_[i])) ++i;
        return i;
    }

    int32_t punctuation_width(int32_t i, int32_t to) const {
        static const char *const known[] = {"<<=", ">>=", "...", "##", "->", "++", "--", "<<",
                                            ">>",  "<=",  ">=",  "==", "!=", "&&", "||", "+=",
                                            "-=",  "*=",  "/=",  "%=", "&=", "|=", "^=", "::"};
        for (const char *text : known) {
            const auto width = static_cast<int32_t>(std::strlen(text));
            if (to - i >= width && std::memcmp(data_ + i, text, width) == 0) return width;
        }
        return 1;
    }

    bool is_ascii_blank(int32_t i) const { return data_[i] == ' ' || (data_[i] >= '\t' && data_[i] <= '\r'); }

    const uint8_t *data_;
    int32_t length_;
    int32_t position_ = 0, broken_end_ = 0;
    TokenArrays tokens_;
};

// Python's line ends and blocks. A line end stands after the last token of its logical line, a
// change of indentation before the first token of the next; both have width zero.
class Layout {
  public:
    Layout(const TokenArrays &in, const uint8_t *data) : in_(in), data_(data) {}

    TokenArrays run() {
        for (size_t k = 0; k < in_.start.size(); ++k) {
            const int32_t start = in_.start[k], end = in_.end[k];
            const uint8_t cls = in_.cls[k];
            scan_gap(start);
            if (line_broke_ && brackets_ == 0) close_line();
            // A comment's own line has no bearing on the blocks.
            if (cls != COMMENT) {
                if (!line_open_) open_line(start);
                line_broke_ = false;
                count_bracket(start, end);
            }
            out_.push(start, end, cls);
            last_end_ = scanned_ = end;
        }
        close_line();
        indent_to(0, last_end_);
        return std::move(out_);
    }

  private:
    // Between tokens there are only blanks and joined lines.
    void scan_gap(int32_t to) {
        for (; scanned_ < to; ++scanned_) {
            const uint8_t c = data_[scanned_];
            if (c == '\\') {
                scanned_ += data_[scanned_ + 1] == '\r' && data_[scanned_ + 2] == '\n' ? 2 : 1;
            } else if (is_line_end(c)) {
                line_broke_ = true;
                line_start_ = scanned_ + 1;
            }
        }
    }

    void close_line() {
        if (line_open_) out_.push(last_end_, last_end_, NEWLINE);
        line_open_ = false;
    }

    void open_line(int32_t at) {
        int32_t column = 0;
        for (int32_t i = line_start_; i < at && data_[i] != '\\'; ++i) {
            if (data_[i] == '\t')
                column = (column / 8 + 1) * 8;
            else if (data_[i] == '\f')
                column = 0;
            else if (data_[i] == ' ')
                ++column;
        }
        indent_to(column, at);
        line_open_ = true;
    }

    void indent_to(int32_t column, int32_t at) {
        if (column > indents_.back()) {
            indents_.push_back(column);
            out_.push(at, at, INDENT);
        }
        while (column < indents_.back()) {
            indents_.pop_back();
            out_.push(at, at, DEDENT);
        }
    }

    void count_bracket(int32_t start, int32_t end) {
        if (end - start != 1) return;
        const uint8_t c = data_[start];
        if (c == '(' || c == '[' || c == '{') ++brackets_;
        if ((c == ')' || c == ']' || c == '}') && brackets_ > 0) --brackets_;
    }

    const TokenArrays &in_;
    const uint8_t *data_;
    TokenArrays out_;
    std::vector<int32_t> indents_{0};
    int32_t brackets_ = 0, scanned_ = 0, line_start_ = 0, last_end_ = 0;
    bool line_broke_ = false, line_open_ = false;
};

// Drops comments, and docstrings with the line end that follows.
TokenArrays without_comments(const TokenArrays &in) {
    TokenArrays out;
    for (size_t k = 0; k < in.start.size(); ++k) {
        if (in.cls[k] == COMMENT) continue;
        if (in.cls[k] == DOCSTRING) {
            size_t next = k + 1;
            while (next < in.start.size() && in.cls[next] == COMMENT) ++next;
            if (next < in.start.size() && in.cls[next] == NEWLINE) k = next;
            continue;
        }
        out.push(in.start[k], in.end[k], in.cls[k]);
    }
    return out;
}

// Gives reserved words their class where a grammar, or a macro's raw body, left them as identifiers.
void set_reserved(TokenArrays &tokens, const char *text, const ArrayIn<uint64_t> &words,
                  const ArrayIn<uint8_t> &classes) {
    const uint64_t *first = words.data(), *last = first + words.size();
    if (first == last) return;
    for (size_t i = 0; i < tokens.start.size(); ++i) {
        if (tokens.cls[i] != IDENTIFIER) continue;
        const uint64_t id = token_id(text + tokens.start[i], tokens.end[i] - tokens.start[i]);
        const uint64_t *found = std::lower_bound(first, last, id);
        if (found != last && *found == id) tokens.cls[i] = classes(found - first);
    }
}

nb::tuple code_tokens(nb::bytes data, ArrayIn<uint16_t> kind, ArrayIn<int32_t> size, ArrayIn<int32_t> start,
                      ArrayIn<int32_t> end, ArrayIn<uint8_t> table, ArrayIn<uint64_t> reserved,
                      ArrayIn<uint8_t> reserved_classes, ArrayIn<int32_t> docstrings, bool keep_comments,
                      bool layout) {
    check::length("table", table.size(), check::KINDS);
    check::same_length("kind", kind.size(),
                       {{"size", size.size()}, {"start", start.size()}, {"end", end.size()}});
    check::sizes(size);
    check::spans(start, end, data.size());
    check::same_length("reserved", reserved.size(), {{"reserved_classes", reserved_classes.size()}});
    check::ascending("reserved", reserved);
    check::all_in_range("docstrings", docstrings, 0, static_cast<int64_t>(kind.size()));
    check::ascending("docstrings", docstrings);
    const auto n = static_cast<int32_t>(kind.size());
    Cutter cutter(data.c_str(), data.size());
    size_t next_docstring = 0;
    for (int32_t i = 0; i < n;) {
        uint8_t entry = table(kind(i));
        if (next_docstring < docstrings.size() && docstrings(next_docstring) == i) {
            ++next_docstring;
            entry = ATOM | DOCSTRING;
        }
        if (kind(i) == ERROR_KIND) cutter.broken_until(end(i));
        const bool atom = entry != SKIP && (entry & ATOM);
        if (size(i) == 1 || atom) cutter.leaf(start(i), end(i), entry);
        i += atom ? size(i) : 1;
    }
    TokenArrays tokens = cutter.finish();
    if (layout) tokens = Layout(tokens, reinterpret_cast<const uint8_t *>(data.c_str())).run();
    if (!keep_comments) tokens = without_comments(tokens);
    set_reserved(tokens, data.c_str(), reserved, reserved_classes);
    return nb::make_tuple(to_numpy(std::move(tokens.start)), to_numpy(std::move(tokens.end)),
                          to_numpy(std::move(tokens.cls)));
}

Vector<uint64_t> code_token_ids(nb::bytes data, ArrayIn<int32_t> start, ArrayIn<int32_t> end,
                                ArrayIn<uint8_t> cls) {
    check::spans(start, end, data.size());
    check::same_length("start", start.size(), {{"cls", cls.size()}});
    const char *text = data.c_str();
    const size_t n = start.size();
    std::vector<uint64_t> ids(n);
    for (size_t i = 0; i < n; ++i) {
        // Layout tokens have no text: their class is their identity (length nibble 15 is free).
        ids[i] = cls(i) >= NEWLINE ? static_cast<uint64_t>(cls(i)) << 4 | 15
                                   : token_id(text + start(i), end(i) - start(i));
    }
    return to_numpy(std::move(ids));
}

}  // namespace

void register_code_tokens(nb::module_ &m) {
    m.def("code_tokens", &code_tokens, nb::arg("data"), nb::arg("kind"), nb::arg("size"), nb::arg("start"),
          nb::arg("end"), nb::arg("table"), nb::arg("reserved"), nb::arg("reserved_classes"),
          nb::arg("docstrings"), nb::arg("keep_comments"), nb::arg("layout"),
          "Arrays (start, end, class) of the tokens of a flat tree.");
    m.def("code_token_ids", &code_token_ids, nb::arg("data"), nb::arg("start"), nb::arg("end"),
          nb::arg("cls"), "The 64-bit identity of each token.");
}

}  // namespace codekin
