"""Columns read and made through their buffers are those that Arrow would have read and made."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin.runs.columns import from_numpy, texts_from_numpy, to_numpy

_KINDS: dict[pa.DataType, st.SearchStrategy[Any]] = {
    pa.float64(): st.floats(),
    pa.float32(): st.floats(width=32),
    pa.int64(): st.integers(-(2**63), 2**63 - 1),
    pa.int32(): st.integers(-(2**31), 2**31 - 1),
    pa.uint8(): st.integers(0, 255),
    pa.bool_(): st.booleans(),
}


@st.composite
def _columns(draw: st.DrawFn) -> pa.ChunkedArray:
    """Chunks of numbers, whole or cut out of a longer array, with nulls and without."""
    kind = draw(st.sampled_from(sorted(_KINDS, key=str)))
    values = _KINDS[kind] if draw(st.booleans()) else st.none() | _KINDS[kind]
    chunks = []
    for part in draw(st.lists(st.lists(values, max_size=20), max_size=3)):
        start = draw(st.integers(0, len(part)))
        chunks.append(pa.array(part, kind)[start : draw(st.integers(start, len(part)))])
    return pa.chunked_array(chunks, kind)


@given(_columns())
def test_columns_are_read_as_arrow_reads_them(column: pa.ChunkedArray) -> None:
    expected = column.to_numpy()
    _equal(to_numpy(column), expected)
    if column.num_chunks == 1:
        _equal(to_numpy(column.chunk(0)), expected)


def _equal(found: np.ndarray, expected: np.ndarray) -> None:
    assert found.dtype == expected.dtype
    if expected.dtype == object:
        assert found.tolist() == expected.tolist()
    else:
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    "column",
    [
        pa.array([]),
        pa.nulls(2),
        pa.nulls(2, pa.float64()),
        pa.nulls(0, pa.bool_()),
        pa.array(["a", None]),
        pa.array([[1.0], None]).flatten(),
        pa.chunked_array([], pa.int32()),
        pa.chunked_array([[True], [None, False]]),
    ],
    ids=str,
)
def test_columns_of_other_kinds(column: pa.Array | pa.ChunkedArray) -> None:
    _equal(to_numpy(column), column.to_numpy(zero_copy_only=False))


@given(st.lists(st.none() | st.integers(-(2**63), 2**63 - 1)))
def test_numbers_become_arrow(values: list[int | None]) -> None:
    numbers = np.array([one or 0 for one in values], np.int64)
    made = from_numpy(numbers, pa.int64(), [one is None for one in values])
    made.validate(full=True)
    assert made.equals(pa.array(values, pa.int64()))


@given(st.lists(st.none() | st.text(st.characters(exclude_categories=["Cs"]))))
def test_texts_become_arrow(values: list[str | None]) -> None:
    data = [(one or "").encode() for one in values]
    ends = np.cumsum([0, *map(len, data)], dtype=np.int32)
    made = texts_from_numpy(ends, b"".join(data), [one is None for one in values])
    made.validate(full=True)
    assert made.equals(pa.array(values, pa.string()))


def test_reading_and_making_load_no_pandas() -> None:
    script = """
import sys
import numpy as np, pyarrow as pa
from codekin.runs.columns import from_numpy, to_numpy
made = from_numpy(np.array([1.0, 2.0]), pa.float64(), [False, True])
assert to_numpy(pa.chunked_array([made, made])).tolist()[::2] == [1.0, 1.0]
assert to_numpy(made.is_null()).tolist() == [False, True]
sys.exit("pandas" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
