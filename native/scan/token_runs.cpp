// The longest stretches of tokens that occur twice, ignoring names and values.
//
// Of the hashes of all windows of some tokens, a few are kept so that each long enough stretch has one
// (winnowing: Schleimer, Wilkerson and Aiken 2003). Places with the same hash are extended to both sides,
// and runs that follow one another closely in both places are chained.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "common/arrays.hpp"
#include "common/checks.hpp"
#include "represent/graph/features.hpp"
#include "scan/scanned_tokens.hpp"

namespace nb = nanobind;

namespace codekin {
namespace scan {
namespace {

struct Tokens {
    ArrayIn<int64_t> files;  // where each begins; one more at the end
    ArrayIn<uint32_t> raw, blind;
    ArrayIn<uint8_t> traits, levels;

    bool left_out(size_t i) const { return traits(i) & (IMPORT | TABLE); }

    size_t file_of(size_t token) const {
        const int64_t *begin = files.data(), *end = begin + files.size();
        return static_cast<size_t>(std::upper_bound(begin, end, static_cast<int64_t>(token)) - begin) - 1;
    }
};

// A window of tokens that was kept.
struct Mark {
    uint64_t hash;
    uint32_t at;
};

constexpr uint64_t BASE = 0x9E3779B97F4A7C15ull;

// The kept windows of one file: the least hash of each `span` consecutive ones.
class Winnower {
  public:
    Winnower(const Tokens &tokens, size_t window, size_t span, std::vector<Mark> &out)
        : tokens_(tokens), window_(window), span_(span), out_(out) {
        for (size_t i = 1; i < window; ++i) top_ *= BASE;
    }

    void file(size_t begin, size_t end) {
        for (size_t i = begin; i < end;) {
            while (i < end && tokens_.left_out(i)) ++i;
            const size_t from = i;
            while (i < end && !tokens_.left_out(i)) ++i;
            stretch(from, i);
        }
    }

  private:
    void stretch(size_t begin, size_t end) {
        if (end - begin < window_) return;
        waiting_.clear();
        uint64_t hash = 0;
        size_t kept = SIZE_MAX;
        for (size_t i = begin; i < end; ++i) {
            if (i >= begin + window_) hash -= top_ * (uint64_t{tokens_.blind(i - window_)} + 1);
            hash = hash * BASE + tokens_.blind(i) + 1;
            if (i + 1 < begin + window_) continue;
            const size_t start = i + 1 - window_;
            const uint64_t mixed = scrambled(hash);
            while (!waiting_.empty() && waiting_.back().hash >= mixed) waiting_.pop_back();
            waiting_.push_back({mixed, static_cast<uint32_t>(start)});
            if (waiting_.front().at + span_ <= start) waiting_.pop_front();
            if (start + 1 < begin + span_ && i + 1 < end) continue;
            if (waiting_.front().at == kept) continue;
            kept = waiting_.front().at;
            out_.push_back(waiting_.front());
        }
    }

    const Tokens &tokens_;
    const size_t window_, span_;
    std::vector<Mark> &out_;
    std::deque<Mark> waiting_;
    uint64_t top_ = 1;
};

// Tokens that are the same in two places.
struct Run {
    size_t first, second, length;

    size_t first_end() const { return first + length; }
    size_t second_end() const { return second + length; }
};

constexpr size_t MOST_WITH_FIRST = 256;  // places with the same hash that are all compared with the first
constexpr size_t MOST_STEPS = 200;       // per token, which only endless repetitions need

class RunFinder {
  public:
    RunFinder(const Tokens &tokens, size_t window, size_t shortest, size_t most)
        : tokens_(tokens), window_(window), shortest_(shortest), most_(most) {}

    std::vector<Run> run() {
        std::vector<Mark> marks;
        Winnower winnower(tokens_, window_, shortest_ - window_ + 1, marks);
        for (size_t f = 0; f + 1 < tokens_.files.size(); ++f)
            winnower.file(static_cast<size_t>(tokens_.files(f)), static_cast<size_t>(tokens_.files(f + 1)));
        std::sort(marks.begin(), marks.end(), [](const Mark &a, const Mark &b) {
            return a.hash != b.hash ? a.hash < b.hash : a.at < b.at;
        });
        std::vector<std::pair<uint32_t, uint32_t>> meetings;  // two places with the same hash
        for (size_t i = 0; i < marks.size();) {
            size_t end = i + 1;
            while (end < marks.size() && marks[end].hash == marks[i].hash) ++end;
            for (size_t k = i + 1; k < end; ++k) {
                // Each with those right before it; the first, too, which holds all of them together.
                const size_t from = k - i > most_ ? k - most_ : i;
                if (from > i && end - i <= MOST_WITH_FIRST) meetings.emplace_back(marks[k].at, marks[i].at);
                for (size_t j = from; j < k; ++j) meetings.emplace_back(marks[k].at, marks[j].at);
            }
            i = end;
        }
        marks = {};
        // By their distance, so that all places of one run come together.
        std::sort(meetings.begin(), meetings.end(), [](const auto &a, const auto &b) {
            const uint32_t x = a.first - a.second, y = b.first - b.second;
            return x != y ? x < y : a.second < b.second;
        });
        uint32_t distance = 0, reach = 0;
        for (const auto &[later, earlier] : meetings) {
            if (later - earlier != distance) distance = later - earlier, reach = 0;
            if (earlier < reach) continue;
            if (steps_ > MOST_STEPS * (tokens_.raw.size() + 1000)) break;
            reach = extend(earlier, later, reach);
        }
        return std::move(out_);
    }

  private:
    bool same(size_t i, size_t j) const {
        return tokens_.blind(i) == tokens_.blind(j) && !tokens_.left_out(i) && !tokens_.left_out(j);
    }

    // The end of the run around two places, in the first. It does not begin before `from`: what repeats
    // itself would be read again and again.
    uint32_t extend(uint32_t earlier, uint32_t later, uint32_t from) {
        const size_t f = tokens_.file_of(earlier), g = tokens_.file_of(later);
        size_t i = earlier, j = later;
        const auto f_begin = static_cast<size_t>(tokens_.files(f)),
                   g_begin = static_cast<size_t>(tokens_.files(g));
        while (i > std::max<size_t>(f_begin, from) && j > g_begin && same(i - 1, j - 1)) --i, --j;
        const auto g_end = static_cast<size_t>(tokens_.files(g + 1));
        // A run that would reach into its own copy ends there.
        const size_t i_end = std::min(static_cast<size_t>(tokens_.files(f + 1)), f == g ? j : SIZE_MAX);
        size_t end = i, other = j;
        while (end < i_end && other < g_end && same(end, other)) ++end, ++other;
        steps_ += end - i;
        if (end - i >= shortest_) out_.push_back({i, j, end - i});
        return static_cast<uint32_t>(std::max<size_t>(end, earlier + 1));
    }

    const Tokens &tokens_;
    const size_t window_, shortest_, most_;
    size_t steps_ = 0;
    std::vector<Run> out_;
};

using Chain = std::vector<Run>;

constexpr size_t MOST_OPEN = 8;  // chains of two files that a run may go on with

// Joins runs that follow one another closely in both places.
class Chainer {
  public:
    Chainer(const Tokens &tokens, size_t gap) : tokens_(tokens), gap_(gap) {}

    std::vector<Chain> run(const std::vector<Run> &runs) {
        struct Placed {
            size_t file, other;
            Run run;
        };
        std::vector<Placed> placed;
        placed.reserve(runs.size());
        for (const Run &run : runs)
            placed.push_back({tokens_.file_of(run.first), tokens_.file_of(run.second), run});
        std::sort(placed.begin(), placed.end(), [](const Placed &a, const Placed &b) {
            if (a.file != b.file) return a.file < b.file;
            if (a.other != b.other) return a.other < b.other;
            return a.run.first != b.run.first ? a.run.first < b.run.first : a.run.second < b.run.second;
        });
        for (size_t k = 0; k < placed.size(); ++k) {
            const auto &[file, other, run] = placed[k];
            if (k > 0 && (placed[k - 1].file != file || placed[k - 1].other != other)) close(0);
            place(run, file == other);
        }
        close(0);
        return std::move(out_);
    }

  private:
    void place(const Run &run, bool same_file) {
        Chain *best = nullptr;
        const auto reach = [](const Chain &one) { return one.back().first_end() + one.back().second_end(); };
        for (Chain &one : open_)
            if (goes_on(one, run, same_file) && (best == nullptr || reach(one) > reach(*best))) best = &one;
        if (best != nullptr) return best->push_back(run);
        close(MOST_OPEN - 1);
        open_.push_back({run});
    }

    // Whether a run follows a chain in both places, and the gap changes the depth alike.
    bool goes_on(const Chain &chain, const Run &run, bool same_file) const {
        const Run &last = chain.back();
        if (run.first < last.first_end() || run.second < last.second_end()) return false;
        if (run.first - last.first_end() > gap_ || run.second - last.second_end() > gap_) return false;
        if (same_file && run.first_end() > chain.front().second) return false;
        const auto change = [&](size_t from, size_t to) {
            return int{tokens_.levels(to)} - int{tokens_.levels(from - 1)};
        };
        return change(last.first_end(), run.first) == change(last.second_end(), run.second);
    }

    void close(size_t most) {
        while (open_.size() > most) out_.push_back(std::move(open_.front())), open_.pop_front();
    }

    const Tokens &tokens_;
    const size_t gap_;
    std::deque<Chain> open_;
    std::vector<Chain> out_;
};

struct ChainArrays {
    std::vector<int32_t> first, first_end, second, second_end, matched, words, equal, renamed;
};

// Cuts chains to whole statements of one block, and counts what both places have in common.
class ChainWriter {
  public:
    explicit ChainWriter(const Tokens &tokens) : tokens_(tokens) {}

    void write(const Chain &chain) {
        const auto [from, to] = whole(chain.front().first, chain.back().first_end());
        int32_t matched = 0, words = 0, equal = 0, renamed = 0;
        size_t first = SIZE_MAX, first_end = 0, second = 0, second_end = 0;
        names_.clear();
        for (const Run &run : chain) {
            const size_t begin = std::max(run.first, from), end = std::min(run.first_end(), to);
            if (begin >= end) continue;
            const size_t other = run.second + (begin - run.first);
            if (first == SIZE_MAX) first = begin, second = other;
            first_end = end, second_end = other + (end - begin);
            matched += static_cast<int32_t>(end - begin);
            for (size_t k = 0; k < end - begin; ++k) count(begin + k, other + k, words, equal);
        }
        if (matched == 0) return;
        std::sort(names_.begin(), names_.end());
        for (size_t k = 1; k < names_.size(); ++k) renamed += names_[k] == names_[k - 1];
        out_.first.push_back(static_cast<int32_t>(first));
        out_.first_end.push_back(static_cast<int32_t>(first_end));
        out_.second.push_back(static_cast<int32_t>(second));
        out_.second_end.push_back(static_cast<int32_t>(second_end));
        out_.matched.push_back(matched), out_.words.push_back(words);
        out_.equal.push_back(equal), out_.renamed.push_back(renamed);
    }

    ChainArrays finish() { return std::move(out_); }

  private:
    void count(size_t i, size_t j, int32_t &words, int32_t &equal) {
        if (!(tokens_.traits(i) & (NAME | LITERAL))) return;
        ++words;
        if (tokens_.raw(i) == tokens_.raw(j))
            ++equal;
        else if (tokens_.traits(i) & NAME)
            names_.emplace_back(tokens_.raw(i), tokens_.raw(j));
    }

    // The longest stretch of whole statements of one block.
    std::pair<size_t, size_t> whole(size_t begin, size_t end) const {
        std::pair<size_t, size_t> best{begin, begin};
        for (size_t from = begin; from < end;) {
            while (from < end && !(tokens_.traits(from) & BEGINS)) ++from;
            if (from == end) break;
            const uint8_t level = tokens_.levels(from);
            size_t to = from + 1, last = from;  // `last`: where the last whole statement ends
            for (; to < end && tokens_.levels(to) >= level; ++to)
                if (tokens_.levels(to) == level && (tokens_.traits(to) & BEGINS)) last = to;
            // What follows begins a statement of the block, or lies outside of the block.
            const bool over = to == tokens_.raw.size() || tokens_.levels(to) < level ||
                              (tokens_.levels(to) == level && (tokens_.traits(to) & BEGINS));
            if (over) last = to;
            if (last - from > best.second - best.first) best = {from, last};
            from = to;
        }
        return best;
    }

    const Tokens &tokens_;
    std::vector<std::pair<uint32_t, uint32_t>> names_;
    ChainArrays out_;
};

// window: tokens per hash; shortest: tokens of a run, all of which are found; most: how many places before
// it each place is compared with; gap: the most tokens between two runs of a chain.
nb::tuple token_runs(ArrayIn<int64_t> files, ArrayIn<uint32_t> raw, ArrayIn<uint32_t> blind,
                     ArrayIn<uint8_t> traits, ArrayIn<uint8_t> levels, int64_t window, int64_t shortest,
                     int64_t most, int64_t gap) {
    check::positions("raw", raw.size());
    if (files.size() == 0) check::refuse("files must begin with 0, but is empty");
    check::offsets("files", files, files.size() - 1, raw.size());
    check::same_length("raw", raw.size(),
                       {{"blind", blind.size()}, {"traits", traits.size()}, {"levels", levels.size()}});
    check::in_range("window", window, 1, 1 << 16);
    check::in_range("shortest", shortest, window, 1 << 20);
    check::in_range("most", most, 1, 1 << 10);
    check::in_range("gap", gap, 0, 1 << 20);
    ChainArrays out;
    {
        nb::gil_scoped_release unlocked;
        const Tokens tokens{files, raw, blind, traits, levels};
        const std::vector<Run> runs = RunFinder(tokens, static_cast<size_t>(window),
                                                static_cast<size_t>(shortest), static_cast<size_t>(most))
                                          .run();
        ChainWriter writer(tokens);
        for (const Chain &one : Chainer(tokens, static_cast<size_t>(gap)).run(runs)) writer.write(one);
        out = writer.finish();
    }
    return nb::make_tuple(to_numpy(std::move(out.first)), to_numpy(std::move(out.first_end)),
                          to_numpy(std::move(out.second)), to_numpy(std::move(out.second_end)),
                          to_numpy(std::move(out.matched)), to_numpy(std::move(out.words)),
                          to_numpy(std::move(out.equal)), to_numpy(std::move(out.renamed)));
}

}  // namespace
}  // namespace scan

void register_token_runs(nb::module_ &m) {
    m.def("token_runs", &scan::token_runs, nb::arg("files"), nb::arg("raw"), nb::arg("blind"),
          nb::arg("traits"), nb::arg("levels"), nb::arg("window"), nb::arg("shortest"), nb::arg("most"),
          nb::arg("gap"),
          "Arrays (first token, its end, second token, its end, matched tokens, words, equal words, "
          "renamed words) of chains of runs.");
}

}  // namespace codekin
