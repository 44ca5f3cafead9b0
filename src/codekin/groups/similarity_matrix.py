"""The similarity matrix of many programs, and the groups in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np
import numpy.typing as npt

from codekin.errors import CodekinError
from codekin.groups.code_files import unparsed_note
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
    Column,
    Constraint,
    Finite,
    Grid,
    Interval,
    Result,
    count_text,
    number_text,
    written_text,
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
"""A matrix without missing values."""

DEFAULT_MEASURE = "kin"
_LISTED = 100
"""Number of most similar pairs that a document lists besides the matrix."""
_SHOWN = 10
"""Number of most similar pairs that a table shows."""
_GROUPS = 20
"""Maximum number of groups that a table shows."""
_FAILURES = 20
"""Maximum number of unusable files to list."""
_EVEN = 1e-9
"""Scores that vary by less are equal up to rounding."""


@dataclass(frozen=True, slots=True)
class ScoredPair:
    """Two programs and their score.

    Attributes
    ----------
    first, second : int
        Their indices in :attr:`SimilarityMatrix.names`, the smaller first.
    value : float
        The score; the mean of both directions if the measure is not symmetric.
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
        The first program with the same text, if there is one.
    """

    name: str
    language: str
    group: int
    copy_of: str | None


@dataclass(frozen=True)
class NamedPair:
    """Two programs and their similarity.

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
    """The pairwise similarities of programs.

    Attributes
    ----------
    sources : mapping of str to Source
        The compared programs, sorted by name.
    values : float64 array, n by n
        The score of the row's program as candidate against the column's as reference; 1 on the
        diagonal.
    lower, upper : float64 array, n by n
        The bounds of each score; equal where it is exact.
    linkage : float64 array
        How the programs were joined, by average linkage on 1 - score, see
        :func:`~codekin.statistics.linkage.average_linkage`; uses the mean of both directions.
    order : tuple of int
        The rows in an order that puts similar ones together.
    groups : tuple of TextGroup
        The largest first; a program without similar ones is a group of its own.
    copies : tuple of tuple of str
        Names of programs with identical texts.
    failures : tuple of Unusable
        Programs that could not be used, each with the reason.
    measure : str
        The label of the measure.
    compared_by : Measure
        The measure itself.
    signature : str
        One line that reproduces the scores.
    symmetric : bool
        Whether all scores are the same in both directions.
    threshold : float or None
        The minimum mean similarity of joined groups; None if `wanted` is given.
    wanted : int or None
        The requested number of groups.
    automatic : bool
        Whether the threshold is the default, :func:`usual_threshold`.
    unparsed : tuple of str
        Programs with places that do not parse, as far as the measure parses them.
    """

    computed: ClassVar[Mapping[str, str]] = {
        "files": "files",
        "lower": "lower_bounds",
        "upper": "upper_bounds",
        "inexact": "inexact",
        "pairs": "most_similar",
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
    unparsed: tuple[str, ...] = ()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the compared programs, in order."""
        return tuple(self.sources)

    @cached_property
    def means(self) -> PairScores:
        """The mean scores of both directions, as used for pairs and groups."""
        scores = PairScores(self.values, self.lower, self.upper)
        return scores if self.symmetric else scores.both_ways()

    @cached_property
    def inexact(self) -> int:
        """The number of pairs whose score is not exact in at least one direction."""
        loose = self.lower != self.upper
        return int(np.triu(loose | loose.T, 1).sum())

    def pairs(self, limit: int | None = None) -> Iterator[ScoredPair]:
        """Pairs of programs, the most similar first; ties are in the order of their names.

        Parameters
        ----------
        limit : int, optional
            Maximum number of pairs (default: all).
        """
        means = self.means
        above = np.triu_indices(len(self.names), 1)
        values = means.values[above]
        chosen = np.argsort(-values, kind="stable")[:limit]
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
        """The compared programs, in the order of rows and columns."""
        number = {place: group.number for group in self.groups for place in group.places}
        copy_of = _copy_of(self.copies)
        return tuple(
            ComparedFile(name, source.language.name, number[place], copy_of.get(name))
            for place, (name, source) in enumerate(self.sources.items())
        )

    @property
    def lower_bounds(self) -> Scores | None:
        """The lower bounds of the scores; None if all are exact."""
        return self.lower if self.inexact else None

    @property
    def upper_bounds(self) -> Scores | None:
        """The upper bounds of the scores; None if all are exact."""
        return self.upper if self.inexact else None

    @property
    def most_similar(self) -> tuple[NamedPair, ...]:
        """Up to 100 pairs, the most similar first."""
        return tuple(
            NamedPair(
                *(self.names[pair.first], self.names[pair.second], pair.value),
                Interval(pair.lower, pair.upper),
                pair.exact,
            )
            for pair in self.pairs(_LISTED)
        )

    @property
    def joins(self) -> tuple[Join, ...]:
        """The steps of average linkage, one less than there are programs."""
        return joins(self.linkage)

    @property
    def title(self) -> str:
        """What was compared, and by which measure."""
        files = len(self.names)
        pairs = count_text(files * (files - 1) // 2, "pair")
        return f"{count_text(files, 'file')}, {pairs} by {self.measure}"

    @property
    def cut(self) -> str:
        """How the groups were made, as text."""
        if len(self.names) < 2:
            return f"{'only 1 file' if self.names else 'no file'} could be used"
        if self.threshold is None:
            return f"{count_text(self.wanted or 0, 'group')} requested"
        if self.automatic and self.threshold == 1:
            return "all pairs are equally similar"
        at = f"joined at a mean similarity of {number_text(self.threshold, digits=3)} or more"
        return f"{at}, well above the mean of all pairs" if self.automatic else at

    def pair_note(self, pair: ScoredPair) -> str:
        """A remark on a pair: whether the texts are the same, or the bounds of the score."""
        first, second = self.names[pair.first], self.names[pair.second]
        if any(first in names and second in names for names in self.copies):
            return "the same text"
        low, high = number_text(pair.lower), number_text(pair.upper)
        return "" if pair.exact else f"from {low} to {high}"

    def grids(self, top: int = _SHOWN) -> list[Grid]:
        """The `top` most similar pairs, and groups of more than one program."""
        pairs = tuple(
            (pair.value, self.names[pair.first], self.names[pair.second], self.pair_note(pair))
            for pair in self.pairs(top)
        )
        columns = (Column("score", bar=True), "first", "second", "")
        more = len(self._shared) > _GROUPS
        groups = self._group_counts(f", the first {_GROUPS}" if more else "")
        grids = [
            Grid(self.title, columns, pairs, keys=3, note="most alike"),
            group_grid(groups, self._shared[:_GROUPS]),
        ]
        return [grid for grid in grids if grid.cells]

    @property
    def _shared(self) -> list[TextGroup]:
        return [group for group in self.groups if len(group.members) > 1]

    def _group_counts(self, more: str = "") -> str:
        """How many groups there are, how they were made, and how many programs are in none."""
        shared = len(self._shared)
        if not shared:
            return f"no groups: {self.cut}"
        alone = len(self.groups) - shared
        files = f"; {count_text(alone, 'file')} {'is' if alone == 1 else 'are'} in no group"
        return f"{count_text(shared, 'group')}{more}: {self.cut}{files if alone else ''}"

    def table(self) -> Grid:
        """The matrix with names: each row's program scored against each column's.

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

        If the measure is not symmetric, each pair is listed in both directions.

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
            for second, reference in enumerate(self.names):
                if first < second or (first > second and not self.symmetric):
                    value, low, high = (
                        float(scores[first, second])
                        for scores in (self.values, self.lower, self.upper)
                    )
                    yield name, reference, value, low, high, "true" if low == high else "false"

    def to_html(
        self, path: str | Path | None = None, *, folder: str = "", texts: bool = True
    ) -> str:
        """A heatmap, the most similar pairs and the groups as a page; also written to `path`.

        Parameters
        ----------
        path : str or Path, optional
        folder : str
            The folder that the names are relative to.
        texts : bool
            Whether the page holds the code, so that two programs can be read side by side.

        Raises
        ------
        CodekinError
            If there are more than 2,000 programs.
        """
        if len(self.names) < 2:
            return super().to_html(path)
        module = import_module("codekin.report.matrix_page")
        page: bytes = module.matrix_page(self, folder=folder, texts=texts)
        return written_text(page.decode("utf-8"), path)

    def notes(self) -> list[str]:
        """Notes on directions, bounds, copies and unusable files, and the signature."""
        notes = [] if self._shared else [self._group_counts()]
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
        notes += unparsed_note(self.unparsed)
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
    r"""Compare every program with every other one, and group similar ones.

    Programs are sorted by name, so the order in which they are given does not matter; nor does
    the number of worker processes.

    Parameters
    ----------
    sources : mapping of str to (Source or str), or sequence of Source or str
        The programs, by name; those of a sequence are numbered from 1.
    measure : Measure or str
        A similarity of two texts.
    threshold : float, optional
        Groups are joined as long as their mean similarity is at least this (default: one standard
        deviation above the mean of all pairs, see :func:`usual_threshold`).
    groups : int, optional
        Instead of a threshold: the number of groups.
    language : str or Language, optional
        The language of texts given as str (default: detected for each).
    unusable : mapping of str to str, optional
        Further programs that are known to be unusable, with the reason; they are listed with
        those that cannot be scored.
    workers : int, optional
        Worker processes, if the measure scores one pair at a time (default: one per core if there
        is much to do); 0 compares in this process.
    report : callable, optional
        Called with the number of scored pairs and of all pairs.

    Examples
    --------
    >>> programs = {
    ...     "ann": "def area(r):\n    return 3.14 * r * r\n",
    ...     "ben": "def area(x):\n    return 3.14 * x * x\n",
    ...     "eve": "print(sorted(input().split()))\n",
    ... }
    >>> matrix = similarity_matrix(programs, "nes", language="python")
    >>> matrix.values.round(2)
    array([[1.  , 0.92, 0.11],
           [0.92, 1.  , 0.11],
           [0.11, 0.11, 1.  ]])
    >>> [group.members for group in matrix.groups]
    [('ann', 'ben'), ('eve',)]
    """
    chosen = parse_measure(measure) if isinstance(measure, str) else measure
    _check(chosen, threshold, groups)
    programs = _by_name(sources, language)
    failed = dict(unusable or {})
    kept, scores, not_scored = comparable_scores(chosen, programs, None, workers, report=report)
    failed |= not_scored
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
    cutoff = usual_threshold(similarities) if automatic else threshold
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
            threshold=cutoff,
            groups=groups,
            copy_of=_copy_of(copies),
        ),
        copies=copies,
        failures=tuple(Unusable(*failure) for failure in sorted(failed.items())),
        measure=measure_label(chosen),
        compared_by=chosen,
        signature=_signature(chosen, usable),
        symmetric=symmetric,
        threshold=cutoff,
        wanted=groups,
        automatic=automatic,
        unparsed=tuple(name for name, one in usable.items() if one.was_parsed_with_problems),
    )


def usual_threshold(similarities: Floats) -> float:
    """The default threshold: the minimum mean similarity of a group.

    How much unrelated programs share differs between measures, so the threshold is computed from
    the pairs themselves: one standard deviation above their mean, but at most half way from the
    mean to the most similar pair. The latter applies if few programs are compared, or if many of
    them are similar, so that the deviation is large.

    Parameters
    ----------
    similarities : float64 array, n by n
        Symmetric.

    Returns
    -------
    float
        1 if all pairs are equally similar.

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
        raise CodekinError(f"{label} is a distance; use a similarity, such as kin or nes")
    if measure.needs_origin:
        raise CodekinError(
            f"{label} compares revisions of one file and needs their origin; use a measure of two "
            "texts, such as kin or nes, or codekin cluster for revisions"
        )
    check_cut(threshold, groups)


def _by_name(
    sources: Mapping[str, Source | str] | Sequence[Source | str], language: str | Language | None
) -> dict[str, Source]:
    if not isinstance(sources, Mapping):
        digits = len(str(len(sources)))
        sources = {f"{number:0{digits}}": text for number, text in enumerate(sources, start=1)}
    return {
        name: text if isinstance(text, Source) else Source(text, language)
        for name, text in sorted(sources.items())
    }


def _copy_of(copies: Sequence[Sequence[str]]) -> dict[str, str]:
    """For each copy, the first text that is the same."""
    return {copy: names[0] for names in copies for copy in names[1:]}


def _copies(sources: Mapping[str, Source]) -> tuple[tuple[str, ...], ...]:
    by_text: dict[str, list[str]] = {}
    for name, source in sources.items():
        by_text.setdefault(source.text, []).append(name)
    return tuple(tuple(names) for names in by_text.values() if len(names) > 1)


def _signature(measure: Measure, sources: Mapping[str, Source]) -> str:
    """One signature for all pairs, with the grammars of all languages."""
    if not measure.uses_language():
        return measure.signature()
    by_language = {source.language.name: source for source in sources.values()}
    fields = measure.signature(*(by_language[name] for name in sorted(by_language))).split("|")
    # A measure takes sources beyond the second as further references, but there are none.
    return "|".join(field for field in fields if not field.startswith("references:"))
