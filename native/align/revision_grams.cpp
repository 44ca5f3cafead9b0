// N-grams that two revisions of one origin add, delete and keep.
//
// N-grams are numbered order by order, so that nothing rests on a hash.
#include "align/revision_grams.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace codekin {

namespace {

enum Text : uint64_t { ORIGIN = 0, REFERENCE = 1, CANDIDATE = 2 };

struct Bounds {
    int32_t start, end;
};

Bounds bounds(const DivergentRegion &r, Text text) {
    if (text == ORIGIN) return {r.origin_start, r.origin_end};
    if (text == REFERENCE) return {r.first_start, r.first_end};
    return {r.second_start, r.second_end};
}

// Tokens that stand one after the other in a text; positions are those in the list of all tokens.
struct Run {
    Text text;
    uint32_t region;
    int32_t start, end;
};

// The tokens that can stand in an n-gram worth counting.
class Tokens {
  public:
    Tokens(const Revisions &revisions, int order, bool context) {
        const Stretch texts[] = {revisions.origin, revisions.reference, revisions.candidate};
        for (Text text : {ORIGIN, REFERENCE, CANDIDATE}) {
            if (context) {
                add_with_surroundings(revisions, texts[text], text, order - 1);
            } else {
                add_regions(revisions, texts[text], text);
            }
        }
    }

    std::vector<uint64_t> ids;
    // How many places around a region stand from here on; 0 inside of it.
    std::vector<int32_t> conserved;
    std::vector<Run> runs;

  private:
    void add_regions(const Revisions &revisions, Stretch tokens, Text text) {
        for (size_t k = 0; k < revisions.count; ++k) {
            const Bounds region = bounds(revisions.regions[k], text);
            if (region.start == region.end) continue;
            begin(text, static_cast<uint32_t>(k));
            for (int32_t i = region.start; i < region.end; ++i) push(tokens[i], 0);
            end();
        }
    }

    // Each region between places that are its own and the same in all three texts. They stand for
    // what is around it, whatever that says; so nothing shared has a say.
    void add_with_surroundings(const Revisions &revisions, Stretch tokens, Text text, int32_t reach) {
        for (size_t k = 0; k < revisions.count; ++k) {
            const Bounds region = bounds(revisions.regions[k], text);
            if (region.start == region.end) continue;  // places alone are nobody's edit
            const uint64_t before = 2 * k * static_cast<uint64_t>(reach), behind = before + reach;
            begin(text, 0);
            for (int32_t i = 0; i < reach; ++i) push(place(before + i), reach - i);
            for (int32_t i = region.start; i < region.end; ++i) push(tokens[i], 0);
            for (int32_t i = 0; i < reach; ++i) push(place(behind + i), reach);
            end();
        }
    }

    // An identity that no token has.
    static uint64_t place(uint64_t number) { return std::numeric_limits<uint64_t>::max() - number; }

    void begin(Text text, uint32_t region) {
        const auto here = static_cast<int32_t>(ids.size());
        runs.push_back({text, region, here, here});
    }
    void end() { runs.back().end = static_cast<int32_t>(ids.size()); }
    void push(uint64_t id, int32_t left) { ids.push_back(id), conserved.push_back(left); }
};

using Keyed = std::pair<uint64_t, uint32_t>;  // a key and the position that has it

// Numbers positions by their keys: equal numbers for equal keys.
void number(std::vector<Keyed> &keys, std::vector<uint32_t> &names) {
    std::sort(keys.begin(), keys.end());
    uint32_t name = 0;
    for (size_t i = 0; i < keys.size(); ++i) {
        if (i > 0 && keys[i].first != keys[i - 1].first) ++name;
        names[keys[i].second] = name;
    }
}

// How often an n-gram stands in each text, in one region or over all.
struct Count {
    int64_t in[3] = {0, 0, 0};

    int64_t kept(Text revision) const { return std::min(in[ORIGIN], in[revision]); }
    int64_t added(Text revision) const { return std::max<int64_t>(in[revision] - in[ORIGIN], 0); }
    int64_t deleted(Text revision) const { return std::max<int64_t>(in[ORIGIN] - in[revision], 0); }
};

void agree(Agreement &sums, int64_t reference, int64_t candidate) {
    sums.both += std::min(reference, candidate);
    sums.reference += reference, sums.candidate += candidate;
}

// Adds one n-gram, whose entries stand one after the other, sorted by region; returns their end.
size_t add_gram(const std::vector<uint64_t> &entries, size_t i, RevisionGrams &sums) {
    const uint64_t name = entries[i] >> 32;
    Count everywhere;
    int64_t added[3] = {0, 0, 0}, deleted[3] = {0, 0, 0};
    while (i < entries.size() && entries[i] >> 32 == name) {
        const uint64_t region = entries[i] >> 2;
        Count here;
        for (; i < entries.size() && entries[i] >> 2 == region; ++i) ++here.in[entries[i] & 3];
        for (Text revision : {REFERENCE, CANDIDATE}) {
            added[revision] += here.added(revision);
            deleted[revision] += here.deleted(revision);
        }
        agree(sums.keep, here.kept(REFERENCE), here.kept(CANDIDATE));
        for (Text text : {ORIGIN, REFERENCE, CANDIDATE}) everywhere.in[text] += here.in[text];
    }
    agree(sums.add, added[REFERENCE], added[CANDIDATE]);
    agree(sums.remove, deleted[REFERENCE], deleted[CANDIDATE]);
    agree(sums.keep_anywhere, everywhere.kept(REFERENCE), everywhere.kept(CANDIDATE));
    return i;
}

}  // namespace

bool Revisions::equal() const {
    const auto alike = [&](const DivergentRegion &r) {
        const uint64_t *a = reference.at + r.first_start, *b = candidate.at + r.second_start;
        return std::equal(a, reference.at + r.first_end, b, candidate.at + r.second_end);
    };
    if (std::all_of(regions, regions + count, alike)) return true;
    // Equal texts that are broken into lines differently may have been aligned differently.
    return std::equal(reference.at, reference.at + reference.size, candidate.at,
                      candidate.at + candidate.size);
}

std::vector<RevisionGrams> revision_grams(const Revisions &revisions, int order, bool context) {
    std::vector<RevisionGrams> sums(static_cast<size_t>(order));
    const Tokens tokens(revisions, order, context);
    const size_t size = tokens.ids.size();
    std::vector<Keyed> keys(size);
    std::vector<uint32_t> token(size), name(size);
    for (size_t i = 0; i < size; ++i) keys[i] = {tokens.ids[i], static_cast<uint32_t>(i)};
    number(keys, token);
    name = token;
    std::vector<uint64_t> entries;
    for (int n = 1; n <= order; ++n) {
        keys.clear(), entries.clear();
        for (const Run &run : tokens.runs) {
            for (int32_t i = run.start; i + n <= run.end; ++i) {
                const auto at = static_cast<size_t>(i);
                if (n > 1)
                    keys.push_back({uint64_t{name[at]} << 32 | token[at + n - 1], static_cast<uint32_t>(i)});
            }
        }
        if (n > 1) number(keys, name);
        for (const Run &run : tokens.runs) {
            const uint64_t tag = uint64_t{run.region} << 2 | run.text;
            for (int32_t i = run.start; i + n <= run.end; ++i)
                if (tokens.conserved[i] < n) entries.push_back(uint64_t{name[i]} << 32 | tag);
        }
        if (entries.empty() && (n == 1 ? size == 0 : keys.empty())) break;
        std::sort(entries.begin(), entries.end());
        for (size_t i = 0; i < entries.size();) i = add_gram(entries, i, sums[n - 1]);
    }
    return sums;
}

}  // namespace codekin
