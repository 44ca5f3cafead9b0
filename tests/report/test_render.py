from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from codekin.report.render import csv_of, html_of, latex, markdown, terminal
from codekin.results import Column, Grid, Names

GRID = Grid(
    "A title",
    ("group", "measure", "rows", "a long head of a column", "value"),
    (("x & y_1", "bleu", "1,000", "[-0.1, +0.2]", "0.5"), ("a|b\n<c>", "ed ↓", "7", "–", "-3.00")),
    keys=2,
)


def shown(grid: Grid, width: int) -> list[str]:
    console = Console(width=width, no_color=True)
    with console.capture() as capture:
        console.print(terminal(grid, width))
    return [line.rstrip() for line in capture.get().splitlines()]


def test_a_wide_terminal_shows_one_table() -> None:
    lines = shown(GRID, 100)
    assert lines[0] == "A title"
    assert lines[2].split("  ")[0] == "group"
    assert sum("group" in line for line in lines) == 1
    assert all(text in "\n".join(lines) for text in ("1,000", "[-0.1, +0.2]", "-3.00"))


def test_a_narrow_terminal_shows_more_tables_and_cuts_none() -> None:
    lines = shown(GRID, 40)
    assert max(map(len, lines)) <= 40
    heads = [line for line in lines if line.startswith("group")]
    assert len(heads) == 3
    assert all("measure" in head for head in heads)
    text = "\n".join(lines)
    assert "…" not in text
    assert all(cell in text for cell in ("a long head of a column", "[-0.1, +0.2]", "-3.00"))


def test_a_terminal_too_narrow_for_a_column_folds_it() -> None:
    lines = shown(GRID, 18)
    assert max(map(len, lines)) <= 18
    assert "…" not in "\n".join(lines)


LONG = "organisation/some-model-of-a-long-name"
IDS = Grid(
    "Rows",
    ("measure", "id of A", "id of B", "A", "B"),
    tuple(
        ("codebleu", f"{LONG}-7b-{i} (+2)", f"{LONG}-70b-instruct-{i}", "0.5000", "1.0000")
        for i in range(12)
    ),
    keys=3,
)


def folded(lines: list[str], ends: tuple[int, int]) -> str:
    """What a column says, its folds joined."""
    return "".join(line[slice(*ends)].strip() for line in lines)


def test_long_keys_are_folded_where_that_saves_a_cut() -> None:
    lines = shown(IDS, 80)
    assert max(map(len, lines)) in (79, 80)  # no narrower than it must be
    assert len([line for line in lines if line.startswith("codebleu")]) == 12
    assert lines[2].split() == ["measure", "id", "of", "A", "id", "of", "B", "A", "B"]
    first, second = lines[2].index("id of A"), lines[2].index("id of B")
    assert folded(lines[4:6], (first, second)) == f"{LONG}-7b-0 (+2)"
    assert folded(lines[4:6], (second, 66)) == f"{LONG}-70b-instruct-0"


def test_long_keys_leave_room_where_a_table_must_be_cut() -> None:
    figures = tuple(f"figure {i} of ten" for i in range(10))
    grid = Grid("", ("group", *figures), ((LONG * 3, *figures), ("b", *figures)))
    lines = shown(grid, 80)
    assert max(map(len, lines)) <= 80
    assert len([line for line in lines if line.startswith("b ")]) == 5  # two at a time


@given(
    st.lists(st.text("ab1-/_é漢", max_size=40), min_size=1, max_size=6, unique=True),
    st.integers(20, 60),
)
def test_names_are_whole_in_any_terminal(names, width) -> None:
    grid = Grid("", ("name", "n"), tuple((name, "1234") for name in names))
    lines = shown(grid, width)
    assert max(map(cell_len, lines)) <= width
    assert "".join("".join(lines[2:]).replace("1234", "").split()) == "".join(names)


def test_cells_cannot_move_the_cursor() -> None:
    grid = Grid("\x1b[2J", ("name", "n"), (("a\x1b[31m", "1"),))
    for text in ("\n".join(shown(grid, 60)), markdown(grid), latex(grid)):
        assert "\x1b" not in text


def test_markdown_keeps_a_row_a_row() -> None:
    lines = markdown(GRID).splitlines()
    assert lines[0] == "**A title**"
    assert lines[3] == "|:--|:--|--:|--:|--:|"
    assert lines[4] == r"| x & y\_1 | bleu | 1,000 | [-0.1, +0.2] | 0.5 |"
    assert lines[5] == r"| a\|b \<c> | ed ↓ | 7 | – | -3.00 |"
    assert len(lines) == 6


def test_latex_escapes_and_sets_minus_signs() -> None:
    lines = latex(GRID).splitlines()
    assert lines[0] == "% A title"
    assert r"\begin{tabular}{llrrr}" in lines
    assert r"x \& y\_1 & bleu & 1,000 & [$-$0.1, +0.2] & 0.5 \\" in lines
    assert (
        r"a\textbar{}b \textless{}c\textgreater{} & ed $\downarrow$ & 7 & -- & $-$3.00 \\" in lines
    )
    hard = latex(Grid("", ("#%$", "n"), ((r"\~^{}", "1"), ("[x]", "gpt-4-0613"))))
    assert r"\#\%\$ & n \\" in hard
    assert r"\textbackslash{}\textasciitilde{}\textasciicircum{}\{\} & 1 \\" in hard
    assert r"{}[x] & gpt-4-0613 \\" in hard  # a bracket after the end of a row is no argument


def test_cells_stand_out() -> None:
    grid = Grid("", ("name", "a", "b"), (("x*", "1|2", "3_4"),), strong=frozenset({(0, 2)}))
    assert markdown(grid).splitlines()[-1] == r"| x\* | 1\|2 | **3\_4** |"
    assert r"x* & 1\textbar{}2 & \textbf{3\_4} \\" in latex(grid)
    assert markdown(without(grid, "a")).splitlines()[-1] == r"| x\* | **3\_4** |"
    assert "**" not in markdown(without(grid, "b"))
    console = Console(width=40, force_terminal=True, color_system="standard")
    with console.capture() as capture:
        console.print(terminal(grid, 40))
    assert "\x1b[1m3_4\x1b[0m" in capture.get()


def without(grid: Grid, head: str) -> Grid:
    columns = tuple(Column(one, shown=one != head) for one in grid.columns)
    return replace(grid, columns=columns)


def test_columns_can_be_left_out() -> None:
    slim = without(GRID, "rows")
    assert slim.heads == ("group", "measure", "a long head of a column", "value")
    assert slim.rows[0] == ("x & y_1", "bleu", "[-0.1, +0.2]", "0.5")
    assert markdown(without(GRID, "group")).splitlines()[3] == "|:--|--:|--:|--:|"


def test_html_escapes_and_emphasises() -> None:
    grid = Grid("<t>", ("name", "a"), (("<b>\x1b", 0.5),), strong=frozenset({(0, 1)}))
    assert html_of([grid], ["1 < 2"]) == (
        "<table><caption>&lt;t&gt;</caption>"
        "<tr><th align=left>name</th><th align=right>a</th></tr>"
        "<tr><td align=left>&lt;b&gt;␛</td><td align=right><b>0.5000</b></td></tr></table>"
        "<p><small>1 &lt; 2</small></p>"
    )


def test_no_records_are_no_csv() -> None:
    assert csv_of(Grid("", ("a",), ())) == ""


def test_csv_quotes_what_it_must() -> None:
    grid = Grid("", ("group", "value"), (('a, "b"\nc', 1 / 3), ("é", None)))
    back = list(csv.DictReader(io.StringIO(csv_of(grid))))
    assert back[0]["group"] == 'a, "b"\nc'
    assert float(back[0]["value"]) == 1 / 3
    assert back[1] == {"group": "é", "value": ""}


def test_similarities_are_drawn_as_bars_in_terminals_alone() -> None:
    cells = ((1.0, "a"), (0.25, "b"))
    grid = Grid("", (Column("score", bar=True), "name"), cells, keys=2, note="most alike")
    assert shown(grid, 60)[:5] == [
        "most alike",
        " score            name",
        "─" * 22,
        "1.0000 ██████████ a",
        "0.2500 ██▌        b",
    ]
    assert markdown(grid).splitlines()[0] == "most alike"
    assert markdown(grid).splitlines()[3:5] == ["|--:|:--|", "| 1.0000 | a |"]
    assert latex(grid).startswith("% most alike\n")
    assert grid.records()[1] == {"score": 0.25, "name": "b"}


@pytest.mark.parametrize("width", [30, 40, 60, 100])
def test_lists_of_names_have_the_room_that_is_left(width) -> None:
    names = tuple(f"member-{i}.py" for i in range(30))
    cells = ((1, 30, "the-one-to-read-first.py", Names(names)), (2, 1, "other.py", Names(())))
    grid = Grid("", ("group", "size", "medoid", "members"), cells, keys=3)
    lines = shown(grid, width)
    assert max(map(len, lines)) <= width
    whole = " ".join(" ".join(lines).split())
    assert " more" in whole
    assert ("member-0.py" in whole) == (width >= 60)
    assert ("the-one-to-read-first.py" in whole) == (width >= 60)
    assert ", ".join(names) in markdown(grid)
    assert grid.records()[0]["members"] == ", ".join(names)


def test_texts_that_wrap_shorten_no_names_and_cut_no_table() -> None:
    words = "precision 0.5  recall 0.25  shared 12  reference length 20  lower bound 3"
    columns = ("measure", "score", Column("parts", wraps=True))
    grid = Grid("", columns, (("crystalbleu", "0.5000", words), ("ed", "3", "")))
    for width in (100, 60, 50):
        lines = shown(grid, width)
        assert max(map(len, lines)) <= width
        assert lines[0].split() == ["measure", "score", "parts"]
        assert lines[2].startswith("crystalbleu 0.5000 precision 0.5")
        *more, last = [line for line in lines[3:] if line]
        assert bool(more) == (width < 92)
        assert all(line.startswith(" " * 19) for line in more)
        assert last.split() == ["ed", "3"]
