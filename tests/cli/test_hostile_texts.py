"""What ids, file names, code and reasons may hold, and what of it reaches a terminal or CSV."""

from __future__ import annotations

import csv
import io
import json

import pytest

from codekin import score
from codekin.cli.output import console

HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202eevil\u2066\r\x08[red]:boom:"
NAMES = ("=cmd|'/c calc'!A1", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", " =1", "a;=1+1")


def unseen(text: str) -> set[str]:
    """The characters of a text that are not shown as themselves."""
    return {one for one in text if one != "\n" and not one.isprintable()}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = f"x = '{HOSTILE}'  # "
    rows = [
        {
            "id": f"{HOSTILE}{i}",
            "group": f"{'ab'[i % 2]}{HOSTILE}",
            "language": "python" if i else f"no{HOSTILE}",
            "candidate": f"{code}{i}\n",
            "reference": f"{code}1\n",
            "outcome": i % 2,
            f"field{HOSTILE}": HOSTILE,
        }
        for i in range(8)
    ]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    works = [
        {
            "id": f"{i}{HOSTILE}",
            "problem": f"p{HOSTILE}",
            "author": f"{i}",
            "passed": i % 2 == 0,
            "language": f"no{HOSTILE}" if i == 3 else "python",
            "code": f"{code}{i}\nprint({i} + {'x' * i})\n",
        }
        for i in range(9)
    ]
    (tmp_path / "works.jsonl").write_text("".join(json.dumps(row) + "\n" for row in works))
    name = "".join(one for one in HOSTILE if one != "/")
    for i in range(3):
        (tmp_path / f"{name}{i}.py").write_text(f"{code}{i}\ndef f(a):\n    return a + {i}\n")
    return tmp_path


def test_no_control_character_reaches_a_terminal(command, folder):
    first, second, third = sorted(one.name for one in folder.glob("*.py"))
    run = f"run{HOSTILE}"
    every = [("--format", form) for form in ("table", "csv", "latex", "markdown")]
    commands = [
        ("score", "rows.jsonl", "-m", "nes", "-m", "bleu", "-o", run, "-w", "1"),
        *(("summarize", run, *form) for form in every),
        *(("compare-runs", run, run, *form) for form in every),
        ("evaluate", "outcomes", "rows.jsonl", "-m", "nes", "-w", "1"),
        ("report", run, "-o", f"{HOSTILE}.html", "-w", "0"),
        ("build-triplets", "works.jsonl", "-o", f"{HOSTILE}.jsonl"),
        ("matrix", ".", "-m", "nes", "--csv", f"{HOSTILE}.csv", "-w", "1"),
        ("cluster", first, second, third, "-m", "es-token", "-w", "1"),
        ("compare", first, second, "-m", "nes", "--explain"),
        ("align", first, second, third),
        *(("graph", first, "--format", form) for form in ("text", "dot", "svg", "html")),
        ("summarize", f"gone{HOSTILE}"),
        ("summarize", run, f"--no{HOSTILE}"),
        ("compare", first, second, "-m", f"nes{HOSTILE}"),
        ("summarize", run, "--cluster", f"no{HOSTILE}"),
    ]
    for words in commands:
        done = command(*words)
        assert done.returncode in (0, 2), (words, done.stderr)
        assert done.stdout + done.stderr, words
        assert not unseen(done.stdout), (words, done.stdout)
        assert not unseen(done.stderr), (words, done.stderr)


def test_colours_are_codekins_own(capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    screen = console()
    screen.print(HOSTILE, style="red")
    printed = capsys.readouterr().out
    assert printed.count("\x1b") == 2
    assert "[red]:boom:" in printed


def test_no_cell_of_csv_is_a_formula(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for i, name in enumerate(("=1+1.py", "+1.py", "-1+1.py", "@a.py")):
        (tmp_path / name).write_text(f"x = {i}\n")
    result = cli("matrix", tmp_path, "-m", "nes", "--csv", "m.csv", "--pairs", "p.csv", "-w", "1")
    assert result.exit_code == 0, result.output
    table = list(csv.reader(io.StringIO((tmp_path / "m.csv").read_text("utf-8"))))
    assert table[0] == ["candidate", "'+1.py", "'-1+1.py", "'=1+1.py", "'@a.py"]
    assert [row[0] for row in table[1:]] == table[0][1:]
    assert [float(row[i + 1]) for i, row in enumerate(table[1:])] == [1.0] * 4
    pairs = list(csv.reader(io.StringIO((tmp_path / "p.csv").read_text("utf-8"))))
    assert all(cell.startswith("'") for row in pairs[1:] for cell in row[:2])


def test_groups_and_ids_are_texts_in_csv_and_numbers_stay_numbers(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        {"id": f"{name}{i}", "group": name, "candidate": f"x{i}", "reference": "y", "language": "c"}
        for name in NAMES
        for i in range(3)
    ]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    score("rows.jsonl", ["nes", "ed"], output="r", workers=0)
    result = cli("summarize", "r", "--by", "group", "--format", "csv")
    read = list(csv.DictReader(io.StringIO(result.stdout)))
    assert {row["group"] for row in read} >= {f"'{name}" for name in NAMES[:4]}
    assert "a;'=1+1" in {row["group"] for row in read}
    assert not [cell for row in read for cell in row.values() if cell[:1] in ("=", "@", "\t", "\r")]
    assert all(float(row["mean"]) >= 0 for row in read if row.get("mean"))
    other = cli("compare-runs", "r", "r", "--format", "csv").stdout
    assert not unseen(other)
