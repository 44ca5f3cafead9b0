"""Hunks of pairs: whole shared ends first, then nothing shared is left unaligned."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin._native import anchored_hunks
from codekin.align.lcs import Hunks, Lines, intern
from codekin.align.regions import (
    divergent_regions,
    line_hunks,
    merge_hunks,
    nested_regions,
    pair_hunks,
)

TEXT = st.text("abc", max_size=14)
Line = tuple[str, ...]
LINES = st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=3).map(tuple), max_size=7)


def flat(lines: list[Line]) -> tuple[list[str], Lines]:
    starts = np.cumsum([0, *(len(line) for line in lines)])[:-1]
    return [token for line in lines for token in line], starts.astype(np.int32)


def lcs_length(a: Sequence[object], b: Sequence[object]) -> int:
    row = [0] * (len(b) + 1)
    for x in a:
        above, row = row, [0]
        for j, y in enumerate(b):
            row.append(above[j] + 1 if x == y else max(above[j + 1], row[j]))
    return row[-1]


def matched(hunks: Hunks, origin: Sequence[object], revision: Sequence[object]) -> int:
    """How many tokens lie between the hunks, each of which must stand in both texts."""
    i = j = count = 0
    for start, end, second_start, second_end in [
        *hunks.tolist(),
        [len(origin), len(origin), len(revision), len(revision)],
    ]:
        assert i <= start <= end
        assert j <= second_start <= second_end
        assert origin[i:start] == revision[j:second_start]
        count += start - i
        i, j = end, second_end
    return count


@settings(max_examples=120, deadline=None)
@given(TEXT, TEXT)
def test_hunks_of_a_pair_leave_a_longest_common_subsequence(o: str, a: str) -> None:
    hunks = pair_hunks(*intern(o, a))
    assert matched(hunks, list(o), list(a)) == lcs_length(list(o), list(a))


def shared(a: Sequence[object], b: Sequence[object]) -> int:
    """How much two sequences share at their beginning."""
    most = min(len(a), len(b))
    return next((k for k in range(most) if a[k] != b[k]), most)


def rest_of(tokens: list[str], starts: Lines, head: int, tail: int) -> tuple[list[str], Lines]:
    """What lies between the ends; a line that was cut counts as one."""
    end = len(tokens) - tail
    inside = [int(n) - head for n in starts if head < n < end]
    return tokens[head:end], np.array([0, *inside] if head < end else [], dtype=np.int32)


@settings(max_examples=120, deadline=None)
@given(LINES, LINES)
def test_between_the_ends_hunks_are_anchored_by_lines(o: list[Line], a: list[Line]) -> None:
    (x, x_lines), (y, y_lines) = flat(o), flat(a)
    found = pair_hunks(*intern(x, y), (x_lines, y_lines))
    assert matched(found, x, y) <= lcs_length(x, y)
    # Whole lines are cut first: as far as tokens are the same and a line begins in both texts.
    bounds = {*x_lines.tolist(), len(x)} & {*y_lines.tolist(), len(y)} | {0}
    head = max(n for n in bounds if n <= shared(x, y))
    from_end = {len(x) - n for n in (*x_lines.tolist(), len(x))} & {
        len(y) - n for n in (*y_lines.tolist(), len(y))
    } | {0}
    tail = max(n for n in from_end if n <= shared(x[head:][::-1], y[head:][::-1]))
    (v, v_lines), (w, w_lines) = rest_of(x, x_lines, head, tail), rest_of(y, y_lines, head, tail)
    before, after = intern(v, w)
    assert np.array_equal(found, anchored_hunks(before, v_lines, after, w_lines) + head)


@settings(max_examples=150, deadline=None)
@given(LINES, LINES, LINES, st.lists(st.sampled_from(["p", "a", "b"]), min_size=1, max_size=4))
def test_lines_behind_and_before_change_no_hunk(
    o: list[Line], a: list[Line], before: list[Line], first: list[str]
) -> None:
    # A line that is nowhere else, whose first token may be that of any line.
    behind = [(first[0], "fresh"), ("a",)]
    (x, x_lines), (y, y_lines) = flat(o), flat(a)
    (v, v_lines), (w, w_lines) = flat([*before, *o, *behind]), flat([*before, *a, *behind])
    plain = pair_hunks(*intern(x, y), (x_lines, y_lines))
    framed = pair_hunks(*intern(v, w), (v_lines, w_lines))
    assert np.array_equal(framed, plain + sum(map(len, before)))


def test_a_deleted_last_line_is_deleted_whole_whatever_follows() -> None:
    # Each line begins with the same token, as in Python at one level.
    o, a = [("|", "x"), ("|", "y")], [("|", "x")]
    for behind in ([], [("|", "z")]):
        (x, x_lines), (y, y_lines) = flat([*o, *behind]), flat([*a, *behind])
        assert pair_hunks(*intern(x, y), (x_lines, y_lines)).tolist() == [[2, 4, 2, 2]]


@settings(max_examples=120, deadline=None)
@given(LINES, LINES)
def test_line_hunks_are_those_of_a_longest_common_subsequence_of_lines(
    o: list[Line], a: list[Line]
) -> None:
    (x, x_lines), (y, y_lines) = flat(o), flat(a)
    origin, revision = intern(x, y)
    hunks = line_hunks(origin, x_lines, revision, y_lines)
    # In lines in place of tokens: every bound is that of a line.
    bounds = [
        {int(n): k for k, n in enumerate([*s, len(t)])} for s, t in ((x_lines, x), (y_lines, y))
    ]
    rows = [
        [bounds[0][h[0]], bounds[0][h[1]], bounds[1][h[2]], bounds[1][h[3]]] for h in hunks.tolist()
    ]
    assert matched(np.array(rows, dtype=np.int32).reshape(-1, 4), o, a) == lcs_length(o, a)


@settings(max_examples=100, deadline=None)
@given(LINES, LINES, LINES, st.booleans())
def test_regions_are_the_merged_hunks_of_both_pairs(
    a: list[Line], b: list[Line], o: list[Line], lined: bool
) -> None:
    (x, x_lines), (y, y_lines), (z, z_lines) = flat(a), flat(b), flat(o)
    first, second, origin = intern(x, y, z)
    if lined:
        found = divergent_regions(first, second, origin, (x_lines, y_lines, z_lines))
        hunks = [
            pair_hunks(origin, first, (z_lines, x_lines)),
            pair_hunks(origin, second, (z_lines, y_lines)),
        ]
    else:
        found = divergent_regions(first, second, origin)
        hunks = [pair_hunks(origin, first), pair_hunks(origin, second)]
    assert np.array_equal(found, merge_hunks(hunks[0], hunks[1]))


def outside(hunks: Hunks, origin: str) -> str:
    """What the hunks leave of the origin."""
    deleted = {place for hunk in hunks.tolist() for place in range(hunk[0], hunk[1])}
    return "".join(x for place, x in enumerate(origin) if place not in deleted)


@settings(max_examples=150, deadline=None)
@given(TEXT, TEXT, TEXT)
def test_nested_regions_leave_the_papers_subsequence(a: str, b: str, o: str) -> None:
    first, second, origin = intern(a, b, o)
    regions = nested_regions(first, second, origin)
    ends = [0, 0, 0]
    between = ""
    for row in [*regions.tolist(), [len(s) for s in (a, b, o) for _ in range(2)]]:
        pieces = {s[end:at] for s, end, at in zip((a, b, o), ends, row[::2], strict=True)}
        assert len(pieces) == 1
        between += pieces.pop()
        ends = row[1::2]
    inner = [outside(pair_hunks(origin, one), o) for one in (first, second)]
    assert len(between) == lcs_length(*inner)
    if o in (a, b):
        assert regions.tolist() == divergent_regions(first, second, origin).tolist()


def test_lines_that_do_not_fit_are_refused() -> None:
    origin, revision = intern("abc", "abd")
    good = np.array([0, 2], dtype=np.int32)
    for wrong in ([1], [0, 0], [0, 3], [], [2, 0]):
        starts = np.array(wrong, dtype=np.int32)
        with pytest.raises(ValueError, match="lines must begin at 0, ascend"):
            pair_hunks(origin, revision, (good, starts))
        with pytest.raises(ValueError, match="lines must begin at 0, ascend"):
            line_hunks(origin, good, revision, starts)
