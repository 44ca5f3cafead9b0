"""A text without its comments, line by line."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from codekin.languages.language import Language
from codekin.represent.comments import comment_nodes
from codekin.represent.tree import FlatTree

__all__ = ["Uncommented", "uncommented"]

_BLANKS = b" \t\r\n\x0b\x0c"
_LINES = re.compile(rb"[^\n]*\n|[^\n]+")


@dataclass(frozen=True)
class Uncommented:
    """What is left of a text.

    Attributes
    ----------
    text : str
        The text without comments.
    lines : tuple of int, or None
        For each line of it, from 0, the line of the whole text that it was; None where no line is
        missing.
    """

    text: str
    lines: tuple[int, ...] | None = None


def uncommented(tree: FlatTree, data: bytes, language: Language) -> Uncommented:
    r"""Take comments and docstrings out of a text.

    A line of nothing else goes altogether, so that a text with a comment and one without it are
    the same text. Where a comment stood between code, one blank remains; behind code, none.

    Examples
    --------
    >>> from codekin.languages.python import PYTHON
    >>> from codekin.represent.tree import flatten
    >>> data = b"# Say x.\nx = 1  # say it\n\ny = 2\n"
    >>> uncommented(flatten(PYTHON.grammars[0], data), data, PYTHON)
    Uncommented(text='x = 1\n\ny = 2\n', lines=(1, 2, 3))
    """
    spans = _comment_spans(tree, language)
    if not spans:
        return Uncommented(data.decode("utf-8", "surrogatepass"))
    starts, ends = [s for s, _ in spans], [e for _, e in spans]
    kept, numbers = [], []
    at = 0
    for number, line in enumerate(_LINES.findall(data)):
        body = line.rstrip(b"\r\n")
        touching = spans[bisect_right(ends, at) : bisect_left(starts, at + len(body))]
        rest = _without(body, [(s - at, e - at) for s, e in touching]) if touching else body
        if not touching or rest.strip(_BLANKS):
            kept.append(rest + line[len(body) :])
            numbers.append(number)
        at += len(line)
    return Uncommented(b"".join(kept).decode("utf-8", "surrogatepass"), tuple(numbers))


def _comment_spans(tree: FlatTree, language: Language) -> list[tuple[int, int]]:
    """Where comments stand, in bytes and in order, joined where one lies in another."""
    nodes = comment_nodes(tree, language)
    spans: list[tuple[int, int]] = []
    for start, end in sorted(
        zip(tree.start[nodes].tolist(), tree.end[nodes].tolist(), strict=True)
    ):
        if spans and start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        elif start < end:
            spans.append((start, end))
    return spans


def _without(line: bytes, spans: list[tuple[int, int]]) -> bytes:
    """A line without some of its bytes, and without the blanks that would tell of them."""
    gaps = zip(
        [0, *(end for _, end in spans)], [*(start for start, _ in spans), len(line)], strict=True
    )
    first, *others = (line[max(start, 0) : max(end, 0)] for start, end in gaps)
    code = b" ".join(piece for piece in (other.strip(_BLANKS) for other in others) if piece)
    if not code:
        return first.rstrip(_BLANKS)
    return first.rstrip(_BLANKS) + b" " + code if first.strip(_BLANKS) else first + code
