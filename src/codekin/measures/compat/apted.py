"""Tree edit distance as the package apted computes it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from codekin.measures.base import Explanation, Score
from codekin.measures.tsed import TreeSimilarity, Tsed
from codekin.represent.tree.flat_tree import FlatTree
from codekin.represent.tree.named_tree import LabelledTree, label_id, named_tree
from codekin.source import Source

__all__ = ["AptedTsed", "PackageForm", "is_tuple", "without_statements"]

_NO_LIMIT = 2**62
_STATEMENT, _TUPLE = "expression_statement", "tuple_expression"


@dataclass(frozen=True, kw_only=True, repr=False)
class PackageForm(TreeSimilarity, ABC):
    """Common base of both packages: exact distances, and sizes as they count them."""

    compat: ClassVar[str | None]

    @abstractmethod
    def _tree(self, source: Source) -> tuple[LabelledTree, int]:
        """The tree, and its size as the package counts it."""

    def _pair(self, candidate: Source, reference: Source) -> Score:
        (a, first), (b, second) = self._tree(candidate), self._tree(reference)
        edit = self._distance(a, b, _NO_LIMIT, _NO_LIMIT)
        return self._similarity(candidate, reference, (first, second), edit)

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Explain the default form with the same costs."""
        default = Tsed(delete=self.delete, insert=self.insert, rename=self.rename)
        return default.explain(candidate, reference)


@dataclass(frozen=True, kw_only=True, repr=False)
class AptedTsed(PackageForm):
    """Tree edit distance as the package apted 1.0.3 computes it, on named nodes.

    It differs from the default: always exact, macros not expanded, the first grammar of a language,
    no special case for empty texts, and Python trees as in the grammar of tree-sitter-language-pack
    0.13 (no nodes for expression statements).
    """

    name: ClassVar[str] = "tsed"
    compat: ClassVar[str | None] = "apted"
    needs_tree: ClassVar[bool] = True
    summary: ClassVar[str] = "tree edit distance as the package apted 1.0.3 computes it"

    def _tree(self, source: Source) -> tuple[LabelledTree, int]:
        def make() -> LabelledTree:
            tree = source.first_tree
            labelled = named_tree(tree)
            if source.language.name != "python":
                return labelled
            return without_statements(labelled, is_tuple(tree))

        labelled = source.remember("apted tree", make)
        return labelled, len(labelled)


def is_tuple(tree: FlatTree) -> list[bool]:
    """Whether each Python expression statement, in order, is a tuple because of its commas."""
    kinds = tree.grammar.kind_numbers.get(_STATEMENT, [])
    statements = np.flatnonzero(np.isin(tree.kind, kinds)).tolist()
    return [len(tree.children(node)) > 1 for node in statements]


def without_statements(tree: LabelledTree, tuples: list[bool]) -> LabelledTree:
    """Drop the nodes of expression statements; those with commas become tuple expressions."""
    statement, tuple_label = label_id(_STATEMENT), label_id(_TUPLE)
    labels, parents, nodes = tree.labels.tolist(), tree.parents.tolist(), tree.nodes.tolist()
    new_index: list[int] = []
    kept: list[tuple[int, int, int]] = []
    flags: Iterator[bool] = iter(tuples)
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
