"""Trees and subtrees as the codebleu package sees them.

The package pins older grammars. Only differences that affect ordinary code are bridged; the others
are listed with the tests.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import tree_sitter

from codekin import _native
from codekin.languages.language import ERROR_KIND, Grammar
from codekin.measures.compat.tsed_package import is_printable
from codekin.represent.tree.flat_tree import FlatTree
from codekin.represent.tree.subtrees import SILENT, SubtreeLabels, shape_hash, subtree_labels

__all__ = ["OLDER_GRAMMARS", "OlderGrammar", "older_tree", "printed_subtrees", "shapes_of_prints"]

_MISSING = re.compile(r"\(MISSING ")
_NO_NODES = np.empty(0, dtype=np.int32)
Shapes = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class OlderGrammar:
    """How an older grammar differs from today's.

    Attributes
    ----------
    spliced : frozenset of str
        Kinds without nodes of their own, replaced by their children.
    leaves : frozenset of str
        Kinds without children.
    renamed : mapping of str to str
        From today's kinds to the older ones.
    fieldless : frozenset of (str, str)
        Kinds of node with a field that the older grammar lacks.
    wrapped : mapping of (str, str) to str
        A kind of node and a field, whose child is wrapped in a node of the given kind.
    """

    spliced: frozenset[str] = frozenset()
    leaves: frozenset[str] = frozenset()
    renamed: Mapping[str, str] = field(default_factory=dict)
    fieldless: frozenset[tuple[str, str]] = frozenset()
    wrapped: Mapping[tuple[str, str], str] = field(default_factory=dict)


OLDER_GRAMMARS: Mapping[str, OlderGrammar] = {
    "python": OlderGrammar(
        leaves=frozenset({"not in", "is not"}),
        fieldless=frozenset({("except_clause", "value"), ("except_clause", "alias")}),
    ),
    "go": OlderGrammar(
        spliced=frozenset(
            {
                "statement_list",
                "interpreted_string_literal_content",
                "raw_string_literal_content",
            }
        ),
        leaves=frozenset({"raw_string_literal"}),
    ),
    "javascript": OlderGrammar(
        wrapped={("for_statement", "condition"): "expression_statement"},
    ),
    "rust": OlderGrammar(
        spliced=frozenset({"type_parameter", "lifetime_parameter"}),
        fieldless=frozenset({("type_parameter", "name"), ("lifetime_parameter", "name")}),
    ),
    "php": OlderGrammar(
        renamed={"anonymous_function": "anonymous_function_creation_expression"},
    ),
}


def older_tree(tree: FlatTree, older: OlderGrammar) -> FlatTree:
    """The tree without the fields and with the wrappers of an older grammar."""
    for kind, name in sorted(older.fieldless):
        tree = _without_field(tree, kind, name)
    for (kind, name), wrapper in older.wrapped.items():
        tree = _wrapped(tree, kind, name, wrapper)
    return tree


_numbers_of: dict[tuple[str, str, str], list[int]] = {}


def _numbers(grammar: Grammar, kind: str) -> list[int]:
    key = (grammar.distribution, grammar.entry, kind)
    numbers = _numbers_of.get(key)
    if numbers is None:
        numbers = [number for number, name in enumerate(grammar.kinds) if name == kind]
        _numbers_of[key] = numbers
    return numbers


def _matches(tree: FlatTree, kind: str, name: str) -> list[int]:
    """The children that nodes of a kind have under a field."""
    found: list[int] = []
    fields = tree.grammar.fields
    for number in _numbers(tree.grammar, kind):
        for node in np.flatnonzero(tree.kind == number).tolist():
            found.extend(c for c in tree.children(node) if fields[int(tree.field[c])] == name)
    return sorted(found)


def _without_field(tree: FlatTree, kind: str, name: str) -> FlatTree:
    nodes = _matches(tree, kind, name)
    if not nodes:
        return tree
    fields = tree.field.copy()
    fields[nodes] = 0
    return replace(tree, field=fields)


def _wrapped(tree: FlatTree, kind: str, name: str, wrapper: str) -> FlatTree:
    """Wrap the children of a field in a new node."""
    members = _matches(tree, kind, name)
    heads: dict[int, int] = {}
    for node in members:
        heads.setdefault(int(tree.parent[node]), node)
    wrapped = {head: [n for n in members if tree.parent[n] == p] for p, head in heads.items()}
    wrapped = {h: ns for h, ns in wrapped.items() if tree.grammar.named[tree.kind[h]]}
    if not wrapped:
        return tree
    inner = {node for nodes in wrapped.values() for node in nodes}
    number = _numbers(tree.grammar, wrapper)[0]
    moved: dict[int, int] = {-1: -1}
    rows: list[tuple[int, int, int, int, int]] = []
    current = -1
    for i in range(len(tree)):
        parent = moved[int(tree.parent[i])]
        fields = int(tree.field[i])
        if i in wrapped:
            end = int(tree.end[wrapped[i][-1]])
            current = len(rows)
            rows.append((number, fields, parent, int(tree.start[i]), end))
        if i in inner:
            parent, fields = current, 0
        moved[i] = len(rows)
        rows.append((int(tree.kind[i]), fields, parent, int(tree.start[i]), int(tree.end[i])))
    sizes = [1] * len(rows)
    for i in range(len(rows) - 1, 0, -1):
        sizes[rows[i][2]] += sizes[i]
    kinds, fields_, parents, starts, ends = (list(column) for column in zip(*rows, strict=True))
    return FlatTree(
        tree.grammar,
        np.array(kinds, dtype=np.uint16),
        np.array(fields_, dtype=np.uint16),
        np.array(parents, dtype=np.int32),
        np.array(sizes, dtype=np.int32),
        np.array(starts, dtype=np.int32),
        np.array(ends, dtype=np.int32),
        np.array([moved[n] for n in tree.missing.tolist()], dtype=np.int32),
    )


@dataclass(frozen=True, eq=False)
class PrintedSubtrees:
    """The subtrees of a program that have children, by what tree-sitter prints for them.

    Attributes
    ----------
    shapes : uint64 array
        One number per subtree, sorted.
    complete : bool
        False if the print shows tokens that the tree does not have; then only the shapes of
        :func:`shapes_of_prints` are correct, and only compared with each other. For example, for
        the Go text ``h``, a new line and a raw string with U+2028, tree-sitter inserts the end of
        the last statement; the print ends in ``(MISSING "source_file_token1")``, but that token is
        hidden, so the tree has no node for it.
    """

    shapes: Shapes
    complete: bool = True


def printed_subtrees(
    parsed: tree_sitter.Tree, tree: FlatTree, older: OlderGrammar | None = None
) -> PrintedSubtrees:
    """Number the subtrees of a tree by exactly what tree-sitter prints for them.

    Parameters
    ----------
    parsed : tree_sitter.Tree
        What `tree` was made from.
    tree : FlatTree
        The tree.
    older : OlderGrammar, optional
        Print as with this grammar.
    """
    labels = _labels(tree.grammar, older)
    special, special_labels = tree.missing, np.ones(len(tree.missing), dtype=np.uint64)
    complete = True
    if parsed.root_node.has_error:
        if is_printable(tree):
            complete = len(_MISSING.findall(str(parsed.root_node))) == len(tree.missing)
        special, special_labels = _unreadable(parsed, tree)
    shapes, _ = _native.subtree_shapes(
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
    return PrintedSubtrees(shapes, complete)


def shapes_of_prints(root: tree_sitter.Node) -> Shapes:
    """Number the subtrees by their actual prints: slow, one print per subtree."""
    shapes = []
    pending = [root]
    while pending:
        node = pending.pop()
        shapes.append(shape_hash(str(node)))
        pending.extend(child for child in node.children if child.child_count)
    return np.sort(np.array(shapes, dtype=np.uint64))


def _unreadable(parsed: tree_sitter.Tree, tree: FlatTree) -> tuple[npt.NDArray[np.int32], Shapes]:
    """The nodes that print extra text: inserted ones, and unexpected characters."""
    found = dict.fromkeys(tree.missing.tolist(), 1)
    leaves = (tree.kind == ERROR_KIND) & (tree.size == 1) & (tree.end > tree.start)
    for node in np.flatnonzero(leaves).tolist():
        start, end = int(tree.start[node]), int(tree.end[node])
        leaf = parsed.root_node.descendant_for_byte_range(start, end)
        printed = str(leaf)
        if printed.startswith("(UNEXPECTED"):
            found[node] = shape_hash(printed)
    nodes = sorted(found)
    return np.array(nodes, dtype=np.int32), np.array([found[n] for n in nodes], dtype=np.uint64)


_labels_of: dict[tuple[str, str], SubtreeLabels] = {}


def _labels(grammar: Grammar, older: OlderGrammar | None) -> SubtreeLabels:
    """The labels of a grammar, with what an older one renames, splices and keeps as leaves.

    A grammar has at most one older form, so the grammar alone is the key.
    """
    key = (grammar.distribution, grammar.entry)
    labels = _labels_of.get(key)
    if labels is None:
        labels = _labels_of[key] = subtree_labels(grammar)
        if older is None:
            return labels
        for number, kind in enumerate(grammar.kinds):
            if kind in older.renamed:
                labels.kinds[number] = shape_hash(older.renamed[kind])
            if kind in older.spliced:
                labels.parts[number] = SILENT
            labels.uncounted[number] = kind in older.spliced or kind in older.leaves
    return labels
