"""Shapes of subtrees: hashes that are equal if two subtrees have the same S-expression."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.languages.language import ERROR_KIND, Grammar
from codekin.languages.token_classes import TokenClass
from codekin.represent.tree.flat_tree import FlatTree

__all__ = ["SubtreeLabels", "Subtrees", "shape_hash", "subtree_labels", "subtrees"]

SILENT, _WRITTEN, _LEFT_OUT = 0, 1, 2
_NO_NODES = np.empty(0, dtype=np.int32)

Shapes = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Subtrees:
    """The subtrees of a program that have children.

    Attributes
    ----------
    shapes : uint64 array
        One hash per subtree, sorted. Different subtrees collide with a probability of about
        n * m / 2**64, which for two programs of 10,000 subtrees is 5e-12.
    nodes : int32 array
        The node of each, as an index of the tree.
    """

    shapes: Shapes
    nodes: npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class SubtreeLabels:
    """What each kind of node and each field of a grammar adds to a shape."""

    kinds: Shapes
    fields: Shapes
    parts: npt.NDArray[np.uint8]
    parts_without_comments: npt.NDArray[np.uint8]
    uncounted: npt.NDArray[np.uint8]


_labels_of: dict[tuple[str, str], SubtreeLabels] = {}


def subtrees(tree: FlatTree, docstrings: npt.NDArray[np.int32], *, comments: bool) -> Subtrees:
    """Hash the subtrees of a tree by their shape.

    A shape consists of the kinds and fields of named nodes; identifiers, literals and operators
    are ignored. Nodes that the parser inserted differ from real ones.

    Parameters
    ----------
    tree : FlatTree
        The tree.
    docstrings : int32 array
        The strings that are docstrings.
    comments : bool
        Whether comments and docstrings are part of the shapes.

    Examples
    --------
    >>> from codekin import Source
    >>> import numpy as np
    >>> none = np.empty(0, dtype=np.int32)
    >>> first, second = (subtrees(Source(t, "python").tree, none, comments=False).shapes.tolist()
    ...                  for t in ("x = f(1)", "y = g(2)  # renamed"))
    >>> first == second
    True
    """
    labels = _labels(tree.grammar)
    special = tree.missing
    shapes, nodes = _native.subtree_shapes(
        tree.kind,
        tree.field,
        tree.parent,
        tree.size,
        labels.kinds,
        labels.fields,
        labels.parts if comments else labels.parts_without_comments,
        special,
        np.ones(len(special), dtype=np.uint64),
        _NO_NODES if comments else _statements_of(tree, docstrings),
        labels.uncounted,
    )
    return Subtrees(shapes, nodes)


def _statements_of(tree: FlatTree, strings: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """The statements that consist of the given strings."""
    return tree.parent[strings] if len(strings) else _NO_NODES


def _labels(grammar: Grammar) -> SubtreeLabels:
    key = (grammar.distribution, grammar.entry)
    labels = _labels_of.get(key)
    if labels is None:
        labels = _labels_of[key] = subtree_labels(grammar)
    return labels


def subtree_labels(grammar: Grammar) -> SubtreeLabels:
    """Make the label tables of a grammar."""
    kinds = np.zeros(ERROR_KIND + 1, dtype=np.uint64)
    for number, kind in enumerate(grammar.kinds):
        # An anonymous node is printed by its name only if it is the root.
        kinds[number] = shape_hash(kind if grammar.named[number] else f'"{kind}')
    kinds[ERROR_KIND] = shape_hash("ERROR")
    fields = np.array([shape_hash(f"{name}:") for name in grammar.fields], dtype=np.uint64)
    parts = np.where(grammar.named, _WRITTEN, SILENT).astype(np.uint8)
    without = parts.copy()
    without[(grammar.token_table & 0x1F) == TokenClass.COMMENT] = _LEFT_OUT
    return SubtreeLabels(kinds, fields, parts, without, np.zeros(ERROR_KIND + 1, dtype=np.uint8))


def shape_hash(text: str) -> int:
    """A nonzero 64-bit number for a text."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little") | 1
