"""compare: one pair under several measures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from codekin.languages import Language
from codekin.measures.base import Measure, Score, as_sources
from codekin.measures.registry import distinct, measure, measure_names
from codekin.source import Source

__all__ = ["Comparison", "compare"]


@dataclass(frozen=True)
class Comparison(Mapping[str, Score]):
    """The scores of one candidate, by the name of the measure.

    A second measure of the same name is found under ``name 2``, and so on.

    Attributes
    ----------
    candidate : Source
    references : tuple of Source
    scores : mapping of str to Score
    origin : Source or None
        What all of them were made from, where it was given.
    """

    candidate: Source
    references: tuple[Source, ...]
    scores: Mapping[str, Score]
    origin: Source | None = None

    def __getitem__(self, name: str) -> Score:
        return self.scores[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)

    def __repr__(self) -> str:
        values = " ".join(f"{name}={score.value:.4f}" for name, score in self.items())
        return f"<Comparison {values}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(name)}</td><td style='text-align:right'>{score.value:.4f}</td>"
            f"<td><code>{escape(score.signature)}</code></td></tr>"
            for name, score in self.items()
        )
        return f"<table><tr><th>measure</th><th>score</th><th>signature</th></tr>{rows}</table>"


def compare(
    candidate: Source | str,
    reference: Source | str | None = None,
    *,
    origin: Source | str | None = None,
    references: Sequence[Source | str] | None = None,
    language: str | Language | None = None,
    measures: str | Measure | Sequence[str | Measure] | None = None,
) -> Comparison:
    """Compare a candidate with its reference, or references, under several measures.

    Parameters
    ----------
    candidate, reference : Source or str
        The texts.
    origin : Source or str, optional
        What both were made from, for measures of edits.
    references : sequence, optional
        In place of `reference`, where there are several.
    language : str or Language, optional
        The language of texts given as str; detected where it is not given.
    measures : str, Measure or sequence of them, optional
        Names or configured measures; all that suit the languages by default, those of edits only
        with an origin.

    Examples
    --------
    >>> result = compare("x = a + b", "x = a - b", language="python", measures=["nes", "tsed"])
    >>> result
    <Comparison nes=0.8889 tsed=1.0000>
    >>> compare("x = a + b", "x = a - b", origin="x = a", language="python", measures="es-token")
    <Comparison es-token=0.2500>
    """
    if isinstance(measures, str | Measure):
        measures = [measures]
    first, pool = as_sources("compare", candidate, reference, references, language)
    before = Source(origin, language or first.language) if isinstance(origin, str) else origin
    given = measures or _all((first, *pool), edits=before is not None)
    chosen = [measure(m) if isinstance(m, str) else m for m in given]
    names = distinct(one.name for one in chosen)
    scores = {
        name: one.score(first, origin=before, references=pool)
        for name, one in zip(names, chosen, strict=True)
    }
    return Comparison(first, pool, scores, before)


def _all(sources: Sequence[Source], *, edits: bool) -> list[Measure]:
    everything = [measure(name) for name in measure_names()]
    return [
        one
        for one in everything
        if (edits or not one.needs_origin) and all(one.suits(s.language) for s in sources)
    ]
