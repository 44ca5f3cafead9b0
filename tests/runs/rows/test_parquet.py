from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from codekin.runs.rows import ArrowRows, Record, Unreadable, open_rows
from codekin.runs.rows import parquet as module
from codekin.runs.rows.parquet import open_parquet, read_parquet

KIB = 2**10
TEXT = "int f(int a) { return a; }\n" + "x" * 100 * KIB


def repeated(rows: int, text: str = TEXT) -> pa.Array:
    """A column of one text, which a file holds once."""
    return pa.DictionaryArray.from_arrays(np.zeros(rows, np.int32), pa.array([text]))


def written(columns: dict[str, Any], **settings: Any) -> int:
    """Write a.parquet; the size of the file."""
    pq.write_table(pa.table(columns), "a.parquet", compression="zstd", **settings)
    return Path("a.parquet").stat().st_size


def records() -> list[Record]:
    return [record for shard in open_rows("a.parquet").shards() for record in shard.records()]


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of a megabyte, and rows of at most half of one."""
    monkeypatch.setattr(module, "_BATCH_BYTES", 1024 * KIB)
    monkeypatch.setattr(module, "_LONGEST", 512 * KIB)


@pytest.mark.parametrize("kept", [True, False])
def test_a_text_that_recurs_is_read_in_bounded_memory(
    here: Path, small_batches: None, kept: bool
) -> None:
    rows = 3000
    texts = repeated(rows)  # read as a dictionary, or as texts
    assert (
        written({"id": list(range(rows)), "code": texts if kept else texts.dictionary_decode()})
        < 50_000
    )
    before = pa.total_allocated_bytes()
    peak = count = 0
    for shard in open_rows("a.parquet").shards(most_bytes=200 * KIB):
        peak = max(peak, pa.total_allocated_bytes() - before)
        count += len(shard)
    assert count == rows
    assert peak < 8192 * KIB  # in place of 300 MB


def test_ordinary_rows_come_in_large_batches(here: Path) -> None:
    written({"id": list(range(1000)), "code": [f"x = {i}" for i in range(1000)]})
    (first, *_) = open_rows("a.parquet").shards(1000)
    assert [len(piece) for piece in first.pieces] == [256, 256, 256, 232]


@pytest.mark.parametrize("encoded", [True, False])
def test_a_row_that_is_too_long_is_recorded(here: Path, small_batches: None, encoded: bool) -> None:
    texts = ["a", "x" * 600 * KIB, "b", None, "y" * 600 * KIB]
    written({"id": ["1", "2", "3", "4", "5"], "code": texts}, use_dictionary=encoded)
    found = records()
    reason = "a row of more than 524,288 bytes"
    assert [record.problem for record in found] == ["", reason, "", "", reason]
    assert [record.where for record in found][1] == "a.parquet, row 2"
    assert [record.fields["code"] for record in found if record.fields] == ["a", "b", None]


@pytest.mark.parametrize(
    "nested",
    [
        lambda texts: pa.ListArray.from_arrays(pa.array([0, 0, 20, 40], pa.int32()), texts),
        lambda texts: pa.StructArray.from_arrays(
            [pa.ListArray.from_arrays(pa.array([0, 0, 20, 40], pa.int32()), texts)], ["x"]
        ),
        lambda texts: pa.MapArray.from_arrays(
            pa.array([0, 0, 20, 40], pa.int32()), pa.array([str(i) for i in range(40)]), texts
        ),
        lambda texts: pa.ListArray.from_arrays(
            pa.array([0, 0, 1, 2], pa.int32()),
            pa.ListArray.from_arrays(pa.array([0, 20, 40], pa.int32()), texts),
        ),
    ],
)
def test_lists_of_a_text_that_recurs(here: Path, small_batches: None, nested: Any) -> None:
    written({"id": ["1", "2", "3"], "references": nested(repeated(40).dictionary_decode())})
    (found,) = records()  # 2 MB in each of two rows, of which the file holds 100 kB
    assert found.problem == (
        "row group 1 cannot be read (a row of more than 524,288 bytes); 3 of its 3 rows are lost"
    )


def test_lists_that_are_short_enough(here: Path, small_batches: None) -> None:
    texts = ["a" * 100 * KIB, "b" * 100 * KIB]
    written({"id": list(range(50)), "references": [texts, [], None, texts[:1], texts] * 10})
    assert [record.fields and record.fields["references"] for record in records()] == [
        *([texts, [], None, texts[:1], texts] * 10)
    ]


def test_more_values_in_lists_than_any_row_may_have(
    here: Path, small_batches: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_MOST_VALUES", 1000)
    written({"id": ["1"], "numbers": [[0] * 200_000]})
    (found,) = records()
    assert "its lists have more than 1,000 values" in found.problem


def test_other_row_groups_are_read(here: Path, small_batches: None) -> None:
    lists = [["a"], ["b"], [TEXT] * 20, ["c"]]
    written({"id": ["1", "2", "3", "4"], "references": lists}, row_group_size=1)
    assert [bool(record.problem) for record in records()] == [False, False, True, False]


TABLE = pa.table(
    {
        "text": ["a", None, "bcd"],
        "list": [["x" * 10, "y"], [], None],
        "map": pa.array([[("k", 1.5)], None, []], pa.map_(pa.string(), pa.float64())),
        "struct": [{"a": "u", "b": [1]}, {"a": None, "b": None}, None],
        "bytes": [b"xy", None, b""],
        "number": [1, None, 3],
        "truth": [True, None, False],
        "nothing": pa.nulls(3),
    }
)


def test_sizes_of_rows() -> None:
    assert module._value_sizes(TABLE["text"].combine_chunks()).tolist() == [1, 0, 3]
    assert module._value_sizes(TABLE["list"].combine_chunks()).tolist() == [11, 0, 0]
    assert module._value_sizes(TABLE["map"].combine_chunks()).tolist() == [9, 0, 0]
    assert module._value_sizes(TABLE["struct"].combine_chunks()).tolist() == [9, 0, 0]
    assert module._value_sizes(TABLE["bytes"].combine_chunks()).tolist() == [2, 0, 0]
    for name in ("number", "truth", "nothing"):
        assert module._value_sizes(TABLE[name].combine_chunks()).tolist() == [8, 8, 8]
    column = pa.DictionaryArray.from_arrays(pa.array([1, None, 0]), pa.array(["ab", "cde"]))
    assert module._value_sizes(column).tolist() == [3, 0, 2]
    assert module._value_sizes(column.slice(1)).tolist() == [0, 2]


@pytest.mark.parametrize("limit", [10**9, 10_000])
@pytest.mark.parametrize("columns", [None, ["map", "text"], []])
def test_a_table_is_read_as_pyarrow_reads_it(limit: int, columns: list[str] | None) -> None:
    sink = pa.BufferOutputStream()
    pq.write_table(TABLE, sink)
    stream = pa.BufferReader(sink.getvalue())
    file = open_parquet(stream)
    assert read_parquet(stream, file, columns, limit).equals(file.read(columns))


def test_a_table_that_takes_too_much() -> None:
    sink = pa.BufferOutputStream()
    texts = repeated(1000).dictionary_decode()
    pq.write_table(pa.table({"id": list(range(1000)), "code": texts}), sink)
    stream = pa.BufferReader(sink.getvalue())
    file = open_parquet(stream)
    assert read_parquet(stream, file, ["id"], 10**6).num_rows == 1000
    with pytest.raises(ValueError, match="its rows take more than 1,000,000 bytes"):
        read_parquet(stream, file, None, 10**6)


def test_pieces_of_a_file_are_arrow(here: Path) -> None:
    written({"id": ["1"]})
    (shard,) = open_rows("a.parquet").shards()
    assert isinstance(shard.pieces[0], ArrowRows)
    assert not isinstance(shard.pieces[0], Unreadable)
