import datetime
import decimal
import pickle

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin.errors import CodekinError
from codekin.runs.rows import TYPE_MARKER, ArrowRows, open_rows

ROWS = [
    {
        "id": n,
        "candidate": None if n % 7 == 3 else "é" * n,
        "references": None if n % 5 == 2 else ["a" * n, None, ""],
        "outcome": None if n % 3 else n / 3,
    }
    for n in range(50)
]


def fields(shards):
    return [record.fields for shard in shards for record in shard.records()]


@pytest.mark.parametrize("group", [7, 10, 1000])
@pytest.mark.parametrize("rows", [1, 10, 33, 1000])
def test_row_groups_and_shards_have_nothing_to_do_with_each_other(here, group, rows):
    pq.write_table(pa.Table.from_pylist(ROWS), "a.parquet", row_group_size=group)
    shards = list(open_rows("a.parquet").shards(rows))
    assert fields(shards) == ROWS
    assert {len(shard) for shard in shards[:-1]} <= {rows}
    assert shards[-1].share == 1.0
    assert next(shards[-1].records()).where == f"a.parquet, row {shards[-1].first_row + 1}"


def test_the_digest_is_of_the_values():
    table = pa.Table.from_pylist(ROWS)

    def digest(what):
        (shard,) = open_rows(what).shards(1000)
        return shard.digest()

    views = table.set_column(1, "candidate", table["candidate"].cast(pa.large_string()))
    assert digest(table) == digest(pickle.loads(pickle.dumps(table))) == digest(views)
    for row, column, value in [(3, "candidate", ""), (4, "references", ["aaaa"]), (5, "id", 6)]:
        other = [dict(one) for one in ROWS]
        other[row][column] = value
        assert digest(pa.Table.from_pylist(other, table.schema)) != digest(table)
    assert digest(table.rename_columns(["id", "c", "references", "outcome"])) != digest(table)


def test_bytes_under_nulls_do_not_count():
    data = [pa.py_buffer(b"\x05"), pa.py_buffer(b"\1\0\0\0\2\0\0\0\3\0\0\0")]
    other = [data[0], pa.py_buffer(b"\1\0\0\0\7\0\0\0\3\0\0\0")]
    one, two = (
        pa.table({"n": pa.Array.from_buffers(pa.int32(), 3, buffers)}) for buffers in (data, other)
    )
    assert next(open_rows(one).shards(9)).digest() == next(open_rows(two).shards(9)).digest()


@pytest.mark.parametrize(
    ("column", "values"),
    [
        (pa.array([b"\xff", None]), [b"\xff", None]),
        (pa.array([decimal.Decimal("1.5"), None]), [decimal.Decimal("1.5"), None]),
        (pa.array([datetime.datetime(2020, 1, 2)]), [datetime.datetime(2020, 1, 2)]),
        (pa.array(["a", "b", "a", None]).dictionary_encode(), ["a", "b", "a", None]),
        (pa.array(["a", None], pa.string_view()), ["a", None]),
        (pa.array([{"x": [1]}, None]), [{"x": [1]}, None]),
        (pa.array([None, None]), [None, None]),
    ],
)
def test_types_that_json_does_not_know(column, values):
    shards = list(open_rows(pa.table({"x": column})).shards(1))
    assert fields(shards) == [{"x": value} for value in values]
    assert len({shard.digest() for shard in shards}) == len(set(map(str, values)))


@pytest.mark.parametrize("column", [pa.array(["abcd"] * 999 + ["x" * 10_000]).dictionary_encode()])
def test_slices_do_not_carry_the_values_of_the_whole_column(column):
    first, *_ = open_rows(pa.table({"x": column})).shards(10)
    assert first.pieces[0].nbytes < 2000


def test_texts_that_python_cannot_hold_are_problems_of_their_rows():
    times = pa.array([0, 2**62, 1], pa.timestamp("s"))
    texts = pa.array([b"a", b"a", b"\xff"]).view(pa.string())
    (shard,) = open_rows(pa.table({"t": times, "x": texts})).shards(9)
    first, second, third = shard.records()
    assert first.fields == {"t": datetime.datetime(1970, 1, 1), "x": "a"}
    assert second.fields == {"t": {TYPE_MARKER: "timestamp[s]"}, "x": "a"}
    assert third.problem.startswith("column x cannot be read: 'utf-8' codec can't decode")
    assert len(shard.digest()) == 64


@given(st.lists(st.integers(0, 30), min_size=1), st.integers(0, 99))
def test_rows_within_counts_until_the_bytes_are_reached(sizes, nbytes):
    run = ArrowRows("", 1, pa.record_batch({"x": ["x" * size for size in sizes]}))
    count = run.rows_within(0, nbytes)
    assert 1 <= count <= len(sizes)
    assert count == 1 or run.batch.slice(0, count - 1).nbytes < nbytes
    assert count == len(sizes) or run.batch.slice(0, count).nbytes >= nbytes


def test_large_rows_make_small_shards(here):
    table = pa.table({"x": ["x" * 100_000] * 40})
    pq.write_table(table, "a.parquet")
    for what in (table, "a.parquet"):
        shards = list(open_rows(what).shards(1000, most_bytes=1_000_000))
        assert [len(shard) for shard in shards] == [10, 10, 10, 10]


def test_a_file_that_is_no_parquet_is_a_row_with_a_problem(here, read):
    pq.write_table(pa.Table.from_pylist(ROWS), "a.parquet")
    whole = (here / "a.parquet").read_bytes()
    for data in (
        whole[:-20],
        whole[:100],
        b"",
        b"garbage" * 10,
        whole[:-8] + b"\xff" * 4 + b"PAR1",
    ):
        (here / "b.parquet").write_bytes(data)
        (record,) = read("b.parquet")
        assert record.where == "b.parquet, row 1"
        assert record.problem.startswith("no readable Parquet file: ")


def test_the_other_row_groups_of_a_corrupt_file_are_read(here, read):
    table = pa.table({"id": range(30), "x": [str(n) * 50 for n in range(30)]})
    pq.write_table(table, "a.parquet", row_group_size=10, use_dictionary=False)
    start = pq.read_metadata("a.parquet").row_group(1).column(1).data_page_offset
    data = bytearray((here / "a.parquet").read_bytes())
    data[start : start + 60] = b"\xff" * 60
    (here / "a.parquet").write_bytes(data)
    found = read("a.parquet", 7)
    assert [r.fields["id"] for r in found if r.fields] == [*range(10), *range(20, 30)]
    (lost,) = (record for record in found if record.problem)
    assert lost.where == "a.parquet, row 11"
    assert lost.problem.startswith("row group 2 cannot be read (")
    assert lost.problem.endswith("; 10 of its 10 rows are lost")


def test_columns_of_one_name_are_refused(here):
    table = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"])
    pq.write_table(table, "a.parquet")
    for what, name in (("a.parquet", "a.parquet"), (table, "the table")):
        with pytest.raises(CodekinError, match=f"{name}: two columns are named 'a'"):
            open_rows(what)


def test_pieces_are_pickled_whole():
    piece = ArrowRows("a", 3, pa.RecordBatch.from_pylist(ROWS))
    again = pickle.loads(pickle.dumps(piece))
    assert again == piece
    assert [record.fields for record in again.records()] == ROWS
