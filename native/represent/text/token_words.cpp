// Words of tokens: names of values taken out, and tokens that mean the same made the same.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <utility>
#include <vector>

#include "common/arrays.hpp"
#include "common/checks.hpp"
#include "common/token_ids.hpp"

namespace nb = nanobind;

namespace codekin {
namespace {

// This mirrors codekin.languages.token_classes.TokenClass.
enum Class : uint8_t { IDENTIFIER = 2, TYPE = 3, DELIMITER = 11, COMMENT = 12 };

uint64_t id(const char *text) { return token_id(text, std::strlen(text)); }

// Identities, ascending, and the words for them.
struct Words {
    ArrayIn<uint64_t> known, word;

    uint64_t of(uint64_t token) const {
        const uint64_t *begin = known.data(), *end = begin + known.size();
        const uint64_t *at = std::lower_bound(begin, end, token);
        return at != end && *at == token ? word(static_cast<size_t>(at - begin)) : token;
    }
};

template <typename T> bool has(const ArrayIn<T> &sorted, T value) {
    return std::binary_search(sorted.data(), sorted.data() + sorted.size(), value);
}

// The tokens of a program, and the names that it gives itself.
struct Program {
    ArrayIn<uint64_t> ids;
    ArrayIn<uint8_t> classes;
    ArrayIn<int32_t> starts;
    ArrayIn<uint64_t> own;        // names of its functions, ascending
    ArrayIn<uint64_t> values;     // names of its local variables, ascending
    ArrayIn<int32_t> calls;       // where functions are called by their names, ascending
    ArrayIn<int32_t> held;        // where what a variable holds is called, ascending
    bool arrows;                  // whether what follows an arrow is a member, not a lambda's body
    std::vector<int32_t> places;  // the tokens that are neither comments nor layout

    uint64_t at(size_t k) const { return k < places.size() ? ids(places[k]) : 0; }

    bool is_member(size_t k) const {
        static const uint64_t before[] = {id("."), id("::"), id("?."), id("->")};
        const uint64_t *end = std::end(before) - (arrows ? 0 : 1);
        const uint64_t previous = k > 0 ? at(k - 1) : 0;
        return std::find(std::begin(before), end, previous) != end;
    }

    // A grammar may take a variable for a type: `stream words(lower(text))` declares no function.
    bool is_name(size_t k) const {
        if (classes(places[k]) != TYPE) return classes(places[k]) == IDENTIFIER;
        return k > 0 && at(k - 1) == id("(") && at(k + 1) == id(")") && has(values, at(k));
    }

    // A local variable that is called, or declared with what is handed to its constructor.
    bool is_value(size_t k) const {
        return has(values, at(k)) && !is_member(k) && !has(calls, starts(places[k]));
    }
};

// The word for the name at a place.
uint64_t word_of_name(const Program &program, size_t k, const Words &library, uint64_t name,
                      uint64_t own_word) {
    const uint64_t token = program.at(k);
    if (program.at(k + 1) != id("(")) return program.is_member(k) ? token : name;
    if (has(program.held, program.starts(program.places[k]))) return name;
    if (has(program.own, token)) return own_word;
    return program.is_value(k) ? name : library.of(token);
}

// The places of the tokens that count, and the identity of each one's word. Delimiters do not
// count, and of all names without a word of their own the first stands for all.
nb::tuple token_words(ArrayIn<uint64_t> ids, ArrayIn<uint8_t> classes, ArrayIn<int32_t> starts,
                      ArrayIn<uint64_t> calls, ArrayIn<uint64_t> call_words, ArrayIn<uint64_t> tokens,
                      ArrayIn<uint64_t> words, ArrayIn<uint64_t> own, ArrayIn<uint64_t> values,
                      ArrayIn<int32_t> called, ArrayIn<int32_t> held, bool arrows, uint64_t name,
                      uint64_t own_word) {
    check::positions("ids", ids.size());
    check::same_length("ids", ids.size(), {{"classes", classes.size()}, {"starts", starts.size()}});
    check::same_length("calls", calls.size(), {{"call_words", call_words.size()}});
    check::same_length("tokens", tokens.size(), {{"words", words.size()}});
    // What is out of order is not found, and that is all; the tables are longer than most programs.
    const Words library{calls, call_words}, others{tokens, words};
    Program program{ids, classes, starts, own, values, called, held, arrows, {}};
    for (size_t i = 0; i < ids.size(); ++i)
        if (classes(i) < COMMENT) program.places.push_back(static_cast<int32_t>(i));
    std::vector<int32_t> places;
    std::vector<uint64_t> found;
    bool named = false;
    for (size_t k = 0; k < program.places.size(); ++k) {
        const int32_t place = program.places[k];
        if (classes(place) == DELIMITER) continue;
        const uint64_t word =
            program.is_name(k) ? word_of_name(program, k, library, name, own_word) : others.of(ids(place));
        if (word == name && std::exchange(named, true)) continue;
        places.push_back(place), found.push_back(word);
    }
    return nb::make_tuple(to_numpy(std::move(places)), to_numpy(std::move(found)));
}

}  // namespace

void register_token_words(nb::module_ &m) {
    m.def("token_words", &token_words, nb::arg("ids"), nb::arg("classes"), nb::arg("starts"),
          nb::arg("calls"), nb::arg("call_words"), nb::arg("tokens"), nb::arg("words"), nb::arg("own"),
          nb::arg("values"), nb::arg("called"), nb::arg("held"), nb::arg("arrows"), nb::arg("name"),
          nb::arg("own_word"));
}

}  // namespace codekin
