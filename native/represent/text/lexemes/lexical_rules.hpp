// The lexical facts of a language, as the lexer reads them; see codekin.languages.lexical.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "common/characters.hpp"

namespace codekin {

struct StringForm {
    std::string opening, closing, hole;
    std::vector<std::string> prefixes;
    bool multiline, escape, doubled, format;
    std::array<bool, 256> stops{};  // the bytes at which reading the text of such a string must look

    bool takes(std::string_view prefix) const {
        return std::find(prefixes.begin(), prefixes.end(), prefix) != prefixes.end();
    }
};

struct BlockComment {
    std::string opening, closing;
    bool nested, line_start;
};

class LexicalRules {
  public:
    using StringRow =
        std::tuple<std::string, std::string, std::vector<std::string>, std::vector<bool>, std::string>;
    using BlockRow = std::tuple<std::string, std::string, bool, bool>;
    using Words = std::vector<std::string>;

    LexicalRules(const Words &line_comments, const std::vector<BlockRow> &block_comments,
                 const std::vector<StringRow> &strings, const Words &operators,
                 const std::tuple<std::string, std::string, std::string, std::string> &characters,
                 const std::tuple<Words, Words, Words> &words, std::string heredoc, const Words &flags)
        : heredocs(std::move(heredoc)) {
        for (const auto &mark : line_comments) add(line_comments_, mark, mark);
        for (const auto &[opening, closing, nested, line_start] : block_comments)
            add(block_comments_, opening, BlockComment{opening, closing, nested, line_start});
        for (const auto &row : strings) add_string(row);
        for (const auto &text : operators) add(operators_, text, text);
        longest_first(operators_, [](const std::string &text) { return text.size(); });
        longest_first(strings_, [](const StringForm &form) { return form.opening.size(); });
        mark(letters, std::get<0>(characters)), mark(sigils, std::get<1>(characters));
        mark(endings, std::get<2>(characters)), mark(number_suffixes, std::get<3>(characters));
        any_suffix = std::get<3>(characters).empty();
        for (int c = 0; c < 256; ++c) {
            word[c] = c < 0x80 && (is_word(static_cast<uint8_t>(c)) || letters[c]);
            comment[c] = !line_comments_[c].empty() || !block_comments_[c].empty();
            string[c] = !strings_[c].empty();
        }
        take(regex_after, std::get<0>(words)), take(statements, std::get<1>(words));
        take(outer_statements, std::get<2>(words));
        for (const auto &name : flags) raise(name);
    }

    const std::vector<std::string> &line_comments(uint8_t c) const { return line_comments_[c]; }
    const std::vector<BlockComment> &block_comments(uint8_t c) const { return block_comments_[c]; }
    const std::vector<StringForm> &strings(uint8_t c) const { return strings_[c]; }
    const std::vector<std::string> &operators(uint8_t c) const { return operators_[c]; }

    std::array<bool, 256> letters{}, sigils{}, endings{}, number_suffixes{}, word{}, comment{}, string{};
    std::unordered_set<std::string> regex_after, statements, outer_statements;
    std::string heredocs;
    bool any_suffix = false;
    bool digit_separators = false, leading_point = false, trailing_point = false;
    bool preprocessor = false, continuation = false, raw_strings = false, hashed_strings = false;
    bool lifetimes = false, quote_runs = false, tags = false, ruby = false, layout = false;
    bool docstrings = false;

  private:
    template <typename T> using ByFirstByte = std::array<std::vector<T>, 256>;

    template <typename T> static void add(ByFirstByte<T> &table, const std::string &opening, T value) {
        if (opening.empty()) throw std::invalid_argument("a mark of a language must not be empty");
        table[static_cast<uint8_t>(opening[0])].push_back(std::move(value));
    }

    template <typename T, typename Length> static void longest_first(ByFirstByte<T> &table, Length &&length) {
        for (auto &row : table)
            std::stable_sort(row.begin(), row.end(),
                             [&](const T &a, const T &b) { return length(a) > length(b); });
    }

    static void mark(std::array<bool, 256> &table, const std::string &characters) {
        for (const char c : characters) table[static_cast<uint8_t>(c)] = true;
    }

    static void take(std::unordered_set<std::string> &set, const Words &words) {
        set.insert(words.begin(), words.end());
    }

    void add_string(const StringRow &row) {
        const auto &[opening, closing, prefixes, flags, hole] = row;
        if (closing.empty() || flags.size() != 4)
            throw std::invalid_argument("a form of strings needs a closing and four flags");
        StringForm form{opening, closing, hole, prefixes, flags[0], flags[1], flags[2], flags[3]};
        for (const char c : {'\n', '\r', '\\', '}'}) form.stops[static_cast<uint8_t>(c)] = true;
        form.stops[static_cast<uint8_t>(closing[0])] = true;
        if (!hole.empty()) form.stops[static_cast<uint8_t>(hole[0])] = true;
        add(strings_, opening, form);
    }

    void raise(const std::string &name) {
        const std::pair<const char *, bool *> known[] = {{"digit_separators", &digit_separators},
                                                         {"leading_point", &leading_point},
                                                         {"trailing_point", &trailing_point},
                                                         {"preprocessor", &preprocessor},
                                                         {"continuation", &continuation},
                                                         {"raw_strings", &raw_strings},
                                                         {"hashed_strings", &hashed_strings},
                                                         {"lifetimes", &lifetimes},
                                                         {"quote_runs", &quote_runs},
                                                         {"tags", &tags},
                                                         {"ruby", &ruby},
                                                         {"layout", &layout},
                                                         {"docstrings", &docstrings}};
        for (const auto &[text, flag] : known)
            if (name == text) return void(*flag = true);
        throw std::invalid_argument("unknown lexical fact " + name);
    }

    ByFirstByte<std::string> line_comments_, operators_;
    ByFirstByte<BlockComment> block_comments_;
    ByFirstByte<StringForm> strings_;
};

}  // namespace codekin
