"""Trees read back from tree-sitter's printed form, as the package tsed reads them."""

from __future__ import annotations

import numpy as np

from codekin.represent.named_tree import LabelledTree, label_id
from codekin.source import Source

__all__ = ["sexp_tree"]


def sexp_tree(source: Source) -> tuple[LabelledTree, int]:
    """The tree in which the last word before a node's end is its label, and its printed size.

    Field names stand outside the parentheses of the child they belong to, so they relabel the
    parent. A parenthesis among unreadable characters counts as one of the tree.
    """

    def read() -> tuple[LabelledTree, int]:
        grammar = source.language.grammars[0]
        printed = str(grammar.parse(source.data).root_node)
        return _read(printed), printed.count(")")

    return source.remember("printed tree", read)


def _read(printed: str) -> LabelledTree:
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
            if current < 0:
                current = 0
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
    return LabelledTree(
        np.array(numbers, dtype=np.int32),
        np.array(parents, dtype=np.int32),
        np.zeros(len(numbers), dtype=np.int32),
    )
