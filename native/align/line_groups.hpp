// The lines of a text in a diff, and moving groups of changed lines to where people expect them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace codekin {

// What git takes for white space in a line.
inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// One text: for each line a number for its content, its indentation, and whether it is changed.
class Side {
  public:
    std::vector<int32_t> classes;
    std::vector<int16_t> indents;  // in columns; BLANK for lines without ink

    static constexpr int BLANK = -1;

    explicit Side(size_t lines) : classes(lines), indents(lines), changed_(lines + 2) {}

    void set(size_t i, int32_t number, std::string_view line) {
        classes[i] = number;
        indents[i] = indentation(line);
    }
    size_t size() const { return classes.size(); }
    // Asking is allowed for the line before the first and the line after the last.
    bool changed(int64_t i) const { return changed_[i + 1] != 0; }
    void mark(int64_t i, bool as_changed) { changed_[i + 1] = as_changed; }

  private:
    static int16_t indentation(std::string_view line);

    std::vector<char> changed_;
};

// Moves the groups of changed lines of one text within the freedom that equal lines leave: to
// where the other text has changes, or else to the place that its indentation speaks for.
void settle_groups(Side &side, const Side &other);

}  // namespace codekin
