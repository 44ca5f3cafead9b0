"""compare_corpora: whether two corpora look alike, in names, calls and lengths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from codekin.corpora.corpus import Corpus
from codekin.corpora.each_snippet import each_snippet
from codekin.corpora.snippets import Snippet
from codekin.errors import CodekinError
from codekin.languages import NameRole
from codekin.results import Column, Grid, Result, Section
from codekin.rewrite.identifiers import identifiers, named_languages
from codekin.source import Source

__all__ = ["CorpusSimilarity", "Likeness", "compare_corpora", "snippet_shape"]

_FACTS = ("variable names", "calls", "lines", "tokens")
_ALIKE = 0.5
"""Corpora whose means differ by more than this share are far apart, as the paper puts it."""


@dataclass(frozen=True)
class Likeness:
    """One fact about the snippets of two corpora.

    Attributes
    ----------
    name : str
    first, second : float
        The means.
    first_median, second_median : float
    difference : float
        Of the means, as a share of the second one.
    overlap : float
        How much the distributions have in common: 1 less the largest distance between the shares
        of snippets up to any value (Kolmogorov and Smirnov's).
    """

    name: str
    first: float
    second: float
    first_median: float
    second_median: float
    difference: float
    overlap: float


@dataclass(frozen=True)
class CorpusSimilarity(Result):
    """Whether two corpora look alike.

    Attributes
    ----------
    first, second : str
        Their names; the second is the yardstick.
    first_snippets, second_snippets : int
        Snippets that were compared, those in a language whose names codekin can classify.
    facts : tuple of Likeness
    """

    first: str
    second: str
    first_snippets: int
    second_snippets: int
    facts: tuple[Likeness, ...]

    def grids(self) -> list[Grid]:
        """A line per fact."""
        rows = tuple(
            (
                *(one.name, one.first, one.second, one.first_median, one.second_median),
                *(one.difference, one.overlap),
            )
            for one in self.facts
        )
        columns = (
            "per snippet",
            Column(f"mean of {self.first}", "first", digits=2),
            Column(f"mean of {self.second}", "second", digits=2),
            Column(f"median of {self.first}", "first_median", digits=1),
            Column(f"median of {self.second}", "second_median", digits=1),
            Column("difference", digits=3),
            Column("overlap", digits=3),
        )
        return [Grid("", columns, rows)]

    def section(self) -> Section:
        """The table under what it compares."""
        return Section(f"{self.first} compared with {self.second}", content=tuple(self.grids()))

    def notes(self) -> list[str]:
        """What the numbers mean."""
        far = [one.name for one in self.facts if one.difference > _ALIKE]
        sizes = f"{self.first}: {self.first_snippets:,} snippets, "
        found = [
            f"{sizes}{self.second}: {self.second_snippets:,}. The difference of the means is a "
            "share of the second one; the overlap is 1 less Kolmogorov and Smirnov's distance."
        ]
        if far:
            found.append(f"More than half apart: {', '.join(far)}.")
        return found


def compare_corpora(
    first: Corpus, second: Corpus, *, workers: int | None = None
) -> CorpusSimilarity:
    """Compare what the snippets of two corpora look like.

    The multi-perspective paper compares corpora with code of real projects in this way: the number
    of different variable names, the number of calls, and the length of a snippet.

    Parameters
    ----------
    first, second : Corpus
        The second is the yardstick, such as the functions of real projects.
    workers : int, optional
        Worker processes; 0 computes in this process.

    Raises
    ------
    CodekinError
        If either has no snippet in a language whose names codekin can classify.
    """
    shapes = [_shapes(one, workers) for one in (first, second)]
    facts = tuple(
        _likeness(name, shapes[0][:, i], shapes[1][:, i]) for i, name in enumerate(_FACTS)
    )
    names = (first.name, second.name if second.name != first.name else f"{second.name} (2)")
    return CorpusSimilarity(*names, len(shapes[0]), len(shapes[1]), facts)


def _shapes(corpus: Corpus, workers: int | None) -> npt.NDArray[np.float64]:
    known = set(named_languages())
    chosen: Sequence[Snippet] = [one for one in corpus.snippets if one.language in known]
    if not chosen:
        raise CodekinError(
            f"{corpus.name}: has no snippet in a language whose names codekin can classify "
            f"({', '.join(sorted(known))})"
        )
    found = each_snippet(snippet_shape, chosen, workers=workers, where=corpus.name)
    return np.array([one for one in found if one is not None], float).reshape(-1, len(_FACTS))


def snippet_shape(language: str, code: str) -> tuple[int, int, int, int]:
    """The number of variable names, calls, lines and tokens of a snippet."""
    source = Source(code, language)
    found = identifiers(source)
    variables = {one.text for one in found if one.role is NameRole.VARIABLE}
    calls = sum(one.role is NameRole.CALL for one in found)
    lines = sum(bool(line.strip()) for line in code.splitlines())
    return len(variables), calls, lines, len(source.lexemes.ids)


def _likeness(
    name: str, first: npt.NDArray[np.float64], second: npt.NDArray[np.float64]
) -> Likeness:
    means = float(first.mean()), float(second.mean())
    apart = abs(means[0] - means[1])
    difference = apart / means[1] if means[1] else float("inf") if apart else 0.0
    values = np.unique(np.concatenate([first, second]))
    shares = [
        np.searchsorted(np.sort(one), values, side="right") / len(one) for one in (first, second)
    ]
    overlap = 1 - float(np.abs(shares[0] - shares[1]).max())
    medians = float(np.median(first)), float(np.median(second))
    return Likeness(name, *means, *medians, difference, overlap)
