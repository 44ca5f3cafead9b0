from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.cli.test_schemas import check_schema

from codekin import CodekinError

FILES = {
    "ann.py": "def area(r):\n    return 3.14 * r * r\n",
    "ben.py": "def area(x):\n    return 3.14 * x * x\n",
    "cid.py": "print(sorted(input().split()))\n",
    "late/dot.py": "def area(r):\n    return 3.14 * r * r\n",
}


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        path = Path("given", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Path("given")


def told(cli, *words) -> str:
    """What somebody reads who got it wrong."""
    done = cli("matrix", *words)
    assert isinstance(done.exception, CodekinError), done.output
    return str(done.exception)


def document(cli, *words) -> Any:
    done = cli("matrix", *words, "--format", "json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_the_most_alike_pairs_and_groups_are_listed(cli, folder) -> None:
    done = cli("matrix", folder, "-m", "nes", "--top", 2)
    assert done.exit_code == 0, done.output
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[0] == ["4", "files,", "6", "pairs", "by", "nes"]
    assert lines[5] == ["1.0000", "██████████", "ann.py", "late/dot.py", "the", "same", "text"]
    assert lines[6] == ["0.9189", "█████████▎", "ann.py", "ben.py"]
    assert "1 group: joined at a mean similarity of 0." in done.stdout
    assert ["1", "3", "0.946", "ann.py", "late/dot.py,", "ben.py"] in lines
    assert "the same text: ann.py, late/dot.py" in done.stdout
    assert done.stdout.endswith(f"Written: {Path('codekin-matrix.html').resolve()}\n")
    assert Path("codekin-matrix.html").read_text("utf-8").startswith("<!doctype html>")


def test_what_cannot_be_used_is_listed_and_the_rest_goes_on(cli, folder) -> None:
    Path("given/binary.py").write_bytes(b"\0\1")
    Path("given/long.py").write_text("x = 1\n" * 200_000)
    Path("given/.old.py").write_text("x = 1\n")
    done = cli("matrix", folder, "-m", "nes")
    assert done.exit_code == 0, done.output
    assert "could not be used: 3 files\n  .old.py: is hidden\n  binary.py: looks bin" in done.stdout
    assert "  long.py: has 1,200,000 bytes, more than the 1,000,000" in done.stdout


def test_json_is_valid_by_its_schema(cli, folder) -> None:
    Path("given/binary.py").write_bytes(b"\0\1")
    loose = document(cli, folder, "-m", "tsed:steps=0", "-g", 2)
    plain = document(cli, folder, "-m", "nes")
    check_schema("matrix", [plain, loose])
    assert not Path("codekin-matrix.html").exists()
    assert [one["name"] for one in plain["files"]] == list(FILES)
    assert plain["files"][3]["copy_of"] == "ann.py"
    assert (plain["lower"], plain["inexact"]) == (None, 0)
    assert (loose["wanted"], loose["threshold"], loose["automatic"]) == (2, None, False)
    assert loose["inexact"] > 0
    for pair in loose["pairs"]:
        low, high = pair["bounds"]
        assert pair["exact"] == (low == high)
        assert low <= pair["similarity"] <= high


def test_csv_holds_the_same_numbers(cli, folder) -> None:
    words = (folder, "-m", "bleu", "--csv", "m.csv", "--pairs", "p.csv", "-o", "page.html")
    done = cli("matrix", *words)
    assert done.stdout.splitlines()[-3:] == [
        f"{what}: {Path(name).resolve()}"
        for what, name in (("Written", "page.html"), ("Matrix", "m.csv"), ("Pairs", "p.csv"))
    ]
    found = document(cli, folder, "-m", "bleu")
    head, *rows = csv.reader(Path("m.csv").read_text().splitlines())
    assert head == ["candidate", *FILES]
    assert [row[0] for row in rows] == list(FILES)
    assert [[float(cell) for cell in row[1:]] for row in rows] == found["values"]
    pairs = list(csv.DictReader(Path("p.csv").read_text().splitlines()))
    assert len(pairs) == 12  # both directions
    assert {one["exact"] for one in pairs} == {"true"}
    place = {name: i for i, name in enumerate(FILES)}
    for one in pairs:
        value = found["values"][place[one["candidate"]]][place[one["reference"]]]
        assert float(one["value"]) == float(one["lower"]) == value
    assert Path("page.html").read_bytes().startswith(b"<!doctype html>")
    cli("matrix", folder, "-m", "bleu", "-o", "again.csv")
    assert Path("again.csv").read_bytes() == Path("m.csv").read_bytes()
    cli("matrix", folder, "-m", "bleu", "-o", "m.json")
    assert json.loads(Path("m.json").read_text()) == found


def test_two_outputs_do_not_share_a_file(cli, folder) -> None:
    done = cli("matrix", folder, "--csv", "m.csv", "--pairs", "./m.csv")
    assert done.exit_code != 0
    assert "m.csv: is given twice" in str(done.exception)
    assert not Path("m.csv").exists()


def test_a_measure_with_a_direction_says_how_it_is_read(cli, folder) -> None:
    done = cli("matrix", folder, "-m", "bleu")
    assert "the row is the candidate and the column the reference" in done.stdout


def test_bounds_are_told(cli, folder) -> None:
    done = cli("matrix", folder, "-m", "tsed:steps=0")
    assert re.search(r"ann\.py\s+cid\.py\s+from 0\.\d{4} to 0\.\d{4}", done.stdout)
    assert "not exact within the budget: 3 pairs" in done.stdout


def test_the_number_of_processes_changes_no_byte(cli, folder) -> None:
    for workers in (1, 2):
        done = cli("matrix", folder, "-m", "tsed", "-w", workers, "-o", f"{workers}.html")
        assert done.exit_code == 0, done.output
    assert Path("1.html").read_bytes() == Path("2.html").read_bytes()


def test_what_a_newcomer_gets_wrong_is_told(cli, folder) -> None:
    assert told(cli, "given/ann.py").startswith("there is 1 file to compare; name two or more")
    assert "one measure, not 2: kin, cssg" in told(cli, folder, "-m", "kin", "-m", "cssg")
    for option in ("-o", "--csv", "--pairs"):
        assert "no/such.csv: there is no folder no" in told(cli, folder, option, "no/such.csv")
    assert "unknown language 'pyton'" in told(cli, folder, "-l", "pyton")
    Path("given/bad.py").write_bytes(b"\0")
    assert told(cli, "given/bad.py", "given/ann.py") == (
        "there is 1 file left to compare, but it takes two; bad.py: looks binary (it has NUL "
        "bytes); only text can be read"
    )


def test_the_help_has_its_own_default_of_the_threshold(cli) -> None:
    helps = {name: " ".join(cli(name, "--help").stdout.split()) for name in ("matrix", "cluster")}
    plain = {name: re.sub(r"[ │]+", " ", text) for name, text in helps.items()}
    assert "(default: well above the mean of all pairs)" in plain["matrix"]
    assert "0.4 for cluster" not in plain["matrix"]
    assert "at least SCORE (default: 0.4)" in plain["cluster"]


def test_of_two_files_no_pair_stands_out(cli, folder) -> None:
    done = cli("matrix", "given/ann.py", "given/ben.py", "-m", "nes")
    assert "no groups: all pairs are equally similar" in done.stdout


def test_no_file_is_replaced_by_mistake(cli, folder) -> None:
    assert "unknown suffix '.py'" in told(cli, folder, "-o", "given/ann.py")
    words = ("--format", "html", "-o", "given/ann.py")
    assert "is not a page that codekin wrote" in told(cli, folder, *words)
    assert "is not a .csv file, so it is not replaced" in told(cli, folder, "--csv", "given/ann.py")
    assert "is a folder" in told(cli, folder, "--pairs", "given")
    assert Path("given/ann.py").read_text() == FILES["ann.py"]
