"""Excision against several references at once: what all of them share with the candidate goes."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from codekin.align.lcs import Hunks
from codekin.measures.excised import Units, parted
from codekin.measures.units import Ids
from codekin.source import Source

__all__ = ["excise_jointly"]

Stretches: TypeAlias = npt.NDArray[np.int32]
"""(k, 2): start and end, in order."""


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
    stretches = _union(hunks)
    mine, *pool = (
        parted(units.ids(one), _counterparts(h, stretches))
        for one, h in zip(revisions, hunks, strict=True)
    )
    return parted(units.ids(origin), stretches), mine, pool


def _union(hunks: list[Hunks]) -> Stretches:
    """Stretches of the origin that at least one revision touched, joined where they touch."""
    stretches: list[tuple[int, int]] = []
    for start, end in sorted((start, end) for rows in hunks for start, end, _, _ in rows.tolist()):
        if stretches and start <= stretches[-1][1]:
            stretches[-1] = stretches[-1][0], max(stretches[-1][1], end)
        else:
            stretches.append((start, end))
    return np.array(stretches, dtype=np.int32).reshape(-1, 2)


def _counterparts(hunks: Hunks, stretches: Stretches) -> Stretches:
    """The stretches of a revision that stand where stretches of the origin stood."""
    starts, ends = stretches.T
    # How far a revision is ahead of the origin behind each hunk, and before the first one.
    ahead = np.concatenate(([0], hunks[:, 3] - hunks[:, 1]))
    return np.stack(
        (
            starts + ahead[np.searchsorted(hunks[:, 0], starts, side="left")],
            ends + ahead[np.searchsorted(hunks[:, 0], ends, side="right")],
        ),
        axis=1,
    ).astype(np.int32)
