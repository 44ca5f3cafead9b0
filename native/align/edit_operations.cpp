// What SARI counts: n-grams that a candidate and its references add, keep and delete.
//
// N-grams of all texts are numbered level by level, as in ngram_overlap.hpp, so that nothing rests
// on a hash. Texts made from one origin agree with it in most places, counted from the front or
// from the back; there an n-gram takes its number from the origin without being looked up.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "align/ngram_overlap.hpp"
#include "common/arrays.hpp"
#include "common/checks.hpp"

namespace nb = nanobind;

namespace codekin {

namespace {

constexpr int MOST_ORDERS = 64;
constexpr uint64_t BREAK = 0;  // an identity that no n-gram may hold

// Of one operation, summed over n-grams: what candidate and references agree on, what the candidate
// does, what the references do.
struct Sums {
    int64_t good = 0, candidate = 0, reference = 0;
};

struct Operations {
    Sums add, keep, remove;
    // What SARI.py takes in place of sums: shares averaged over distinct n-grams.
    double keep_precisions = 0, keep_recalls = 0, delete_precisions = 0;
    int64_t kept = 0, keepable = 0, deleted = 0;  // distinct n-grams
};

double share(int64_t part, int64_t whole) {
    return part == whole ? 1.0 : static_cast<double>(part) / static_cast<double>(whole);
}

// One n-gram that stands so often in the origin and the candidate, each times the number of
// references, and so often in all references together.
void add_gram(int64_t origin, int64_t candidate, int64_t references, Operations &sums) {
    if (origin == 0) {  // additions are counted once, however often they stand
        sums.add.candidate += candidate > 0;
        sums.add.reference += references > 0;
        sums.add.good += candidate > 0 && references > 0;
        return;
    }
    const int64_t kept = std::min(origin, candidate), keepable = std::min(origin, references);
    const int64_t well_kept = std::min(kept, references);
    sums.keep.candidate += kept, sums.keep.reference += keepable, sums.keep.good += well_kept;
    sums.kept += kept > 0, sums.keepable += keepable > 0;
    if (well_kept > 0) {
        sums.keep_precisions += share(well_kept, kept);
        sums.keep_recalls += share(well_kept, keepable);
    }
    const int64_t deleted = origin - kept, deletable = origin - keepable;
    sums.remove.candidate += deleted, sums.remove.reference += deletable;
    sums.remove.good += std::min(deleted, deletable);
    sums.deleted += deleted > 0;
    if (deleted > references) sums.delete_precisions += share(deleted - references, deleted);
}

void append(const Operations &of, std::vector<double> &out) {
    for (const Sums &sums : {of.add, of.keep, of.remove})
        for (const int64_t sum : {sums.good, sums.candidate, sums.reference})
            out.push_back(static_cast<double>(sum));
    out.insert(out.end(),
               {of.keep_precisions, static_cast<double>(of.kept), of.keep_recalls,
                static_cast<double>(of.keepable), of.delete_precisions, static_cast<double>(of.deleted)});
}

struct Text {
    const uint64_t *ids = nullptr;
    size_t length = 0;
    std::vector<uint32_t> items, grams;  // numbers of the tokens, and of the n-grams that begin there

    size_t positions(int order) const {
        return length >= static_cast<size_t>(order) ? length - order + 1 : 0;
    }
};

class OperationCounter {
  public:
    // Takes the origin, the candidate, then the references.
    void read(size_t at, const ArrayIn<uint64_t> &ids) {
        if (at >= texts_.size()) texts_.resize(at + 1);
        texts_[at].ids = ids.data(), texts_[at].length = ids.size();
    }

    void count(size_t texts, int orders, std::vector<double> &out) {
        texts_.resize(texts);
        tokens_ = 0;
        for (const Text &text : texts_) tokens_ += text.length;
        number_items();
        append(tally(1), out);
        for (int n = 2; n <= orders; ++n) {
            extend(n);
            append(tally(n), out);
        }
    }

  private:
    const Text &origin() const { return texts_[0]; }

    // The place in the origin that a position has on the diagonal from the back.
    size_t from_back(const Text &text, size_t i) const { return i + origin().length - text.length; }

    void number_items() {
        numbering_.reset(tokens_);
        for (Text &text : texts_) {
            text.items.resize(text.length);
            for (size_t i = 0; i < text.length; ++i) text.items[i] = item(text, i);
            text.grams = text.items;
        }
    }

    uint32_t item(const Text &text, size_t i) {
        const uint64_t id = text.ids[i];
        if (id == BREAK) return NO_NUMBER;
        if (&text != &origin()) {
            if (i < origin().length && origin().ids[i] == id) return origin().items[i];
            const size_t j = from_back(text, i);
            if (j < origin().length && origin().ids[j] == id) return origin().items[j];
        }
        return numbering_.add(id);
    }

    void extend(int n) {
        numbering_.reset(tokens_);
        before_ = origin().grams;
        for (Text &text : texts_) {
            const size_t positions = text.positions(n);
            for (size_t i = 0; i < positions; ++i) text.grams[i] = gram(text, i, n);
        }
    }

    uint32_t gram(const Text &text, size_t i, int n) {
        const uint32_t first = text.grams[i], last = text.items[i + n - 1];
        if (first == NO_NUMBER || last == NO_NUMBER) return NO_NUMBER;
        if (&text != &origin()) {
            if (in_origin(i, first, last, n)) return origin().grams[i];
            const size_t j = from_back(text, i);
            if (in_origin(j, first, last, n)) return origin().grams[j];
        }
        return numbering_.add(static_cast<uint64_t>(first) << 32 | last);
    }

    bool in_origin(size_t i, uint32_t first, uint32_t last, int n) const {
        return i < origin().positions(n) && before_[i] == first && origin().items[i + n - 1] == last;
    }

    Operations tally(int n) {
        counts_.assign(numbering_.count(), Counts{});
        for (size_t t = 0; t < texts_.size(); ++t) {
            uint32_t Counts::*const role = t == 0   ? &Counts::origin
                                           : t == 1 ? &Counts::candidate
                                                    : &Counts::references;
            const size_t positions = texts_[t].positions(n);
            for (size_t i = 0; i < positions; ++i)
                if (texts_[t].grams[i] != NO_NUMBER) ++(counts_[texts_[t].grams[i]].*role);
        }
        Operations sums;
        const auto references = static_cast<int64_t>(texts_.size()) - 2;
        for (const Counts &c : counts_)
            add_gram(c.origin * references, c.candidate * references, c.references, sums);
        return sums;
    }

    struct Counts {
        uint32_t origin = 0, candidate = 0, references = 0;
    };

    std::vector<Text> texts_;
    size_t tokens_ = 0;
    Numbering numbering_;
    std::vector<uint32_t> before_;  // the origin's n-grams of the order below
    std::vector<Counts> counts_;
};

// For each order from 1, fifteen numbers; align/edit_operations.py names them.
std::vector<double> edit_operations(ArrayIn<uint64_t> origin, ArrayIn<uint64_t> candidate,
                                    std::vector<ArrayIn<uint64_t>> references, int order) {
    check::in_range("order", order, 1, MOST_ORDERS);
    if (references.empty()) check::refuse("references must hold at least one");
    uint64_t tokens = origin.size() + candidate.size();
    for (const auto &reference : references) tokens += reference.size();
    check::at_most("tokens of all texts", tokens, NO_NUMBER - 1);
    std::vector<double> out;
    // The memory of a thread is kept between calls at the size of its longest texts.
    thread_local OperationCounter counter;
    nb::gil_scoped_release unlocked;
    counter.read(0, origin), counter.read(1, candidate);
    for (size_t r = 0; r < references.size(); ++r) counter.read(2 + r, references[r]);
    counter.count(2 + references.size(), order, out);
    return out;
}

}  // namespace

void register_sari(nb::module_ &m) {
    m.def("edit_operations", &edit_operations, nb::arg("origin"), nb::arg("candidate"), nb::arg("references"),
          nb::arg("order"));
}

}  // namespace codekin
