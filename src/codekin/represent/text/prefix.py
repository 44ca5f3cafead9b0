"""The start of a long text, cut so that it can be parsed by itself."""

from __future__ import annotations

import re

__all__ = ["closed_prefix"]

_BRACKET = re.compile(r"[(){}\[\]]")
_CLOSING = {"(": ")", "[": "]", "{": "}"}


def closed_prefix(text: str, length: int) -> str:
    """The first characters of a text up to a line end, with open brackets closed.

    An open bracket would turn the whole prefix into one error.

    Examples
    --------
    >>> closed_prefix("f([1,\\n2,\\n3])", 8)
    'f([1,\\n])'
    """
    if len(text) <= length:
        return text
    line_end = text.rfind("\n", 0, length)
    start = text[: line_end + 1 if line_end > 0 else length]
    closing: list[str] = []
    for bracket in _BRACKET.findall(start):
        if bracket in _CLOSING:
            closing.append(_CLOSING[bracket])
        elif closing and closing[-1] == bracket:
            closing.pop()
    return start + "".join(reversed(closing))
