"""RevisionMeasure: what measures of edits share, for which the origin counts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from codekin.errors import CodekinError
from codekin.measures.base import Explanation, Measure, Score
from codekin.source import Source

__all__ = ["RevisionMeasure"]


@dataclass(frozen=True, kw_only=True, repr=False)
class RevisionMeasure(Measure, ABC):
    """A measure that compares two revisions of one origin.

    A subclass implements :meth:`_revision` and :meth:`explain_revision`, and
    :meth:`_score_revision` too where it joins several references itself.
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

    @abstractmethod
    def _revision(self, candidate: Source, reference: Source, origin: Source) -> Score:
        """The score against one reference."""

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Refuse: without the origin there is no score to explain."""
        raise self._no_origin()

    @abstractmethod
    def explain_revision(self, candidate: Source, reference: Source, origin: Source) -> Explanation:
        """Why :meth:`score` gives what it gives for this candidate, reference and origin."""

    def _explain(self, candidate: Source, reference: Source, origin: Source | None) -> Explanation:
        if origin is None:
            raise self._no_origin()
        return self.explain_revision(candidate, reference, origin)

    def _no_origin(self) -> CodekinError:
        return CodekinError(
            f"{self.name} compares edits and needs the text that both were made from: "
            "score(candidate, reference, origin)"
        )
