from __future__ import annotations

import csv
import io
import json
import shlex

import pytest
from tests.cli.evaluate.tiny_rows import triplet, write

from codekin import Run
from codekin.errors import CodekinError
from codekin.evaluation.triplets import evaluate_triplets

FAST = ("-w", 1)


def test_defaults(cli, tmp_path) -> None:
    rows = write(tmp_path / "rows.jsonl", map(triplet, range(12)))
    run = tmp_path / "run"
    result = cli("evaluate", "triplets", rows, "-o", run, "--format", "json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert (document["resamples"], document["seed"], document["level"]) == (2000, 0, 0.95)
    assert list(document["measures"])[:3] == ["exact", "ed", "nes"]  # every one
    asked = Run(run).manifest["asked"]
    assert (asked["columns"], asked["language"], asked["texts"]) == ({}, None, True)
    assert (asked["max_bytes"], asked["max_seconds"]) == (1_000_000, 600)


TOGETHER = """
import os, time
from pathlib import Path


def together(candidate, reference):
    Path(f"worker-{os.getpid()}").touch()
    until = time.monotonic() + 10
    while len(list(Path().glob("worker-*"))) < 2 and not Path("alone").exists():
        if time.monotonic() > until:
            Path("alone").touch()
        time.sleep(0.01)
    return 1.0
"""


def test_every_option_arrives(cli, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "metric_of_two.py").write_text(TOGETHER)  # waits for a second worker
    rows = [
        {
            "first": f"put(a + {i});",
            "positive": f"put({i} + a);",
            "negative": f"put({i} - b);",
            "task": f"p{i % 5}",
        }
        for i in range(280)
    ]
    rows[5]["negative"] = None
    write(tmp_path / "a.jsonl", rows[:140])
    write(tmp_path / "b.jsonl", rows[140:])
    words = (
        *("a.jsonl", "b.jsonl", "-m", "bleu:order=2", "-m", "metric_of_two:together", "-o", "run"),
        *("--columns", "anchor=first, problem=task", "-l", "c", "-w", 2, "--no-texts"),
        *("--seed", 9, "--format", "json"),
    )
    result = cli("evaluate", "triplets", *words)
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert (document["resamples"], document["seed"], document["level"]) == (2000, 9, 0.95)
    assert (document["triplets"], document["problems"], document["excluded"]) == (280, 5, 1)
    assert list(document["measures"]) == ["bleu:order=2", "metric_of_two:together"]
    assert list(document["pairs"]) == ["c"]
    assert "no field 'negative'" in result.stderr
    run = Run("run")
    asked = run.manifest["asked"]
    assert asked["columns"] == {"anchor": "first", "problem": "task"}
    assert (asked["language"], asked["texts"]) == ("c", False)
    assert [one["path"] for one in run.manifest["input"]["files"]] == ["a.jsonl", "b.jsonl"]
    assert run.table(["candidate"]).column(0).null_count == run.rows
    assert len(list(tmp_path.glob("worker-*"))) == 2


def test_a_run_is_resumed_by_its_folder_alone(cli, tmp_path) -> None:
    rows = write(tmp_path / "rows.jsonl", map(triplet, range(12)))
    run = tmp_path / "run"
    settings = {"language": "c", "shard_rows": 8, "workers": 0, "resamples": 10}
    evaluate_triplets(rows, ["nes", "bleu:order=2"], output=run, **settings)
    manifest = Run(run).manifest
    shard = run / "shards" / "000001.parquet"
    was = shard.read_bytes()
    shard.unlink()
    result = cli("evaluate", "triplets", "--resume", run, "--seed", 3, *FAST, "--format", "json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert (document["triplets"], document["seed"]) == (12, 3)
    assert list(document["measures"]) == ["nes", "bleu:order=2"]
    assert shard.read_bytes() == was
    assert Run(run).manifest["asked"] == manifest["asked"]
    assert Run(run).manifest["input"] == manifest["input"]
    result = cli("evaluate", "triplets", "--resume", run, "-o", tmp_path / "other")
    assert "either --output for a new run or --resume" in str(result.exception)
    assert not (tmp_path / "other").exists()


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


def test_an_interrupt_says_how_to_go_on(cli, interrupted, tmp_path, monkeypatch) -> None:
    write(tmp_path / "rows.jsonl", map(triplet, range(12)))
    done = interrupted("triplets", "rows.jsonl", "-o", "my run")
    go_on = "codekin evaluate triplets -m slow:slow --resume 'my run'"
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == f"codekin: stopped; resume with: {go_on}\n"
    monkeypatch.chdir(tmp_path)
    result = cli(*shlex.split(go_on)[1:], *FAST, "--format", "json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["measures"]["slow:slow"]["n"] == 12


def test_an_interrupt_without_a_folder_keeps_nothing(interrupted, tmp_path) -> None:
    write(tmp_path / "rows.jsonl", map(triplet, range(12)))
    done = interrupted("triplets", "rows.jsonl")
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == (
        "codekin: stopped; nothing is kept, since no folder was named (--output)\n"
    )
    assert not list((tmp_path / "temporary").glob("codekin-*"))


def test_formats(cli, run_of) -> None:
    words = ("evaluate", "triplets", run_of("triplets-languages"), "--seed", 7)
    words = (*words, "--format")
    document = json.loads(cli(*words, "json").stdout)
    cpp = document["pairs"]["cpp"]
    nes, bleu = (cpp["measures"][label]["cohens_d"] for label in ("nes", "bleu"))
    assert 0 < nes < bleu
    assert rf"cpp & {nes:.3f} & \textbf{{{bleu:.3f}}}" in cli(*words, "latex").stdout
    assert f"| cpp | {nes:.3f} | **{bleu:.3f}** |" in cli(*words, "markdown").stdout
    shown = cli(*words, "csv").stdout
    assert shown.startswith("languages,measure,n,failed,cohens_d,")
    records = [
        one
        for one in csv.DictReader(io.StringIO(shown))
        if (one["languages"], one["measure"]) == ("cpp", "nes")
    ]
    assert [float(one["cohens_d"]) for one in records] == [nes]
    shown = cli(*words, "table").stdout
    assert "Cohen's d, across languages" in shown
    assert "2,000 resamples of problems, seed 7" in shown
    assert "\x1b" not in shown


def test_what_fails_is_an_error_where_asked(cli, run_of) -> None:
    words = ("evaluate", "triplets", "--format", "json")
    assert cli(*words, run_of("triplets-broken")).exit_code == 0
    result = cli(*words, run_of("triplets-broken"), "--strict")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["excluded"] == 2
    assert "codekin: 2 of 18 triplets could not be used at all" in result.stderr
    assert "codekin: no score: no field 'anchor' (it has: id, problem, " in result.stderr
    assert "(2 times, first row t3, " in result.stderr
    assert cli(*words, run_of("triplets"), "--strict").exit_code == 0


def test_leaks_are_named(cli, run_of) -> None:
    words = ("evaluate", "triplets", run_of("triplets-broken"))
    result = cli(*words, "--format", "json")
    assert (
        "codekin: 2 triplets with nearly the same text in two roles (anchor and positive: 1, "
        "anchor and negative: 1), which may reverse every result: t4, t8\n"
    ) in result.stderr
    leaks = json.loads(result.stdout)["confounds"]["leaks"]
    assert [(one["triplet"], one["problem"], one["roles"]) for one in leaks["named"]] == [
        ("t4", "p4", "anchor and positive"),
        ("t8", "p2", "anchor and negative"),
    ]
    assert "Leaks" in cli(*words).stdout
    assert not cli("evaluate", "triplets", run_of("triplets")).stderr


def test_a_judgement_of_nothing_is_an_error(cli, run_of) -> None:
    words = ("evaluate", "triplets", run_of("triplets-nothing"))
    result = cli(*words)
    assert result.exit_code == 1
    assert "codekin: 12 of 12 triplets could not be used at all" in result.stderr
    assert "codekin: not one triplet could be scored; see the reasons above" in result.stderr
    assert not result.stdout.strip()  # tables of dashes tell nothing
    result = cli(*words, "--format", "json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["measures"]["nes"]["n"] == 0
    result = cli("evaluate", "triplets", run_of("triplets-none"))
    assert result.exit_code == 1
    assert result.stderr == "codekin: there is no triplet\n"
