import gzip
import json
import os
import pickle
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin.runs import rows as room
from codekin.runs.rows import open_rows

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
# Of few fields each: drawing them takes longer than reading them.
tables = st.lists(st.dictionaries(st.text(), values, max_size=2), max_size=30)


def fields(what, rows, most_bytes):
    shards = list(open_rows(what).shards(rows, most_bytes))
    again = pickle.loads(pickle.dumps(shards))
    assert again == shards == list(open_rows(what).shards(rows, most_bytes))
    assert [shard.digest() for shard in again] == [shard.digest() for shard in shards]
    assert all(len(list(shard.records())) == len(shard) <= rows for shard in shards)
    return [record.fields for shard in again for record in shard.records()]


@given(tables, st.integers(1, 40), st.integers(1, 1000), st.booleans())
def test_rows_come_back_as_they_were(table, rows, most_bytes, ascii_only):
    assert fields(table, rows, most_bytes) == table
    text = "\n".join(json.dumps(row, ensure_ascii=ascii_only) for row in table)
    data = text.encode()
    with tempfile.TemporaryDirectory() as folder:
        plain, packed = Path(folder, "a.jsonl"), Path(folder, "b.jsonl.gz")
        plain.write_bytes(data)
        packed.write_bytes(gzip.compress(data))
        assert fields(plain, rows, most_bytes) == table
        assert fields(os.fspath(packed), rows, most_bytes) == table
        assert fields([plain, packed], rows, most_bytes) == table + table


@pytest.mark.parametrize("rows", [1, 3, 1000])
def test_one_row_of_ten_megabytes_among_others(tmp_path, rows):
    table = [{"a": "x"}, {"a": "y" * 10_000_000}, {"a": "z"}]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(map(json.dumps, table)))
    for what in (table, path):
        shards = list(open_rows(what).shards(rows))
        assert [r.fields for shard in shards for r in shard.records()] == table
        assert [len(shard) for shard in shards] == ([1, 1, 1] if rows == 1 else [2, 1])


def test_the_room_exports_what_it_says():
    assert sorted(room.__all__) == sorted(set(room.__all__))
    assert all(hasattr(room, name) for name in room.__all__)
