// The excision score: how alike two revisions are in what is left after excising what nobody touched.
#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "align/revision_grams.hpp"
#include "common/arrays.hpp"
#include "common/checks.hpp"

namespace nb = nanobind;

namespace codekin {

namespace {

constexpr double UNDEFINED = std::numeric_limits<double>::quiet_NaN();
constexpr double ALMOST_ONE = 0.9999;  // what two different revisions reach at most
constexpr int MOST_ORDERS = 64;
constexpr uint64_t MOST_REGIONS = 1 << 30;
constexpr uint64_t MOST_TEXTS = 1 << 15;  // their matrix takes 8 GB

using Ids = ArrayIn<uint64_t>;
using RegionsIn = TableIn<int32_t, 6>;
using Matrix = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

// These mirror the tables in codekin.align.excise.
enum Zero { SKIP = 0, NOTHING = 1, FULL = 2 };
enum Keep { LEFT_OUT = 0, IN_REGION = 1, ANYWHERE = 2 };

struct Rules {
    int order;
    Zero zero;
    Keep keep;
    bool precise_deletion;

    Rules(int order, int zero, int keep, bool precise_deletion)
        : order(order),
          zero(static_cast<Zero>(zero)),
          keep(static_cast<Keep>(keep)),
          precise_deletion(precise_deletion) {
        check::in_range("order", order, 1, MOST_ORDERS);
        check::in_range("zero", zero, SKIP, FULL);
        check::in_range("keep", keep, LEFT_OUT, ANYWHERE);
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
        if (rules.keep != LEFT_OUT)
            keep.add(f1(rules.keep == IN_REGION ? sums.keep : sums.keep_anywhere, rules.zero));
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

// How much deletions weigh where additions weigh 1, so that they weigh no more together; no one is
// to hide a wrong replacement behind the deletion of what it replaced.
double balance(double added, double deleted) { return added > 0 && deleted > added ? added / deleted : 1.0; }

// Additions and deletions of all orders together: F1, and what is shared of the smaller edit.
double pooled(const std::vector<RevisionGrams> &grams, double overlap) {
    double added = 0, reference_added = 0, candidate_added = 0, deleted = 0, reference_deleted = 0,
           candidate_deleted = 0;
    for (const RevisionGrams &sums : grams) {
        added += static_cast<double>(sums.add.both);
        reference_added += static_cast<double>(sums.add.reference);
        candidate_added += static_cast<double>(sums.add.candidate);
        deleted += static_cast<double>(sums.remove.both);
        reference_deleted += static_cast<double>(sums.remove.reference);
        candidate_deleted += static_cast<double>(sums.remove.candidate);
    }
    const double additions = reference_added + candidate_added,
                 deletions = reference_deleted + candidate_deleted;
    if (additions + deletions == 0) return UNDEFINED;
    const double weight = balance(additions, deletions);
    const double f1 = 2 * (added + weight * deleted) / (additions + weight * deletions);
    const double least =
        balance(std::min(reference_added, candidate_added), std::max(reference_deleted, candidate_deleted));
    const double smaller =
        std::min(reference_added + least * reference_deleted, candidate_added + least * candidate_deleted);
    return (1 - overlap) * f1 + (smaller > 0 ? overlap * (added + least * deleted) / smaller : 0.0);
}

// The regions lie in the texts, one after the other.
Revisions checked(const Revisions &out) {
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
        check::refuse("regions must ascend and lie in the three texts");
    return out;
}

Revisions checked(const Ids &origin, const Ids &reference, const Ids &candidate, const RegionsIn &regions,
                  int order) {
    check::in_range("order", order, 1, MOST_ORDERS);
    check::at_most("regions", regions.shape(0), MOST_REGIONS);
    // With the places around each region, positions in all three texts are numbered together.
    check::at_most("tokens of all texts, and places around regions",
                   origin.size() + reference.size() + candidate.size() +
                       6 * regions.shape(0) * static_cast<uint64_t>(order),
                   check::MOST_POSITIONS);
    return checked({stretch_of(origin), stretch_of(reference), stretch_of(candidate),
                    reinterpret_cast<const DivergentRegion *>(regions.data()), regions.shape(0)});
}

std::vector<std::vector<int64_t>> counts(const Ids &origin, const Ids &reference, const Ids &candidate,
                                         const RegionsIn &regions, int order, bool context) {
    std::vector<std::vector<int64_t>> out;
    for (const RevisionGrams &sums :
         revision_grams(checked(origin, reference, candidate, regions, order), order, context)) {
        std::vector<int64_t> row;
        for (const Agreement *one : {&sums.add, &sums.remove, &sums.keep, &sums.keep_anywhere})
            row.insert(row.end(), {one->both, one->reference, one->candidate});
        out.push_back(std::move(row));
    }
    return out;
}

std::tuple<double, double, double, double> score(const Ids &origin, const Ids &reference,
                                                 const Ids &candidate, const RegionsIn &regions, int order,
                                                 int zero, int keep, bool precise_deletion) {
    const Rules rules(order, zero, keep, precise_deletion);
    const Parts parts = excision(checked(origin, reference, candidate, regions, order), rules);
    return {parts.value, parts.add, parts.keep, parts.remove};
}

double pooled_score(const Ids &origin, const Ids &reference, const Ids &candidate, const RegionsIn &regions,
                    int order, bool context, double overlap) {
    check::between("overlap", overlap, 0.0, 1.0);
    const Revisions revisions = checked(origin, reference, candidate, regions, order);
    return settled(pooled(revision_grams(revisions, order, context), overlap), revisions.equal());
}

// The scores of all pairs of revisions of one origin, from the hunks of each with the origin.
Matrix score_matrix(const Ids &origin, const std::vector<Ids> &texts, const std::vector<HunksIn> &hunks,
                    int order, int zero, int keep) {
    const Rules rules(order, zero, keep, false);
    const size_t n = texts.size();
    check::same_length("texts", n, {{"hunks", hunks.size()}});
    check::at_most("texts", n, MOST_TEXTS);
    std::vector<Stretch> stretches;
    for (size_t i = 0; i < n; ++i) {
        stretches.push_back(stretch_of(texts[i]));
        check_hunks("hunks", hunks[i], stretch_of(origin).size, stretches[i].size);
        check::at_most("tokens of all texts", origin.size() + 2 * texts[i].size(), check::MOST_POSITIONS);
    }
    auto *owned = new std::vector<double>(n * n, 1.0);
    nb::capsule owner(owned, [](void *p) noexcept { delete static_cast<std::vector<double> *>(p); });
    const auto fill = [&](size_t i, size_t j) {
        const auto regions = merge_hunks(reinterpret_cast<const Hunk *>(hunks[i].data()), hunks[i].shape(0),
                                         reinterpret_cast<const Hunk *>(hunks[j].data()), hunks[j].shape(0));
        const Revisions revisions =
            checked({stretch_of(origin), stretches[i], stretches[j], regions.data(), regions.size()});
        (*owned)[i * n + j] = (*owned)[j * n + i] = excision(revisions, rules).value;
    };
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = i + 1; j < n; ++j) fill(i, j);
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
    return Matrix(owned->data(), {n, n}, owner);
}

}  // namespace

void register_excision(nb::module_ &m) {
    m.def("revision_grams", &counts, nb::arg("origin"), nb::arg("reference"), nb::arg("candidate"),
          nb::arg("regions"), nb::arg("order"), nb::arg("context"));
    m.def("excision_score", &score, nb::arg("origin"), nb::arg("reference"), nb::arg("candidate"),
          nb::arg("regions"), nb::arg("order"), nb::arg("zero"), nb::arg("keep"),
          nb::arg("precise_deletion"));
    m.def("pooled_score", &pooled_score, nb::arg("origin"), nb::arg("reference"), nb::arg("candidate"),
          nb::arg("regions"), nb::arg("order"), nb::arg("context"), nb::arg("overlap"));
    m.def("excision_matrix", &score_matrix, nb::arg("origin"), nb::arg("texts"), nb::arg("hunks"),
          nb::arg("order"), nb::arg("zero"), nb::arg("keep"));
}

}  // namespace codekin
