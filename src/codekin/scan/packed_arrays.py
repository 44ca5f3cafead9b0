"""Arrays and a small JSON document in one piece of bytes, which can be read without copying."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from codekin.errors import CodekinError

__all__ = ["DamagedError", "pack_arrays", "unpack_arrays"]

_LENGTH = struct.Struct("<Q")
_ALIGNED = 8
_TYPES = frozenset({"<u1", "<i4", "<u4", "<i8", "<u8", "<f8"})


class DamagedError(CodekinError):
    """Bytes are not what was written; the message says why."""


def pack_arrays(meta: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> bytes:
    """One piece of bytes with a JSON document and named arrays of one dimension.

    Examples
    --------
    >>> meta, arrays = unpack_arrays(pack_arrays({"n": 2}, {"x": np.array([3, 4], np.int32)}))
    >>> meta, arrays["x"].tolist()
    ({'n': 2}, [3, 4])
    """
    pieces, shapes = [], []
    for name, array in arrays.items():
        little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        kind = f"<{little.dtype.kind}{little.dtype.itemsize}"
        shapes.append([name, kind, len(little)])
        data = little.tobytes()
        pieces.append(data + bytes(-len(data) % _ALIGNED))
    head = json.dumps({"meta": meta, "arrays": shapes}, separators=(",", ":")).encode("ascii")
    head += b" " * (-len(head) % _ALIGNED)
    return b"".join([_LENGTH.pack(len(head)), head, *pieces])


def unpack_arrays(data: bytes | memoryview) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """The document and the arrays, which are views of the bytes; DamagedError if not whole.

    Nothing but numbers is made of the bytes, whoever wrote them.
    """
    view = memoryview(data)
    try:
        (length,) = _LENGTH.unpack(view[: _LENGTH.size])
        at = _LENGTH.size + length
        head = json.loads(bytes(view[_LENGTH.size : at]))
        arrays = {}
        for name, kind, count in head["arrays"]:
            if kind not in _TYPES or not isinstance(count, int) or count < 0:
                raise ValueError("unknown array")
            array = np.frombuffer(view, kind, count, at)
            arrays[str(name)] = array
            at += -(-array.nbytes // _ALIGNED) * _ALIGNED
        if at != len(view) or not isinstance(head["meta"], dict):
            raise ValueError("wrong length")
    except (ValueError, KeyError, TypeError, struct.error, RecursionError) as error:
        raise DamagedError(f"is not a piece of an index ({error})") from None
    return head["meta"], arrays
