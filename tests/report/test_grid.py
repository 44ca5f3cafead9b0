from __future__ import annotations

from rich.console import Console

from codekin.report.grid import Grid, latex, markdown, terminal

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


def test_columns_can_be_left_out() -> None:
    slim = GRID.without(("rows", "group"))
    assert slim.heads == ("group", "measure", "a long head of a column", "value")
    assert slim.rows[0] == ("x & y_1", "bleu", "[-0.1, +0.2]", "0.5")
