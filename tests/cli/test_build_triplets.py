from __future__ import annotations

import json
import lzma
import re
import shlex
import shutil
from pathlib import Path

import pytest
from tests.evaluation.test_triplet_building import course

from codekin import CodekinError
from codekin.evaluation.triplet_building import build_triplets


@pytest.fixture
def submissions(tmp_path):
    path = tmp_path / "submissions.jsonl"
    lines = [json.dumps(row) for row in course() + course(authors=3, language="java")]
    path.write_text("\n".join([*lines, "{", json.dumps(course()[0] | {"passed": "AC"})]))
    return path


def test_it_writes_triplets_and_says_what_it_left_out(cli, submissions, tmp_path) -> None:
    done = cli("build-triplets", submissions, "-o", tmp_path / "t.jsonl.xz", "--seed", 3)
    assert done.exit_code == 0
    built = build_triplets(submissions, seed=3)
    with lzma.open(tmp_path / "t.jsonl.xz", "rt") as file:
        assert [json.loads(line) for line in file] == [one.row() for one in built.triplets]
    assert f"{len(built.triplets)} matched triplets of 3 problems" in done.stdout
    assert "56 rows: 54 submissions to 3 problems" in done.stdout
    assert "1 row: not JSON" in done.stdout
    assert "1 row: passed must be true or false (or 1 or 0), not 'AC'" in done.stdout
    assert f"(first: {submissions}, line 55)" in done.stdout


def test_pairs_mode_and_number_are_passed_on(cli, submissions, tmp_path) -> None:
    words = ["--pair", "java:python", "--pair", "python", "--mode", "random"]
    done = cli("build-triplets", submissions, "-o", tmp_path / "t.jsonl", *words)
    assert done.exit_code == 0
    built = build_triplets(submissions, languages=["java:python", "python"], mode="random")
    lines = (tmp_path / "t.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == [one.row() for one in built.triplets]
    assert "anchor in java, others in python: 12" in done.stdout
    assert "  python: 12" in done.stdout


def test_no_triplet_is_an_error_and_no_file(cli, submissions, tmp_path) -> None:
    done = cli("build-triplets", submissions, "-o", tmp_path / "t.jsonl", "--pair", "rust")
    assert isinstance(done.exception, CodekinError)
    assert "no triplet could be built" in str(done.exception)
    assert "no submission in rust" in done.stdout
    assert not (tmp_path / "t.jsonl").exists()


def test_a_wrong_name_is_said_before_the_work(cli, tmp_path) -> None:
    done = cli("build-triplets", tmp_path / "missing.jsonl", "-o", tmp_path / "t.csv")
    assert "t.csv: triplets are written to" in str(done.exception)


def test_it_reads_stdin(process, tmp_path) -> None:
    rows = "\n".join(map(json.dumps, course())).encode()
    done = process("build-triplets", "-", "-o", "t.jsonl", stdin=rows)
    assert (done.returncode, done.stderr) == (0, "")
    assert len((tmp_path / "t.jsonl").read_text().splitlines()) == 12


DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_shows_what_its_commands_print(cli, tmp_path, monkeypatch) -> None:
    shutil.copy(DOCS / "examples" / "submissions.jsonl", tmp_path)
    monkeypatch.chdir(tmp_path)
    page = (DOCS / "triplets.md").read_text("utf-8")
    assert "](examples/submissions.jsonl)" in page
    shown = re.findall(r"```console\n\$ codekin ([^\n]+)\n(.*?)```", page, re.S)
    assert len(shown) == 2
    for command, below in shown:
        done = cli(*shlex.split(command))
        assert done.exit_code == 0
        assert [line for line in done.stdout.splitlines() if "Triplets:" not in line] == (
            below.splitlines()
        )
