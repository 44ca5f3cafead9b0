// The leftmost longest common subsequence of two sequences, exact, in linear memory.
//
// Let L(i, j) be the length of a longest common subsequence of what follows position i of the first
// and j of the second sequence. Once L can be asked for, the leftmost one is found by a walk from
// the front: token i is matched, with its next occurrence j' from j on, if 1 + L(i + 1, j' + 1) is
// L(i, j), and passed over if not. A common prefix is matched by this rule and cut off first. A
// common suffix is not: "x" and "xx" share one, but the leftmost match is the first x.
//
// - FewChanges, for nearly equal sequences, keeps what a few changes can do.
// - SuffixRows: the rows of L, 64 columns a word, by Hyyrö's (2004) recurrence. The walk needs the
//   rows in reverse order of their making, so some are kept, and those between are made again.
#include "align/lcs.hpp"

#include <nanobind/stl/pair.h>

#include <algorithm>
#include <memory>

#include "align/few_changes.hpp"
#include "common/bits.hpp"

namespace nb = nanobind;

namespace codekin {

namespace {

// ---------------------------------------------------------------------------------------------
// Numbering the tokens
// ---------------------------------------------------------------------------------------------

constexpr int32_t NONE = -1;

// Numbers different symbols in the order of their first coming.
class Numbering {
  public:
    explicit Numbering(int32_t most) {
        size_t size = 16;
        shift_ = 60;
        while (size < 2 * static_cast<size_t>(most)) size *= 2, --shift_;
        slots_.assign(size, {0, NONE});
    }

    int32_t add(uint64_t symbol) {
        Slot &slot = slots_[probe(symbol)];
        if (slot.number == NONE) slot = {symbol, count_++};
        return slot.number;
    }

    int32_t find(uint64_t symbol) const { return slots_[probe(symbol)].number; }
    int32_t count() const { return count_; }

  private:
    struct Slot {
        uint64_t symbol;
        int32_t number;
    };

    size_t probe(uint64_t symbol) const {
        size_t at = (symbol * 0x9E3779B97F4A7C15u) >> shift_;
        while (slots_[at].number != NONE && slots_[at].symbol != symbol) at = (at + 1) & (slots_.size() - 1);
        return at;
    }

    std::vector<Slot> slots_;
    int shift_;
    int32_t count_ = 0;
};

// The tokens that both sequences have, from the last to the first, by numbers.
struct SharedTokens {
    std::vector<int32_t> row_symbol, row_at;  // of the first sequence
    std::vector<int32_t> column_at;           // of the second
    std::vector<int32_t> starts, columns;     // columns of symbol s: columns[starts[s]:starts[s + 1]]

    SharedTokens(Stretch first, Stretch second) {
        Numbering numbering(second.size);
        std::vector<int32_t> symbol_of(second.size);
        for (int32_t j = 0; j < second.size; ++j) symbol_of[j] = numbering.add(second[j]);
        std::vector<uint8_t> shared(numbering.count(), 0);
        row_symbol.reserve(first.size), row_at.reserve(first.size);
        for (int32_t i = first.size - 1; i >= 0; --i) {
            const int32_t symbol = numbering.find(first[i]);
            if (symbol == NONE) continue;
            shared[symbol] = 1;
            row_symbol.push_back(symbol), row_at.push_back(i);
        }
        starts.assign(numbering.count() + 1, 0);
        column_at.reserve(second.size);
        for (int32_t j = second.size - 1; j >= 0; --j)
            if (shared[symbol_of[j]]) ++starts[symbol_of[j] + 1], column_at.push_back(j);
        for (size_t s = 1; s < starts.size(); ++s) starts[s] += starts[s - 1];
        std::vector<int32_t> next(starts.begin(), starts.end() - 1);
        columns.resize(column_at.size());
        for (size_t c = 0; c < column_at.size(); ++c)
            columns[next[symbol_of[column_at[c]]]++] = static_cast<int32_t>(c);
    }
};

// ---------------------------------------------------------------------------------------------
// Any two sequences
// ---------------------------------------------------------------------------------------------

constexpr int32_t WORD = 64;
constexpr uint64_t ONES = ~uint64_t{0};

// Rows and columns count from the last token to the first. Row x stands for the last x tokens of the
// first sequence; its bit c is 0 where L grows from the last c to the last c + 1 tokens of the second.
//
// The walk holds on to one zero, the bound: the first column (by the order of the sequence, the
// last) up to which the rest of the subsequence can still be had. Row by row such zeros interleave,
// so a token is matched exactly if it occurs between the column reached and the bound, and the next
// bound is the next zero of the next row, in the one direction or the other.
//
// A common subsequence of known length tells how far the longest ones can stray from the diagonal;
// words beyond are neither made nor kept.
class SuffixRows {
  public:
    SuffixRows(Stretch first, Stretch second, int32_t known, int32_t i, int32_t j, HunkWriter &out)
        : i_(i),
          j_(j),
          out_(out),
          tokens_(first, second),
          rows_(static_cast<int32_t>(tokens_.row_at.size())),
          columns_(static_cast<int32_t>(tokens_.column_at.size())),
          words_((columns_ + WORD - 1) / WORD),
          deletions_(rows_ - known),
          insertions_(columns_ - known),
          bits_(words_, ONES),
          cap_(words_ - 1),
          column_(columns_ - 1),
          mask_of_(tokens_.starts.size(), NONE),
          ends_(tokens_.starts.begin() + 1, tokens_.starts.end()) {
        const int64_t band = (int64_t{deletions_} + insertions_ + 2) / WORD + 2;
        stride_ = static_cast<int32_t>(std::min<int64_t>(band, words_));
        kept_ = std::max(LEAST_KEPT, KEPT_WORDS / std::max(stride_, 1));
        make_masks();
    }

    void walk() {
        if (rows_ > 0 && columns_ > 0) visit(0, rows_);
    }

  private:
    static constexpr int32_t LEAST_KEPT = 256, KEPT_WORDS = 1 << 15;
    static constexpr int32_t UNKNOWN = -2;
    // A symbol with a mask comes at least once in so many words, so masks take linear memory.
    static constexpr int32_t WORDS_A_COLUMN = 4;

    void make_masks();
    void visit(int32_t from, int32_t to);
    void visit_some(int32_t from, int32_t to);
    void visit_all(int32_t from, int32_t to);
    void step(int32_t row, const uint64_t *bits);
    void make_row(int32_t row, const uint64_t *before, uint64_t *bits) const;
    void add_columns(int32_t symbol, int32_t low, int32_t high, uint64_t *bits) const;
    int32_t zero_from(const uint64_t *bits, int32_t column, int32_t high) const;
    int32_t zero_before(const uint64_t *bits, int32_t column, int32_t low) const;

    // The words of a row that matter.
    int32_t low(int32_t row) const { return std::max(0, row - deletions_ - 1) / WORD; }
    int32_t high(int32_t row) const {
        return std::min(
            cap_, static_cast<int32_t>(std::min<int64_t>(columns_ - 1, int64_t{row} + insertions_) / WORD));
    }

    const int32_t i_, j_;  // where the sequences begin
    HunkWriter &out_;
    const SharedTokens tokens_;
    const int32_t rows_, columns_, words_;
    const int32_t deletions_, insertions_;  // the most that a longest one leaves out
    int32_t stride_, kept_;
    std::vector<uint64_t> bits_;  // of the row in work
    int32_t cap_;                 // the last word that the walk has not left behind
    // The walk: the column to go on from and the bound, UNKNOWN before it begins and NONE at its end.
    int32_t column_, bound_ = UNKNOWN;
    std::vector<uint64_t> masks_;
    std::vector<int32_t> mask_of_;
    std::vector<int32_t> ends_;  // for each symbol, of its columns that the walk has not left behind
};

void SuffixRows::make_masks() {
    const auto &starts = tokens_.starts;
    int32_t count = 0;
    for (size_t s = 0; s + 1 < starts.size(); ++s)
        if (int64_t{starts[s + 1] - starts[s]} * WORDS_A_COLUMN >= words_) mask_of_[s] = count++;
    masks_.assign(static_cast<size_t>(count) * words_, 0);
    for (size_t s = 0; s + 1 < starts.size(); ++s) {
        if (mask_of_[s] == NONE) continue;
        uint64_t *mask = masks_.data() + static_cast<size_t>(mask_of_[s]) * words_;
        for (int32_t k = starts[s]; k < starts[s + 1]; ++k)
            mask[tokens_.columns[k] / WORD] |= uint64_t{1} << tokens_.columns[k] % WORD;
    }
}

// Walks back through the rows from `to` to `from`, which is the row in work. Few rows are made and all
// kept. Of many every so-and-so-manieth is kept, and the walk between two such rows is the same task
// again; so there are about log_256(rows) levels.
void SuffixRows::visit(int32_t from, int32_t to) {
    if (to - from <= kept_)
        visit_all(from, to);
    else
        visit_some(from, to);
}

void SuffixRows::visit_some(int32_t from, int32_t to) {
    int64_t apart = kept_;
    while ((to - from + apart - 1) / apart > kept_) apart *= kept_;
    const auto gap = static_cast<int32_t>(apart);
    const int32_t last = (to - from - 1) / gap;
    std::vector<uint64_t> kept((static_cast<size_t>(last) + 1) * stride_);
    for (int32_t row = from; row < to; ++row) {
        if ((row - from) % gap == 0)
            std::copy(bits_.data() + low(row), bits_.data() + high(row) + 1,
                      kept.data() + static_cast<size_t>((row - from) / gap) * stride_);
        make_row(row + 1, bits_.data(), bits_.data());
    }
    if (bound_ == UNKNOWN) bound_ = zero_before(bits_.data(), columns_, low(to));
    for (int32_t k = last; k >= 0 && bound_ != NONE; --k) {
        const uint64_t *words = kept.data() + static_cast<size_t>(k) * stride_;
        const int32_t row = from + k * gap;
        // Words that the walk has left behind are not needed again, nor those before they matter.
        cap_ = std::min(cap_, column_ / WORD);
        std::copy(words, words + (high(row) - low(row) + 1), bits_.data() + low(row));
        std::fill(bits_.begin() + high(row) + 1, bits_.begin() + cap_ + 1, ONES);
        visit(row, std::min(row + gap, to));
    }
}

void SuffixRows::visit_all(int32_t from, int32_t to) {
    // One word more than matters in a row, as the next row may begin to need it.
    const size_t stride = static_cast<size_t>(stride_) + 1;
    const std::unique_ptr<uint64_t[]> kept(new uint64_t[(static_cast<size_t>(to - from) + 1) * stride]);
    auto words = [&](int32_t row) { return kept.get() + (row - from) * stride - low(row); };
    std::copy(bits_.data() + low(from), bits_.data() + high(from) + 1, words(from) + low(from));
    words(from)[high(from) + 1] = ONES;
    for (int32_t row = from + 1; row <= to; ++row) {
        make_row(row, words(row - 1), words(row));
        words(row)[high(row) + 1] = ONES;
    }
    if (bound_ == UNKNOWN) bound_ = zero_before(words(to), columns_, low(to));
    for (int32_t row = to - 1; row >= from && bound_ != NONE; --row) step(row, words(row));
}

// Matches or passes over the token before those of a row.
void SuffixRows::step(int32_t row, const uint64_t *bits) {
    const int32_t symbol = tokens_.row_symbol[row], start = tokens_.starts[symbol];
    int32_t &end = ends_[symbol];
    while (end > start && tokens_.columns[end - 1] > column_) --end;
    if (end == start || tokens_.columns[end - 1] < bound_) {
        bound_ = zero_from(bits, bound_, high(row));
        return;
    }
    const int32_t matched = tokens_.columns[end - 1];
    out_.match(i_ + tokens_.row_at[row], j_ + tokens_.column_at[matched], 1);
    column_ = matched - 1;
    bound_ = zero_before(bits, bound_, low(row));
}

// The last zero before a column, or NONE.
int32_t SuffixRows::zero_before(const uint64_t *bits, int32_t column, int32_t low) const {
    if (column-- == 0) return NONE;
    int32_t word = column / WORD;
    if (word < low) return NONE;
    uint64_t zeros = ~bits[word] & ONES >> (WORD - 1 - column % WORD);
    while (zeros == 0 && --word >= low) zeros = ~bits[word];
    return word < low ? NONE : word * WORD + WORD - 1 - countl_zero(zeros);
}

// The first zero from a column on, or past the last word if there is none.
int32_t SuffixRows::zero_from(const uint64_t *bits, int32_t column, int32_t high) const {
    int32_t word = column / WORD;
    if (word > high) return (high + 1) * WORD;
    uint64_t zeros = ~bits[word] & ONES << column % WORD;
    while (zeros == 0 && ++word <= high) zeros = ~bits[word];
    return word > high ? word * WORD : word * WORD + countr_zero(zeros);
}

void SuffixRows::make_row(int32_t row, const uint64_t *before, uint64_t *bits) const {
    const int32_t symbol = tokens_.row_symbol[row - 1], low = this->low(row), high = this->high(row);
    if (mask_of_[symbol] == NONE) {
        if (before != bits) std::copy(before + low, before + high + 1, bits + low);
        return add_columns(symbol, low, high, bits);
    }
    const uint64_t *mask = masks_.data() + static_cast<size_t>(mask_of_[symbol]) * words_;
    Carry carry = 0;
    for (int32_t w = low; w <= high; ++w) {
        const uint64_t word = before[w], matched = word & mask[w];
        bits[w] = add(word, matched, carry) | (word - matched);
    }
}

// The same for a few columns: the zero above the lowest match between two zeros moves down to it.
void SuffixRows::add_columns(int32_t symbol, int32_t low, int32_t high, uint64_t *bits) const {
    const int32_t *at = tokens_.columns.data() + tokens_.starts[symbol];
    const int32_t *end = tokens_.columns.data() + tokens_.starts[symbol + 1];
    if (low > 0) at = std::lower_bound(at, end, low * WORD);
    for (int32_t free = 0; at < end && *at / WORD <= high; ++at) {
        const int32_t column = *at;
        const uint64_t bit = uint64_t{1} << column % WORD;
        if (column < free || !(bits[column / WORD] & bit)) continue;
        const int32_t zero = zero_from(bits, column, high);
        bits[column / WORD] ^= bit;
        if (zero / WORD <= high) bits[zero / WORD] |= uint64_t{1} << zero % WORD;
        free = zero + 1;
    }
}

std::vector<Hunk> hunks_of(const ArrayIn<uint64_t> &first, const ArrayIn<uint64_t> &second) {
    const Stretch a = stretch_of(first), b = stretch_of(second);
    const double cells = static_cast<double>(a.size) * b.size;
    return unlocked_if_long(cells, [&] { return lcs_hunks(a, b); });
}

nb::ndarray<nb::numpy, int32_t, nb::ndim<2>> bound_lcs_hunks(ArrayIn<uint64_t> first,
                                                             ArrayIn<uint64_t> second) {
    return rows_to_numpy(hunks_of(first, second));
}

// The positions in the first and in the second sequence of what lies between the hunks.
std::pair<Vector<int32_t>, Vector<int32_t>> lcs_positions(ArrayIn<uint64_t> first, ArrayIn<uint64_t> second) {
    std::vector<int32_t> in_first, in_second;
    int32_t i = 0, j = 0;
    auto match_until = [&](int32_t end) {
        for (; i < end; ++i, ++j) in_first.push_back(i), in_second.push_back(j);
    };
    for (const Hunk &hunk : hunks_of(first, second)) {
        match_until(hunk.first_start);
        i = hunk.first_end, j = hunk.second_end;
    }
    match_until(static_cast<int32_t>(first.size()));
    return {to_numpy(std::move(in_first)), to_numpy(std::move(in_second))};
}

}  // namespace

void match_lcs(Stretch first, Stretch second, int32_t i, int32_t j, HunkWriter &out) {
    const int32_t head = common_prefix(first, second);
    out.match(i, j, head);
    first = first.from(head), second = second.from(head), i += head, j += head;
    if (first.size == 0 || second.size == 0) return;
    FewChanges few(first, second);
    if (few.find()) return few.walk(i, j, out);
    SuffixRows(first, second, common_suffix(first, second), i, j, out).walk();
}

std::vector<Hunk> lcs_hunks(Stretch first, Stretch second) {
    HunkWriter out;
    match_lcs(first, second, 0, 0, out);
    return out.finish(first.size, second.size);
}

void register_lcs(nb::module_ &m) {
    m.def("lcs_hunks", &bound_lcs_hunks, nb::arg("first"), nb::arg("second"));
    m.def("lcs_positions", &lcs_positions, nb::arg("first"), nb::arg("second"));
}

}  // namespace codekin
