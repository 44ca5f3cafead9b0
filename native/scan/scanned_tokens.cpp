// Cuts a text into the tokens and statements that a scan compares, without a parser.
//
// A token has two identities: what is written, and a blind one in which all names are the same, all
// numbers, and all strings. A statement (a line of the comparison) ends at a semicolon, at a brace,
// behind the condition of a branch or loop, or with its line in languages where that ends statements,
// so that the layout of a text does not matter where it does not matter to the language.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "common/arrays.hpp"
#include "common/checks.hpp"
#include "common/token_ids.hpp"
#include "represent/graph/features.hpp"
#include "represent/text/lexemes/lexer.hpp"
#include "scan/scanned_tokens.hpp"

namespace nb = nanobind;

namespace codekin {
namespace scan {
namespace {

constexpr uint64_t BLIND_NAME = 1, BLIND_NUMBER = 2, BLIND_STRING = 3;  // no token has such a low identity
constexpr int32_t MOST_WEIGHT = 255;
constexpr int32_t TABLE_LITERALS = 8;  // the fewest constants of a table
constexpr int32_t TABLE_LINES = 3;     // the fewest lines of a table

uint32_t short_id(uint64_t id, uint64_t seed) { return static_cast<uint32_t>(chained(seed, id) >> 32); }

uint64_t id(const char *text) { return token_id(text, std::strlen(text)); }

bool has(const ArrayIn<uint64_t> &sorted, uint64_t value) {
    return std::binary_search(sorted.data(), sorted.data() + sorted.size(), value);
}

// What the words of a language mean; all are sorted identities.
struct Words {
    ArrayIn<uint64_t> reserved, constants, conditions, imports;
};

struct Habits {
    bool line_ends;      // whether a line end may end a statement
    bool layout;         // whether indentation makes blocks, and braces do not
    bool import_blocks;  // whether an import may list its modules in brackets
    bool directives;     // whether #include is an import
};

struct Token {
    int32_t start, end;
    uint64_t id;
    LexemeKind kind;
    bool first;  // in its line
    bool name;   // a word that is not reserved, or a member

    bool is(char c) const { return kind == LexemeKind::MARK && id == token_id(&c, 1); }
};

struct Scanned {
    std::vector<int32_t> start, line, last_line;
    std::vector<uint32_t> raw, blind;
    std::vector<uint8_t> traits, levels;
    std::vector<int32_t> unit_token;
    std::vector<uint64_t> unit_id;
    std::vector<uint8_t> unit_weight;
    std::vector<int32_t> part_begin, part_end, part_name;
};

bool opens(const Token &t) { return t.is('(') || t.is('[') || t.is('{'); }
bool closes(const Token &t) { return t.is(')') || t.is(']') || t.is('}'); }

class Scanner {
  public:
    Scanner(std::string_view text, const LexicalRules &rules, const Words &words, const Habits &habits,
            uint64_t seed, int32_t fewest_lines)
        : text_(text),
          rules_(rules),
          words_(words),
          habits_(habits),
          seed_(seed),
          fewest_lines_(fewest_lines) {}

    Scanned run() {
        read();
        traits_.assign(tokens_.size(), 0);
        firsts_.assign(1, 0);
        for (const Token &t : tokens_) firsts_.push_back(firsts_.back() + t.first);
        mark_imports();
        mark_tables();
        write_tokens();
        write_units();
        write_levels();
        write_parts();
        out_.traits = std::move(traits_);
        return std::move(out_);
    }

  private:
    // The tokens without comments and docstrings.
    void read() {
        bool fresh = true;
        int depth = 0;
        size_t documents = SIZE_MAX;  // where a logical line of strings alone began
        for (const Lexeme &one : lexed(rules_, text_)) {
            fresh = fresh || one.line_start >= 0;
            if (one.kind == LexemeKind::COMMENT) continue;
            const uint64_t id = token_id(text_.data() + one.start, static_cast<size_t>(one.end - one.start));
            const bool member = !tokens_.empty() && is_point(tokens_.back());
            const bool name = one.kind == LexemeKind::WORD && (member || !has(words_.reserved, id));
            const Token token{one.start, one.end, id, one.kind, fresh, name};
            if (rules_.docstrings) {
                if (fresh && depth == 0) {
                    if (documents != SIZE_MAX) tokens_.resize(documents);
                    documents = one.kind == LexemeKind::STRING ? tokens_.size() : SIZE_MAX;
                } else if (one.kind != LexemeKind::STRING) {
                    documents = SIZE_MAX;
                }
            }
            if (opens(token)) ++depth;
            if (closes(token) && depth > 0) --depth;
            fresh = false;
            tokens_.push_back(token);
        }
        if (documents != SIZE_MAX) tokens_.resize(documents);
    }

    static bool is_point(const Token &t) {
        static const uint64_t optional = id("?.");
        return t.is('.') || (t.kind == LexemeKind::MARK && t.id == optional);
    }
    bool is_literal(const Token &t) const {
        return t.kind == LexemeKind::NUMBER || t.kind == LexemeKind::STRING;
    }

    void mark_imports() {
        for (size_t i = 0; i < tokens_.size(); ++i) {
            const size_t end = import_end(i);
            for (; i < end; ++i) traits_[i] |= IMPORT;
            if (end > 0) --i;
        }
    }

    // The end of the import that begins at a token; 0 if none does.
    size_t import_end(size_t i) const {
        const Token &t = tokens_[i];
        if (!t.first) return 0;
        if (habits_.directives && t.is('#')) {
            static const uint64_t directives[] = {id("include"), id("import"), id("include_next")};
            const bool included =
                i + 1 < tokens_.size() && std::find(std::begin(directives), std::end(directives),
                                                    tokens_[i + 1].id) != std::end(directives);
            return included ? line_end(i) : 0;
        }
        if (t.kind != LexemeKind::WORD || !has(words_.imports, t.id)) return 0;
        const bool called = i + 1 < tokens_.size() && tokens_[i + 1].is('(');
        if (called && !habits_.import_blocks) return 0;
        int depth = 0;
        for (size_t j = i + 1; j < tokens_.size(); ++j) {
            if (depth == 0 && tokens_[j].is(';')) return j + 1;
            if (depth == 0 && tokens_[j].first && habits_.line_ends) return j;
            if (opens(tokens_[j])) {
                if (habits_.import_blocks && !called) return 0;  // no import, but a block of that name
                ++depth;
            }
            if (closes(tokens_[j]) && depth-- == 0) return j;
        }
        return tokens_.size();
    }

    size_t line_end(size_t i) const {
        for (++i; i < tokens_.size() && !tokens_[i].first;) ++i;
        return i;
    }

    struct Bracket {
        size_t begin;
        int32_t literals, names;
        bool constant;
    };

    // Brackets over several lines that hold constants and names alone.
    void mark_tables() {
        static const uint64_t marks[] = {id(","), id(":"), id("-"),  id("+"), id("."), id("=>"),
                                         id("="), id("|"), id("::"), id("&"), id("->")};
        std::vector<Bracket> open;
        for (size_t i = 0; i < tokens_.size(); ++i) {
            const Token &t = tokens_[i];
            if (opens(t)) {
                const bool called = i > 0 && t.is('(') && tokens_[i - 1].kind == LexemeKind::WORD;
                if (called && !open.empty()) open.back().constant = false;
                open.push_back({i, 0, 0, !called});
            } else if (closes(t)) {
                if (open.empty()) continue;
                const Bracket done = open.back();
                open.pop_back();
                if (!open.empty()) {
                    open.back().constant &= done.constant;
                    open.back().literals += done.literals, open.back().names += done.names;
                }
                if (done.constant && done.literals >= TABLE_LITERALS && 4 * done.literals >= done.names &&
                    lines_between(done.begin, i) >= TABLE_LINES)
                    for (size_t k = done.begin; k <= i; ++k) traits_[k] |= TABLE;
            } else if (!open.empty()) {
                if (is_literal(t) || has(words_.constants, t.id))
                    ++open.back().literals;
                else if (t.name)
                    ++open.back().names;
                else if (std::find(std::begin(marks), std::end(marks), t.id) == std::end(marks))
                    open.back().constant = false;
            }
        }
    }

    // How many lines have tokens, from one token to another.
    int32_t lines_between(size_t from, size_t to) const { return 1 + firsts_[to + 1] - firsts_[from + 1]; }

    void write_tokens() {
        const size_t n = tokens_.size();
        out_.start.reserve(n), out_.line.reserve(n), out_.last_line.reserve(n);
        out_.raw.reserve(n), out_.blind.reserve(n);
        int32_t at = 0, line = 1;
        const auto lines_to = [&](int32_t to) {
            for (; at < to; ++at) {
                const char c = text_[static_cast<size_t>(at)];
                const bool alone = c == '\r' && (static_cast<size_t>(at) + 1 >= text_.size() ||
                                                 text_[static_cast<size_t>(at) + 1] != '\n');
                line += c == '\n' || alone;
            }
            return line;
        };
        for (size_t i = 0; i < n; ++i) {
            const Token &t = tokens_[i];
            out_.start.push_back(t.start);
            out_.line.push_back(lines_to(t.start));
            out_.last_line.push_back(lines_to(std::max(t.start, t.end - 1)));
            uint64_t blind = t.id;
            if (t.name) blind = BLIND_NAME, traits_[i] |= NAME;
            if (is_literal(t)) traits_[i] |= LITERAL;
            if (t.kind == LexemeKind::NUMBER) blind = BLIND_NUMBER;
            if (t.kind == LexemeKind::STRING) blind = BLIND_STRING;
            out_.raw.push_back(short_id(t.id, seed_));
            out_.blind.push_back(short_id(blind, seed_));
        }
    }

    // Whether a line end before a token does not end the statement.
    bool continues(size_t i) const {
        if (habits_.layout) return false;
        const Token &t = tokens_[i], &before = tokens_[i - 1];
        if (before.kind == LexemeKind::MARK) {
            static const uint64_t values[] = {id(")"),  id("]"), id("}"), id("++"),
                                              id("--"), id("{"), id(";")};
            if (std::find(std::begin(values), std::end(values), before.id) == std::end(values)) return true;
        }
        if (t.kind != LexemeKind::MARK) return false;
        const char c = text_[static_cast<size_t>(t.start)];
        return std::memchr(".?:+-*/%|&=<>,", c, 14) != nullptr && t.end - t.start >= 1 && !t.is('*');
    }

    void write_units() {
        std::vector<char> open;         // brackets
        std::vector<bool> conditional;  // for each, whether it holds the condition of a statement
        static const uint64_t exported = id("export");
        bool breaks = true;
        uint64_t unit = 0;
        int32_t weight = 0;
        size_t begin = 0;
        const auto finish = [&]() {
            if (weight > 0) {
                out_.unit_token.push_back(static_cast<int32_t>(begin));
                out_.unit_id.push_back(unit);
                out_.unit_weight.push_back(static_cast<uint8_t>(std::min(weight, MOST_WEIGHT)));
            }
            weight = 0;
        };
        for (size_t i = 0; i < tokens_.size(); ++i) {
            const Token &t = tokens_[i];
            const bool statements = open.empty() || open.back() == '{';
            const bool brace = !habits_.layout && (t.is('{') || t.is('}'));
            if (i > 0 && t.first && habits_.line_ends && statements && !continues(i)) breaks = true;
            if (breaks || brace) finish();
            breaks = false;
            if (opens(t)) {
                const bool condition = t.is('(') && statements && i > 0 && !tokens_[i - 1].name &&
                                       has(words_.conditions, tokens_[i - 1].id);
                const char c = text_[static_cast<size_t>(t.start)];
                open.push_back(habits_.layout ? '(' : c), conditional.push_back(condition);
            } else if (closes(t) && !open.empty()) {
                breaks = conditional.back() || brace;
                open.pop_back(), conditional.pop_back();
            }
            if (brace) {
                breaks = true;
                continue;
            }
            if (t.is(';')) {
                breaks = statements;
                if (statements) continue;
            }
            if (traits_[i] & TABLE) continue;  // no reason to call anything a clone
            if (weight == 0) begin = i, unit = seed_, traits_[i] |= BEGINS;
            unit = chained(unit, out_.blind[i]);
            ++weight;
            // What is exported is the same code as what is not.
            if (t.id == exported && !t.name && weight == 1) breaks = true;
        }
        finish();
    }

    // How deep each token lies in brackets, and in indented blocks where those count. A bracket lies as
    // deep as what is around the pair.
    void write_levels() {
        const bool indented = habits_.layout || rules_.ruby;
        std::vector<int32_t> columns{0};
        int32_t depth = 0;
        for (size_t i = 0; i < tokens_.size(); ++i) {
            const Token &t = tokens_[i];
            if (indented && t.first && depth == 0) {
                const int32_t column = column_of(t.start);
                while (columns.back() > column) columns.pop_back();
                if (columns.back() < column) columns.push_back(column);
            }
            if (closes(t)) {
                traits_[i] |= CLOSES;
                if (depth > 0) --depth;
            }
            const int32_t level = depth + static_cast<int32_t>(columns.size()) - 1;
            out_.levels.push_back(static_cast<uint8_t>(std::min(level, 255)));
            if (opens(t)) ++depth;
        }
    }

    // Functions, and statements with a block: each statement that has others inside of it, with these.
    void write_parts() {
        if (fewest_lines_ < 1) return;
        const std::vector<int32_t> &units = out_.unit_token;
        std::vector<size_t> open;                        // statements around this one
        std::vector<std::pair<int32_t, int32_t>> parts;  // statement, end token
        const auto level = [&](size_t unit) { return out_.levels[units[unit]]; };
        for (size_t u = 0; u <= units.size(); ++u) {
            const int32_t end = u < units.size() ? units[u] : static_cast<int32_t>(tokens_.size());
            while (!open.empty() && (u == units.size() || level(open.back()) >= level(u))) {
                if (open.back() + 1 < u) parts.emplace_back(static_cast<int32_t>(open.back()), end);
                open.pop_back();
            }
            if (u < units.size()) open.push_back(u);
        }
        std::sort(parts.begin(), parts.end());
        std::vector<std::pair<int32_t, int32_t>> around;
        for (const auto &[unit, end] : parts) {
            const int32_t begin = units[unit], name = name_of(static_cast<size_t>(unit));
            if (name == CLASS) continue;
            while (!around.empty() && around.back().second <= begin) around.pop_back();
            const bool body = name == BLOCK && !around.empty() &&
                              10 * (end - begin) > 8 * (around.back().second - around.back().first);
            if (body || code_lines(begin, end) < fewest_lines_) continue;
            out_.part_begin.push_back(begin), out_.part_end.push_back(end), out_.part_name.push_back(name);
            around.emplace_back(begin, end);
        }
    }

    // How many lines some tokens are on; LineCounts in code_tokens.py counts the same.
    int32_t code_lines(int32_t begin, int32_t end) const {
        int32_t lines = 0, reach = 0;
        for (int32_t i = begin; i < end; ++i) {
            lines += std::max(0, out_.last_line[i] - std::max(out_.line[i] - 1, reach));
            reach = out_.last_line[i];
        }
        return lines;
    }

    static constexpr int32_t BLOCK = -1, CLASS = -2;

    // The token that names the function that a statement is the head of; BLOCK or CLASS if it is none.
    int32_t name_of(size_t unit) const {
        static const uint64_t classes[] = {id("class"),     id("struct"), id("interface"), id("enum"),
                                           id("namespace"), id("trait"),  id("impl"),      id("module"),
                                           id("mod"),       id("union"),  id("object"),    id("extern")};
        static const uint64_t functions[] = {id("function"), id("func"), id("fn"),
                                             id("fun"),      id("def"),  id("=>")};
        const auto among = [](const auto &words, uint64_t word) {
            return std::find(std::begin(words), std::end(words), word) != std::end(words);
        };
        const std::vector<int32_t> &units = out_.unit_token;
        const auto begin = static_cast<size_t>(units[unit]), end = static_cast<size_t>(units[unit + 1]);
        const int level = out_.levels[begin];
        const bool nested = out_.levels[end] == level + 1;  // not in the arguments of a call
        int32_t called = BLOCK, first = BLOCK;
        bool function = false;
        for (size_t i = begin; i < end; ++i) {
            const Token &t = tokens_[i];
            const bool reserved = t.kind == LexemeKind::WORD && !t.name;
            if (reserved && called == BLOCK && among(classes, t.id)) return CLASS;
            if (i == begin && reserved && has(words_.conditions, t.id)) return BLOCK;
            if (t.name && first == BLOCK) first = static_cast<int32_t>(i);
            if (i > begin && t.is('(') && tokens_[i - 1].name && called == BLOCK)
                called = static_cast<int32_t>(i - 1);
            function = function || (!t.name && among(functions, t.id));
        }
        if (!nested) return BLOCK;
        return called != BLOCK ? called : function ? first : BLOCK;
    }

    int32_t column_of(int32_t place) const {
        int32_t column = 0;
        for (int32_t i = place; i > 0 && !is_line_end(static_cast<uint8_t>(text_[i - 1])); --i)
            column += text_[i - 1] == '\t' ? 8 : 1;
        return column;
    }

    std::string_view text_;
    const LexicalRules &rules_;
    const Words &words_;
    const Habits habits_;
    const uint64_t seed_;
    const int32_t fewest_lines_;
    std::vector<Token> tokens_;
    std::vector<uint8_t> traits_;
    std::vector<int32_t> firsts_;  // how many tokens before each are the first of their lines
    Scanned out_;
};

// reserved: words that are no names; constants: those of them that are values; conditions: those that
// a condition in brackets follows; imports: words that begin an import. All are sorted identities.
// seed: equal for languages whose code is compared. fewest_lines: of functions and blocks that are found
// without a parser; 0: none are.
nb::tuple scanned_tokens(nb::bytes data, const LexicalRules &rules, ArrayIn<uint64_t> reserved,
                         ArrayIn<uint64_t> constants, ArrayIn<uint64_t> conditions, ArrayIn<uint64_t> imports,
                         bool line_ends, bool import_blocks, uint64_t seed, int32_t fewest_lines) {
    check::positions("bytes of a text", data.size());
    check::ascending("reserved", reserved), check::ascending("constants", constants);
    check::ascending("conditions", conditions), check::ascending("imports", imports);
    const Words words{reserved, constants, conditions, imports};
    const Habits habits{line_ends, rules.layout, import_blocks, rules.preprocessor};
    Scanned out;
    {
        nb::gil_scoped_release unlocked;
        out = Scanner({data.c_str(), data.size()}, rules, words, habits, scrambled(seed), fewest_lines).run();
    }
    return nb::make_tuple(to_numpy(std::move(out.start)), to_numpy(std::move(out.line)),
                          to_numpy(std::move(out.last_line)), to_numpy(std::move(out.raw)),
                          to_numpy(std::move(out.blind)), to_numpy(std::move(out.traits)),
                          to_numpy(std::move(out.levels)), to_numpy(std::move(out.unit_token)),
                          to_numpy(std::move(out.unit_id)), to_numpy(std::move(out.unit_weight)),
                          to_numpy(std::move(out.part_begin)), to_numpy(std::move(out.part_end)),
                          to_numpy(std::move(out.part_name)));
}

}  // namespace
}  // namespace scan

void register_scanned_tokens(nb::module_ &m) {
    m.def("scanned_tokens", &scan::scanned_tokens, nb::arg("data"), nb::arg("rules"), nb::arg("reserved"),
          nb::arg("constants"), nb::arg("conditions"), nb::arg("imports"), nb::arg("line_ends"),
          nb::arg("import_blocks"), nb::arg("seed"), nb::arg("fewest_lines"),
          "Arrays (start, first line, last line, identity, blind identity, traits, level) of tokens, and "
          "(first "
          "token, identity, weight) of statements, and (first token, end, name) of functions and blocks.");
}

}  // namespace codekin
