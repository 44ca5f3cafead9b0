"""Numbers from numpy to Arrow and back, through their buffers.

``pa.array``, ``pa.scalar`` and ``to_numpy`` import pandas where it is installed, which takes as
long as everything else that a small command does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

__all__ = ["from_numpy", "texts_from_numpy", "to_numpy", "truths_from_numpy"]

Missing = Sequence[bool] | npt.NDArray[np.bool_]


def to_numpy(column: pa.Array | pa.ChunkedArray) -> npt.NDArray[Any]:
    """The values of a column, as its own ``to_numpy`` gives them; not all can be written to.

    Parameters
    ----------
    column : pa.Array or pa.ChunkedArray
        Of numbers, whose nulls become nan, or of truth values; other types take the long way.

    Examples
    --------
    >>> to_numpy(pa.array([1, None, 3])[1:]).tolist()
    [nan, 3.0]
    """
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    kind = column.type
    truths = pa.types.is_boolean(kind)
    if not (truths or pa.types.is_integer(kind) or pa.types.is_floating(kind)) or (
        truths and column.null_count
    ):
        return np.asarray(column.to_numpy(zero_copy_only=False))
    parts = [_bits(chunk, 1) if truths else _numbers(chunk) for chunk in chunks]
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts) if parts else np.empty(0, kind.to_pandas_dtype())


def _numbers(chunk: pa.Array) -> npt.NDArray[Any]:
    start, end = chunk.offset, chunk.offset + len(chunk)
    values = np.frombuffer(chunk.buffers()[1] or b"", chunk.type.to_pandas_dtype())[start:end]
    if not chunk.null_count:
        return values
    if not pa.types.is_floating(chunk.type):
        values = values.astype(np.float64)
    return np.where(_bits(chunk, 0), values, values.dtype.type(np.nan))


def _bits(chunk: pa.Array, buffer: int) -> npt.NDArray[np.bool_]:
    """The bits of a buffer that belong to the values of an array."""
    data = np.frombuffer(chunk.buffers()[buffer] or b"", np.uint8)
    bits = np.unpackbits(data, count=chunk.offset + len(chunk), bitorder="little")
    return bits[chunk.offset :].view(np.bool_)


def from_numpy(
    numbers: npt.NDArray[Any], kind: pa.DataType, missing: Missing | None = None
) -> pa.Array:
    """An Arrow array of numbers.

    Parameters
    ----------
    numbers : array
        Of the type of the Arrow array.
    kind : pa.DataType
    missing : array or sequence of bool, optional
        Which are null; by default none.
    """
    return pa.Array.from_buffers(kind, len(numbers), [_validity(missing), pa.py_buffer(numbers)])


def texts_from_numpy(
    ends: npt.NDArray[np.int32], data: bytes, missing: Missing | None = None
) -> pa.Array:
    """An Arrow array of texts.

    Parameters
    ----------
    ends : array
        0, and where each text ends in the data.
    data : bytes
        The texts in UTF-8, one after the other.
    missing : array or sequence of bool, optional
        Which are null; by default none.
    """
    buffers = [_validity(missing), pa.py_buffer(ends), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.string(), len(ends) - 1, buffers)


def truths_from_numpy(truths: npt.NDArray[np.bool_], missing: Missing | None = None) -> pa.Array:
    """An Arrow array of truth values.

    Parameters
    ----------
    truths : array
    missing : array or sequence of bool, optional
        Which are null; by default none.
    """
    bits = pa.py_buffer(np.packbits(truths, bitorder="little"))
    return pa.Array.from_buffers(pa.bool_(), len(truths), [_validity(missing), bits])


def _validity(missing: Missing | None) -> pa.Buffer | None:
    if missing is None:
        return None
    return pa.py_buffer(np.packbits(~np.array(missing, np.bool_), bitorder="little"))
