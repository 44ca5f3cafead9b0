"""The tree of named nodes, as compared by tree edit distance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count

import numpy as np
import numpy.typing as npt

from codekin.languages.language import ERROR_KIND, Grammar
from codekin.languages.token_classes import TokenClass
from codekin.represent.tree.flat_tree import FlatTree

__all__ = ["LabelledTree", "label_id", "named_tree"]

_LABELS: defaultdict[str, int] = defaultdict(count().__next__)


def label_id(label: str) -> int:
    """The number of a label, the same in all grammars."""
    return _LABELS[label]


@dataclass(frozen=True, eq=False)
class LabelledTree:
    """A tree as preorder arrays of labels and parents.

    Attributes
    ----------
    labels : int32 array
        Numbers of labels, see :func:`label_id`.
    parents : int32 array
        Index of the parent, -1 for the root.
    nodes : int32 array
        The index of each node in the flat tree.
    """

    labels: npt.NDArray[np.int32]
    parents: npt.NDArray[np.int32]
    nodes: npt.NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.labels)


_TABLES: dict[tuple[str, str], npt.NDArray[np.int32]] = {}


def _label_table(grammar: Grammar) -> npt.NDArray[np.int32]:
    key = (grammar.distribution, grammar.entry)
    table = _TABLES.get(key)
    if table is None:
        table = np.zeros(ERROR_KIND + 1, dtype=np.int32)
        table[: len(grammar.kinds)] = [label_id(kind) for kind in grammar.kinds]
        table[ERROR_KIND] = label_id("ERROR")
        _TABLES[key] = table
    return table


def named_tree(
    tree: FlatTree, *, operators: bool = False, without: Iterable[int] = ()
) -> LabelledTree:
    """Keep the named nodes of a tree, labelled by their kind.

    Parameters
    ----------
    tree : FlatTree
        The whole tree.
    operators : bool
        Also keep operator tokens, so that ``a + b`` and ``a - b`` differ.
    without : iterable of int
        Nodes to leave out, with their descendants.
    """
    kept = tree.grammar.named[tree.kind]
    if operators:
        kept = kept | (tree.grammar.token_table[tree.kind] == TokenClass.OPERATOR)
    if without:
        kept = kept.copy()
        for node in without:
            kept[node : node + int(tree.size[node])] = False
    index = np.cumsum(kept, dtype=np.int32) - 1
    parents = tree.parent.copy()
    while True:  # an unnamed node with children is rare; climb to its named ancestor
        dropped = (parents >= 0) & ~kept[parents]
        if not dropped.any():
            break
        parents[dropped] = tree.parent[parents[dropped]]
    nodes = np.flatnonzero(kept).astype(np.int32)
    parents = parents[nodes]
    parents = np.where(parents >= 0, index[parents], np.int32(-1)).astype(np.int32)
    return LabelledTree(_label_table(tree.grammar)[tree.kind[nodes]], parents, nodes)
