"""es: the likeness of two edits as three views of it agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from codekin.align.excision import excision_parts, pooled_agreement
from codekin.measures.base import Explanation, Score, check_range
from codekin.measures.excised import Excised, Units, excise
from codekin.measures.excision_explanation import explain_excision
from codekin.measures.revision import RevisionMeasure
from codekin.measures.validity import both_parse_or_neither
from codekin.source import Source

__all__ = ["Es"]

_WEIGHTS = {"document": 0.5, "lines": 0.25, "tokens": 0.25}


@dataclass(frozen=True, kw_only=True, repr=False)
class Es(RevisionMeasure):
    """Our own excision score: three views of two edits.

    ``document``, which counts half, compares the n-grams that revisions add and delete, together
    with the places around them, so that the same edit at the same place is most alike. ``lines``
    compares those inside of the lines that either revision touched. Both take additions and
    deletions together, and partly (`overlap`) ask how much of the smaller edit is in the larger
    one, because an edit that does all that the reference does and then some is often right.
    Deletions weigh no more than additions. ``tokens`` is es-token. A revision that the parser
    cannot read is unlike one that it can: the score is 0.

    Parameters
    ----------
    order : int
        The longest n-gram of lines and tokens.
    document_order : int
        The longest n-gram of the document.
    overlap : float
        How much the smaller edit decides in `lines` and `document`, in [0, 1].
    parse : bool
        Whether a revision that does not parse is unlike one that does.
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
    summary: ClassVar[str] = "what both edits do alike, in tokens, lines and their surroundings"
    order: int = 4
    document_order: int = 6
    overlap: float = 0.5
    parse: bool = True
    comments: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_range(self.name, "order", self.order, 1, 64)
        check_range(self.name, "document_order", self.document_order, 1, 64)
        check_range(self.name, "overlap", self.overlap, 0, 1)

    def uses_tree(self) -> bool:
        """Only to see whether a revision parses."""
        return self.parse

    def uses_language(self) -> bool:
        """Yes: lexemes are cut by the language's rules."""
        return True

    def _revision(self, candidate: Source, reference: Source, origin: Source) -> Score:
        tokens = excise(candidate, reference, origin, Units(comments=self.comments))
        lines = excise(candidate, reference, origin, Units(comments=self.comments, by="line"))
        views = {
            "document": self._pooled(tokens, self.document_order, context=True),
            "lines": self._pooled(lines, self.order, context=False),
            "tokens": excision_parts(
                tokens.origin,
                tokens.reference,
                tokens.candidate,
                tokens.regions,
                order=self.order,
            ).value,
        }
        value = sum(_WEIGHTS[name] * view for name, view in views.items())
        parses = value == 1.0 or not self.parse or value == 0.0
        parses = parses or both_parse_or_neither(
            candidate, reference, lines.regions, comments=self.comments
        )
        parts = {**views, "parses": float(parses)}
        return Score(self, value if parses else 0.0, parts, candidate, reference, origin=origin)

    def _pooled(self, excised: Excised, order: int, *, context: bool) -> float:
        return pooled_agreement(
            excised.origin,
            excised.reference,
            excised.candidate,
            excised.regions,
            order=order,
            context=context,
            overlap=self.overlap,
        )

    def explain_revision(self, candidate: Source, reference: Source, origin: Source) -> Explanation:
        """Shade what both revisions did alike, and name what only one did."""
        score = self._revision(candidate, reference, origin)
        units = Units(comments=self.comments)
        excised = excise(candidate, reference, origin, units)
        return explain_excision(score, excised, candidate, reference, origin, units)
