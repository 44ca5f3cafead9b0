"""Syntax problems of a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from codekin.represent.text.positions import Positions
from codekin.represent.tree.flat_tree import BLANKS, FlatTree
from codekin.results import LEFT_OUT

__all__ = ["Problem", "problems", "unread_places"]

_EXCERPT = 40


@dataclass(frozen=True, slots=True)
class Problem:
    """A place that the parser could not read.

    Attributes
    ----------
    message : str
        What is wrong.
    start, end : int
        The place in the text, in characters.
    line, column : int
        Line and column of its start, both from 1.
    """

    message: str
    start: int = field(metadata=LEFT_OUT)
    end: int = field(metadata=LEFT_OUT)
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.message}"


def problems(tree: FlatTree, data: bytes, positions: Positions) -> tuple[Problem, ...]:
    """List the unreadable and the missing pieces of a text, in order."""
    messages = []
    for node in tree.errors.tolist():
        piece = data[tree.start[node] : tree.end[node]].decode("utf-8", "replace").strip(BLANKS)
        if not piece and tree.end[node] > tree.start[node]:
            continue  # only whitespace that the grammar does not know
        excerpt = piece.split("\n", 1)[0]
        shown = excerpt if len(excerpt) <= _EXCERPT else excerpt[:_EXCERPT] + "…"
        message = f"could not read {shown!r}" if shown else "could not read the text"
        if tree.unparsed and tree.end[node] > len(data) - tree.unparsed:
            message = f"stopped parsing: too much work, {tree.unparsed:,} bytes are left"
        messages.append((node, message))
    messages.extend((node, f"missing {tree.kind_name(node)!r}") for node in tree.missing.tolist())
    return tuple(_problem(tree, positions, node, message) for node, message in sorted(messages))


def _problem(tree: FlatTree, positions: Positions, node: int, message: str) -> Problem:
    start, end = int(tree.start[node]), int(tree.end[node])
    line, column = positions.line_column(start)
    return Problem(message, positions.characters(start), positions.characters(end), line, column)


def unread_places(found: Sequence[Problem]) -> str:
    """How many places of a text did not parse, and the first."""
    places = "1 place" if len(found) == 1 else f"{len(found)} places"
    return f"{places} did not parse, first at {found[0]}"
