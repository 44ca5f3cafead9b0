// Exact Levenshtein distance by bit-parallel dynamic programming.
//
// The matrix D has a row for each symbol of the pattern and a column for each symbol of the text.
// Myers (1999), in the block form of Hyyrö (2003), keeps 64 rows of a column as bits: whether D
// grows (VP) or falls (VN) from row to row. Blocks of 64 rows pass to the block below only whether
// D grows (HP) or falls (HN) from column to column in their last row.
//
// - Eight blocks make a stripe. Its blocks work at the same time in the lanes of SIMD registers:
//   each lane is a few columns behind the lane of the block above it, whose carries it needs.
// - Stripes are swept one after the other. Between them stand only the HP and HN bits of the row
//   they share, so memory is linear.
// - Ukkonen (1985): no cell matters whose distance so far, plus the least that must follow, exceeds
//   an upper bound of the result. After each stripe the next one is cut to the columns that matter.
//   Long sequences are first tried with a bound that only nearly equal ones meet.
// - A common prefix and a common suffix add nothing to the distance and are cut off first.
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "align/levenshtein_sweeps.hpp"
#include "common/arrays.hpp"
#include "common/text.hpp"

namespace nb = nanobind;

namespace codekin {

namespace {

// ---------------------------------------------------------------------------------------------
// Numbering the symbols
// ---------------------------------------------------------------------------------------------

constexpr uint32_t NO_MATCH = 0, BEFORE = 1, FIRST_SYMBOL = 2;

// Numbers the symbols of the pattern from FIRST_SYMBOL on; all others are NO_MATCH. BEFORE is left
// free for the columns before the first.
class Alphabet {
  public:
    uint32_t add(uint64_t symbol) {
        uint32_t &number = symbol < 256 ? low_[symbol] : slot(symbol);
        if (number == NO_MATCH) number = size_++;
        return number;
    }

    uint32_t find(uint64_t symbol) const {
        if (symbol < 256) return low_[symbol];
        return table_.empty() ? NO_MATCH : table_[probe(symbol)].number;
    }

    // How many entries a table indexed by the numbers needs.
    size_t size() const { return size_; }

  private:
    struct Entry {
        uint64_t symbol;
        uint32_t number;  // NO_MATCH where the entry is free
    };

    uint32_t &slot(uint64_t symbol) {
        if (2 * taken_ >= table_.size()) grow();
        Entry &entry = table_[probe(symbol)];
        if (entry.number == NO_MATCH) entry.symbol = symbol, ++taken_;
        return entry.number;
    }

    size_t probe(uint64_t symbol) const {
        const size_t mask = table_.size() - 1;
        size_t at = (symbol * 0x9E3779B97F4A7C15u) >> shift_;
        while (table_[at].number != NO_MATCH && table_[at].symbol != symbol) at = (at + 1) & mask;
        return at;
    }

    void grow() {
        std::vector<Entry> old(table_.empty() ? 128 : 2 * table_.size());
        old.swap(table_);
        shift_ = 64;
        for (size_t size = table_.size(); size > 1; size /= 2) --shift_;
        for (const Entry &entry : old)
            if (entry.number != NO_MATCH) table_[probe(entry.symbol)] = entry;
    }

    uint32_t low_[256] = {};
    std::vector<Entry> table_;
    size_t taken_ = 0;
    int shift_ = 64;
    uint32_t size_ = FIRST_SYMBOL;
};

// ---------------------------------------------------------------------------------------------
// The matrix, stripe by stripe
// ---------------------------------------------------------------------------------------------

// An array that is not filled with zeros first.
template <typename T> class Buffer {
  public:
    explicit Buffer(size_t size) : data_(new T[size]) {}
    T *operator+(size_t i) const { return data_.get() + i; }
    T &operator[](size_t i) const { return data_[i]; }

  private:
    std::unique_ptr<T[]> data_;
};

// Symbols by their numbers in an alphabet.
struct Numbers {
    const uint32_t *at;
    int64_t size;
};

class Matrix {
  public:
    Matrix(Numbers pattern, Numbers text, size_t alphabet, Sweep sweep)
        : pattern_(pattern),
          text_(text),
          rows_(pattern.size),
          columns_(text.size),
          sweep_(sweep),
          pm_(std::min(alphabet, MOST_ENTRIES)),
          pm_size_(alphabet),
          match_(text.size + 2 * LATEST),
          hp_(text.size + 2 * LATEST),
          hn_(text.size + 2 * LATEST),
          entry_(alphabet > MOST_ENTRIES ? alphabet : 0),
          edges_(text.size / EDGE + 2) {}

    int64_t distance() {
        const int64_t longer = std::max(rows_, columns_);
        const int64_t surplus = std::abs(columns_ - rows_), most = rows_ / NEAR;
        if (rows_ <= LONG || 2 * surplus > most) return distance_within(longer);
        for (int64_t near = std::max<int64_t>(STRIPE_ROWS, 2 * surplus);; near *= 4) {
            near = std::min(near, most);
            const int64_t found = distance_within(near, /*give_up=*/true);
            if (found <= near) return found;
            if (near == most) return distance_within(std::min(found, longer));
        }
    }

  private:
    static constexpr int64_t FAR = INT64_MAX;
    static constexpr int64_t LONG = 2 * STRIPE_ROWS;  // rows that make it worth while to try a bound
    static constexpr int64_t NEAR = 16;               // rows for each difference that it allows
    static constexpr int64_t EDGE = 16;               // columns between the scores looked at
    // No stripe has more symbols than this, so pm stays in cache and memory linear.
    static constexpr size_t MOST_ENTRIES = FIRST_SYMBOL + STRIPE_ROWS;

    int64_t distance_within(int64_t bound, bool give_up = false);
    Blocks build_stripe(size_t height);
    uint32_t entry(uint32_t number) const { return entry_.empty() ? number : entry_[number]; }
    void number_entries(const uint32_t *symbols, size_t height);
    int64_t narrow();
    int64_t growth(int64_t from, int64_t to) const;
    // What nearly equal sequences may differ by up to this row: some more than on the average, as
    // differences come in clusters.
    int64_t near_so_far() const { return std::abs(columns_ - rows_) + int64_t{WORD} / 2 + 2 * row_ / NEAR; }

    const Numbers pattern_, text_;
    const int64_t rows_, columns_;
    const Sweep sweep_;
    Buffer<Blocks> pm_;
    size_t pm_size_;
    Buffer<const Blocks *> match_;
    Buffer<uint64_t> hp_, hn_;
    std::vector<uint32_t> entry_;  // of a number in pm, where pm has not room for all numbers
    Buffer<int64_t> edges_;
    // The rows done; the columns (first_, last_] that matter, D in the last row done at first_, and
    // the farthest diagonal (column less row) that still matters; no result exceeds bound_.
    int64_t row_, first_, last_, score_, farthest_, bound_;
};

// Exact if it is at most the bound, otherwise no less than the distance. May give up, and answer
// FAR, when the sequences turn out not to be nearly equal.
int64_t Matrix::distance_within(int64_t bound, bool give_up) {
    std::fill_n(hp_ + 0, columns_ + 2 * LATEST, TOP_BIT);
    std::fill_n(hn_ + 0, columns_ + 2 * LATEST, 0);
    row_ = first_ = score_ = 0;
    bound_ = bound;
    farthest_ = (columns_ - rows_ + bound) / 2;
    while (true) {
        // The first stripe takes the odd rows, so that the last row of the last is the pattern's.
        const int64_t height = (rows_ - row_ - 1) % int64_t{STRIPE_ROWS} + 1;
        last_ = std::max(first_ + 1, std::min(columns_, row_ + height + farthest_));
        const Blocks vp = build_stripe(height);
        sweep_({match_ + LATEST, size_t(last_ - first_), (height + WORD - 1) / WORD, vp,
                hp_ + LATEST + first_, hn_ + LATEST + first_});
        row_ += height, score_ += height;
        if (row_ == rows_) return score_ + growth(first_, columns_);
        const int64_t least = narrow();
        if (give_up && least > std::min(bound_ + EDGE, near_so_far())) return FAR;
    }
}

// Rows above the pattern fill the stripe up: D is the same in all of them, as in row 0.
Blocks Matrix::build_stripe(size_t height) {
    const uint32_t *symbols = pattern_.at + row_;
    if (!entry_.empty()) number_entries(symbols, height);
    std::fill_n(pm_ + 0, pm_size_, Blocks{});
    const size_t above = STRIPE_ROWS - height;
    for (size_t r = 0; r < height; ++r) {
        const size_t at = above + r;
        pm_[entry(symbols[r])].lane[LANES - 1 - at / WORD] |= uint64_t{1} << at % WORD;
    }
    Blocks vp;
    for (size_t l = 0; l < LANES; ++l) {
        const size_t start = (LANES - 1 - l) * WORD, filled = std::max(above, start) - start;
        vp.lane[l] = filled < WORD ? ~uint64_t{0} << filled : 0;
        // With these matches and no carry a lane keeps its vp until it begins.
        pm_[BEFORE].lane[l] = ~vp.lane[l];
    }
    const size_t columns = last_ - first_;
    std::fill_n(match_ + 0, LATEST, pm_ + BEFORE);
    for (size_t j = 0; j < columns; ++j) match_[LATEST + j] = pm_ + entry(text_.at[first_ + j]);
    std::fill_n(match_ + (LATEST + columns), LATEST, pm_ + BEFORE);
    if (!entry_.empty())
        for (size_t r = 0; r < height; ++r) entry_[symbols[r]] = NO_MATCH;
    return vp;
}

void Matrix::number_entries(const uint32_t *symbols, size_t height) {
    pm_size_ = FIRST_SYMBOL;
    for (size_t r = 0; r < height; ++r)
        if (entry_[symbols[r]] == NO_MATCH) entry_[symbols[r]] = static_cast<uint32_t>(pm_size_++);
}

// Cuts the columns to those that matter. Returns the least distance that any of them may lead to.
//
// It looks at every EDGE-th column only. In between, a column can lead to EDGE less than its nearer
// edge at most: over EDGE / 2 columns both D and the way to the end may fall by one for each.
int64_t Matrix::narrow() {
    const int64_t to_end = columns_ - (rows_ - row_), count = (last_ - first_ + EDGE - 1) / EDGE;
    auto column = [&](int64_t e) { return std::min(first_ + e * EDGE, last_); };
    auto leads_to = [&](int64_t e) { return edges_[e] + std::abs(column(e) - to_end); };
    auto matters = [&](int64_t e) { return leads_to(e) - EDGE <= bound_; };
    int64_t least = FAR;
    for (int64_t e = 0; e <= count; ++e) {
        edges_[e] = e ? edges_[e - 1] + growth(column(e - 1), column(e)) : score_;
        least = std::min(least, leads_to(e));
        bound_ = std::min(bound_, edges_[e] + std::max(rows_ - row_, columns_ - column(e)));
    }
    int64_t low = 0, high = count;
    while (low < high && !matters(low)) ++low;
    while (low < high && !matters(high)) --high;
    low = std::max<int64_t>(low - 1, 0), high = std::min(high + 1, count);
    // Each diagonal further costs one now and, beyond the last cell's diagonal, one on the way back.
    farthest_ = (column(high) - row_ + columns_ - rows_ + bound_ - edges_[high]) / 2;
    score_ = edges_[low], first_ = column(low);
    return least;
}

// By how much D grows from one column to another in the last row done.
int64_t Matrix::growth(int64_t from, int64_t to) const {
    const uint64_t *hp = hp_ + LATEST, *hn = hn_ + LATEST;
    uint64_t up = 0, down = 0;
    for (int64_t j = from; j < to; ++j) up += hp[j] >> 63, down += hn[j] >> 63;
    return static_cast<int64_t>(up) - static_cast<int64_t>(down);
}

// ---------------------------------------------------------------------------------------------
// Two sequences
// ---------------------------------------------------------------------------------------------

// For a pattern of 1 to 64 symbols.
template <typename P, typename T>
size_t distance_in_one_word(const P *pattern, size_t rows, const T *text, size_t columns) {
    Alphabet alphabet;
    uint64_t pm[FIRST_SYMBOL + WORD] = {};
    for (size_t i = 0; i < rows; ++i) pm[alphabet.add(pattern[i])] |= uint64_t{1} << i;
    Block block{~uint64_t{0}, 0};
    size_t score = rows;
    for (size_t j = 0; j < columns; ++j) {
        const Growth below = block.step(pm[alphabet.find(text[j])], {TOP_BIT, 0});
        score += below.hp >> (rows - 1) & 1;
        score -= below.hn >> (rows - 1) & 1;
    }
    return score;
}

template <typename P, typename T>
size_t distance_in_stripes(const P *pattern, size_t rows, const T *text, size_t columns, Sweep sweep) {
    Alphabet alphabet;
    Buffer<uint32_t> numbers(rows + columns);
    for (size_t i = 0; i < rows; ++i) numbers[i] = alphabet.add(pattern[i]);
    for (size_t j = 0; j < columns; ++j) numbers[rows + j] = alphabet.find(text[j]);
    const Numbers by_row{numbers + 0, int64_t(rows)}, by_column{numbers + rows, int64_t(columns)};
    return static_cast<size_t>(Matrix(by_row, by_column, alphabet.size(), sweep).distance());
}

// Whether one word is faster than a stripe, which costs more to build.
bool is_short(size_t rows, size_t columns) { return rows <= WORD && columns <= 4 * WORD; }

// How many steps of a sweep it takes to go through the matrix.
size_t steps(size_t rows, size_t columns) {
    return (rows + STRIPE_ROWS - 1) / STRIPE_ROWS * (columns + LATEST);
}

template <typename S, typename T>
size_t levenshtein(const S *a, size_t a_size, const T *b, size_t b_size, Sweep sweep) {
    while (a_size && b_size && *a == *b) ++a, ++b, --a_size, --b_size;
    while (a_size && b_size && a[a_size - 1] == b[b_size - 1]) --a_size, --b_size;
    if (a_size == 0 || b_size == 0) return std::max(a_size, b_size);
    if (is_short(a_size, b_size)) return distance_in_one_word(a, a_size, b, b_size);
    if (is_short(b_size, a_size)) return distance_in_one_word(b, b_size, a, a_size);
    if (steps(a_size, b_size) <= steps(b_size, a_size))
        return distance_in_stripes(a, a_size, b, b_size, sweep);
    return distance_in_stripes(b, b_size, a, a_size, sweep);
}

// Calls f, without the GIL when it is worth the price of giving it away.
template <typename F> size_t unlocked(size_t a_size, size_t b_size, F &&f) {
    constexpr size_t WORTH_WHILE = 1 << 10;
    if (std::min(a_size, b_size) < WORTH_WHILE) return f();
    nb::gil_scoped_release release;
    return f();
}

size_t levenshtein_text(nb::str a, nb::str b) {
    size_t result = 0;
    with_characters(a, [&](const auto *x, size_t x_size) {
        with_characters(b, [&](const auto *y, size_t y_size) {
            result = unlocked(x_size, y_size,
                              [&] { return levenshtein(x, x_size, y, y_size, sweeps().front().sweep); });
        });
    });
    return result;
}

size_t distance_of_ids(const ArrayIn<uint64_t> &a, const ArrayIn<uint64_t> &b, Sweep sweep) {
    return unlocked(a.size(), b.size(),
                    [&] { return levenshtein(a.data(), a.size(), b.data(), b.size(), sweep); });
}

size_t levenshtein_ids(ArrayIn<uint64_t> a, ArrayIn<uint64_t> b) {
    return distance_of_ids(a, b, sweeps().front().sweep);
}

// For tests: the same by a sweep of one's choice.
size_t levenshtein_ids_by(const char *name, ArrayIn<uint64_t> a, ArrayIn<uint64_t> b) {
    for (const NamedSweep &candidate : sweeps())
        if (candidate.name == name) return distance_of_ids(a, b, candidate.sweep);
    throw nb::value_error("this machine has no such sweep");
}

nb::list levenshtein_sweeps() {
    nb::list names;
    for (const NamedSweep &sweep : sweeps()) names.append(sweep.name.c_str());
    return names;
}

}  // namespace

void register_levenshtein(nb::module_ &m) {
    m.def("levenshtein_text", &levenshtein_text, nb::arg("a"), nb::arg("b"));
    m.def("levenshtein_ids", &levenshtein_ids, nb::arg("a"), nb::arg("b"));
    m.def("levenshtein_ids_by", &levenshtein_ids_by, nb::arg("sweep"), nb::arg("a"), nb::arg("b"));
    m.def("levenshtein_sweeps", &levenshtein_sweeps);
}

}  // namespace codekin
