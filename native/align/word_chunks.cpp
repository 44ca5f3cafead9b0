// The matching of words with the fewest chunks: as many matches as possible, in as few runs as possible.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/arrays.hpp"
#include "common/checks.hpp"

namespace nb = nanobind;

namespace codekin {
namespace {

using Numbers = std::unordered_map<uint64_t, int32_t>;

std::vector<int32_t> numbered(const ArrayIn<uint64_t> &ids, Numbers &numbers) {
    std::vector<int32_t> out(ids.size());
    for (size_t i = 0; i < ids.size(); ++i)
        out[i] = numbers.emplace(ids.data()[i], static_cast<int32_t>(numbers.size())).first->second;
    return out;
}

uint64_t bigram(int32_t a, int32_t b) {
    return static_cast<uint64_t>(static_cast<uint32_t>(a)) << 32 | static_cast<uint32_t>(b);
}

constexpr int32_t NONE = -1;

// A text: for each place the number of its word, and that of its stem.
struct Text {
    std::vector<int32_t> words, stems;
    int32_t size() const { return static_cast<int32_t>(words.size()); }
};

// Words match if their stems are equal. Equal words match first, so each word has a fixed number of exact
// matches and of copies left for others; any choice of pairs within these numbers can be completed. The
// number of chunks is that of the matches, less the neighbours that are matched to neighbours: the search
// looks for the most of these, from the front, and stops when none can be gained or its steps are spent.
class ChunkSearch {
  public:
    ChunkSearch(Text candidate, Text reference, int32_t words, int32_t stems, int64_t steps)
        : a_(std::move(candidate)),
          b_(std::move(reference)),
          steps_(steps),
          exact_(words),
          spare_a_(words),
          spare_b_(words),
          inexact_(stems),
          unmatched_(stems),
          places_(stems),
          words_(stems),
          copies_(words),
          next_(words),
          used_(b_.words.size()),
          match_(a_.words.size(), NONE),
          best_(a_.words.size(), NONE) {
        count(words, stems);
        count_bigrams();
    }

    void run() {
        seed();
        seed_from_the_back();
        if (a_.size() > 0) frames_.push_back(frame(0, 0));
        if (a_.size() > 1) leave(1);
        while (!frames_.empty()) {
            if (best_adjacent_ == bound_ || steps_ <= 0) return;
            const int32_t i = static_cast<int32_t>(frames_.size()) - 1;
            if (frames_.back().tried) take(i, match_[i], -1);
            frames_.back().tried = false;
            if (!advance(i)) {
                frames_.pop_back();
                if (i > 0 && i + 1 < a_.size()) leave(i + 1, -1);
            }
        }
        bound_ = best_adjacent_;  // everything was tried
    }

    // For each word of the candidate its place in the reference, or NONE.
    const std::vector<int32_t> &best() const { return best_; }
    int32_t least_chunks() const { return total_ - bound_; }

  private:
    static constexpr int32_t SEED_RUN = 64;
    static constexpr int SEED_TRIES = 16;

    // The places that a word of the candidate can be matched to, or NONE; the next to try.
    struct Frame {
        std::vector<int32_t> options;
        size_t next = 0;
        int32_t adjacent = 0;  // neighbours matched to neighbours before
        bool complete = false, tried = false;
    };

    void count(int32_t words, int32_t stems) {
        std::vector<int32_t> in_a(words), in_b(words), stem_of(words), left_a(stems), left_b(stems);
        for (int32_t i = 0; i < a_.size(); ++i) ++in_a[a_.words[i]], stem_of[a_.words[i]] = a_.stems[i];
        for (int32_t j = 0; j < b_.size(); ++j) {
            ++in_b[b_.words[j]], stem_of[b_.words[j]] = b_.stems[j];
            places_[b_.stems[j]].push_back(j);
            copies_[b_.words[j]].push_back(j);
        }
        for (int32_t w = 0; w < words; ++w) {
            exact_[w] = std::min(in_a[w], in_b[w]);
            total_ += exact_[w];
            left_a[stem_of[w]] += spare_a_[w] = in_a[w] - exact_[w];
            left_b[stem_of[w]] += spare_b_[w] = in_b[w] - exact_[w];
            words_[stem_of[w]].push_back(w);
        }
        for (int32_t s = 0; s < stems; ++s) {
            inexact_[s] = std::min(left_a[s], left_b[s]);
            total_ += inexact_[s];
            unmatched_[s] = left_a[s] - inexact_[s];
        }
    }

    // Number the pairs of neighbours that both texts have. As many neighbours as the smaller of the two
    // counts can be matched to neighbours, and no more.
    void count_bigrams() {
        Numbers numbers;
        bigrams_b_.assign(b_.size(), NONE), bigrams_a_.assign(a_.size(), NONE);
        for (int32_t j = 1; j < b_.size(); ++j) {
            const uint64_t both = bigram(b_.stems[j - 1], b_.stems[j]);
            bigrams_b_[j] = numbers.emplace(both, static_cast<int32_t>(numbers.size())).first->second;
        }
        left_a_.assign(numbers.size(), 0), left_b_.assign(numbers.size(), 0);
        for (int32_t j = 1; j < b_.size(); ++j) ++left_b_[bigrams_b_[j]];
        for (int32_t i = 1; i < a_.size(); ++i) {
            const auto found = numbers.find(bigram(a_.stems[i - 1], a_.stems[i]));
            if (found != numbers.end()) ++left_a_[bigrams_a_[i] = found->second];
        }
        for (size_t g = 0; g < left_a_.size(); ++g) most_ += std::min(left_a_[g], left_b_[g]);
        bound_ = most_;
    }

    void change(std::vector<int32_t> &counts, int32_t g, int32_t by) {
        most_ -= std::min(left_a_[g], left_b_[g]);
        counts[g] += by;
        most_ += std::min(left_a_[g], left_b_[g]);
    }

    // Leave the pair of neighbours that ends at a place of the candidate out of those still to come.
    void leave(int32_t i, int32_t by = 1) {
        if (bigrams_a_[i] != NONE) change(left_a_, bigrams_a_[i], -by);
    }

    bool fits(int32_t i, int32_t j) const {
        const int32_t w = a_.words[i], v = b_.words[j];
        if (used_[j]) return false;
        if (w == v) return exact_[w] > 0;
        return spare_a_[w] > 0 && spare_b_[v] > 0 && inexact_[a_.stems[i]] > 0;
    }

    void take(int32_t i, int32_t j, int32_t by) {
        const int32_t w = a_.words[i], s = a_.stems[i];
        match_[i] = by > 0 ? j : NONE;
        if (j == NONE) {
            spare_a_[w] -= by, unmatched_[s] -= by;
            return;
        }
        used_[j] = by > 0;
        if (j > 0 && !used_[j - 1]) change(left_b_, bigrams_b_[j], -by);
        if (j + 1 < b_.size() && !used_[j + 1]) change(left_b_, bigrams_b_[j + 1], -by);
        if (w == b_.words[j])
            exact_[w] -= by;
        else
            spare_a_[w] -= by, spare_b_[b_.words[j]] -= by, inexact_[s] -= by;
    }

    int32_t run_length(int32_t i, int32_t j, int32_t most) const {
        int32_t length = 0;
        for (; i + length < a_.size() && j + length < b_.size() && length < most; ++length)
            if (used_[j + length] || a_.stems[i + length] != b_.stems[j + length]) break;
        return length;
    }

    // The place beside the match of the word before, or NONE.
    int32_t beside(int32_t i) const {
        if (i == 0 || match_[i - 1] == NONE || match_[i - 1] + 1 == b_.size()) return NONE;
        const int32_t j = match_[i - 1] + 1;
        return b_.stems[j] == a_.stems[i] && fits(i, j) ? j : NONE;
    }

    Frame frame(int32_t i, int32_t adjacent) const {
        Frame made;
        made.adjacent = adjacent;
        if (const int32_t j = beside(i); j != NONE) made.options.push_back(j);
        return made;
    }

    // Add the other options of a place, those with the longest runs first; false if the steps are spent.
    bool complete(int32_t i, Frame &made) {
        const int32_t s = a_.stems[i], first = made.options.empty() ? NONE : made.options[0];
        made.complete = true;
        std::vector<std::pair<int32_t, int32_t>> runs;
        for (const int32_t j : places_[s]) {
            if (steps_-- <= 0) return false;
            if (j == first || !fits(i, j)) continue;
            const int32_t length = run_length(i, j, a_.size());
            steps_ -= length;
            runs.emplace_back(-length, j);
        }
        std::sort(runs.begin(), runs.end());
        for (const auto &[length, j] : runs) made.options.push_back(j);
        if (may_stay_unmatched(i)) made.options.push_back(NONE);
        return true;
    }

    bool may_stay_unmatched(int32_t i) const {
        return spare_a_[a_.words[i]] > 0 && unmatched_[a_.stems[i]] > 0;
    }

    // A first matching, in linear time: each word beside the one before if possible, else where the longest
    // of a few runs begins.
    void seed() {
        int32_t adjacent = 0;
        for (int32_t i = 0; i < a_.size(); ++i) {
            const int32_t near = beside(i), j = near != NONE ? near : first_fitting(i);
            adjacent += near != NONE;
            take(i, j, 1);
        }
        keep(adjacent);
        for (int32_t i = a_.size() - 1; i >= 0; --i) take(i, match_[i], -1);
    }

    // The matching that nltk takes: from the back, each word to the last of its copies, then of its stems.
    void seed_from_the_back() {
        std::vector<std::vector<int32_t>> copies = copies_, places(places_.size());
        std::vector<int32_t> found(a_.size(), NONE);
        const auto take_last = [&](std::vector<int32_t> &free, int32_t i) {
            if (free.empty()) return;
            found[i] = free.back();
            free.pop_back();
        };
        for (int32_t i = a_.size() - 1; i >= 0; --i) take_last(copies[a_.words[i]], i);
        for (int32_t j = 0; j < b_.size(); ++j) {
            const auto &free = copies[b_.words[j]];
            if (!free.empty() && j <= free.back()) places[b_.stems[j]].push_back(j);
        }
        for (int32_t i = a_.size() - 1; i >= 0; --i)
            if (found[i] == NONE) take_last(places[a_.stems[i]], i);
        int32_t adjacent = 0;
        for (int32_t i = 1; i < a_.size(); ++i)
            adjacent += found[i] != NONE && found[i - 1] != NONE && found[i - 1] + 1 == found[i];
        if (adjacent > best_adjacent_) best_ = std::move(found), best_adjacent_ = adjacent;
    }

    void keep(int32_t adjacent) { best_ = match_, best_adjacent_ = adjacent; }

    int32_t first_fitting(int32_t i) {
        const int32_t w = a_.words[i], s = a_.stems[i];
        if (exact_[w] > 0) return first_of_best_run(i, w);
        for (const int32_t v : words_[s])
            if (v != w && spare_a_[w] > 0 && spare_b_[v] > 0 && inexact_[s] > 0)
                return first_of_best_run(i, v);
        return NONE;
    }

    int32_t first_of_best_run(int32_t i, int32_t word) {
        const auto &copies = copies_[word];
        size_t &at = next_[word];
        while (used_[copies[at]]) ++at;
        int32_t best = copies[at], longest = run_length(i, best, SEED_RUN);
        int tried = 1;
        for (size_t k = at + 1; k < copies.size() && tried < SEED_TRIES; ++k) {
            if (used_[copies[k]]) continue;
            ++tried;
            const int32_t length = run_length(i, copies[k], SEED_RUN);
            if (length > longest) longest = length, best = copies[k];
        }
        return best;
    }

    // Try the next option of a place that may exceed the best; false if there is none.
    bool advance(int32_t i) {
        for (;;) {
            Frame &top = frames_.back();
            if (top.next == top.options.size()) {
                if (top.complete) return false;
                if (!complete(i, top)) return true;  // and the search ends
                continue;
            }
            const int32_t j = top.options[top.next++];
            const bool gained = i > 0 && j != NONE && match_[i - 1] != NONE && match_[i - 1] + 1 == j;
            const int32_t adjacent = top.adjacent + gained;
            --steps_;
            take(i, j, 1);
            const bool last = i + 1 == a_.size();
            if (adjacent + (last ? 0 : most_ + (beside(i + 1) != NONE)) <= best_adjacent_) {
                take(i, j, -1);
                if (steps_ <= 0) return true;
                continue;
            }
            top.tried = true;
            if (last) {
                keep(adjacent);
            } else {
                frames_.push_back(frame(i + 1, adjacent));
                if (i + 2 < a_.size()) leave(i + 2);
            }
            return true;
        }
    }

    Text a_, b_;
    int64_t steps_;
    std::vector<int32_t> exact_, spare_a_, spare_b_;  // by word: matches to make, copies for others
    std::vector<int32_t> inexact_, unmatched_;        // by stem: matches of others to make, words to leave
    std::vector<std::vector<int32_t>> places_, words_, copies_;
    std::vector<size_t> next_;  // by word: no copy before is unused, while nothing is undone
    std::vector<char> used_;
    std::vector<int32_t> match_, best_;
    std::vector<int32_t> bigrams_a_, bigrams_b_;  // by place: the number of the pair that ends there
    std::vector<int32_t> left_a_, left_b_;        // by pair: those after the next word, and those unused
    std::vector<Frame> frames_;
    int32_t total_ = 0, best_adjacent_ = 0, bound_ = 0, most_ = 0;
};

std::tuple<Vector<int32_t>, Vector<int32_t>, int32_t> fewest_chunks(ArrayIn<uint64_t> candidate,
                                                                    ArrayIn<uint64_t> candidate_stems,
                                                                    ArrayIn<uint64_t> reference,
                                                                    ArrayIn<uint64_t> reference_stems,
                                                                    int64_t steps) {
    check::not_negative("steps", steps);
    if (candidate.size() != candidate_stems.size() || reference.size() != reference_stems.size())
        check::refuse("each word needs a stem");
    check::at_most("words", std::max(candidate.size(), reference.size()), 1u << 30);
    Numbers words, stems;
    Text a{numbered(candidate, words), numbered(candidate_stems, stems)};
    Text b{numbered(reference, words), numbered(reference_stems, stems)};
    std::vector<int32_t> stem_of(words.size(), NONE);
    for (const Text *text : {&a, &b})
        for (int32_t i = 0; i < text->size(); ++i) {
            int32_t &stem = stem_of[text->words[i]];
            if (stem != NONE && stem != text->stems[i]) check::refuse("equal words need equal stems");
            stem = text->stems[i];
        }
    ChunkSearch search(std::move(a), std::move(b), static_cast<int32_t>(words.size()),
                       static_cast<int32_t>(stems.size()), steps);
    {
        nb::gil_scoped_release unlocked;
        search.run();
    }
    std::vector<int32_t> in_candidate, in_reference;
    for (size_t i = 0; i < search.best().size(); ++i)
        if (search.best()[i] != NONE)
            in_candidate.push_back(static_cast<int32_t>(i)), in_reference.push_back(search.best()[i]);
    return {to_numpy(std::move(in_candidate)), to_numpy(std::move(in_reference)), search.least_chunks()};
}

}  // namespace

void register_word_chunks(nb::module_ &m) {
    m.def("fewest_chunks", &fewest_chunks, nb::arg("candidate"), nb::arg("candidate_stems"),
          nb::arg("reference"), nb::arg("reference_stems"), nb::arg("steps"));
}

}  // namespace codekin
