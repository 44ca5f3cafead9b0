// Divergent regions of two revisions of one origin.
#pragma once

#include <cstdint>
#include <vector>

#include "align/lcs.hpp"
#include "common/arrays.hpp"

namespace codekin {

struct DivergentRegion {
    int32_t first_start, first_end, second_start, second_end, origin_start, origin_end;
};

using HunksIn = TableIn<int32_t, 4>;

// Raises ValueError unless the hunks ascend, and what lies between two of them is as long in both texts. The
// ends of the last one are given back.
Hunk check_hunks(const char *name, const HunksIn &hunks);

// The same, and that they are hunks of texts of these lengths.
void check_hunks(const char *name, const HunksIn &hunks, int32_t first_size, int32_t second_size);

// Joins the hunks of the origin with each revision where no token kept by both lies between.
std::vector<DivergentRegion> merge_hunks(const Hunk *first, size_t first_size, const Hunk *second,
                                         size_t second_size);

}  // namespace codekin
