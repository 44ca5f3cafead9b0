"""Grouping the revisions of one origin by how alike their edits are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
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
from codekin.results import LEFT_OUT, Grid, Result, count_text, named, number_text
from codekin.source import Source, sources_of_one_language
from codekin.statistics.linkage import average_linkage

__all__ = ["DEFAULT_THRESHOLD", "Clustering", "cluster_revisions"]

Floats = npt.NDArray[np.float64]

DEFAULT_THRESHOLD = 0.4
"""Chosen by planted families of edits, see docs/clustering.md; on the careful side of the best."""


@dataclass(frozen=True, eq=False)
class Clustering(Result):
    """The revisions of an origin, grouped.

    Attributes
    ----------
    origin : Source
    sources : mapping of str to Source
        The revisions that were grouped, one of each text, in the order of their names.
    similarities : float64 array
        Their scores with one another.
    linkage : float64 array
        How they were joined, see :func:`~codekin.statistics.linkage.average_linkage`;
        distances are 1 - score.
    groups : tuple of TextGroup
        The largest first.
    untouched : tuple of str
        Revisions that are equal to the origin.
    copies : mapping of str to tuple of str
        For the name of a text that came more than once, the others that it came by.
    failures : tuple of Unusable
        Revisions that could not be used, each with the reason.
    measure : str
        Its label.
    signature : str
        One line that reproduces the scores.
    threshold : float or None
        The least mean similarity at which groups were joined; None where `wanted` groups were.
    wanted : int or None
        The requested number of groups.
    origin_name : str
        What the origin is called, such as its path.
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
        """The names of the texts that were grouped, in order."""
        return tuple(self.sources)

    @property
    def revisions(self) -> int:
        """How many revisions there were, with copies, untouched ones and failures."""
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
        one = max(self.groups, key=lambda group: (group.nearest[0][1], -group.number))
        other, similarity = one.nearest[0]
        return min(one.number, other), max(one.number, other), similarity

    @property
    def title(self) -> str:
        """What was grouped, and how."""
        rule = (
            f"{count_text(self.wanted, 'group')} asked for"
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

    def notes(self) -> list[str]:
        """What is close, what came twice, what could not be used, and the signature."""
        notes = []
        if self.closest is not None:
            one, other, mean = self.closest
            similarity = number_text(mean, digits=3)
            notes.append(f"closest: groups {one} and {other}, mean similarity {similarity}")
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
    r"""Group revisions of one origin by similarity, with the one of each group to review first.

    Average linkage on 1 - score. Revisions are taken in the order of their names, so that the
    order in which they are given changes nothing. Those that are equal to the origin are listed
    apart, and texts that come more than once are compared once.

    Parameters
    ----------
    origin : Source or str
        What all revisions were made from.
    revisions : mapping of str to (Source or str)
        The revised texts by name.
    measure : Measure or str
        A similarity; a measure of revisions looks at the edits alone, any other at whole texts.
    threshold : float, optional
        Groups are joined as long as their mean similarity is at least this; 0.4 by default.
    groups : int, optional
        In place of a threshold: the number of groups, besides that of the untouched revisions.
    language : str or Language, optional
        The language of texts given as str.
    unusable : mapping of str to str, optional
        Further revisions that are known to be of no use, with the reason; they are listed with
        those that cannot be scored.
    workers : int, optional
        Worker processes, where the measure takes one pair after the other (default: one per core
        if there is much to do); 0 compares in this process.

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
    apart = _set_apart(before, dict(zip(names, after, strict=True)))
    failed = dict(unusable or {})
    kept, scores, trouble = comparable_scores(chosen, apart.distinct, before, workers)
    failed |= trouble
    sources = {name: apart.distinct[name] for name in kept}
    similarities = scores.both_ways().values
    copies = {name: apart.copies[name] for name in sources if name in apart.copies}
    for name in set(apart.copies) - set(copies):
        failed |= dict.fromkeys(apart.copies[name], failed[name])
    if groups is not None and groups > max(1, len(sources)):
        usable = len(sources) + sum(map(len, copies.values()))
        raise CodekinError(_too_many(groups, len(sources), usable, len(apart.untouched), failed))
    least = None if groups is not None else DEFAULT_THRESHOLD if threshold is None else threshold
    distances = np.maximum(0.0, 1 - similarities)
    linkage = average_linkage(distances)
    return Clustering(
        origin=before,
        sources=sources,
        similarities=similarities,
        linkage=linkage,
        groups=group_texts(
            kept, similarities, linkage, threshold=least, groups=groups, copies=copies
        ),
        untouched=apart.untouched,
        copies=copies,
        failures=tuple(Unusable(*one) for one in sorted(failed.items())),
        measure=measure_label(chosen),
        signature=chosen.signature(before, *list(sources.values())[:1]),
        threshold=least,
        wanted=groups,
    )


def _check(measure: Measure, threshold: float | None, groups: int | None) -> None:
    if measure.distance:
        raise CodekinError(
            f"{measure_label(measure)} is a distance; take a similarity to group revisions by, "
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
class _Apart:
    """Revisions by what is to be done with them."""

    distinct: dict[str, Source]
    copies: dict[str, tuple[str, ...]]
    untouched: tuple[str, ...]


def _set_apart(origin: Source, revisions: Mapping[str, Source]) -> _Apart:
    first: dict[str, str] = {}
    copies: dict[str, tuple[str, ...]] = {}
    untouched = []
    for name, source in revisions.items():
        if source.text == origin.text:
            untouched.append(name)
        elif (known := first.setdefault(source.text, name)) != name:
            copies[known] = (*copies.get(known, ()), name)
    distinct = {name: revisions[name] for name in first.values()}
    return _Apart(distinct, copies, tuple(untouched))
