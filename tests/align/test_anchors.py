"""Anchored alignment against a plain patience alignment."""

from __future__ import annotations

import random
import time
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin._native import anchored_hunks, lcs_hunks
from codekin.align.lcs import Ids, Lines, longest_common_subsequence

Line = tuple[int, ...]
Pairs = list[tuple[int, int]]


def flat(lines: list[Line]) -> tuple[Ids, Lines]:
    tokens = np.array([token for line in lines for token in line], dtype=np.uint64)
    ends = np.cumsum([len(line) for line in lines], dtype=np.int32)
    return tokens, np.concatenate([[0], ends[:-1]]).astype(np.int32)[: len(lines)]


def matches(hunks: np.ndarray, length: int) -> Pairs:
    pairs: Pairs = []
    i = j = 0
    for start, end, second_start, second_end in [*hunks.tolist(), [length, 0, None, 0]]:
        pairs.extend((k, j + k - i) for k in range(i, start))
        assert second_start is None or second_start - j == start - i
        i, j = end, second_end
    return pairs


def longest_chain(once: Pairs) -> Pairs:
    for size in range(len(once), 0, -1):
        for chain in combinations(once, size):  # in lexicographic order
            if all(x[1] < y[1] for x, y in pairwise(chain)):
                return list(chain)
    return []


def plain(first: list[Line], second: list[Line]) -> Pairs:
    once = [
        (i, second.index(line))
        for i, line in enumerate(first)
        if first.count(line) == 1 and second.count(line) == 1
    ]
    starts = [np.cumsum([0, *map(len, lines)]).tolist() for lines in (first, second)]
    a, b = ([token for line in lines for token in line] for lines in (first, second))
    pairs: Pairs = []
    i = j = 0
    for x, y in [*longest_chain(once), (len(first), len(second))]:
        i_end, j_end = starts[0][x], starts[1][y]
        gap = longest_common_subsequence(a[i:i_end], b[j:j_end])
        pairs.extend((i + p, j + q) for p, q in gap)
        length = len(first[x]) if x < len(first) else 0
        pairs.extend((i_end + k, j_end + k) for k in range(length))
        i, j = i_end + length, j_end + length
    return pairs


LINE = st.lists(st.integers(0, 3), min_size=1, max_size=3).map(tuple)
TEXT = st.lists(LINE, max_size=8)


@settings(max_examples=150, deadline=None)
@given(TEXT, TEXT)
def test_it_is_what_plain_patience_gives(first: list[Line], second: list[Line]) -> None:
    (a, a_lines), (b, b_lines) = flat(first), flat(second)
    assert matches(anchored_hunks(a, a_lines, b, b_lines), len(a)) == plain(first, second)


@settings(max_examples=60, deadline=None)
@given(TEXT, TEXT, TEXT, TEXT)
def test_common_ends_in_lines_of_their_own_are_never_lost(
    head: list[Line], first: list[Line], second: list[Line], tail: list[Line]
) -> None:
    # Lines that neither side has elsewhere.
    head = [(10 + k, *line) for k, line in enumerate(head)]
    tail = [(90 + k, *line) for k, line in enumerate(tail)]
    a, a_lines = flat(head + first + tail)
    b, b_lines = flat(head + second + tail)
    found = set(matches(anchored_hunks(a, a_lines, b, b_lines), len(a)))
    assert {(k, k) for k in range(sum(map(len, head)))} <= found
    ends = range(1, sum(map(len, tail)) + 1)
    assert {(len(a) - k, len(b) - k) for k in ends} <= found


def test_one_line_is_aligned_by_its_tokens() -> None:
    rng = random.Random(2)
    a, b = (np.array([rng.randrange(5) for _ in range(90)], dtype=np.uint64) for _ in range(2))
    whole = np.array([0], dtype=np.int32)
    assert np.array_equal(anchored_hunks(a, whole, b, whole), lcs_hunks(a, b))


def test_nothing_has_no_lines() -> None:
    nothing, no_lines = flat([])
    assert anchored_hunks(nothing, no_lines, nothing, no_lines).shape == (0, 4)
    a, lines = flat([(1, 2), (3,)])
    assert anchored_hunks(a, lines, nothing, no_lines).tolist() == [[0, 3, 0, 0]]


@pytest.mark.parametrize("lines", [[], [1], [0, 0], [0, 2, 1], [0, 3], [0, -1]])
def test_lines_that_do_not_fit_are_refused(lines: list[int]) -> None:
    a = np.array([1, 2, 3], dtype=np.uint64)
    with pytest.raises(ValueError, match="lines must begin at 0, ascend, and hold a token each"):
        anchored_hunks(a, np.array(lines, dtype=np.int32), a, np.array([0], dtype=np.int32))


def test_long_files_with_few_changes_are_fast() -> None:
    rng = random.Random(4)
    text = [tuple(rng.choices(range(300), k=rng.randint(1, 15))) for _ in range(6500)]
    changed = list(text)
    for at in rng.sample(range(6500), 20):
        changed[at] = (*changed[at][:2], 999)
    (a, a_lines), (b, b_lines) = flat(text), flat(changed)
    assert len(a) > 50_000
    start = time.perf_counter()
    hunks = anchored_hunks(a, a_lines, b, b_lines)
    # A few milliseconds; a table of all pairs of tokens would take minutes.
    assert time.perf_counter() - start < 1
    assert len(hunks) == 20
