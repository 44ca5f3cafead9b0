"""Syntax problems of a text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from codekin.represent.text.brackets import Bracket
from codekin.represent.text.layout import Misplaced
from codekin.represent.text.positions import Positions
from codekin.represent.tree.flat_tree import BLANKS, FlatTree
from codekin.results import LEFT_OUT

__all__ = ["Problem", "problems", "unread_places"]

_EXCERPT = 40


@dataclass(frozen=True, slots=True)
class Problem:
    """A place where code can't be as it is written.

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


@dataclass(frozen=True, slots=True)
class _Fault:
    """An unreadable stretch of bytes, or a missing piece, which has no length."""

    start: int
    end: int
    message: str
    missing: str = ""

    def comes_from(self, bracket: Bracket) -> bool:
        """Whether a bracket without a partner explains it."""
        if self.missing:
            return bracket.opens and bracket.partner == self.missing and bracket.start < self.start
        return self.start <= bracket.start < self.end

    def blamed_on(self, bracket: Bracket) -> _Fault:
        said = "is never closed" if bracket.opens else "closes nothing"
        return _Fault(bracket.start, bracket.start + 1, f"{bracket.text!r} {said}")


def problems(
    tree: FlatTree,
    data: bytes,
    positions: Positions,
    brackets: Callable[[], Sequence[Bracket]] = tuple,
    misplaced: Callable[[], Sequence[Misplaced]] = tuple,
) -> tuple[Problem, ...]:
    """List the unreadable, missing and misplaced pieces of a text, in order.

    Parameters
    ----------
    tree : FlatTree
        Of the text.
    data : bytes
        The text in UTF-8.
    positions : Positions
        Lines of `data`.
    brackets : callable
        Finds the brackets without a partner; called only if there are problems. The parser often
        notices such a bracket far away from it, so a problem that it explains is reported where
        the bracket is.
    misplaced : callable
        Finds what is in the wrong line or column; called only if the parser read everything.
    """
    faults = _faults(tree, data)
    if not faults:
        faults = [_Fault(one.start, one.end, one.message) for one in misplaced()]
    elif not tree.unparsed:
        faults = _blamed(faults, brackets())
    return tuple(_problem(positions, one) for one in faults)


def _faults(tree: FlatTree, data: bytes) -> list[_Fault]:
    found = []
    for node in tree.errors.tolist():
        start, end = int(tree.start[node]), int(tree.end[node])
        piece = data[start:end].decode("utf-8", "replace").strip(BLANKS)
        if not piece and end > start:
            continue  # only whitespace that the grammar does not know
        excerpt = piece.split("\n", 1)[0]
        shown = excerpt if len(excerpt) <= _EXCERPT else excerpt[:_EXCERPT] + "…"
        message = f"could not read {shown!r}" if shown else "could not read the text"
        if tree.unparsed and end > len(data) - tree.unparsed:
            message = f"stopped parsing: too much work, {tree.unparsed:,} bytes are left"
        found.append((node, _Fault(start, end, message)))
    for node in tree.missing.tolist():
        start, end, kind = int(tree.start[node]), int(tree.end[node]), tree.kind_name(node)
        found.append((node, _Fault(start, end, f"missing {kind!r}", missing=kind)))
    return [fault for _, fault in sorted(found, key=lambda entry: entry[0])]


def _blamed(faults: Sequence[_Fault], brackets: Sequence[Bracket]) -> list[_Fault]:
    """The problems, each of which a bracket explains blamed on it, in order.

    If no problem contains any of the brackets, the first problem is blamed on the first of them.
    """
    left = list(brackets)
    blamed: dict[int, _Fault] = {}
    for i, fault in enumerate(faults):
        bracket = next((one for one in left if fault.comes_from(one)), None)
        if bracket is not None:
            left.remove(bracket)
            blamed[i] = fault.blamed_on(bracket)
    if left and not blamed:
        blamed[0] = faults[0].blamed_on(left[0])
    told = [blamed.get(i, fault) for i, fault in enumerate(faults)]
    return sorted(told, key=lambda fault: fault.start) if blamed else told


def _problem(positions: Positions, fault: _Fault) -> Problem:
    line, column = positions.line_column(fault.start)
    start, end = positions.characters(fault.start), positions.characters(fault.end)
    return Problem(fault.message, start, end, line, column)


def unread_places(found: Sequence[Problem]) -> str:
    """How many places of a text did not parse, and the first."""
    places = "1 place" if len(found) == 1 else f"{len(found)} places"
    return f"{places} did not parse, first at {found[0]}"
