from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest
from tools.same_documents import (
    contents,
    document_differences,
    first_difference,
    normalised,
    read_commands,
    without,
)

TOOL = Path(__file__).parents[2] / "tools" / "same_documents.py"


def same_documents(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, TOOL, *words], capture_output=True, text=True, check=False
    )


def test_what_is_frozen_is_found_again_and_a_planted_difference_too(tmp_path: Path) -> None:
    done = same_documents("freeze", tmp_path / "frozen", "--only", "tables")
    assert done.returncode == 0, done.stderr
    done = same_documents("compare", tmp_path / "frozen", "--only", "tables")
    assert done.returncode == 0, done.stdout
    assert done.stdout.startswith("4 documents") and "differences: none" in done.stdout
    file = tmp_path / "frozen" / "documents" / "tables.json.gz"
    chain = json.loads(gzip.decompress(file.read_bytes()))
    name = "02 languages --format json (output)"
    chain["documents"][name]["document"][3]["suffixes"][0] = ".planted"
    chain["commands"].append("languages --format html")
    file.write_bytes(gzip.compress(json.dumps(chain).encode()))
    done = same_documents("compare", tmp_path / "frozen", "--only", "tables")
    assert done.returncode == 1
    assert '$.document[3].suffixes[0]: ".planted" -> ".cpp"' in done.stdout
    assert "new: tables: 05 languages --format html" in done.stdout


def test_a_frozen_folder_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "scores.json").touch()
    done = same_documents("freeze", tmp_path)
    assert done.returncode == 1 and "is not empty" in done.stderr


@pytest.mark.parametrize(
    ("before", "after", "difference"),
    [
        ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}, ("$.a[1].b", "2", "3")),
        ([1, 2], [1, 2, 3], ("$.length", "2", "3")),
        ({"a": 1}, {"b": 1}, ("$.a", "1", "nothing")),
        (1, 1.0, ("$", "1", "1.0")),
        (float("nan"), float("nan"), None),
    ],
)
def test_the_first_difference_has_its_place(before, after, difference) -> None:
    assert first_difference(before, after) == difference


def test_numbers_may_be_nearly_equal_where_asked() -> None:
    before, after = ["a,0.5,b", 1.0, 2], ["a,0.50000000001,b", 1.0 + 1e-12, 2]
    assert first_difference(before, after) is not None
    assert first_difference(before, after, 1e-9) is None
    assert first_difference(before, ["a,0.5,c", 1.0, 2], 1e-9) is not None
    assert first_difference([1e-3], [2e-3], 1e-9) is not None


def test_what_left_is_left_out() -> None:
    document = {
        "inline": 1,
        "meteor (double)": [2],
        "measures": [{"name": "meteor"}, {"name": "ed"}],
    }
    assert without(document, ["meteor", "inline"]) == {"measures": [{"name": "ed"}]}


def test_documents_that_fail_leave_or_come_are_reported() -> None:
    whole = {"document": 1, "exit code": 0}
    broken = {"lines": [], "exit code": 2, "error": ["codekin: no such option"]}
    before = {"a": whole, "b": whole, "c": whole, "d": whole}
    after = {"a": broken, "b": {"gone": True}, "d": whole, "e": whole}
    assert list(document_differences(before, after)) == [
        ("failing", "a\n    codekin: no such option"),
        ("gone on purpose", "b"),
        ("gone", "c"),
        ("new", "e"),
    ]


def test_paths_times_and_versions_are_left_out(tmp_path: Path) -> None:
    document = {
        "scoring_seconds": 0.1,
        "max_seconds": 600,
        "lines": [f"{tmp_path}/run by codekin 1.2.0", "9 rows in 1.5 s (1,000 rows/s)"],
    }
    assert normalised(document, tmp_path) == {
        "max_seconds": 600,
        "lines": ["FOLDER/run by codekin-VERSION", "9 rows in TIME (TIME)"],
    }


def test_tables_and_arrays_are_read(tmp_path: Path) -> None:
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"score": [0.5, None]}), tmp_path / "rows.parquet")
    assert contents(tmp_path / "rows.parquet") == {"score (double)": [0.5, None]}
    np.savez(tmp_path / "arrays.npz", a=np.zeros(2, np.float32))
    kind, shape, digest = contents(tmp_path / "arrays.npz")["a"]
    assert (kind, shape, len(digest)) == ("float32", [2], 64)


def test_every_command_with_a_document_is_run() -> None:
    lines = [line for chain in read_commands().values() for line in chain]
    for word in ("compare", "align", "score", "summarize", "evaluate card", "scan", "corpus type"):
        assert any(line.startswith(f"{word} ") and "--format json" in line for line in lines)
