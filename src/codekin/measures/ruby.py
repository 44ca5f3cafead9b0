"""ruby: similarity of graphs if both texts have one, else of trees, else of token sequences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from codekin.align.graph_edit import DEFAULT_STEPS
from codekin.measures.base import Explanation, Measure, Score, check_range
from codekin.measures.cssg import Cssg
from codekin.measures.edit import EditSimilarity
from codekin.measures.tsed import Tsed
from codekin.source import Source

__all__ = ["Ruby"]

_GRAPH, _TREE, _TOKENS = 3, 2, 1
_MOST_UNREAD = 0.5
"""The largest share of unreadable tokens in a usable tree."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Ruby(Measure):
    """1 - edit distance / sizes, of the richest representation that both texts have [1]_.

    Graphs, for texts without syntax errors that do something, in languages with semantic graphs: 1
    - graph edit distance / nodes and edges of both. Else trees, for texts with at most half of
    their tokens in syntax errors: 1 - tree edit distance / nodes of both. Else tokens: 1 - edit
    distance / the larger number of tokens. ``score.parts["level"]`` is 3 for graphs, 2 for trees, 1
    for tokens.

    Parameters
    ----------
    steps : int
        The budget of the graph search.

    References
    ----------
    .. [1] Tran, Tran, Nguyen, Nguyen and Nguyen, "Does BLEU metric apply for automatic code
       migration?", ICPC 2019.

    Examples
    --------
    >>> from codekin import measure
    >>> score = measure("ruby").score("x = f(1)", "x = g(1)", language="python")
    >>> round(score.value, 4), score.parts["level"]
    (0.625, 3)
    >>> measure("ruby").score("x = f(1", "x = f(1)", language="python").parts["level"]
    1
    """

    name: ClassVar[str] = "ruby"
    needs_tree: ClassVar[bool] = True
    summary: ClassVar[str] = "1 - edit distance / sizes, of graphs, else trees, else tokens"
    symmetric: ClassVar[bool] = True
    steps: int = DEFAULT_STEPS

    def __post_init__(self) -> None:
        super().__post_init__()
        check_range(self.name, "steps", self.steps, 0, 2**62)

    def ignores_comments(self) -> bool:
        """True: graphs, trees and tokens are without comments."""
        return True

    @property
    def _graphs(self) -> Cssg:
        return Cssg(steps=self.steps)

    def _pair(self, candidate: Source, reference: Source) -> Score:
        level = min(_level(candidate), _level(reference))
        if level == _GRAPH:
            inner = self._graphs.score(candidate, reference)
            value, bounds = inner.value, inner.bounds
        elif level == _TREE:
            # Bounds beyond the budget may depend on the order; the score must not.
            first, second = sorted((candidate, reference), key=lambda s: (s.text, s.language.name))
            inner = _TREES.score(first, second)
            value, bounds = _of_both(inner)
        else:
            inner = _SEQUENCES.score(candidate, reference)
            value, bounds = inner.value, inner.bounds
        filled = [len(source.tokens) > 0 for source in (candidate, reference)]
        if not all(filled):  # an empty text still has a tree, but matches no other text
            value = 0.0 if any(filled) else 1.0
            bounds = value, value
        distance = inner.parts["distance"] if any(filled) else 0
        parts = {"level": level, "distance": distance}
        return Score(self, value, parts, candidate, reference, bounds=bounds)

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Explain the score of the level used."""
        level = min(_level(candidate), _level(reference))
        forms: dict[int, Measure] = {_GRAPH: self._graphs, _TREE: _TREES, _TOKENS: _SEQUENCES}
        return forms[level].explain(candidate, reference)


_TREES = Tsed(operators=True)
_SEQUENCES = EditSimilarity(unit="tokens")


def _of_both(score: Score) -> tuple[float, tuple[float, float]]:
    """A tree similarity that is divided by both sizes instead of the larger."""
    sizes = score.parts["nodes"], score.parts["reference_nodes"]
    low, high = (1 - (1 - bound) * max(sizes) / sum(sizes) for bound in score.bounds)
    return low, (low, high)


def _level(source: Source) -> int:
    """The level of the richest representation of a text; cached with the source."""
    return source.remember("ruby level", lambda: _richest_form(source))


def _richest_form(source: Source) -> int:
    if _unread(source) > _MOST_UNREAD:
        return _TOKENS
    if source.problems or source.language.lowering is None:
        return _TREE
    return _TREE if Cssg()._graph(source).is_empty else _GRAPH


def _unread(source: Source) -> float:
    """The share of the text's tokens in syntax errors."""
    tree, tokens = source.tree, source.tokens
    unread = np.zeros(len(tokens), dtype=bool)
    for node in tree.errors.tolist():
        first = np.searchsorted(tokens.starts, tree.start[node])
        unread[first : np.searchsorted(tokens.ends, tree.end[node], side="right")] = True
    return float(unread.mean()) if len(tokens) else 0.0
