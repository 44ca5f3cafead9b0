// The excision score: how alike two revisions are in what is left after excising what nobody touched.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>

#include "anchors.hpp"
#include "arrays.hpp"
#include "kernels.hpp"
#include "revision_grams.hpp"

namespace nb = nanobind;

namespace {

constexpr double UNDEFINED = std::numeric_limits<double>::quiet_NaN();
constexpr double ALMOST_ONE = 0.9999;  // what two different revisions reach at most
constexpr int MOST_ORDERS = 64;

using Ids = ArrayIn<uint64_t>;
using LineStarts = ArrayIn<int32_t>;
using HunksIn = nb::ndarray<const int32_t, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;
using RegionsIn = nb::ndarray<const int32_t, nb::shape<-1, 6>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

// These mirror the tables in codekin.align.excision.
enum Zero { SKIP = 0, NOTHING = 1, FULL = 2 };
enum Keep { LEFT_OUT = 0, IN_REGION = 1, ANYWHERE = 2 };

struct Rules {
    int order;
    Zero zero;
    Keep keep;
    bool precise_deletion;

    Rules(int order, int zero, int keep, bool precise_deletion)
        : order(order), zero(static_cast<Zero>(zero)), keep(static_cast<Keep>(keep)), precise_deletion(precise_deletion) {
        if (order < 1 || order > MOST_ORDERS) throw nb::value_error("order must be from 1 to 64");
        if (zero < SKIP || zero > FULL || keep < LEFT_OUT || keep > ANYWHERE)
            throw nb::value_error("unknown rule");
    }
};

struct Parts {
    double value = UNDEFINED, add = UNDEFINED, keep = UNDEFINED, remove = UNDEFINED;
};

// The mean of what is defined.
class Mean {
  public:
    void add(double value) {
        if (!std::isnan(value)) sum_ += value, ++count_;
    }
    double value() const { return count_ ? sum_ / count_ : UNDEFINED; }

  private:
    double sum_ = 0;
    int count_ = 0;
};

double quotient(int64_t part, int64_t whole, Zero zero) {
    if (whole) return static_cast<double>(part) / static_cast<double>(whole);
    return zero == SKIP ? UNDEFINED : zero == FULL ? 1.0 : 0.0;
}

double f1(const Agreement &sums, Zero zero) {
    return quotient(2 * sums.both, sums.reference + sums.candidate, zero);
}

Parts parts_of(const std::vector<RevisionGrams> &grams, const Rules &rules) {
    Mean add, keep, remove, all;
    for (const RevisionGrams &sums : grams) {
        add.add(f1(sums.add, rules.zero));
        remove.add(rules.precise_deletion ? quotient(sums.remove.both, sums.remove.candidate, rules.zero)
                                          : f1(sums.remove, rules.zero));
        if (rules.keep != LEFT_OUT) keep.add(f1(rules.keep == IN_REGION ? sums.keep : sums.keep_anywhere, rules.zero));
    }
    for (const Mean *one : {&add, &keep, &remove}) all.add(one->value());
    return {all.value(), add.value(), keep.value(), remove.value()};
}

// Equal revisions are fully alike; different ones never are, and not at all where nothing is defined.
double settled(double value, bool equal) {
    if (equal) return 1.0;
    return std::isnan(value) ? 0.0 : std::min(value, ALMOST_ONE);
}

Parts excision(const Revisions &revisions, const Rules &rules) {
    Parts parts = parts_of(revision_grams(revisions, rules.order, false), rules);
    parts.value = settled(parts.value, revisions.equal());
    return parts;
}

// Additions and deletions together, order by order: F1, or what is shared of the smaller edit.
double pooled(const std::vector<RevisionGrams> &grams, double overlap) {
    Mean mean;
    for (const RevisionGrams &sums : grams) {
        const auto both = static_cast<double>(sums.add.both + sums.remove.both);
        const auto reference = static_cast<double>(sums.add.reference + sums.remove.reference);
        const auto candidate = static_cast<double>(sums.add.candidate + sums.remove.candidate);
        if (reference + candidate == 0) continue;
        const double smaller = std::min(reference, candidate);
        mean.add((1 - overlap) * 2 * both / (reference + candidate) + (smaller ? overlap * both / smaller : 0.0));
    }
    return mean.value();
}

// The regions lie in the texts, one after the other.
Revisions checked(const Ids &origin, const Ids &reference, const Ids &candidate, const RegionsIn &regions) {
    const Revisions out{stretch_of(origin), stretch_of(reference), stretch_of(candidate),
                        reinterpret_cast<const DivergentRegion *>(regions.data()), regions.shape(0)};
    DivergentRegion last{0, 0, 0, 0, 0, 0};
    bool fits = true;
    for (size_t k = 0; k < out.count; ++k) {
        const DivergentRegion &r = out.regions[k];
        fits = fits && r.first_start >= last.first_end && r.first_end >= r.first_start &&
               r.second_start >= last.second_end && r.second_end >= r.second_start &&
               r.origin_start >= last.origin_end && r.origin_end >= r.origin_start;
        last = r;
    }
    if (!fits || last.first_end > out.reference.size || last.second_end > out.candidate.size ||
        last.origin_end > out.origin.size)
        throw nb::value_error("the regions do not fit the texts");
    return out;
}

std::vector<std::vector<int64_t>> counts(const Ids &origin, const Ids &reference, const Ids &candidate,
                                         const RegionsIn &regions, int order, bool context) {
    if (order < 1 || order > MOST_ORDERS) throw nb::value_error("order must be from 1 to 64");
    std::vector<std::vector<int64_t>> out;
    for (const RevisionGrams &sums : revision_grams(checked(origin, reference, candidate, regions), order, context)) {
        std::vector<int64_t> row;
        for (const Agreement *one : {&sums.add, &sums.remove, &sums.keep, &sums.keep_anywhere})
            row.insert(row.end(), {one->both, one->reference, one->candidate});
        out.push_back(std::move(row));
    }
    return out;
}

std::tuple<double, double, double, double> score(const Ids &origin, const Ids &reference, const Ids &candidate,
                                                 const RegionsIn &regions, int order, int zero, int keep,
                                                 bool precise_deletion) {
    const Rules rules(order, zero, keep, precise_deletion);
    const Parts parts = excision(checked(origin, reference, candidate, regions), rules);
    return {parts.value, parts.add, parts.keep, parts.remove};
}

double pooled_score(const Ids &origin, const Ids &reference, const Ids &candidate, const RegionsIn &regions, int order,
                    bool context, double overlap) {
    if (order < 1 || order > MOST_ORDERS) throw nb::value_error("order must be from 1 to 64");
    const Revisions revisions = checked(origin, reference, candidate, regions);
    return settled(pooled(revision_grams(revisions, order, context), overlap), revisions.equal());
}

// The scores of all pairs of revisions of one origin, from the hunks of each with the origin.
Matrix score_matrix(const Ids &origin, const std::vector<Ids> &texts, const std::vector<HunksIn> &hunks, int order,
                    int zero, int keep) {
    const Rules rules(order, zero, keep, false);
    const size_t n = texts.size();
    if (hunks.size() != n) throw nb::value_error("one array of hunks a text is needed");
    std::vector<Stretch> stretches;
    for (const Ids &text : texts) stretches.push_back(stretch_of(text));
    auto *owned = new std::vector<double>(n * n, 1.0);
    nb::capsule owner(owned, [](void *p) noexcept { delete static_cast<std::vector<double> *>(p); });
    const auto fill = [&](size_t i, size_t j) {
        const auto regions = merge_hunks(reinterpret_cast<const Hunk *>(hunks[i].data()), hunks[i].shape(0),
                                         reinterpret_cast<const Hunk *>(hunks[j].data()), hunks[j].shape(0));
        const Revisions revisions{stretch_of(origin), stretches[i], stretches[j], regions.data(), regions.size()};
        (*owned)[i * n + j] = (*owned)[j * n + i] = excision(revisions, rules).value;
    };
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = i + 1; j < n; ++j) fill(i, j);
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
    return Matrix(owned->data(), {n, n}, owner);
}

// Where the origin and a revision differ. Shared ends are cut off first, so that they change nothing.
auto pair_hunks(const Ids &origin, const Ids &revision, const std::optional<std::tuple<LineStarts, LineStarts>> &lines) {
    const Stretch before = stretch_of(origin), after = stretch_of(revision);
    const int32_t head = common_prefix(before, after);
    const int32_t tail = common_suffix(before.from(head), after.from(head));
    const Stretch inner_before = before.between(head, before.size - tail);
    const Stretch inner_after = after.between(head, after.size - tail);
    const double cells = static_cast<double>(inner_before.size) * inner_after.size;
    std::vector<Hunk> hunks = unlocked_if_long(cells, [&] {
        if (!lines) return lcs_hunks(inner_before, inner_after);
        return anchored_hunks(lined_between(before, std::get<0>(*lines), head, before.size - tail),
                              lined_between(after, std::get<1>(*lines), head, after.size - tail));
    });
    for (Hunk &h : hunks) h.first_start += head, h.first_end += head, h.second_start += head, h.second_end += head;
    return rows_to_numpy(std::move(hunks));
}

// A text in lines: where each begins, and one past the last token.
struct Lined {
    Stretch tokens;
    std::vector<int32_t> bounds;

    Lined(const Ids &ids, const LineStarts &starts) : tokens(stretch_of(ids)), bounds(starts.data(), starts.data() + starts.size()) {
        bool fits = starts.size() == 0 ? tokens.size == 0 : starts(0) == 0 && starts(starts.size() - 1) < tokens.size;
        for (size_t i = 1; fits && i < starts.size(); ++i) fits = starts(i) > starts(i - 1);
        if (!fits) throw nb::value_error("the lines do not fit the tokens");
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

// The same in whole lines, given in tokens.
auto line_hunks(const Ids &origin, const LineStarts &origin_lines, const Ids &revision, const LineStarts &revision_lines) {
    const Lined before(origin, origin_lines), after(revision, revision_lines);
    const auto same = [&](int32_t i, int32_t j) { return order_of(before.line(i), after.line(j)) == 0; };
    const int32_t most = std::min(before.size(), after.size());
    int32_t head = 0, tail = 0;
    while (head < most && same(head, head)) ++head;
    while (tail < most - head && same(before.size() - 1 - tail, after.size() - 1 - tail)) ++tail;
    const int32_t rows = before.size() - head - tail, columns = after.size() - head - tail;
    // Lines are numbered by content: those of the origin first, then those of the revision.
    const auto line = [&](int32_t k) { return k < rows ? before.line(head + k) : after.line(head + k - rows); };
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
        h = {before.bounds[head + h.first_start], before.bounds[head + h.first_end], after.bounds[head + h.second_start],
             after.bounds[head + h.second_end]};
    return rows_to_numpy(std::move(hunks));
}

}  // namespace

void register_excision(nb::module_ &m) {
    m.def("pair_hunks", &pair_hunks, nb::arg("origin"), nb::arg("revision"), nb::arg("lines") = nb::none());
    m.def("line_hunks", &line_hunks, nb::arg("origin"), nb::arg("origin_lines"), nb::arg("revision"),
          nb::arg("revision_lines"));
    m.def("revision_grams", &counts, nb::arg("origin"), nb::arg("reference"), nb::arg("candidate"), nb::arg("regions"),
          nb::arg("order"), nb::arg("context"));
    m.def("excision_score", &score, nb::arg("origin"), nb::arg("reference"), nb::arg("candidate"), nb::arg("regions"),
          nb::arg("order"), nb::arg("zero"), nb::arg("keep"), nb::arg("precise_deletion"));
    m.def("pooled_score", &pooled_score, nb::arg("origin"), nb::arg("reference"), nb::arg("candidate"),
          nb::arg("regions"), nb::arg("order"), nb::arg("context"), nb::arg("overlap"));
    m.def("excision_matrix", &score_matrix, nb::arg("origin"), nb::arg("texts"), nb::arg("hunks"), nb::arg("order"),
          nb::arg("zero"), nb::arg("keep"));
}
