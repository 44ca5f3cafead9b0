// Cuts code into tokens along the leaves of its flat syntax tree.
//
// Nothing is lost: bytes between leaves that are not blank, and leaves of ERROR nodes, become
// tokens too. Layout tokens (line end, indent, dedent) follow the rules of Python's own tokeniser
// but need no valid code.
#include <nanobind/nanobind.h>

#include <cstdint>
#include <vector>

#include "arrays.hpp"
#include "kernels.hpp"
#include "tokens.hpp"

namespace nb = nanobind;

namespace {

// These mirror codekin.languages.token_classes.TokenClass and codekin.languages.language.
enum Class : uint8_t {
    UNKNOWN = 0, IDENTIFIER = 2, INTEGER = 4, STRING = 6, OPERATOR = 10, COMMENT = 12,
    DOCSTRING = 13, NEWLINE = 14, INDENT = 15, DEDENT = 16
};
constexpr uint8_t ATOM = 0x40, SPLIT = 0x80, SKIP = 0xFF, CLASS_MASK = 0x3F;

bool is_blank(uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(uint8_t c) { return c >= '0' && c <= '9'; }
bool is_word(uint8_t c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c >= 0x80;
}

struct TokenArrays {
    std::vector<int32_t> start, end;
    std::vector<uint8_t> cls;

    void push(int32_t s, int32_t e, uint8_t c) {
        start.push_back(s), end.push_back(e), cls.push_back(c);
    }
};

class Cutter {
  public:
    Cutter(const char *data, size_t length, bool keep_comments)
        : data_(reinterpret_cast<const uint8_t *>(data)),
          length_(static_cast<int32_t>(length)),
          keep_comments_(keep_comments) {}

    void leaf(int32_t start, int32_t end, uint8_t entry) {
        if (start > position_) words(position_, start, UNKNOWN);
        // A parser may hand out a zero-width leaf, or one inside what an atom already covered.
        if (start < position_) start = position_;
        if (end <= start) return;
        position_ = end;
        if (entry == SKIP) return;
        const uint8_t cls = entry & CLASS_MASK;
        if (entry & SPLIT) {
            words(start, end, cls);
            return;
        }
        // Some grammars let a comment or a directive take its line end along.
        while (end > start && is_blank(data_[end - 1])) --end;
        while (end > start && is_blank(data_[start])) ++start;
        if (end > start) emit(start, end, cls);
    }

    TokenArrays finish() {
        words(position_, length_, UNKNOWN);
        return std::move(tokens_);
    }

  private:
    void emit(int32_t start, int32_t end, uint8_t cls) {
        if (!keep_comments_ && (cls == COMMENT || cls == DOCSTRING)) return;
        tokens_.push(start, end, cls);
    }

    // Raw text: runs of word characters, and every other character by itself.
    void words(int32_t from, int32_t to, uint8_t cls) {
        int32_t i = from;
        while (i < to) {
            if (is_blank(data_[i]) || (data_[i] == '\\' && i + 1 < to && is_line_end(i + 1))) {
                ++i;
                continue;
            }
            int32_t j = i + 1;
            const bool word = is_word(data_[i]);
            while (word && j < to && is_word(data_[j])) ++j;
            emit(i, j, cls == UNKNOWN ? cls : raw_class(data_[i], word));
            i = j;
        }
    }

    bool is_line_end(int32_t i) const { return data_[i] == '\n' || data_[i] == '\r'; }
    static uint8_t raw_class(uint8_t first, bool word) {
        if (!word) return OPERATOR;
        return is_digit(first) ? INTEGER : IDENTIFIER;
    }

    const uint8_t *data_;
    int32_t length_;
    bool keep_comments_;
    int32_t position_ = 0;
    TokenArrays tokens_;
};

// Adds line ends and changes of indentation, as zero-width tokens before the token that shows them.
TokenArrays with_layout(const TokenArrays &in, const uint8_t *data) {
    TokenArrays out;
    std::vector<int32_t> indents{0};
    int32_t brackets = 0, scanned = 0, line_start = 0;
    bool line_broke = true, continued = false, first = true;
    for (size_t k = 0; k < in.start.size(); ++k) {
        for (; scanned < in.start[k]; ++scanned) {
            const uint8_t c = data[scanned];
            if (c == '\n' || (c == '\r' && data[scanned + 1] != '\n')) {
                line_broke = true;
                line_start = scanned + 1;
            } else if (c == '\\') {
                continued = data[scanned + 1] == '\n' || data[scanned + 1] == '\r';
            }
        }
        const uint8_t cls = in.cls[k];
        if (cls == COMMENT) {  // a comment's own line has no bearing on the blocks
            out.push(in.start[k], in.end[k], cls);
            continue;
        }
        if (line_broke && brackets == 0 && !continued) {
            const int32_t at = in.start[k];
            int32_t column = 0;
            for (int32_t i = line_start; i < at; ++i) {
                if (data[i] == '\t') column = (column / 8 + 1) * 8;
                else if (data[i] == '\f') column = 0;
                else ++column;
            }
            if (!first) out.push(at, at, NEWLINE);
            if (column > indents.back()) {
                indents.push_back(column);
                out.push(at, at, INDENT);
            }
            while (column < indents.back()) {
                indents.pop_back();
                out.push(at, at, DEDENT);
            }
        }
        line_broke = continued = first = false;
        out.push(in.start[k], in.end[k], cls);
        if (in.end[k] - in.start[k] == 1) {
            const uint8_t c = data[in.start[k]];
            if (c == '(' || c == '[' || c == '{') ++brackets;
            if ((c == ')' || c == ']' || c == '}') && brackets > 0) --brackets;
        }
        // A string may run over lines; its own line ends are not the program's.
        for (; scanned < in.end[k]; ++scanned)
            if (data[scanned] == '\n') line_start = scanned + 1;
    }
    if (!first) {
        const int32_t at = in.end.back();
        out.push(at, at, NEWLINE);
        for (; indents.size() > 1; indents.pop_back()) out.push(at, at, DEDENT);
    }
    return out;
}

nb::tuple code_tokens(nb::bytes data, ArrayIn<uint16_t> kind, ArrayIn<int32_t> size,
                      ArrayIn<int32_t> start, ArrayIn<int32_t> end, ArrayIn<uint8_t> table,
                      ArrayIn<int32_t> docstrings, bool keep_comments, bool layout) {
    if (table.size() != 65536) throw nb::value_error("the token table needs an entry for every kind");
    const auto n = static_cast<int32_t>(kind.size());
    Cutter cutter(data.c_str(), data.size(), keep_comments);
    size_t next_docstring = 0;
    for (int32_t i = 0; i < n;) {
        uint8_t entry = table(kind(i));
        if (next_docstring < docstrings.size() && docstrings(next_docstring) == i) {
            ++next_docstring;
            entry = ATOM | DOCSTRING;
        }
        const bool atom = entry != SKIP && (entry & ATOM);
        if (size(i) == 1 || atom) cutter.leaf(start(i), end(i), entry);
        i += atom ? size(i) : 1;
    }
    TokenArrays tokens = cutter.finish();
    if (layout) tokens = with_layout(tokens, reinterpret_cast<const uint8_t *>(data.c_str()));
    return nb::make_tuple(to_numpy(std::move(tokens.start)), to_numpy(std::move(tokens.end)),
                          to_numpy(std::move(tokens.cls)));
}

Vector<uint64_t> code_token_ids(nb::bytes data, ArrayIn<int32_t> start, ArrayIn<int32_t> end,
                                ArrayIn<uint8_t> cls) {
    const char *text = data.c_str();
    const size_t n = start.size();
    std::vector<uint64_t> ids(n);
    for (size_t i = 0; i < n; ++i) {
        if (start(i) < 0 || end(i) < start(i) || static_cast<size_t>(end(i)) > data.size())
            throw nb::value_error("a token's span lies outside the text");
        // Layout tokens have no text: their class is their identity (length nibble 15 is free).
        ids[i] = cls(i) >= NEWLINE ? static_cast<uint64_t>(cls(i)) << 4 | 15
                                   : token_id(text + start(i), end(i) - start(i));
    }
    return to_numpy(std::move(ids));
}

}  // namespace

void register_code_tokens(nb::module_ &m) {
    m.def("code_tokens", &code_tokens, nb::arg("data"), nb::arg("kind"), nb::arg("size"),
          nb::arg("start"), nb::arg("end"), nb::arg("table"), nb::arg("docstrings"),
          nb::arg("keep_comments"), nb::arg("layout"),
          "Arrays (start, end, class) of the tokens of a flat tree.");
    m.def("code_token_ids", &code_token_ids, nb::arg("data"), nb::arg("start"), nb::arg("end"),
          nb::arg("cls"), "The 64-bit identity of each token.");
}
