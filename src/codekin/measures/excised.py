"""Three texts cut into units, with the regions in which the revisions diverge from their origin."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from codekin.align.edit_operations import BREAK
from codekin.align.lcs import Hunks, Lines
from codekin.align.regions import (
    Regions,
    divergent_regions,
    line_hunks,
    merge_hunks,
    nested_regions,
    pair_hunks,
)
from codekin.measures.units import TOKENS, Ids, token_ids
from codekin.represent.text.lexemes import Lexemes
from codekin.represent.text.tokens import Tokens
from codekin.source import Source

__all__ = ["BY", "LCS", "UNITS", "Excised", "Units", "excise", "parted"]

UNITS = ("lexemes", *TOKENS)
"""What revisions are cut into: lexemes, or what pairwise measures count."""

BY = ("token", "line")
"""What is excised: tokens, or whole lines."""

LCS = ("pairwise", "threeway")
"""How the shared context is found."""


@dataclass(frozen=True)
class Units:
    """How a text is cut and aligned with its origin.

    Attributes
    ----------
    tokens : str
        One of :data:`UNITS`.
    comments : bool
        Whether comments and docstrings are units.
    by : str
        One of :data:`BY`.
    anchors : bool
        Whether lines that stand once in both texts are matched before tokens are.
    """

    tokens: str = "lexemes"
    comments: bool = False
    by: str = "token"
    anchors: bool = True

    def ids(self, source: Source) -> Ids:
        """The identities of the units of a text."""
        if self.tokens == "lexemes":
            ids: Ids = source.lexemes_with(comments=self.comments).ids
            return ids
        return token_ids(source, self.tokens, comments=self.comments)

    def lines(self, source: Source) -> Lines:
        """Where the lines of a text begin, in units."""
        if self.tokens == "lexemes":
            return source.lexemes_with(comments=self.comments).lines
        tokens = source.tokens_with(comments=self.comments)
        return source.remember(("line starts", self.comments), lambda: _lines(tokens))

    def shown(self, source: Source) -> Tokens | Lexemes:
        """The units with their places in the text; tokens of code for plain ones."""
        if self.tokens == "lexemes":
            return source.lexemes_with(comments=self.comments)
        return source.tokens_with(comments=self.comments)

    @property
    def has_lines(self) -> bool:
        """Whether the units lie in lines; plain tokens do not."""
        return self.tokens in ("lexemes", "code")

    def hunks(self, revision: Source, origin: Source) -> Hunks:
        """Where a revision differs from its origin, kept with the revision."""
        key = ("revision hunks", self, origin)
        kept = revision._kept.get(key)
        if kept is None:
            kept = revision._kept[key] = self._hunks(revision, origin)
        hunks: Hunks = kept
        return hunks

    def _hunks(self, revision: Source, origin: Source) -> Hunks:
        before, after = self.ids(origin), self.ids(revision)
        if self.by == "line":
            return line_hunks(before, self.lines(origin), after, self.lines(revision))
        if self.anchors and self.has_lines:
            return pair_hunks(before, after, (self.lines(origin), self.lines(revision)))
        return pair_hunks(before, after)


@dataclass(frozen=True, eq=False)
class Excised:
    """The units of three texts, and the regions that are left after excising the shared context."""

    origin: Ids
    reference: Ids
    candidate: Ids
    regions: Regions

    def remainder(self, ids: Ids, at: int) -> Ids:
        """The units of one text in the regions, with a break between two regions.

        Parameters
        ----------
        ids : uint64 array
            Those of the whole text.
        at : int
            Where its bounds stand in a row of `regions`.
        """
        return parted(ids, self.regions[:, at : at + 2])


_BREAK = np.full(1, BREAK, dtype=np.uint64)


def parted(ids: Ids, stretches: npt.NDArray[np.int32]) -> Ids:
    """Stretches of units, one after the other, with a break between two.

    Examples
    --------
    >>> ids = np.array([7, 8, 9], dtype=np.uint64)
    >>> parted(ids, np.array([[0, 1], [2, 3]], dtype=np.int32))
    array([7, 0, 9], dtype=uint64)
    """
    if len(stretches) == 0:
        return ids[:0]
    pieces = [piece for start, end in stretches.tolist() for piece in (ids[start:end], _BREAK)]
    return np.concatenate(pieces[:-1])


def excise(
    candidate: Source, reference: Source, origin: Source, units: Units, lcs: str = "pairwise"
) -> Excised:
    """Cut three texts into units and find where they diverge.

    Parameters
    ----------
    candidate, reference, origin : Source
    units : Units
    lcs : str
        One of :data:`LCS`, or ``nested``: ``LCS(LCS(origin, reference), LCS(origin, candidate))``.
    """
    first, second, before = units.ids(reference), units.ids(candidate), units.ids(origin)
    if lcs == "threeway":
        regions = divergent_regions(first, second, before, lcs="threeway")
    elif lcs == "nested" and units.by == "line":
        regions = _nested_lines(units, reference, candidate, origin)
    elif lcs == "nested":
        regions = nested_regions(first, second, before)
    else:
        regions = merge_hunks(units.hunks(reference, origin), units.hunks(candidate, origin))
    return Excised(before, first, second, regions)


def _nested_lines(units: Units, *sources: Source) -> Regions:
    """The regions of whole lines, in units."""
    numbers: dict[bytes, int] = {}
    ids, starts = [], []
    for source in sources:
        tokens = units.ids(source)
        bounds = np.append(units.lines(source), len(tokens)).tolist()
        lines = [tokens[i:j].tobytes() for i, j in pairwise(bounds)]
        ids.append([numbers.setdefault(line, len(numbers)) for line in lines])
        starts.append(np.array(bounds, dtype=np.int32))
    first, second, before = (np.array(one, dtype=np.uint64) for one in ids)
    regions = nested_regions(first, second, before)
    places = [starts[side // 2][regions[:, side]] for side in range(6)]
    return np.column_stack(places).astype(np.int32)


def _lines(tokens: Tokens) -> Lines:
    """The first token of each line in which one begins."""
    if len(tokens) == 0:
        return np.empty(0, dtype=np.int32)
    numbers = tokens.positions.lines_of(tokens.starts)
    fresh = np.flatnonzero(np.diff(numbers)) + 1
    return np.concatenate(([0], fresh)).astype(np.int32)
