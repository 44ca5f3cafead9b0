from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from codekin.scan.matches import Matches, merged

FILE = 300
"""Tokens of each of three files."""

Row = tuple[int, int, int, int, int]


def of_rows(rows: list[Row]) -> Matches:
    columns = list(zip(*rows, strict=True)) if rows else [()] * 5
    ends = [np.array(column, np.int32) for column in columns[:4]]
    return Matches(*ends, np.array(columns[4], np.uint8), np.ones(len(rows)))


def kept(rows: list[Row]) -> list[Row]:
    code = SimpleNamespace(file_of_tokens=lambda tokens: np.asarray(tokens) // FILE)
    found = merged(code, of_rows(rows))  # type: ignore[arg-type]
    columns = (found.begin1, found.end1, found.begin2, found.end2, found.type)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def inside(one: Row, other: Row) -> bool:
    common = min(one[1], other[1]) - max(one[0], other[0])
    common2 = min(one[3], other[3]) - max(one[2], other[2])
    return common >= 0.7 * (one[1] - one[0]) and common2 >= 0.7 * (one[3] - one[2])


def slowly(rows: list[Row]) -> list[Row]:
    """Every match is compared with every larger one that was kept."""
    larger: list[Row] = []
    order = sorted(
        rows, key=lambda one: (one[0] - one[1] + one[2] - one[3], one[4], one[0], one[2])
    )
    for one in order:
        if not any(inside(one, other) for other in larger):
            larger.append(one)
    return sorted(larger, key=lambda one: (one[0], one[2]))


@st.composite
def stretch(draw: st.DrawFn) -> tuple[int, int]:
    file = draw(st.integers(0, 2))
    begin = draw(st.integers(0, FILE - 1))
    return FILE * file + begin, FILE * file + draw(st.integers(begin + 1, FILE))


@given(st.lists(st.tuples(stretch(), stretch(), st.integers(0, 3)), max_size=30, unique=True))
def test_only_the_largest_of_nested_matches_are_kept(
    drawn: list[tuple[tuple[int, int], tuple[int, int], int]],
) -> None:
    by_ends = {(*one, *two): type_ for one, two, type_ in drawn}
    rows = [(*ends, type_) for ends, type_ in by_ends.items()]
    assert sorted(kept(rows)) == sorted(slowly(rows))


def test_a_match_with_seventy_percent_in_a_larger_one_is_part_of_it() -> None:
    large = (0, 100, 300, 400, 2)
    assert kept([large, (70, 170, 330, 430, 2)]) == [large, (70, 170, 330, 430, 2)]
    assert kept([large, (93, 103, 310, 320, 0)]) == [large]
    assert kept([large, (94, 104, 310, 320, 0)]) == [large, (94, 104, 310, 320, 0)]
