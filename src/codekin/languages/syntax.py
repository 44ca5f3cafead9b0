"""A syntax tree as plain lists, for the rewriting facts of languages."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter
from typing import Any, TypeVar

__all__ = ["Syntax", "covers", "touches"]

T = TypeVar("T")

_WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, eq=False)
class Syntax:
    """The tree of a text with names for kinds and fields.

    Attributes
    ----------
    data : bytes
        The text in UTF-8.
    kinds, fields : list of str
        The kind of each node, and its field in its parent (or an empty text).
    named : list of bool
        Whether a node is named, unlike keywords and punctuation.
    parents, sizes, starts, ends : list of int
        As in :class:`~codekin.represent.tree.flat_tree.FlatTree`.
    spans : list of (int, int)
        Spans of the tokens, including comments but not layout.
    """

    data: bytes = field(repr=False)
    kinds: list[str] = field(repr=False)
    fields: list[str] = field(repr=False)
    named: list[bool] = field(repr=False)
    parents: list[int] = field(repr=False)
    sizes: list[int] = field(repr=False)
    starts: list[int] = field(repr=False)
    ends: list[int] = field(repr=False)
    spans: list[tuple[int, int]] = field(repr=False)

    def __len__(self) -> int:
        return len(self.kinds)

    def text(self, node: int) -> str:
        """The text of a node."""
        return self.slice(self.starts[node], self.ends[node])

    def slice(self, start: int, end: int) -> str:
        """The text between two bytes."""
        return self.data[start:end].decode("utf-8", "surrogatepass")

    def children(self, node: int) -> list[int]:
        """The children of a node, in order."""
        children = []
        child, end = node + 1, node + self.sizes[node]
        while child < end:
            children.append(child)
            child += self.sizes[child]
        return children

    def named_children(self, node: int) -> list[int]:
        """The children except punctuation, keywords and comments."""
        return [i for i in self.children(node) if self.is_content(i)]

    def is_content(self, node: int) -> bool:
        """Whether a node is neither punctuation, a keyword nor a comment."""
        return self.named[node] and "comment" not in self.kinds[node]

    @cached_property
    def named_counts(self) -> list[int]:
        """The number of named children of each node, without comments."""
        counts = [0] * len(self)
        for node in range(1, len(self)):
            if self.is_content(node):
                counts[self.parents[node]] += 1
        return counts

    def child(self, node: int, name: str) -> int:
        """The first child in a field, or -1."""
        return next((i for i in self.children(node) if self.fields[i] == name), -1)

    def inside(self, node: int) -> range:
        """A node and its descendants."""
        return range(node, node + self.sizes[node])

    def ancestors(self, node: int) -> Iterator[int]:
        """The nodes above a node, the nearest first."""
        node = self.parents[node]
        while node >= 0:
            yield node
            node = self.parents[node]

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word of the text: in code, comments, strings and macros."""
        return frozenset(_WORD.findall(self.slice(0, len(self.data))))

    @cached_property
    def newline(self) -> str:
        """The line end of the text."""
        return "\r\n" if b"\r\n" in self.data else "\n"

    def line_start(self, byte: int) -> int:
        """Where the line of a byte begins."""
        return self.data.rfind(b"\n", 0, byte) + 1

    def line_end(self, byte: int) -> int:
        """Where the line of a byte ends, without its line end."""
        end = self.data.find(b"\n", byte)
        if end < 0:
            return len(self.data)
        return end - 1 if end > byte and self.data[end - 1 : end] == b"\r" else end

    def is_joined(self, byte: int) -> bool:
        """Whether a backslash joins the line of a byte to the previous one."""
        start = self.line_start(byte)
        return self.data[max(start - 3, 0) : start].rstrip(b"\r\n").endswith(b"\\")

    def indentation(self, byte: int) -> str | None:
        """The whitespace before a byte on its line; None if there is anything else."""
        before = self.slice(self.line_start(byte), byte)
        return None if before.strip(" \t") else before

    def with_comments(self, node: int) -> tuple[int, int]:
        """The span of a node with the comments directly above it and after it on its last line."""
        start, end = self.starts[node], self.ends[node]
        siblings = self.children(self.parents[node])
        place = siblings.index(node)
        if place + 1 < len(siblings):
            after = siblings[place + 1]
            same_line = self.starts[after] < self.line_end(end)
            if "comment" in self.kinds[after] and same_line:
                end = self.ends[after]
                end -= self.data[end - 1 : end] == b"\r"  # part of the comment in some grammars
        while place and "comment" in self.kinds[siblings[place - 1]]:
            place -= 1
            comment = siblings[place]
            floor = self.line_end(self.ends[siblings[place - 1]]) if place else 0
            starts = self.starts[comment]
            if place == 0 or self.indentation(starts) is None or starts <= floor:
                break
            start = starts
        return start, end

    @cached_property
    def _cache(self) -> dict[Callable[[Syntax], Any], Any]:
        return {}

    def remember(self, make: Callable[[Syntax], T]) -> T:
        """The result of a function of this syntax, computed once."""
        if make not in self._cache:
            self._cache[make] = make(self)
        result: T = self._cache[make]
        return result


def touches(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Whether a span touches one of several sorted, disjoint spans.

    Examples
    --------
    >>> touches([(2, 4), (8, 9)], 4, 6), touches([(2, 4), (8, 9)], 5, 7)
    (True, False)
    """
    after = bisect_right(spans, end, key=itemgetter(0))
    return after > 0 and spans[after - 1][1] >= start


def covers(spans: Sequence[tuple[int, int]], byte: int) -> bool:
    """Whether a byte is in one of several sorted, disjoint spans.

    Examples
    --------
    >>> covers([(2, 4), (8, 9)], 3), covers([(2, 4), (8, 9)], 4)
    (True, False)
    """
    after = bisect_right(spans, byte, key=itemgetter(0))
    return after > 0 and byte < spans[after - 1][1]
