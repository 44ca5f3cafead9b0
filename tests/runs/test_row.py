from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin import measure
from codekin.runs.row import read_row, whole_characters
from codekin.runs.rows import Record
from codekin.runs.settings import Settings

SETTINGS = Settings((measure("nes"),), max_bytes=1000)
GOOD = {"id": "1", "language": "python", "candidate": "x", "reference": "y"}


def read(**changes):
    fields = {name: value for name, value in (GOOD | changes).items() if value is not ...}
    return read_row(Record("rows.jsonl, line 7", fields), 6, SETTINGS)


def test_a_good_row() -> None:
    row = read(group="g", weight="2.5", outcome=True, origin="", note="n", tests=["a"], n=3)
    assert row.problem is None
    assert (row.candidate, row.references, row.origin) == ("x", ("y",), "")
    assert (row.language, row.reference_language) == ("python", "python")
    assert (row.group, row.weight, row.outcome) == ("g", 2.5, 1.0)
    assert json.loads(row.fields) == {"note": "n", "n": 3}


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"candidate": 5}, "candidate must be a text, not a number"),
        ({"candidate": ["x"]}, "candidate must be a text, not a list"),
        ({"candidate": b"x"}, "candidate must be a text, not bytes"),
        ({"candidate": None}, "'candidate' is null"),
        ({"candidate": ...}, "no field 'candidate' (it has: id, language, reference; columns="),
        ({"reference": ...}, "no field 'reference'"),
        ({"reference": ..., "references": "y"}, "references must be a list of texts, not a text"),
        ({"reference": ..., "references": []}, "references is an empty list"),
        ({"reference": ..., "references": ["y", None]}, "references[1] must be a text, not null"),
        ({"references": ["y"]}, "has both 'reference' and 'references'"),
        ({"candidate": "a\nb\0"}, "candidate holds a NUL byte (line 2)"),
        ({"origin": 1}, "origin must be a text, not a number"),
        ({"language": "klingon"}, "unknown language 'klingon'; did you mean 'kotlin'?"),
        ({"reference_language": "klingon"}, "unknown language 'klingon'"),
        ({"language": ["python"]}, "language must be a text, not a list"),
        ({"group": {"a": 1}}, "group must be a text, not an object"),
        ({"weight": "much"}, "weight must be a number, not 'much'"),
        ({"weight": -1}, "weight must not be negative, and is -1"),
        ({"weight": 10**400}, "weight must be a finite number"),
        ({"weight": 1e308}, "weight must be a number up to 1e+100, not 1e+308"),
        ({"candidate": "é" * 500}, "its texts have 1,001 bytes together; the limit"),
    ],
)
def test_what_is_wrong_is_said(changes, problem) -> None:
    row = read(**changes)
    assert row.problem is not None
    assert row.problem.startswith(f"rows.jsonl, line 7: {problem}")
    assert row.id == "1"
    assert (row.candidate, row.weight) == (None, None)


@pytest.mark.parametrize(
    ("outcome", "problem"),
    [
        ("maybe", "outcome must be a number, not 'maybe'"),
        ([1], "outcome must be a number, not a list"),
        (10**400, "outcome must be a finite number"),
        (-1e308, "outcome must be a number up to 1e+100, not -1e+308"),
    ],
)
def test_a_row_whose_outcome_cannot_be_read_is_kept(outcome, problem) -> None:
    row = read(outcome=outcome, note="n")
    assert (row.problem, row.candidate, row.outcome) == (None, "x", None)
    assert json.loads(row.fields) == {
        "note": "n",
        "outcome_problem": f"rows.jsonl, line 7: {problem}",
    }


@pytest.mark.parametrize(
    ("identity", "expected"),
    [("a", "a"), (5, "5"), (..., "7"), (None, "7"), ("", "7"), ([], "7"), (math.nan, "7")],
)
def test_ids(identity, expected) -> None:
    assert read(id=identity).id == expected


@pytest.mark.parametrize("nothing", [None, "", float("nan"), ...])
def test_nothing_is_given_in_many_ways(nothing) -> None:
    row = read(group=nothing, weight=nothing, outcome=nothing, language=nothing)
    assert row.problem is None
    assert (row.group, row.weight, row.outcome, row.language) == (None,) * 4


def test_of_very_many_fields_some_are_named() -> None:
    problem = read(candidate=..., **{f"c{i}": 1 for i in range(99)}).problem
    assert "c14, c15, c16 and 82 others; columns=" in problem


def test_an_unreadable_row_keeps_its_place() -> None:
    row = read_row(Record("a.csv, line 9", None, "3 fields where the header has 4"), 4, SETTINGS)
    assert (row.id, row.problem) == ("5", "a.csv, line 9: 3 fields where the header has 4")
    assert row.reference_key is None


def test_a_bad_candidate_still_belongs_to_its_task() -> None:
    row = read(candidate=5)
    assert row.problem
    assert row.reference_key == read().reference_key
    assert read(candidate="x" * 2000).reference_key == read().reference_key
    assert read(reference="x" * 2000).reference_key is None


def test_halves_of_characters_are_in_no_field() -> None:
    assert json.loads(read(**{"x\ud800": "y\ud800"}).fields) == {"x\ufffd": "y\ufffd"}


def test_long_fields_are_left_out() -> None:
    assert json.loads(read(a="x" * 1000, b="x" * 1001, c=float("inf"), d=None).fields) == {
        "a": "x" * 1000
    }


def test_the_reference_key_tells_tasks_apart() -> None:
    assert read(candidate="other").reference_key == read().reference_key
    keys = {
        read().reference_key,
        read(origin="").reference_key,
        read(origin="y").reference_key,
        read(reference="z").reference_key,
        read(reference=..., references=["y", ""]).reference_key,
        read(reference=..., references=["", "y"]).reference_key,
    }
    assert len(keys) == 6


@given(st.text(st.characters(codec=None), max_size=20))
def test_whole_characters_can_be_written(text) -> None:
    whole = whole_characters(text)
    assert whole.encode("utf-8").decode("utf-8") == whole
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        assert whole != text
    else:
        assert whole == text


@given(
    st.dictionaries(
        st.text(),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
            lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
            max_leaves=5,
        ),
    )
)
def test_no_record_raises(fields) -> None:
    row = read_row(Record("here", GOOD | fields), 0, SETTINGS)
    assert (row.problem is None) == (row.candidate is not None)
    json.loads(row.fields)
