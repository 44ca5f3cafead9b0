"""Groups of texts by how alike they are: how they are made, and what describes each."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from codekin.errors import CodekinError
from codekin.statistics.linkage import between_groups, cut, medoid

__all__ = ["TextGroup", "check_cut", "group_texts"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class TextGroup:
    """Texts that are alike, such as revisions of a file.

    Attributes
    ----------
    number : int
        From 1, the largest group first; of equals the one whose medoid's name comes first.
    medoid : str
        The text that is most like all others of the group: the one to review first.
    members : tuple of str
        All texts of the group, copies included, those most like the medoid first.
    to_medoid : tuple of float
        How alike each of them is to the medoid.
    similarity : float
        The mean over all pairs of different texts of the group; 1 where all are copies of one, and
        not a number of a text alone.
    diameter : float
        1 - the score of the two that are least alike; 0 where there is one text.
    nearest : tuple of (int, float)
        The two groups that are most like it, by number, each with the mean score over all pairs of
        a text here and one there.
    places : tuple of int
        The rows of its texts in the scores.
    """

    number: int
    medoid: str
    members: tuple[str, ...]
    to_medoid: tuple[float, ...]
    similarity: float
    diameter: float
    nearest: tuple[tuple[int, float], ...]
    places: tuple[int, ...]


def check_cut(threshold: float | None, groups: int | None) -> None:
    """Refuse what no groups can be made by."""
    if threshold is not None and groups is not None:
        raise CodekinError("give either a threshold or a number of groups, not both")
    if threshold is not None and not 0 <= threshold <= 1:
        raise CodekinError(f"the threshold must be from 0 to 1, not {threshold!r}")
    if groups is not None and groups < 1:
        raise CodekinError(f"there must be 1 group at least, not {groups}")


def group_texts(
    names: Sequence[str],
    scores: Floats,
    linkage: Floats,
    *,
    threshold: float | None = None,
    groups: int | None = None,
    copies: Mapping[str, tuple[str, ...]] | None = None,
) -> tuple[TextGroup, ...]:
    """Stop joining early, and describe the groups that there are then.

    Parameters
    ----------
    names : sequence of str
        The texts.
    scores : float64 array, n by n
        How alike they are; symmetric.
    linkage : float64 array
        How they are joined, by :func:`~codekin.statistics.linkage.average_linkage` on
        1 - score.
    threshold : float, optional
        The least mean similarity at which groups are joined.
    groups : int, optional
        In place of a threshold: the number of groups.
    copies : mapping of str to tuple of str, optional
        Further names of a text that is in `names` once; they are members of its group.

    Examples
    --------
    >>> from codekin.statistics.linkage import average_linkage
    >>> scores = np.array([[1, 0.9, 0.2], [0.9, 1, 0.4], [0.2, 0.4, 1]])
    >>> found = group_texts("abc", scores, average_linkage(1 - scores), threshold=0.5)
    >>> [(group.members, group.similarity) for group in found]
    [(('a', 'b'), 0.9), (('c',), nan)]
    """
    labels = _labels(linkage, len(names), threshold, groups)
    return _groups(_Texts(list(names), copies or {}, scores, labels))


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


def _groups(texts: _Texts) -> tuple[TextGroup, ...]:
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


def _group(texts: _Texts, number: int, label: int, centre: int, means: Floats) -> TextGroup:
    places = texts.members(label)
    inner = texts.scores[np.ix_(places, places)][np.triu_indices(len(places), 1)]
    listed = sorted(
        (-float(texts.scores[centre, place]), place != centre, name)
        for place in places.tolist()
        for name in texts.called(place)
    )
    others = [other for other in np.argsort(-means, kind="stable").tolist() if other != number]
    return TextGroup(
        number=number + 1,
        medoid=texts.names[centre],
        members=tuple(name for *_, name in listed),
        to_medoid=tuple(-score for score, *_ in listed),
        similarity=float(inner.mean()) if len(inner) else 1.0 if len(listed) > 1 else math.nan,
        diameter=1 - float(inner.min(initial=1.0)),
        nearest=tuple((other + 1, float(means[other])) for other in others[:2]),
        places=tuple(places.tolist()),
    )
