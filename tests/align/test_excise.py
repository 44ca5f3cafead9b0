"""What revisions add, delete and keep: the kernels against plain counting."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin import _native
from codekin.align.excise import (
    KEEP,
    ZERO,
    Agreement,
    RevisionGrams,
    excision_parts,
    least_agreement,
    pooled_agreement,
    revision_grams,
)
from codekin.align.lcs import Ids, intern
from codekin.align.regions import Regions, divergent_regions, pair_hunks

TEXT = st.text("abc", max_size=12)
ORDERS = st.integers(1, 7)
Grams = Counter[tuple[int, ...]]
Triple = tuple[Ids, Ids, Ids]


def ids_of(origin: str, reference: str, candidate: str) -> tuple[Triple, Regions]:
    o, a, b = intern(origin, reference, candidate)
    return (o, a, b), divergent_regions(a, b, o)


def grams(tokens: Sequence[int], n: int) -> Grams:
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def total(counts: Iterable[Grams]) -> Grams:
    return sum(counts, Counter())


def agreement(reference: Grams, candidate: Grams) -> Agreement:
    return Agreement((reference & candidate).total(), reference.total(), candidate.total())


def count_in_regions(texts: Triple, regions: Regions, n: int) -> RevisionGrams:
    """By the definitions, with one Counter a region."""
    rows = regions.tolist()
    o = [grams(texts[0][r[4] : r[5]].tolist(), n) for r in rows]
    a = [grams(texts[1][r[0] : r[1]].tolist(), n) for r in rows]
    b = [grams(texts[2][r[2] : r[3]].tolist(), n) for r in rows]
    kept = [agreement(x & w, y & w) for x, y, w in zip(a, b, o, strict=True)]
    return RevisionGrams(
        agreement(
            total(x - w for x, w in zip(a, o, strict=True)),
            total(y - w for y, w in zip(b, o, strict=True)),
        ),
        agreement(
            total(w - x for x, w in zip(a, o, strict=True)),
            total(w - y for y, w in zip(b, o, strict=True)),
        ),
        Agreement(*(sum(column) for column in zip(*kept, strict=True)))
        if kept
        else Agreement(0, 0, 0),
        agreement(total(a) & total(o), total(b) & total(o)),
    )


def count_with_places(
    texts: Triple, regions: Regions, order: int, n: int
) -> tuple[Agreement, Agreement]:
    """What is added and deleted, each region between places of its own."""
    counts = []
    for text, at in zip(texts, (4, 0, 2), strict=True):
        found: Grams = Counter()
        for k, row in enumerate(regions.tolist()):
            before = [-1 - 1000 * k - i for i in range(order - 1)]
            behind = [-501 - 1000 * k - i for i in range(order - 1)]
            inside = text[row[at] : row[at + 1]].tolist()
            if not inside:
                continue  # places alone are nobody's edit
            # What lies before or behind altogether is in every text.
            found += grams([*before, *inside, *behind], n) - grams(before, n) - grams(behind, n)
        counts.append(found)
    o, a, b = counts
    return agreement(a - o, b - o), agreement(o - a, o - b)


@settings(max_examples=120, deadline=None)
@given(TEXT, TEXT, TEXT, ORDERS)
def test_ngrams_in_regions_are_counted_as_defined(o: str, a: str, b: str, order: int) -> None:
    texts, regions = ids_of(o, a, b)
    expected = [count_in_regions(texts, regions, n) for n in range(1, order + 1)]
    assert revision_grams(*texts, regions, order) == expected


@settings(max_examples=150, deadline=None)
@given(TEXT, TEXT, TEXT, st.text("abcd", max_size=30), st.text("abcd", max_size=30), ORDERS)
def test_with_context_they_reach_into_places_around_a_region(
    o: str, a: str, b: str, between: str, end: str, order: int
) -> None:
    # Two places to edit, with more or less shared context between and around them.
    o, a, b = (x + between + y + end for x, y in ((o, a), (a, b), (b, o)))
    texts, regions = ids_of(o, a, b)
    found = revision_grams(*texts, regions, order, context=True)
    for n, one in enumerate(found, 1):
        assert (one.add, one.delete) == count_with_places(texts, regions, order, n)


def f1(one: Agreement) -> float | None:
    whole = one.reference + one.candidate
    return 2 * one.both / whole if whole else None


def mean(values: Iterable[float | None]) -> float | None:
    defined = [value for value in values if value is not None]
    return sum(defined) / len(defined) if defined else None


def slow_parts(
    texts: Triple, regions: Regions, order: int, zero: str, keep: str, precise: bool
) -> list[float | None]:
    empty = {"skip": None, "zero": 0.0, "one": 1.0}[zero]
    add: list[float | None] = []
    kept: list[float | None] = []
    deleted: list[float | None] = []
    for n in range(1, order + 1):
        one = count_in_regions(texts, regions, n)
        add.append(f1(one.add))
        kept.append(f1(one.keep if keep == "region" else one.keep_anywhere))
        mine = one.delete.candidate
        precision = one.delete.both / mine if mine else None
        deleted.append(precision if precise else f1(one.delete))
    if keep == "none":
        kept = []
    filled = [[empty if v is None else v for v in part] for part in (add, kept, deleted)]
    parts = [mean(part) for part in filled]
    return [settled(mean(parts), texts), *parts]


def settled(value: float | None, texts: Triple) -> float:
    return 1.0 if np.array_equal(texts[1], texts[2]) else min(value or 0.0, 0.9999)


@settings(max_examples=120, deadline=None)
@given(
    TEXT, TEXT, TEXT, ORDERS, st.sampled_from(sorted(ZERO)), st.sampled_from(sorted(KEEP)),
    st.booleans(),
)  # fmt: skip
def test_parts_are_means_of_f1(
    o: str, a: str, b: str, order: int, zero: str, keep: str, precise: bool
) -> None:
    texts, regions = ids_of(o, a, b)
    found = excision_parts(
        *texts, regions, order=order, zero=zero, keep=keep, precise_deletion=precise
    )
    for mine, theirs in zip(
        found, slow_parts(texts, regions, order, zero, keep, precise), strict=True
    ):
        assert math.isnan(mine) if theirs is None else mine == pytest.approx(theirs, abs=1e-12)


@settings(max_examples=120, deadline=None)
@given(TEXT, TEXT, TEXT, ORDERS, st.booleans(), st.floats(0, 1))
def test_pooled_agreement_joins_additions_and_deletions(
    o: str, a: str, b: str, order: int, context: bool, overlap: float
) -> None:
    texts, regions = ids_of(o, a, b)
    by_order = [
        count_with_places(texts, regions, order, n)
        if context
        else count_in_regions(texts, regions, n)[:2]
        for n in range(1, order + 1)
    ]
    add, delete = (np.sum([one[k] for one in by_order], axis=0) for k in (0, 1))
    expected = None
    if sum(add[1:]) + sum(delete[1:]):
        pool = add + lighter(sum(add[1:]), sum(delete[1:])) * delete
        small = add + lighter(min(add[1:]), max(delete[1:])) * delete
        alike = small[0] / min(small[1:]) if min(small[1:]) else 0.0
        expected = (1 - overlap) * 2 * pool[0] / sum(pool[1:]) + overlap * alike
    found = pooled_agreement(*texts, regions, order=order, context=context, overlap=overlap)
    assert found == pytest.approx(settled(expected, texts), abs=1e-12)


def lighter(added: float, deleted: float) -> float:
    """What a deletion weighs, so that deletions weigh no more than additions."""
    return added / deleted if 0 < added < deleted else 1.0


@settings(max_examples=60, deadline=None)
@given(
    st.text("abc", min_size=1, max_size=12), st.text("de", min_size=1), st.text("fg", min_size=1)
)
def test_of_different_replacements_at_most_half_is_alike(o: str, a: str, b: str) -> None:
    texts, regions = ids_of(o, a, b)
    for context in (False, True):
        assert pooled_agreement(*texts, regions, context=context, overlap=0.5) <= 0.5


@settings(max_examples=200, deadline=None)
@given(TEXT, TEXT, TEXT, ORDERS)
def test_least_agreement_is_that_of_the_worst_region_of_the_reference(
    o: str, a: str, b: str, order: int
) -> None:
    (origin, reference, candidate), regions = ids_of(o, a, b)
    found = least_agreement(origin, reference, candidate, regions, order=order)
    values = [
        pooled_agreement(
            origin, reference, candidate, regions[k : k + 1], order=order, context=True
        )
        for k, row in enumerate(regions.tolist())
        if a[row[0] : row[1]] != o[row[4] : row[5]]
    ]
    assert found == min(values, default=float(a == b))
    if a == b:
        assert found == 1.0
    elif o in (a, b):
        assert found == 0.0


@settings(max_examples=100, deadline=None)
@given(
    TEXT, st.lists(TEXT, max_size=5), ORDERS, st.sampled_from(sorted(ZERO)),
    st.sampled_from(sorted(KEEP)),
)  # fmt: skip
def test_a_matrix_holds_the_scores_of_all_pairs(
    o: str, revisions: list[str], order: int, zero: str, keep: str
) -> None:
    origin, *texts = intern(o, *revisions)
    hunks = [pair_hunks(origin, one) for one in texts]
    found = _native.excision_matrix(origin, texts, hunks, order, ZERO[zero], KEEP[keep])
    assert found.shape == (len(texts), len(texts))
    for i, a in enumerate(texts):
        assert found[i, i] == 1.0
        for j, b in enumerate(texts):
            regions = divergent_regions(a, b, origin)
            one = excision_parts(origin, a, b, regions, order=order, zero=zero, keep=keep)
            assert found[i, j] == one.value


def test_wrong_arrays_are_refused() -> None:
    (o, a, b), regions = ids_of("abc", "abd", "ab")
    with pytest.raises(ValueError, match="order must be from 1 to 64"):
        revision_grams(o, a, b, regions, 0)
    with pytest.raises(ValueError, match="order must be from 1 to 64"):
        pooled_agreement(o, a, b, regions, order=65)
    for wrong in ([0, 9, 0, 0, 0, 0], [2, 1, 0, 0, 0, 0], [0, 0, 0, 0, -1, 0]):
        rows = np.array([wrong], dtype=np.int32)
        with pytest.raises(ValueError, match="regions must ascend and lie"):
            revision_grams(o, a, b, rows, 2)
    twice = np.concatenate([regions, regions])
    with pytest.raises(ValueError, match="regions must ascend and lie"):
        excision_parts(o, a, b, twice)
    with pytest.raises(ValueError, match=r"hunks must be as long as texts \(2\), not 1"):
        _native.excision_matrix(o, [a, b], [pair_hunks(o, a)], 4, 0, 1)
    beyond = np.array([[0, 1, 0, 9]], dtype=np.int32)
    with pytest.raises(ValueError, match="hunks do not fit an origin of 3 tokens"):
        _native.excision_matrix(o, [a, b], [beyond, beyond], 4, 0, 1)
