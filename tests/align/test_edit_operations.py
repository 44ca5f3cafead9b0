from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin import _native
from codekin.align.edit_operations import BREAK, OperationCounts, sari_statistics

# 0 is a break; few different tokens, so that n-grams meet and repeat.
tokens = st.lists(st.integers(0, 4), max_size=24)
pools = st.lists(tokens, min_size=1, max_size=3)


def ids(items):
    return np.array(items, dtype=np.uint64)


def statistics(origin, candidate, references, order):
    return sari_statistics(ids(origin), ids(candidate), [ids(r) for r in references], order)


def grams(items, n):
    every = (tuple(items[i : i + n]) for i in range(len(items) - n + 1))
    return Counter(gram for gram in every if BREAK not in gram)


def times(bag, count):
    return Counter({gram: count * n for gram, n in bag.items()})


def plain_statistics(origin, candidate, references, n):
    """The definition, word for word."""
    old, new = (times(grams(text, n), len(references)) for text in (origin, candidate))
    pooled = sum((grams(reference, n) for reference in references), Counter())
    added, addable = set(new) - set(old), set(pooled) - set(old)
    kept, keepable = old & new, old & pooled
    deleted, deletable = old - new, old - pooled
    well_kept = kept & pooled
    return OperationCounts(
        add_good=len(added & addable),
        add_candidate=len(added),
        add_reference=len(addable),
        keep_good=well_kept.total(),
        keep_candidate=kept.total(),
        keep_reference=keepable.total(),
        delete_good=(deleted & deletable).total(),
        delete_candidate=deleted.total(),
        delete_reference=deletable.total(),
        keep_precisions=sum(well_kept[gram] / kept[gram] for gram in kept),
        keep_candidate_distinct=len(kept),
        keep_recalls=sum(well_kept[gram] / keepable[gram] for gram in keepable),
        keep_reference_distinct=len(keepable),
        delete_precisions=sum((deleted - pooled)[gram] / deleted[gram] for gram in deleted),
        delete_candidate_distinct=len(deleted),
    )


@given(tokens, tokens, pools, st.integers(1, 8))
def test_the_kernel_counts_what_counters_count(origin, candidate, references, order):
    found = statistics(origin, candidate, references, order)
    assert len(found) == order
    for n, counts in enumerate(found, 1):
        expected = plain_statistics(origin, candidate, references, n)
        assert counts == pytest.approx(expected, abs=1e-12)


@given(tokens, st.data(), st.integers(1, 5))
def test_edits_of_one_origin_are_counted_alike(origin, data, order):
    """Texts that share a beginning and an end take the kernel's short cuts."""

    def edited():
        at = data.draw(st.integers(0, len(origin)))
        to = data.draw(st.integers(at, len(origin)))
        return origin[:at] + data.draw(st.lists(st.integers(0, 6), max_size=4)) + origin[to:]

    candidate, reference = edited(), edited()
    for n, counts in enumerate(statistics(origin, candidate, [reference], order), 1):
        expected = plain_statistics(origin, candidate, [reference], n)
        assert counts == pytest.approx(expected, abs=1e-12)


@given(tokens, tokens, tokens)
def test_a_break_parts_texts_like_two_texts(origin, candidate, reference):
    """Behind a break the same stands once more: sums double, distinct n-grams do not."""
    twice = [[*text, BREAK, *text] for text in (origin, candidate, reference)]
    once = statistics(origin, candidate, [reference], 4)
    for one, two in zip(once, statistics(twice[0], twice[1], [twice[2]], 4), strict=True):
        assert two[:3] == one[:3]
        assert list(two[3:9]) == [2 * count for count in one[3:9]]


@given(tokens, tokens, tokens)
def test_a_reference_given_twice_weighs_twice(origin, candidate, reference):
    once = statistics(origin, candidate, [reference], 4)
    twice = statistics(origin, candidate, [reference, reference], 4)
    for one, two in zip(once, twice, strict=True):
        assert two[:3] == one[:3]
        assert list(two[3:9]) == [2 * count for count in one[3:9]]


@given(tokens, tokens, tokens)
def test_candidate_and_reference_change_places(origin, candidate, reference):
    forth = statistics(origin, candidate, [reference], 3)
    back = statistics(origin, reference, [candidate], 3)
    for one, other in zip(forth, back, strict=True):
        for at in (0, 3, 6):
            good, mine, theirs = one[at : at + 3]
            assert other[at : at + 3] == (good, theirs, mine)


def test_empty_texts_have_no_operations():
    for counts in statistics([], [], [[], []], 8):
        assert set(counts) == {0.0}


def test_what_cannot_be_counted_is_refused():
    one = ids([1])
    for order in (0, 65):
        with pytest.raises(ValueError, match="order"):
            sari_statistics(one, one, [one], order)
    with pytest.raises(ValueError, match="references must hold at least one"):
        sari_statistics(one, one, [], 4)


@given(st.text(st.sampled_from("ab \n\t\0é😀"), max_size=30))
def test_blanks_cut_as_str_split_cuts(text):
    found = _native.blank_split_ids(text).tolist()
    pieces = text.split(" ")
    known = dict(zip(pieces, found, strict=True))
    assert found == [known[piece] for piece in pieces]
    assert len(set(known.values())) == len(known)
    assert BREAK not in found
    words = [piece for piece in pieces if piece]
    assert [known[word] for word in words] == _native.string_ids(words).tolist()
