"""The four ideas that every measure shares: Measure, Score, Explanation and the signature line."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, ClassVar

from codekin._version import __version__
from codekin.errors import CodekinError
from codekin.languages import Language
from codekin.source import Source

__all__ = ["CorpusMeasure", "Explanation", "Measure", "Score", "Span", "as_source"]


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of one of the two texts that a measure found again in the other.

    Attributes
    ----------
    start, end : int
        The stretch, in characters of the text.
    level : float
        How fully it was found, in [0, 1]: 1 for a match as good as the measure knows.
    """

    start: int
    end: int
    level: float = 1.0


@dataclass(frozen=True)
class Explanation:
    """Why a score is what it is.

    Attributes
    ----------
    summary : str
        One or two plain sentences.
    candidate, reference : tuple of Span
        What was found again, in each text, in order and without overlaps. What no span covers
        was not found.
    details : tuple of (str, str)
        Named facts, such as the n-grams that only one side has.
    candidate_text, reference_text : str
        The texts that the spans refer to.
    """

    summary: str
    candidate: tuple[Span, ...]
    reference: tuple[Span, ...]
    candidate_text: str = dataclasses.field(repr=False)
    reference_text: str = dataclasses.field(repr=False)
    details: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        lines = [self.summary, *(f"{name}: {text}" for name, text in self.details)]
        return "\n".join(lines)


class Score:
    """What a measure says of a candidate and its references.

    Attributes
    ----------
    value : float
        In [0, 1], unless the measure is a distance.
    parts : mapping of str to float
        The named components.
    bounds : (float, float)
        Lower and upper bound of the value; equal where it is exact.
    exact : bool
        Whether the bounds meet.
    signature : str
        One line that reproduces the score.
    """

    __slots__ = ("_candidate", "_reference", "bounds", "measure", "parts", "value")

    def __init__(
        self,
        measure: Measure,
        value: float,
        parts: Mapping[str, float],
        candidate: Source,
        reference: Source,
        *,
        bounds: tuple[float, float] | None = None,
    ) -> None:
        self.measure = measure
        self.value = value
        self.parts = parts
        self.bounds = bounds or (value, value)
        self._candidate = candidate
        self._reference = reference

    @property
    def exact(self) -> bool:
        """Whether the value is proven."""
        return self.bounds[0] == self.bounds[1]

    @property
    def signature(self) -> str:
        """One line that reproduces the score."""
        return self.measure.signature(self._candidate, self._reference)

    @property
    def pair(self) -> tuple[Source, Source]:
        """The candidate, and the reference that the explanation is about."""
        return self._candidate, self._reference

    def explain(self) -> Explanation:
        """Why the score is what it is."""
        return self.measure.explain(self._candidate, self._reference)

    def __float__(self) -> float:
        return float(self.value)

    def __repr__(self) -> str:
        return f"<Score {self.measure.name} {self.value:.4f} {self.signature}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(name)}</td><td style='text-align:right'>{value:.4f}</td></tr>"
            for name, value in self.parts.items()
        )
        return (
            f"<table><caption><code>{escape(self.signature)}</code></caption>"
            f"<tr><th>{escape(self.measure.name)}</th>"
            f"<th style='text-align:right'>{self.value:.4f}</th></tr>{rows}</table>"
        )


@dataclass(frozen=True, kw_only=True, repr=False)
class Measure:
    """A configured way to compare two texts of code; subclasses are frozen dataclasses.

    A subclass names itself, says what it is in one line (`summary`), declares its parameters as
    fields, and implements :meth:`_pair` or, where it joins several references itself,
    :meth:`_score`.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    compat: ClassVar[str | None] = None
    """The package that this class reproduces, None for codekin's own definition."""
    distance: ClassVar[bool] = False
    """Whether small values mean alike; all other measures lie in [0, 1] and 1 means equal."""
    needs_origin: ClassVar[bool] = False
    joins: ClassVar[str] = "best"
    """How several references count: ``best`` of them, or pooled as the measure's paper does."""

    def score(
        self,
        candidate: Source | str,
        reference: Source | str | None = None,
        origin: Source | str | None = None,
        *,
        references: Sequence[Source | str] | None = None,
        language: str | Language | None = None,
    ) -> Score:
        """Compare a candidate with a reference, or with several.

        Parameters
        ----------
        candidate, reference : Source or str
            The texts.
        origin : Source or str, optional
            What both were made from; only measures with `needs_origin` look at it.
        references : sequence of Source or str, optional
            In place of `reference`, where there are several.
        language : str or Language, optional
            The language of texts given as str.
        """
        if type(candidate) is not Source:
            candidate = as_source(candidate, language, "candidate")
        if references is None:
            if reference is None:
                raise CodekinError(f"{self.name}: give a reference, or references=[...]")
            if type(reference) is not Source:
                reference = as_source(reference, language, "reference")
            return self._score(candidate, (reference,))
        if reference is not None:
            raise CodekinError(f"{self.name}: give either reference or references, not both")
        if isinstance(references, str | Source) or not references:
            raise CodekinError(f"{self.name}: references must be a list of at least one text")
        pool = tuple(as_source(r, language, f"references[{i}]") for i, r in enumerate(references))
        return self._score(candidate, pool)

    def _score(self, candidate: Source, references: tuple[Source, ...]) -> Score:
        if len(references) == 1:
            return self._pair(candidate, references[0])
        scores = [self._pair(candidate, reference) for reference in references]
        choose = min if self.distance else max
        return choose(scores, key=lambda score: score.value)  # the first of equals

    def _pair(self, candidate: Source, reference: Source) -> Score:
        raise NotImplementedError

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Why :meth:`score` gives what it gives for this pair."""
        raise NotImplementedError

    def uses_tree(self) -> bool:
        """Whether the grammar has a say in the score, and so stands in the signature."""
        return True

    def signature(self, *sources: Source) -> str:
        """One line with everything that decides the score.

        Measure, parameters that differ from the default, grammars with their versions, and
        codekin's version.
        """
        fields = [self.name] if self.compat is None else [self.name, f"compat:{self.compat}"]
        fields.extend(f"{name}:{_compact(value)}" for name, value in self._unusual())
        if self.uses_tree():
            grammars = dict.fromkeys(
                f"{s.grammar.distribution}-{s.grammar.version}" for s in sources
            )
            fields.extend(grammars)
        fields.append(f"codekin-{__version__}")
        return "|".join(fields)

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self._unusual())
        compat = [f"compat={self.compat!r}"] if self.compat else []
        return f"measure({', '.join([repr(self.name), *compat, *([shown] if shown else [])])})"

    def _unusual(self) -> list[tuple[str, Any]]:
        """The parameters that differ from their default and are short enough to show."""
        return [
            (f.name, getattr(self, f.name))
            for f in dataclasses.fields(self)
            if f.repr and getattr(self, f.name) != f.default
        ]

    @property
    def parameters(self) -> dict[str, Any]:
        """Every parameter with its value."""
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}


@dataclass(frozen=True, kw_only=True, repr=False)
class CorpusMeasure(Measure):
    """A measure that first counts and then judges, so that counts can be summed over a corpus.

    A subclass implements :meth:`statistics` and :meth:`from_statistics`.
    """

    joins: ClassVar[str] = "pooled"

    def statistics(self, candidate: Source, references: Sequence[Source]) -> list[int]:
        """The counts of one candidate; they add up over a corpus."""
        raise NotImplementedError

    def from_statistics(self, statistics: Sequence[float]) -> tuple[float, dict[str, float]]:
        """The value and its parts from (summed) statistics."""
        raise NotImplementedError

    def _score(self, candidate: Source, references: tuple[Source, ...]) -> Score:
        value, parts = self.from_statistics(self.statistics(candidate, references))
        return Score(self, value, parts, candidate, references[0])

    def corpus_score(
        self,
        candidates: Sequence[Source | str],
        references: Sequence[Sequence[Source | str]],
        *,
        language: str | Language | None = None,
    ) -> float:
        """The value of a whole corpus, from the sum of its statistics.

        Parameters are those of :meth:`corpus_statistics`.
        """
        total = self.corpus_statistics(candidates, references, language=language)
        return self.from_statistics(total)[0]

    def corpus_statistics(
        self,
        candidates: Sequence[Source | str],
        references: Sequence[Sequence[Source | str]],
        *,
        language: str | Language | None = None,
    ) -> list[int]:
        """The sum of the statistics of a corpus.

        Parameters
        ----------
        candidates : sequence of Source or str
            One a row.
        references : sequence of sequences
            The references of each row.
        language : str or Language, optional
            The language of texts given as str.
        """
        if len(candidates) != len(references) or not candidates:
            raise CodekinError(
                f"{self.name}: {len(candidates)} candidates with {len(references)} lists of "
                "references; give one list a candidate, and at least one"
            )
        total: list[int] = []
        for candidate, pool in zip(candidates, references, strict=True):
            counts = self.statistics(
                as_source(candidate, language, "candidate"),
                [as_source(r, language, "reference") for r in pool],
            )
            total = [a + b for a, b in zip(total, counts, strict=True)] if total else counts
        return total


def as_source(text: Source | str, language: str | Language | None, role: str) -> Source:
    """Make a Source of a text; `role` names it in the error for anything else."""
    if isinstance(text, Source):
        return text
    if not isinstance(text, str):
        raise CodekinError(f"{role} must be a Source or a str, not {type(text).__name__}")
    return Source(text, language)


def _compact(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(_compact(v) for v in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
