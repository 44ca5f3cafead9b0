// Where a group of changed lines is best shown, when equal lines around it leave a choice.
#include "align/line_groups.hpp"

#include <algorithm>

namespace codekin {

namespace {

constexpr int DEEPEST = 200;  // an indentation beyond that is as good as this
constexpr int MOST_BLANK_LINES = 20;
constexpr int64_t FURTHEST = 100;  // how many places are weighed at most

// A group of changed lines, possibly empty: there is one before each unchanged line and one at the
// end. Groups of the two texts between the same unchanged lines belong together.
class Group {
  public:
    int64_t start = 0, end = 0;

    explicit Group(const Side &side) : side_(side) { grow_down(); }

    bool empty() const { return start == end; }

    bool next() {
        if (end == static_cast<int64_t>(side_.size())) return false;
        start = ++end;
        grow_down();
        return true;
    }

    bool previous() {
        if (start == 0) return false;
        end = --start;
        grow_up();
        return true;
    }

    void grow_down() {
        while (side_.changed(end)) ++end;
    }
    void grow_up() {
        while (side_.changed(start - 1)) --start;
    }

  private:
    const Side &side_;
};

// What stands around a place between two lines.
struct Surroundings {
    bool at_end;
    int indent = Side::BLANK;  // of the line below the place
    int blank_above = 0, indent_above = Side::BLANK;
    int blank_below = 0, indent_below = Side::BLANK;  // from the second line below on

    Surroundings(const Side &side, int64_t place) : at_end(place >= static_cast<int64_t>(side.size())) {
        if (!at_end) indent = side.indents[place];
        look(side, place - 1, -1, blank_above, indent_above);
        look(side, place + 1, 1, blank_below, indent_below);
    }

  private:
    static void look(const Side &side, int64_t from, int step, int &blank, int &indent) {
        for (int64_t i = from; i >= 0 && i < static_cast<int64_t>(side.size()); i += step) {
            indent = side.indents[i];
            if (indent != Side::BLANK) return;
            if (++blank == MOST_BLANK_LINES) {
                indent = 0;
                return;
            }
        }
    }
};

// How bad it is to cut at some places; the weights are those that git's authors fitted to how
// people cut (its "indent heuristic").
struct Badness {
    int indent = 0, penalty = 0;

    void add(const Surroundings &s) {
        if (s.indent_above == Side::BLANK && s.blank_above == 0) penalty += 1;
        if (s.at_end) penalty += 21;
        const int below = s.indent == Side::BLANK ? 1 + s.blank_below : 0;
        const int blank = s.blank_above + below;
        penalty += 6 * below - 30 * blank;
        const int shown = s.indent != Side::BLANK ? s.indent : s.indent_below;
        indent += shown;
        if (shown == Side::BLANK || s.indent_above == Side::BLANK) return;
        if (shown > s.indent_above)
            penalty += blank ? 10 : -4;
        else if (shown == s.indent_above)
            return;
        else if (s.indent_below > shown)
            penalty += blank ? 17 : 24;  // a block begins
        else
            penalty += blank ? 17 : 23;  // a block ends
    }

    bool at_most(const Badness &other) const {
        const int sign = (indent > other.indent) - (indent < other.indent);
        return 60 * sign + penalty - other.penalty <= 0;
    }
};

class Settling {
  public:
    Settling(Side &side, const Side &other) : side_(side), group_(side), partner_(other) {}

    void run() {
        do {
            if (!group_.empty()) settle();
        } while (group_.next() && partner_.next());
    }

  private:
    void settle() {
        int64_t size, highest;
        bool beside_partner;
        do {  // a group that bumps into another takes it in, and may then move further
            size = group_.end - group_.start;
            while (up()) {}
            highest = group_.end;
            beside_partner = !partner_.empty();
            while (down()) beside_partner |= !partner_.empty();
        } while (group_.end - group_.start != size);
        if (group_.end == highest) return;
        if (beside_partner) {
            while (partner_.empty() && up()) {}
            return;
        }
        const int64_t best = best_end(size, highest);
        while (group_.end > best && up()) {}
    }

    bool up() {
        if (group_.start == 0 || side_.classes[group_.start - 1] != side_.classes[group_.end - 1])
            return false;
        side_.mark(--group_.start, true);
        side_.mark(--group_.end, false);
        group_.grow_up();
        return partner_.previous();
    }

    bool down() {
        if (group_.end == static_cast<int64_t>(side_.size()) ||
            side_.classes[group_.start] != side_.classes[group_.end])
            return false;
        side_.mark(group_.start++, false);
        side_.mark(group_.end++, true);
        group_.grow_down();
        return partner_.next();
    }

    // The end of the group, no higher than given, with which both of its edges are cut best; the
    // lowest of equally good ones.
    int64_t best_end(int64_t size, int64_t highest) const {
        int64_t end = std::max({highest, group_.end - size - 1, group_.end - FURTHEST});
        int64_t best = -1;
        Badness least;
        for (; end <= group_.end; ++end) {
            Badness here;
            here.add(Surroundings(side_, end));
            here.add(Surroundings(side_, end - size));
            if (best == -1 || here.at_most(least)) best = end, least = here;
        }
        return best;
    }

    Side &side_;
    Group group_, partner_;
};

}  // namespace

int16_t Side::indentation(std::string_view line) {
    int columns = 0;
    for (const char c : line) {
        if (!is_blank(c)) return static_cast<int16_t>(columns);
        if (c == ' ')
            ++columns;
        else if (c == '\t')
            columns += 8 - columns % 8;
        if (columns >= DEEPEST) return DEEPEST;
    }
    return BLANK;
}

void settle_groups(Side &side, const Side &other) { Settling(side, other).run(); }

}  // namespace codekin
