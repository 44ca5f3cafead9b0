"""Rows whose value differs from the package's for a written reason."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from codekin import Source

__all__ = ["known_difference"]

_RECOVERY = (
    "the text does not parse, and the grammar that the row was made with ({old}) recovers from its "
    "errors with another tree than today's"
)
_OF_TREES = {"codebleu", "syntax_match_score", "dataflow_match_score"}


def known_difference(row: dict[str, Any], differing: Collection[str]) -> str | None:
    """The reason why a row may differ in the values named, None if it may not.

    Python that does not parse has another tree in the grammar that the TSED rows were made with
    (tree-sitter-language-pack 0.13, which no wheel of its own carries); code that does not parse
    may have one in the older grammars of the CodeBLEU rows, which then differ in the parts that
    look at trees, and in no other.
    """
    args, inputs = row["args"], row["inputs"]
    if row["metric"].startswith("TSED"):
        if args["language"] != "python":
            return None
        texts, language, old = [inputs["origin"], inputs["target"]], "python", "language-pack 0.13"
    elif row["metric"] == "CodeBLEU" and set(differing) <= _OF_TREES:
        pools = [r if isinstance(r, list) else [r] for r in inputs["references"]]
        texts = [*inputs["predictions"], *(text for pool in pools for text in pool)]
        language = args["lang"]
        old = ", ".join(f"{name} {version}" for name, version in args["grammars"].items())
    else:
        return None
    broken = any(Source(text, language).problems for text in texts)
    return _RECOVERY.format(old=old) if broken else None
