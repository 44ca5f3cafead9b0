// Divergent regions of two revisions of one origin.
#pragma once

#include <cstdint>
#include <vector>

#include "lcs.hpp"

struct DivergentRegion {
    int32_t first_start, first_end, second_start, second_end, origin_start, origin_end;
};

// Joins the hunks of the origin with each revision where no token kept by both lies between.
std::vector<DivergentRegion> merge_hunks(const Hunk *first, size_t first_size, const Hunk *second,
                                         size_t second_size);
