from __future__ import annotations

from typing import Any

import pytest

from codekin.errors import CodekinError
from codekin.runs.column_names import resolve_columns
from codekin.runs.settings import FIELDS


def resolve(row: dict[str, Any], given: dict[str, str] | None = None, role: str = "rows") -> Any:
    return resolve_columns([row], given or {}, fields=FIELDS, where="a.jsonl", role=role)


@pytest.mark.parametrize(
    ("row", "columns"),
    [
        ({"candidate": "x", "reference": "y"}, {}),
        ({"prediction": "x", "target": "y"}, {"candidate": "prediction", "reference": "target"}),
        ({"candidate": "x", "reference": "y", "Model": "m"}, {"group": "Model"}),
        ({"candidate": "x", "reference": "y", "passed": True}, {"outcome": "passed"}),
        ({"candidate": "x", "reference": "y", "success": "no"}, {"outcome": "success"}),
        ({"output": "x", "gold": "y"}, {"candidate": "output", "reference": "gold"}),
        ({"generation": "x", "answer": "y"}, {"candidate": "generation", "reference": "answer"}),
        (
            {"hypothesis": "x", "old": "o", "new": "y"},
            {"candidate": "hypothesis", "reference": "new", "origin": "old"},
        ),
        (
            {"instance_id": 7, "candidate": "x", "before": "o", "after": "y"},
            {"reference": "after", "origin": "before", "id": "instance_id"},
        ),
        (
            {"Candidate": "x", "REFERENCE": "y"},
            {"candidate": "Candidate", "reference": "REFERENCE"},
        ),
        ({"candidate": "x", "gold": ["y", "z"]}, {"references": "gold"}),
        (
            {"patch": "x", "fixed": "y", "buggy": "o"},
            {"candidate": "patch", "reference": "fixed", "origin": "buggy"},
        ),
        ({"generated": "x", "gold": "y"}, {"candidate": "generated", "reference": "gold"}),
        ({"generated code": "x", "reference": "y"}, {"candidate": "generated code"}),
        ({"candidate": "x", "reference": "y", "lang": "Java"}, {"language": "lang"}),
        ({"candidate": "x", "reference": "y", "lang": "en"}, {}),
        # More common names come first.
        ({"output": "x", "patch": "p", "reference": "y"}, {"candidate": "output"}),
        (
            {"task_id": 1, "problem_id": 2, "output": "x", "reference": "y"},
            {"candidate": "output", "id": "task_id"},
        ),
        ({"problem_id": 1, "candidate": "x", "reference": "y"}, {"id": "problem_id"}),
        (
            {"Task ID": 1, "candidate": "x", "canonical-solution": "y"},
            {"reference": "canonical-solution", "id": "Task ID"},
        ),
        ({"taskId": 1, "candidate": "x", "reference": "y"}, {"id": "taskId"}),
        # The field itself wins, and a number is no text.
        ({"candidate": "x", "output": "n", "reference": "y", "gold": "g"}, {}),
        ({"prediction": 1, "output": "x", "reference": "y"}, {"candidate": "output"}),
        ({"id": "1", "task_id": "t", "candidate": "x", "reference": "y"}, {}),
    ],
)
def test_recognized_names(row: dict[str, Any], columns: dict[str, str]) -> None:
    found = resolve(row)
    assert found.columns == columns
    assert found.recognized == columns


def test_what_the_user_says_wins() -> None:
    row = {"prediction": "x", "output": "n", "reference": "y", "task_id": "t"}
    found = resolve(row, {"candidate": "output", "id": ""})
    assert found.columns == {"candidate": "output", "id": ""}
    assert found.recognized == {}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"prediction": "x", "output": "y", "reference": "z"}, "'prediction' or 'output'"),
        ({"canddiate": "x", "reference": "y"}, "did you mean 'candidate'"),
        ({"text": "x", "reference": "y"}, "no column for the candidate"),
        ({"candidate": "x", "wanted": "y"}, "no column for the reference"),
        ({"candidate": "x", "reference": "y", "orgin": "o"}, "did you mean 'origin'"),
        ({"candidate": "x", "reference": "y", "langauge": "c"}, "did you mean 'language'"),
        ({"candidate": "x", "reference": "y", "wieght": 1}, "did you mean 'weight'"),
        ({"candidate": "x", "reference": "y", "Groups": 1}, "did you mean 'group'"),
        ({'{"candidate": "x"': "y"}, "looks like JSON lines"),
    ],
)
def test_refused(row: dict[str, Any], message: str) -> None:
    with pytest.raises(CodekinError, match=message):
        resolve(row)


@pytest.mark.parametrize(
    "row",
    [
        {"candidate": "x", "reference": "y", "height": 1, "mode": "m", "round": 2},
        {"candidate": "x", "reference": "y", "group": "g", "model": "m"},
        {"candidate": "x", "reference": "y", "model": "m", "system": "s"},  # either may be it
        {"candidate": "x", "reference": "y", "system": "Answer in Python.\nBe brief."},
        {"candidate": "x", "reference": "y", "outcome": 1, "passed": 0},
        {"candidate": "x", "reference": "y", "passed": 1, "correct": 0},
        {"candidate": "x", "reference": "y", "correct": "the solution", "pass": [1]},
        {"candidate": "x", "reference": "y", "group": "g", "groups": "h"},  # the field is there
    ],
)
def test_other_columns_are_left_alone(row: dict[str, Any]) -> None:
    assert resolve(row).columns == {}


def test_a_column_that_is_no_typo() -> None:
    row = {"candidate": "x", "reference": "y", "outcomes": "many"}
    assert resolve(row, {"outcome": ""}).columns == {"outcome": ""}


def test_one_of_several_names() -> None:
    said = {"candidate": "answer|generated code"}
    assert resolve({"answer": "x", "reference": "y"}, said).columns == {"candidate": "answer"}
    both = {"answer": "x", "generated code": "z", "reference": "y"}
    with pytest.raises(CodekinError, match="has 'answer' and 'generated code', so"):
        resolve(both, said)
    with pytest.raises(CodekinError, match=r"no column 'answer\|generated code' for candidate"):
        resolve({"text": "x", "reference": "y"}, said)
    named = {"answer|generated code": "x", "answer": "z", "reference": "y"}
    assert resolve(named, said).columns == said


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            {"my text": "def f(x):\n    return x", "reference": "y", "kind": "easy"},
            r"'my text' looks like code .*--columns 'candidate=my text' or .*: 'my text'}",
        ),
        (
            {"a": "f(x)", "b": "int x;", "note": "an answer"},
            "'a' and 'b' look like code .*--columns candidate=a or ",
        ),
        ({"note": "fine", "reference": "y"}, "for the candidate .*--columns candidate=NAME or"),
        (
            {"patch": "diff --git a/x b/x\n", "reference": "y"},
            "no column for the candidate",
        ),
    ],
)
def test_a_column_that_looks_like_code_is_proposed(row: dict[str, Any], message: str) -> None:
    with pytest.raises(CodekinError, match=message):
        resolve(row)


def test_a_named_column_must_exist() -> None:
    with pytest.raises(CodekinError, match="no column 'orig' for origin"):
        resolve({"candidate": "x", "reference": "y"}, {"origin": "orig"})


def test_more_names_where_the_role_is_known() -> None:
    assert resolve({"task_id": 1, "solution": "x"}, role="candidates").columns == {
        "candidate": "solution",
        "id": "task_id",
    }
    assert resolve({"task_id": 1, "code": "x"}, role="references").columns == {
        "reference": "code",
        "id": "task_id",
    }


def test_columns_that_are_not_read_are_named() -> None:
    record = {"candidate": "x", "reference": "y", "passed": 1, "correct": 1, "level": "easy"}
    dropped = {"test": "x" * 2000, "inputs": [1], "about": {"a": 1}, "empty": None}
    names = resolve_columns([record | dropped], {}, fields=FIELDS, where="a.jsonl")
    assert names.notes == (
        "no outcome is read, since 'passed' and 'correct' may each be it; --columns "
        "outcome=passed (columns={'outcome': 'passed'}) says which",
        "not read where they are long texts, lists or objects: test, inputs, about",
    )
    named = {"outcome": "correct"}
    assert len(resolve_columns([record], named, fields=FIELDS, where="a.jsonl").notes) == 0
