"""Pairing: which rows of two systems belong together, and what their pairs score."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

import numpy as np
from numpy.typing import NDArray

from codekin.errors import CodekinError
from codekin.runs.run import Run
from codekin.runs.summaries import NO_GROUP, Codes, clusters_of, row_weights
from codekin.statistics.resampling import Floats, cluster_sums

__all__ = ["Pairing", "Side", "groups_of", "known", "pair_up", "side_of"]

_EXAMPLES = 3
_MOST_KNOWN = 20


@dataclass(frozen=True, eq=False)
class Side:
    """The rows of one system: a run, or a group of one.

    Attributes
    ----------
    run : Run
    group : str or None
    rows : array
        Their positions in the run.
    weights : array
        Their weights.
    """

    run: Run
    group: str | None
    rows: Codes
    weights: Floats
    _labels: dict[str, list[str | None]] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        """The group's name, or the run's where the whole of it is compared."""
        return self.run.name if self.group is None else self.group

    def labels(self, name: str) -> list[str | None]:
        """What its rows have under a field; a field is read once."""
        if name not in self._labels:
            labels = self.run.labels_of(name)
            self._labels[name] = [labels[row] for row in self.rows.tolist()]
        return self._labels[name]


def groups_of(run: Run) -> list[str]:
    """The group of each row; rows without one are a group, too."""
    return [NO_GROUP if label is None else label for label in run.labels_of("group")]


def known(names: Iterable[str]) -> str:
    """Names, each once, and of many only the first.

    Examples
    --------
    >>> known(["b", "a", "b"])
    'b, a'
    >>> known(map(str, range(1234)))
    '0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, and 1,214 more'
    """
    listed = list(dict.fromkeys(names))
    more = len(listed) - _MOST_KNOWN
    return ", ".join([*listed[:_MOST_KNOWN], *([f"and {more:,} more"] if more > 0 else [])])


def side_of(run: Run, group: str | None) -> Side:
    """The rows of a group of a run, or all of them."""
    weights = row_weights(run)
    if group is None:
        return Side(run, None, np.arange(run.rows, dtype=np.intp), weights)
    labels = groups_of(run)
    rows = np.array([i for i, label in enumerate(labels) if label == group], dtype=np.intp)
    if not len(rows):
        close = get_close_matches(group, dict.fromkeys(labels), n=1)
        meant = f"; did you mean {close[0]!r}?" if close else ""
        raise CodekinError(
            f"{run.path}: no row is of the group {group!r}{meant} (known: {known(labels)})"
        )
    return Side(run, group, rows, weights[rows])


@dataclass(frozen=True, eq=False)
class Pairing:
    """Pairs of rows that have the same key.

    Attributes
    ----------
    on : str
        The field that the keys come from.
    keys : list of str
        One a pair, in their order in the first system.
    of_a, of_b : array
        The pair of each row, -1 where it has none.
    weights : array
        Of each pair: the mean weight of its rows.
    unpaired_a, unpaired_b : int
        Rows whose key the other system lacks, and rows without a key.
    examples : tuple of str
        The ids of some of these rows.
    """

    on: str
    keys: list[str]
    of_a: Codes
    of_b: Codes
    weights: Floats
    unpaired_a: int
    unpaired_b: int
    examples: tuple[str, ...]

    def means(self, values: Floats, weights: Floats, pairs: Codes) -> Floats:
        """Of each pair, the weighted mean of one system's scores; nan where it has none."""
        here = (pairs >= 0) & np.isfinite(values) & (weights > 0)
        number = len(self.keys)
        total = np.bincount(pairs[here], weights[here], minlength=number)
        with np.errstate(invalid="ignore", divide="ignore"):
            means = np.bincount(pairs[here], (weights * values)[here], minlength=number) / total
        # A mean of one is that one; times and over its weight would round.
        single = np.bincount(pairs[here], minlength=number) == 1
        alone = np.zeros(number)
        alone[pairs[here]] = values[here]
        return np.where(single, alone, means)

    def sums(
        self, statistics: NDArray[np.floating], weights: Floats, pairs: Codes
    ) -> NDArray[np.floating]:
        """Of each pair, the weighted sum of one system's statistics, the number in front."""
        here = pairs >= 0
        found = cluster_sums(statistics[here] * weights[here, None], pairs[here])
        sums = np.zeros((len(self.keys), statistics.shape[1]))
        sums[: len(found)] = found
        return sums

    def other_references(self, a: Side, b: Side) -> int:
        """How many pairs hold rows of different references."""
        if self.on == "reference":
            return 0
        keys: dict[int, str] = {}
        differing = set()
        for side, pairs in ((a, self.of_a), (b, self.of_b)):
            for pair, key in zip(pairs.tolist(), side.labels("reference"), strict=True):
                if pair >= 0 and key is not None and keys.setdefault(pair, key) != key:
                    differing.add(pair)
        return len(differing)

    def clusters(self, field: str, a: Side, b: Side) -> Codes:
        """The cluster of each pair; all rows of a pair must be of one."""
        labels: list[str | None] = [None] * len(self.keys)
        for side, pairs in ((a, self.of_a), (b, self.of_b)):
            for pair, label in zip(pairs.tolist(), side.labels(field), strict=True):
                if pair < 0 or label is None:
                    continue
                if labels[pair] is None:
                    labels[pair] = label
                elif labels[pair] != label:
                    raise CodekinError(
                        f"rows paired by {self.on} {self.keys[pair]!r} have {labels[pair]!r} and "
                        f"{label!r} for {field}; a cluster must hold pairs as a whole"
                    )
        return clusters_of(labels)


def pair_up(a: Side, b: Side, on: str | None) -> Pairing:
    """Pair the rows of two systems by a field.

    Parameters
    ----------
    a, b : Side
        The systems.
    on : str, optional
        The field; by default ``id``, or ``reference`` where the two share no id.
    """
    tried = [on] if on is not None else ["id", "reference"]
    for name in tried:
        pairing = _by_field(a, b, name)
        if pairing.keys:
            return pairing
    raise CodekinError(
        f"{a.name} and {b.name} have no row in common by {' nor by '.join(tried)}; "
        "name a field that tells which rows belong together"
    )


def _by_field(a: Side, b: Side, field: str) -> Pairing:
    mine, theirs = a.labels(field), b.labels(field)
    shared = set(theirs)
    keys: dict[str, int] = {}
    for key in mine:
        if key is not None and key in shared:
            keys.setdefault(key, len(keys))
    of_a, of_b = _places(mine, keys), _places(theirs, keys)
    weights = _pair_weights(a, b, of_a, of_b, len(keys))
    lone = [
        label
        for side, pairs in ((a, of_a), (b, of_b))
        for label, pair in zip(side.labels("id"), pairs.tolist(), strict=True)
        if pair < 0 and label is not None
    ]
    return Pairing(
        on=field,
        keys=list(keys),
        of_a=of_a,
        of_b=of_b,
        weights=weights,
        unpaired_a=int((of_a < 0).sum()),
        unpaired_b=int((of_b < 0).sum()),
        examples=tuple(dict.fromkeys(lone))[:_EXAMPLES],
    )


def _places(labels: Sequence[str | None], keys: dict[str, int]) -> Codes:
    return np.array([-1 if key is None else keys.get(key, -1) for key in labels], dtype=np.intp)


def _pair_weights(a: Side, b: Side, of_a: Codes, of_b: Codes, number: int) -> Floats:
    total, rows = np.zeros(number), np.zeros(number)
    for side, pairs in ((a, of_a), (b, of_b)):
        here = pairs >= 0
        total += np.bincount(pairs[here], side.weights[here], minlength=number)
        rows += np.bincount(pairs[here], minlength=number)
    return total / rows
