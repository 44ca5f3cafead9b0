from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from codekin.align.three_way import ThreeWayAlignment, align_three
from codekin.report.adequacy_examples import three_way_text

TEXTS = st.lists(st.sampled_from(["a", "bb", "\n", "=", "ccc"]), max_size=12)


def rows_of(drawn: str) -> dict[str, list[str]]:
    """The cells of each row, over all blocks."""
    rows: dict[str, list[str]] = {}
    for line in filter(None, drawn.splitlines()):
        name, *cells = line.split()
        rows.setdefault(name, []).extend(cells)
    return rows


@given(TEXTS, TEXTS, TEXTS, st.sampled_from([20, 40, 100]))
def test_nothing_but_long_shared_runs_is_left_out(first, second, origin, width) -> None:
    drawn = three_way_text(align_three(first, second, origin), width)
    rows = rows_of(drawn)
    for name, tokens in (("origin", origin), ("reference", first), ("candidate", second)):
        cells = [cell for cell in rows.get(name, []) if cell != "·"]
        if not any("…" in cell for cell in cells):
            assert cells == ["⏎" if token == "\n" else token for token in tokens]
    assert all(len(line) <= width for line in drawn.splitlines())


def test_marks_and_regions() -> None:
    table = align_three("axyde", "axze", "abcde")
    rows = rows_of(three_way_text(table))
    assert rows["edit"] == ["++", "+r", "+c", "--", "--", "-c"]
    assert set(rows["region"]) == {"1"}
    mixed = ThreeWayAlignment.from_rows("CGT-CAA--", "C--GCACT-", "C-TGCAATT")
    rows = rows_of(three_way_text(mixed))
    assert rows["region"] == ["1"] * 3 + ["2"] * 3
    assert "?" in rows["edit"]


def test_long_shared_runs_are_elided_beside_edits_alone() -> None:
    shared = [f"t{i}" for i in range(30)]
    drawn = three_way_text(align_three([*shared, "x", *shared], shared * 2, shared * 2))
    assert rows_of(drawn)["origin"] == ["…27…", "t27", "t28", "t29", "·", "t0", "t1", "t2", "…27…"]
    same = three_way_text(align_three(shared, shared, shared))
    assert rows_of(same)["origin"] == ["…30…"]


def test_control_characters_do_not_reach_the_terminal() -> None:
    drawn = three_way_text(align_three(["\x1b[31m"], ["\t"], ["a"]))
    assert "\x1b" not in drawn and "\t" not in drawn


def test_empty_texts_draw_nothing() -> None:
    assert three_way_text(align_three([], [], [])) == ""
