"""Shapes of subtrees: numbers that are equal where two subtrees have the same S-expression."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import tree_sitter

from codekin import _native
from codekin.languages.language import ERROR_KIND, Grammar
from codekin.languages.token_classes import TokenClass
from codekin.represent.older_grammars import OlderGrammar
from codekin.represent.tree.flat_tree import FlatTree

__all__ = ["Subtrees", "is_printable", "printed_subtrees", "shapes_of_prints", "subtrees"]

_SILENT, _WRITTEN, _LEFT_OUT = 0, 1, 2
_NO_NODES = np.empty(0, dtype=np.int32)
_DEEPEST_PRINT = 2000
_MISSING = re.compile(r"\(MISSING ")

Shapes = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Subtrees:
    """The subtrees of a program that have children.

    Attributes
    ----------
    shapes : uint64 array
        One number a subtree, sorted. Two different subtrees share a number with a chance of
        about n * m / 2**64, which for two programs of 10,000 subtrees is 5e-12.
    nodes : int32 array
        The node of each, as an index of the tree.
    complete : bool
        False where the print shows tokens that the tree does not; then only the shapes of
        :func:`shapes_of_prints` tell the whole truth, and only compared with their like. An
        example: for the Go text ``h``, a new line and a raw string that holds U+2028, tree-sitter
        makes up the end of the last statement; the print ends in ``(MISSING
        "source_file_token1")``, yet that token is hidden, so the tree has no node for it.
    """

    shapes: Shapes
    nodes: npt.NDArray[np.int32]
    complete: bool = True


@dataclass(frozen=True, eq=False)
class _Labels:
    kinds: Shapes
    fields: Shapes
    parts: npt.NDArray[np.uint8]
    parts_without_comments: npt.NDArray[np.uint8]
    uncounted: npt.NDArray[np.uint8]


_labels_of: dict[tuple[str, str], _Labels] = {}
_older_labels_of: dict[tuple[str, str], _Labels] = {}


def subtrees(tree: FlatTree, docstrings: npt.NDArray[np.int32], *, comments: bool) -> Subtrees:
    """Number the subtrees of a tree by their shape.

    A shape is made of the kinds and fields of named nodes; identifiers, literals and operators
    have no say. Nodes that the parser made up to go on differ from real ones.

    Parameters
    ----------
    tree : FlatTree
        The tree.
    docstrings : int32 array
        The strings that are documentation.
    comments : bool
        Whether comments and docstrings are part of the shapes.

    Examples
    --------
    >>> from codekin import Source
    >>> import numpy as np
    >>> none = np.empty(0, dtype=np.int32)
    >>> one, two = (subtrees(Source(t, "python").tree, none, comments=False).shapes.tolist()
    ...             for t in ("x = f(1)", "y = g(2)  # renamed"))
    >>> one == two
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


def printed_subtrees(
    parsed: tree_sitter.Tree, tree: FlatTree, older: OlderGrammar | None = None
) -> Subtrees:
    """Number the subtrees of a tree by what tree-sitter prints for them, to the letter.

    Parameters
    ----------
    parsed : tree_sitter.Tree
        What `tree` was made from.
    tree : FlatTree
        The tree.
    older : OlderGrammar, optional
        Print as under this grammar.
    """
    labels = _older_labels(tree.grammar, older) if older else _labels(tree.grammar)
    special, special_labels = tree.missing, np.ones(len(tree.missing), dtype=np.uint64)
    complete = True
    if parsed.root_node.has_error:
        if is_printable(tree):
            complete = len(_MISSING.findall(str(parsed.root_node))) == len(tree.missing)
        special, special_labels = _unreadable(parsed, tree)
    shapes, nodes = _native.subtree_shapes(
        tree.kind,
        tree.field,
        tree.parent,
        tree.size,
        labels.kinds,
        labels.fields,
        labels.parts,
        special,
        special_labels,
        _NO_NODES,
        labels.uncounted,
    )
    return Subtrees(shapes, nodes, complete)


def is_printable(tree: FlatTree) -> bool:
    """Whether tree-sitter can print the tree: it recurses, and deep trees end the process."""
    depths: list[int] = []
    for parent in tree.parent.tolist():
        depth = depths[parent] + 1 if parent >= 0 else 0
        if depth > _DEEPEST_PRINT:
            return False
        depths.append(depth)
    return True


def shapes_of_prints(root: tree_sitter.Node) -> Shapes:
    """Number the subtrees by their prints themselves: the slow way, a print a subtree."""
    shapes = []
    pending = [root]
    while pending:
        node = pending.pop()
        shapes.append(_hash(str(node)))
        pending.extend(child for child in node.children if child.child_count)
    return np.sort(np.array(shapes, dtype=np.uint64))


def _unreadable(parsed: tree_sitter.Tree, tree: FlatTree) -> tuple[npt.NDArray[np.int32], Shapes]:
    """The nodes that print something of their own: made-up ones, and unexpected characters."""
    found = dict.fromkeys(tree.missing.tolist(), 1)
    leaves = (tree.kind == ERROR_KIND) & (tree.size == 1) & (tree.end > tree.start)
    for node in np.flatnonzero(leaves).tolist():
        start, end = int(tree.start[node]), int(tree.end[node])
        leaf = parsed.root_node.descendant_for_byte_range(start, end)
        printed = str(leaf)
        if printed.startswith("(UNEXPECTED"):
            found[node] = _hash(printed)
    nodes = sorted(found)
    return np.array(nodes, dtype=np.int32), np.array([found[n] for n in nodes], dtype=np.uint64)


def _statements_of(tree: FlatTree, strings: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """The statements that consist of the given strings."""
    return tree.parent[strings] if len(strings) else _NO_NODES


def _labels(grammar: Grammar) -> _Labels:
    key = (grammar.distribution, grammar.entry)
    labels = _labels_of.get(key)
    if labels is None:
        labels = _labels_of[key] = _make_labels(grammar)
    return labels


def _make_labels(grammar: Grammar) -> _Labels:
    kinds = np.zeros(ERROR_KIND + 1, dtype=np.uint64)
    for number, kind in enumerate(grammar.kinds):
        # An anonymous node is written by its name only where it is the root of the print.
        kinds[number] = _hash(kind if grammar.named[number] else f'"{kind}')
    kinds[ERROR_KIND] = _hash("ERROR")
    fields = np.array([_hash(f"{name}:") for name in grammar.fields], dtype=np.uint64)
    parts = np.where(grammar.named, _WRITTEN, _SILENT).astype(np.uint8)
    without = parts.copy()
    without[(grammar.token_table & 0x1F) == TokenClass.COMMENT] = _LEFT_OUT
    return _Labels(kinds, fields, parts, without, np.zeros(ERROR_KIND + 1, dtype=np.uint8))


def _older_labels(grammar: Grammar, older: OlderGrammar) -> _Labels:
    key = (grammar.distribution, grammar.entry)
    labels = _older_labels_of.get(key)
    if labels is None:
        labels = _older_labels_of[key] = _make_labels(grammar)
        for number, kind in enumerate(grammar.kinds):
            if kind in older.renamed:
                labels.kinds[number] = _hash(older.renamed[kind])
            if kind in older.spliced:
                labels.parts[number] = _SILENT
            labels.uncounted[number] = kind in older.spliced or kind in older.leaves
    return labels


def _hash(text: str) -> int:
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little") | 1
