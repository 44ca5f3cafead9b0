// The longest common subsequence of three sequences: a cube of cells, and one bit kept of each.
//
// L(o, a, b) is the length of a longest common subsequence of what follows these positions. Rows of
// the cube run along one sequence; from cell to cell of a row L falls by one or not at all, so its
// bits are enough to ask for any L. Planes of full numbers are needed only for the row after next,
// and are smallest if the longest sequence goes across them.
//
// The leftmost one is found by a walk through the origin: a token is matched with its next
// occurrences in both revisions if the rest can then still be had, and passed over if not.
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <unordered_map>

#include "align/lcs.hpp"
#include "common/bits.hpp"
#include "common/checks.hpp"

namespace nb = nanobind;

namespace codekin {

namespace {

enum Role : size_t { FIRST, SECOND, ORIGIN };

using Three = std::array<Stretch, 3>;

struct Triple {
    int32_t first, second, origin;
};

// The tokens of each sequence that all three have, by number, and where they stood.
struct SharedTokens {
    std::array<std::vector<int32_t>, 3> symbols, at;
    int32_t alphabet = 0;

    explicit SharedTokens(const Three &texts) {
        std::unordered_map<uint64_t, std::pair<int32_t, size_t>> numbers;  // and in how many it was
        for (size_t role = 0; role < 3; ++role)
            for (int32_t k = 0; k < texts[role].size; ++k) {
                auto &entry = numbers.try_emplace(texts[role][k], -1, 0).first->second;
                if (entry.second == role) ++entry.second;
            }
        for (size_t role = 0; role < 3; ++role)
            for (int32_t k = 0; k < texts[role].size; ++k) {
                auto &[number, count] = numbers.find(texts[role][k])->second;
                if (count < 3) continue;
                if (number < 0) number = alphabet++;
                symbols[role].push_back(number), at[role].push_back(k);
            }
    }

    double cells() const {
        double product = 1;
        for (const auto &tokens : symbols) product *= static_cast<double>(tokens.size());
        return product;
    }
};

// L for every cell, as one bit each.
class Cube {
  public:
    explicit Cube(const SharedTokens &tokens) {
        std::array<size_t, 3> by_length{FIRST, SECOND, ORIGIN};
        std::stable_sort(by_length.begin(), by_length.end(), [&](size_t x, size_t y) {
            return tokens.symbols[x].size() < tokens.symbols[y].size();
        });
        rows_ = by_length[0], cells_ = by_length[1], planes_ = by_length[2];
        row_count_ = tokens.symbols[rows_].size(), cell_count_ = tokens.symbols[cells_].size();
        bits_.assign(tokens.symbols[planes_].size() * row_count_ * cell_count_ / 64 + 1, 0);
        fill(tokens);
    }

    // L of what follows one position of each sequence.
    int32_t rest(const std::array<size_t, 3> &at, const SharedTokens &tokens) const {
        if (at[planes_] >= tokens.symbols[planes_].size() || at[rows_] >= row_count_) return 0;
        const size_t row = row_start(at[planes_], at[rows_]);
        int32_t length = 0;
        for (size_t bit = row + at[cells_]; bit < row + cell_count_;) {
            const size_t stop = std::min(row + cell_count_, (bit / 64 + 1) * 64);
            length += popcount(bits_[bit / 64] >> bit % 64 << (64 - (stop - bit)));
            bit = stop;
        }
        return length;
    }

  private:
    size_t row_start(size_t plane, size_t row) const { return (plane * row_count_ + row) * cell_count_; }

    void fill(const SharedTokens &tokens) {
        // Numbers of this plane and of the one after it, with a row and a cell of zeros at the end.
        const size_t stride = cell_count_ + 1;
        std::vector<uint16_t> now((row_count_ + 1) * stride, 0), after = now;
        const auto &plane_symbols = tokens.symbols[planes_];
        for (size_t plane = plane_symbols.size(); plane-- > 0;) {
            std::swap(now, after);
            for (size_t row = row_count_; row-- > 0;) {
                uint16_t *cells = now.data() + row * stride;
                const uint16_t *below = cells + stride, *behind = after.data() + row * stride;
                for (size_t c = 0; c < cell_count_; ++c) cells[c] = std::max(below[c], behind[c]);
                if (plane_symbols[plane] == tokens.symbols[rows_][row])
                    add_matches(cells, behind + stride, plane_symbols[plane], tokens.symbols[cells_]);
                write(cells, row_start(plane, row));
            }
        }
    }

    // Where the tokens of a row and a plane are the same, cells may match too.
    static void add_matches(uint16_t *cells, const uint16_t *diagonal, int32_t symbol,
                            const std::vector<int32_t> &symbols) {
        for (size_t c = symbols.size(); c-- > 0;) {
            if (symbols[c] == symbol) cells[c] = static_cast<uint16_t>(diagonal[c + 1] + 1);
            cells[c] = std::max(cells[c], cells[c + 1]);
        }
    }

    void write(const uint16_t *cells, size_t bit) {
        for (size_t c = 0; c < cell_count_; ++c, ++bit)
            bits_[bit / 64] |= static_cast<uint64_t>(cells[c] != cells[c + 1]) << bit % 64;
    }

    size_t planes_, rows_, cells_;  // the sequences that run each way
    size_t row_count_, cell_count_;
    std::vector<uint64_t> bits_;
};

// For each position the next one, from it on, of every symbol, found by going on only.
class NextOccurrence {
  public:
    NextOccurrence(const std::vector<int32_t> &symbols, int32_t alphabet)
        : positions_(alphabet), cursor_(alphabet, 0), end_(symbols.size()) {
        for (size_t k = 0; k < symbols.size(); ++k) positions_[symbols[k]].push_back(k);
    }

    size_t find(int32_t symbol, size_t from) {
        size_t &cursor = cursor_[symbol];
        const auto &positions = positions_[symbol];
        while (cursor < positions.size() && positions[cursor] < from) ++cursor;
        return cursor < positions.size() ? positions[cursor] : end_;
    }

  private:
    std::vector<std::vector<size_t>> positions_;
    std::vector<size_t> cursor_;
    size_t end_;
};

void walk(const SharedTokens &tokens, int32_t head, std::vector<Triple> &out) {
    const Cube cube(tokens);
    NextOccurrence in_first(tokens.symbols[FIRST], tokens.alphabet);
    NextOccurrence in_second(tokens.symbols[SECOND], tokens.alphabet);
    size_t a = 0, b = 0;
    int32_t left = cube.rest({0, 0, 0}, tokens);
    for (size_t o = 0; left > 0; ++o) {
        const int32_t symbol = tokens.symbols[ORIGIN][o];
        const size_t i = in_first.find(symbol, a), j = in_second.find(symbol, b);
        if (i == tokens.symbols[FIRST].size() || j == tokens.symbols[SECOND].size()) continue;
        if (cube.rest({i + 1, j + 1, o + 1}, tokens) != left - 1) continue;
        out.push_back({head + tokens.at[FIRST][i], head + tokens.at[SECOND][j], head + tokens.at[ORIGIN][o]});
        a = i + 1, b = j + 1, --left;
    }
}

constexpr double MOST_CELLS = 8e9;  // a bit each: 1 GB; so L fits into 16 bits, too

// Nothing if the cube has more cells than the steps allow.
std::optional<std::vector<Triple>> three_way_lcs(Three texts, double steps) {
    std::vector<Triple> out;
    int32_t head =
        std::min(common_prefix(texts[FIRST], texts[ORIGIN]), common_prefix(texts[SECOND], texts[ORIGIN]));
    for (int32_t k = 0; k < head; ++k) out.push_back({k, k, k});
    for (Stretch &text : texts) text = text.from(head);
    const SharedTokens tokens(texts);
    if (tokens.cells() > std::min(steps, MOST_CELLS)) return std::nullopt;
    if (tokens.alphabet > 0) walk(tokens, head, out);
    return out;
}

using Rows = nb::ndarray<nb::numpy, int32_t, nb::ndim<2>>;

std::optional<Rows> bound_three_way_lcs(ArrayIn<uint64_t> first, ArrayIn<uint64_t> second,
                                        ArrayIn<uint64_t> origin, double steps) {
    check::between("steps", steps, 0, std::numeric_limits<double>::infinity());
    const Three texts{stretch_of(first), stretch_of(second), stretch_of(origin)};
    const double cells = static_cast<double>(first.size()) * static_cast<double>(second.size()) *
                         static_cast<double>(origin.size());
    auto found = unlocked_if_long(cells, [&] { return three_way_lcs(texts, steps); });
    if (!found) return std::nullopt;
    return rows_to_numpy(std::move(*found));
}

}  // namespace

void register_three_way_lcs(nb::module_ &m) {
    m.def("three_way_lcs", &bound_three_way_lcs, nb::arg("first"), nb::arg("second"), nb::arg("origin"),
          nb::arg("steps"));
}

}  // namespace codekin
