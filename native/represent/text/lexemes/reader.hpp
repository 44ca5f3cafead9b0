// Where words, numbers, strings and comments of a text end. The answers depend on what stands at
// and behind a place alone.
#pragma once

#include "represent/text/lexemes/lexical_rules.hpp"

namespace codekin {

class LexemeReader {
  public:
    LexemeReader(const LexicalRules &rules, std::string_view text)
        : rules_(rules),
          text_(text),
          data_(reinterpret_cast<const uint8_t *>(text.data())),
          length_(static_cast<int32_t>(text.size())) {}

  protected:
    uint8_t at(int32_t i) const { return i < length_ ? data_[i] : 0; }
    bool starts(int32_t i, std::string_view mark) const {
        return text_.compare(static_cast<size_t>(std::min(i, length_)), mark.size(), mark) == 0;
    }
    std::string_view piece(int32_t from, int32_t to) const {
        return text_.substr(static_cast<size_t>(from), static_cast<size_t>(to - from));
    }
    int32_t found(std::string_view mark, int32_t from) const {
        const size_t place = text_.find(mark, static_cast<size_t>(from));
        return place == std::string_view::npos ? length_ : static_cast<int32_t>(place);
    }
    int32_t past(int32_t i) const { return std::min(i, length_); }

    // The width of a line end, 0 if there is none.
    int32_t line_end_width(int32_t i) const {
        if (i >= length_ || !is_line_end(data_[i])) return 0;
        return data_[i] == '\r' && at(i + 1) == '\n' ? 2 : 1;
    }

    int32_t line_end(int32_t i) const {
        while (i < length_ && !is_line_end(data_[i])) ++i;
        return i;
    }

    bool begins_line(int32_t i) const { return i == 0 || is_line_end(data_[i - 1]); }

    int32_t skip_spaces(int32_t i) const {
        while (i < length_ && (data_[i] == ' ' || data_[i] == '\t')) ++i;
        return i;
    }

    // The width of the word's character at a place, 0 if it is none.
    int32_t word_width(int32_t i) const {
        if (i >= length_) return 0;
        if (data_[i] < 0x80) return rules_.word[data_[i]];
        const uint8_t *p = data_ + i, *end = data_ + length_;
        const Character c = character_at(p, end);
        return is_letter_code(c.code) && !blank_width(p, end) ? c.width : 0;
    }

    int32_t word_end(int32_t i) const {
        for (;;) {
            while (i < length_ && rules_.word[data_[i]]) ++i;
            const int32_t width = word_width(i);
            if (width == 0) return i;
            i += width;
        }
    }

    // A whole word from a letter or a sigil on; i itself where none begins there.
    int32_t name_end(int32_t i) const {
        const uint8_t c = at(i);
        if (rules_.sigils[c] && i < length_) {
            int32_t j = i + 1;
            if (c == '@' && at(j) == '@') ++j;
            return word_width(j) ? word_end(j) : i;
        }
        if (is_digit(c)) return i;
        int32_t j = word_end(i);
        // Ruby's empty? and save!, but not the first half of != or =~.
        if (j > i && rules_.endings[at(j)] && j < length_ && (at(j + 1) != '=' || at(j + 2) == '=')) ++j;
        return j;
    }

    // `whole`: a number behind a point has none of its own (Rust's pair.0.1).
    bool begins_number(int32_t i, bool whole) const {
        if (is_digit(at(i))) return true;
        return rules_.leading_point && !whole && at(i) == '.' && is_digit(at(i + 1));
    }

    int32_t number_end(int32_t i, bool whole) const {
        const uint8_t base = at(i) == '0' ? at(i + 1) | 0x20 : 0;
        if (base == 'x' || base == 'b' || base == 'o') return based_end(i + 2, base);
        int32_t j = digits_end(i);
        if (!whole && at(j) == '.' && takes_point(j, i)) j = digits_end(j + 1);
        if ((at(j) | 0x20) == 'e') {
            const int32_t sign = at(j + 1) == '+' || at(j + 1) == '-';
            if (is_digit(at(j + 1 + sign))) j = digits_end(j + 1 + sign);
        }
        return suffix_end(j);
    }

    int32_t comment_end(int32_t i, bool &is_comment) const {
        is_comment = true;
        for (const auto &block : rules_.block_comments(data_[i]))
            if (starts(i, block.opening) && (!block.line_start || begins_line(i))) return block_end(i, block);
        for (const auto &mark : rules_.line_comments(data_[i]))
            if (starts(i, mark) && operator_width(i) <= static_cast<int32_t>(mark.size()))
                return line_comment_end(i + static_cast<int32_t>(mark.size()));
        is_comment = false;
        return i;
    }

    int32_t operator_width(int32_t i) const {
        for (const auto &text : rules_.operators(data_[i]))
            if (starts(i, text) && fits(text, i + static_cast<int32_t>(text.size())))
                return static_cast<int32_t>(text.size());
        return 0;
    }

    const StringForm *form_at(int32_t i, std::string_view prefix) const {
        for (const auto &form : rules_.strings(at(i)))
            if (starts(i, form.opening) && form.takes(prefix)) return &form;
        return nullptr;
    }

    // A regular expression from its slash on; i itself where none is closed on the line. Then the
    // rest of the line has none either, so that garbage takes no quadratic time.
    int32_t regex_end(int32_t i) {
        if (i < no_regex_before_) return i;
        bool in_class = false;
        int32_t j = i + 1;
        for (; j < length_ && !is_line_end(data_[j]); ++j) {
            const uint8_t c = data_[j];
            if (c == '\\' && !is_line_end(at(j + 1)))
                ++j;
            else if (c == '[')
                in_class = true;
            else if (c == ']')
                in_class = false;
            else if (c == '/' && !in_class)
                return word_end(j + 1);
        }
        no_regex_before_ = j;
        return i;
    }

    // R"mark( ... )mark" from the quote on; i itself where it is none.
    int32_t raw_string_end(int32_t i) const {
        int32_t j = i + 1;
        while (j < length_ && j - i <= 17 && !std::strchr("()\\\" \t\r\n", data_[j])) ++j;
        if (at(j) != '(') return i;
        const std::string closing = ")" + std::string(piece(i + 1, j)) + "\"";
        return past(found(closing, j) + static_cast<int32_t>(closing.size()));
    }

    // Rust's r##"..."## from its first mark on; i itself where it is none.
    int32_t hashed_string_end(int32_t i) const {
        int32_t j = i;
        while (at(j) == '#') ++j;
        if (at(j) != '"') return i;
        const std::string closing = "\"" + std::string(static_cast<size_t>(j - i), '#');
        return past(found(closing, j + 1) + static_cast<int32_t>(closing.size()));
    }

    // C#'s """ ... """ with as many quotes as opened it; i itself where it is none.
    int32_t quote_run_end(int32_t i) const {
        int32_t j = i;
        if (at(j) == '$' && i > 0 && data_[i - 1] == '$') return i;  // the whole run was tried
        while (at(j) == '$') ++j;
        const int32_t from = j;
        while (at(j) == '"') ++j;
        if (j - from < 3) return i;
        const std::string closing(static_cast<size_t>(j - from), '"');
        int32_t end = past(found(closing, j) + (j - from));
        while (at(end) == '"') ++end;
        return end;
    }

    // The word behind a heredoc's mark, its quotes taken off; `i` moves past it. Empty: no heredoc.
    std::string_view heredoc_word(int32_t &i) const {
        const uint8_t quote = at(i);
        if (quote == '"' || quote == '\'' || quote == '`') {
            int32_t j = i + 1;
            while (j < length_ && data_[j] != quote && !is_line_end(data_[j])) ++j;
            if (at(j) != quote) return {};
            const std::string_view word = piece(i + 1, j);
            i = j + 1;
            return word;
        }
        if (is_digit(quote)) return {};
        const int32_t from = i;
        return piece(from, i = word_end(i));
    }

    // The end of the heredoc whose text begins with the line at i: past the word that closes it.
    int32_t heredoc_end(int32_t i, std::string_view word) const {
        while (i < length_) {
            const int32_t from = skip_spaces(i), to = from + static_cast<int32_t>(word.size());
            if (starts(from, word) && !word_width(to)) return past(to);
            i = line_end(i);
            i += line_end_width(i);
        }
        return length_;
    }

    const LexicalRules &rules_;
    std::string_view text_;
    const uint8_t *data_;
    int32_t length_;

  private:
    // An operator of letters (Kotlin's !in) ends like a word; a?.5:b has no operator ?. in it.
    bool fits(std::string_view text, int32_t end) const {
        if (is_word(static_cast<uint8_t>(text.back()))) return !word_width(end);
        return text != "?." || !is_digit(at(end));
    }

    int32_t digits_end(int32_t i) const {
        while (is_digit(at(i)) || (at(i) == '_' && is_word(at(i + 1))) || separates(i)) ++i;
        return i;
    }

    bool separates(int32_t i) const {
        return rules_.digit_separators && at(i) == '\'' && at(i + 1) < 0x80 && is_word(at(i + 1));
    }

    // Of 1.5, 1.e3, 1.f and 1. but not of 1..2 and 1.max().
    bool takes_point(int32_t i, int32_t start) const {
        const uint8_t next = at(i + 1);
        if (is_digit(next)) return true;
        if (i == start || !rules_.trailing_point || next == '.') return false;
        if (!word_width(i + 1)) return true;
        if ((next | 0x20) == 'e') return is_digit(at(i + 2)) || at(i + 2) == '+' || at(i + 2) == '-';
        return std::strchr("fFdDlLjJ", next) && next != 0 && !word_width(i + 2);
    }

    int32_t based_end(int32_t i, uint8_t base) const {
        const auto digit = [&](uint8_t c) {
            const uint8_t low = c | 0x20;
            return is_digit(c) || c == '_' || (base == 'x' && low >= 'a' && low <= 'f');
        };
        while (digit(at(i)) || separates(i)) ++i;
        if (base == 'x' && at(i) == '.' && hex_fraction(i + 1)) {
            ++i;
            while (digit(at(i))) ++i;
        }
        if (base == 'x' && (at(i) | 0x20) == 'p') {
            const int32_t sign = at(i + 1) == '+' || at(i + 1) == '-';
            if (is_digit(at(i + 1 + sign))) i = digits_end(i + 1 + sign);
        }
        return suffix_end(i);
    }

    // Whether digits and an exponent follow, without which a point ends a number of base 16.
    bool hex_fraction(int32_t i) const {
        while (at(i) < 0x80 && is_word(at(i)) && (at(i) | 0x20) != 'p') ++i;
        return (at(i) | 0x20) == 'p';
    }

    int32_t suffix_end(int32_t i) const {
        if (rules_.any_suffix) return word_end(i);
        return i < length_ && rules_.number_suffixes[data_[i]] ? i + 1 : i;
    }

    int32_t line_comment_end(int32_t i) const {
        for (; i < length_ && !is_line_end(data_[i]); ++i) {
            if (rules_.tags && starts(i, "?>")) break;
            if (rules_.preprocessor && data_[i] == '\\') i += line_end_width(i + 1);
        }
        return past(i);
    }

    int32_t block_end(int32_t i, const BlockComment &block) const {
        const auto opening = static_cast<int32_t>(block.opening.size());
        const auto closing = static_cast<int32_t>(block.closing.size());
        if (closing == 0) return length_;
        int32_t depth = 1;
        for (i += opening; i < length_ && depth > 0;) {
            if (!block.nested && !block.line_start) return past(found(block.closing, i) + closing);
            if (starts(i, block.closing) && (!block.line_start || begins_line(i)))
                --depth, i += closing;
            else if (block.nested && starts(i, block.opening))
                ++depth, i += opening;
            else
                ++i;
        }
        return block.line_start ? line_end(past(i)) : past(i);
    }

    int32_t no_regex_before_ = 0;
};

}  // namespace codekin
