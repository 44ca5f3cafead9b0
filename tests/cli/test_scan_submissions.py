from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from tests.cli.test_schemas import check_schema
from tests.scan.test_submissions import COPY, PROGRAMS

from codekin import CodekinError


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("class").mkdir()
    for name, text in {**PROGRAMS, "ben": COPY}.items():
        Path("class", f"{name}.c").write_text(text)
    return Path("class")


def test_pairs_are_ranked_with_groups_and_a_warning(cli, folder) -> None:
    (folder / "bad.c").write_bytes(b"\0")
    done = cli("scan", "--submissions", folder, "--top", 2)
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0].strip() == "7 students, 21 pairs: 1 suspicious, in 1 group"
    rows = [line.split() for line in lines if line.startswith(("anna", "ben", "carl"))]
    assert rows[0][:2] == ["anna", "ben"]
    assert rows[0][-1] == "suspicious"
    assert "anna, ben" in done.stdout
    assert "class/bad.c (looks binary" in done.stdout.replace("\n", " ")
    assert "not a proof" in done.stderr


def test_the_formats_agree(cli, folder) -> None:
    document = json.loads(cli("scan", "--submissions", folder, "--format", "json").stdout)
    check_schema("scan-submissions", [document])
    printed = cli("scan", "--submissions", folder, "--format", "csv").stdout
    rows = list(csv.DictReader(printed.splitlines()))
    for row, pair in zip(rows, document["pairs"], strict=True):
        assert (row["first"], row["second"]) == (pair["first"], pair["second"])
        assert float(row["score"]) == pytest.approx(pair["score"])
        assert (row["suspicious"] == "yes") == pair["suspicious"]
    few = Path("few")
    few.mkdir()
    for name in ("anna", "carl"):
        (few / f"{name}.c").write_text(PROGRAMS[name])
    document = json.loads(cli("scan", "--submissions", few, "--format", "json").stdout)
    check_schema("scan-submissions", [document])
    assert document["pairs"][0]["unusual"] is None


def test_the_options_reach_the_comparison(cli, folder) -> None:
    Path("starter.c").write_text(PROGRAMS["anna"])
    words = ("scan", "--submissions", folder, "--format", "json")
    document = json.loads(cli(*words, "--template", "starter.c").stdout)
    assert document["template"]
    assert "anna" not in [one["name"] for one in document["students"]]
    assert json.loads(cli(*words, "--suspicious", "1000").stdout)["groups"] == []
    left_out = json.loads(cli(*words, "--max-bytes", "250").stdout)["left_out"]
    assert "class/ben.c" in [one["path"] for one in left_out]
    Path("class/hans").mkdir()
    for name in ("one", "two"):
        Path("class/hans", f"{name}.c").write_text(PROGRAMS["gerd"])
    students = json.loads(cli(*words, "--attempts").stdout)["students"]
    assert [one["attempts"] for one in students if one["name"] == "hans"] == [2]


def test_options_that_do_not_apply_are_refused(cli, folder) -> None:
    of_a_scan = (["--fast"], ["--show"], ["src"], ["--exclude", "x"], ["--min-lines", "7"])
    of_gates = (
        *(["--baseline", "x.json"], ["--write-baseline", "x.json"], ["--since", "HEAD"]),
        *(["--max-duplication", "5%"], ["--config", "x.toml"], ["--no-config"]),
    )
    for words in (*of_a_scan, ["--workers", "0"], *of_gates):
        done = cli("scan", "--submissions", folder, *words)
        assert isinstance(done.exception, CodekinError), words
        assert "with --submissions, only" in str(done.exception)
    for words in (["--format", "sarif"], ["--format", "gitlab"], ["-o", "x.sarif"]):
        done = cli("scan", "--submissions", folder, *words)
        assert isinstance(done.exception, CodekinError), words
        assert "not a format of --submissions" in str(done.exception)
    for words in (["--template", "x.c"], ["--attempts"], ["--suspicious", "3"]):
        done = cli("scan", folder, *words)
        assert isinstance(done.exception, CodekinError), words
        assert "need --submissions" in str(done.exception)


def test_no_file_of_options_is_read(cli, folder) -> None:
    words = ("scan", "--submissions", folder)
    before = cli(*words).stdout
    Path("codekin.toml").write_text("[scan]\ntop = 1\nmax-bytes = 1\nmax-duplication = 0\n")
    done = cli(*words)
    assert done.exit_code == 0, done.output
    assert done.stdout == before
