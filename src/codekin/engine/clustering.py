"""Grouping the revisions of one origin by how alike their edits are."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from codekin.engine.pair_scoring import score_pairs
from codekin.errors import CodekinError
from codekin.evaluation.clustering import average_linkage, between_groups, cut, medoid
from codekin.languages import Language
from codekin.measures import Measure, measure_label, parse_measure
from codekin.source import Source, sources_of_one_language

__all__ = ["DEFAULT_THRESHOLD", "Clustering", "RevisionGroup", "cluster_revisions"]

Floats = npt.NDArray[np.float64]

DEFAULT_THRESHOLD = 0.4
"""Chosen by planted families of edits, see docs/clustering.md; on the careful side of the best."""


@dataclass(frozen=True)
class RevisionGroup:
    """Revisions whose edits are alike.

    Attributes
    ----------
    number : int
        From 1, the largest group first; of equals the one whose medoid's name comes first.
    medoid : str
        The revision that is most like all others of the group: the one to review first.
    members : tuple of str
        All revisions of the group, copies included, those most like the medoid first.
    to_medoid : tuple of float
        How alike each of them is to the medoid.
    similarity : float
        The mean over all pairs of different texts of the group; 1 where all are copies of one, and
        not a number of a revision alone.
    diameter : float
        1 - the score of the two that are least alike; 0 where there is one text.
    nearest : tuple of (int, float)
        The two groups that are most like it, by number, each with the mean score over all pairs of
        a revision here and one there.
    places : tuple of int
        The rows of its texts in :attr:`Clustering.similarities`.
    """

    number: int
    medoid: str
    members: tuple[str, ...]
    to_medoid: tuple[float, ...]
    similarity: float
    diameter: float
    nearest: tuple[tuple[int, float], ...]
    places: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Clustering:
    """The revisions of an origin, grouped.

    Attributes
    ----------
    origin : Source
    sources : mapping of str to Source
        The revisions that were grouped, one of each text, in the order of their names.
    similarities : float64 array
        Their scores with one another.
    linkage : float64 array
        How they were joined, see :func:`~codekin.evaluation.clustering.average_linkage`;
        distances are 1 - score.
    groups : tuple of RevisionGroup
        The largest first.
    untouched : tuple of str
        Revisions that are equal to the origin.
    copies : mapping of str to tuple of str
        For the name of a text that came more than once, the others that it came by.
    failures : tuple of (str, str)
        Revisions that could not be used, each with the reason.
    measure : str
        Its label.
    signature : str
        One line that reproduces the scores.
    threshold : float or None
        The least mean similarity at which groups were joined; None where `wanted` groups were.
    wanted : int or None
        The number of groups that was asked for.
    """

    origin: Source = field(repr=False)
    sources: Mapping[str, Source] = field(repr=False)
    similarities: Floats = field(repr=False)
    linkage: Floats = field(repr=False)
    groups: tuple[RevisionGroup, ...]
    untouched: tuple[str, ...]
    copies: Mapping[str, tuple[str, ...]]
    failures: tuple[tuple[str, str], ...]
    measure: str
    signature: str
    threshold: float | None
    wanted: int | None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the texts that were grouped, in order."""
        return tuple(self.sources)

    @property
    def revisions(self) -> int:
        """How many revisions there were, with copies, untouched ones and failures."""
        grouped = sum(len(group.members) for group in self.groups)
        return grouped + len(self.untouched) + len(self.failures)


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
    order in which they are given changes nothing. Those that are equal to the origin stand apart,
    and texts that come more than once are compared once.

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
        In place of a threshold: how many groups there shall be, the untouched ones aside.
    language : str or Language, optional
        The language of texts given as str.
    unusable : mapping of str to str, optional
        Further revisions that are known to be of no use, with the reason; they are listed with
        those that cannot be scored.
    workers : int, optional
        How many processes compare the revisions where the measure takes one pair after the other;
        one a core by default if there is much to do, and 0 for none besides this one.

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
    sources, similarities = _scored(chosen, apart.distinct, before, failed, workers)
    copies = {name: apart.copies[name] for name in sources if name in apart.copies}
    for name in set(apart.copies) - set(copies):
        failed |= dict.fromkeys(apart.copies[name], failed[name])
    if groups is not None and groups > max(1, len(sources)):
        usable = len(sources) + sum(map(len, copies.values()))
        raise CodekinError(_too_many(groups, len(sources), usable, len(apart.untouched), failed))
    least = None if groups is not None else DEFAULT_THRESHOLD if threshold is None else threshold
    distances = np.maximum(0.0, 1 - similarities)
    linkage = average_linkage(distances)
    labels = _labels(linkage, len(sources), least, groups)
    return Clustering(
        origin=before,
        sources=sources,
        similarities=similarities,
        linkage=linkage,
        groups=_groups(_Texts(list(sources), copies, similarities, labels)),
        untouched=apart.untouched,
        copies=copies,
        failures=tuple(sorted(failed.items())),
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
    if threshold is not None and groups is not None:
        raise CodekinError("give either a threshold or a number of groups, not both")
    if threshold is not None and not 0 <= threshold <= 1:
        raise CodekinError(f"the threshold must be from 0 to 1, not {threshold!r}")
    if groups is not None and groups < 1:
        raise CodekinError(f"there must be 1 group at least, not {groups}")


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


def _scored(
    measure: Measure,
    sources: Mapping[str, Source],
    origin: Source,
    failed: dict[str, str],
    workers: int | None,
) -> tuple[dict[str, Source], Floats]:
    """The revisions that can be scored with all others, and their scores.

    A revision that cannot even be compared with itself is at fault; of others, always the one
    that could be compared with the fewest is left out, until every pair has a score.
    """
    good: dict[str, Source] = {}
    for name, source in sources.items():
        reason = _why_not(measure, source, source, origin)
        if reason is None:
            good[name] = source
        else:
            failed[name] = reason
    scores = score_pairs(measure, list(good.values()), origin, workers)
    names = list(good)
    kept = np.arange(len(names))
    while (missing := np.isnan(scores[np.ix_(kept, kept)])).any():
        worst = int(missing.sum(axis=1).argmax())
        name, partner = names[kept[worst]], names[kept[int(missing[worst].argmax())]]
        reason = _why_not(measure, good[name], good[partner], origin) or "the score is no number"
        failed[name] = f"cannot be compared with {partner}: {reason}"
        kept = np.delete(kept, worst)
    return {names[i]: good[names[i]] for i in kept}, scores[np.ix_(kept, kept)]


def _why_not(measure: Measure, one: Source, other: Source, origin: Source) -> str | None:
    """What the measure has to say against a pair; None if nothing."""
    try:
        value = measure.score(one, other, origin).value
    except CodekinError as error:
        return str(error)
    return None if math.isfinite(value) else f"its score is {value}"


def _labels(
    linkage: Floats, texts: int, threshold: float | None, groups: int | None
) -> npt.NDArray[np.intp]:
    if not texts:
        return np.zeros(0, np.intp)
    if threshold is None:
        return cut(linkage, groups=groups)
    # Means of scores that are all equal to the threshold may lie a last bit off it.
    return cut(linkage, threshold=1 - threshold + 1e-12)


@dataclass(frozen=True, eq=False)
class _Texts:
    """What groups are described by: the texts, their copies, scores and groups."""

    names: list[str]
    copies: Mapping[str, tuple[str, ...]]
    scores: Floats
    labels: npt.NDArray[np.intp]

    def members(self, label: int) -> npt.NDArray[np.intp]:
        return np.flatnonzero(self.labels == label)

    def called(self, place: int) -> tuple[str, ...]:
        """All names that a text came by."""
        name = self.names[place]
        return (name, *self.copies.get(name, ()))


def _groups(texts: _Texts) -> tuple[RevisionGroup, ...]:
    distances = 1 - texts.scores
    sizes: Counter[int] = Counter()
    for place, label in enumerate(texts.labels.tolist()):
        sizes[label] += len(texts.called(place))
    centres = {label: medoid(distances, texts.members(label)) for label in sizes}
    order = sorted(sizes, key=lambda label: (-sizes[label], texts.names[centres[label]]))
    means = between_groups(texts.scores, texts.labels)[np.ix_(order, order)]
    return tuple(
        _group(texts, number, label, centres[label], means[number])
        for number, label in enumerate(order)
    )


def _group(texts: _Texts, number: int, label: int, centre: int, means: Floats) -> RevisionGroup:
    places = texts.members(label)
    inner = texts.scores[np.ix_(places, places)][np.triu_indices(len(places), 1)]
    listed = sorted(
        (-float(texts.scores[centre, place]), place != centre, name)
        for place in places.tolist()
        for name in texts.called(place)
    )
    others = [other for other in np.argsort(-means, kind="stable").tolist() if other != number]
    return RevisionGroup(
        number=number + 1,
        medoid=texts.names[centre],
        members=tuple(name for *_, name in listed),
        to_medoid=tuple(-score for score, *_ in listed),
        similarity=float(inner.mean()) if len(inner) else 1.0 if len(listed) > 1 else math.nan,
        diameter=1 - float(inner.min(initial=1.0)),
        nearest=tuple((other + 1, float(means[other])) for other in others[:2]),
        places=tuple(places.tolist()),
    )
