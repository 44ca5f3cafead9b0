from __future__ import annotations

import json

import pytest
from tests.evaluation.partly_tested import made

from codekin import plan_tests, score


def test_a_plan_without_rows(cli):
    done = cli("plan", "--width", 0.1, "--rate", 0.3, "-r", 0.87)
    assert done.exit_code == 0, done.output
    assert "322" in done.stdout
    assert "93" in done.stdout
    assert not done.stderr


def test_rows_to_test_next_are_written_and_come_back(cli, command, tmp_path):
    rows = made(600, 1, 60)
    run = score(rows, "nes", output=tmp_path / "run", workers=0)
    file = tmp_path / "next.jsonl"
    done = cli("plan", run.path, "--width", 0.12, "--next", file)
    assert done.exit_code == 0, done.output
    assert f"rows to test next: {file}" in done.stderr
    later = [json.loads(line) for line in file.read_text().splitlines()]
    expected = plan_tests(rows, "nes", width=0.12, workers=0).next
    assert [one["id"] for one in later] == [one.id for one in expected]
    truth = {row["id"]: row["truth"] for row in rows}
    file.write_text(
        "".join(json.dumps({**one, "outcome": truth[one["id"]]}) + "\n" for one in later)
    )
    again = cli("estimate", run.path, "--outcomes", file, "--format", "json")
    document = json.loads(again.stdout)
    assert document["drawn"] is True
    assert document["tested"] == 60 + len(later)
    # Outcomes that were filled in are not lost.
    refused = command("plan", run.path, "--next", file)
    assert refused.returncode == 2
    assert "exists and may have outcomes" in refused.stderr


def test_without_a_file_it_says_how_to_name_one(cli, tmp_path):
    run = score(made(600, 1, 60), "nes", output=tmp_path / "run", workers=0)
    done = cli("plan", run.path, "--format", "json")
    assert json.loads(done.stdout)["systems"][0]["tested"] == 60
    assert "name a file with --next" in done.stderr


@pytest.mark.parametrize(
    ("tested", "width", "why"),
    [(40, 0.1, "every row is tested"), (30, 0.9, "enough rows are tested for this width")],
)
def test_if_nothing_is_left_to_test_nothing_is_written(cli, tmp_path, tested, width, why):
    run = score(made(40, 1, tested), "nes", output=tmp_path / "run", workers=0)
    file = tmp_path / "next.jsonl"
    for words in (("--next", file), ()):
        done = cli("plan", run.path, "--width", width, *words)
        assert done.exit_code == 0, done.output
        assert f"codekin: nothing is left to test, since {why}\n" in done.stderr
        assert "test next" not in done.stderr
    assert not file.exists()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((), "nothing to plan from"),
        (("--rate", "2"), "rate must be from 0 to 1"),
        (("--rate", ".5", "--next", "next.jsonl"), "name the rows to draw from"),
        (("--rate", ".5", "--next", "next.csv"), "are written to .jsonl"),
        (("--rate", ".5", "--next", "missing/next.jsonl"), "there is no folder"),
    ],
)
def test_what_cannot_be_planned_is_an_error(command, words, why):
    done = command("plan", *words)
    assert done.returncode == 2
    assert why in done.stderr
