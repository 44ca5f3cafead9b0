"""Excision against several references at once: what all of them share with the candidate goes."""

from __future__ import annotations

import numpy as np

from codekin.align.lcs import Hunks
from codekin.measures.excised import Units
from codekin.measures.units import Ids
from codekin.source import Source

__all__ = ["excise_jointly"]

_BREAK = np.zeros(1, dtype=np.uint64)


def excise_jointly(
    candidate: Source, references: tuple[Source, ...], origin: Source, units: Units
) -> tuple[Ids, Ids, list[Ids]]:
    """What is left of the origin, the candidate and each reference, with breaks between regions.

    Examples
    --------
    >>> texts = ["a b c d", "a x c d", "a y c d", "a b c z"]
    >>> origin, candidate, *references = (Source(text, "python") for text in texts)
    >>> left = excise_jointly(candidate, tuple(references), origin, Units(tokens="split"))
    >>> [len(ids) for ids in (left[0], left[1], *left[2])]  # b and d, x and d, y and d, b and z
    [3, 3, 3, 3]
    """
    revisions = (candidate, *references)
    hunks = [units.hunks(one, origin) for one in revisions]
    before = units.ids(origin)
    stretches = _union(hunks)
    mine, *pool = (
        _between(units.ids(one), [_counterpart(h, start, end) for start, end in stretches])
        for one, h in zip(revisions, hunks, strict=True)
    )
    return _between(before, stretches), mine, pool


def _union(hunks: list[Hunks]) -> list[tuple[int, int]]:
    """Stretches of the origin that at least one revision touched, joined where they touch."""
    stretches: list[tuple[int, int]] = []
    for start, end in sorted((int(h[0]), int(h[1])) for rows in hunks for h in rows):
        if stretches and start <= stretches[-1][1]:
            stretches[-1] = stretches[-1][0], max(stretches[-1][1], end)
        else:
            stretches.append((start, end))
    return stretches


def _counterpart(hunks: Hunks, start: int, end: int) -> tuple[int, int]:
    """The stretch of a revision that stands where a stretch of the origin stood."""
    before = hunks[hunks[:, 0] < start]
    inside = hunks[(hunks[:, 0] >= start) & (hunks[:, 1] <= end)]
    shift = int(before[-1, 3] - before[-1, 1]) if len(before) else 0
    grown = int(((inside[:, 3] - inside[:, 2]) - (inside[:, 1] - inside[:, 0])).sum())
    return start + shift, end + shift + grown


def _between(ids: Ids, stretches: list[tuple[int, int]]) -> Ids:
    if not stretches:
        return ids[:0]
    pieces = [piece for start, end in stretches for piece in (ids[start:end], _BREAK)]
    return np.concatenate(pieces[:-1])
