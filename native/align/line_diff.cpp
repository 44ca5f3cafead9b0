// Which lines two texts differ in, with the choices that git makes among equally short answers.
//
// The search is Myers' "O(ND) difference algorithm" (1986) from both ends at once, with the limits
// that keep it fast on large and unlike texts; before it, lines that would only mislead it are left
// out; after it, groups of changed lines are moved to where people expect them.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "align/line_groups.hpp"
#include "common/arrays.hpp"
#include "common/checks.hpp"

namespace nb = nanobind;

namespace codekin {

namespace {

constexpr uint64_t MOST_LINES = uint64_t{1} << 30;

// Numbers the lines so that equal numbers mean equal lines, and counts how often each occurs.
class Classes {
  public:
    explicit Classes(bool ignore_blanks) : ignore_blanks_(ignore_blanks) {}

    int32_t number(std::string_view line) {
        if (!ignore_blanks_) return known_.try_emplace(std::string(line), next()).first->second;
        std::string ink;
        for (const char c : line)
            if (!is_blank(c)) ink.push_back(c);
        return known_.try_emplace(std::move(ink), next()).first->second;
    }
    size_t count() const { return known_.size(); }

  private:
    int32_t next() const { return static_cast<int32_t>(known_.size()); }

    bool ignore_blanks_;
    std::unordered_map<std::string, int32_t> known_;
};

// A power of two near the square root.
int64_t rough_root(int64_t n) {
    int64_t root = 1;
    for (; n > 0; n /= 4) root *= 2;
    return root;
}

// The lines of both sides that the search looks at.
//
// A line that the other text does not have is changed for certain. A line that the other text has
// very often (a closing brace) is taken for changed as well where it stands among such lines.
class Selection {
  public:
    std::vector<int32_t> lines, classes;

    Selection(Side &side, const std::vector<int32_t> &others, size_t from, size_t to) {
        const int64_t often = std::min<int64_t>(rough_root(static_cast<int64_t>(side.size())), 1024);
        partners_.resize(side.size());
        for (size_t i = from; i < to; ++i) {
            const int32_t n = others[side.classes[i]];
            partners_[i] = n == 0 ? NONE : n >= often ? MANY : FEW;
        }
        for (size_t i = from; i < to; ++i) {
            const auto at = static_cast<int64_t>(i);
            if (partners_[i] == FEW || (partners_[i] == MANY && !misleads(at, from, to))) {
                lines.push_back(static_cast<int32_t>(i));
                classes.push_back(side.classes[i]);
            } else {
                side.mark(at, true);
            }
        }
    }

  private:
    enum Partners : char { NONE, FEW, MANY };
    static constexpr int64_t WINDOW = 100;

    struct Run {
        int64_t none = 0, many = 0;
    };

    // The lines next to one, up to the first with few partners.
    Run run(int64_t at, int step, int64_t stop) const {
        Run found;
        for (int64_t j = at + step; j != stop && partners_[j] != FEW; j += step)
            ++(partners_[j] == NONE ? found.none : found.many);
        return found;
    }

    bool misleads(int64_t at, size_t from, size_t to) const {
        const int64_t first = std::max(static_cast<int64_t>(from), at - WINDOW);
        const int64_t last = std::min(static_cast<int64_t>(to) - 1, at + WINDOW);
        const Run above = run(at, -1, first - 1), below = run(at, 1, last + 1);
        if (above.none == 0 || below.none == 0) return false;
        const int64_t many = above.many + below.many + 2;  // the line itself stands in both runs
        return many * 4 < many + above.none + below.none;
    }

    std::vector<Partners> partners_;
};

// A rectangle of the edit graph: lines [x0, x1) of one selection against [y0, y1) of the other.
struct Box {
    int64_t x0, x1, y0, y1;
    bool minimal;  // whether the shortest answer must be found, however long that takes
};

// How far paths have come on each diagonal x - y, from one corner of a box.
class Frontier {
  public:
    int64_t middle = 0, low = 0, high = 0;

    Frontier(int64_t diagonals, int64_t below_zero) : reach_(diagonals), zero_(below_zero) {}

    int64_t &operator[](int64_t d) { return reach_[d + zero_]; }

    void begin(int64_t diagonal, int64_t x) {
        middle = low = high = diagonal;
        (*this)[diagonal] = x;
    }

    // One more edit reaches one more diagonal at either side, unless it lies outside of the box.
    void widen(int64_t least, int64_t most, int64_t unreached) {
        if (low > least)
            (*this)[--low - 1] = unreached;
        else
            ++low;
        if (high < most)
            (*this)[++high + 1] = unreached;
        else
            --high;
    }

    bool holds(int64_t d) const { return low <= d && d <= high; }

  private:
    std::vector<int64_t> reach_;
    int64_t zero_;
};

class Search {
  public:
    Search(Side &before, Side &after, const Selection &xs, const Selection &ys)
        : before_(before),
          after_(after),
          xs_(xs),
          ys_(ys),
          forward_(diagonals(), static_cast<int64_t>(ys.lines.size()) + 1),
          backward_(diagonals(), static_cast<int64_t>(ys.lines.size()) + 1),
          patience_(std::max<int64_t>(rough_root(diagonals()), 256)) {}

    void run() {
        std::vector<Box> open{
            {0, static_cast<int64_t>(xs_.lines.size()), 0, static_cast<int64_t>(ys_.lines.size()), false}};
        while (!open.empty()) {
            Box box = open.back();
            open.pop_back();
            while (box.x0 < box.x1 && box.y0 < box.y1 && equal(box.x0, box.y0)) ++box.x0, ++box.y0;
            while (box.x0 < box.x1 && box.y0 < box.y1 && equal(box.x1 - 1, box.y1 - 1)) --box.x1, --box.y1;
            if (box.x0 == box.x1 || box.y0 == box.y1) {
                for (int64_t x = box.x0; x < box.x1; ++x) before_.mark(xs_.lines[x], true);
                for (int64_t y = box.y0; y < box.y1; ++y) after_.mark(ys_.lines[y], true);
                continue;
            }
            const Split at = split(box);
            open.push_back({at.x, box.x1, at.y, box.y1, at.second_minimal});
            open.push_back({box.x0, at.x, box.y0, at.y, at.first_minimal});
        }
    }

  private:
    static constexpr int64_t LONG_RUN = 20, DEAR = 256, PROMISING = 4;
    static constexpr int64_t NOWHERE = std::numeric_limits<int64_t>::max() / 4;

    struct Split {
        int64_t x, y;
        bool first_minimal, second_minimal;
    };

    int64_t diagonals() const { return static_cast<int64_t>(xs_.lines.size() + ys_.lines.size()) + 3; }
    bool equal(int64_t x, int64_t y) const { return xs_.classes[x] == ys_.classes[y]; }

    // Where a good path through the box passes.
    Split split(const Box &box) {
        const int64_t least = box.x0 - box.y1, most = box.x1 - box.y0;
        forward_.begin(box.x0 - box.y0, box.x0);
        backward_.begin(box.x1 - box.y1, box.x1);
        const bool odd = (forward_.middle - backward_.middle) % 2 != 0;
        Split found{};
        for (int64_t cost = 1;; ++cost) {
            bool ran = false;
            forward_.widen(least, most, -1);
            if (advance(box, odd, ran, found)) return found;
            backward_.widen(least, most, NOWHERE);
            if (retreat(box, !odd, ran, found)) return found;
            if (box.minimal) continue;
            if (ran && cost > DEAR && (promising_start(box, cost, found) || promising_end(box, cost, found)))
                return found;
            if (cost >= patience_) return furthest(box);
        }
    }

    // One more edit from the start; true where the path from the end is met.
    bool advance(const Box &box, bool may_meet, bool &ran, Split &found) {
        for (int64_t d = forward_.high; d >= forward_.low; d -= 2) {
            const int64_t left = forward_[d - 1], right = forward_[d + 1];
            const int64_t begin = left >= right ? left + 1 : right;
            int64_t x = begin;
            while (x < box.x1 && x - d < box.y1 && equal(x, x - d)) ++x;
            ran |= x - begin > LONG_RUN;
            forward_[d] = x;
            if (may_meet && backward_.holds(d) && backward_[d] <= x) {
                found = {x, x - d, true, true};
                return true;
            }
        }
        return false;
    }

    // One more edit from the end; true where the path from the start is met.
    bool retreat(const Box &box, bool may_meet, bool &ran, Split &found) {
        for (int64_t d = backward_.high; d >= backward_.low; d -= 2) {
            const int64_t left = backward_[d - 1], right = backward_[d + 1];
            const int64_t begin = left < right ? left : right - 1;
            int64_t x = begin;
            while (x > box.x0 && x - d > box.y0 && equal(x - 1, x - d - 1)) --x;
            ran |= begin - x > LONG_RUN;
            backward_[d] = x;
            if (may_meet && forward_.holds(d) && x <= forward_[d]) {
                found = {x, x - d, true, true};
                return true;
            }
        }
        return false;
    }

    // Far from the start, near its diagonal, at the end of a long run of equal lines.
    bool promising_start(const Box &box, int64_t cost, Split &found) {
        int64_t best = 0;
        for (int64_t d = forward_.high; d >= forward_.low; d -= 2) {
            const int64_t x = forward_[d], y = x - d;
            const int64_t gain = x - box.x0 + y - box.y0 - std::abs(d - forward_.middle);
            if (gain <= PROMISING * cost || gain <= best) continue;
            if (x < box.x0 + LONG_RUN || x >= box.x1 || y < box.y0 + LONG_RUN || y >= box.y1) continue;
            if (equal_run(x - LONG_RUN, y - LONG_RUN)) best = gain, found = {x, y, true, false};
        }
        return best > 0;
    }

    bool promising_end(const Box &box, int64_t cost, Split &found) {
        int64_t best = 0;
        for (int64_t d = backward_.high; d >= backward_.low; d -= 2) {
            const int64_t x = backward_[d], y = x - d;
            const int64_t gain = box.x1 - x + box.y1 - y - std::abs(d - backward_.middle);
            if (gain <= PROMISING * cost || gain <= best) continue;
            if (x <= box.x0 || x > box.x1 - LONG_RUN || y <= box.y0 || y > box.y1 - LONG_RUN) continue;
            if (equal_run(x, y)) best = gain, found = {x, y, false, true};
        }
        return best > 0;
    }

    bool equal_run(int64_t x, int64_t y) const {
        return std::equal(&xs_.classes[x], &xs_.classes[x] + LONG_RUN, &ys_.classes[y]);
    }

    // Enough was spent: the point that is furthest from its corner.
    Split furthest(const Box &box) {
        int64_t ahead = -1, ahead_x = -1, behind = NOWHERE, behind_x = NOWHERE;
        for (int64_t d = forward_.high; d >= forward_.low; d -= 2) {
            const int64_t x = std::min({forward_[d], box.x1, box.y1 + d});
            if (2 * x - d > ahead) ahead = 2 * x - d, ahead_x = x;
        }
        for (int64_t d = backward_.high; d >= backward_.low; d -= 2) {
            const int64_t x = std::max({backward_[d], box.x0, box.y0 + d});
            if (2 * x - d < behind) behind = 2 * x - d, behind_x = x;
        }
        if (box.x1 + box.y1 - behind < ahead - box.x0 - box.y0)
            return {ahead_x, ahead - ahead_x, true, false};
        return {behind_x, behind - behind_x, false, true};
    }

    Side &before_, &after_;
    const Selection &xs_, &ys_;
    Frontier forward_, backward_;
    int64_t patience_;
};

std::vector<int32_t> occurrences(const Side &side, size_t classes) {
    std::vector<int32_t> counts(classes);
    for (const int32_t c : side.classes) ++counts[c];
    return counts;
}

void find_changes(Side &before, Side &after, size_t classes) {
    const size_t shorter = std::min(before.size(), after.size());
    size_t head = 0, tail = 0;
    while (head < shorter && before.classes[head] == after.classes[head]) ++head;
    while (tail < shorter - head &&
           before.classes[before.size() - 1 - tail] == after.classes[after.size() - 1 - tail])
        ++tail;
    const auto in_before = occurrences(before, classes), in_after = occurrences(after, classes);
    const Selection xs(before, in_after, head, before.size() - tail);
    const Selection ys(after, in_before, head, after.size() - tail);
    Search(before, after, xs, ys).run();
    settle_groups(before, after);
    settle_groups(after, before);
}

// Four numbers a hunk: where it begins and ends in each text.
std::vector<int32_t> hunks_of(const Side &before, const Side &after) {
    std::vector<int32_t> hunks;
    const auto end1 = static_cast<int64_t>(before.size()), end2 = static_cast<int64_t>(after.size());
    for (int64_t i = 0, j = 0; i < end1 || j < end2; ++i, ++j) {
        const int64_t from1 = i, from2 = j;
        while (before.changed(i)) ++i;
        while (after.changed(j)) ++j;
        if (i == from1 && j == from2) continue;
        for (const int64_t at : {from1, i, from2, j}) hunks.push_back(static_cast<int32_t>(at));
    }
    return hunks;
}

std::vector<std::string_view> views(const nb::tuple &lines) {
    check::at_most("lines of a diff", lines.size(), MOST_LINES);
    std::vector<std::string_view> out;
    out.reserve(lines.size());
    for (nb::handle item : lines) {
        if (!PyBytes_Check(item.ptr())) throw nb::type_error("lines must be bytes");
        out.emplace_back(PyBytes_AS_STRING(item.ptr()), static_cast<size_t>(PyBytes_GET_SIZE(item.ptr())));
    }
    return out;
}

Side side_of(const std::vector<std::string_view> &lines, Classes &classes) {
    Side side(lines.size());
    for (size_t i = 0; i < lines.size(); ++i) side.set(i, classes.number(lines[i]), lines[i]);
    return side;
}

Vector<int32_t> line_diff(nb::list before, nb::list after, bool ignore_all_space) {
    // Another thread may change the lists meanwhile; the tuples keep the lines.
    const nb::tuple kept_before(before), kept_after(after);
    const auto first = views(kept_before), second = views(kept_after);
    std::vector<int32_t> hunks;
    {
        nb::gil_scoped_release unlocked;
        Classes classes(ignore_all_space);
        Side one = side_of(first, classes), other = side_of(second, classes);
        find_changes(one, other, classes.count());
        hunks = hunks_of(one, other);
    }
    return to_numpy(std::move(hunks));
}

}  // namespace

void register_line_diff(nb::module_ &m) {
    m.def("line_diff", &line_diff, nb::arg("before"), nb::arg("after"), nb::arg("ignore_all_space"),
          "Four numbers for each hunk of two lists of lines, as git finds them.");
}

}  // namespace codekin
