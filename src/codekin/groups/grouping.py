"""Groups of similar texts, and their descriptions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from codekin.errors import CodekinError
from codekin.plain_text import plain
from codekin.results import (
    EFFECT_DIGITS,
    LEFT_OUT,
    NOTHING,
    Column,
    Finite,
    Grid,
    Names,
    ShownAs,
    count_text,
    named,
)
from codekin.statistics.linkage import between_groups, cut, medoid

__all__ = [
    "GroupMember",
    "Join",
    "NearGroup",
    "TextGroup",
    "Unusable",
    "check_cut",
    "copy_notes",
    "failure_notes",
    "group_grid",
    "group_texts",
    "joins",
]

_COPIES = 5
"""Maximum number of texts with several names to list."""

Floats = npt.NDArray[np.float64]


class GroupMember(NamedTuple):
    """A text of a group.

    Attributes
    ----------
    name : str
    similarity : float
        The similarity to the medoid.
    copy_of : str or None
        The first text that is the same, if there is one.
    """

    name: str
    similarity: Finite
    copy_of: str | None


class NearGroup(NamedTuple):
    """A group that is similar to another.

    Attributes
    ----------
    group : int
        The number of the other group.
    similarity : float
        The mean over all pairs of a text from either group.
    """

    group: int
    similarity: Finite


class Unusable(NamedTuple):
    """A text that could not be used, and why."""

    name: str
    reason: str


@dataclass(frozen=True)
class TextGroup:
    """A group of similar texts, such as revisions of a file.

    Attributes
    ----------
    number : int
        From 1, the largest group first; ties are broken by the name of the medoid.
    medoid : str
        The text that is most similar to the others: the one to review first.
    members : tuple of str
        All texts of the group, including copies, those most similar to the medoid first.
    to_medoid : tuple of float
        The similarity of each member to the medoid.
    similarity : float
        The mean over all pairs of different texts of the group; 1 if all are copies of one text,
        nan for a single text.
    diameter : float
        1 - the score of the least similar pair; 0 for a single text.
    nearest : tuple of NearGroup
        The two most similar groups.
    places : tuple of int
        The rows of its texts in the scores.
    copy_of : mapping of str to str
        For the name of each copy, the name of the first text that is the same.
    """

    computed: ClassVar[Mapping[str, str]] = {"size": "size", "members": "described"}

    number: int = field(metadata=named("group"))
    medoid: str
    members: tuple[str, ...] = field(metadata=LEFT_OUT)
    to_medoid: tuple[float, ...] = field(metadata=LEFT_OUT)
    similarity: float = field(metadata=named("mean_similarity"))
    diameter: Finite
    nearest: tuple[NearGroup, ...]
    places: tuple[int, ...] = field(metadata=LEFT_OUT)
    copy_of: Mapping[str, str] = field(default_factory=dict, metadata=LEFT_OUT)

    @property
    def size(self) -> int:
        """The number of texts, including copies."""
        return len(self.members)

    @property
    def described(self) -> tuple[GroupMember, ...]:
        """The members, those most similar to the medoid first."""
        return tuple(
            GroupMember(name, similarity, self.copy_of.get(name))
            for name, similarity in zip(self.members, self.to_medoid, strict=True)
        )


@dataclass(frozen=True)
class Join:
    """A step of average linkage.

    Attributes
    ----------
    first, second : int
        The index of a text, or the number of texts + the step that made a group.
    similarity : float
        The mean over all pairs of a text from either side.
    size : int
        Number of texts in the new group.
    """

    first: int
    second: int
    similarity: Finite
    size: int


def joins(linkage: Floats) -> tuple[Join, ...]:
    """The steps of average linkage."""
    return tuple(
        Join(int(first), int(second), 1 - far, int(size))
        for first, second, far, size in linkage.tolist()
    )


def group_grid(title: str, groups: Sequence[TextGroup], untouched: Sequence[str] = ()) -> Grid:
    """Groups with their medoids and other members."""
    cells: list[tuple[Any, ...]] = [
        (
            *(group.number, len(group.members), group.similarity, group.medoid),
            Names(tuple(name for name in group.members if name != group.medoid)),
        )
        for group in groups
    ]
    if untouched:
        cells.append(
            (ShownAs(None, "untouched"), len(untouched), None, NOTHING, Names(tuple(untouched)))
        )
    columns = (
        *("group", "size", Column("similarity", digits=EFFECT_DIGITS)),
        *("medoid", "other members"),
    )
    return Grid(title, columns, tuple(cells), keys=4)


def copy_notes(copies: Sequence[Sequence[str]]) -> Iterator[str]:
    """List the texts that have several names."""
    for names in copies[:_COPIES]:
        yield f"the same text: {Names(tuple(names)).within()}"
    if (more := len(copies) - _COPIES) > 0:
        yield f"and {count_text(more, 'more text')} with several names"


def failure_notes(
    failures: Sequence[tuple[str, str]], noun: str, limit: int | None = None
) -> Iterator[str]:
    """List the texts that could not be used, with the reasons, up to a limit."""
    if failures:
        yield f"could not be used: {count_text(len(failures), noun)}"
    for name, reason in failures[:limit]:
        yield f"  {plain(name)}: {plain(reason)}"
    if limit is not None and len(failures) > limit:
        yield f"  and {len(failures) - limit:,} more"


def check_cut(threshold: float | None, groups: int | None) -> None:
    """Raise if the threshold or the number of groups is invalid."""
    if threshold is not None and groups is not None:
        raise CodekinError("give either a threshold or a number of groups, not both")
    if threshold is not None and not 0 <= threshold <= 1:
        raise CodekinError(f"the threshold must be from 0 to 1, not {threshold!r}")
    if groups is not None and groups < 1:
        raise CodekinError(f"there must be at least 1 group, not {groups}")


def group_texts(
    names: Sequence[str],
    scores: Floats,
    linkage: Floats,
    *,
    threshold: float | None = None,
    groups: int | None = None,
    copies: Mapping[str, tuple[str, ...]] | None = None,
    copy_of: Mapping[str, str] | None = None,
) -> tuple[TextGroup, ...]:
    """Cut a linkage into groups, and describe them.

    Parameters
    ----------
    names : sequence of str
        The texts.
    scores : float64 array, n by n
        Their similarities; symmetric.
    linkage : float64 array
        The result of :func:`~codekin.statistics.linkage.average_linkage` on 1 - score.
    threshold : float, optional
        The minimum mean similarity at which groups are joined.
    groups : int, optional
        Instead of a threshold: the number of groups.
    copies : mapping of str to tuple of str, optional
        Other names of a text in `names`; they become members of its group.
    copy_of : mapping of str to str, optional
        For texts of `names` that are copies, the first text that is the same.

    Examples
    --------
    >>> from codekin.statistics.linkage import average_linkage
    >>> scores = np.array([[1, 0.9, 0.2], [0.9, 1, 0.4], [0.2, 0.4, 1]])
    >>> groups = group_texts("abc", scores, average_linkage(1 - scores), threshold=0.5)
    >>> [(group.members, group.similarity) for group in groups]
    [(('a', 'b'), 0.9), (('c',), nan)]
    """
    labels = _labels(linkage, len(names), threshold, groups)
    known = {other: name for name, others in (copies or {}).items() for other in others}
    return _groups(_Texts(list(names), copies or {}, known | dict(copy_of or {}), scores, labels))


def _labels(
    linkage: Floats, texts: int, threshold: float | None, groups: int | None
) -> npt.NDArray[np.intp]:
    if not texts:
        return np.zeros(0, np.intp)
    if threshold is None:
        return cut(linkage, groups=groups)
    # Allow for rounding in means of scores that equal the threshold.
    return cut(linkage, threshold=1 - threshold + 1e-12)


@dataclass(frozen=True, eq=False)
class _Texts:
    """The texts to describe: their names, copies, scores and groups."""

    names: list[str]
    copies: Mapping[str, tuple[str, ...]]
    copy_of: Mapping[str, str]
    scores: Floats
    labels: npt.NDArray[np.intp]

    def members(self, label: int) -> npt.NDArray[np.intp]:
        return np.flatnonzero(self.labels == label)

    def names_of(self, place: int) -> tuple[str, ...]:
        """All names of a text."""
        name = self.names[place]
        return (name, *self.copies.get(name, ()))


def _groups(texts: _Texts) -> tuple[TextGroup, ...]:
    distances = 1 - texts.scores
    sizes: Counter[int] = Counter()
    for place, label in enumerate(texts.labels.tolist()):
        sizes[label] += len(texts.names_of(place))
    centres = {label: medoid(distances, texts.members(label)) for label in sizes}
    order = sorted(sizes, key=lambda label: (-sizes[label], texts.names[centres[label]]))
    means = between_groups(texts.scores, texts.labels)[np.ix_(order, order)]
    return tuple(
        _group(texts, number, label, centres[label], means[number])
        for number, label in enumerate(order)
    )


def _group(texts: _Texts, number: int, label: int, centre: int, means: Floats) -> TextGroup:
    places = texts.members(label)
    inner = texts.scores[np.ix_(places, places)][np.triu_indices(len(places), 1)]
    listed = sorted(
        (-float(texts.scores[centre, place]), place != centre, name)
        for place in places.tolist()
        for name in texts.names_of(place)
    )
    others = [other for other in np.argsort(-means, kind="stable").tolist() if other != number]
    return TextGroup(
        number=number + 1,
        medoid=texts.names[centre],
        members=tuple(name for *_, name in listed),
        to_medoid=tuple(-score for score, *_ in listed),
        similarity=float(inner.mean()) if len(inner) else 1.0 if len(listed) > 1 else math.nan,
        diameter=1 - float(inner.min(initial=1.0)),
        nearest=tuple(NearGroup(other + 1, float(means[other])) for other in others[:2]),
        places=tuple(places.tolist()),
        copy_of=texts.copy_of,
    )
