"""How alike every two of many programs are: the matrix, and the groups in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np
import numpy.typing as npt

from codekin.errors import CodekinError
from codekin.groups.grouping import (
    Join,
    TextGroup,
    Unusable,
    check_cut,
    copy_notes,
    failure_notes,
    group_grid,
    group_texts,
    joins,
)
from codekin.groups.pair_scoring import PairProgress, comparable_scores
from codekin.languages import Language
from codekin.measures import Measure, measure_label, parse_measure
from codekin.measures.pairwise import PairScores
from codekin.results import (
    LEFT_OUT,
    Constraint,
    Finite,
    Grid,
    Interval,
    Result,
    count_text,
    number_text,
)
from codekin.source import Source
from codekin.statistics.linkage import average_linkage, leaf_order

__all__ = [
    "DEFAULT_MEASURE",
    "ScoredPair",
    "SimilarityMatrix",
    "similarity_matrix",
    "usual_threshold",
]

Floats = npt.NDArray[np.float64]
Scores = Annotated[Floats, Constraint(items={"type": "array", "items": {"type": "number"}})]
"""A matrix in which nothing is missing."""

DEFAULT_MEASURE = "kin"
_LISTED = 100
"""The most alike pairs that a document lists besides the matrix."""
_SHOWN = 10
"""The most alike pairs that a table shows."""
_FAILURES = 20
"""Files that could not be used are named up to this number."""
_EVEN = 1e-9
"""Scores that vary by less are equal, but for rounding."""


@dataclass(frozen=True, slots=True)
class ScoredPair:
    """Two of the files, and how alike they are.

    Attributes
    ----------
    first, second : int
        Their places in :attr:`SimilarityMatrix.names`, the lesser first.
    value : float
        The score; of a measure that is not symmetric the mean of both directions.
    lower, upper : float
        Its bounds.
    """

    first: int
    second: int
    value: float
    lower: float
    upper: float

    @property
    def exact(self) -> bool:
        """Whether the bounds meet."""
        return self.lower == self.upper


@dataclass(frozen=True)
class ComparedFile:
    """A program of a matrix.

    Attributes
    ----------
    name, language : str
    group : int
        The number of its group.
    copy_of : str or None
        The first program with the same text, where there is one.
    """

    name: str
    language: str
    group: int
    copy_of: str | None


@dataclass(frozen=True)
class NamedPair:
    """Two programs, and how alike they are.

    Attributes
    ----------
    first, second : str
    similarity : float
        The mean of both directions.
    bounds : Interval
    exact : bool
    """

    first: str
    second: str
    similarity: Finite
    bounds: Interval
    exact: bool


@dataclass(frozen=True, eq=False)
class SimilarityMatrix(Result):
    """How alike every two of some programs are.

    Attributes
    ----------
    sources : mapping of str to Source
        The programs that were compared, in the order of their names.
    values : float64 array, n by n
        The score of the row's program as candidate with the column's as reference; 1 on the
        diagonal.
    lower, upper : float64 array, n by n
        The bounds of each score; equal where it is exact.
    linkage : float64 array
        How the programs were joined, by average linkage on 1 - score, see
        :func:`~codekin.statistics.linkage.average_linkage`; of both directions the mean counts.
    order : tuple of int
        The rows in an order that puts similar ones together.
    groups : tuple of TextGroup
        The largest first; a program that is like no other is a group alone.
    copies : tuple of tuple of str
        Names whose texts are the same, character by character.
    failures : tuple of Unusable
        Programs that could not be used, each with the reason.
    measure : str
        Its label.
    compared_by : Measure
        The measure itself.
    signature : str
        One line that reproduces the scores.
    symmetric : bool
        Whether no score depends on the direction.
    threshold : float or None
        The least mean similarity at which groups were joined; None where `wanted` groups were.
    wanted : int or None
        The requested number of groups.
    automatic : bool
        Whether no threshold was given: it is :func:`usual_threshold`.
    """

    computed: ClassVar[Mapping[str, str]] = {
        "files": "files",
        "lower": "lower_bounds",
        "upper": "upper_bounds",
        "inexact": "inexact",
        "pairs": "most_alike",
        "joins": "joins",
    }

    sources: Mapping[str, Source] = field(repr=False, metadata=LEFT_OUT)
    values: Scores = field(repr=False)
    lower: Floats = field(repr=False, metadata=LEFT_OUT)
    upper: Floats = field(repr=False, metadata=LEFT_OUT)
    linkage: Floats = field(repr=False, metadata=LEFT_OUT)
    order: tuple[int, ...] = field(repr=False)
    groups: tuple[TextGroup, ...]
    copies: tuple[tuple[str, ...], ...] = field(metadata=LEFT_OUT)
    failures: tuple[Unusable, ...]
    measure: str
    compared_by: Measure = field(repr=False, metadata=LEFT_OUT)
    signature: str
    symmetric: bool
    threshold: float | None
    wanted: int | None
    automatic: bool

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The programs that were compared, in order."""
        return tuple(self.sources)

    @cached_property
    def means(self) -> PairScores:
        """The scores as mean of both directions, which pairs and groups are judged by."""
        scores = PairScores(self.values, self.lower, self.upper)
        return scores if self.symmetric else scores.both_ways()

    @cached_property
    def inexact(self) -> int:
        """How many pairs have a score that is not exact, in one direction at least."""
        loose = self.lower != self.upper
        return int(np.triu(loose | loose.T, 1).sum())

    def pairs(self, most: int | None = None) -> Iterator[ScoredPair]:
        """Pairs of programs, the most alike first; of equals those whose names come first.

        Parameters
        ----------
        most : int, optional
            So many of them; all by default.
        """
        means = self.means
        above = np.triu_indices(len(self.names), 1)
        values = means.values[above]
        chosen = np.argsort(-values, kind="stable")[:most]
        for first, second in zip(above[0][chosen].tolist(), above[1][chosen].tolist(), strict=True):
            place = first, second
            yield ScoredPair(
                first,
                second,
                float(means.values[place]),
                float(means.lower[place]),
                float(means.upper[place]),
            )

    @property
    def files(self) -> tuple[ComparedFile, ...]:
        """The programs that were compared, in the order of rows and columns."""
        number = {place: group.number for group in self.groups for place in group.places}
        copy_of = _copy_of(self.copies)
        return tuple(
            ComparedFile(name, source.language.name, number[place], copy_of.get(name))
            for place, (name, source) in enumerate(self.sources.items())
        )

    @property
    def lower_bounds(self) -> Scores | None:
        """What each score is at least; None where all are exact."""
        return self.lower if self.inexact else None

    @property
    def upper_bounds(self) -> Scores | None:
        """What each score is at most; None where all are exact."""
        return self.upper if self.inexact else None

    @property
    def most_alike(self) -> tuple[NamedPair, ...]:
        """Up to 100 pairs, the most alike first."""
        return tuple(
            NamedPair(
                *(self.names[one.first], self.names[one.second], one.value),
                Interval(one.lower, one.upper),
                one.exact,
            )
            for one in self.pairs(_LISTED)
        )

    @property
    def joins(self) -> tuple[Join, ...]:
        """The steps of average linkage, one less than there are programs."""
        return joins(self.linkage)

    @property
    def title(self) -> str:
        """What was compared, and by what."""
        files = len(self.names)
        pairs = count_text(files * (files - 1) // 2, "pair")
        return f"{count_text(files, 'file')}, {pairs} by {self.measure}"

    @property
    def cut(self) -> str:
        """How groups were made, in words."""
        if self.threshold is None:
            return f"{count_text(self.wanted or 0, 'group')} asked for"
        if self.automatic and self.threshold == 1:
            return "every pair is as alike as every other, so none stands out"
        at = f"joined at a mean similarity of {number_text(self.threshold, digits=3)} or more"
        return f"{at}, well above the mean of all pairs" if self.automatic else at

    def pair_note(self, pair: ScoredPair) -> str:
        """What is to be said of a pair besides its score."""
        first, second = self.names[pair.first], self.names[pair.second]
        if any(first in names and second in names for names in self.copies):
            return "the same text"
        low, high = number_text(pair.lower), number_text(pair.upper)
        return "" if pair.exact else f"from {low} to {high}"

    def grids(self) -> list[Grid]:
        """The most alike pairs, and groups of more than one program."""
        pairs = tuple(
            (self.names[one.first], self.names[one.second], one.value, self.pair_note(one))
            for one in self.pairs(_SHOWN)
        )
        shared = [group for group in self.groups if len(group.members) > 1]
        grids = [
            Grid(f"{self.title}: the most alike", ("first", "second", "score", ""), pairs, keys=2),
            group_grid(f"Groups: {self.cut}", shared),
        ]
        return [grid for grid in grids if grid.cells]

    def table(self) -> Grid:
        """The matrix with names at its left and top: a row's program against the column's.

        Examples
        --------
        >>> print(similarity_matrix({"a": "x", "b": "y"}, "nes", language="c").to_csv(), end="")
        candidate,a,b
        a,1.0,0.0
        b,0.0,1.0
        """
        cells = zip(self.names, self.values.tolist(), strict=True)
        rows = tuple((name, *values) for name, values in cells)
        return Grid("", ("candidate", *self.names), rows)

    def pairs_table(self) -> Grid:
        """All pairs, one per row, with the bounds of each score.

        For a measure that is not symmetric both directions are there; for one that is, each pair
        once.

        Examples
        --------
        >>> matrix = similarity_matrix({"a": "x", "b": "y"}, "nes", language="c")
        >>> list(matrix.pairs_table().lines())[1]
        ['a', 'b', 0.0, 0.0, 0.0, 'true']
        """
        heads = ("candidate", "reference", "value", "lower", "upper", "exact")
        return Grid("", heads, tuple(self._pair_rows()), keys=2)

    def _pair_rows(self) -> Iterator[tuple[Any, ...]]:
        for first, name in enumerate(self.names):
            for second, other in enumerate(self.names):
                if first < second or (first > second and not self.symmetric):
                    value, low, high = (
                        float(one[first, second]) for one in (self.values, self.lower, self.upper)
                    )
                    yield name, other, value, low, high, "true" if low == high else "false"

    def notes(self) -> list[str]:
        """Directions, bounds, copies, what could not be used, and the signature."""
        notes = []
        if not self.symmetric:
            notes.append(
                f"{self.measure} depends on the direction: pairs and groups go by the mean of "
                "both, in the matrix the row is the candidate and the column the reference"
            )
        if self.inexact:
            pairs = count_text(self.inexact, "pair")
            notes.append(
                f"not exact within the budget: {pairs}; the bounds are on the page and in the JSON"
            )
        notes += copy_notes(self.copies)
        notes += failure_notes(self.failures, "file", _FAILURES)
        return [*notes, self.signature]


def similarity_matrix(
    sources: Mapping[str, Source | str] | Sequence[Source | str],
    measure: Measure | str = DEFAULT_MEASURE,
    *,
    threshold: float | None = None,
    groups: int | None = None,
    language: str | Language | None = None,
    unusable: Mapping[str, str] | None = None,
    workers: int | None = None,
    report: PairProgress | None = None,
) -> SimilarityMatrix:
    r"""Compare every program with every other one, and group those that are alike.

    Programs are taken in the order of their names, so that the order in which they are given
    changes nothing; nor does the number of processes.

    Parameters
    ----------
    sources : mapping of str to (Source or str), or sequence of Source or str
        The programs, by name; those of a sequence are called by their places, from 1.
    measure : Measure or str
        A similarity of two texts.
    threshold : float, optional
        Groups are joined as long as their mean similarity is at least this; one standard
        deviation above the mean of all pairs by default, see :func:`usual_threshold`.
    groups : int, optional
        In place of a threshold: the number of groups.
    language : str or Language, optional
        The language of texts given as str (default: detected for each).
    unusable : mapping of str to str, optional
        Further programs that are known to be of no use, with the reason; they are listed with
        those that cannot be scored.
    workers : int, optional
        Worker processes, where the measure takes one pair after the other (default: one per core
        if there is much to do); 0 compares in this process.
    report : callable, optional
        Called with the number of scored pairs and the number of all.

    Examples
    --------
    >>> programs = {
    ...     "ann": "def area(r):\n    return 3.14 * r * r\n",
    ...     "ben": "def area(x):\n    return 3.14 * x * x\n",
    ...     "eve": "print(sorted(input().split()))\n",
    ... }
    >>> found = similarity_matrix(programs, "nes", language="python")
    >>> found.values.round(2)
    array([[1.  , 0.92, 0.11],
           [0.92, 1.  , 0.11],
           [0.11, 0.11, 1.  ]])
    >>> [group.members for group in found.groups]
    [('ann', 'ben'), ('eve',)]
    """
    chosen = parse_measure(measure) if isinstance(measure, str) else measure
    _check(chosen, threshold, groups)
    programs = _by_name(sources, language)
    failed = dict(unusable or {})
    kept, scores, trouble = comparable_scores(chosen, programs, None, workers, report=report)
    failed |= trouble
    if groups is not None and groups > max(1, len(kept)):
        raise CodekinError(
            f"{groups} groups cannot be made of {len(kept)} programs; ask for at most "
            f"{max(1, len(kept))}"
        )
    usable = {name: programs[name] for name in kept}
    symmetric = chosen.symmetric or bool((scores.values == scores.values.T).all())
    similarities = scores.values if symmetric else scores.both_ways().values
    distances = np.maximum(0.0, 1 - similarities)
    linkage = average_linkage(distances)
    automatic = threshold is None and groups is None
    least = usual_threshold(similarities) if automatic else threshold
    copies = _copies(usable)
    return SimilarityMatrix(
        sources=usable,
        values=scores.values,
        lower=scores.lower,
        upper=scores.upper,
        linkage=linkage,
        order=tuple(leaf_order(linkage)) if kept else (),
        groups=group_texts(
            kept,
            similarities,
            linkage,
            threshold=least,
            groups=groups,
            copy_of=_copy_of(copies),
        ),
        copies=copies,
        failures=tuple(Unusable(*one) for one in sorted(failed.items())),
        measure=measure_label(chosen),
        compared_by=chosen,
        signature=_signature(chosen, usable),
        symmetric=symmetric,
        threshold=least,
        wanted=groups,
        automatic=automatic,
    )


def usual_threshold(similarities: Floats) -> float:
    """The default threshold: the least mean similarity at which programs are a group.

    What any two programs of a language share differs from measure to measure, and so it is taken
    from the pairs themselves: their mean and one standard deviation, but no more than half way
    from the mean to the most alike pair. The latter counts where few programs are compared, or
    many of them are alike, so that the deviation is large.

    Parameters
    ----------
    similarities : float64 array, n by n
        Symmetric.

    Returns
    -------
    float
        1 where all pairs are equally alike, since none of them stands out.

    Examples
    --------
    >>> round(usual_threshold(np.array([[1, 0.9, 0.2], [0.9, 1, 0.4], [0.2, 0.4, 1]])), 3)
    0.7
    """
    pairs = similarities[np.triu_indices(len(similarities), 1)]
    if not len(pairs) or float(pairs.std()) < _EVEN:
        return 1.0
    mean = float(pairs.mean())
    return min(mean + float(pairs.std()), (mean + float(pairs.max())) / 2)


def _check(measure: Measure, threshold: float | None, groups: int | None) -> None:
    label = measure_label(measure)
    if measure.distance:
        raise CodekinError(f"{label} is a distance; take a similarity, such as kin or nes")
    if measure.needs_origin:
        raise CodekinError(
            f"{label} compares revisions of one file and needs their origin; take a measure of two "
            "texts, such as kin or nes, or codekin cluster for revisions"
        )
    check_cut(threshold, groups)


def _by_name(
    sources: Mapping[str, Source | str] | Sequence[Source | str], language: str | Language | None
) -> dict[str, Source]:
    if not isinstance(sources, Mapping):
        digits = len(str(len(sources)))
        sources = {f"{place:0{digits}}": one for place, one in enumerate(sources, start=1)}
    return {
        name: one if isinstance(one, Source) else Source(one, language)
        for name, one in sorted(sources.items())
    }


def _copy_of(copies: Sequence[Sequence[str]]) -> dict[str, str]:
    """The first text that is the same, for each copy."""
    return {copy: names[0] for names in copies for copy in names[1:]}


def _copies(sources: Mapping[str, Source]) -> tuple[tuple[str, ...], ...]:
    by_text: dict[str, list[str]] = {}
    for name, source in sources.items():
        by_text.setdefault(source.text, []).append(name)
    return tuple(tuple(names) for names in by_text.values() if len(names) > 1)


def _signature(measure: Measure, sources: Mapping[str, Source]) -> str:
    """One line for all pairs, with the grammar of every language that there is."""
    if not measure.uses_language():
        return measure.signature()
    of_each = {source.language.name: source for source in sources.values()}
    fields = measure.signature(*(of_each[name] for name in sorted(of_each))).split("|")
    # To a measure, sources beyond the second are further references, which there are none of.
    return "|".join(one for one in fields if not one.startswith("references:"))
