"""es: how similar two edits are, from three views."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from codekin.align.excise import excision_parts, pooled_agreement
from codekin.align.regions import Regions
from codekin.measures.base import Explanation, RevisionMeasure, Score, check_range
from codekin.measures.excised import Excised, Units, excise, explain_excision
from codekin.represent.text.lexemes import Lexemes
from codekin.source import Source

__all__ = ["Es", "both_parse_or_neither"]

_OPENING = frozenset(b"([{")
_CLOSING = frozenset(b")]}")
_CONTINUING = frozenset(b"else elif elsif except finally catch rescue ensure end {".split())
"""Unindented lines that begin with these belong to the code before them."""


def both_parse_or_neither(
    candidate: Source, reference: Source, regions: Regions, *, comments: bool = False
) -> bool:
    r"""Whether both revisions parse, or neither does.

    Only the top-level pieces of code that contain the divergent lines are parsed, so the code
    before and after them makes no difference, even if it does not parse.

    Parameters
    ----------
    candidate, reference : Source
        The revisions.
    regions : int32 array of shape (k, 6)
        Where they diverge from their origin, in lexemes and whole lines.
    comments : bool
        Whether comments are among these lexemes.

    Examples
    --------
    >>> import numpy as np
    >>> texts = "x = 1\ny = (2\n", "x = 1\ny = 2\n"
    >>> candidate, reference = (Source(text, "python") for text in texts)
    >>> regions = np.array([[4, 8, 4, 9, 4, 4]], dtype=np.int32)  # the second lines
    >>> both_parse_or_neither(candidate, reference, regions)
    False
    """
    if len(regions) == 0:
        return True
    first, second = (one.lexemes_with(comments=comments) for one in (reference, candidate))
    # What comes before the first region is the same in both, and so is what comes after the last.
    head = _head(first, second, int(regions[0, 0]))
    tail = _tail(first, second, len(first) - int(regions[-1, 1]))
    readable = [
        _readable(source, lexemes, head, len(lexemes) - tail)
        for source, lexemes in ((reference, first), (candidate, second))
    ]
    return readable[0] == readable[1]


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
    opens = np.isin(first, list(_OPENING))
    closes = np.isin(first, list(_CLOSING))
    return opens.astype(np.int8) - closes.astype(np.int8)


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


def _readable(source: Source, lexemes: Lexemes, start: int, end: int) -> bool:
    """Whether a stretch of whole lines parses."""
    if start == 0 and end == len(lexemes):
        return not source.problems
    if start >= end:
        return True
    stop = int(lexemes.starts[end]) if end < len(lexemes) else len(source.data)
    return source.remember(
        ("readable", int(lexemes.starts[start]), stop),
        lambda: not _piece(source, int(lexemes.starts[start]), stop).problems,
    )


def _piece(source: Source, start: int, stop: int) -> Source:
    return Source(source.data[start:stop].decode("utf-8", "surrogatepass"), source.language)


_WEIGHTS = {"document": 0.5, "lines": 0.25, "tokens": 0.25}


@dataclass(frozen=True, kw_only=True, repr=False)
class Es(RevisionMeasure):
    """Our own excision score: three views of two edits.

    ``document``, which has half the weight, compares the n-grams that revisions add and delete,
    including the ends of regions, so the same edit in the same place scores highest. ``lines``
    compares those in the lines that either revision changed. Both pool additions and deletions, and
    partly (`overlap`) measure how much of the smaller edit is in the larger one, because an edit
    that does more than the reference is often right. Deletions weigh no more than additions.
    ``tokens`` is es-token. If only one of the revisions parses, the score is 0.

    Parameters
    ----------
    order : int
        The longest n-gram of lines and tokens.
    document_order : int
        The longest n-gram of the document.
    overlap : float
        The weight of the overlap with the smaller edit in `lines` and `document`, in [0, 1].
    parse : bool
        Whether the score is 0 if only one of the revisions parses.
    comments : bool
        Whether comments and docstrings count.

    Examples
    --------
    >>> from codekin import measure
    >>> texts = "return a * b", "return a + b", "return a - b"  # candidate, reference, origin
    >>> score = measure("es").score(*texts, language="python")
    >>> score.value
    0.5
    """

    name: ClassVar[str] = "es"
    summary: ClassVar[str] = "agreement of two edits in tokens, lines and their context"
    order: int = 4
    document_order: int = 6
    overlap: float = 0.5
    parse: bool = True
    comments: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_range(self.name, "order", self.order, 1, 64)
        check_range(self.name, "document_order", self.document_order, 1, 64)
        check_range(self.name, "overlap", self.overlap, 0, 1)

    def uses_tree(self) -> bool:
        """Whether revisions are parsed."""
        return self.parse

    def uses_language(self) -> bool:
        """True: lexemes depend on the language's rules."""
        return True

    def _revision(self, candidate: Source, reference: Source, origin: Source) -> Score:
        tokens = excise(candidate, reference, origin, Units(comments=self.comments))
        lines = excise(candidate, reference, origin, Units(comments=self.comments, by="line"))
        views = {
            "document": self._pooled(tokens, self.document_order, context=True),
            "lines": self._pooled(lines, self.order, context=False),
            "tokens": excision_parts(
                tokens.origin,
                tokens.reference,
                tokens.candidate,
                tokens.regions,
                order=self.order,
            ).value,
        }
        value = sum(_WEIGHTS[name] * view for name, view in views.items())
        parses = value == 1.0 or not self.parse or value == 0.0
        parses = parses or both_parse_or_neither(
            candidate, reference, lines.regions, comments=self.comments
        )
        parts = {**views, "parses": float(parses)}
        return Score(self, value if parses else 0.0, parts, candidate, reference, origin=origin)

    def _pooled(self, excised: Excised, order: int, *, context: bool) -> float:
        return pooled_agreement(
            excised.origin,
            excised.reference,
            excised.candidate,
            excised.regions,
            order=order,
            context=context,
            overlap=self.overlap,
        )

    def explain_revision(self, candidate: Source, reference: Source, origin: Source) -> Explanation:
        """Shade what both revisions have in common, and list what only one did."""
        score = self._revision(candidate, reference, origin)
        units = Units(comments=self.comments)
        excised = excise(candidate, reference, origin, units)
        return explain_excision(score, excised, candidate, reference, origin, units)
