// N-grams that two revisions of one origin add, delete and keep.
#pragma once

#include <cstdint>
#include <vector>

#include "align/lcs.hpp"
#include "align/regions.hpp"

namespace codekin {

// Of one operation: what both revisions do alike, what the reference does, what the candidate does.
struct Agreement {
    int64_t both = 0, reference = 0, candidate = 0;
};

// Of the n-grams of one order. What is added or deleted is found region by region and compared
// over all of them; what is kept is compared in its region, or (`keep_anywhere`) over all of them.
struct RevisionGrams {
    Agreement add, remove, keep, keep_anywhere;
};

// An origin, two revisions of it, and the regions in which they diverge.
struct Revisions {
    Stretch origin, reference, candidate;
    const DivergentRegion *regions;
    size_t count;

    // Whether the revisions are the same text; outside of the regions they are.
    bool equal() const;
};

// The n-grams of each order from 1. With `context`, they also hold the places before and behind their
// region, which are the same in all three texts, and all regions count as one; else only n-grams
// inside of a region count. The work is proportional to the divergent regions.
std::vector<RevisionGrams> revision_grams(const Revisions &revisions, int order, bool context);

}  // namespace codekin
