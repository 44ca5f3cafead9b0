"""TSED as the packages tsed and apted compute it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from codekin.measures.base import Explanation, Score
from codekin.measures.tsed import TreeSimilarity, Tsed
from codekin.represent.tree.flat_tree import FlatTree
from codekin.represent.tree.named_tree import LabelledTree, label_id, named_tree
from codekin.represent.tree.subtrees import is_printable
from codekin.source import Source

__all__ = ["AptedTsed", "PackageTsed"]

_NO_LIMIT = 2**62
_STATEMENT, _TUPLE = "expression_statement", "tuple_expression"


@dataclass(frozen=True, kw_only=True, repr=False)
class _Package(TreeSimilarity):
    compat: ClassVar[str | None]

    def _tree(self, source: Source) -> tuple[LabelledTree, int]:
        """The tree, and its size as the package counts it."""
        raise NotImplementedError

    def _pair(self, candidate: Source, reference: Source) -> Score:
        (a, first), (b, second) = self._tree(candidate), self._tree(reference)
        edit = self._distance(a, b, _NO_LIMIT, _NO_LIMIT)
        return self._similarity(candidate, reference, (first, second), edit)

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Explain the default form with the same costs."""
        default = Tsed(delete=self.delete, insert=self.insert, rename=self.rename)
        return default.explain(candidate, reference)


@dataclass(frozen=True, kw_only=True, repr=False)
class AptedTsed(_Package):
    """Tree edit distance as the package apted 1.0.3 computes it, on named nodes.

    It differs from the default where it is pinned: always exact, macros not expanded, the first
    grammar of a language, no special case for empty texts, and Python's trees as the grammar of
    tree-sitter-language-pack 0.13 has them (no nodes for expression statements).
    """

    name: ClassVar[str] = "tsed"
    compat: ClassVar[str | None] = "apted"
    summary: ClassVar[str] = "tree edit distance as the package apted 1.0.3 computes it"

    def _tree(self, source: Source) -> tuple[LabelledTree, int]:
        def make() -> LabelledTree:
            tree = source.first_tree
            labelled = named_tree(tree)
            if source.language.name != "python":
                return labelled
            return _without_statements(labelled, _is_tuple(tree))

        labelled = source.remember("apted tree", make)
        return labelled, len(labelled)


@dataclass(frozen=True, kw_only=True, repr=False)
class PackageTsed(_Package):
    """TSED as the package tsed 0.1.0 computes it, on the trees that it saw.

    The package reads its tree back from tree-sitter's printed form. Field names stand outside the
    parentheses of the child that they belong to, so the last of them becomes the parent's label;
    and a parenthesis among unreadable characters counts as one of the tree.

    Parameters
    ----------
    delete, insert, rename : float
        The package's weights; its authors take 1, 0.8 and 1.
    """

    name: ClassVar[str] = "tsed"
    compat: ClassVar[str | None] = "tsed"
    summary: ClassVar[str] = "TSED as the package tsed 0.1.0 computes it"
    insert: float = 0.8

    def _tree(self, source: Source) -> tuple[LabelledTree, int]:
        def make() -> tuple[LabelledTree, int]:
            tree = source.first_tree
            if is_printable(tree):
                printed = str(tree.grammar.parse(source.data).root_node)
                labelled, size = _read(printed), printed.count(")")
            else:
                labelled = _labelled_by_fields(tree)
                size = len(labelled)
            if source.language.name != "python":
                return labelled, size
            is_tuple = _is_tuple(tree)
            return _without_statements(labelled, is_tuple), size - is_tuple.count(False)

        return source.remember("printed tree", make)


def _is_tuple(tree: FlatTree) -> list[bool]:
    """For each of Python's expression statements, in order, whether commas make it a tuple."""
    kinds = tree.grammar.kind_numbers.get(_STATEMENT, [])
    statements = np.flatnonzero(np.isin(tree.kind, kinds)).tolist()
    return [len(tree.children(node)) > 1 for node in statements]


def _without_statements(tree: LabelledTree, is_tuple: list[bool]) -> LabelledTree:
    """Drop the nodes of expression statements; those with commas become tuple expressions."""
    statement, tuple_label = label_id(_STATEMENT), label_id(_TUPLE)
    labels, parents, nodes = tree.labels.tolist(), tree.parents.tolist(), tree.nodes.tolist()
    new_index: list[int] = []
    kept: list[tuple[int, int, int]] = []
    flags: Iterator[bool] = iter(is_tuple)
    for label, parent, node in zip(labels, parents, nodes, strict=True):
        above = new_index[parent] if parent >= 0 else -1
        if label == statement:
            if not next(flags):
                new_index.append(above)
                continue
            label = tuple_label  # noqa: PLW2901
        new_index.append(len(kept))
        kept.append((label, above, node))
    columns = np.array(kept, dtype=np.int32).reshape(-1, 3).T
    return LabelledTree(*(np.ascontiguousarray(c) for c in columns))


def _labelled_by_fields(tree: FlatTree) -> LabelledTree:
    """What reading the printed tree comes to, where no unreadable characters are printed."""
    labelled = named_tree(tree)
    labels = labelled.labels.copy()
    fields = tree.field[labelled.nodes].tolist()
    for field, parent in zip(fields, labelled.parents.tolist(), strict=True):
        if field and parent >= 0:
            labels[parent] = label_id(f"{tree.grammar.fields[field]}:")
    return LabelledTree(labels, labelled.parents, labelled.nodes)


def _read(printed: str) -> LabelledTree:
    """Read a printed tree as the package does: the last word seen in a node is its label."""
    labels: list[str] = [""]
    children: list[list[int]] = [[]]
    ancestors: list[int] = []
    current = -1
    for word in printed.replace("(", " ( ").replace(")", " ) ").split():
        if word == "(":
            if current >= 0:
                ancestors.append(current)
            current = len(labels)
            labels.append("")
            children.append([])
        elif word == ")":
            if ancestors:
                parent = ancestors.pop()
                children[parent].append(current)
                current = parent
        else:
            current = max(current, 0)
            labels[current] = word
    return _preorder(labels, children, max(current, 0))


def _preorder(labels: list[str], children: list[list[int]], root: int) -> LabelledTree:
    numbers: list[int] = []
    parents: list[int] = []
    pending = [(root, -1)]
    while pending:
        node, parent = pending.pop()
        index = len(numbers)
        numbers.append(label_id(labels[node]))
        parents.append(parent)
        pending.extend((child, index) for child in reversed(children[node]))
    nodes = np.zeros(len(numbers), dtype=np.int32)
    return LabelledTree(np.array(numbers, dtype=np.int32), np.array(parents, dtype=np.int32), nodes)
