"""answered_code: the code inside the answer of a chat model."""

from __future__ import annotations

import re

__all__ = ["answered_code"]

_BLOCK = re.compile(r"^(`{3,}|~{3,})[^`\n]*\n(.*?)(?:^\1|\Z)", re.DOTALL | re.MULTILINE)


def answered_code(answer: str) -> str:
    r"""The first fenced block of an answer, or the whole answer if it has none.

    Examples
    --------
    >>> answered_code("Sure!\n```python\nx = 1\n```\nThis sets x.")
    'x = 1\n'
    >>> answered_code("x = 1")
    'x = 1'
    """
    found = _BLOCK.search(answer)
    return answer if found is None else found[2]
