"""Runs of judgements, with the engine as it is: stopped, resumed, and judged again."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.cli.evaluate.tiny_rows import edit, program, triplet, write

from codekin import evaluate_card, evaluate_outcomes, evaluate_triplets

PERTURBED = partial(evaluate_outcomes, perturb="prefix:20-30")


def without_costs(document: dict[str, Any]) -> dict[str, Any]:
    """Times are others each time."""
    for one in document["measures"].values():
        one.pop("costs", None)
    return document


@pytest.mark.parametrize(
    ("name", "judge", "make", "words"),
    [
        ("triplets", evaluate_triplets, triplet, ()),
        ("outcomes", PERTURBED, edit, ("--perturb", "prefix:20-30", "--task", "task")),
        ("card", evaluate_card, program, ()),
    ],
)
def test_a_run_is_resumed_and_judged_again(cli, tmp_path, name, judge, make, words) -> None:
    rows = write(tmp_path / "rows.jsonl", map(make, range(24)))
    run = tmp_path / "run"
    common = ("--format", "json", "-w", 1)

    def judged(*more: str | Path) -> dict[str, Any]:
        result = cli("evaluate", name, *more, *common)
        assert result.exit_code == 0, result.output
        return without_costs(json.loads(result.stdout))

    judge(rows, ["bleu", "ed"], output=run, shard_rows=10, workers=0)
    task = words[2:]
    first = judged(run, *task)
    assert list(first["measures"])[:2] == ["bleu", "ed"]
    (run / "shards" / "000001.parquet").unlink()
    assert judged("--resume", run, *words) == first
    assert judged(run, *task) == first
    others = cli("evaluate", name, run, "-m", "nes")
    assert "was not scored by nes" in str(others.exception)
    again = cli("evaluate", name, run, "-o", tmp_path / "again")
    assert "judging it writes no other one; leave out --output" in str(again.exception)


def test_a_run_of_another_kind_is_refused(cli, tmp_path) -> None:
    rows = write(tmp_path / "rows.jsonl", map(triplet, range(12)))
    run = tmp_path / "run"
    words = ("evaluate", "triplets", rows, "-o", run, "-m", "nes", "-w", 1)
    assert cli(*words).exit_code == 0
    result = cli("evaluate", "outcomes", run)
    assert "is a run of triplets, and has no rows with outcomes" in str(result.exception)
    assert cli("evaluate", "outcomes", "--resume", run).exit_code != 0
