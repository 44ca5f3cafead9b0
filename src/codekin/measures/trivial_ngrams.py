"""The n-grams that programs of a language share trivially, as shipped with the package."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources

__all__ = ["shipped_ngrams"]


@cache
def shipped_ngrams(language: str) -> tuple[tuple[str, ...], ...]:
    """The most frequent n-grams of open code in a language, most frequent first.

    Languages without a file of their own, those of entry points, have none.
    """
    file = resources.files("codekin") / "data" / "trivial_ngrams" / f"{language}.json"
    if not file.is_file():
        return ()
    table = json.loads(file.read_text(encoding="utf-8"))
    return tuple(tuple(ngram) for ngram in table["ngrams"])
