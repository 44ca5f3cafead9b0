import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.golden.check_vectors import main

HERE = Path(__file__).parent
FILES = sorted((HERE / "vectors").glob("*.jsonl"))


def run(*files):
    return subprocess.run(
        [sys.executable, HERE / "check_vectors.py", *files],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_every_vector_matches(file, capsys):
    code = main([str(file)])
    shown = capsys.readouterr().out
    assert code == 0, shown
    rows = len(file.read_text(encoding="utf-8").splitlines())
    known = {"tsed": 3}.get(file.stem, 0)
    assert f"{rows - known}/{rows} matched" in shown


def test_a_wrong_value_is_a_mismatch(tmp_path):
    row = json.loads(FILES[0].read_text().splitlines()[0])
    row["expected"] = row["expected"] - 1e-6 if isinstance(row["expected"], float) else 0.123
    bad = tmp_path / "bad.jsonl"
    bad.write_text(json.dumps(row) + "\n")
    result = run(bad)
    assert result.returncode == 1
    assert "mismatch" in result.stdout


@pytest.mark.parametrize("target", ["b = f(2)", "b = f(2"])
def test_a_difference_that_is_not_listed_is_a_mismatch(tmp_path, target):
    row = {
        "metric": "TSED",
        "args": {"language": "python", "deletion": 1.0, "insertion": 1.0, "rename": 1.0},
        "inputs": {"name": "not listed", "origin": "a = 1", "target": target},
        "expected": 0.123,
    }
    bad = tmp_path / "bad.jsonl"
    bad.write_text(json.dumps(row) + "\n")
    assert main([str(bad)]) == 1
