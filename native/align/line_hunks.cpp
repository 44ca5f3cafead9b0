// Where a revision differs from its origin in whole lines.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "align/lcs.hpp"
#include "common/arrays.hpp"
#include "common/checks.hpp"

namespace nb = nanobind;

namespace codekin {

namespace {

using Ids = ArrayIn<uint64_t>;
using LineStarts = ArrayIn<int32_t>;

// A text in lines: where each begins, and one past the last token.
struct Lined {
    Stretch tokens;
    std::vector<int32_t> bounds;

    Lined(const Ids &ids, const LineStarts &starts)
        : tokens(stretch_of(ids)), bounds(starts.data(), starts.data() + starts.size()) {
        check::line_starts("lines", starts, tokens.size);
        bounds.push_back(tokens.size);
    }
    int32_t size() const { return static_cast<int32_t>(bounds.size()) - 1; }
    Stretch line(int32_t i) const { return tokens.between(bounds[i], bounds[i + 1]); }
};

int order_of(Stretch a, Stretch b) {
    const auto [x, y] = std::mismatch(a.at, a.at + std::min(a.size, b.size), b.at);
    if (x != a.at + std::min(a.size, b.size)) return *x < *y ? -1 : 1;
    return a.size < b.size ? -1 : a.size > b.size;
}

// Hunks of whole lines, given in tokens. Shared ends are cut off first.
auto line_hunks(const Ids &origin, const LineStarts &origin_lines, const Ids &revision,
                const LineStarts &revision_lines) {
    const Lined before(origin, origin_lines), after(revision, revision_lines);
    const auto same = [&](int32_t i, int32_t j) { return order_of(before.line(i), after.line(j)) == 0; };
    const int32_t most = std::min(before.size(), after.size());
    int32_t head = 0, tail = 0;
    while (head < most && same(head, head)) ++head;
    while (tail < most - head && same(before.size() - 1 - tail, after.size() - 1 - tail)) ++tail;
    const int32_t rows = before.size() - head - tail, columns = after.size() - head - tail;
    // Lines are numbered by content: those of the origin first, then those of the revision.
    const auto line = [&](int32_t k) {
        return k < rows ? before.line(head + k) : after.line(head + k - rows);
    };
    std::vector<int32_t> sorted(static_cast<size_t>(rows) + columns);
    std::iota(sorted.begin(), sorted.end(), 0);
    std::sort(sorted.begin(), sorted.end(), [&](int32_t a, int32_t b) {
        const int order = order_of(line(a), line(b));
        return order ? order < 0 : a < b;
    });
    std::vector<uint64_t> names(sorted.size());
    for (size_t k = 0; k < sorted.size(); ++k) {
        const bool fresh = k == 0 || order_of(line(sorted[k - 1]), line(sorted[k])) != 0;
        names[sorted[k]] = fresh ? k : names[sorted[k - 1]];
    }
    std::vector<Hunk> hunks = unlocked_if_long(static_cast<double>(rows) * columns, [&] {
        return lcs_hunks({names.data(), rows}, {names.data() + rows, columns});
    });
    for (Hunk &h : hunks)
        h = {before.bounds[head + h.first_start], before.bounds[head + h.first_end],
             after.bounds[head + h.second_start], after.bounds[head + h.second_end]};
    return rows_to_numpy(std::move(hunks));
}

}  // namespace

void register_line_hunks(nb::module_ &m) {
    m.def("line_hunks", &line_hunks, nb::arg("origin"), nb::arg("origin_lines"), nb::arg("revision"),
          nb::arg("revision_lines"));
}

}  // namespace codekin
