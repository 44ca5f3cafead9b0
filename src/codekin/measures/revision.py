"""RevisionMeasure: what measures of edits share, for which the origin counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from codekin.errors import CodekinError
from codekin.measures.base import Explanation, Measure, Score
from codekin.source import Source

__all__ = ["RevisionMeasure"]


@dataclass(frozen=True, kw_only=True, repr=False)
class RevisionMeasure(Measure):
    """A measure that compares two revisions of one origin.

    A subclass implements :meth:`_revision`, or :meth:`_score_revision` where it joins several
    references itself, and :meth:`explain_revision`.
    """

    needs_origin: ClassVar[bool] = True

    def _score(self, candidate: Source, references: tuple[Source, ...]) -> Score:
        raise self._no_origin()

    def _score_revision(
        self, candidate: Source, references: tuple[Source, ...], origin: Source
    ) -> Score:
        if len(references) == 1:
            return self._revision(candidate, references[0], origin)
        best = self._revision(candidate, self.likest(candidate, references, origin), origin)
        best._references = references
        return best

    def _revision(self, candidate: Source, reference: Source, origin: Source) -> Score:
        raise NotImplementedError

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Refuse: without the origin there is no score to explain."""
        raise self._no_origin()

    def explain_revision(self, candidate: Source, reference: Source, origin: Source) -> Explanation:
        """Why :meth:`score` gives what it gives for this candidate, reference and origin."""
        raise NotImplementedError

    def _explain(self, candidate: Source, reference: Source, origin: Source | None) -> Explanation:
        if origin is None:
            raise self._no_origin()
        return self.explain_revision(candidate, reference, origin)

    def _no_origin(self) -> CodekinError:
        return CodekinError(
            f"{self.name} compares edits and needs the text that both were made from: "
            "score(candidate, reference, origin)"
        )
