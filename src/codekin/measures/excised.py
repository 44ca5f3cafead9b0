"""Three texts split into units, and the regions in which revisions diverge from their origin.

The common part of excision measures: units, regions, and the explanation of a score.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

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
from codekin.measures.base import Explanation, Score
from codekin.measures.highlight import spans_of_tokens
from codekin.measures.units import TOKENS, Ids, line_starts, token_ids
from codekin.represent.text.lexemes import Lexemes
from codekin.represent.text.tokens import Tokens
from codekin.source import Source

__all__ = [
    "BY",
    "LCS",
    "UNITS",
    "Excised",
    "Units",
    "excise",
    "explain_excision",
    "joined_with_breaks",
]

UNITS = ("lexemes", *TOKENS)
"""What revisions are split into: lexemes, or the tokens of pairwise measures."""

BY = ("token", "line")
"""What is excised: tokens, or whole lines."""

LCS = ("pairwise", "threeway")
"""How the shared context is found."""


@dataclass(frozen=True)
class Units:
    """How a text is split and aligned with its origin.

    Attributes
    ----------
    tokens : str
        One of :data:`UNITS`.
    comments : bool
        Whether comments and docstrings are units.
    by : str
        One of :data:`BY`.
    anchors : bool
        Whether lines that occur once in both texts are matched before tokens are.
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
        return line_starts(source, comments=self.comments)

    def shown(self, source: Source) -> Tokens | Lexemes:
        """The units with their positions in the text; for plain tokens, those of code."""
        if self.tokens == "lexemes":
            return source.lexemes_with(comments=self.comments)
        return source.tokens_with(comments=self.comments)

    @property
    def has_lines(self) -> bool:
        """Whether the units belong to lines; plain tokens do not."""
        return self.tokens in ("lexemes", "code")

    def hunks(self, revision: Source, origin: Source) -> Hunks:
        """Where a revision differs from its origin, cached with the revision."""
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
    """The units of three texts, and the regions left after excising the shared context."""

    origin: Ids
    reference: Ids
    candidate: Ids
    regions: Regions

    def remainder(self, ids: Ids, at: int) -> Ids:
        """The units of a text in the regions, with a break between regions.

        Parameters
        ----------
        ids : uint64 array
            The units of the whole text.
        at : int
            The column of its bounds in `regions`.
        """
        return joined_with_breaks(ids, self.regions[:, at : at + 2])


_BREAK = np.full(1, BREAK, dtype=np.uint64)


def joined_with_breaks(ids: Ids, stretches: npt.NDArray[np.int32]) -> Ids:
    """Stretches of units in a row, with breaks between them.

    Examples
    --------
    >>> ids = np.array([7, 8, 9], dtype=np.uint64)
    >>> joined_with_breaks(ids, np.array([[0, 1], [2, 3]], dtype=np.int32))
    array([7, 0, 9], dtype=uint64)
    """
    if len(stretches) == 0:
        return ids[:0]
    pieces = [piece for start, end in stretches.tolist() for piece in (ids[start:end], _BREAK)]
    return np.concatenate(pieces[:-1])


def excise(
    candidate: Source, reference: Source, origin: Source, units: Units, lcs: str = "pairwise"
) -> Excised:
    """Split three texts into units and find where they diverge.

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


_SHOWN = 12
_PARTS = ("add", "keep", "delete", "complete", "lines", "tokens", "same", "parses")


def explain_excision(
    score: Score,
    excised: Excised,
    candidate: Source,
    reference: Source,
    origin: Source,
    units: Units,
) -> Explanation:
    """Shade the tokens of the regions that both revisions have; list what only one did."""
    tokens = [units.shown(one) for one in (reference, candidate, origin)]
    texts = [one.texts for one in tokens]
    if units.has_lines:
        regions = [tuple(map(int, row)) for row in excised.regions]
    else:  # plain tokens have no positions in the text; all of it is shown as one region
        regions = [tuple(chain.from_iterable((0, len(one)) for one in texts))]
    levels = [[0.0] * len(one) for one in texts[:2]]
    added: list[Counter[str]] = [Counter(), Counter()]
    deleted: list[Counter[str]] = [Counter(), Counter()]
    for row in regions:
        first, second, before = (one[row[2 * k] : row[2 * k + 1]] for k, one in enumerate(texts))
        _shade(levels[0], row[0], first, second)
        _shade(levels[1], row[2], second, first)
        for k, revision in enumerate((first, second)):
            # Not +=, which copies the whole sum each time.
            added[k].update(Counter(revision) - Counter(before))
            deleted[k].update(Counter(before) - Counter(revision))
    details = _details("adds", added) + _details("deletes", deleted)
    return Explanation(
        _summary(score, excised),
        spans_of_tokens(tokens[1], levels[1]),
        spans_of_tokens(tokens[0], levels[0]),
        candidate.text,
        reference.text,
        details=tuple(details),
    )


def _summary(score: Score, excised: Excised) -> str:
    if len(excised.regions) == 0:
        return "Neither revision changes anything, so there is nothing to tell them apart."
    shared = len(excised.origin) - int((excised.regions[:, 5] - excised.regions[:, 4]).sum())
    count = len(excised.regions)
    where = "1 region differs" if count == 1 else f"{count} regions differ"
    parts = ", ".join(f"{name} {score.parts[name]:.2f}" for name in _PARTS if name in score.parts)
    if not parts and score.parts.keys() - {"regions"}:  # those of an inner measure
        parts = f"What is left scores {score.value:.2f}"
    remark = f"{score.remark} " if score.remark else ""
    return (
        f"{remark}{shared} of {len(excised.origin)} tokens of the origin stay in both and do not "
        f"count; {where}. {parts or 'No n-gram is left to compare'}. What both revisions have "
        "there is shaded."
    )


def _shade(levels: list[float], start: int, mine: Sequence[str], theirs: Sequence[str]) -> None:
    """Mark the tokens that the other revision also has in its region, up to their count there."""
    left = Counter(theirs)
    for i, text in enumerate(mine, start):
        if left[text] > 0:
            left[text] -= 1
            levels[i] = 1.0


def _details(verb: str, done: Sequence[Counter[str]]) -> list[tuple[str, str]]:
    reference, candidate = done
    both = reference & candidate
    rows = (
        (f"both {verb[:-1]}", both),
        (f"only the reference {verb}", reference - both),
        (f"only the candidate {verb}", candidate - both),
    )
    return [(name, _listed(tokens)) for name, tokens in rows if tokens]


def _listed(tokens: Counter[str]) -> str:
    every = list(tokens.elements())
    more = f"  and {len(every) - _SHOWN} more" if len(every) > _SHOWN else ""
    return "  ".join(every[:_SHOWN]) + more
