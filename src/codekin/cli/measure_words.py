"""The measures that ``-m`` names: words separated by commas, in any case."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from codekin.errors import CodekinError

if TYPE_CHECKING:
    from codekin.measures import Measure

__all__ = ["chosen_measures", "only_measure", "split_measures"]

_TARGET = re.compile(r"[\w.]+:[\w.]+")
"""A measure of another module, as ``module:attribute``."""


def chosen_measures(words: Sequence[str] | None) -> list[Measure] | None:
    """The measures that were named; None for all."""
    from codekin.measures import parse_measure

    return [parse_measure(name) for name in split_measures(words)] if words else None


def only_measure(words: Sequence[str] | None, default: str) -> str:
    """The measure of a command that takes a single one."""
    names = split_measures(words) if words else [default]
    if len(names) > 1:
        raise CodekinError(
            f"this command takes one measure, and here are {len(names)}: {', '.join(names)}; "
            "run it once for each"
        )
    return names[0]


def split_measures(words: Sequence[str]) -> list[str]:
    """Split words such as ``bleu,tsed`` into measures, whose names are taken in any case.

    A comma also separates parameters and parts of their values, so a piece after a measure with
    parameters starts a new measure only if it is the name of a measure (also with parameters), or
    has the form ``module:attribute``. After a measure without parameters, every piece does.

    Examples
    --------
    >>> split_measures(["BLEU,tsed", "ed"])
    ['bleu', 'tsed', 'ed']
    >>> split_measures(["bleu:order=2,smoothing=floor,tsed"])
    ['bleu:order=2,smoothing=floor', 'tsed']
    >>> split_measures(["bleu:compat=nltk,weights=0.5,0.5,bleu:order=2,my.metrics:overlap"])
    ['bleu:compat=nltk,weights=0.5,0.5', 'bleu:order=2', 'my.metrics:overlap']
    """
    from codekin.measures import measure_names

    known = set(measure_names())
    found: list[str] = []
    for word in words:
        taken = False  # whether the measure before a piece takes what is no measure
        for piece in word.split(","):
            name, colon, rest = piece.strip().partition(":")
            is_measure = name.lower() in known
            if taken and not is_measure and not _TARGET.fullmatch(piece.strip()):
                found[-1] += f",{piece}"
                continue
            found.append(f"{name.lower() if is_measure else name}{colon}{rest}")
            taken = "=" in rest
    return found
