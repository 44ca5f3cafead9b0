"""Rows whose value differs from the package's for a written reason."""

from __future__ import annotations

from typing import Any

from codekin import Source

__all__ = ["known_difference"]

_RECOVERY = (
    "tree-sitter-python 0.25 recovers from the syntax error with another tree than the grammar in "
    "tree-sitter-language-pack 0.13, which no wheel of its own carries"
)


def known_difference(row: dict[str, Any]) -> str | None:
    """The reason why a row may differ, None if it may not.

    Python that does not parse has another tree in the grammar that the TSED rows were made with.
    """
    if not row["metric"].startswith("TSED") or row["args"]["language"] != "python":
        return None
    texts = (row["inputs"]["origin"], row["inputs"]["target"])
    return _RECOVERY if any(Source(text, "python").problems for text in texts) else None
