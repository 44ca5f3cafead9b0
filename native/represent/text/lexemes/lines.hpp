// Puts lexemes into lines: physical ones, or Python's logical ones with a layout lexeme each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/token_ids.hpp"
#include "represent/text/lexemes/lexical_rules.hpp"

namespace codekin {

enum class LexemeKind : uint8_t { NONE, WORD, NUMBER, STRING, MARK, COMMENT };

struct Lexeme {
    int32_t start, end;
    int32_t line_start;  // where the line begins in which it stands first, -1 if it does not
    LexemeKind kind;
};

struct LexemeArrays {
    std::vector<int32_t> start, end, lines;
    std::vector<uint64_t> ids;
    std::vector<uint8_t> layout;

    void push(int32_t s, int32_t e, uint64_t id, bool is_layout) {
        start.push_back(s), end.push_back(e), ids.push_back(id), layout.push_back(is_layout);
    }
    void open_line() {
        const auto here = static_cast<int32_t>(start.size());
        if (lines.empty() || lines.back() != here) lines.push_back(here);
    }
    void reserve(size_t n) { start.reserve(n), end.reserve(n), ids.reserve(n), layout.reserve(n); }
};

class LexemeLines {
  public:
    LexemeLines(const LexicalRules &rules, std::string_view text, bool comments)
        : rules_(rules), text_(text), comments_(comments) {}

    LexemeArrays run(const std::vector<Lexeme> &lexemes) {
        out_.reserve(lexemes.size() + lexemes.size() / 4);
        if (rules_.layout)
            logical(lexemes);
        else
            physical(lexemes);
        return std::move(out_);
    }

  private:
    void physical(const std::vector<Lexeme> &lexemes) {
        bool fresh = true;
        for (const Lexeme &one : lexemes) {
            fresh = fresh || one.line_start >= 0;
            if (one.kind == LexemeKind::COMMENT && !comments_) continue;
            if (fresh) out_.open_line();
            fresh = false;
            put(one);
        }
    }

    void logical(const std::vector<Lexeme> &lexemes) {
        size_t begin = 0;
        for (size_t k = 0; k < lexemes.size(); ++k) {
            const Lexeme &one = lexemes[k];
            if (one.line_start >= 0 && one.kind != LexemeKind::COMMENT && breaks(one)) {
                line(lexemes, begin, k);
                begin = k;
                depth_ = 0, column_ = column(one);
            }
            if (one.kind == LexemeKind::MARK && one.end - one.start == 1) count_bracket(text_[one.start]);
        }
        line(lexemes, begin, lexemes.size());
    }

    // Whether a lexeme that stands first in its physical line begins a logical one.
    bool breaks(const Lexeme &one) const {
        if (depth_ == 0) return true;
        if (one.kind != LexemeKind::WORD) return false;
        const std::string word(text_of(one));
        if (rules_.statements.count(word)) return true;
        return rules_.outer_statements.count(word) && column(one) <= column_;
    }

    void count_bracket(char c) {
        if (c == '(' || c == '[' || c == '{') ++depth_;
        if ((c == ')' || c == ']' || c == '}') && depth_ > 0) --depth_;
    }

    // One logical line, with the comments in it and those on lines of their own below it.
    void line(const std::vector<Lexeme> &lexemes, size_t begin, size_t end) {
        bool documents = rules_.docstrings, opened = false;
        size_t code_end = begin;
        for (size_t k = begin; k < end; ++k) {
            if (lexemes[k].kind == LexemeKind::COMMENT) continue;
            documents = documents && lexemes[k].kind == LexemeKind::STRING;
            code_end = k + 1;
        }
        for (size_t k = begin; k < end; ++k) {
            const bool comment = lexemes[k].kind == LexemeKind::COMMENT;
            if ((comment || documents) && !comments_) continue;
            if (!comment && !opened) open(lexemes[k]), opened = true;
            if (comment && k >= code_end && lexemes[k].line_start >= 0) out_.open_line();
            put(lexemes[k]);
        }
    }

    // No text has the length 14, so no text has the identity of a layout lexeme.
    void open(const Lexeme &first) {
        out_.open_line();
        out_.push(first.line_start, first.start, static_cast<uint64_t>(column(first)) << 4 | 14, true);
    }

    int32_t column(const Lexeme &first) const {
        int32_t column = 0;
        for (int32_t i = first.line_start; i < first.start && text_[i] != '\\'; ++i) {
            if (text_[i] == '\t')
                column = (column / 8 + 1) * 8;
            else if (text_[i] == '\f')
                column = 0;
            else if (text_[i] == ' ')
                ++column;
        }
        return column;
    }

    void put(const Lexeme &one) {
        const std::string_view text = text_of(one);
        out_.push(one.start, one.end, token_id(text.data(), text.size()), false);
    }

    std::string_view text_of(const Lexeme &one) const {
        return text_.substr(static_cast<size_t>(one.start), static_cast<size_t>(one.end - one.start));
    }

    const LexicalRules &rules_;
    std::string_view text_;
    bool comments_;
    LexemeArrays out_;
    int32_t depth_ = 0;   // of brackets
    int32_t column_ = 0;  // of the logical line
};

}  // namespace codekin
