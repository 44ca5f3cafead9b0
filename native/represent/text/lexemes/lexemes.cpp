// Cuts a text into lexemes by the lexical facts of its language alone. No parser has a say, so what
// stands before or behind a stretch of code changes nothing in it.
//
// Nothing is lost: bytes that fit no rule become lexemes of one character.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "common/arrays.hpp"
#include "common/checks.hpp"
#include "represent/text/lexemes/lexer.hpp"
#include "represent/text/lexemes/lines.hpp"
#include "represent/text/lexemes/strings.hpp"

namespace nb = nanobind;

namespace codekin {

namespace {

class Lexer : LexemeStrings {
  public:
    using LexemeStrings::LexemeStrings;

    std::vector<Lexeme> run() {
        out_.reserve(static_cast<size_t>(length_) / 4);
        int32_t i = rules_.tags && found("<?", 0) < length_ ? outside_tags(0) : 0;
        while (i < length_) i = step(i);
        return std::move(out_);
    }

  private:
    int32_t step(int32_t i) {
        const uint8_t c = data_[i];
        if (const int32_t width = blank_width(data_ + i, data_ + length_)) return blank(i, width);
        if (c == '\\' && rules_.continuation)
            if (const int32_t width = line_end_width(i + 1)) return i + 1 + width;
        if (rules_.comment[c]) {
            bool is_comment;
            const int32_t end = comment_end(i, is_comment);
            if (is_comment) return push(i, end, LexemeKind::COMMENT);
        }
        const int32_t word = name_end(i);
        if (word > i) return after_word(i, word);
        if (is_digit(c) || c == '.') {
            const bool whole = last_is(".");
            if (begins_number(i, whole)) return push(i, number_end(i, whole), LexemeKind::NUMBER);
        }
        if (rules_.string[c] || c == '$') {
            const int32_t end = literal_end(i, i);
            if (end > i) return push(i, end, LexemeKind::STRING);
        }
        return mark(i);
    }

    int32_t blank(int32_t i, int32_t width) {
        if (!is_line_end(data_[i])) return i + width;
        i += line_end_width(i);
        fresh_line(i);
        // The texts of Ruby's heredocs stand below the line that opened them.
        for (size_t k = 0; k < pending_.size(); ++k) {
            const int32_t end = heredoc_end(i, pending_[k]);
            int32_t from = i;
            while (from < end && is_blank(from)) from += blank_width(data_ + from, data_ + length_);
            if (end > from) push(from, end, LexemeKind::STRING);
            i = end;
        }
        pending_.clear();
        return i;
    }

    bool is_blank(int32_t i) const { return blank_width(data_ + i, data_ + length_) > 0; }

    void fresh_line(int32_t start) { line_start_ = start; }

    int32_t push(int32_t start, int32_t end, LexemeKind kind) {
        out_.push_back({start, end, line_start_, kind});
        line_start_ = -1;
        if (kind == LexemeKind::COMMENT || (kind == LexemeKind::STRING && !rules_.layout))
            note_lines(start, end);
        if (kind != LexemeKind::COMMENT) last_ = out_.back();
        return end;
    }

    // What follows a string or comment of several lines stands first in its last line; a logical
    // line goes on behind a string.
    void note_lines(int32_t start, int32_t end) {
        for (int32_t i = end; i > start; --i)
            if (is_line_end(data_[i - 1])) return fresh_line(i);
    }

    bool last_is(std::string_view text) const {
        return last_.kind != LexemeKind::NONE && piece(last_.start, last_.end) == text;
    }

    int32_t after_word(int32_t i, int32_t word) {
        if (rules_.string[at(word)] || at(word) == '#' || at(word) == '"') {
            const int32_t end = literal_end(i, word);
            if (end > word) return push(i, end, LexemeKind::STRING);
            if (rules_.hashed_strings && piece(i, word) == "r" && at(word) == '#' && word_width(word + 1))
                word = word_end(word + 1);
        }
        const bool include = rules_.preprocessor && last_is("#") && last_.line_start >= 0;
        push(i, word, LexemeKind::WORD);
        return include ? after_directive(word) : word;
    }

    // The name in angle brackets behind #include.
    int32_t after_directive(int32_t i) {
        if (!last_is("include") && !last_is("include_next") && !last_is("import")) return i;
        const int32_t from = skip_spaces(i);
        if (at(from) != '<') return i;
        const size_t to = piece(from, line_end(from)).find('>');
        if (to == std::string_view::npos) return i;
        return push(from, from + static_cast<int32_t>(to) + 1, LexemeKind::STRING);
    }

    // The end of the string whose prefix is the word from i to `at_quote`; `at_quote` if none begins.
    int32_t literal_end(int32_t i, int32_t at_quote) {
        const std::string_view prefix = piece(i, at_quote);
        if (rules_.quote_runs && prefix.empty()) {
            const int32_t end = quote_run_end(at_quote);
            if (end > at_quote) return end;
        }
        if (rules_.raw_strings && !prefix.empty() && prefix.back() == 'R' && at(at_quote) == '"') {
            const std::string_view kind = prefix.substr(0, prefix.size() - 1);
            if (kind.empty() || kind == "L" || kind == "u" || kind == "U" || kind == "u8")
                return raw_string_end(at_quote);
        }
        if (rules_.hashed_strings && (prefix == "r" || prefix == "br" || prefix == "cr"))
            return hashed_string_end(at_quote);
        const StringForm *form = form_at(at_quote, prefix);
        if (form == nullptr) return at_quote;
        return string_end(at_quote + static_cast<int32_t>(form->opening.size()), *form);
    }

    // Operators, and literals that open with a character which is an operator elsewhere.
    int32_t mark(int32_t i) {
        const uint8_t c = data_[i];
        if (c == '\'' && rules_.lifetimes) return push(i, quote_end(i), LexemeKind::STRING);
        if (c == '/' && !rules_.regex_after.empty() && opens_regex(i)) {
            const int32_t end = regex_end(i);
            if (end > i) return push(i, end, LexemeKind::STRING);
        }
        if (c == '<' && !rules_.heredocs.empty() && starts(i, rules_.heredocs)) {
            const int32_t end = rules_.ruby ? ruby_heredoc(i) : php_heredoc(i);
            if (end > i) return push(i, end, LexemeKind::STRING);
        }
        if (rules_.ruby) {
            const int32_t end = ruby_literal(i);
            if (end > i) return push(i, end, LexemeKind::STRING);
        }
        if (rules_.tags && starts(i, "?>")) return push(i, i + 2, LexemeKind::MARK), outside_tags(i + 2);
        if (rules_.tags && starts(i, "<?")) return push(i, tag_end(i), LexemeKind::MARK);
        const int32_t width = operator_width(i);
        const int32_t one = character_at(data_ + i, data_ + length_).width;
        return push(i, i + std::max(width, one), LexemeKind::MARK);
    }

    // Rust: 'x' is a character and 'a a lifetime.
    int32_t quote_end(int32_t i) {
        const StringForm *form = form_at(i, "b");
        if (at(i + 1) == '\\' && form != nullptr) return string_end(i + 1, *form);
        if (i + 1 >= length_ || is_line_end(data_[i + 1])) return i + 1;
        const int32_t next = i + 1 + character_at(data_ + i + 1, data_ + length_).width;
        if (at(next) == '\'') return next + 1;
        return word_end(i + 1);
    }

    // Whether the last lexeme ends a value, behind which a slash divides.
    bool after_value() const {
        if (last_.kind == LexemeKind::NUMBER || last_.kind == LexemeKind::STRING) return true;
        if (last_.kind == LexemeKind::WORD) return !regex_follows(piece(last_.start, last_.end));
        for (const char *mark : {")", "]", "}", "++", "--"})
            if (last_is(mark)) return true;
        return false;
    }

    // Ruby's `puts /x/`: a word, a blank, and none behind the mark.
    bool opens_argument(int32_t i) const {
        return rules_.ruby && last_.kind == LexemeKind::WORD && last_.end < i && i + 1 < length_ &&
               !is_blank(i + 1) && at(i + 1) != '=';
    }

    bool opens_regex(int32_t i) const { return !after_value() || opens_argument(i); }

    int32_t php_heredoc(int32_t i) const {
        int32_t j = skip_spaces(i + 3);
        const std::string_view word = heredoc_word(j);
        const int32_t line = line_end_width(j);
        return word.empty() || line == 0 ? i : heredoc_end(j + line, word);
    }

    int32_t ruby_heredoc(int32_t i) {
        int32_t j = i + 2;
        const bool marked = at(j) == '-' || at(j) == '~';
        if (marked) ++j;
        const uint8_t first = at(j);
        const bool upper = (first >= 'A' && first <= 'Z') || first == '"' || first == '\'';
        if (!marked && (!upper || after_value())) return i;
        const std::string_view word = heredoc_word(j);
        if (word.empty()) return i;
        pending_.push_back(word);
        return j;
    }

    int32_t ruby_literal(int32_t i) {
        const uint8_t c = data_[i], next = at(i + 1);
        if (c == ':' && next != ':') return symbol_end(i);
        if (c == '%' && (!after_value() || opens_argument(i))) return percent_end(i);
        if (c == '?' && !after_value() && next > ' ') {
            const int32_t from = i + 1 + (next == '\\' && i + 2 < length_);
            const int32_t end = from + character_at(data_ + from, data_ + length_).width;
            return word_width(end) ? i : end;
        }
        return i;
    }

    int32_t symbol_end(int32_t i) {
        const bool touches = last_.kind != LexemeKind::NONE && last_.end == i && after_value();
        if (touches) return i;
        const int32_t name = name_end(i + 1);
        if (name > i + 1) return at(name) == '=' && !std::strchr("=~>", at(name + 1)) ? name + 1 : name;
        if (const StringForm *form = form_at(i + 1, "")) return string_end(i + 2, *form);
        if (starts(i + 1, "[]")) return i + (at(i + 3) == '=' ? 4 : 3);
        if (i + 1 >= length_) return i;
        const int32_t width = operator_width(i + 1);
        const bool single = std::strchr("+-*/%<>!~^&|", at(i + 1)) != nullptr && at(i + 1) != 0;
        return width > 0 || single ? i + 1 + std::max(width, 1) : i;
    }

    // %w[...], %(...), %r{...}: up to the bracket that closes the first one.
    int32_t percent_end(int32_t i) const {
        int32_t j = i + 1;
        const bool lettered = at(j) != 0 && std::strchr("wWiIqQrsx", at(j)) != nullptr;
        if (lettered) ++j;
        const uint8_t open = at(j);
        if (open <= ' ' || open >= 0x80 || is_word(open) || (!lettered && !std::strchr("([{<|", open)))
            return i;
        if (open == '=') return i;
        const char *pairs = "()[]{}<>", *pair = std::strchr(pairs, open);
        const uint8_t close = pair != nullptr && (pair - pairs) % 2 == 0 ? pair[1] : open;
        int32_t depth = 0;
        for (; j < length_; ++j) {
            if (data_[j] == '\\')
                ++j;
            else if (data_[j] == close && (close != open || depth > 0) && --depth == 0)
                break;
            else if (data_[j] == open)
                ++depth;
        }
        return open == '/' || lettered ? word_end(past(j + 1)) : past(j + 1);
    }

    int32_t tag_end(int32_t i) const {
        if (at(i + 2) == '=') return i + 3;
        const bool named =
            (at(i + 2) | 0x20) == 'p' && (at(i + 3) | 0x20) == 'h' && (at(i + 4) | 0x20) == 'p';
        return named ? i + 5 : i + 2;
    }

    // Text outside PHP's tags: words, and every other character by itself.
    int32_t outside_tags(int32_t i) {
        while (i < length_ && !starts(i, "<?")) {
            if (const int32_t width = blank_width(data_ + i, data_ + length_)) {
                i = blank(i, width);
                continue;
            }
            const int32_t end = word_end(i);
            if (end > i)
                i = push(i, end, LexemeKind::WORD);
            else
                i = push(i, i + character_at(data_ + i, data_ + length_).width, LexemeKind::MARK);
        }
        return i < length_ ? push(i, tag_end(i), LexemeKind::MARK) : i;
    }

    std::vector<Lexeme> out_;
    std::vector<std::string_view> pending_;    // words of the heredocs that this line opened
    Lexeme last_{0, 0, -1, LexemeKind::NONE};  // the last one that is no comment
    int32_t line_start_ = 0;
};

nb::tuple lexemes(nb::bytes data, const LexicalRules &rules, bool comments) {
    check::positions("bytes of a text", data.size());
    const std::string_view text(data.c_str(), data.size());
    LexemeArrays found;
    {
        nb::gil_scoped_release released;
        found = LexemeLines(rules, text, comments).run(Lexer(rules, text).run());
    }
    return nb::make_tuple(to_numpy(std::move(found.start)), to_numpy(std::move(found.end)),
                          to_numpy(std::move(found.ids)), to_numpy(std::move(found.lines)),
                          to_numpy(std::move(found.layout)));
}

}  // namespace

std::vector<Lexeme> lexed(const LexicalRules &rules, std::string_view text) {
    return Lexer(rules, text).run();
}

void register_lexemes(nb::module_ &m) {
    nb::class_<LexicalRules>(m, "LexicalRules")
        .def(nb::init<const LexicalRules::Words &, const std::vector<LexicalRules::BlockRow> &,
                      const std::vector<LexicalRules::StringRow> &, const LexicalRules::Words &,
                      const std::tuple<std::string, std::string, std::string, std::string> &,
                      const std::tuple<LexicalRules::Words, LexicalRules::Words, LexicalRules::Words> &,
                      std::string, const LexicalRules::Words &>(),
             nb::arg("line_comments"), nb::arg("block_comments"), nb::arg("strings"), nb::arg("operators"),
             nb::arg("characters"), nb::arg("words"), nb::arg("heredocs"), nb::arg("flags"));
    m.def("lexemes", &lexemes, nb::arg("data"), nb::arg("rules"), nb::arg("comments"),
          "Arrays (start, end, identity, first lexeme of each line, layout) of a text's lexemes.");
}

}  // namespace codekin
