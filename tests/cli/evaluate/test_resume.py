"""Runs of judgements, with the engine as it is: stopped, resumed, and judged again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest


def triplet(i: int) -> dict[str, Any]:
    texts = {
        "anchor": f"print(a + {i})",
        "positive": f"print({i} + a)" if i % 3 else f"print({i} * c)",
        "negative": f"print({i} - b)",
    }
    programs = {role: {"language": "python", "code": text} for role, text in texts.items()}
    return {"id": f"t{i}", "problem": f"p{i % 6}", **programs}


def edit(i: int) -> dict[str, Any]:
    return {
        "id": f"r{i}",
        "group": f"model {i % 3}",
        "task": i % 8,
        "language": "python",
        "outcome": i % 2,
        "candidate": f"x = {i % 2} + {i % 5}",
        "reference": f"x = 1 + {i % 8}",
    }


def program(i: int) -> dict[str, Any]:
    code = f"def f(a, b):\n    c = a + {i}\n    return max(c, b * {i})\n"
    return {"id": f"p{i}", "language": "python", "code": code}


def without_costs(document: dict[str, Any]) -> dict[str, Any]:
    """Times are others each time."""
    for one in document["measures"].values():
        one.pop("costs", None)
    return document


@pytest.mark.parametrize(
    ("name", "make", "words"),
    [
        ("triplets", triplet, ()),
        ("outcomes", edit, ("--perturb", "prefix:20-30", "--task", "task")),
        ("card", program, ()),
    ],
)
def test_a_run_is_resumed_and_judged_again(cli, tmp_path, name, make, words) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(json.dumps(make(i)) + "\n" for i in range(24)))
    run = tmp_path / "run"
    common = ("--resamples", 100, "--format", "json", "-w", 1)
    options = ("-m", "bleu", "-m", "ed", "--shard-rows", 10)

    def judged(*more: str | Path) -> dict[str, Any]:
        result = cli("evaluate", name, *more, *common)
        assert result.exit_code == 0, result.output
        return without_costs(json.loads(result.stdout))

    first = judged(rows, "-o", run, *options, *words)
    assert list(first["measures"])[:2] == ["bleu", "ed"]
    (run / "shards" / "000001.parquet").unlink()
    assert judged("--resume", run, *words) == first
    task = words[2:]
    assert judged(run, *task) == first
    others = cli("evaluate", name, run, "-m", "nes")
    assert "judged under the measures that it was scored by" in str(others.exception)
    again = cli("evaluate", name, run, "-o", tmp_path / "again")
    assert "judging it writes no other; leave --output out" in str(again.exception)


def test_a_run_of_another_kind_is_refused(cli, tmp_path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(json.dumps(triplet(i)) + "\n" for i in range(12)))
    run = tmp_path / "run"
    words = ("evaluate", "triplets", rows, "-o", run, "-m", "nes", "-w", 1, "--resamples", 50)
    assert cli(*words).exit_code == 0
    result = cli("evaluate", "outcomes", run)
    assert "is a run of triplets, and holds no rows with outcomes" in str(result.exception)
    assert cli("evaluate", "outcomes", "--resume", run).exit_code != 0
