"""Values of rows: how they are named to people, and how those JSON does not know travel in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

__all__ = ["TYPE_MARKER", "is_marker", "to_json", "type_name"]

TYPE_MARKER = "\0type"
"""The only key of an object that stands for a value JSON cannot hold; its type is beside it."""

_NAMES = {
    bool: "true or false",
    int: "a number",
    float: "a number",
    str: "a text",
    list: "a list",
    tuple: "a list",
    bytes: "bytes",
    type(None): "null",
}


def type_name(value: object) -> str:
    r"""What a value is, for messages such as "must be a text, not bytes".

    Examples
    --------
    >>> type_name(1.5), type_name([]), type_name(None), type_name({"a": 1}), type_name(b"")
    ('a number', 'a list', 'null', 'an object', 'bytes')
    >>> type_name({"\0type": "datetime"})
    'a datetime'
    """
    known = _NAMES.get(type(value))
    if known is not None:
        return known
    if isinstance(value, dict):
        return _with_article(value[TYPE_MARKER]) if is_marker(value) else "an object"
    return _with_article(type(value).__name__)


def is_marker(value: dict[str, Any]) -> bool:
    """Whether an object stands for a value JSON cannot hold."""
    return len(value) == 1 and isinstance(value.get(TYPE_MARKER), str)


def _with_article(name: str) -> str:
    if name == "bytes":
        return name
    return f"an {name}" if name[:1].lower() in "aeiou" else f"a {name}"


def to_json(row: object) -> bytes:
    r"""One line of JSON for a row of Python values.

    Scalars and arrays of numpy become plain numbers and lists, missing values of pandas become
    null, and what JSON does not know becomes an object that only names its type.

    Examples
    --------
    >>> to_json({"id": 1, "candidate": b"x = 1"})
    b'{"id":1,"candidate":{"\\u0000type":"bytes"}}'
    """
    return json.dumps(row, default=_plain, separators=(",", ":")).encode("ascii")


def _plain(value: Any) -> object:
    """What stands for a value that JSON does not know."""
    if isinstance(value, Mapping):
        return dict(value)
    kind = type(value)
    origin = kind.__module__.partition(".")[0]
    if origin == "numpy" and hasattr(value, "tolist"):
        plain = value.tolist()
        if type(plain) is not kind:
            return plain
    if origin == "pandas" and kind.__name__ in {"NAType", "NaTType"}:
        return None
    return {TYPE_MARKER: kind.__name__}
