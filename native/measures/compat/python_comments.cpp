// Strips Python of comments and docstrings as the codebleu package does, where that is plain.
//
// The package rebuilds the text from the tokens of Python's tokenize module. For ordinary text the
// outcome is the text without its comments and without the strings it takes for documentation.
// Whatever is not ordinary (tabs, continued lines, brackets or quotes that do not match, unknown
// characters) is left to the module itself: the answer is then None.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <cctype>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nb = nanobind;

namespace codekin {

namespace {

class Stripper {
  public:
    explicit Stripper(std::string_view text) : text_(text) {}

    std::optional<std::string> run() {
        indents_ = {0};
        while (at_ < text_.size())
            if (!line()) return std::nullopt;
        if (depth_ != 0) return std::nullopt;
        return std::move(out_);
    }

  private:
    // What stood before the first token of a line, as far as strings care.
    enum Before { STATEMENT_END, INDENTED, DEDENTED, LINE_BREAK };

    char peek(size_t i) const { return i < text_.size() ? text_[i] : '\0'; }

    bool line() {
        const size_t start = at_;
        while (peek(at_) == ' ') ++at_;
        out_.append(text_, start, at_ - start);
        const size_t column = at_ - start;
        const char first = peek(at_);
        if (depth_ > 0) {
            before_ = LINE_BREAK;
        } else if (at_ < text_.size() && first != '\n' && first != '#') {
            if (!indent(column)) return false;
        } else {
            before_ = LINE_BREAK;  // a blank line or a comment's own
            blank_ = true;
        }
        bool leading = true, code = false;
        for (;;) {
            const char c = peek(at_);
            if (at_ >= text_.size()) break;
            if (c == '\n') {
                out_.push_back(text_[at_++]);
                break;
            }
            if (c == '#') {
                while (at_ < text_.size() && text_[at_] != '\n') ++at_;
                continue;
            }
            if (c != ' ') code = true;
            if (!token(leading, start)) return false;
            if (c != ' ') leading = false;
        }
        if (code && depth_ == 0) blank_ = false;
        return true;
    }

    bool indent(size_t column) {
        const bool after_blank = blank_;
        if (column > indents_.back()) {
            indents_.push_back(column);
            before_ = INDENTED;
            return true;
        }
        if (column == indents_.back()) {
            before_ = after_blank || first_ ? LINE_BREAK : STATEMENT_END;
            // The very first token of a text stands as if after an indentation.
            if (first_ && !after_blank) before_ = INDENTED;
            first_ = false;
            return true;
        }
        while (column < indents_.back()) indents_.pop_back();
        before_ = DEDENTED;
        return column == indents_.back();
    }

    bool token(bool leading, size_t line_start) {
        const size_t start = at_;
        const char c = text_[at_];
        first_ = false;
        if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') {
            while (std::isalnum(static_cast<unsigned char>(peek(at_))) || peek(at_) == '_') ++at_;
            const std::string_view word = text_.substr(start, at_ - start);
            if ((peek(at_) == '"' || peek(at_) == '\'') && is_prefix(word))
                return string(start, leading, line_start);
            out_.append(word);
            return true;
        }
        if (c == '"' || c == '\'') return string(start, leading, line_start);
        if (std::isdigit(static_cast<unsigned char>(c))) {
            // Numbers such as 0777 and 1_ are split in odd ways, but never lose a character.
            while (std::isalnum(static_cast<unsigned char>(peek(at_))) || peek(at_) == '_') ++at_;
            if (peek(at_) == '"' || peek(at_) == '\'') return false;
            out_.append(text_, start, at_ - start);
            return true;
        }
        if (std::strchr("([{", c))
            ++depth_;
        else if (std::strchr(")]}", c) && --depth_ < 0)
            return false;
        else if (c == '!' && peek(at_ + 1) != '=')
            return false;
        else if (c == '\0' || !std::strchr(" ()[]{}+-*/%@&|^~<>=:.,;!", c))
            return false;
        out_.push_back(text_[at_++]);
        return true;
    }

    static bool is_prefix(std::string_view word) {
        if (word.size() > 2) return false;
        std::string lower;
        for (char c : word) lower.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
        for (const char *known : {"r", "b", "u", "f", "rb", "br", "rf", "fr"})
            if (lower == known) return true;
        return false;
    }

    bool string(size_t start, bool leading, size_t line_start) {
        const char quote = text_[at_];
        const bool triple = peek(at_ + 1) == quote && peek(at_ + 2) == quote;
        at_ += triple ? 3 : 1;
        for (;; ++at_) {
            if (at_ >= text_.size()) return false;
            if (text_[at_] == '\\') {
                ++at_;
                if (!triple && peek(at_) == '\n') return false;
            } else if (text_[at_] == '\n' && !triple) {
                return false;
            } else if (text_[at_] == quote &&
                       (!triple || (peek(at_ + 1) == quote && peek(at_ + 2) == quote))) {
                break;
            }
        }
        at_ += triple ? 3 : 1;
        if (at_ > text_.size()) return false;
        const bool documents =
            leading && (start == line_start || before_ == INDENTED || before_ == STATEMENT_END);
        if (!documents) out_.append(text_, start, at_ - start);
        return true;
    }

    std::string_view text_;
    std::string out_;
    size_t at_ = 0;
    int depth_ = 0;
    std::vector<size_t> indents_;
    Before before_ = INDENTED;
    bool blank_ = false, first_ = true;
};

std::optional<std::string> without_python_comments(std::string_view text) {
    for (char c : text)
        if (static_cast<signed char>(c) < 0 || (c < ' ' && c != '\n') || c == 127) return std::nullopt;
    return Stripper(text).run();
}

}  // namespace

void register_python_comments(nb::module_ &m) {
    m.def("without_python_comments", &without_python_comments, nb::arg("text"),
          "Python without comments and docstrings; None where only the tokenize module can tell.");
}

}  // namespace codekin
