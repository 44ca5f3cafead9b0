from __future__ import annotations

import json
from pathlib import Path

from tests.report.judging.example_judgements import broken_outcomes


def test_options_of_its_own(cli, judging) -> None:
    words = ("--perturb", "prefix:2000-3000", "--perturb", "locals", "--task", "task_id")
    result = cli("evaluate", "outcomes", "rows.jsonl", *words)
    assert result.exit_code == 0, result.output
    assert judging.given["perturb"] == ["prefix:2000-3000", "locals"]
    assert judging.given["task"] == "task_id"
    assert "Means by group" not in result.stdout
    assert "Means by group" in cli("evaluate", "outcomes", "rows.jsonl", "--groups").stdout
    assert {"perturb", "task"}.isdisjoint(judging.given)  # the engine knows its defaults
    assert cli("evaluate", "outcomes", "rows.jsonl", *words[:4], *words[:2]).exit_code == 0
    assert judging.given["perturb"] == ["prefix:2000-3000", "locals"]  # each once


def test_an_interrupt_repeats_what_the_run_does_not_tell(cli, judging) -> None:
    judging.answers["evaluate_outcomes"] = KeyboardInterrupt()
    words = ("--perturb", "locals", "--task", "my task", "--seed", 5)
    result = cli("evaluate", "outcomes", "rows.jsonl", "-o", "run", *words)
    assert result.exit_code == 130
    assert result.stderr == (
        "codekin: stopped; go on with: codekin evaluate outcomes --perturb=locals "
        "'--task=my task' --seed=5 --resume run\n"
    )


def test_formats(cli, judging) -> None:
    words = ("evaluate", "outcomes", "rows.jsonl", "--format")
    assert json.loads(cli(*words, "json").stdout)["measures"]["bleu"]["pearson"] == 0.2
    assert r"\textbf{0.300}" in cli(*words, "latex").stdout
    assert cli(*words, "csv").stdout.startswith("measure,rows,n,failed,pearson,")
    shown = cli(*words, "table").stdout
    assert "prefix:2000-3000: what each measure loses" in shown
    assert "ed, the best by Pearson's r, against the others" in shown


def test_strict(cli, judging) -> None:
    judging.answers["evaluate_outcomes"] = broken_outcomes()
    assert cli("evaluate", "outcomes", "rows.jsonl").exit_code == 0
    assert cli("evaluate", "outcomes", "rows.jsonl", "--strict").exit_code == 1


def test_the_folder_of_a_run_is_handed_over(cli, judging, tmp_path) -> None:
    assert cli("evaluate", "outcomes", tmp_path / "run").exit_code == 0
    assert judging.given["rows"] == str(tmp_path / "run")
    assert judging.given["output"] is None
    assert not Path(tmp_path / "run").exists()
