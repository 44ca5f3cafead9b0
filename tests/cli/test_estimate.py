from __future__ import annotations

import csv
import io
import json

import pytest
from tests.evaluation.partly_tested import made

from codekin import estimate_rates, score


@pytest.fixture
def rows(tmp_path):
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in made()))
    return file


def test_it_prints_rates_and_differences(cli, rows):
    done = cli("estimate", rows, "-m", "nes", "-w", 1, "--task", "task")
    assert done.exit_code == 0, done.output
    found = estimate_rates(made(), "nes", workers=0, task="task")
    rate = found.rates[0]
    interval = rate.powered.interval
    assert f"{rate.powered.value:.3f}" in done.stdout
    assert f"[{interval.low:.3f}, {interval.high:.3f}]" in done.stdout
    assert "Differences, first minus second" in done.stdout
    assert f"nes: 120 tested rows are worth {rate.worth:,.0f}" in done.stdout
    assert not done.stderr


def test_a_run_and_outcomes_of_a_file(cli, command, tmp_path):
    run = score(
        [{name: row[name] for name in row if name != "outcome"} for row in made()],
        "nes",
        output=tmp_path / "run",
        workers=0,
    )
    tested = tmp_path / "tested.csv"
    lines = [f"{row['id']},{row['outcome']}" for row in made() if "outcome" in row]
    tested.write_text("\n".join(["id,outcome", *lines]) + "\n")
    done = cli("estimate", run.path, "--outcomes", tested, "--format", "json")
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    found = estimate_rates(made(), "nes", workers=0)
    assert document["rates"][0]["powered"]["value"] == found.rates[0].powered.value
    assert document["tested"] == 120
    without = command("estimate", run.path)
    assert without.returncode == 2
    assert "no row has an outcome" in without.stderr


def test_csv_has_a_record_per_system(cli, rows):
    done = cli("estimate", rows, "-m", "nes", "-w", 1, "--format", "csv")
    records = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [one["system"] for one in records] == ["", "model 0", "model 1"]
    assert float(records[0]["powered_interval_low"]) < float(records[0]["powered"])


def test_rows_that_cannot_be_scored_fail_a_strict_job(cli, tmp_path):
    rows = made()
    rows[0]["candidate"] = None
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    words = ("estimate", file, "-m", "nes", "-w", 1)
    assert cli(*words).exit_code == 0
    assert cli(*words, "--strict").exit_code == 1
    file.write_text("".join(json.dumps({**row, "candidate": None}) + "\n" for row in rows))
    nothing = cli(*words)
    assert nothing.exit_code == 1
    assert "not one row could be scored" in nothing.stderr


def test_warnings_are_printed_on_stderr(cli, tmp_path):
    file = tmp_path / "few.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in made(10, 1, 6)))
    done = cli("estimate", file, "-m", "nes", "-w", 1)
    assert done.exit_code == 0
    assert "codekin: fewer than 10 rows were tested" in done.stderr


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((), "nothing to judge by"),
        (("rows.jsonl",), "name the measure whose scores predict the outcomes"),
        (("rows.jsonl", "-m", "nes", "--against", "x"), "no row is of the system 'x'"),
    ],
)
def test_what_cannot_be_estimated_is_an_error(command, rows, words, why):
    done = command("estimate", *words)
    assert done.returncode == 2
    assert why in done.stderr


@pytest.mark.parametrize("name", ["estimate", "plan"])
def test_the_help_says_that_rows_need_a_measure_and_that_no_run_is_kept(cli, command, rows, name):
    shown = " ".join(cli(name, "-h", width=300).stdout.split())
    assert "Measures whose scores predict the outcomes" in shown
    assert "needed for rows" in shown
    assert "(default: all)" not in shown
    assert "codekin-run for score; others keep none" in shown
    assert "name the measure whose scores predict" in command(name, rows).stderr
