"""tsed: similarity of syntax trees by tree edit distance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from codekin.align.tree_edit import (
    DEFAULT_MEMORY,
    DEFAULT_STEPS,
    TreeEdit,
    tree_edit_distance,
    tree_edit_mapping,
)
from codekin.measures.base import Explanation, Measure, Score, Span, check_range
from codekin.represent.text.comments import comment_nodes
from codekin.represent.tree.named_tree import LabelledTree, named_tree
from codekin.source import Source

__all__ = ["TreeSimilarity", "Tsed"]


@dataclass(frozen=True, kw_only=True, repr=False)
class TreeSimilarity(Measure):
    """Common base of the default and compatible forms: costs, budget and normalisation."""

    delete: float = 1.0
    insert: float = 1.0
    rename: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        for cost in ("delete", "insert", "rename"):
            check_range(self.name, cost, getattr(self, cost), 0, 1e9)

    def _distance(
        self, a: LabelledTree, b: LabelledTree, steps: int, memory: int = DEFAULT_MEMORY
    ) -> TreeEdit:
        return tree_edit_distance(
            (a.labels, a.parents),
            (b.labels, b.parents),
            delete=self.delete,
            insert=self.insert,
            rename=self.rename,
            steps=steps,
            memory=memory,
        )

    def _similarity(
        self, candidate: Source, reference: Source, sizes: tuple[int, int], edit: TreeEdit
    ) -> Score:
        largest = max(sizes)
        low = max(0.0, 1 - edit.upper / largest)
        high = max(0.0, 1 - edit.lower / largest)
        parts = {"distance": edit.upper, "nodes": sizes[0], "reference_nodes": sizes[1]}
        return Score(self, low, parts, candidate, reference, bounds=(low, high))


@dataclass(frozen=True, kw_only=True, repr=False)
class Tsed(TreeSimilarity):
    """1 - tree edit distance / nodes of the larger tree, over named nodes labelled by kind [1]_.

    The distance is exact within a budget of `steps`; beyond it the score is the lower of two
    bounds, and ``score.exact`` is False. Only the kinds of nodes count, not names and constants.

    Parameters
    ----------
    delete, insert, rename : float
        The costs of an edit.
    operators : bool
        Count operator tokens as nodes; otherwise ``a + b`` and ``a - b`` are equal.
    comments : bool
        Count comments and docstrings, which are nodes too.
    steps : int
        The budget, in cells of the dynamic program.

    References
    ----------
    .. [1] Song et al., "Revisiting code similarity evaluation with abstract syntax tree edit
       distance", ACL 2024.

    Examples
    --------
    >>> from codekin import measure
    >>> measure("tsed").score("a + b", "c - d", language="python").value
    1.0
    >>> measure("tsed", operators=True).score("a + b", "c - d", language="python").value < 1
    True
    """

    name: ClassVar[str] = "tsed"
    needs_tree: ClassVar[bool] = True
    summary: ClassVar[str] = "1 - tree edit distance / nodes of the larger syntax tree"
    operators: bool = False
    comments: bool = False
    steps: int = DEFAULT_STEPS

    def __post_init__(self) -> None:
        super().__post_init__()
        check_range(self.name, "steps", self.steps, 0, 2**62)

    def _tree(self, source: Source) -> LabelledTree:
        key = ("named tree", self.operators, self.comments)
        kept = source._kept.get(key)
        if kept is None:
            tree = source.expanded.tree
            without = [] if self.comments else comment_nodes(tree)
            kept = named_tree(tree, operators=self.operators, without=without)
            source._kept[key] = kept
        labelled: LabelledTree = kept
        return labelled

    def _pair(self, candidate: Source, reference: Source) -> Score:
        a, b = self._tree(candidate), self._tree(reference)
        sizes = (len(a), len(b))
        if bool(candidate.text.strip()) != bool(reference.text.strip()):
            # An empty text still has a root, but matches no other text.
            edit = TreeEdit(max(sizes), max(sizes), True, 0)
        else:
            edit = self._distance(a, b, self.steps)
        return self._similarity(candidate, reference, sizes, edit)

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Shade the leaves of the nodes that an optimal edit keeps."""
        a, b = self._tree(candidate), self._tree(reference)
        mapping = tree_edit_mapping(
            (a.labels, a.parents),
            (b.labels, b.parents),
            delete=self.delete,
            insert=self.insert,
            rename=self.rename,
            steps=self.steps,
        )
        pairs = mapping.pairs
        kept = [(i, j) for i, j in pairs if a.labels[i] == b.labels[j]]
        renamed = [(i, j) for i, j in pairs if a.labels[i] != b.labels[j]]
        names = candidate.expanded.tree.kind_name
        others = reference.expanded.tree.kind_name
        details = [
            ("renamed", f"{names(int(a.nodes[i]))} to {others(int(b.nodes[j]))}")
            for i, j in renamed[:6]
        ]
        return Explanation(
            f"An optimal edit keeps {len(kept)} nodes, renames {len(renamed)}, deletes "
            f"{len(a) - len(pairs)} of the candidate's and inserts {len(b) - len(pairs)} of the "
            "reference's; the code of kept nodes is shaded.",
            _node_spans(candidate.expanded, a, {i for i, _ in kept}),
            _node_spans(reference.expanded, b, {j for _, j in kept}),
            candidate.expanded.text,
            reference.expanded.text,
            details=tuple(details),
        )


def _node_spans(source: Source, tree: LabelledTree, kept: set[int]) -> tuple[Span, ...]:
    """Spans of the tokens whose nearest node of the labelled tree is kept."""
    flat = source.tree
    owner = np.full(len(flat), -1, dtype=np.int64)
    for i, node in enumerate(tree.nodes.tolist()):  # preorder: the innermost node writes last
        owner[node : node + int(flat.size[node])] = i
    spans: list[Span] = []
    leaves = np.flatnonzero(flat.size == 1).tolist()
    for leaf in leaves:
        start, end = int(flat.start[leaf]), int(flat.end[leaf])
        if end > start and int(owner[leaf]) in kept:
            begin = source.positions.characters(start)
            stop = source.positions.characters(end)
            if spans and not source.text[spans[-1].end : begin].strip():
                spans[-1] = Span(spans[-1].start, stop)
            else:
                spans.append(Span(begin, stop))
    return tuple(spans)
