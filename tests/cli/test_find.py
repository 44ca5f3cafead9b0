from __future__ import annotations

import csv
import io
import json
import sqlite3
from pathlib import Path

import pytest
from tests.scan.test_scanning import MEAN


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("code").mkdir()
    Path("code/one.py").write_text(MEAN)
    Path("code/two.py").write_text(MEAN.replace("total", "acc"))
    Path("snippet.py").write_text(MEAN.replace("value", "x"))
    return tmp_path


def test_an_index_is_made_shown_and_searched(cli) -> None:
    done = cli("index", "add", "idx", "code")
    assert done.exit_code == 0
    assert "2 files, 20 lines" in done.stdout
    assert "Parsed now: 2 files" in done.stdout
    assert "Parsed" not in cli("index", "add", "idx", "code").stdout
    info = json.loads(cli("index", "info", "idx", "--format", "json").stdout)
    assert (info["files"], info["languages"], info["problems"]) == (2, {"python": 20}, [])
    done = cli("find", "snippet.py", "--index", "idx")
    assert done.exit_code == 0
    assert "code/one.py:1-10" in done.stdout
    assert "2 places (2 Python files searched)" in done.stdout
    found = json.loads(cli("find", "snippet.py", "--index", "idx", "--format", "json").stdout)
    assert [one["file"] for one in found["places"]] == ["code/one.py", "code/two.py"]
    text = cli("find", "snippet.py", "--index", "idx", "--format", "csv").stdout
    assert [row["end"] for row in csv.DictReader(io.StringIO(text))] == ["10", "10"]


def test_what_was_not_added_is_said(cli) -> None:
    Path("code/b.py").write_bytes(b"\0\1\2")
    Path("code/class.zip").write_bytes(b"PK\5\6" + bytes(18))
    words = ("index", "add", "idx", "code")
    shown = cli(*words).stdout
    assert "Parsed now: 2 files." in shown
    assert "Not read: code/b.py (looks binary" in shown
    assert "1 zip file was not read: code/class.zip; codekin scan --submissions" in shown
    assert [one["path"] for one in json.loads(cli(*words, "--format", "json").stdout)["left_out"]]


def test_an_index_of_nothing_is_not_made(cli) -> None:
    Path("empty").mkdir()
    done = cli("index", "add", "idx", "empty")
    assert "empty: no file in a known language was found" in str(done.exception)
    assert not Path("idx").exists()
    done = cli("index", "add", "code/one.py", "code")
    assert "code/one.py: is not an index of codekin; name another file" in str(done.exception)
    done = cli("index", "add", "code", "code")
    assert str(done.exception) == "code: is a folder; name a file for the index"
    Path("b.py").write_bytes(b"\0\1\2")
    assert "b.py: looks binary" in str(cli("index", "add", "idx", "b.py").exception)
    cli("index", "add", "idx", "code")
    assert "no file in a known language" in str(cli("index", "add", "idx", "empty").exception)
    for path in Path("code").iterdir():
        path.unlink()
    assert "idx: 0 files" in cli("index", "add", "idx", "code").stdout


def test_a_snippet_from_stdin(cli) -> None:
    cli("index", "add", "idx", "code")
    done = cli("find", "-", "--index", "idx", stdin="".join(MEAN.splitlines(True)[3:7]))
    assert done.exit_code == 0
    assert "code/one.py:4-7" in done.stdout


def test_exit_codes(command) -> None:
    command("index", "add", "idx", "code")
    Path("other.py").write_text("class A:\n    x = [1, 2]\n    y = {3: 4}\n")
    assert command("find", "other.py", "--index", "idx").returncode == 1
    done = command("find", "other.py")
    assert done.returncode == 2
    assert "--index" in done.stderr
    assert command("find", "other.py", "--index", "nowhere").returncode == 2
    database = sqlite3.connect("idx")
    database.execute("update parts set value = zeroblob(length(value))")
    database.commit()
    database.close()
    done = command("index", "info", "idx")
    assert done.returncode == 1
    assert "damaged" in done.stderr
    Path("idx").write_bytes(Path("idx").read_bytes()[:3000])
    assert command("index", "info", "idx").returncode == 2


def test_a_scan_with_an_index(cli) -> None:
    plain = cli("scan", "code", "--format", "json").stdout
    assert cli("scan", "code", "--format", "json", "--index", "idx").stdout == plain
    assert cli("scan", "code", "--format", "json", "--index", "idx").stdout == plain
    Path("idx").write_bytes(Path("idx").read_bytes()[:3000])
    done = cli("scan", "code", "--format", "json", "--index", "idx")
    assert done.stdout == plain
    assert "idx: is damaged; it is made again" in done.stderr


def test_an_index_that_is_not_used_is_said_once(cli, monkeypatch) -> None:
    plain = cli("scan", "code", "--format", "json").stdout
    Path("link").symlink_to("idx")
    done = cli("scan", "code", "--format", "json", "--index", "link")
    assert done.stdout == plain
    assert done.stderr.splitlines() == ["codekin: link: is a link; the index is not used"]
    assert not Path("idx").exists()
    monkeypatch.delenv("CODEKIN_INDEX_KEY")
    Path("cache").write_text("not a folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(Path("cache").absolute()))
    done = cli("scan", "code", "--format", "json", "--index", "idx")
    assert done.stdout == plain
    assert done.stderr.count("\n") == 1
    assert "index.key: cannot be made" in done.stderr
    assert not Path("idx").exists()
    assert "index.key: cannot be made" in str(cli("index", "add", "idx", "code").exception)
