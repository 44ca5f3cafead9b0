from __future__ import annotations

import csv
import io
import json
import shutil

from tests.cli.evaluate.tiny_rows import edit, write

FAST = ("-w", 1)


def test_options_of_its_own(cli, run_of, tmp_path) -> None:
    run = tmp_path / "run"
    shutil.copytree(run_of("outcomes"), run)  # so that only what is new has to be scored
    perturb = ("--perturb", "prefix:20-30", "--perturb", "prefix:9", "--perturb", "prefix:20-30")
    words = (*perturb, "--task", "task", *FAST, "--format", "json")
    result = cli("evaluate", "outcomes", "--resume", run, *words)
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert document["perturbations"] == ["prefix:20-30", "prefix:9"]  # each once
    assert list(document["measures"]["nes"]["perturbed"]) == ["prefix:20-30", "prefix:9"]
    assert (document["task"], document["tasks"]) == ("task", 4)
    document = json.loads(cli("evaluate", "outcomes", run, "--format", "json").stdout)
    assert (document["task"], document["tasks"]) == ("reference", 8)
    assert (document["resamples"], document["seed"], document["level"]) == (2000, 0, 0.95)


def test_groups_are_shown_where_asked(cli, run_of) -> None:
    words = ("evaluate", "outcomes", run_of("outcomes"))
    assert "Means by group" not in cli(*words).stdout
    shown = cli(*words, "--by", "group").stdout
    assert "model 2" in shown[shown.index("Means by group") :]
    refused = cli(*words, "--by", "model")
    assert "--columns group=model --by group" in str(refused.exception)


def test_details_are_shown_where_asked_and_the_conclusion_last(cli, run_of) -> None:
    words = ("evaluate", "outcomes", run_of("outcomes"))
    shown = cli(*words).stdout
    assert "between the scores of measures" not in shown
    assert shown.splitlines()[-1].startswith(("bleu", "No measure"))
    assert "between the scores of measures" in cli(*words, "--detail").stdout


def test_an_interrupt_repeats_what_the_run_does_not_tell(interrupted, tmp_path) -> None:
    write(tmp_path / "rows.jsonl", map(edit, range(16)))
    words = ("--perturb", "prefix:9", "--task", "my task", "--seed", 5)
    done = interrupted("outcomes", "rows.jsonl", "-o", "run", *words)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == (
        "codekin: stopped; resume with: codekin evaluate outcomes --perturb=prefix:9 "
        "'--task=my task' --seed=5 -m slow:slow --resume run\n"
    )


def test_formats(cli, run_of) -> None:
    words = ("evaluate", "outcomes", run_of("outcomes"), "--format")
    document = json.loads(cli(*words, "json").stdout)
    nes, bleu = (document["measures"][label]["pearson"] for label in ("nes", "bleu"))
    assert 0 < nes < bleu
    assert rf"\textbf{{{bleu:.3f}}}" in cli(*words, "latex").stdout
    assert f"| bleu | **{bleu:.3f}** |" in cli(*words, "markdown").stdout
    shown = cli(*words, "csv").stdout
    assert shown.startswith("measure,rows,n,failed,pearson,")
    assert float(next(csv.DictReader(io.StringIO(shown)))["pearson"]) == nes
    shown = cli(*words, "table").stdout
    assert "prefix:20-30: what each measure loses" in shown
    assert "bleu, the best by Pearson's r, against the others" in shown


def test_strict(cli, run_of) -> None:
    words = ("evaluate", "outcomes")
    assert cli(*words, run_of("outcomes-broken")).exit_code == 0
    result = cli(*words, run_of("outcomes-broken"), "--strict")
    assert result.exit_code == 1
    assert "codekin: no score: no field 'reference'" in result.stderr
    assert "1 of 16 rows has no outcome and is left out" in result.stderr
    result = cli(*words, run_of("outcomes"), "--strict")
    assert result.exit_code == 0
    assert result.stderr.startswith("codekin: there are only 16 rows with an outcome")


def test_the_folder_of_a_run_is_judged_and_left_alone(cli, run_of) -> None:
    run = run_of("outcomes")
    before = {path: path.stat().st_mtime_ns for path in run.rglob("*")}
    words = ("--seed", 2, "--format", "json")
    result = cli("evaluate", "outcomes", run, *words)
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert (document["run"], document["rows"]) == ("outcomes", 16)
    assert (document["resamples"], document["seed"], document["level"]) == (2000, 2, 0.95)
    assert {path: path.stat().st_mtime_ns for path in run.rglob("*")} == before
