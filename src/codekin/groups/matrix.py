"""How alike every two of many programs are: the matrix, and the groups in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from codekin.errors import CodekinError
from codekin.groups.grouping import TextGroup, check_cut, group_texts
from codekin.groups.pair_scoring import PairProgress, comparable_scores
from codekin.languages import Language
from codekin.measures import Measure, measure_label, parse_measure
from codekin.measures.pairwise import PairScores
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

DEFAULT_MEASURE = "kin"
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


@dataclass(frozen=True, eq=False)
class SimilarityMatrix:
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
    failures : tuple of (str, str)
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

    sources: Mapping[str, Source] = field(repr=False)
    values: Floats = field(repr=False)
    lower: Floats = field(repr=False)
    upper: Floats = field(repr=False)
    linkage: Floats = field(repr=False)
    order: tuple[int, ...] = field(repr=False)
    groups: tuple[TextGroup, ...]
    copies: tuple[tuple[str, ...], ...]
    failures: tuple[tuple[str, str], ...]
    measure: str
    compared_by: Measure = field(repr=False)
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
    return SimilarityMatrix(
        sources=usable,
        values=scores.values,
        lower=scores.lower,
        upper=scores.upper,
        linkage=linkage,
        order=tuple(leaf_order(linkage)) if kept else (),
        groups=group_texts(kept, similarities, linkage, threshold=least, groups=groups),
        copies=_copies(usable),
        failures=tuple(sorted(failed.items())),
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
