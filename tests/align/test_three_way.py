"""Three-way alignments: the paper's example and definitions, and what shared context may not do."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin import CodekinError
from codekin._native import anchored_hunks, lcs_hunks
from codekin.align.lcs import intern, three_way_lcs_ids
from codekin.align.three_way import (
    EditKind,
    Region,
    ThreeWayAlignment,
    ThreeWayLcs,
    align_three,
    divergent_regions,
    merge_hunks,
)

WAYS: list[ThreeWayLcs] = ["pairwise", "threeway"]
TEXT = st.text("abc", max_size=14)
Line = tuple[str, ...]
LINES = st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=3).map(tuple), max_size=6)


def flat(lines: list[Line]) -> tuple[list[str], np.ndarray]:
    starts = np.cumsum([0, *(len(line) for line in lines)])[:-1]
    return [token for line in lines for token in line], starts.astype(np.int32)


def contents(table: ThreeWayAlignment) -> list[tuple[tuple[object, ...], ...]]:
    return [
        tuple(
            tuple(sequence[start:end])
            for sequence, (start, end) in zip(
                (table.first, table.second, table.origin),
                (region.first, region.second, region.origin),
                strict=True,
            )
        )
        for region in table.regions
    ]


def example() -> ThreeWayAlignment:
    return ThreeWayAlignment.from_rows("CGT-CAA--", "C--GCACT-", "C-TGCAATT")


def test_the_example_of_the_paper_reads_as_printed() -> None:
    table = example()
    assert table.conserved.nonzero()[0].tolist() == [0, 4, 5]
    assert table.conserved_length == 3
    assert table.regions == (Region((1, 3), (1, 2), (1, 3)), Region((5, 6), (4, 6), (5, 8)))
    assert contents(table) == [
        (("G", "T"), ("G",), ("T", "G")),
        (("A",), ("C", "T"), ("A", "T", "T")),
    ]
    assert ["".join(map(str, row)) for row in table.rows()] == [
        "CGT-CAA--",
        "C--GCACT-",
        "C-TGCAATT",
    ]
    kinds = EditKind
    assert table.verdicts == (
        kinds.KEPT,
        kinds.FIRST_INSERT,
        kinds.SECOND_DELETE,
        kinds.FIRST_DELETE,
        kinds.KEPT,
        kinds.KEPT,
        kinds.MIXED,
        kinds.FIRST_DELETE,
        kinds.BOTH_DELETE,
    )


def test_the_texts_of_the_example_align() -> None:
    a, b, o = "CGTCAA", "CGCACT", "CTGCAATT"
    pairwise, exact = align_three(a, b, o), align_three(a, b, o, lcs="threeway")
    # As printed, but for the column that holds A, C and A.
    assert str(pairwise).splitlines() == [
        "C G T - C A - A - -",
        "C - - G C A C - - T",
        "C - T G C A - A T T",
    ]
    assert pairwise.conserved_length == example().conserved_length
    assert exact.conserved_length == pairwise.conserved_length + 1


@settings(max_examples=100, deadline=None)
@given(TEXT, TEXT, TEXT, st.sampled_from(WAYS))
def test_every_alignment_obeys_the_definitions(a: str, b: str, o: str, way: ThreeWayLcs) -> None:
    table = align_three(a, b, o, lcs=way)
    rows = table.rows(gap=None)
    assert len(rows[0]) == len(rows[1]) == len(rows[2]) == len(table)
    for row, text in zip(rows, (a, b, o), strict=True):
        assert "".join(str(token) for token in row if token is not None) == text
    columns = list(zip(*rows, strict=True))
    assert (None, None, None) not in columns
    for column in columns:  # nothing is ever substituted
        assert len({token for token in column if token is not None}) == 1
    conserved = [None not in column for column in columns]
    assert table.conserved.tolist() == conserved
    runs = "".join(" x"[not kept] for kept in conserved).split()
    assert len(table.regions) == len(runs)
    assert EditKind.MIXED not in table.verdicts
    # It can be read back from its rows.
    again = ThreeWayAlignment.from_rows(*table.rows())
    assert np.array_equal(again.columns, table.columns)
    assert again.regions == table.regions


@settings(max_examples=100, deadline=None)
@given(TEXT, TEXT, TEXT, st.sampled_from(WAYS))
def test_the_regions_are_those_of_the_columns(a: str, b: str, o: str, way: ThreeWayLcs) -> None:
    found = divergent_regions(*intern(a, b, o), lcs=way)
    regions = [Region((r[0], r[1]), (r[2], r[3]), (r[4], r[5])) for r in found.tolist()]
    assert regions == list(align_three(a, b, o, lcs=way).regions)


@settings(max_examples=100, deadline=None)
@given(TEXT, TEXT, TEXT)
def test_pairwise_columns_are_what_both_pairwise_alignments_keep(a: str, b: str, o: str) -> None:
    # Letters of their own at both ends leave nothing to cut.
    a, b, o = f"1{a}4", f"2{b}5", f"3{o}6"
    ids = intern(a, b, o)
    hunks = lcs_hunks(ids[2], ids[0]), lcs_hunks(ids[2], ids[1])
    assert np.array_equal(merge_hunks(*hunks), divergent_regions(*ids))
    kept = set(range(len(o)))
    for side in hunks:
        for start, end, _, _ in side.tolist():
            kept -= set(range(start, end))
    table = align_three(a, b, o)
    assert set(table.columns[table.conserved][:, 2].tolist()) == kept


@settings(max_examples=80, deadline=None)
@given(LINES, LINES, LINES)
def test_merging_anchored_hunks_gives_the_regions(
    a: list[Line], b: list[Line], o: list[Line]
) -> None:
    a, b, o = [("1",), *a, ("4",)], [("2",), *b, ("5",)], [("3",), *o, ("6",)]
    (x, x_lines), (y, y_lines), (z, z_lines) = flat(a), flat(b), flat(o)
    first, second, origin = intern(x, y, z)
    lines = (x_lines, y_lines, z_lines)
    hunks = (
        anchored_hunks(origin, z_lines, first, x_lines),
        anchored_hunks(origin, z_lines, second, y_lines),
    )
    assert np.array_equal(merge_hunks(*hunks), divergent_regions(first, second, origin, lines))
    assert len(align_three(x, y, z, lines=lines).regions) == len(merge_hunks(*hunks))


@settings(max_examples=80, deadline=None)
@given(TEXT, TEXT, TEXT)
def test_threeway_conserves_a_longest_subsequence_of_all_three(a: str, b: str, o: str) -> None:
    longest = len(three_way_lcs_ids(*intern(a, b, o)))
    assert align_three(a, b, o, lcs="threeway").conserved_length == longest
    assert align_three(a, b, o).conserved_length <= longest


@settings(max_examples=80, deadline=None)
@given(TEXT, TEXT, TEXT, st.text("abcxy", max_size=8), st.text("abcxy", max_size=8))
def test_a_shared_beginning_in_other_letters_changes_no_region(
    a: str, b: str, o: str, head: str, tail: str
) -> None:
    head, tail = head.upper(), tail.upper()
    for way in WAYS:
        before = align_three(a, b, o, lcs=way)
        after = align_three(head + a + tail, head + b + tail, head + o + tail, lcs=way)
        assert contents(after) == contents(before)


@settings(max_examples=80, deadline=None)
@given(TEXT, TEXT, TEXT, st.text("ab", max_size=8))
def test_a_shared_beginning_in_the_same_letters_changes_no_region(
    a: str, b: str, o: str, head: str
) -> None:
    assert contents(align_three(head + a, head + b, head + o)) == contents(align_three(a, b, o))


@settings(max_examples=80, deadline=None)
@given(LINES, LINES, LINES, st.booleans())
def test_fresh_shared_lines_between_conserved_ones_change_no_region(
    a: list[Line], b: list[Line], o: list[Line], anchored: bool
) -> None:
    texts = [flat(lines) for lines in (a, b, o)]
    starts = [lines for _, lines in texts]
    lines = (starts[0], starts[1], starts[2]) if anchored else None
    before = align_three(*(tokens for tokens, _ in texts), lines=lines)
    kept = before.columns[before.conserved].tolist()
    bounds = [c for c in kept if all(p in s for p, s in zip(c, starts, strict=True))]
    # Fresh lines carry the place in the origin, so that all three get the same.
    names = [{c[k]: c[2] for c in bounds} for k in range(3)]
    new = []
    for k, text in enumerate((a, b, o)):
        out: list[Line] = []
        for line, start in zip(text, starts[k].tolist(), strict=True):
            if start in names[k]:
                out.extend([(f"new {names[k][start]}",), ("fresh", f"{names[k][start]}")])
            out.append(line)
        new.append(flat(out))
    new_lines = (new[0][1], new[1][1], new[2][1]) if anchored else None
    after = align_three(*(tokens for tokens, _ in new), lines=new_lines)
    assert contents(after) == contents(before)
    assert after.conserved_length == before.conserved_length + 3 * len(bounds)


def test_what_both_insert_at_one_place_shares_columns() -> None:
    table = align_three("aXYZb", "aXZWb", "ab")
    assert str(table) == "a X Y Z - b\na X - Z W b\na - - - - b"
    assert [kind.name for kind in table.verdicts] == [
        "KEPT",
        "BOTH_INSERT",
        "FIRST_INSERT",
        "BOTH_INSERT",
        "SECOND_INSERT",
        "KEPT",
    ]
    assert [kind.name for kind in align_three("", "", "x").verdicts] == ["BOTH_DELETE"]


def test_tokens_may_be_anything_hashable_or_identities() -> None:
    table = align_three([("x",), None, 2], [None, 2.0], [None])
    assert str(table) == "('x',) None 2\n-      None 2.0\n-      None -"
    ids = np.array([7, 8], dtype=np.uint64)
    assert align_three(ids, ids[:1], ids).regions == (Region((1, 2), (1, 1), (1, 2)),)


def test_three_empty_sequences_have_an_empty_alignment() -> None:
    for way in WAYS:
        table = align_three("", "", "", lcs=way)
        assert (len(table), table.regions, table.conserved_length) == (0, (), 0)
    assert str(table) == "\n\n"


def test_tables_that_are_none_are_refused() -> None:
    with pytest.raises(CodekinError, match="equally long, but these hold 2, 1 and 2 tokens"):
        ThreeWayAlignment.from_rows("ab", "a", "ab")
    with pytest.raises(CodekinError, match="column 2 holds gaps only"):
        ThreeWayAlignment.from_rows("a-", "a-", "--")
    with pytest.raises(CodekinError, match=r"have the shape \(n, 3\)"):
        ThreeWayAlignment("a", "a", "a", np.zeros(3, dtype=np.int32))
    with pytest.raises(CodekinError, match="the second row does not hold every position"):
        ThreeWayAlignment("a", "ab", "a", np.zeros((1, 3), dtype=np.int32))


def test_unknown_ways_and_wrong_lines_are_refused() -> None:
    ids = intern("ab", "ab", "ac")
    with pytest.raises(CodekinError, match="lcs must be 'pairwise' or 'threeway', not 'diff'"):
        align_three("a", "b", "c", lcs="diff")  # type: ignore[arg-type]
    with pytest.raises(CodekinError, match="not 'diff'"):
        divergent_regions(*ids, lcs="diff")  # type: ignore[arg-type]
    wrong = np.array([0, 5], dtype=np.int32)
    with pytest.raises(CodekinError, match="lines do not fit the three sequences"):
        align_three("ab", "ab", "ac", lines=(wrong, wrong, wrong))
    with pytest.raises(CodekinError, match="too long for an exact three-way"):
        align_three("ab" * 500, "ba" * 500, "xab" * 500, lcs="threeway")
