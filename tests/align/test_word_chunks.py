from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin import _native
from codekin.align.word_chunks import match_words

words = st.lists(st.integers(0, 5), max_size=6)
repetitive = st.lists(st.sampled_from([0, 2]), max_size=6)


def ids(some):
    return np.array(some, dtype=np.uint64)


def with_stems(some):
    return ids(some), ids([word // 2 for word in some])


def exhaustive(first, second):
    """The exact matches, all matches and chunks of the best of all matchings."""
    best = (0, 0, 0)

    def go(i, pairs):
        nonlocal best
        if i == len(first):
            exact = sum(first[a] == second[b] for a, b in pairs)
            chunks = sum(
                k == 0 or (pairs[k - 1][0] + 1, pairs[k - 1][1] + 1) != pair
                for k, pair in enumerate(pairs)
            )
            best = max(best, (exact, len(pairs), -chunks))
            return
        used = {b for _, b in pairs}
        for j, other in enumerate(second):
            if j not in used and first[i] // 2 == other // 2:
                go(i + 1, [*pairs, (i, j)])
        go(i + 1, pairs)

    go(0, [])
    return best[0], best[1], -best[2]


@settings(deadline=None)
@given(words | repetitive, words | repetitive)
def test_the_matching_is_the_best_of_all(first, second):
    found = match_words(with_stems(first), with_stems(second), steps=10**6)
    exact = sum(first[i] == second[j] for i, j in found.pairs)
    assert all(first[i] // 2 == second[j] // 2 for i, j in found.pairs)
    assert len({j for _, j in found.pairs}) == len(found.pairs)
    assert (exact, len(found.pairs), found.chunks) == exhaustive(first, second)
    assert found.least_chunks == found.chunks


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 9), max_size=40),
    st.lists(st.integers(0, 9), max_size=40),
    st.integers(0, 300),
)
def test_any_budget_keeps_the_number_of_matches_and_a_true_bound(first, second, steps):
    found = match_words(with_stems(first), with_stems(second), steps=steps)
    by_stem = [Counter(word // 2 for word in text) for text in (first, second)]
    assert len(found.pairs) == sum((by_stem[0] & by_stem[1]).values())
    exact = sum(first[i] == second[j] for i, j in found.pairs)
    assert exact == sum((Counter(first) & Counter(second)).values())
    more = match_words(with_stems(first), with_stems(second), steps=20_000)
    assert found.least_chunks <= more.least_chunks <= more.chunks <= found.chunks


def test_long_and_repetitive_texts_are_quick():
    rng = np.random.default_rng(0)
    for few in (1, 2, 50):
        first, second = (rng.integers(0, few, 60_000).astype(np.uint64) for _ in range(2))
        found = match_words((first, first), (second, second), steps=1000)
        assert len(found.pairs) > 58_000
        assert found.least_chunks <= found.chunks


def test_arguments_are_checked():
    one = ids([1])
    with pytest.raises(ValueError, match="each word needs a stem"):
        _native.fewest_chunks(one, ids([]), one, one, 1)
    with pytest.raises(ValueError, match="equal words need equal stems"):
        _native.fewest_chunks(one, ids([1]), one, ids([2]), 1)
    with pytest.raises(ValueError, match="steps must not be negative"):
        _native.fewest_chunks(one, one, one, one, -1)
