"""What detectors see of snippets: trees, flow and words, as flat arrays that need numpy alone."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from enum import IntEnum
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from codekin.errors import CodekinError
from codekin.opening import read_arrays
from codekin.whole_files import whole_file

__all__ = [
    "END",
    "FLOWS",
    "NodeRole",
    "Prepared",
    "load_prepared",
    "spread",
]

FORMAT = 1
END = -1
"""In a sequence of statements: the end of a block."""

FLOWS = (
    "next statement",
    "condition true",
    "condition false",
    "loop body",
    "loop again",
    "next use",
)
"""The kinds of flow between nodes."""

Ints = npt.NDArray[np.int32]
Offsets = npt.NDArray[np.int64]


class NodeRole(IntEnum):
    """What a node's word is."""

    KIND = 0  # of an inner node
    IDENTIFIER = 1
    LITERAL = 2
    OTHER = 3  # an operator, a modifier, a primitive type


@dataclass(frozen=True, eq=False)
class Prepared:
    """Snippets as detectors see them.

    Snippet i has the nodes ``nodes[i]`` to ``nodes[i + 1]``, parents before children, and likewise
    its statements, flow and terms. Numbers of nodes and statements count from 0 in each snippet.

    Attributes
    ----------
    ids : tuple of str
        Of the snippets.
    languages : tuple of str
        Of the snippets.
    problems : tuple of str
        Why a snippet could not be read or not be read whole, one per snippet; mostly empty.
    words : tuple of str
        Every word of a node, once: kinds of inner nodes, and tokens.
    nodes : int64 array
        Where the nodes of each snippet begin, and their end.
    word : int32 array
        The word of each node, as a place in `words`.
    parent : int32 array
        The parent of each node, -1 for a root.
    role : uint8 array
        A :class:`NodeRole` for each node.
    member : int32 array
        The statement that each node belongs to.
    statements : int64 array
        Where the statements of each snippet begin.
    statement : int32 array
        The first node of each statement, or `END`.
    flows : int64 array
        Where the flow of each snippet begins.
    flow_from, flow_to : int32 arrays
        Nodes.
    flow_kind : uint8 array
        Places in `FLOWS`.
    terms : tuple of str
        Every word of the texts, once.
    texts : int64 array
        Where the terms of each snippet begin.
    term : int32 array
        The terms in order, as places in `terms`.
    """

    ids: tuple[str, ...]
    languages: tuple[str, ...]
    problems: tuple[str, ...]
    words: tuple[str, ...]
    nodes: Offsets
    word: Ints
    parent: Ints
    role: npt.NDArray[np.uint8]
    member: Ints
    statements: Offsets
    statement: Ints
    flows: Offsets
    flow_from: Ints
    flow_to: Ints
    flow_kind: npt.NDArray[np.uint8]
    terms: tuple[str, ...]
    texts: Offsets
    term: Ints

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        return f"<Prepared {len(self):,} snippets {len(self.word):,} nodes>"

    @cached_property
    def snippet_of_node(self) -> Ints:
        """The snippet that each node belongs to."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.nodes))

    def words_in(self, snippets: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """How often each word is in some snippets.

        Parameters
        ----------
        snippets : bool array
            Those that count, such as the ones of training.
        """
        chosen = self.word[snippets[self.snippet_of_node]]
        return np.bincount(chosen, minlength=len(self.words))

    def save(self, path: str | Path) -> None:
        """Write all of it to one file, which :func:`load_prepared` reads."""
        with whole_file(Path(path)) as stream:
            np.savez_compressed(stream, allow_pickle=False, **_arrays(self))


_TEXTS = ("ids", "languages", "problems", "words", "terms")


def _arrays(made: Prepared) -> dict[str, npt.NDArray[np.generic]]:
    """All of it as arrays of numbers; tables of texts are JSON in UTF-8."""
    found: dict[str, npt.NDArray[np.generic]] = {"format": np.array([FORMAT], np.int32)}
    for field in fields(Prepared):
        value = getattr(made, field.name)
        if field.name in _TEXTS:
            value = np.frombuffer(json.dumps(value).encode(), np.uint8)
        found[field.name] = value
    return found


def load_prepared(path: str | Path) -> Prepared:
    """Read a file that :meth:`Prepared.save` wrote.

    Raises
    ------
    CodekinError
        If it is not such a file, or is damaged.
    """
    held = read_arrays(path, typed=True)
    names = {field.name for field in fields(Prepared)}
    if not names <= set(held) or held.get("format", np.zeros(1)).tolist() != [FORMAT]:
        raise CodekinError(
            f"{path}: is not a file of prepared snippets in format {FORMAT}; prepare them again"
        )
    try:
        values: dict[str, Any] = {
            name: tuple(json.loads(held[name].tobytes())) if name in _TEXTS else held[name]
            for name in names
        }
        made = Prepared(**values)
        _check(made)
    except (ValueError, TypeError, IndexError, RecursionError, OverflowError) as error:
        raise CodekinError(f"{path}: is damaged ({error}); prepare the snippets again") from None
    return made


def _check(made: Prepared) -> None:
    """Refuse arrays that do not fit together."""
    count, nodes = len(made.ids), len(made.word)
    if not count == len(made.languages) == len(made.problems):
        raise ValueError("not every snippet has a language")
    sized = (
        (made.nodes, (made.word, made.parent, made.role, made.member)),
        (made.statements, (made.statement,)),
        (made.flows, (made.flow_from, made.flow_to, made.flow_kind)),
        (made.texts, (made.term,)),
    )
    for begins, arrays in sized:
        if begins.shape != (count + 1,) or begins[0] != 0 or (np.diff(begins) < 0).any():
            raise ValueError("the parts of snippets do not follow each other")
        if any(array.shape != (begins[-1],) for array in arrays):
            raise ValueError("the parts of snippets have other lengths than stated")
    first = made.nodes[:-1][made.snippet_of_node] if nodes else np.zeros(0, np.int64)
    within = np.diff(made.nodes)
    limits = (
        (made.word, 0, len(made.words)),
        (made.term, 0, len(made.terms)),
        (made.parent, -1, np.arange(nodes) - first),
        (made.member, 0, np.diff(made.statements)[made.snippet_of_node]),
        (made.statement, END, np.repeat(within, np.diff(made.statements))),
        (made.flow_from, 0, np.repeat(within, np.diff(made.flows))),
        (made.flow_to, 0, np.repeat(within, np.diff(made.flows))),
        (made.flow_kind, 0, len(FLOWS)),
    )
    for array, least, above in limits:
        if (array < least).any() or (array >= above).any():
            raise ValueError("a number is out of range")


def spread(sizes: npt.NDArray[np.integer]) -> Offsets:
    """Where groups of some sizes begin, with the end of the last.

    Examples
    --------
    >>> spread(np.array([2, 0, 3])).tolist()
    [0, 2, 2, 5]
    """
    found = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=found[1:])
    return found
