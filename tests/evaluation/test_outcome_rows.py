"""Edits as they are and perturbed."""

import json

import pytest

import codekin
from codekin import CodekinError
from codekin.evaluation.outcomes import Edits, check_perturbation

CODE = "def f(a, b):\n    total = a + b\n    return total\n"


def edit(**fields):
    return {
        "id": "e",
        "language": "python",
        "origin": CODE,
        "reference": CODE.replace("+", "-"),
        "candidate": CODE.replace("+", "*"),
        "outcome": 0,
        **fields,
    }


def scored(rows, perturb=None, seed=0, **options):
    view = Edits(perturb, seed)
    return codekin.score(rows, ["length", "nes"], view=view, workers=0, **options)


def test_untouched_and_equal_rows_are_noted_up_to_layout_and_comments():
    rows = [
        edit(candidate="# nothing done\n" + CODE.replace(" + ", "+")),
        edit(candidate=CODE.replace("+", "-")),
        edit(),
        edit(references=[CODE, "x = 1"], reference=None, candidate="x = 1  # one"),
    ]
    fields = [json.loads(text) for text in scored(rows).table().column("fields").to_pylist()]
    assert [(one["unchanged"], one["equal"]) for one in fields] == [
        (True, False),
        (False, True),
        (False, False),
        (False, True),
    ]


def test_without_an_origin_nothing_is_said_of_it():
    row = {key: value for key, value in edit().items() if key != "origin"}
    [text] = scored([row]).table().column("fields").to_pylist()
    assert json.loads(text) == {"equal": False}


def test_a_prefix_stands_before_all_texts_of_a_row_and_differs_between_rows():
    rows = scored([edit(), edit(references=[CODE, CODE], reference=None)], "prefix:20-30").table()
    prefixes = set()
    for row in rows.to_pylist():
        prefix = row["candidate"].removesuffix(CODE.replace("+", "*"))
        assert 20 <= len(prefix) <= 30
        assert set(prefix) <= set("abcdef \n")
        assert all(text.startswith(prefix) for text in (*row["references"], row["origin"]))
        assert row["language"] == "python"
        prefixes.add(prefix)
    assert len(prefixes) == 2


def test_the_seed_decides_the_prefix():
    texts = [
        scored([edit()], "prefix:50", seed).table().column("candidate").to_pylist()
        for seed in (0, 0, 1)
    ]
    assert texts[0] == texts[1] != texts[2]


def test_a_row_with_a_problem_keeps_it():
    run = scored([edit(), edit(candidate=3)], "prefix:9")
    problems = run.table(["problem"]).column("problem").to_pylist()
    assert problems[0] is None and problems[1] is not None


def test_a_perturbed_run_can_be_resumed(tmp_path):
    rows = [edit(candidate="def (((" if i % 2 else edit()["candidate"]) for i in range(6)]
    scored(rows, "prefix:9", output=tmp_path / "run", shard_rows=2)
    (tmp_path / "run" / "shards" / "000002.parquet").unlink()
    run = scored(rows, "prefix:9", output=tmp_path / "run", shard_rows=2, resume=True)
    assert run.rows == 6
    assert run.complete


@pytest.mark.parametrize("word", ["prefix:20-30", "prefix:5"])
def test_perturbations_have_names(word):
    check_perturbation(word)


@pytest.mark.parametrize(
    "word", ["prefix", "prefix:", "prefix:30-20", "prefix:1-99999999", "operator", "locals", ""]
)
def test_others_are_refused(word):
    with pytest.raises(CodekinError, match="perturbation"):
        check_perturbation(word)


def test_a_prefix_of_endless_digits_is_no_perturbation():
    with pytest.raises(CodekinError, match="unknown perturbation"):
        check_perturbation("prefix:" + "9" * 5000)
