// Where a string ends that may hold expressions, which hold strings again: f"{a["b"]}", `${`x`}`.
#pragma once

#include "represent/text/lexemes/reader.hpp"

namespace codekin {

class LexemeStrings : public LexemeReader {
  public:
    using LexemeReader::LexemeReader;

  protected:
    // The end of a string whose opening ends at i. The nesting is kept in a list, never on the
    // machine's stack.
    int32_t string_end(int32_t i, const StringForm &form) {
        frames_.assign(1, {&form, Part::TEXT, !form.multiline});
        while (i < length_ && !frames_.empty()) {
            const int32_t line = line_end_width(i);
            if (line) {
                while (!frames_.empty() && frames_.back().one_line) frames_.pop_back();
                if (frames_.empty()) return i;
            }
            if (line)
                i += line;
            else if (frames_.back().part == Part::HOLE)
                i = read_hole(i);
            else
                i = read_text(i);
        }
        return past(i);
    }

    // Whether a slash behind this word opens a regular expression.
    bool regex_follows(std::string_view word) const {
        return rules_.regex_after.count(std::string(word)) > 0;
    }

  private:
    enum class Part : uint8_t { TEXT, HOLE, FORMAT };
    struct Frame {
        const StringForm *form;
        Part part;
        bool one_line;  // it ends with its line, or stands in a string that does
        int32_t braces = 0, brackets = 0;
        bool operand = false;  // whether the last thing in a hole was a value, so that / divides
    };

    void enter(const StringForm *form, Part part) {
        frames_.push_back({form, part, frames_.back().one_line || !form->multiline});
    }

    int32_t read_text(int32_t i) {
        const StringForm &form = *frames_.back().form;
        const uint8_t c = data_[i];
        if (!form.stops[c]) return i + 1;
        if (c == '\\' && form.escape) return escaped(i + 1, form);
        const auto closing = static_cast<int32_t>(form.closing.size());
        if (starts(i, form.closing)) {
            if (form.doubled && starts(i + closing, form.closing)) return i + 2 * closing;
            while (frames_.back().part != Part::TEXT) frames_.pop_back();
            frames_.pop_back();
            return i + closing;
        }
        if (!form.hole.empty() && starts(i, form.hole)) {
            if (form.format && starts(i + 1, form.hole) && frames_.back().part == Part::TEXT) return i + 2;
            enter(&form, Part::HOLE);
            return i + static_cast<int32_t>(form.hole.size());
        }
        if (c == '}' && frames_.back().part == Part::FORMAT) frames_.pop_back(), frames_.pop_back();
        return i + 1;
    }

    int32_t escaped(int32_t i, const StringForm &form) const {
        const int32_t line = line_end_width(i);
        if (line) return form.multiline || rules_.continuation ? i + line : i;
        return past(i + 1);
    }

    int32_t read_hole(int32_t i) {
        Frame &hole = frames_.back();
        const uint8_t c = data_[i];
        int32_t from = i;
        if (word_width(i)) {
            i = word_end(i);
            hole.operand = !regex_follows(piece(from, i));
        }
        if (i < length_ && rules_.string[data_[i]]) {
            if (const StringForm *form = form_at(i, piece(from, i))) {
                hole.operand = true;
                enter(form, Part::TEXT);
                return i + static_cast<int32_t>(form->opening.size());
            }
        }
        if (i > from) return i;
        if (c == '/' && !hole.operand && !rules_.regex_after.empty()) {
            const int32_t end = regex_end(i);
            if (end > i) return hole.operand = true, end;
        }
        return read_mark(i, hole);
    }

    int32_t read_mark(int32_t i, Frame &hole) {
        const uint8_t c = data_[i];
        if (c != ' ' && c != '\t') hole.operand = c == ')' || c == ']' || c == '}';
        if (c == '(' || c == '[') ++hole.brackets;
        if ((c == ')' || c == ']') && hole.brackets > 0) --hole.brackets;
        if (c == '{') ++hole.braces;
        if (c == '}' && hole.braces-- == 0)
            frames_.pop_back();
        else if (c == ':' && hole.form->format && hole.braces == 0 && hole.brackets == 0)
            enter(hole.form, Part::FORMAT);
        return i + 1;
    }

    std::vector<Frame> frames_;
};

}  // namespace codekin
