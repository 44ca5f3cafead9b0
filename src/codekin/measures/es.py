"""es: whether a candidate does what the reference does, from three views and what the code does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from codekin.align.excise import excision_parts, least_agreement, pooled_agreement
from codekin.measures.base import Explanation, RevisionMeasure, Score, check_range
from codekin.measures.edited_pieces import EditedPieces, edited_pieces
from codekin.measures.excised import Excised, Units, excise, explain_excision
from codekin.source import Source

__all__ = ["Es"]

_WEIGHTS = {"complete": 0.5, "lines": 0.25, "tokens": 0.25}
_SAME = 0.9
"""How much of the way to 1 a score rises if both revisions do the same."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Es(RevisionMeasure):
    """Our own excision score: whether the candidate does what the reference does.

    ``complete``, which has half the weight, is the agreement in the place where the candidate does
    least of what the reference does there, since an edit is rarely right if it lacks a part. It
    compares the n-grams that the revisions add and delete, including the ends of the region, and is
    the mean over regions of tokens and of lines. ``lines`` compares those in the lines that either
    revision changed. It pools additions and deletions, and partly (`overlap`) measures how much of
    the smaller edit is in the larger one. ``tokens`` is es-token. If only one of the revisions
    parses, or only one is empty, the score is 0. If they do the same by their normal forms, and the
    origin does not, it rises nine tenths of the way to 1.

    Parameters
    ----------
    order : int
        The longest n-gram of lines and tokens.
    complete_order : int
        The longest n-gram of `complete`.
    overlap : float
        The weight of the overlap with the smaller edit in `lines`, in [0, 1].
    parse : bool
        Whether revisions are parsed, to see whether only one parses or both do the same. Prose is
        never parsed.
    comments : bool
        Whether comments and docstrings count.

    Examples
    --------
    >>> from codekin import measure
    >>> texts = "return a * b", "return a + b", "return a - b"  # candidate, reference, origin
    >>> score = measure("es").score(*texts, language="python")
    >>> score.value
    0.5
    """

    name: ClassVar[str] = "es"
    summary: ClassVar[str] = "whether an edit does what the reference does, everywhere"
    order: int = 4
    complete_order: int = 6
    overlap: float = 0.5
    parse: bool = True
    comments: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_range(self.name, "order", self.order, 1, 64)
        check_range(self.name, "complete_order", self.complete_order, 1, 64)
        check_range(self.name, "overlap", self.overlap, 0, 1)

    def uses_tree(self) -> bool:
        """Whether revisions are parsed."""
        return self.parse

    def uses_language(self) -> bool:
        """True: lexemes depend on the language's rules."""
        return True

    def _revision(self, candidate: Source, reference: Source, origin: Source) -> Score:
        tokens = excise(candidate, reference, origin, Units(comments=self.comments))
        lines = excise(candidate, reference, origin, Units(comments=self.comments, by="line"))
        views = {
            "complete": (self._least(tokens) + self._least(lines)) / 2,
            "lines": self._pooled(lines),
            "tokens": excision_parts(
                tokens.origin,
                tokens.reference,
                tokens.candidate,
                tokens.regions,
                order=self.order,
            ).value,
        }
        value = sum(_WEIGHTS[name] * view for name, view in views.items())
        parses, same = True, value == 1.0
        parse = self.parse and all(s.language.grammars for s in (candidate, reference, origin))
        if parse and value < 1.0 and _both_edit(tokens):
            pieces = self._pieces(candidate, reference, origin, lines)
            parses = pieces.both_parse_or_neither
            same = parses and pieces.do_the_same
        if min(len(tokens.candidate), len(tokens.reference)) == 0 and value < 1.0:
            value = 0.0  # one of them has nothing that could do what the other does
        if same:
            value += _SAME * (1.0 - value)
        parts = dict(views)
        if not candidate.language.prose:
            parts |= {"same": float(same), "parses": float(parses)}
        return Score(self, value if parses else 0.0, parts, candidate, reference, origin=origin)

    def _pieces(
        self, candidate: Source, reference: Source, origin: Source, lines: Excised
    ) -> EditedPieces:
        return edited_pieces(candidate, reference, origin, lines.regions, comments=self.comments)

    def remark(self, score: Score) -> str:
        r"""Why a score is not what the edits have in common.

        It is 0 if only one revision parses or has any code, and higher if both do the same.

        Examples
        --------
        >>> from codekin import measure
        >>> texts = "x = f(1\n", "x = f(1)\n", "x = f(0)\n"
        >>> measure("es").score(*texts, language="python").remark
        "The score is 0 because the candidate does not parse (1:6: '(' is never closed)."
        >>> texts = "y = b + a\n", "y = a + b\n", "y = a\n"
        >>> measure("es").score(*texts, language="python").remark
        'The score is 0.93 instead of 0.25: both revisions do the same, as far as can be told.'
        """
        if score.origin is None:
            return ""
        candidate, reference = score.pair
        left = [len(one.lexemes_with(comments=self.comments)) for one in (candidate, reference)]
        if min(left) == 0 < max(left):
            name, empty = ("reference", reference) if left[0] else ("candidate", candidate)
            said = "contains no code" if empty.text.strip() else "is empty"
            return f"The score is 0 because the {name} {said}."
        if score.parts.get("parses", 1.0):
            if not score.parts.get("same") or score.value == 1.0:
                return ""
            alone = sum(weight * score.parts[name] for name, weight in _WEIGHTS.items())
            return (
                f"The score is {score.value:.2f} instead of {alone:.2f}: both revisions do the "
                "same, as far as can be told."
            )
        units = Units(comments=self.comments, by="line")
        lines = excise(candidate, reference, score.origin, units)
        pieces = self._pieces(candidate, reference, score.origin, lines)
        return f"The score is 0 because {pieces.why_not_parsed(candidate, reference)}."

    def _least(self, excised: Excised) -> float:
        return least_agreement(
            excised.origin,
            excised.reference,
            excised.candidate,
            excised.regions,
            order=self.complete_order,
        )

    def _pooled(self, excised: Excised) -> float:
        return pooled_agreement(
            excised.origin,
            excised.reference,
            excised.candidate,
            excised.regions,
            order=self.order,
            overlap=self.overlap,
        )

    def explain_revision(self, candidate: Source, reference: Source, origin: Source) -> Explanation:
        """Shade what both revisions have in common, and list what only one did."""
        score = self._revision(candidate, reference, origin)
        units = Units(comments=self.comments)
        excised = excise(candidate, reference, origin, units)
        return explain_excision(score, excised, candidate, reference, origin, units)


def _both_edit(excised: Excised) -> bool:
    """Whether both revisions differ from the origin."""
    revisions = excised.reference, excised.candidate
    return not any(np.array_equal(one, excised.origin) for one in revisions)
