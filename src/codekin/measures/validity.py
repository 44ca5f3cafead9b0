"""Whether two revisions are both readable to the parser, where they diverge."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from codekin.align.regions import Regions
from codekin.represent.lexemes import Lexemes
from codekin.source import Source

__all__ = ["both_parse_or_neither"]

_OPENING = frozenset(b"([{")
_CLOSING = frozenset(b")]}")


def both_parse_or_neither(candidate: Source, reference: Source, regions: Regions) -> bool:
    """Whether the parser can read both revisions, or neither of them.

    Only the outermost pieces of code that hold the divergent lines are parsed. So what stands
    before and behind them, be it readable or not, has no say.

    Parameters
    ----------
    candidate, reference : Source
        The revisions.
    regions : int32 array of shape (k, 6)
        Where they diverge from their origin, in lexemes and whole lines.
    """
    if len(regions) == 0:
        return True
    first, second = reference.lexemes, candidate.lexemes
    # What lies before the first region is the same in both, and so is what lies behind the last.
    head = _head(first, second, int(regions[0, 0]))
    tail = _tail(first, int(regions[-1, 1]))
    readable = [
        _readable(source, lexemes, head, len(lexemes) - tail)
        for source, lexemes in ((reference, first), (candidate, second))
    ]
    return readable[0] == readable[1]


def _head(first: Lexemes, second: Lexemes, stop: int) -> int:
    """The last outermost line that begins at a lexeme before `stop`, or there.

    Outermost is a line in the first column outside of brackets. Where layout counts, what begins
    at `stop` must be outermost in both texts, or one of them would begin inside of a block.
    """
    depth = _depths(first, stop)
    if depth[stop] == 0:
        columns = _column(first, stop), _column(second, stop)
        layout = bool(first.layout[:1].any() or second.layout[:1].any())
        if (max if layout else min)(columns) == 0:
            return stop
    for line in reversed(first.lines[: np.searchsorted(first.lines, stop)].tolist()):
        if depth[line] == 0 and _column(first, line) == 0:
            return int(line)
    return 0


def _tail(lexemes: Lexemes, start: int) -> int:
    """How many lexemes stand from the first outermost line on that begins at `start` or later.

    Outermost is a line in the first column from which on no bracket is closed that was opened
    before.
    """
    change = _changes(lexemes, start, len(lexemes))
    # Read from the end: how many closing brackets are still without their opening one.
    unmatched = 0
    cut = len(lexemes)
    lines = set(lexemes.lines[np.searchsorted(lexemes.lines, start) :].tolist())
    for i in range(len(lexemes) - 1, start - 1, -1):
        unmatched = max(0, unmatched - int(change[i - start]))
        if i in lines and unmatched == 0 and _column(lexemes, i) == 0:
            cut = i
    return len(lexemes) - cut


def _changes(lexemes: Lexemes, start: int, end: int) -> npt.NDArray[np.int8]:
    """For each lexeme 1 if it opens a bracket, -1 if it closes one, else 0."""
    data = np.frombuffer(lexemes.data, dtype=np.uint8)
    starts = lexemes.starts[start:end]
    single = lexemes.ends[start:end] - starts == 1
    first = np.zeros(len(starts), dtype=np.uint8)
    first[single] = data[starts[single]]
    opens = np.isin(first, list(_OPENING))
    closes = np.isin(first, list(_CLOSING))
    return opens.astype(np.int8) - closes.astype(np.int8)


def _depths(lexemes: Lexemes, end: int) -> npt.NDArray[np.int64]:
    """How many brackets are open before each lexeme up to `end`."""
    return np.concatenate(([0], np.cumsum(_changes(lexemes, 0, end), dtype=np.int64)))


def _column(lexemes: Lexemes, i: int) -> int:
    """How many bytes stand before a lexeme on its line; a layout lexeme holds them itself."""
    if i >= len(lexemes):
        return 0
    at = int(lexemes.ends[i]) if lexemes.layout[i] else int(lexemes.starts[i])
    line = max(lexemes.data.rfind(b"\n", 0, at), lexemes.data.rfind(b"\r", 0, at))
    return at - line - 1


def _readable(source: Source, lexemes: Lexemes, start: int, end: int) -> bool:
    """Whether the parser has no problem with a stretch of whole lines."""
    if start == 0 and end == len(lexemes):
        return not source.problems
    if start >= end:
        return True
    return source.remember(
        ("readable", start, end), lambda: not _stretch(source, lexemes, start, end).problems
    )


def _stretch(source: Source, lexemes: Lexemes, start: int, end: int) -> Source:
    stop = int(lexemes.starts[end]) if end < len(lexemes) else len(source.data)
    piece = source.data[int(lexemes.starts[start]) : stop]
    return Source(piece.decode("utf-8", "surrogatepass"), source.language)
