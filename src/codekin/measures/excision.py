"""es-token and es-line: how similar two edits are, after excising unchanged code."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.align.edit_operations import sari_statistics
from codekin.align.excise import KEEP, ZERO, excision_parts
from codekin.align.lcs import Hunks
from codekin.errors import CodekinError
from codekin.measures.base import Explanation, RevisionMeasure, Score, check_choice, check_range
from codekin.measures.excised import (
    BY,
    LCS,
    UNITS,
    Excised,
    Units,
    excise,
    explain_excision,
    joined_with_breaks,
)
from codekin.measures.sari import Sari
from codekin.measures.units import Ids
from codekin.source import Source

__all__ = ["EsLine", "EsToken", "ExcisionScore", "excise_jointly"]

Stretches: TypeAlias = npt.NDArray[np.int32]
"""(k, 2): start and end, in order."""


def excise_jointly(
    candidate: Source, references: tuple[Source, ...], origin: Source, units: Units
) -> tuple[Ids, Ids, list[Ids]]:
    """What is left of the origin, the candidate and each reference, with breaks between regions.

    Examples
    --------
    >>> texts = ["a b c d", "a x c d", "a y c d", "a b c z"]
    >>> origin, candidate, *references = (Source(text, "python") for text in texts)
    >>> left = excise_jointly(candidate, tuple(references), origin, Units(tokens="split"))
    >>> [len(ids) for ids in (left[0], left[1], *left[2])]  # b and d, x and d, y and d, b and z
    [3, 3, 3, 3]
    """
    revisions = (candidate, *references)
    hunks = [units.hunks(one, origin) for one in revisions]
    stretches = _union(hunks)
    mine, *pool = (
        joined_with_breaks(units.ids(one), _counterparts(h, stretches))
        for one, h in zip(revisions, hunks, strict=True)
    )
    return joined_with_breaks(units.ids(origin), stretches), mine, pool


def _union(hunks: list[Hunks]) -> Stretches:
    """Stretches of the origin that at least one revision changed; adjacent ones are joined."""
    stretches: list[tuple[int, int]] = []
    for start, end in sorted((start, end) for rows in hunks for start, end, _, _ in rows.tolist()):
        if stretches and start <= stretches[-1][1]:
            stretches[-1] = stretches[-1][0], max(stretches[-1][1], end)
        else:
            stretches.append((start, end))
    return np.array(stretches, dtype=np.int32).reshape(-1, 2)


def _counterparts(hunks: Hunks, stretches: Stretches) -> Stretches:
    """The stretches of a revision that replace stretches of the origin."""
    starts, ends = stretches.T
    # The offset of a revision from the origin before the first hunk and after each one.
    ahead = np.concatenate(([0], hunks[:, 3] - hunks[:, 1]))
    return np.stack(
        (
            starts + ahead[np.searchsorted(hunks[:, 0], starts, side="left")],
            ends + ahead[np.searchsorted(hunks[:, 0], ends, side="right")],
        ),
        axis=1,
    ).astype(np.int32)


_CEILING = 0.9999
"""The highest score of two different revisions."""


@dataclass(frozen=True, kw_only=True, repr=False)
class ExcisionScore(RevisionMeasure):
    """Common base of es-token and es-line, which differ in what they excise and how they keep.

    Parameters are those of :class:`EsToken`.
    """

    by: ClassVar[str]
    order: int = 4
    zero: str = "skip"
    keep: str = "region"
    deletion: str = "f1"
    tokens: str = "lexemes"
    comments: bool = False
    lcs: str = "pairwise"
    anchors: bool = True
    join: str = "best"
    preset: str = "default"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_range(self.name, "order", self.order, 1, 64)
        check_choice(self.name, "zero", self.zero, ZERO)
        check_choice(self.name, "keep", self.keep, KEEP)
        check_choice(self.name, "deletion", self.deletion, ("f1", "precision"))
        check_choice(self.name, "tokens", self.tokens, UNITS)
        check_choice(self.name, "lcs", self.lcs, LCS)
        check_choice(self.name, "join", self.join, ("best", "joint"))
        check_choice(self.name, "preset", self.preset, ("default", "paper"))
        if self.by == "line" and not self._units.has_lines:
            raise CodekinError(
                f"{self.name}: {self.tokens} tokens have no lines; use 'lexemes' or 'code'"
            )
        if self.by == "line" and self.lcs == "threeway":
            raise CodekinError(f"{self.name}: lcs='threeway' aligns tokens; use es-token")
        if self.join == "joint" and self.lcs == "threeway":
            raise CodekinError(f"{self.name}: join='joint' works with lcs='pairwise' only")
        if self.preset == "paper" and any(
            getattr(self, name) != type(self).__dataclass_fields__[name].default
            for name in ("zero", "keep", "deletion", "anchors")
        ):
            raise CodekinError(
                f"{self.name}: preset='paper' settles zero, keep, deletion and anchors; leave "
                "them out"
            )

    def uses_language(self) -> bool:
        """Whether units are lexemes or tokens of the tree, which depend on the language's rules."""
        return self._units.has_lines

    @property
    def _shared(self) -> str:
        """How the shared context is found, as an argument of :func:`excise`."""
        return "nested" if self.preset == "paper" and self.lcs == "pairwise" else self.lcs

    @property
    def _units(self) -> Units:
        return Units(self.tokens, self.comments, self.by, self.anchors)

    def _score_revision(
        self, candidate: Source, references: tuple[Source, ...], origin: Source
    ) -> Score:
        if self.join == "best" or len(references) == 1:
            return super()._score_revision(candidate, references, origin)
        remainders = excise_jointly(candidate, references, origin, self._units)
        value, parts = self._by_sari(*remainders)
        if self.preset == "default":
            ids, pool = self._units.ids(candidate), [self._units.ids(one) for one in references]
            equal = any(np.array_equal(ids, one) for one in pool)
            value = 1.0 if equal else min(value, _CEILING)
        return Score(self, value, parts, candidate, *references, origin=origin)

    def _revision(self, candidate: Source, reference: Source, origin: Source) -> Score:
        excised = excise(candidate, reference, origin, self._units, self._shared)
        value, parts = self._paper(excised) if self.preset == "paper" else self._default(excised)
        parts["regions"] = len(excised.regions)
        return Score(self, value, parts, candidate, reference, origin=origin)

    def _default(self, excised: Excised) -> tuple[float, dict[str, float]]:
        value, add, keep, delete = excision_parts(
            excised.origin,
            excised.reference,
            excised.candidate,
            excised.regions,
            order=self.order,
            zero=self.zero,
            keep=self.keep,
            precise_deletion=self.deletion == "precision",
        )
        parts = {"add": add, "keep": keep, "delete": delete}
        return value, {name: part for name, part in parts.items() if not math.isnan(part)}

    def _paper(self, excised: Excised) -> tuple[float, dict[str, float]]:
        """SARI as originally defined, on what is left."""
        return self._by_sari(
            excised.remainder(excised.origin, 4),
            excised.remainder(excised.candidate, 2),
            [excised.remainder(excised.reference, 0)],
        )

    def _by_sari(
        self, origin: Ids, candidate: Ids, references: Sequence[Ids]
    ) -> tuple[float, dict[str, float]]:
        counts = sari_statistics(origin, candidate, references, self.order)
        return self._sari.judge(counts)

    @property
    def _sari(self) -> Sari:
        if self.preset == "paper":
            return Sari(order=self.order)
        return Sari(
            order=self.order, zero=self.zero, keep=self.keep != "none", deletion=self.deletion
        )

    def _pairwise(
        self, sources: Sequence[Source], origin: Source | None
    ) -> npt.NDArray[np.float64] | None:
        """The scores of all pairs at once, if the kernel supports it."""
        symmetric = self.preset == "default" and self.deletion == "f1" and self.lcs == "pairwise"
        if not symmetric or origin is None:
            return None
        units = self._units
        return _native.excision_matrix(
            units.ids(origin),
            [units.ids(one) for one in sources],
            [units.hunks(one, origin) for one in sources],
            self.order,
            ZERO[self.zero],
            KEEP[self.keep],
        )

    def explain_revision(self, candidate: Source, reference: Source, origin: Source) -> Explanation:
        """Shade what both revisions have in common, and list what only one did."""
        score = self._revision(candidate, reference, origin)
        excised = excise(candidate, reference, origin, self._units, self._shared)
        return explain_excision(score, excised, candidate, reference, origin, self._units)


@dataclass(frozen=True, kw_only=True, repr=False)
class EsToken(ExcisionScore):
    """The excision score by tokens.

    Origin and reference, origin and candidate are aligned token by token; what all three share is
    excised [1]_. What is left forms divergent regions. The n-grams within regions that a revision
    adds, deletes and keeps are compared with those of the other: F1 of each, averaged over 1 to
    `order` tokens, then over the three. An order or operation that neither revision has is left
    out. So equal edits score 1, a candidate that does nothing scores 0 unless the reference does
    nothing either, and shared context does not matter.

    Parameters
    ----------
    order : int
        The longest n-gram.
    zero : {'skip', 'zero', 'one'}
        How a zero denominator counts: not at all, so the order or operation is left out of the
        mean; as 0, like SARI; or as 1.
    keep : {'region', 'global', 'none'}
        Whether kept n-grams are compared per region, over all regions, or not at all.
    deletion : {'f1', 'precision'}
        How deletions are judged; SARI uses precision, which is not symmetric.
    tokens : str
        ``lexemes``, which need no parser; ``code`` for leaves of the tree; or ``split``, ``13a``,
        ``intl``, ``char``.
    comments : bool
        Whether comments and docstrings count.
    lcs : {'pairwise', 'threeway'}
        Whether the shared context is what both pairwise alignments keep, or the exact longest
        common subsequence of all three, for short texts.
    anchors : bool
        Whether lines that occur once in both texts are matched before tokens are.
    join : {'best', 'joint'}
        With several references, the best one counts; or what all of them share with the candidate
        is excised and their n-grams are pooled as in SARI.
    preset : {'default', 'paper'}
        ``paper`` is equation 3 as the paper computes it: the shared context is ``LCS(LCS(O, A),
        LCS(O, B))``, or with ``lcs='threeway'`` the exact longest common subsequence; then SARI,
        with the precision of deletions, n-grams kept anywhere, and 0 for zero denominators.

    References
    ----------
    .. [1] "Excision Score: evaluating edits with surgical precision".

    Examples
    --------
    >>> from codekin import measure
    >>> texts = "return a * b", "return a + b", "return a - b"  # candidate, reference, origin
    >>> score = measure("es-token").score(*texts, language="python")
    >>> score.value
    0.5
    >>> score.parts["add"], score.parts["delete"]
    (0.0, 1.0)
    """

    name: ClassVar[str] = "es-token"
    summary: ClassVar[str] = "agreement of two edits in the tokens that either changed"
    by: ClassVar[str] = BY[0]


@dataclass(frozen=True, kw_only=True, repr=False)
class EsLine(ExcisionScore):
    """The excision score by lines.

    Like es-token, but whole lines are aligned and excised; n-grams are those of the tokens in the
    remaining lines. Kept n-grams do not count: a changed line remains as a whole, and most of its
    tokens are kept.

    Parameters
    ----------
    keep : {'none', 'region', 'global'}
        Whether kept n-grams are compared.

    The others are those of es-token.

    Examples
    --------
    >>> from codekin import measure
    >>> texts = "return a * b", "return a + b", "return a - b"  # candidate, reference, origin
    >>> round(measure("es-line").score(*texts, language="python").value, 4)
    0.5
    """

    name: ClassVar[str] = "es-line"
    summary: ClassVar[str] = "agreement of two edits in the lines that either changed"
    by: ClassVar[str] = BY[1]
    keep: str = "none"
