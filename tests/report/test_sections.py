from __future__ import annotations

import numpy as np
from tests.report.judging.judgements import NOTHING, costs, estimate
from tests.report.judging.parts import content, lines
from tests.report.nasty import NASTY

from codekin.evaluation.cost import cost_section
from codekin.evaluation.judgement import in_words, matrix_grids
from codekin.report.plots.figures import picture
from codekin.report.render import page_of
from codekin.report.sections import Places, breakable, page_table
from codekin.results import UNKNOWN, Column, Grid, Interval, Names, Scatter, Section, ShownAs


def test_links_name_a_row_by_its_id_and_where_needed_its_number() -> None:
    link = (("pair", "a&b/positive"), ("measure", "bleu:order=2"))
    assert Places().href(link) == "#pair=a%26b%2Fpositive&measure=bleu%3Aorder%3D2"
    assert Places({"a": 9}).href((("pair", "a"),)) == "#pair=a&row=10"
    assert Places({"a": 9}).href((("pair", "b"),)) == "#pair=b"
    assert Places().href((("pair", "\ud800"),)) == "#pair=%3F"


def test_an_estimate_without_a_value_says_why() -> None:
    columns = ("measure", Column("d", digits=2))
    grid = Grid(
        "", columns, (("a", NOTHING), ("b", estimate(-0.5))), reasons=("only one row", None)
    )
    missing, known = (line["d"] for line in lines(grid))
    assert (missing.text, missing.title, missing.beneath) == ("–", "only one row", "")
    assert (known.text, known.beneath, known.title) == ("−0.50", "[−0.60, −0.41]", "")


def test_a_value_without_an_interval_says_so() -> None:
    assert in_words(0.5, UNKNOWN, 0.95) == "0.500, without an interval"


def test_columns_go_beneath_the_ones_before_them() -> None:
    columns = ("measure", "d", Column("95 %", beneath=True), Column("failed", optional=True))
    cells = (("gpt-4", 0.5, Interval(-0.25, 1.0), 3), ("b", 0.25, UNKNOWN, 0))
    table = page_table(Grid("", columns, cells, strong=frozenset({(0, 1)})))
    assert [head for head, _ in table.heads] == ["measure", "d", "failed"]
    first, second = table.rows
    assert (first[0].text, first[1].text, first[1].beneath) == (
        "gpt-4",
        "0.5000",
        "[−0.2500, 1.0000]",
    )
    assert (first[1].strong, second[1].strong) == (True, False)
    assert (first[2].kind, second[2].kind, second[1].beneath) == ("some", "", "")


def test_numbers_and_intervals_have_the_same_minus_sign() -> None:
    columns = ("name", "n", "value", Column("95 %"))
    table = page_table(Grid("", columns, (("gpt -4", -3, -0.5, Interval(-0.75, -0.25)),)))
    assert [cell.text for cell in table.rows[0]] == [
        "gpt -4",
        "−3",
        "−0.5000",
        "[−0.7500, −0.2500]",
    ]
    page = page_of(
        Section(
            "t",
            "from -1 to 1",
            content=(Scatter(title="m", caption="tau from -0.5", points=(), axes=("", "")),),
        ),
        ["at -2"],
    )
    for said in ("from −1 to 1", "tau from −0.5", "at −2"):
        assert said in page


def test_only_failures_stand_out_among_counts_that_may_be_missing() -> None:
    columns = ("name", Column("tagged", optional=True), Column("failed", optional=True))
    table = page_table(Grid("", columns, (("a", 2, 1),)))
    assert [cell.kind for cell in table.rows[0]] == ["", "", "some"]


def test_numbers_among_the_keys_are_aligned_to_the_right() -> None:
    grid = Grid("", ("what", "count", "cases"), (("a", 2, "x"), ("b", 0, "")), keys=3)
    assert page_table(grid).right == {1}
    page = page_of(Section("t", content=(grid,)), [])
    assert '<th scope="row" class="name right"><span>2</span></th>' in page


def test_names_beyond_the_keys_are_aligned_to_the_left() -> None:
    columns = ("what", "n", Column("within", beneath=True), "others")
    cells = (("a", 2, "", Names(("b", "c"))), ("d", 0, "", "none"))
    grid = Grid("", columns, cells)
    assert page_table(grid).left == {2}
    page = page_of(Section("t", content=(grid,)), [])
    assert '<th scope="col" class="names"><span>others</span></th>' in page
    assert '<td class=" names"><span>b,<wbr> c</span></td>' in page
    assert "<td><span>2</span>" in page


def test_numbers_stay_on_one_line() -> None:
    for text in ("[+0.0804, +0.3479]", "26/8/6", "1,234"):
        assert breakable(text) == text
    assert "<wbr>" in breakable("max-sum/python")


def test_a_matrix_has_words_in_place_of_missing_numbers() -> None:
    values = np.array([[1.0, np.nan, -0.5], [np.nan, 1.0, 0.25], [-0.5, 0.25, 1.0]])
    [grid] = matrix_grids("Scores", ["a", "b", "length"], values, "length", linked=True)
    table = page_table(grid, Places())
    first, *_ = table.rows
    assert table.kind == "matrix"
    assert [cell.text for cell in first] == ["a", "", "–", "−0.500"]
    assert "too few" in first[2].title
    assert [cell.kind for cell in first[1:]] == ["same", "none", "minus"]
    assert [cell.href for cell in first[1:]] == ["", "", "#x=length&y=a"]
    assert [head for head, _ in table.heads] == ["", "a", "b", "length only"]
    assert matrix_grids("Scores", ["a"], np.ones((1, 1)), "length") == []


def test_only_a_page_with_rows_has_links() -> None:
    grid = Grid("", ("row",), ((ShownAs("a", "a", link=(("pair", "a"),)),),))
    assert page_table(grid).rows[0][0].href == ""
    assert page_table(grid, Places()).rows[0][0].href == "#pair=a"


def test_names_break_between_their_parts_and_stay_text() -> None:
    assert breakable("a_b") == "a_<wbr>b"
    assert breakable("") == ""
    for name in NASTY:
        assert "<script" not in breakable(name)
        assert "<img" not in breakable(name)


def cost_table(section: Section) -> Grid:
    [grid] = content(section, Grid)
    return grid


def test_costs_are_drawn_of_what_has_a_time_and_a_value() -> None:
    quality = [("a", estimate(0.5)), ("b", NOTHING), ("c", estimate(0.2))]
    section = cost_section(quality, costs(["a", "b"]) | {"c": ()}, "d")
    assert [row[0] for row in cost_table(section).rows] == ["a"]
    [plot] = content(section, Scatter)
    assert picture(plot).count("<circle") == 1
    assert cost_section(quality, {}, "d").content == ()


def test_the_cheapest_measure_is_listed_first() -> None:
    section = cost_section(
        [("dear", estimate(0.9)), ("cheap", estimate(0.1))], costs(["cheap", "dear"]), "d"
    )
    assert [row[0] for row in cost_table(section).rows] == ["cheap", "dear"]
