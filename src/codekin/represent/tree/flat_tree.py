"""Syntax trees as flat arrays in depth-first preorder."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.languages.language import ERROR_KIND, Grammar
from codekin.represent.text.prefix import closed_prefix
from codekin.represent.tree.parsing import parse_bounded

__all__ = ["BLANKS", "FlatTree", "flatten"]

BLANKS = "".join(c for c in map(chr, range(0x3001)) if c.isspace()) + "\u200b\ufeff"
"""Characters that are layout in every language, including Unicode whitespace."""

_LONG, _START = 1 << 17, 1 << 15
_RAW = 1_000_000
"""Limit on the unparsed bytes that are read as bare tokens."""


@dataclass(frozen=True, eq=False, repr=False)
class FlatTree:
    """A syntax tree: node i is at index i of every array, parents before children.

    Attributes
    ----------
    grammar : Grammar
        Names the kinds and fields.
    kind, field : uint16 arrays
        Kind and field numbers of `grammar`; field 0 is none, kind 65535 an ERROR node.
    parent : int32 array
        Index of the parent, -1 for the root.
    size : int32 array
        Number of nodes of the subtree, including its root, so a subtree is ``i : i + size[i]``.
    start, end : int32 arrays
        Span in bytes of the UTF-8 text.
    missing : int32 array
        Indices of nodes that the parser inserted to recover from errors.
    unparsed : int
        Number of bytes at the end that the parser never read, because the text took too much work
        or is garbage; the first million of them are one ERROR node, where the tree ends.
    """

    grammar: Grammar
    kind: npt.NDArray[np.uint16]
    field: npt.NDArray[np.uint16]
    parent: npt.NDArray[np.int32]
    size: npt.NDArray[np.int32]
    start: npt.NDArray[np.int32]
    end: npt.NDArray[np.int32]
    missing: npt.NDArray[np.int32]
    unparsed: int = 0

    def __len__(self) -> int:
        return len(self.kind)

    def __repr__(self) -> str:
        return f"<FlatTree {self.grammar.distribution} {len(self)} nodes>"

    @cached_property
    def errors(self) -> npt.NDArray[np.intp]:
        """Indices of the outermost ERROR nodes."""
        indices = np.flatnonzero(self.kind == ERROR_KIND)
        outermost = []
        reach = -1
        for i in indices.tolist():
            if i >= reach:
                outermost.append(i)
                reach = i + int(self.size[i])
        return np.array(outermost, dtype=np.intp)

    @cached_property
    def depth(self) -> npt.NDArray[np.int32]:
        """Distance of each node from the root."""
        depths: list[int] = []
        for p in self.parent.tolist():
            depths.append(depths[p] + 1 if p >= 0 else 0)
        return np.array(depths, dtype=np.int32)

    def read(self, data: bytes) -> bytes:
        """The part of a text that is read: all of it, unless it is much too long."""
        return data[: self.end[0]] if self.unparsed else data

    def kind_name(self, node: int) -> str:
        """The name of a node's kind."""
        return self.grammar.kind_name(int(self.kind[node]))

    def children(self, node: int) -> list[int]:
        """Indices of a node's children, in order."""
        children = []
        child = node + 1
        end = node + int(self.size[node])
        while child < end:
            children.append(child)
            child += int(self.size[child])
        return children


def flatten(grammar: Grammar, data: bytes) -> FlatTree:
    """Parse bytes of UTF-8 into a flat tree.

    If the parser gave up (see :func:`parse_bounded`), the rest of the text is one ERROR
    node, and `unparsed` is its length. A long text is a single ERROR node if the parser cannot
    read most of its start: tree-sitter's time on long garbage grows without bound.

    Examples
    --------
    >>> from codekin.languages.python import PYTHON
    >>> tree = flatten(PYTHON.grammars[0], b"x = 1")
    >>> [tree.kind_name(i) for i in range(len(tree))]
    ['module', 'expression_statement', 'assignment', 'identifier', '=', 'integer']
    """
    if len(data) > _LONG and not _is_readable(grammar, data):
        return _unreadable(grammar, data)
    tree = _parsed(grammar, data)
    rest = data[tree.end[0] :].decode("utf-8", "replace")
    return _with_rest(tree, data) if rest.strip(BLANKS) else tree


def _parsed(grammar: Grammar, data: bytes) -> FlatTree:
    parsed, read = parse_bounded(grammar, data)
    tree = FlatTree(grammar, *_native.flatten(parsed), unparsed=len(data) - read)
    if grammar.tail:  # a node may reach into the tail after the text
        np.minimum(tree.start, len(data), out=tree.start)
        np.minimum(tree.end, len(data), out=tree.end)
    return tree


def _is_readable(grammar: Grammar, data: bytes) -> bool:
    """Whether the parser finds structure in most of a text's start.

    An ERROR node may contain whole functions, if the cut left a class open; text without structure
    is in it as bare tokens.
    """
    # Latin-1 maps every byte to a character, so brackets and lengths stay the same.
    start = closed_prefix(data.decode("latin-1"), _START).encode("latin-1")
    tree = _parsed(grammar, start)
    is_error = tree.kind == ERROR_KIND
    bare = (tree.size == 1) & (is_error | is_error[tree.parent])
    return 2 * int((tree.end - tree.start)[bare].sum()) <= len(start)


def _unreadable(grammar: Grammar, data: bytes) -> FlatTree:
    """A tree that consists of one ERROR node."""
    start = len(data) - len(data.lstrip())
    one = np.ones(1, dtype=np.int32)
    return FlatTree(
        grammar,
        kind=np.array([ERROR_KIND], dtype=np.uint16),
        field=np.zeros(1, dtype=np.uint16),
        parent=-one,
        size=one,
        start=np.array([start], dtype=np.int32),
        end=np.array([_raw_end(start, data)], dtype=np.int32),
        missing=np.empty(0, dtype=np.int32),
        unparsed=len(data),
    )


def _with_rest(tree: FlatTree, data: bytes) -> FlatTree:
    """Add the text after a tree to it as an ERROR node."""
    text = data[tree.end[0] :]
    start = len(data) - len(text.lstrip())
    size, end = tree.size.copy(), tree.end.copy()
    size[0] += 1
    end[0] = _raw_end(start, data)
    return FlatTree(
        tree.grammar,
        kind=np.append(tree.kind, np.uint16(ERROR_KIND)),
        field=np.append(tree.field, np.uint16(0)),
        parent=np.append(tree.parent, np.int32(0)),
        size=np.append(size, np.int32(1)),
        start=np.append(tree.start, np.int32(start)),
        end=np.append(end, end[0]),
        missing=tree.missing,
        unparsed=tree.unparsed,
    )


def _raw_end(start: int, data: bytes) -> int:
    """The end of the unparsed text that is read as bare tokens."""
    return min(start + _RAW, len(data))
