"""Three-way common subsequences against exhaustive search."""

from __future__ import annotations

import random
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin import CodekinError
from codekin.align.lcs import (
    DEFAULT_STEPS,
    Tokens,
    intern,
    longest_common_subsequence,
    three_way_lcs_ids,
)

Triples = list[tuple[int, int, int]]


def exhaustive(a: str, b: str, o: str) -> Triples:
    """Of all chains of equal tokens the longest, of these the smallest by origin, first, second."""

    @cache
    def best(i: int, j: int, k: int) -> Triples:
        chains = [
            [(z, x, y), *best(x + 1, y + 1, z + 1)]
            for z in range(k, len(o))
            for x in range(i, len(a))
            for y in range(j, len(b))
            if a[x] == b[y] == o[z]
        ]
        return min(chains, key=lambda triples: (-len(triples), triples), default=[])

    return [(x, y, z) for z, x, y in best(0, 0, 0)]


def plain_length(a: list[int], b: list[int], o: list[int]) -> int:
    rest = np.zeros((len(a) + 1, len(b) + 1, len(o) + 1), dtype=np.int64)
    for i in reversed(range(len(a))):
        for j in reversed(range(len(b))):
            for k in reversed(range(len(o))):
                rest[i, j, k] = (
                    rest[i + 1, j + 1, k + 1] + 1
                    if a[i] == b[j] == o[k]
                    else max(rest[i + 1, j, k], rest[i, j + 1, k], rest[i, j, k + 1])
                )
    return int(rest[0, 0, 0])


SHORT = st.text("ab", max_size=6)


def three_way_lcs(
    first: Tokens, second: Tokens, origin: Tokens, steps: int = DEFAULT_STEPS
) -> list[tuple[int, int, int]]:
    found = three_way_lcs_ids(*intern(first, second, origin), steps=steps)
    return [(a, b, o) for a, b, o in found.tolist()]


@settings(max_examples=80, deadline=None)
@given(SHORT, SHORT, st.text("abc", max_size=6))
def test_it_is_the_leftmost_of_the_longest(a: str, b: str, o: str) -> None:
    assert three_way_lcs(a, b, o) == exhaustive(a, b, o)


@pytest.mark.parametrize(
    "lengths", [(3, 40, 70), (70, 3, 40), (40, 70, 3), (33, 33, 33), (1, 1, 90)]
)
def test_it_is_a_longest_one_whichever_sequence_is_long(lengths: tuple[int, int, int]) -> None:
    rng = random.Random(sum(lengths))
    a, b, o = ([rng.randrange(4) for _ in range(length)] for length in lengths)
    found = three_way_lcs(a, b, o)
    assert all(a[i] == b[j] == o[k] for i, j, k in found)
    assert all(x < y for t, u in pairwise(found) for x, y in zip(t, u, strict=True))
    assert len(found) == plain_length(a, b, o)


@settings(max_examples=60, deadline=None)
@given(st.text("abcd", max_size=60), st.text("abcd", max_size=60))
def test_two_equal_sequences_leave_the_subsequence_of_two(a: str, o: str) -> None:
    assert three_way_lcs(a, a, o) == [(i, i, k) for k, i in longest_common_subsequence(o, a)]


def test_too_long_sequences_are_refused_and_told_why() -> None:
    rng = random.Random(1)
    a, b, o = ([rng.randrange(9) for _ in range(100)] for _ in range(3))
    with pytest.raises(
        CodekinError, match=r"100, 100 and 100 tokens are too long.*allow more steps"
    ):
        three_way_lcs(a, b, o, steps=900_000)
    assert three_way_lcs(a, b, o, steps=1_000_000)


def test_a_shared_beginning_and_tokens_not_in_all_three_take_no_steps() -> None:
    long = list(range(10_000))
    assert three_way_lcs(long, long, long, steps=0) == [(k, k, k) for k in long]
    assert three_way_lcs("xab" * 999, "yab" * 2, "zab" * 2, steps=4 * 4 * 2000)[-1] == (5, 5, 5)
    assert three_way_lcs("abc", "def", "abd", steps=0) == []


@pytest.mark.parametrize("empty", range(3))
def test_nothing_shares_nothing(empty: int) -> None:
    texts = ["abc", "abc", "abc"]
    texts[empty] = ""
    assert three_way_lcs(*texts) == []
