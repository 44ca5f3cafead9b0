"""Scorer: the scores that a criterion needs of a case, by one measure."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from codekin.errors import CodekinError
from codekin.evaluation.adequacy.case import Case
from codekin.evaluation.adequacy.criteria import Criterion
from codekin.measures import Measure
from codekin.source import Source

__all__ = ["Checked", "Scorer", "Sources"]

_MOST_SOURCES = 512


class Sources:
    """Texts parsed once, for all measures that meet them; the last few hundred are kept."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], Source] = OrderedDict()

    def __call__(self, text: str, language: str) -> Source:
        """The source of a text."""
        key = (language, text)
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = Source(text, language)
            if len(self._kept) > _MOST_SOURCES:
                self._kept.popitem(last=False)
        return found


@dataclass(frozen=True)
class Checked:
    """What a measure said of a case.

    Attributes
    ----------
    values : tuple of float
        The scores as the measure gave them, in the order of the criterion's triples.
    kept : bool
        Whether they keep the criterion.
    """

    values: tuple[float, ...]
    kept: bool


class Scorer:
    """A measure that is asked about cases.

    Parameters
    ----------
    measure : Measure
    sources : Sources
        Shared by the scorers of several measures.
    """

    def __init__(self, measure: Measure, sources: Sources) -> None:
        self.measure = measure
        self._sources = sources

    def check(self, criterion: Criterion, case: Case) -> Checked:
        """Score a case and say whether the criterion is kept.

        Raises
        ------
        CodekinError
            If the measure cannot score it, whatever the reason.
        """
        texts = [self._sources(text, case.language) for text in case.texts]
        known: dict[tuple[str, str, str], float] = {}
        values = []
        for triple in criterion.triples:
            candidate, reference, origin = (texts[i] for i in triple)
            key = candidate.text, reference.text, origin.text
            if key not in known:
                known[key] = self._score(candidate, reference, origin)
            values.append(known[key])
        return Checked(tuple(values), criterion.kept(self._oriented(values), case))

    def _score(self, candidate: Source, reference: Source, origin: Source) -> float:
        try:
            return float(self.measure.score(candidate, reference, origin).value)
        except CodekinError:
            raise
        except Exception as error:  # whatever a measure of somebody else's does
            raise CodekinError(f"{type(error).__name__}: {error}") from error

    def _oriented(self, values: Sequence[float]) -> Sequence[float]:
        """More is more alike, and 1 is equal; a distance never reaches 0, which is no end of it."""
        if not self.measure.distance:
            return values
        return [1 / (1 + max(0.0, value)) for value in values]
