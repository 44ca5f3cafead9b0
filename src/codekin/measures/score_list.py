"""Lists in, lists out: the scores of many candidates by one measure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from codekin.errors import CodekinError
from codekin.results import LEFT_OUT, Column, Grid, GridColumns, ResultList, count_text, recorded
from codekin.source import Source

if TYPE_CHECKING:
    from codekin.languages import Language
    from codekin.measures.base import Measure, Score

__all__ = ["ScoreList", "each_row", "is_many", "score_list"]


@dataclass(frozen=True)
class ScoreList(ResultList["Score"]):
    """The scores of several candidates, in their order.

    Attributes
    ----------
    measure : Measure
    scores : tuple of Score
    """

    computed: ClassVar[Mapping[str, str]] = {"scores": "records"}
    held: ClassVar[str] = "scores"
    noun: ClassVar[str] = "score"

    measure: Measure = field(metadata=LEFT_OUT)
    scores: tuple[Score, ...] = field(metadata=LEFT_OUT)

    def __repr__(self) -> str:
        return f"<ScoreList {self.table().title}>"

    @property
    def values(self) -> list[float]:
        """The value of each score."""
        return [float(one.value) for one in self.scores]

    @property
    def _mean(self) -> str:
        return f"{math.fsum(self.values) / len(self):.4f}" if self.scores else "–"

    def table(self) -> Grid:
        """One record per row, with the parts of its score."""
        parts = list(dict.fromkeys(name for one in self.scores for name in one.parts))
        columns: GridColumns = (
            "row",
            Column("score", "value", distance=self.measure.distance),
            *(Column(name, distance=self.measure.distance) for name in parts if name != "value"),
            *recorded("exact", "signature"),
        )
        cells = tuple(
            (
                number,
                float(one.value),
                *(_number(one.parts.get(name)) for name in parts if name != "value"),
                *(one.exact, one.signature),
            )
            for number, one in enumerate(self.scores)
        )
        number = count_text(len(self), "score")
        return Grid(f"{self.measure.name}: {number}, mean {self._mean}", columns, cells)

    def notes(self) -> list[str]:
        """What is not shown, and what reproduces the scores."""
        signatures = dict.fromkeys(one.signature for one in self.scores[: self.most_shown])
        return [*super().notes(), *list(signatures)[:3]]


def _number(value: float | None) -> float | None:
    return None if value is None else float(value)


def is_many(text: object) -> bool:
    """Whether an argument is a list of texts: a list, a tuple, an array or a series of a frame.

    Examples
    --------
    >>> is_many(["a"]), is_many("a"), is_many(None)
    (True, False, False)
    """
    return isinstance(text, list | tuple) or (
        not isinstance(text, str | bytes | Source | dict | set)
        and hasattr(text, "__len__")
        and hasattr(text, "__iter__")
    )


def each_row(
    name: str,
    candidates: Iterable[Any],
    reference: Any,
    origin: Any,
    references: Any,
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The arguments of each candidate of a list, with its number; errors begin with `name`.

    Raises
    ------
    CodekinError
        If the lists differ in length, or only some arguments are lists.
    """
    given = {"reference": reference, "origin": origin, "references": references}
    lists: dict[str, list[Any]] = {"candidate": list(candidates)}
    for role, value in given.items():
        if value is None:
            continue
        if not is_many(value):
            raise CodekinError(
                f"{name}: candidate is a list, so {role} must be a list as well, with one for each "
                f"candidate, not {type(value).__name__}"
            )
        lists[role] = list(value)
    number = len(lists["candidate"])
    for role, values in lists.items():
        if len(values) != number:
            raise CodekinError(
                f"{name}: {count_text(number, 'candidate')} but {len(values):,} in {role}; the "
                "lists must be equally long"
            )
    for i in range(number):
        yield i, {role: values[i] for role, values in lists.items()}


def score_list(
    measure: Measure,
    candidates: Iterable[Any],
    reference: Any,
    origin: Any,
    references: Any,
    language: str | Language | None,
) -> ScoreList:
    """Score each candidate of a list; an error names the row."""
    scores = []
    for i, row in each_row(measure.name, candidates, reference, origin, references):
        try:
            scores.append(measure.score(**row, language=language))
        except CodekinError as error:
            raise CodekinError(f"row {i}: {error}") from error
    return ScoreList(measure, tuple(scores))
