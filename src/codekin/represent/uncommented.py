"""A text without its comments, line by line."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from itertools import islice

from codekin.languages.language import Language
from codekin.represent.comments import comment_nodes
from codekin.represent.tree import FlatTree

__all__ = ["Uncommented", "uncommented"]

_BLANKS = b" \t\r\n\x0b\x0c"


@dataclass(frozen=True)
class Uncommented:
    """What is left of a text.

    Attributes
    ----------
    text : str
        The text without comments.
    dropped : tuple of int
        The lines of the whole text, from 0, that are missing altogether.
    """

    text: str
    dropped: tuple[int, ...] = ()

    def numbers(self, count: int) -> list[int]:
        """For each of the first lines, its number in the whole text, from 0."""
        dropped = set(self.dropped)
        every = (n for n in range(count + len(dropped)) if n not in dropped)
        return list(islice(every, count))


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
    Uncommented(text='x = 1\n\ny = 2\n', dropped=(0,))
    """
    spans = _comment_spans(tree, language)
    if not spans:
        return Uncommented(data.decode("utf-8", "surrogatepass"))
    kept: list[bytes] = []
    dropped: list[int] = []
    done = number = at = 0  # bytes, lines and spans that are dealt with
    while at < len(spans):
        start = max(data.rfind(b"\n", done, spans[at][0]) + 1, done)
        kept.append(data[done:start])
        number += data.count(b"\n", done, start)
        line = data[start : data.find(b"\n", start) + 1 or len(data)]
        body = line.rstrip(b"\r\n")
        beyond = bisect_left(spans, (start + len(body),), at)
        touching = [(s - start, e - start) for s, e in spans[at:beyond]]
        rest = _without(body, touching) if touching else body
        if not touching or rest.strip(_BLANKS):
            kept.append(rest + line[len(body) :])
        else:
            dropped.append(number)
        done = start + len(line)
        number += 1
        while at < len(spans) and spans[at][1] <= done:
            at += 1
    text = b"".join([*kept, data[done:]]).decode("utf-8", "surrogatepass")
    return Uncommented(text, tuple(dropped))


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
