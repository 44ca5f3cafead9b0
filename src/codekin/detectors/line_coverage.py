"""Line coverage: whether the lines that a clone detector reports are those of a known clone.

BigCloneEval's coverage matcher: a reported clone matches a pair if it has at least 70 % of the
lines of each of the pair's two fragments, lines in common / lines of the pair's fragment. As there,
a report may reach beyond the fragment.

References
----------
Svajlenko and Roy, BigCloneEval: a clone detection tool evaluation framework with BigCloneBench,
ICSME 2016.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["FileLines", "covers"]


class FileLines(NamedTuple):
    """Some lines of a file, from 1, both ends included."""

    file: str
    start: int
    end: int


def covers(reported: FileLines, wanted: FileLines, coverage: float) -> bool:
    """Whether a reported fragment has at least a share of the lines of a wanted one.

    Examples
    --------
    >>> covers(FileLines("a/b.java", 4, 99), FileLines("a/b.java", 1, 10), 0.7)
    True
    >>> covers(FileLines("a/b.java", 5, 99), FileLines("a/b.java", 1, 10), 0.7)
    False
    """
    if reported.file != wanted.file:
        return False
    common = min(reported.end, wanted.end) - max(reported.start, wanted.start) + 1
    return common > 0 and common / (wanted.end - wanted.start + 1) >= coverage
