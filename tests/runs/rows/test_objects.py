import datetime
import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from codekin.errors import CodekinError
from codekin.runs.rows import TYPE_MARKER, ArrowRows, JsonLines, open_rows

ROWS = [
    {"id": n, "candidate": f"x = {n}" * n, "references": ["é", "b" * n], "outcome": n / 2}
    for n in range(25)
]
TABLE = pa.Table.from_pylist(ROWS)


class OurFrame(pd.DataFrame):
    """As geopandas derives its frames."""


def dataset(rows):
    import datasets  # takes half a second, and most tests need none of it

    return datasets.Dataset.from_list(rows)


INPUTS = {
    "list": (lambda: ROWS, {"kind": "rows", "rows": 25}),
    "tuple": (lambda: tuple(ROWS), {"kind": "rows", "rows": 25}),
    "iterator": (lambda: iter(ROWS), {"kind": "rows"}),
    "generator": (lambda: (row for row in ROWS), {"kind": "rows"}),
    "pandas": (lambda: pd.DataFrame(ROWS), "pandas.DataFrame"),
    "pandas with an index": (
        lambda: pd.DataFrame(ROWS, index=[f"r{n}" for n in range(25)]),
        "pandas.DataFrame",
    ),
    "subclass of pandas": (lambda: OurFrame(ROWS), "pandas.DataFrame"),
    "polars": (lambda: pl.DataFrame(ROWS), "polars.DataFrame"),
    "lazy polars": (lambda: pl.LazyFrame(ROWS), "polars.DataFrame"),
    "arrow": (lambda: TABLE, "pyarrow.Table"),
    "arrow in chunks": (lambda: pa.concat_tables([TABLE[:3], TABLE[3:]]), "pyarrow.Table"),
    "batch": (lambda: TABLE.to_batches()[0], "pyarrow.RecordBatch"),
    "reader": (lambda: TABLE.to_reader(4), "pyarrow.RecordBatchReader"),
    "dataset": (lambda: dataset(ROWS), "datasets.Dataset"),
    "chosen of a dataset": (
        lambda: dataset(ROWS[::-1]).select(range(24, -1, -1)),
        "datasets.Dataset",
    ),
    "iterable dataset": (
        lambda: dataset(ROWS).to_iterable_dataset(),
        {"kind": "rows", "type": "datasets.IterableDataset"},
    ),
}


def described(what):
    if isinstance(what, dict):
        return what
    table = {"kind": "table", "type": what, "columns": ["id", "candidate", "references", "outcome"]}
    return table if what.endswith("Reader") else table | {"rows": 25}


@pytest.mark.parametrize("rows", [1, 4, 25, 1000])
@pytest.mark.parametrize("name", INPUTS)
def test_rows_of_objects(read, name, rows):
    make, description = INPUTS[name]
    assert open_rows(make()).describe() == described(description)
    found = read(make(), rows)
    assert [record.fields for record in found] == ROWS
    assert [record.where for record in found] == [f"row {n}" for n in range(1, 26)]
    assert [len(shard) for shard in open_rows(make()).shards(rows)] == [
        min(rows, 25 - first) for first in range(0, 25, rows)
    ]


@pytest.mark.parametrize("name", INPUTS)
def test_shares_of_objects(name):
    make, _ = INPUTS[name]
    shares = [shard.share for shard in open_rows(make()).shards(10)]
    if any(word in name for word in ("iter", "reader", "generator")):
        assert shares == [None] * 3
    else:
        assert shares == pytest.approx([0.4, 0.8, 1.0])


@pytest.mark.parametrize("name", INPUTS)
def test_objects_are_read_again_unless_reading_uses_them_up(name):
    make, _ = INPUTS[name]
    rows = open_rows(make())
    first = [shard.digest() for shard in rows.shards(10)]
    if name in {"iterator", "generator", "reader"}:
        with pytest.raises(CodekinError, match="only once"):
            rows.shards(10)
    else:
        assert [shard.digest() for shard in rows.shards(10)] == first


def test_iterators_are_read_no_further_than_needed():
    taken = []

    def rows():
        for row in ROWS * 1000:
            taken.append(row)
            yield row

    next(open_rows(rows()).shards(10))
    assert len(taken) < 1000


def test_what_an_iterator_raises_is_not_hidden(read):
    def rows():
        yield ROWS[0]
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        read(rows())


def test_rows_that_are_none_are_problems_of_their_own(read):
    loop = {}
    loop["x"] = loop
    deep = []
    for _ in range(100_000):
        deep = [deep]
    rows = [{"id": 1}, [1], "x", None, {(1, 2): 3}, loop, {"x": deep}, {"n": 10**5000}, {"id": 9}]
    found = read(rows)
    assert [record.fields for record in found] == [{"id": 1}, *[None] * 7, {"id": 9}]
    assert [record.where for record in found] == [f"row {n}" for n in range(1, 10)]
    problems = [record.problem for record in found[1:-1]]
    assert problems[:3] == [
        "a list, not an object with fields",
        "a text, not an object with fields",
        "null, not an object with fields",
    ]
    assert all(problem.startswith("cannot be written as JSON: ") for problem in problems[3:])


def test_rows_of_a_type_that_has_no_fields(read):
    found = read([{"id": 1}, b"x", Path("a"), {TYPE_MARKER: "x", "id": 2}])
    assert [record.problem for record in found] == [
        "",
        "bytes, not an object with fields",
        f"a {type(Path()).__name__}, not an object with fields",
        "",
    ]


def test_missing_values_of_pandas_are_null(read):
    frame = pd.DataFrame(
        {
            "text": ["a", np.nan, None],
            "object": pd.Series(["a", np.nan, pd.NA], dtype=object),
            "number": [1.5, np.nan, 2],
            "time": [pd.Timestamp(2020, 1, 1), pd.NaT, pd.NaT],
            "mixed": [1, "x", np.nan],
        }
    )
    for part, kind in ((frame.drop(columns="mixed"), ArrowRows), (frame, JsonLines)):
        (shard,) = open_rows(part).shards(10)
        assert isinstance(shard.pieces[0], kind)
        first, second, third = (record.fields for record in shard.records())
        assert second.pop("mixed", "x") == "x"
        assert set(second.values()) == {None}
        assert (third["text"], third["object"], third["number"]) == (None, None, 2)
        assert (first["text"], first["number"]) == ("a", 1.5)
    assert first["time"] == {TYPE_MARKER: "Timestamp"}


def test_columns_of_mixed_types_are_read_row_by_row(read):
    frame = pd.DataFrame({"id": [1, "two", 3.5, None, b"x"], 7: [1, 2, 3, 4, 5]})
    for rows in (1, 2, 1000):
        found = [record.fields for record in read(frame, rows)]
        assert [fields["id"] for fields in found[:4]] == [1, "two", 3.5, None]
        assert [fields["7"] for fields in found] == [1, 2, 3, 4, 5]
        assert found[4]["id"] in (b"x", {TYPE_MARKER: "bytes"})
    assert [record.where for record in read(frame)] == [f"row {n}" for n in range(1, 6)]


def test_categories_and_times(read):
    frame = pd.DataFrame({"g": pd.Categorical(["a", None, "a"]), "t": pd.Timestamp(2020, 1, 1)})
    assert [record.fields["g"] for record in read(frame, 2)] == ["a", None, "a"]
    assert read(frame)[0].fields["t"] == datetime.datetime(2020, 1, 1)


def test_objects_in_a_polars_frame_keep_the_name_of_their_type(read):
    frame = pl.DataFrame({"id": [1, 2], "x": [{1}, {2}]}, schema={"id": pl.Int64, "x": pl.Object})
    assert [record.fields for record in read(frame, 1)] == [
        {"id": n, "x": {TYPE_MARKER: "set"}} for n in (1, 2)
    ]


def test_frames_without_rows(read):
    for frame in (pd.DataFrame({"id": []}), pl.DataFrame({"id": []}), TABLE[:0], [], iter([])):
        assert read(frame) == []


def test_columns_of_one_name_are_refused():
    with pytest.raises(CodekinError, match="two columns are named 'a'"):
        open_rows(pd.DataFrame([[1, 2]], columns=["a", "a"]))


def test_splits_are_to_be_chosen():
    import datasets

    split = dataset(ROWS)
    lazy = split.to_iterable_dataset()
    for several in (
        datasets.DatasetDict({"train": split, "test": split}),
        datasets.IterableDatasetDict({"train": lazy, "test": lazy}),
    ):
        with pytest.raises(CodekinError, match=r"several splits \(train, test\); choose one"):
            open_rows(several)


@pytest.mark.parametrize(
    "what",
    [
        {"id": 1},
        3,
        None,
        b"x",
        object(),
        pd.Series([1]),
        pl.Series([1]),
        pa.array([1]),
        np.array([1]),
        io.StringIO('{"id": 1}'),
    ],
)
def test_other_objects_are_refused(what):
    with pytest.raises(CodekinError, match=r"cannot read rows from .*; give a path"):
        open_rows(what)


def test_no_library_of_frames_is_imported():
    code = (
        "import sys; from codekin.runs.rows import open_rows; list(open_rows([{}]).shards(1)); "
        "print(sorted({'pandas', 'polars', 'datasets', 'distributed'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
