from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.report.judging.example_judgements import broken_triplets, many_languages, one_language

from codekin import score
from codekin.cli.output import Color
from codekin.errors import CodekinError


def test_defaults(cli, judging) -> None:
    result = cli("evaluate", "triplets", "rows.jsonl")
    assert result.exit_code == 0, result.output
    report = judging.given.pop("report")
    assert callable(report)
    assert judging.given == {
        "rows": "rows.jsonl",
        "resamples": 2000,
        "seed": 0,
        "level": 0.95,
        "workers": None,
        "output": None,
        "resume": False,
    }


def test_every_option_arrives(cli, judging) -> None:
    words = (
        *("a.jsonl", "b.jsonl", "-m", "bleu:order=2", "-m", "nes", "-o", "run", "-l", "c"),
        *("--columns", "anchor=first, problem=task", "-w", 3, "--max-bytes", 10),
        *("--max-seconds", 2.5, "--no-texts", "--shard-rows", 4, "--resamples", 50),
        *("--seed", 9, "--level", 0.9),
    )
    assert cli("evaluate", "triplets", *words).exit_code == 0
    given = judging.given
    assert given["rows"] == ["a.jsonl", "b.jsonl"]
    assert [repr(one) for one in given["measures"]] == [
        "measure('bleu', order=2)",
        "measure('nes')",
    ]
    assert given["columns"] == {"anchor": "first", "problem": "task"}
    assert (given["output"], given["resume"]) == (Path("run"), False)
    assert (given["language"], given["workers"], given["texts"]) == ("c", 3, False)
    assert (given["max_bytes"], given["max_seconds"], given["shard_rows"]) == (10, 2.5, 4)
    assert (given["resamples"], given["seed"], given["level"]) == (50, 9, 0.9)


def test_a_run_is_resumed_by_its_folder_alone(cli, judging, tmp_path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"id": "a", "language": "c", "candidate": "x;", "reference": "x;"}\n')
    run = score(rows, ["nes", "bleu:order=2"], output=tmp_path / "run", workers=0, language="c")
    result = cli("evaluate", "triplets", "--resume", run.path, "--seed", 3)
    assert result.exit_code == 0, result.output
    given = judging.given
    assert given["rows"] == [str(rows)]
    assert [repr(one) for one in given["measures"]] == [
        "measure('nes')",
        "measure('bleu', order=2)",
    ]
    assert (given["output"], given["resume"]) == (run.path, True)
    assert (given["language"], given["seed"]) == ("c", 3)
    result = cli("evaluate", "triplets", "--resume", run.path, "-o", tmp_path / "other")
    assert "either --output for a new run or --resume" in str(result.exception)


def test_nothing_to_judge_by(cli) -> None:
    result = cli("evaluate", "triplets")
    assert isinstance(result.exception, CodekinError)
    assert "nothing to judge by: name a file of triplets" in str(result.exception)


@pytest.mark.parametrize("command", [("triplets", "rows.jsonl"), ("card",)])
def test_a_measure_of_edits_is_sent_to_outcomes(cli, tmp_path, monkeypatch, command) -> None:
    (tmp_path / "edit_metric.py").write_text("def near(candidate, reference, origin): return 1.0\n")
    monkeypatch.chdir(tmp_path)
    result = cli("evaluate", *command, "-m", "edit_metric:near")
    assert isinstance(result.exception, CodekinError)
    assert str(result.exception).startswith("edit_metric:near: needs an origin, which ")
    assert str(result.exception).endswith(" do not have; judge it by outcomes")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("-o", "my run"), "go on with: codekin evaluate triplets --resume 'my run'"),
        ((), "nothing is kept, since no folder was named (--output)"),
    ],
)
def test_an_interrupt_says_how_to_go_on(cli, judging, words, said) -> None:
    judging.answers["evaluate_triplets"] = KeyboardInterrupt()
    result = cli("evaluate", "triplets", "rows.jsonl", *words)
    assert result.exit_code == 130
    assert result.stderr == f"codekin: stopped; {said}\n"


def test_formats(cli, judging) -> None:
    judging.answers["evaluate_triplets"] = many_languages()
    words = ("evaluate", "triplets", "rows.jsonl", "--format")
    assert json.loads(cli(*words, "json").stdout)["measures"]["bleu"]["cohens_d"] == 0.1
    assert r"cpp & 0.122 & \textbf{0.179}" in cli(*words, "latex").stdout
    assert "| cpp | 0.122 | **0.179** |" in cli(*words, "markdown").stdout
    assert cli(*words, "csv").stdout.startswith("languages,measure,n,failed,cohens_d,")
    shown = cli(*words, "table", "--color", Color.NEVER.value).stdout
    assert "Cohen's d, across languages" in shown
    assert "2,000 resamples of problems, seed 7" in shown


def test_what_fails_is_an_error_where_asked(cli, judging) -> None:
    judging.answers["evaluate_triplets"] = broken_triplets()
    assert cli("evaluate", "triplets", "rows.jsonl").exit_code == 0
    result = cli("evaluate", "triplets", "rows.jsonl", "--strict", "--format", "json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["excluded"] == 2
    assert "codekin: 2 of 40 triplets could not be used at all" in result.stderr
    assert "codekin: 23 triplets with nearly the same text in two roles" in result.stderr
    judging.answers["evaluate_triplets"] = one_language()
    assert cli("evaluate", "triplets", "rows.jsonl", "--strict").exit_code == 0


def test_a_judgement_of_nothing_is_an_error(cli, judging) -> None:
    broken = broken_triplets()
    nothing = replace(broken.overall, measures=broken.overall.measures[:2])
    judging.answers["evaluate_triplets"] = replace(broken, overall=nothing)
    result = cli("evaluate", "triplets", "rows.jsonl")
    assert result.exit_code == 1
    assert "codekin: not one triplet could be scored; see the reasons above" in result.stderr
    assert not result.stdout.strip()  # tables of dashes tell nothing
    assert json.loads(cli("evaluate", "triplets", "rows.jsonl", "--format", "json").stdout)
    empty = replace(broken, overall=nothing, excluded=0, failures=())
    judging.answers["evaluate_triplets"] = empty
    result = cli("evaluate", "triplets", "rows.jsonl")
    assert result.exit_code == 1
    assert "codekin: there is no triplet\n" in result.stderr
