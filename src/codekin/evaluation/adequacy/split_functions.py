"""Hand-written pairs: a program, and the same program with a part of it in another function."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources

__all__ = ["SplitFunction", "split_functions"]


@dataclass(frozen=True)
class SplitFunction:
    """A program in two forms that do the same.

    Attributes
    ----------
    name : str
    language : str
    joined : str
        Without the function that `split` has, whose code is where `split` calls it.
    split : str
        With one more function.
    check : str
        Code that prints what either of them does.
    """

    name: str
    language: str
    joined: str
    split: str
    check: str


@cache
def split_functions(language: str) -> tuple[SplitFunction, ...]:
    """The pairs of a language, small ones first; none if nobody wrote any.

    Examples
    --------
    >>> len(split_functions("python")), split_functions("lua")
    (20, ())
    """
    data = resources.files("codekin").joinpath("data/split-functions.jsonl")
    rows = map(json.loads, data.read_text("utf-8").splitlines())
    pairs = (SplitFunction(**row) for row in rows if row["language"] == language)
    return tuple(sorted(pairs, key=lambda pair: len(pair.joined) + len(pair.split)))
