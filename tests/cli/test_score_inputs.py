from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Process

CODE = "def f(x):\n    return 2 * x\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    def write(name: str, rows: list[dict[str, Any]]) -> None:
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))

    write("gold.jsonl", [{"task_id": i, "canonical_solution": CODE} for i in range(3)])
    write("small.jsonl", [{"task_id": i, "completion": "x = 1\n"} for i in range(2)])
    write("large.jsonl", [{"task_id": i, "completion": f"```\n{CODE}```"} for i in range(3)])
    write("wrong.jsonl", [{"task_id": i, "txt": CODE, "gold": CODE} for i in range(3)])
    return tmp_path


def test_systems_and_references(files: Path, command: Process) -> None:
    words = ["score", "small.jsonl", "large.jsonl", "-r", "gold.jsonl", "--on", "task_id"]
    words += ["-l", "python", "-m", "nes", "-o", "run"]
    done = command(*words)
    assert done.returncode == 0
    assert "columns: candidate = completion (small.jsonl, large.jsonl)" in done.stderr
    lines = done.stdout.splitlines()
    assert any(line.split()[:3] == ["small", "nes", "3"] for line in lines)
    assert any(line.split()[:3] == ["large", "nes", "3"] for line in lines)
    assert "small: 1 of 3 rows has no candidate and counts as 0" in done.stdout
    assert "large: 3 of 3 rows have Markdown fences" in done.stdout
    assert "This compares 3 candidates with all that is around the code" in done.stdout
    assert "large: 0 % of the candidates and 100 % of the references parse" in done.stdout

    again = command(*words, "--extract-code", "first")
    assert again.returncode == 2
    assert "--overwrite" in again.stderr
    again = command(*words, "--extract-code", "first", "--overwrite", "--format", "json")
    document = json.loads(again.stdout)
    assert [(one["group"], one["missing"]) for one in document["groups"]] == [
        ("small", 1),
        ("large", 0),
    ]
    assert document["measures"][0]["signature"].startswith("nes|extract:first|codekin")
    assert document["groups"][1]["candidates_parsed"] == 1.0
    assert document["missing"] == "zero"

    resumed = command("score", "--resume", "run")
    assert resumed.returncode == 0
    assert "scored before" in resumed.stdout
    summary = command("summarize", "run", "--by", "group", "--missing", "skip")
    assert "small: 1 of 3 rows has no candidate and is left out" in summary.stderr
    assert "large: 100 % of the candidates and 100 % of the references parse" in summary.stdout
    best = command("summarize", "run", "--samples", "best")
    assert "the best score counts" in best.stdout


def test_a_truncated_row_says_that_its_task_is_also_without_a_candidate(
    files: Path, command: Process
) -> None:
    with (files / "small.jsonl").open("a") as small:
        small.write('{"task_id": 2, "comple\n')
    words = ["score", "small.jsonl", "large.jsonl", "-r", "gold.jsonl", "--on", "task_id"]
    done = command(*words, "-l", "python", "-m", "nes", "-o", "run")
    assert "small: 1 of 4 rows has no candidate and counts as 0" in done.stdout
    [reason] = [line for line in done.stdout.splitlines() if "not JSON" in line]
    assert "its id is unknown, so its task may be counted again" in reason


def test_wrong_columns_write_nothing(files: Path, command: Process) -> None:
    done = command("score", "wrong.jsonl", "-o", "run")
    assert done.returncode == 2
    assert "no column for the candidate" in done.stderr
    assert "the columns are: task_id, txt, gold" in done.stderr
    assert not (files / "run").exists()
    done = command("score", "wrong.jsonl", "-o", "run", "-m", "nes", "--columns", "candidate=txt")
    assert done.returncode == 0


def test_strict_fails_for_missing_candidates(files: Path, command: Process) -> None:
    words = ["score", "small.jsonl", "-r", "gold.jsonl", "-m", "nes", "-o", "run", "--strict"]
    assert command(*words).returncode == 1


def test_lines_of_text(files: Path, command: Process) -> None:
    (files / "hyp.txt").write_text("x = 1\ny = 2\n")
    (files / "ref.txt").write_text("x = 1\ny = 2\n")
    done = command("score", "hyp.txt", "-r", "ref.txt", "-l", "python", "-m", "bleu", "-o", "run")
    assert done.returncode == 0
    assert "1.0000" in done.stdout
    done = command("score", "hyp.txt", "-o", "other")
    assert "--references FILE" in done.stderr


def test_names_are_recognized_by_other_commands(files: Path, command: Process) -> None:
    rows = [{"prediction": CODE, "target": CODE, "outcome": i % 2} for i in range(4)]
    (files / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = command("evaluate", "outcomes", "rows.jsonl", "-m", "nes", "-l", "python")
    assert "candidate = prediction, reference = target" in done.stderr
    assert "candidate" not in done.stdout.partition("no score")[2]
    (files / "rows.jsonl").write_text('{"anchr": "x", "positive": "y", "negative": "z"}\n')
    done = command("evaluate", "triplets", "rows.jsonl", "-m", "nes")
    assert done.returncode == 2
    assert "did you mean 'anchor'" in done.stderr
