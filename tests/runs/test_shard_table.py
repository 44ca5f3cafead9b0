from __future__ import annotations

import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin.errors import CodekinError
from codekin.runs.row import Row
from codekin.runs.shard_table import (
    FACTS,
    ScoreColumns,
    _array,
    file_bytes,
    score_columns,
    shard_note,
    shard_table,
)

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
SCORES = st.one_of(
    st.none() | st.text(max_size=5),
    st.tuples(
        NUMBERS,
        st.dictionaries(st.text(max_size=3), NUMBERS, max_size=3),
        st.none() | st.tuples(NUMBERS, NUMBERS),
        st.lists(st.integers(0, 2**50), min_size=2, max_size=2),
    ),
)


TEXTS = st.text(max_size=4)


@given(
    st.sampled_from(
        [
            (pa.string(), TEXTS),
            (pa.float64(), st.floats() | st.integers(-5, 5)),
            (pa.list_(pa.string()), st.lists(TEXTS, max_size=3)),
            (pa.list_(pa.float64()), st.lists(NUMBERS, max_size=3)),
            (pa.map_(pa.string(), pa.float64()), st.dictionaries(TEXTS, NUMBERS, max_size=3)),
        ]
    ).flatmap(lambda one: st.tuples(st.just(one[0]), st.lists(st.none() | one[1], max_size=20)))
)
def test_columns_are_what_arrow_makes_of_the_values(case) -> None:
    kind, values = case
    made = _array(values, kind)
    made.validate(full=True)
    pairs = [list(one.items()) if isinstance(one, dict) else one for one in values]
    assert made.type == kind
    assert repr(made.to_pylist()) == repr(pa.array(pairs, kind).to_pylist())  # NaN and -0.0, too


def test_texts_beyond_what_one_array_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    values = ["ab", None, "\ud800", "é"]
    whole = _array(values, pa.string())
    monkeypatch.setattr("codekin.runs.shard_table._MOST_BYTES", 3)
    assert _array(values, pa.string()) == whole
    assert whole.to_pylist() == ["ab", None, "\ufffd", "é"]


@given(st.lists(SCORES, max_size=8), st.booleans())
def test_what_goes_in_comes_out(scores, corpus) -> None:
    columns = ScoreColumns(corpus=corpus)
    rows = []
    for i, one in enumerate(scores):
        rows.append(Row(str(i), 7 + i))
        if one is None or isinstance(one, str):
            columns.add_failure(one)
        else:
            columns.add(*one)
    table = shard_table(rows, {"m": columns}, texts=True)
    data = file_bytes(table, {"shard": 3})
    assert data == file_bytes(table, {"shard": 3})
    read = pq.read_table(io.BytesIO(data))
    assert shard_note(read.schema.metadata) == {"shard": 3}
    assert read.column_names == [*FACTS, *score_columns("m", corpus=corpus)]
    assert read.column("row").to_pylist() == list(range(7, 7 + len(scores)))
    for i, one in enumerate(scores):
        found = {name: read.column(name)[i].as_py() for name in score_columns("m", corpus=corpus)}
        if one is None or isinstance(one, str):
            assert found.pop("m.problem") == one
            assert set(found.values()) == {None}
            continue
        value, parts, bounds, statistics = one
        assert found["m"] == value
        assert dict(found["m.parts"]) == parts
        assert (found["m.lower"], found["m.upper"]) == (bounds or (None, None))
        assert found.get("m.statistics", statistics) == statistics
        assert found["m.problem"] is None


def test_halves_of_characters_do_not_stop_a_shard() -> None:
    row = Row("id \ud800", 0, problem="no \udc00 good", group="g\ud800")
    columns = ScoreColumns(corpus=False)
    columns.add_failure("\ud800")
    table = shard_table([row], {"m": columns}, texts=True)
    assert table.column("id").to_pylist() == ["id \ufffd"]
    assert table.column("problem").to_pylist() == ["no \ufffd good"]
    assert table.column("m.problem").to_pylist() == ["\ufffd"]


def test_texts_can_be_left_out() -> None:
    row = Row("1", 0, candidate="a", references=("b", "c"), origin="d")
    (kept,) = shard_table([row], {}, texts=True).to_pylist()
    (left,) = shard_table([row], {}, texts=False).to_pylist()
    assert (kept["candidate"], kept["references"], kept["origin"]) == ("a", ["b", "c"], "d")
    assert (left["candidate"], left["references"], left["origin"]) == (None, None, None)
    assert kept["reference_key"] == left["reference_key"] is not None


def test_other_files_have_no_note() -> None:
    assert shard_note(None) == {}
    assert shard_note({b"pandas": b"{}"}) == {}


@pytest.mark.parametrize("bounds", [(float("-inf"), 1.0), (0.0, float("nan"))])
def test_bounds_are_numbers(bounds: tuple[float, float]) -> None:
    with pytest.raises(CodekinError, match="the bounds of the score are not numbers"):
        ScoreColumns(corpus=False).add(0.5, {}, bounds)
