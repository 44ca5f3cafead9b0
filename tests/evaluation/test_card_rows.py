"""Programs become a row for each change that they admit."""

import pytest

import codekin
from codekin.evaluation.card import Changes
from codekin.rewrite import BREAKING, PRESERVING

CODE = (
    "def f(a, b):\n    # add\n    if a > 10:\n        print(a, b)\n    total = a + b\n"
    "    return total\n\n\ndef g(x):\n    return f(x, 2)\n"
)


def scored(rows, **options):
    return codekin.score(rows, ["length", "exact"], view=Changes(3), workers=0, **options)


def test_each_change_is_a_row_against_the_program_itself():
    run = scored([{"id": "p", "language": "python", "code": CODE}])
    table = run.table().to_pylist()
    assert [row["group"] for row in table] == [*PRESERVING, *BREAKING]
    assert {row["references"][0] for row in table} == {CODE}
    assert all(row["candidate"] != CODE for row in table)
    assert table[0]["id"] == "p/locals"
    assert set(run.labels_of("program")) == {"p"}


def test_changes_that_a_program_does_not_admit_are_no_rows():
    run = scored([{"id": "a", "language": "python", "code": "x = 1\n"}, {"code": CODE}])
    groups = run.table(["row", "group"]).to_pylist()
    assert "functions" not in [row["group"] for row in groups if row["row"] < Changes.most]
    assert len([row for row in groups if row["row"] >= Changes.most]) == Changes.most
    assert set(run.labels_of("language")) == {"python"}


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"id": "x", "language": "python"}, "no field 'code'"),
        ({"code": 3, "language": "python"}, "code must be a text, not a number"),
        ({"code": None, "language": "python"}, "code must be a text, not null"),
        ({"code": "def (((", "language": "python"}, "no change could be made"),
        ({"code": "puts 1", "language": "ruby"}, "must parse and be in one of"),
        ({"code": "", "language": "python"}, "no change could be made"),
    ],
)
def test_what_cannot_be_changed_is_recorded(row, said):
    run = scored([row])
    [problem] = run.table(["problem"]).column("problem").to_pylist()
    assert said in problem


def test_a_record_that_cannot_be_changed_for_a_fault_of_ours_ends_nothing(monkeypatch):
    def fails(source, change, seed=0):
        if change == "layout" and "g" in source.text:
            raise UnicodeDecodeError("utf-8", b"", 0, 1, "on purpose")
        return source.text + "\nx = 1\n"

    monkeypatch.setattr("codekin.evaluation.card.rewrite", fails)
    rows = [{"id": name, "language": "python", "code": f"{name} = 1"} for name in "agb"]
    run = scored(rows)
    problems = [problem for problem in run.table(["problem"]).column(0).to_pylist() if problem]
    assert len(problems) == 1
    assert "UnicodeDecodeError" in problems[0]
    assert run.rows == Changes.most * 2 + 2
