// Groups of sequences that are nearly the same: a join of sets by prefixes, then a bounded edit distance.
//
// Two sequences are near copies if their edit distance leaves at least above/below of the longer one
// unchanged. Then they share that many tokens in any order, so of the rarest tokens of each, as many as may
// differ and one more, at least one is common (Chaudhuri, Ganti and Kaushik 2006; Bayardo, Ma and Srikant
// 2007). Sequences that are joined already are not compared again.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "common/arrays.hpp"
#include "common/checks.hpp"

namespace nb = nanobind;

namespace codekin {
namespace {

constexpr uint32_t NONE = UINT32_MAX;

struct Posting {
    uint32_t owner;
    uint32_t place;   // in the owner's sorted set
    uint32_t before;  // the posting of the same element that came before, or NONE
};

class Groups {
  public:
    explicit Groups(size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0); }

    uint32_t root(uint32_t one) {
        while (parent_[one] != one) one = parent_[one] = parent_[parent_[one]];
        return one;
    }

    void join(uint32_t a, uint32_t b) {
        a = root(a), b = root(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }

  private:
    std::vector<uint32_t> parent_;
};

// Whether two sorted sets share at least `least` elements.
bool shares(const int32_t *a, size_t a_size, const int32_t *b, size_t b_size, size_t least) {
    size_t i = 0, j = 0, shared = 0;
    while (i < a_size && j < b_size) {
        if (shared + std::min(a_size - i, b_size - j) < least) return false;
        const int32_t mine = a[i], other = b[j];
        shared += mine == other;
        i += mine <= other;
        j += other <= mine;
    }
    return shared >= least;
}

// Whether the edit distance of two sequences is at most `most`: the diagonals within it, row by row.
bool within(const int32_t *a, size_t n, const int32_t *b, size_t m, size_t most, std::vector<size_t> &row) {
    if ((n > m ? n - m : m - n) > most) return false;
    const size_t width = 2 * most + 1, far = most + 1;
    // row[d] is the distance of a[:i] and b[:i + d - most].
    row.assign(width, far);
    for (size_t d = most; d < width; ++d) row[d] = d - most;
    for (size_t i = 1; i <= n; ++i) {
        bool alive = false;
        for (size_t d = 0; d < width; ++d) {
            if (i + d < most || i + d - most > m) {
                row[d] = far;
                continue;
            }
            const size_t j = i + d - most;
            size_t best = far;
            if (j == 0)
                best = i;
            else
                best = row[d] + (a[i - 1] != b[j - 1]);
            if (d + 1 < width) best = std::min(best, row[d + 1] + 1);   // a token of `a` left out
            if (d > 0 && j > 0) best = std::min(best, row[d - 1] + 1);  // a token of `b` left out
            row[d] = std::min(best, far);
            alive = alive || row[d] <= most;
        }
        if (!alive) return false;
    }
    return row[m + most - n] <= most;
}

// The tokens of each sequence as a set, ascending from the rarest of all. A second occurrence of a token is
// another element than the first, and so on, so that two sets share as many elements as the sequences tokens.
std::vector<int32_t> rarest_first(const ArrayIn<int64_t> &offsets, const ArrayIn<int32_t> &ids,
                                  size_t alphabet) {
    const size_t size = offsets.size() - 1;
    // The k-th occurrence of a token is the element first[token] + k.
    std::vector<int32_t> seen(alphabet), most(alphabet), first(alphabet);
    const auto of_each = [&](const auto &visit) {
        for (size_t one = 0; one < size; ++one) {
            for (int64_t i = offsets(one); i < offsets(one + 1); ++i) visit(i, seen[ids(i)]++);
            for (int64_t i = offsets(one); i < offsets(one + 1); ++i) seen[ids(i)] = 0;
        }
    };
    of_each([&](int64_t i, int32_t k) { most[ids(i)] = std::max(most[ids(i)], k + 1); });
    std::exclusive_scan(most.begin(), most.end(), first.begin(), 0);
    const size_t count = alphabet ? static_cast<size_t>(first.back() + most.back()) : 0;
    std::vector<int32_t> elements(ids.size()), frequency(count);
    of_each([&](int64_t i, int32_t k) {
        elements[i] = first[ids(i)] + k;
        ++frequency[elements[i]];
    });
    std::vector<int32_t> order(count), rank(count);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int32_t a, int32_t b) { return frequency[a] < frequency[b]; });
    for (size_t i = 0; i < count; ++i) rank[order[i]] = static_cast<int32_t>(i);
    for (int32_t &one : elements) one = rank[one];
    for (size_t one = 0; one < size; ++one)
        std::sort(elements.begin() + offsets(one), elements.begin() + offsets(one + 1));
    return elements;
}

// offsets: where each sequence begins in `ids`; one more at the end.
// ids: the tokens, each a number below `alphabet`.
// A number per sequence comes back: the first sequence of its group.
Vector<int32_t> near_copies(ArrayIn<int64_t> offsets, ArrayIn<int32_t> ids, int64_t alphabet, int64_t above,
                            int64_t below, int64_t shortest) {
    check::in_range("below", below, 1, 1000);
    check::in_range("above", above, 1, below);
    check::not_negative("shortest", shortest);
    if (offsets.size() == 0) check::refuse("offsets must begin with 0, but is empty");
    check::positions("offsets", offsets.size());
    check::positions("ids", ids.size());
    check::offsets("offsets", offsets, offsets.size() - 1, ids.size());
    check::not_far_beyond("alphabet", alphabet, ids.size());
    check::all_in_range("ids", ids, 0, alphabet);
    const size_t size = offsets.size() - 1;
    std::vector<int32_t> out(size);
    {
        nb::gil_scoped_release unlocked;
        const auto length = [&](uint32_t one) {
            return static_cast<size_t>(offsets(one + 1) - offsets(one));
        };
        const auto needed = [&](size_t longer) {
            return (longer * static_cast<size_t>(above) + static_cast<size_t>(below) - 1) /
                   static_cast<size_t>(below);
        };
        const std::vector<int32_t> elements = rarest_first(offsets, ids, static_cast<size_t>(alphabet));
        std::vector<uint32_t> order(size);
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(),
                         [&](uint32_t a, uint32_t b) { return length(a) < length(b); });
        Groups groups(size);
        std::vector<Posting> postings;
        std::vector<uint32_t> last(elements.size(), NONE);  // the last posting of each element
        std::vector<uint32_t> seen(size, NONE), candidates;
        std::vector<size_t> row;
        for (const uint32_t one : order) {
            const size_t n = length(one);
            if (n < static_cast<size_t>(shortest) || n == 0) continue;
            const size_t least = needed(n), prefix = n - least + 1;
            const int32_t *mine = elements.data() + offsets(one);
            candidates.clear();
            for (size_t i = 0; i < prefix; ++i) {
                uint32_t &newest = last[static_cast<size_t>(mine[i])];
                // From the longest, which came last, to the shortest that can share enough.
                for (uint32_t k = newest; k != NONE; k = postings[k].before) {
                    const Posting other = postings[k];
                    const size_t m = length(other.owner);
                    if (m < least) break;
                    if (seen[other.owner] == one) continue;
                    seen[other.owner] = one;
                    // It is the first element in common, so nothing before it counts.
                    if (std::min(n - i, m - other.place) >= least) candidates.push_back(other.owner);
                }
                postings.push_back({one, static_cast<uint32_t>(i), newest});
                newest = static_cast<uint32_t>(postings.size() - 1);
            }
            for (const uint32_t other : candidates) {
                if (groups.root(one) == groups.root(other)) continue;
                const int32_t *its = elements.data() + offsets(other);
                if (!shares(mine, n, its, length(other), least)) continue;
                if (within(ids.data() + offsets(one), n, ids.data() + offsets(other), length(other),
                           n - least, row))
                    groups.join(one, other);
            }
        }
        for (size_t i = 0; i < size; ++i)
            out[i] = static_cast<int32_t>(groups.root(static_cast<uint32_t>(i)));
    }
    return to_numpy(std::move(out));
}

}  // namespace

void register_near_copies(nb::module_ &m) {
    m.def("near_copies", &near_copies, nb::arg("offsets"), nb::arg("ids"), nb::arg("alphabet"),
          nb::arg("above"), nb::arg("below"), nb::arg("shortest"));
}

}  // namespace codekin
