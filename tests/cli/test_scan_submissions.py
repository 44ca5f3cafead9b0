from __future__ import annotations

import csv
import json
import re
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
    assert "2 of 21 pairs shown; --top 21 shows all." in done.stdout
    assert "shown" not in cli("scan", "--submissions", folder, "--top", 21).stdout
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
    for option, number in (("--max-student-bytes", "1000"), ("--max-class-bytes", "8500")):
        Path("class/zoe").mkdir(exist_ok=True)
        Path("class/zoe/b.c").write_text(COPY)
        Path("class/zoe/c.c").write_text(COPY)
        document = json.loads(cli(*words, option, number).stdout)
        assert [
            (student["name"], option in student["reason"]) for student in document["absent"]
        ] == [("zoe", True)]


def test_options_that_do_not_apply_are_refused(cli, folder) -> None:
    of_a_scan = (["--fast"], ["--show"], ["src"], ["--exclude", "x"], ["--min-lines", "7"])
    of_a_scan = (*of_a_scan, ["--languages", "java"])
    of_gates = (
        *(["--baseline", "x.json"], ["--write-baseline", "x.json"], ["--since", "HEAD"]),
        *(["--max-duplication", "5%"], ["--config", "x.toml"], ["--no-config"]),
    )
    for words in (*of_a_scan, ["--workers", "0"], *of_gates):
        done = cli("scan", "--submissions", folder, *words)
        assert isinstance(done.exception, CodekinError), words
        name = words[0] if words[0].startswith("-") else "PATHS"
        said = f"scan: {name} cannot be given with --submissions; see codekin scan -h"
        assert str(done.exception) == said
    for words in (["--format", "sarif"], ["--format", "gitlab"], ["-o", "x.sarif"]):
        done = cli("scan", "--submissions", folder, *words)
        assert isinstance(done.exception, CodekinError), words
        assert "not a format of --submissions" in str(done.exception)
    of_classes = (
        *(["--template", "x.c"], ["--old", "x"], ["--suspicious", "3"], ["--pair", "a", "b"]),
        *(["--dates", "x.csv"], ["--hide-names"], ["--names", "x.csv"]),
        *(["--max-student-bytes", "9"], ["--max-class-bytes", "9"]),
    )
    for words in of_classes:
        done = cli("scan", folder, *words)
        assert isinstance(done.exception, CodekinError), words
        assert f"scan: {words[0]} only works with --submissions" in str(done.exception)
    done = cli("scan", folder, "--hide-names", "--names", "x.csv")
    assert "scan: --hide-names, --names only work with --submissions" in str(done.exception)


def test_no_file_of_options_is_read(cli, folder) -> None:
    words = ("scan", "--submissions", folder)
    before = cli(*words).stdout
    Path("codekin.toml").write_text("[scan]\ntop = 1\nmax-bytes = 1\nmax-duplication = 0\n")
    done = cli(*words)
    assert done.exit_code == 0, done.output
    assert done.stdout == before


def test_the_page_is_written_beside_the_table(cli, folder) -> None:
    done = cli("scan", "--submissions", folder, "-o", "class.html")
    assert done.exit_code == 0, done.output
    assert "1 suspicious" in done.stdout
    page = Path("class.html").read_text("utf-8")
    assert "A score is not a proof" in page
    assert 'id="pair-data-0"' in page
    printed = cli("scan", "--submissions", folder, "--format", "html").stdout
    assert printed == page


def test_names_are_hidden_and_a_key_is_written(cli, folder) -> None:
    words = ("scan", "--submissions", folder, "--hide-names")
    done = cli(*words, "--names", "key.csv", "--format", "json")
    assert done.exit_code == 0, done.output
    assert "anna" not in done.stdout
    rows = csv.DictReader(Path("key.csv").read_text().splitlines())
    key = {row["shown"]: row["student"] for row in rows}
    top = json.loads(done.stdout)["pairs"][0]
    assert {key[top["first"]], key[top["second"]]} == {"anna", "ben"}
    shown = cli(*words).stdout
    assert "Student 1" in shown
    assert "anna" not in shown
    pair = json.loads(cli(*words, "--pair", "ben", "anna", "--format", "json").stdout)
    assert {pair["pair"]["first"], pair["pair"]["second"]} == {"Student 1", "Student 2"}
    for more, problem in (
        (["--names", "key.txt"], "is not a .csv file|unknown"),
        (["--names", "out.csv", "-o", "out.csv"], "given twice"),
    ):
        Path("key.txt").write_text("mine")
        done = cli(*words, *more)
        assert isinstance(done.exception, CodekinError), more
        assert re.search(problem, str(done.exception))
    done = cli("scan", "--submissions", folder, "--names", "key.csv")
    assert "--names needs --hide-names" in str(done.exception)


def test_a_pair_is_shown_by_its_lines(cli, folder) -> None:
    words = ("scan", "--submissions", folder, "--pair", "ben", "anna")
    done = cli(*words)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("anna and ben: 1 matched region")
    assert "anna.c:2-13" in done.stdout
    document = json.loads(cli(*words, "--format", "json").stdout)
    check_schema("scan-submissions-pair", [document])
    rows = list(csv.DictReader(cli(*words, "--format", "csv").stdout.splitlines()))
    assert rows[0]["first"] == "anna.c:2-13"
    assert "no student 'nobody'" in str(
        cli("scan", "--submissions", folder, "--pair", "anna", "nobody").exception
    )
    done = cli(*words, "--format", "sarif")
    assert "sarif is not a format of --pair" in str(done.exception)


def test_a_case_is_one_file_that_names_nobody_else(cli, folder) -> None:
    words = ("scan", "--submissions", folder, "--pair", "ben", "anna")
    done = cli(*words, "-o", "case.html")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("anna and ben: 1 matched region")
    page = Path("case.html").read_text("utf-8")
    assert 'id="pair-data-0"' in page
    assert 'id="pair-data-1"' not in page
    assert not [name for name in PROGRAMS.keys() - {"anna"} if name in page]
    done = cli(*words, "--hide-names", "-o", "hidden.html")
    assert done.exit_code == 0, done.output
    page = Path("hidden.html").read_text("utf-8")
    assert "Student 1" in page
    assert not [name for name in (*PROGRAMS, "ben") if name in page]


def test_folders_templates_old_submissions_and_dates_repeat(cli, folder) -> None:
    programs = {"one": PROGRAMS["anna"], "two": PROGRAMS["carl"], "three": PROGRAMS["emil"]}
    for name, text in programs.items():
        Path(f"{name}.c").write_text(text)
        Path(name).mkdir()
        (Path(name) / f"{name}.c").write_text(COPY.replace("13", "15"))
    Path("a.csv").write_text("student,date\nben,01.05.2026 10:00\n")
    Path("b.csv").write_text("student,date\ndora,2026-05-02\n")
    words = ("scan", "--submissions", folder, "--submissions", "one")
    words = (*words, "--old", "two", "--old", "three")
    done = cli(*words, "--dates", "a.csv", "--dates", "b.csv", "--format", "json")
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    check_schema("scan-submissions", [document])
    assert [student["name"] for student in document["old"]] == ["two/two", "three/three"]
    dates = {student["name"]: student["dates"] for student in document["students"]}
    assert dates["ben"] == ["2026-05-01 10:00:00"]
    assert dates["dora"] == ["2026-05-02 00:00:00"]
    assert "one" in dates
    for templates in (("one.c", "two.c"), ("two.c", "one.c")):
        options = [word for path in templates for word in ("--template", path)]
        done = cli("scan", "--submissions", folder, *options, "--format", "json")
        absent = {student["name"] for student in json.loads(done.stdout)["absent"]}
        assert {"anna", "carl"} <= absent


def test_dates_reach_the_comparison(cli, folder) -> None:
    Path("dates.csv").write_text("student,date\nanna,2026-05-02\nben,2026-05-01\n")
    words = ("scan", "--submissions", folder, "--format", "json")
    document = json.loads(cli(*words, "--dates", "dates.csv").stdout)
    check_schema("scan-submissions", [document])
    assert document["groups"][0]["earliest"] == "ben"
    assert json.loads(cli(*words).stdout)["dates"] == ""
