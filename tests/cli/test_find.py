from __future__ import annotations

import csv
import io
import json
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
    found = json.loads(cli("find", "snippet.py", "--index", "idx", "--format", "json").stdout)
    assert [one["file"] for one in found["places"]] == ["code/one.py", "code/two.py"]
    text = cli("find", "snippet.py", "--index", "idx", "--format", "csv").stdout
    assert [row["end"] for row in csv.DictReader(io.StringIO(text))] == ["10", "10"]


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
    shard = next(Path("idx/shards").iterdir())
    shard.write_bytes(shard.read_bytes()[:-30])
    done = command("index", "info", "idx")
    assert done.returncode == 1
    assert "damaged" in done.stderr


def test_a_scan_with_an_index(cli) -> None:
    plain = cli("scan", "code", "--format", "json").stdout
    assert cli("scan", "code", "--format", "json", "--index", "idx").stdout == plain
    assert cli("scan", "code", "--format", "json", "--index", "idx").stdout == plain
    Path("idx/codekin-index.json").write_text("{}")
    done = cli("scan", "code", "--format", "json", "--index", "idx")
    assert done.stdout == plain
    assert "the manifest is damaged" in done.stderr
