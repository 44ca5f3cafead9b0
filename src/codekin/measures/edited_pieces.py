"""The top-level pieces of code that two edits touch: whether they parse and do the same."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from codekin.align.regions import Regions
from codekin.measures.same_effect import do_alike
from codekin.represent.text.lexemes import Lexemes
from codekin.represent.text.problems import Problem
from codekin.source import Source

__all__ = ["EditedPieces", "edited_pieces"]

_DEEPER = np.zeros(256, dtype=np.int8)
"""By how much each byte, as a token, changes the depth of brackets."""
_DEEPER[list(b"([{")], _DEEPER[list(b")]}")] = 1, -1
_CONTINUING = frozenset(b"else elif elsif except finally catch rescue ensure end {".split())
"""Unindented lines that begin with these belong to the code before them."""


@dataclass(frozen=True)
class EditedPieces:
    """The part of three texts that contains all edits, in whole top-level pieces of code."""

    candidate: Source
    reference: Source
    origin: Source
    starts: tuple[int, int] = (0, 0)
    """Where the pieces of the candidate and the reference begin, in bytes of the whole texts."""

    @property
    def both_parse_or_neither(self) -> bool:
        """Whether both revisions parse, or neither does."""
        return _parses(self.candidate) == _parses(self.reference)

    def why_not_parsed(self, candidate: Source, reference: Source) -> str:
        r"""Which of two revisions does not parse though the other does, and where; else empty.

        Examples
        --------
        >>> texts = "y = (2\n", "y = 2\n", ""
        >>> sources = [Source(text, "python") for text in texts]
        >>> EditedPieces(*sources).why_not_parsed(*sources[:2])
        "the candidate does not parse (1:5: '(' is never closed)"
        """
        if self.both_parse_or_neither:
            return ""
        if _parses(self.reference):
            return f"the candidate does not parse ({self._fault(self.candidate, candidate, 0)})"
        return f"the reference does not parse ({self._fault(self.reference, reference, 1)})"

    def _fault(self, piece: Source, whole: Source, side: int) -> Problem:
        """The first problem of a piece, at its place in the whole text."""
        first, start = piece.problems[0], self.starts[side]
        line, column = whole.positions.line_column(start)
        return replace(
            first,
            line=first.line + line - 1,
            column=first.column + (column - 1 if first.line == 1 else 0),
        )

    @property
    def do_the_same(self) -> bool:
        r"""Whether the revisions do the same, as far as their graphs tell, and the origin does not.

        Both must parse. Names of parameters, local variables and the code's own functions do not
        matter, nor do layout, brackets, the order of operands and the order of independent
        statements. In languages without semantic graphs, no two texts are found to do the same.

        Examples
        --------
        >>> texts = "f = lambda x, y: y + x", "f = lambda a, b: a + b", "f = lambda a, b: a"
        >>> EditedPieces(*(Source(text, "python") for text in texts)).do_the_same
        True
        """
        return do_alike(self.candidate, self.reference) and not do_alike(
            self.origin, self.reference
        )


def edited_pieces(
    candidate: Source,
    reference: Source,
    origin: Source,
    regions: Regions,
    *,
    comments: bool = False,
) -> EditedPieces:
    r"""Cut the top-level pieces of code with divergent lines out of three texts.

    The code before and after them makes no difference then, even if it does not parse.

    Parameters
    ----------
    candidate, reference, origin : Source
        The revisions, and what they were made from.
    regions : int32 array of shape (k, 6)
        Where they diverge from their origin, in lexemes and whole lines.
    comments : bool
        Whether comments are among these lexemes.

    Examples
    --------
    >>> import numpy as np
    >>> texts = "x = 1\ny = (2\n", "x = 1\ny = 2\n", "x = 1\n"
    >>> candidate, reference, origin = (Source(text, "python") for text in texts)
    >>> regions = np.array([[4, 8, 4, 9, 4, 4]], dtype=np.int32)  # the second lines
    >>> pieces = edited_pieces(candidate, reference, origin, regions)
    >>> pieces.candidate.text, pieces.both_parse_or_neither
    ('y = (2\n', False)
    """
    first, second = (one.lexemes_with(comments=comments) for one in (reference, candidate))
    # What comes before the first region is the same in all, and so is what comes after the last.
    head, tail = len(first), 0
    if len(regions):
        head = _head(first, second, int(regions[0, 0]))
        tail = _tail(first, second, len(first) - int(regions[-1, 1]))
    pieces = [
        _piece(one, one.lexemes_with(comments=comments), head, tail)
        for one in (candidate, reference, origin)
    ]
    starts = _start(second, head, tail), _start(first, head, tail)
    return EditedPieces(pieces[0], pieces[1], pieces[2], starts)


def _start(lexemes: Lexemes, head: int, tail: int) -> int:
    """Where the piece between its first `head` and its last `tail` lexemes begins."""
    if head >= len(lexemes) - tail or (head == 0 and tail == 0):
        return 0
    return int(lexemes.starts[head])


def _piece(source: Source, lexemes: Lexemes, head: int, tail: int) -> Source:
    """A text without its first `head` and its last `tail` lexemes, cached with it."""
    end = len(lexemes) - tail
    if head == 0 and tail == 0:
        return source
    if head >= end:
        return Source("", source.language)
    start = int(lexemes.starts[head])
    stop = int(lexemes.starts[end]) if tail else len(source.data)
    return source.remember(
        ("piece", start, stop),
        lambda: Source(source.data[start:stop].decode("utf-8", "surrogatepass"), source.language),
    )


def _parses(piece: Source) -> bool:
    return not piece.problems


def _head(first: Lexemes, second: Lexemes, stop: int) -> int:
    """The last top-level line that begins at lexeme `stop` or before.

    It is at top level in both texts. At `stop`, where one of them may end, it is enough that one of
    them begins a piece of code, unless layout counts: the other would begin inside a block.
    """
    depth = _depths(first, stop)
    begins = _begins_piece(first, stop), _begins_piece(second, stop)
    layout = bool(first.layout[:1].any() or second.layout[:1].any())
    if depth[stop] == 0 and (all if layout else any)(begins):
        return stop
    for line in reversed(first.lines[: np.searchsorted(first.lines, stop)].tolist()):
        if depth[line] == 0 and _begins_piece(first, line) and _begins_piece(second, line):
            return int(line)
    return 0


def _tail(first: Lexemes, second: Lexemes, most: int) -> int:
    """How many of the last `most` lexemes follow the first top-level line among them.

    A top-level line is unindented and no bracket opened before it is closed after it.
    """
    start, shift = len(first) - most, len(second) - len(first)
    change = _changes(first, start, len(first)).tolist()
    # Read from the end: how many closing brackets have no opening one yet.
    unmatched = 0
    cut = len(first)
    lines = set(first.lines[np.searchsorted(first.lines, start) :].tolist())
    for i in range(len(first) - 1, start - 1, -1):
        unmatched = max(0, unmatched - change[i - start])
        outermost = i in lines and unmatched == 0 and _begins_piece(first, i)
        if outermost and _begins_piece(second, i + shift):
            cut = i
    return len(first) - cut


def _changes(lexemes: Lexemes, start: int, end: int) -> npt.NDArray[np.int8]:
    """1 for each lexeme that opens a bracket, -1 if it closes one, else 0."""
    data = np.frombuffer(lexemes.data, dtype=np.uint8)
    starts = lexemes.starts[start:end]
    single = lexemes.ends[start:end] - starts == 1
    first = np.zeros(len(starts), dtype=np.uint8)
    first[single] = data[starts[single]]
    return _DEEPER[first]


def _depths(lexemes: Lexemes, end: int) -> npt.NDArray[np.int64]:
    """The open brackets before each lexeme up to `end`, ignoring unmatched closing ones."""
    depth = np.concatenate(([0], np.cumsum(_changes(lexemes, 0, end), dtype=np.int64)))
    return depth - np.minimum.accumulate(depth)


def _begins_piece(lexemes: Lexemes, i: int) -> bool:
    """Whether a line that begins at a lexeme, or the end of the text, begins a piece of code."""
    if i >= len(lexemes):
        return True
    # A layout lexeme contains the white space before the first lexeme of its line.
    i += bool(lexemes.layout[i]) and i + 1 < len(lexemes)
    at, end = int(lexemes.starts[i]), int(lexemes.ends[i])
    if lexemes.data[at:end] in _CONTINUING:
        return False
    return at == 0 or lexemes.data[at - 1 : at] in (b"\n", b"\r")
