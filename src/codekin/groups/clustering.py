"""Clustering of the revisions of one origin by the similarity of their edits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import ClassVar

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
from codekin.groups.pair_scoring import comparable_scores
from codekin.languages import Language
from codekin.measures import Measure, measure_label, parse_measure
from codekin.results import (
    LEFT_OUT,
    Grid,
    Result,
    count_text,
    named,
    number_text,
    written_text,
)
from codekin.source import Source, sources_of_one_language
from codekin.statistics.linkage import average_linkage

__all__ = ["DEFAULT_THRESHOLD", "Clustering", "cluster_revisions"]

Floats = npt.NDArray[np.float64]

DEFAULT_THRESHOLD = 0.4
"""Chosen on planted families of edits, see docs/clustering.md; slightly above the best value."""


@dataclass(frozen=True, eq=False)
class Clustering(Result):
    """The revisions of an origin, grouped.

    Attributes
    ----------
    origin : Source
    sources : mapping of str to Source
        The grouped revisions, one per distinct text, sorted by name.
    similarities : float64 array
        Their pairwise scores.
    linkage : float64 array
        How they were joined, see :func:`~codekin.statistics.linkage.average_linkage`;
        distances are 1 - score.
    groups : tuple of TextGroup
        The largest first.
    untouched : tuple of str
        Revisions that are equal to the origin.
    copies : mapping of str to tuple of str
        For a text with several names, the first name and the others.
    failures : tuple of Unusable
        Revisions that could not be used, each with the reason.
    measure : str
        The label of the measure.
    signature : str
        One line that reproduces the scores.
    threshold : float or None
        The minimum mean similarity of joined groups; None if `wanted` is given.
    wanted : int or None
        The requested number of groups.
    origin_name : str
        The name of the origin, such as its path.
    """

    computed: ClassVar[Mapping[str, str]] = {
        "language": "language",
        "revisions": "revisions",
        "leaves": "names",
        "joins": "joins",
    }

    origin: Source = field(repr=False, metadata=LEFT_OUT)
    sources: Mapping[str, Source] = field(repr=False, metadata=LEFT_OUT)
    similarities: Floats = field(repr=False, metadata=LEFT_OUT)
    linkage: Floats = field(repr=False, metadata=LEFT_OUT)
    groups: tuple[TextGroup, ...]
    untouched: tuple[str, ...]
    copies: Mapping[str, tuple[str, ...]] = field(metadata=LEFT_OUT)
    failures: tuple[Unusable, ...]
    measure: str
    signature: str
    threshold: float | None
    wanted: int | None
    origin_name: str = field(default="the origin", metadata=named("origin"))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the grouped texts, in order."""
        return tuple(self.sources)

    @property
    def revisions(self) -> int:
        """The number of revisions, including copies, untouched ones and failures."""
        grouped = sum(len(group.members) for group in self.groups)
        return grouped + len(self.untouched) + len(self.failures)

    @property
    def language(self) -> str:
        """The name of the language of the origin."""
        return self.origin.language.name

    @property
    def joins(self) -> tuple[Join, ...]:
        """The steps of average linkage, one less than there are leaves."""
        return joins(self.linkage)

    @property
    def closest(self) -> tuple[int, int, float] | None:
        """The two groups that would be joined next, with their mean similarity."""
        if len(self.groups) < 2:
            return None
        first = max(self.groups, key=lambda group: (group.nearest[0][1], -group.number))
        second, similarity = first.nearest[0]
        return min(first.number, second), max(first.number, second), similarity

    @property
    def title(self) -> str:
        """What was grouped, and how."""
        rule = (
            f"{count_text(self.wanted, 'group')} requested"
            if self.wanted is not None
            else f"joined at a mean similarity of {self.threshold:g} or more"
        )
        return (
            f"{count_text(self.revisions, 'revision')} of {self.origin_name}: "
            f"{count_text(len(self.groups), 'group')} by {self.measure}, {rule}"
        )

    def grids(self) -> list[Grid]:
        """The groups with their medoids and members."""
        return [group_grid(self.title, self.groups, self.untouched)]

    def to_html(self, path: str | Path | None = None) -> str:
        """A dendrogram, and each group with the diff of its medoid; also written to `path`."""
        module = import_module("codekin.report.clustering_page")
        page: bytes = module.clustering_page(self, self.origin_name)
        return written_text(page.decode("utf-8"), path)

    def notes(self) -> list[str]:
        """The closest groups, copies, what could not be used, and the signature."""
        notes = []
        if self.closest is not None:
            first, second, mean = self.closest
            similarity = number_text(mean, digits=3)
            notes.append(f"closest: groups {first} and {second}, mean similarity {similarity}")
        notes += copy_notes([(name, *others) for name, others in self.copies.items()])
        notes += failure_notes(self.failures, "revision")
        return [*notes, self.signature]


def cluster_revisions(
    origin: Source | str,
    revisions: Mapping[str, Source | str],
    *,
    measure: Measure | str = "es-token",
    threshold: float | None = None,
    groups: int | None = None,
    language: str | Language | None = None,
    unusable: Mapping[str, str] | None = None,
    workers: int | None = None,
) -> Clustering:
    r"""Group revisions of one origin by similarity, and choose one per group to review first.

    The groups come from average linkage on 1 - score. Revisions are sorted by name, so that the
    order in which they are given does not matter. Those that are equal to the origin are listed
    separately, and equal texts are compared once.

    Parameters
    ----------
    origin : Source or str
        What all revisions were made from.
    revisions : mapping of str to (Source or str)
        The revised texts by name.
    measure : Measure or str
        A similarity; a measure of revisions compares only the edits, any other whole texts.
    threshold : float, optional
        Groups are joined as long as their mean similarity is at least this (default: 0.4).
    groups : int, optional
        Instead of a threshold: the number of groups, not counting the untouched revisions.
    language : str or Language, optional
        The language of texts given as str.
    unusable : mapping of str to str, optional
        Further revisions that are known to be unusable, with the reason; they are listed with
        those that cannot be scored.
    workers : int, optional
        Worker processes, if the measure scores one pair at a time (default: one per core if there
        is much to do); 0 compares in this process.

    Examples
    --------
    >>> origin = "def area(r):\n    return 3 * r * r\n"
    >>> revisions = {
    ...     "alice": "def area(r):\n    return 3.14159 * r * r\n",
    ...     "bob": "def area(r):\n    return 3.1416 * r * r\n",
    ...     "carol": "def area(radius):\n    return 3 * radius * radius\n",
    ... }
    >>> found = cluster_revisions(origin, revisions, measure="nes", groups=2, language="python")
    >>> [(group.medoid, group.members) for group in found.groups]
    [('alice', ('alice', 'bob')), ('carol', ('carol',))]
    """
    chosen = parse_measure(measure) if isinstance(measure, str) else measure
    _check(chosen, threshold, groups)
    names = sorted(revisions)
    before, *after = sources_of_one_language([origin, *(revisions[n] for n in names)], language)
    texts = _distinct_texts(before, dict(zip(names, after, strict=True)))
    failed = dict(unusable or {})
    kept, scores, not_scored = comparable_scores(chosen, texts.distinct, before, workers)
    failed |= not_scored
    sources = {name: texts.distinct[name] for name in kept}
    similarities = scores.both_ways().values
    copies = {name: texts.copies[name] for name in sources if name in texts.copies}
    for name in set(texts.copies) - set(copies):
        failed |= dict.fromkeys(texts.copies[name], failed[name])
    if groups is not None and groups > max(1, len(sources)):
        usable = len(sources) + sum(map(len, copies.values()))
        raise CodekinError(_too_many(groups, len(sources), usable, len(texts.untouched), failed))
    cutoff = None if groups is not None else DEFAULT_THRESHOLD if threshold is None else threshold
    distances = np.maximum(0.0, 1 - similarities)
    linkage = average_linkage(distances)
    return Clustering(
        origin=before,
        sources=sources,
        similarities=similarities,
        linkage=linkage,
        groups=group_texts(
            kept, similarities, linkage, threshold=cutoff, groups=groups, copies=copies
        ),
        untouched=texts.untouched,
        copies=copies,
        failures=tuple(Unusable(*failure) for failure in sorted(failed.items())),
        measure=measure_label(chosen),
        signature=chosen.signature(before, *list(sources.values())[:1]),
        threshold=cutoff,
        wanted=groups,
    )


def _check(measure: Measure, threshold: float | None, groups: int | None) -> None:
    if measure.distance:
        raise CodekinError(
            f"{measure_label(measure)} is a distance; use a similarity to group revisions, "
            "such as es-token or nes"
        )
    check_cut(threshold, groups)


def _too_many(
    groups: int, texts: int, usable: int, untouched: int, failed: Mapping[str, str]
) -> str:
    equal = f" ({untouched} more equal the origin)" if untouched else ""
    return (
        f"{groups} groups cannot be made of {usable + untouched + len(failed)} revisions: {usable} "
        f"revisions are usable, in {texts} different texts{equal}; ask for at most "
        f"{max(1, texts)} groups"
    )


@dataclass(frozen=True)
class _DistinctTexts:
    """Revisions sorted into distinct texts, copies of them, and untouched ones."""

    distinct: dict[str, Source]
    copies: dict[str, tuple[str, ...]]
    untouched: tuple[str, ...]


def _distinct_texts(origin: Source, revisions: Mapping[str, Source]) -> _DistinctTexts:
    first: dict[str, str] = {}
    copies: dict[str, tuple[str, ...]] = {}
    untouched = []
    for name, source in revisions.items():
        if source.text == origin.text:
            untouched.append(name)
        elif (known := first.setdefault(source.text, name)) != name:
            copies[known] = (*copies.get(known, ()), name)
    distinct = {name: revisions[name] for name in first.values()}
    return _DistinctTexts(distinct, copies, tuple(untouched))
