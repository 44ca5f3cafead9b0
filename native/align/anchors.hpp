// Alignment of long sequences held together by lines that stand once in both.
#pragma once

#include <cstdint>
#include <vector>

#include "align/lcs.hpp"

namespace codekin {

// A sequence in lines: `starts` holds where each begins, ascending from 0; none is empty.
struct LinedStretch {
    Stretch tokens;
    std::vector<int32_t> starts;
};

// What of the lines lies between two positions; the first line there may be the end of one.
LinedStretch lined_between(Stretch tokens, const ArrayIn<int32_t> &starts, int32_t from, int32_t to);

std::vector<Hunk> anchored_hunks(const LinedStretch &first, const LinedStretch &second);

}  // namespace codekin
