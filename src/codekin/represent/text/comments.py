"""Comments and docstrings, and texts without them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

from codekin.languages.language import CLASS_MASK, SKIP
from codekin.languages.token_classes import TokenClass
from codekin.represent.tree.flat_tree import FlatTree

__all__ = ["Uncommented", "comment_nodes", "docstring_nodes", "uncommented"]

_NO_NODES = np.empty(0, dtype=np.int32)


def comment_nodes(tree: FlatTree) -> list[int]:
    """Indices of the comments, and of the statements that are docstrings.

    Examples
    --------
    >>> from codekin.languages.python import PYTHON
    >>> from codekin.represent.tree.flat_tree import flatten
    >>> tree = flatten(PYTHON.grammars[0], b'"Say x."\\nx  # say it')
    >>> [tree.kind_name(i) for i in comment_nodes(tree)]
    ['comment', 'expression_statement']
    """
    entries = tree.grammar.token_table[tree.kind]
    is_comment = (entries & CLASS_MASK) == TokenClass.COMMENT
    comments: list[int] = np.flatnonzero(is_comment & (entries != SKIP)).tolist()
    documents: list[int] = tree.parent[docstring_nodes(tree)].tolist()
    return comments + documents


def docstring_nodes(tree: FlatTree) -> npt.NDArray[np.int32]:
    r"""Indices of the strings that are docstrings of a module, class or function.

    Examples
    --------
    >>> from codekin.languages.python import PYTHON
    >>> from codekin.represent.tree.flat_tree import flatten
    >>> tree = flatten(PYTHON.grammars[0], b'def f():\n    "Say f."\n    return "f"')
    >>> [tree.kind_name(i) for i in docstring_nodes(tree)]
    ['string']
    """
    if not tree.grammar.docstrings:
        return _NO_NODES
    classes = tree.grammar.token_table[tree.kind] & CLASS_MASK
    strings = np.flatnonzero(classes == TokenClass.STRING).tolist()
    return np.array([i for i in strings if _opens_a_body(tree, i)], dtype=np.int32)


def _opens_a_body(tree: FlatTree, string: int) -> bool:
    statement = int(tree.parent[string])
    if statement < 0 or tree.kind_name(statement) != "expression_statement":
        return False
    if tree.size[statement] != tree.size[string] + 1:
        return False
    body = int(tree.parent[statement])
    if body < 0:
        return False
    owners, owner = tree.grammar.docstrings.get(tree.kind_name(body)), int(tree.parent[body])
    if owners is None or (owners and (owner < 0 or tree.kind_name(owner) not in owners)):
        return False
    before = body + 1
    while before < statement and tree.kind_name(before) == "comment":
        before += int(tree.size[before])
    return before == statement


_BLANKS = b" \t\r\n\x0b\x0c"


@dataclass(frozen=True)
class Uncommented:
    """A text without its comments.

    Attributes
    ----------
    text : str
        The text without comments.
    dropped : tuple of int
        The lines of the original text, from 0, that were removed entirely.
    """

    text: str
    dropped: tuple[int, ...] = ()

    def numbers(self, count: int) -> list[int]:
        """The numbers of the first lines in the original text, from 0."""
        dropped = set(self.dropped)
        kept = (n for n in range(count + len(dropped)) if n not in dropped)
        return list(islice(kept, count))


def uncommented(
    tree: FlatTree, data: bytes, *, also: Sequence[tuple[int, int]] = ()
) -> Uncommented:
    r"""Remove comments and docstrings from a text.

    A line that contains nothing else is removed entirely, so that texts with and without a comment
    become the same text. A comment between code is replaced by one space; after code, by nothing.

    Parameters
    ----------
    tree : FlatTree
    data : bytes
        The text, in UTF-8.
    also : sequence of (int, int)
        Other spans of bytes to remove.

    Examples
    --------
    >>> from codekin.languages.python import PYTHON
    >>> from codekin.represent.tree.flat_tree import flatten
    >>> data = b"# Say x.\nx = 1  # say it\n\ny = 2\n"
    >>> uncommented(flatten(PYTHON.grammars[0], data), data)
    Uncommented(text='x = 1\n\ny = 2\n', dropped=(0,))
    """
    spans = _comment_spans(tree, also)
    if not spans:
        return Uncommented(data.decode("utf-8", "surrogatepass"))
    kept: list[bytes] = []
    dropped: list[int] = []
    done = number = at = 0  # bytes, lines and spans processed so far
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


def _comment_spans(tree: FlatTree, also: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans of comments and of more in bytes, sorted, with overlapping ones joined."""
    nodes = comment_nodes(tree)
    spans: list[tuple[int, int]] = []
    for start, end in sorted(
        [*zip(tree.start[nodes].tolist(), tree.end[nodes].tolist(), strict=True), *also]
    ):
        if spans and start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        elif start < end:
            spans.append((start, end))
    return spans


def _without(line: bytes, spans: list[tuple[int, int]]) -> bytes:
    """Remove spans from a line, and the whitespace around them."""
    gaps = zip(
        [0, *(end for _, end in spans)], [*(start for start, _ in spans), len(line)], strict=True
    )
    first, *others = (line[max(start, 0) : max(end, 0)] for start, end in gaps)
    code = b" ".join(piece for piece in (part.strip(_BLANKS) for part in others) if piece)
    if not code:
        return first.rstrip(_BLANKS)
    return first.rstrip(_BLANKS) + b" " + code if first.strip(_BLANKS) else first + code
