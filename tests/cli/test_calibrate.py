"""codekin calibrate, and codekin score --calibration."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from tests.evaluation.tested_edits import edits

from codekin import Run, apply_calibration, calibrate, load_calibration, score
from codekin.cli.options import ResultOptions
from codekin.cli.output import Rendering, emit


def write(rows, file):
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


@pytest.fixture
def rows(tmp_path):
    return write(edits(), tmp_path / "rows.jsonl")


def test_it_prints_tables_and_writes_the_calibration(cli, rows, tmp_path):
    file = tmp_path / "mine.json"
    done = cli("calibrate", rows, "-m", "nes", "--task", "task", "-w", 1, "-o", file)
    assert done.exit_code == 0, done.output
    expected = calibrate(rows, "nes", task="task", workers=0, name="mine")
    assert load_calibration(file) == expected
    whole = expected.judgements[0]
    assert "mine: probability of the outcome by nes (logistic)" in done.stdout
    assert f"{whole.brier:.3f}" in done.stdout
    assert "nes = 1" in done.stdout
    assert not done.stderr


def test_several_files_are_several_datasets(cli, tmp_path):
    files = [write(edits(120, seed=seed), tmp_path / f"part-{seed}.jsonl") for seed in range(3)]
    done = cli("calibrate", *files, "-m", "nes", "--task", "task", "-w", 1, "--format", "json")
    document = json.loads(done.stdout)
    assert [one["name"] for one in document["datasets"]] == ["part-0", "part-1", "part-2"]
    assert [one["held_out"] for one in document["judgements"]].count("dataset") == 3
    assert document["shift"] > 0


def test_a_page_has_a_reliability_diagram(cli, tmp_path):
    run = score(edits(), "nes", workers=0, output=tmp_path / "run")
    page = tmp_path / "page.html"
    done = cli("calibrate", run.path, "--task", "task", "-o", page)
    assert done.exit_code == 0, done.output
    text = page.read_text("utf-8")
    assert "Reliability" in text
    assert text.count('<g class="mark main">') == len(
        calibrate(run, task="task").judgements[0].bins
    )
    assert '<line class="reference"' in text


def test_scores_with_probabilities(cli, rows, tmp_path):
    calibration = calibrate(rows, "nes", task="task", workers=0, name="mine")
    calibration.to_json(tmp_path / "mine.json")
    file = tmp_path / "mine.json"
    run = tmp_path / "run"
    done = cli("score", rows, "-o", run, "--calibration", file, "-w", 1)
    assert done.exit_code == 0, done.output
    found = apply_calibration(run, calibration)
    assert f"expected rate by mine: {found.groups[0].p:.3f} [" in done.stdout
    assert Run(run).to_pandas()["p"].tolist() == found.p.tolist()
    assert [one.label for one in Run(run).measures] == ["nes"]
    # A run is not scored again, and another calibration replaces the first.
    calibrate(rows, "nes", task="task", workers=0, name="yours").to_json(file)
    again = cli("score", run, "--calibration", file, "--format", "json")
    assert json.loads(again.stdout)["calibrated"]["calibration"] == "yours"
    assert again.exit_code == 0


def test_what_does_not_fit_is_refused_before_anything_is_scored(command, rows, tmp_path):
    calibrate(rows, "nes", task="task", workers=0).to_json(tmp_path / "mine.json")
    run = tmp_path / "run"
    words = ("score", rows, "-o", run, "--calibration")
    other = command(*words, tmp_path / "mine.json", "-m", "bleu")
    assert (other.returncode, other.stdout) == (2, "")
    assert "takes the scores by nes; add --measure nes" in other.stderr
    missing = command(*words, tmp_path / "none.json")
    assert missing.returncode == 2
    assert "no such file; name a file that codekin calibrate wrote" in missing.stderr
    assert not run.exists()


def test_drift_is_reported(cli, rows, tmp_path):
    mine = tmp_path / "mine.json"
    cli("calibrate", rows, "-m", "nes", "--task", "task", "-w", 1, "-o", mine)
    wrong = [
        {"id": f"{i}", "language": "python", "candidate": "x", "reference": f"def f(x): {i}"}
        for i in range(60)
    ]
    file = write(wrong, tmp_path / "wrong.jsonl")
    done = cli("score", file, "-o", tmp_path / "run", "--calibration", mine, "-w", 1)
    assert done.exit_code == 0, done.output
    assert "expected rate by mine: 0.0" in done.stdout
    assert "these rows are unlike those of mine" in done.stderr


@pytest.mark.parametrize(
    "label", ["evil:metric", "sanslcs:inner=evil:metric", "bertscore:model=received"]
)
def test_nothing_is_loaded_because_a_calibration_names_it(
    cli, command, rows, tmp_path, monkeypatch, label
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    Path("evil.py").write_text("open('EXECUTED', 'w').close()\nraise ImportError\n")
    cli("calibrate", rows, "-m", "nes", "--task", "task", "-w", 1, "-o", "mine.json")
    Path("received.json").write_text(
        Path("mine.json").read_text().replace('"nes"', json.dumps(label))
    )
    done = command("score", rows, "-o", "run", "--calibration", "received.json", "-w", 1)
    assert done.returncode == 2
    assert f"mine takes the scores by {label}, which is not codekin's own" in done.stderr
    assert f"name the measures again: --measure {label}" in done.stderr
    assert not Path("EXECUTED").exists()
    assert not Path("run").exists()
    # What is typed is loaded.
    done = command(
        "score", rows, "-o", "run", "--calibration", "received.json", "-m", label, "-w", 1
    )
    assert done.returncode == 2
    assert Path("EXECUTED").exists() == ("evil" in label)


def test_without_rows_it_says_what_to_give(command):
    done = command("calibrate")
    assert done.returncode == 2
    assert "nothing to calibrate with" in done.stderr


def test_the_file_is_whole_even_if_nobody_reads_the_tables(tmp_path):
    def screen(console):
        raise BrokenPipeError

    options = ResultOptions(output=tmp_path / "mine.json", formats=("table", "json"))
    with pytest.raises(BrokenPipeError):
        emit(options, Rendering({"json": lambda: "{}"}, screen), beside=True)
    assert (tmp_path / "mine.json").read_text() == "{}"
