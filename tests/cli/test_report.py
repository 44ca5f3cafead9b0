from __future__ import annotations

import json
import re

import pytest

from codekin import CodekinError, score
from codekin.evaluation.card import evaluate_card
from codekin.runs.seals import seal_manifest

ROWS = [
    {"id": "one", "language": "python", "candidate": "x = 1", "reference": "x = 1"},
    {"id": "two", "language": "python", "candidate": "x = 2", "reference": "x = 1"},
]


def test_runs_become_one_file(process, tmp_path) -> None:
    for name in ("first", "second"):
        score(ROWS, ["nes", "bleu"], output=tmp_path / name, workers=0)
    done = process("report", "first", "second", "-o", "both.html")
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"Report: .*both\.html \(0\.\d MB\)\n", done.stdout)
    page = (tmp_path / "both.html").read_text(encoding="utf-8")
    for name in ("first", "second"):
        assert f'<option value="{name}">' in page


def test_how_much_is_explained_can_be_said(cli, tmp_path) -> None:
    score(ROWS, ["nes"], output=tmp_path / "run", workers=0)
    sizes = []
    for words in (["--explain", "0"], ["--explain", "0", "--rows", "two"], []):
        result = cli("report", tmp_path / "run", "-o", tmp_path / "r.html", *words)
        assert result.exit_code == 0, result.output
        sizes.append((tmp_path / "r.html").stat().st_size)
    assert sizes[0] < sizes[1] < sizes[2]


def test_the_bytes_are_the_same_for_any_number_of_workers(cli, tmp_path) -> None:
    rows = [ROWS[i % 2] | {"id": str(i), "candidate": f"x = {i}"} for i in range(50)]
    score(rows, ["nes", "codebleu"], output=tmp_path / "run", workers=0)
    pages = []
    for workers in ("0", "1", "2"):
        result = cli("report", tmp_path / "run", "-o", tmp_path / "r.html", "-w", workers)
        assert result.exit_code == 0, result.output
        pages.append((tmp_path / "r.html").read_bytes())
    assert pages[0] == pages[1] == pages[2]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere"], "nowhere: no such folder; runs are made by codekin score"),
        (["run", "--rows", "three"], "report: no row has the id 'three'"),
        (["run", "-o", "run"], "run: is a folder; name a file"),
        (["run", "-o", "."], ".: is a folder; name a file"),
        (
            ["run", "-o", "no/such.html"],
            "no/such.html: there is no folder no; make it, or name another",
        ),
    ],
)
def test_what_can_be_put_right_is_one_line(command, tmp_path, words, said) -> None:
    score(ROWS, ["nes"], output=tmp_path / "run", workers=0)
    done = command("report", *words)
    assert (done.returncode, done.stderr) == (2, f"codekin: {said}\n")


def test_data_are_not_replaced(command, tmp_path) -> None:
    score(ROWS, ["nes"], output=tmp_path / "run", workers=0)
    data = tmp_path / "predictions.jsonl"
    data.write_text('{"id": "one"}\n')
    done = command("report", "run", "-o", data.name)
    said = "predictions.jsonl: unknown suffix '.jsonl' (known: .html, .htm)"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"codekin: {said}\n")
    assert data.read_text() == '{"id": "one"}\n'
    assert sorted(one.name for one in tmp_path.iterdir()) == [data.name, "run"]
    data.rename(tmp_path / "mine.html")
    done = command("report", "run", "-o", "mine.html")
    said = "mine.html: is not a page that codekin wrote, so it is not replaced; name another"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"codekin: {said}\n")


def test_an_unfinished_run_is_warned_of(command, tmp_path) -> None:
    run = score(ROWS, ["nes"], output=tmp_path / "part", workers=0)
    (manifest,) = run.path.glob("*.json")
    manifest.write_text(json.dumps(seal_manifest(run.manifest | {"state": "running"})))
    done = command("report", "part")
    assert done.returncode == 0
    assert done.stdout.startswith("Report: ")
    assert done.stderr == (
        "codekin: part is not finished; the figures cover only the 2 rows scored so far\n"
    )


def test_a_report_of_nothing_is_refused(cli) -> None:
    assert cli("report").exit_code == 2
    assert not isinstance(cli("report").exception, CodekinError)


def test_costs_are_measured_when_asked_for(cli, tmp_path) -> None:
    program = {"id": "one", "language": "python", "code": "def f(x):\n    return x + 1\n"}
    evaluate_card([program], ["nes"], output=tmp_path / "run", workers=0, resamples=10)
    told = []
    for words in ([], ["--costs"]):
        result = cli("report", tmp_path / "run", "-o", tmp_path / "r.html", *words)
        assert result.exit_code == 0, result.output
        page = (tmp_path / "r.html").read_text(encoding="utf-8")
        told.append("Cost of a pair, by the median size" in page)
    assert told == [False, True]
