from __future__ import annotations

import dataclasses
import math
import sys
from dataclasses import dataclass, field
from typing import ClassVar

import pytest

from codekin import CodekinError, compare, score, summarize
from codekin.report.render import html_of
from codekin.results import (
    INLINED,
    LEFT_OUT,
    OPTIONAL,
    UNKNOWN,
    Column,
    Estimate,
    Grid,
    Interval,
    Result,
    as_document,
    interval_text,
    keyed,
    measure_cell,
    named,
    number_text,
    p_text,
    recorded,
    with_interval,
)


@pytest.mark.parametrize(
    ("value", "options", "shown"),
    [
        (0.5, {}, "0.5000"),
        (-0.00001, {}, "0.0000"),
        (0.00001, {"sign": True}, "0.0000"),
        (-0.25, {"sign": True}, "-0.2500"),
        (1234.5, {"distance": True}, "1234.50"),
        (0.12345, {"digits": 3}, "0.123"),
        (math.nan, {}, "–"),
        (-math.inf, {}, "-∞"),
    ],
)
def test_numbers(value, options, shown) -> None:
    assert number_text(value, **options) == shown


def test_intervals_and_p_values() -> None:
    assert interval_text(Interval(-0.1, 0.25), sign=True) == "[-0.1000, +0.2500]"
    assert interval_text(UNKNOWN) == "–"
    assert (p_text(0.00001), p_text(math.nan), p_text(0.05)) == ("<0.0001", "–", "0.0500")


NOTHING_KNOWN = Estimate(math.nan, UNKNOWN, UNKNOWN)
KNOWN = Estimate(0.5, Interval(0.4, 0.6), Interval(0.3, 0.7))


def test_documents_and_records_know_no_nan() -> None:
    assert as_document(NOTHING_KNOWN) == {"value": None, "percentile": None, "bca": None}
    grid = Grid("", ("value", "percentile"), ((math.nan, UNKNOWN),))
    assert set(grid.records()[0].values()) == {None}
    assert as_document(KNOWN) == {"value": 0.5, "percentile": [0.4, 0.6], "bca": [0.3, 0.7]}


def test_an_interval_without_an_end_is_none_in_json() -> None:
    assert as_document(Interval(0.0, math.inf)) is None
    assert as_document(Interval(0.0, 1.0)) == [0.0, 1.0]


def test_the_bca_interval_comes_first() -> None:
    assert KNOWN.known == KNOWN.bca
    assert dataclasses.replace(KNOWN, bca=UNKNOWN).known == KNOWN.percentile


def test_a_grid_formats_its_values_for_people_and_keeps_them_for_records() -> None:
    columns = (
        "measure",
        *recorded("signature"),
        Column("mean", "value"),
        Column("d", digits=3, sign=True),
        Column("p", p_values=True),
        Column("failed", optional=True),
        Column("odds", ""),
    )
    cells = (
        (measure_cell("ed", True), "ed|1", 12.5, KNOWN, 0.00001, 0, "1:2"),
        (measure_cell("nes", False), "nes|1", math.inf, NOTHING_KNOWN, math.nan, 1234, "–"),
    )
    grid = Grid("t", columns, cells)
    assert grid.heads == ("measure", "mean", "d", "p", "failed", "odds")
    assert grid.rows == (
        ("ed ↓", "12.50", "+0.500", "<0.0001", "", "1:2"),
        ("nes", "∞", "–", "–", "1,234", "–"),
    )
    assert grid.records()[0] == {
        "measure": "ed",
        "signature": "ed|1",
        "value": 12.5,
        "d": 0.5,
        "d_low": 0.3,
        "d_high": 0.7,
        "p": 0.00001,
        "failed": 0,
    }
    assert grid.records()[1]["value"] is None
    assert Grid("", columns, cells[:1]).heads == ("measure", "mean", "d", "p", "odds")


def test_emphasis_and_keys_follow_the_columns_that_are_shown() -> None:
    columns = (Column("a", shown=False), "b", *recorded("c"), "d")
    grid = Grid("", columns, (("1", "2", "3", "4"),), keys=2, strong=frozenset({(0, 3), (0, 2)}))
    assert (grid.texts.keys, grid.texts.strong) == (1, {(0, 1)})


@dataclass(frozen=True)
class Part:
    name: str = field(metadata=LEFT_OUT)
    size: int
    computed: ClassVar[dict[str, str]] = {"twice": "doubled"}

    @property
    def doubled(self) -> int:
        return 2 * self.size


@dataclass(frozen=True)
class Whole(Result):
    label: str = field(metadata=named("measure"))
    auc: Estimate = field(metadata=with_interval())
    d: Estimate = field(metadata=with_interval("ci"))
    parts: tuple[Part, ...] = field(metadata=keyed("name"))
    first: Part = field(metadata=INLINED)
    note: str | None = field(default=None, metadata=OPTIONAL)

    def grids(self) -> list[Grid]:
        return [Grid("Parts", ("name", "size"), tuple((p.name, p.size) for p in self.parts))]

    def notes(self) -> list[str]:
        return ["a <note>"]


WHOLE = Whole("bleu", KNOWN, NOTHING_KNOWN, (Part("x", 1), Part("y", 2)), Part("z", 3))


def test_a_section_has_the_grids_by_default() -> None:
    section = WHOLE.section()
    assert (section.title, section.parts) == ("Parts", ())
    assert list(section.content) == WHOLE.grids()
    page = WHOLE.to_html()
    assert page.count(">Parts<") == 1  # not again above the table
    assert "a &lt;note&gt;" in page


def test_a_document_is_made_from_the_fields() -> None:
    document = WHOLE.document()
    assert document.pop("codekin")
    assert document == {
        "measure": "bleu",
        "auc": 0.5,
        "auc_ci": [0.3, 0.7],
        "d": None,
        "ci": None,
        "parts": {"x": {"size": 1, "twice": 2}, "y": {"size": 2, "twice": 4}},
        "size": 3,
        "twice": 6,
    }
    assert dataclasses.replace(WHOLE, note="n").document()["note"] == "n"


def test_the_verbs_give_every_format_and_write_files(tmp_path) -> None:
    assert WHOLE.to_csv() == "name,size\nx,1\ny,2\n"
    assert WHOLE.to_markdown().endswith("| y | 2 |\n\na <note>\n")
    assert r"\begin{tabular}{lr}" in WHOLE.to_latex()
    assert WHOLE.to_json(tmp_path / "w.json") == (tmp_path / "w.json").read_text()
    assert "<p><small>a &lt;note&gt;</small></p>" in WHOLE._repr_html_()
    assert str(WHOLE).splitlines()[0] == "Parts"


def test_data_frames_have_a_row_per_record() -> None:
    frame = WHOLE.to_pandas()
    assert list(frame.columns) == ["name", "size"]
    assert frame["size"].tolist() == [1, 2]


def test_polars_frames_have_a_row_per_record() -> None:
    frame = WHOLE.to_polars()
    assert frame.columns == ["name", "size"]
    assert frame["size"].to_list() == [1, 2]
    mixed = Grid("", ("a", "b"), ((1, None), (0.5, 2), (None, "text")))
    shown = dataclasses.replace(WHOLE)
    object.__setattr__(shown, "table", lambda: mixed)
    assert shown.to_polars().height == 3


def test_without_polars_the_error_names_the_extra(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(CodekinError, match=r"to_polars needs polars.*codekin\[frames\]"):
        WHOLE.to_polars()


def test_heads_say_what_they_mean_on_hovering() -> None:
    grid = Grid("", ("name", Column("p", meaning='by <chance> & "luck"')), (("x", 0.5),))
    assert 'title="by &lt;chance&gt; &amp; &quot;luck&quot;"' in html_of([grid], [])


def test_a_conclusion_is_in_every_format_for_people() -> None:
    @dataclasses.dataclass(frozen=True)
    class Concluded(Result):
        def grids(self) -> list[Grid]:
            return [Grid("", ("name",), (("x",),))]

        def conclusion(self) -> list[str]:
            return ["A & B tie.", "Really_."]

    result = Concluded()
    assert result._repr_html_().startswith("<p><b>A &amp; B tie.</b></p><p>Really_.</p>")
    assert result.to_markdown().endswith("A & B tie.\n\nReally\\_.\n")
    assert result.to_latex().endswith("% A & B tie.\n% Really_.\n")
    assert str(result).endswith("\n\nA & B tie.\nReally_.")
    assert '<p class="first">A &amp; B tie.</p>' in result.to_html()


def test_without_pandas_the_error_names_the_extra(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(CodekinError, match=r"codekin\[frames\]"):
        WHOLE.to_pandas()


def test_a_summary_is_a_result() -> None:
    rows = [
        {"id": str(i), "language": "c", "candidate": "x;" * i, "reference": "x;"} for i in (1, 2)
    ]
    summary = summarize(score(rows, "nes", workers=0), resamples=10)
    assert summary.to_pandas()["value"][0] == summary.groups[0].measures[0].mean.value
    assert "<table>" in summary._repr_html_()
    assert "resamples of rows" in str(summary)


def test_a_file_that_cannot_be_written_is_an_error_for_people(tmp_path) -> None:
    result = compare("a = 1", "a = 2", measures="nes", language="python")
    result.to_json(tmp_path / "there.json")
    assert (tmp_path / "there.json").read_text().startswith("{")
    with pytest.raises(CodekinError, match=r"cannot be written \(No such file.*name a file in a"):
        result.to_json(tmp_path / "missing" / "there.json")


def test_a_page_has_every_table_and_escapes_what_it_shows(tmp_path) -> None:
    rows = [{"candidate": "x;", "reference": "y;", "language": "c", "group": "<b>&"}]
    summary = summarize(score(rows, "nes", workers=0), by="group")
    page = summary.to_html(tmp_path / "summary.html")
    assert (tmp_path / "summary.html").read_text("utf-8") == page
    assert page.startswith("<!doctype html>")
    assert "Content-Security-Policy" in page
    assert "<b>&" not in page
    assert "&lt;b&gt;&amp;" in page
    assert page.count("<table") == len(summary.grids())
