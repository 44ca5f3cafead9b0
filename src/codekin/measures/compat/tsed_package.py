"""TSED as the package tsed computes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from codekin.measures.compat.apted import PackageForm, is_tuple, without_statements
from codekin.represent.tree.flat_tree import FlatTree
from codekin.represent.tree.named_tree import LabelledTree, label_id, named_tree
from codekin.represent.tree.parsing import parse
from codekin.source import Source

__all__ = ["PackageTsed", "is_printable"]

_DEEPEST_PRINT = 2000


@dataclass(frozen=True, kw_only=True, repr=False)
class PackageTsed(PackageForm):
    """TSED as the package tsed 0.1.0 computes it, on the package's trees.

    The package reads its tree back from tree-sitter's printed form. Field names are outside the
    parentheses of their child, so the last of them becomes the parent's label; and a parenthesis
    among unreadable characters counts as one of the tree's.

    Parameters
    ----------
    delete, insert, rename : float
        The package's weights; its authors use 1, 0.8 and 1.
    """

    name: ClassVar[str] = "tsed"
    compat: ClassVar[str | None] = "tsed"
    needs_tree: ClassVar[bool] = True
    summary: ClassVar[str] = "TSED as the package tsed 0.1.0 computes it"
    insert: float = 0.8

    def _tree(self, source: Source) -> tuple[LabelledTree, int]:
        def make() -> tuple[LabelledTree, int]:
            tree = source.first_tree
            if is_printable(tree):
                printed = str(parse(tree.grammar, source.data).root_node)
                labelled, size = _read(printed), printed.count(")")
            else:
                labelled = _labelled_by_fields(tree)
                size = len(labelled)
            if source.language.name != "python":
                return labelled, size
            tuples = is_tuple(tree)
            return without_statements(labelled, tuples), size - tuples.count(False)

        return source.remember("printed tree", make)


def is_printable(tree: FlatTree) -> bool:
    """Whether tree-sitter can print the tree: it recurses, and crashes on deep trees."""
    depths: list[int] = []
    for parent in tree.parent.tolist():
        depth = depths[parent] + 1 if parent >= 0 else 0
        if depth > _DEEPEST_PRINT:
            return False
        depths.append(depth)
    return True


def _labelled_by_fields(tree: FlatTree) -> LabelledTree:
    """The result of reading the printed tree, if no unreadable characters are printed."""
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
