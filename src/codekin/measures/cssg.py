"""cssg: similarity of semantic graphs by graph edit distance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from codekin.align.graph_edit import DEFAULT_STEPS
from codekin.errors import CodekinError
from codekin.languages import Language, languages
from codekin.measures.base import Explanation, Measure, Score, Span, check_choice, check_range
from codekin.measures.graph_costs import costs_word
from codekin.measures.graph_match import ComparableGraph, GraphMatch, comparable_graph, match_graphs
from codekin.measures.highlight import spans_of_tokens
from codekin.represent.flow.flow_ir import OperationKind
from codekin.represent.graph.building import graph_options
from codekin.represent.graph.export import excerpt
from codekin.represent.graph.parts import ROOT, EdgeKind
from codekin.represent.graph.semantic_graph import SemanticGraph
from codekin.source import Source

__all__ = ["Cssg", "edit_summary", "explain_match", "node_levels", "node_words", "token_levels"]

_MOST = 8
"""How many of each are listed; the picture shows all."""
_LONGEST = 40
_I64 = npt.NDArray[np.int64]
_Levels = npt.NDArray[np.float64]


def explain_match(match: GraphMatch, candidate: Source, reference: Source) -> Explanation:
    """Explain an edit of one semantic graph into another, in words and in both texts.

    Parameters
    ----------
    match : GraphMatch
    candidate, reference : Source
        The texts of its graphs.
    """
    levels = node_levels(match)
    return Explanation(
        f"{edit_summary(match)} The more of an operation's edges are kept, the darker its code.",
        _node_spans(candidate, match.candidate.graph, levels[0]),
        _node_spans(reference, match.reference.graph, levels[1]),
        candidate.text,
        reference.text,
        details=tuple(_details(match)),
    )


def edit_summary(match: GraphMatch) -> str:
    """What an edit keeps and costs, and what is proven about it."""
    counts = match.counts
    exact = match.lower == match.upper
    edit = "The cheapest edit" if exact else "The cheapest edit found"
    if match.candidate.costs.is_unit:
        proven = "proven to be the fewest" if exact else f"where {match.lower:,} or more are needed"
        price = f"takes {match.upper:,} insertions and deletions, {proven}"
    else:
        proven = "proven to be the least" if exact else f"where {match.lower:,} or more is needed"
        price = f"costs {match.upper:,}, {proven}, of the {match.size:,} that both graphs cost"
    return (
        f"{edit} of one graph into the other keeps {counts['matched_nodes']:,} of "
        f"{counts['nodes']:,} and {counts['reference_nodes']:,} nodes and "
        f"{counts['preserved_edges']:,} of {counts['edges']:,} and "
        f"{counts['reference_edges']:,} edges, and {price}."
    )


def node_levels(match: GraphMatch) -> tuple[_Levels, _Levels]:
    """The share of each node of both graphs that is kept: itself and its edges.

    0 for an unmatched node, 1 for a node matched with all its edges.
    """
    graphs = match.candidate.graph, match.reference.graph
    found = []
    for side, (graph, kept) in enumerate(zip(graphs, match.kept_edges, strict=True)):
        ends = np.concatenate((graph.source, graph.target))
        edges = np.bincount(ends, minlength=len(graph))
        held = np.bincount(ends, weights=np.tile(kept, 2), minlength=len(graph))
        levels = np.zeros(len(graph))
        matched = match.pairs[:, side]
        levels[matched] = (1 + held[matched]) / (1 + edges[matched])
        found.append(levels)
    return found[0], found[1]


def _node_spans(source: Source, graph: SemanticGraph, levels: _Levels) -> tuple[Span, ...]:
    """Spans of the tokens whose node is matched."""
    return spans_of_tokens(source.tokens, token_levels(source, graph, levels))


def token_levels(source: Source, graph: SemanticGraph, levels: _Levels) -> list[float]:
    """The level of each token's operation.

    Parameters
    ----------
    source : Source
    graph : SemanticGraph
        That of the source.
    levels : array of float
        By node, as from :func:`node_levels`.
    """
    tokens = source.tokens
    if not len(tokens.starts):
        return []
    owner = _owners(graph, tokens.starts.astype(np.int64), tokens.ends.astype(np.int64))
    return [round(level, 3) for level in levels[owner].tolist()]


def _owners(graph: SemanticGraph, starts: _I64, ends: _I64) -> _I64:
    """The innermost operation around each token.

    A token outside all operations, such as ``if``, gets the next operation on its line, or else the
    one before; if the line has none, the function.
    """
    owner = np.zeros(len(starts), dtype=np.int64)
    size = graph.end - graph.start
    for node in np.lexsort((np.arange(len(graph)), -size)).tolist():
        first = np.searchsorted(starts, graph.start[node])
        last = np.searchsorted(ends, graph.end[node], side="right")
        owner[first:last] = node
    is_whole = (graph.kind == ROOT) | (graph.kind == OperationKind.ENTRY)
    lines = graph.positions.lines_of(starts.astype(np.int32))
    inner = np.flatnonzero(~is_whole & (graph.kind != OperationKind.PARAMETER))
    inner = inner[np.argsort(graph.start[inner], kind="stable")]
    if not len(inner):
        return owner
    after = np.searchsorted(graph.start[inner], starts)
    for token in np.flatnonzero(is_whole[owner] & (graph.lines[owner] != lines)).tolist():
        for place in (after[token], after[token] - 1):
            if 0 <= place < len(inner) and graph.lines[inner[place]] == lines[token]:
                owner[token] = inner[place]
                break
    return owner


def node_words(graph: SemanticGraph, index: int) -> str:
    """A node in a few words: its line and its code."""
    node = graph.node(index)
    if not node.text:
        return node.label
    return f"{node.line} {excerpt(' '.join(node.text.split()), _LONGEST)}"


def _details(match: GraphMatch) -> Iterator[tuple[str, str]]:
    one, other = match.candidate.graph, match.reference.graph
    pairs = match.pairs.tolist()
    changed = [(a, b) for a, b in pairs if one.node(a).text.split() != other.node(b).text.split()]
    yield from _listed(
        "matched, written differently",
        [f"{node_words(one, a)} ↔ {node_words(other, b)}" for a, b in changed],
    )
    for side, (graph, name) in enumerate(((one, "candidate"), (other, "reference"))):
        alone = np.setdiff1d(np.arange(len(graph)), match.pairs[:, side]).tolist()
        yield from _listed(f"only in the {name}", [node_words(graph, node) for node in alone])
    for side, (graph, name) in enumerate(((one, "candidate"), (other, "reference"))):
        matched = np.zeros(len(graph), dtype=bool)
        matched[match.pairs[:, side]] = True
        lost = ~match.kept_edges[side] & matched[graph.source] & matched[graph.target]
        yield from _listed(
            f"edges of matched operations, only in the {name}",
            [_edge_words(graph, edge) for edge in np.flatnonzero(lost).tolist()],
        )


def _edge_words(graph: SemanticGraph, edge: int) -> str:
    ends = (node_words(graph, int(end[edge])) for end in (graph.source, graph.target))
    return f"{EdgeKind(int(graph.edge_kind[edge])).name.lower()} {' → '.join(ends)}"


def _listed(name: str, items: list[str]) -> Iterator[tuple[str, str]]:
    if items:
        more = f"; {len(items) - _MOST:,} more" if len(items) > _MOST else ""
        yield name, "; ".join(items[:_MOST]) + more


@dataclass(frozen=True, kw_only=True, repr=False)
class Cssg(Measure):
    r"""1 - graph edit distance / nodes and edges of both semantic graphs [1]_.

    The graphs describe what programs do: operations, the values they pass on, the conditions they
    depend on, and calls. The roots match each other, functions match by name, operations by label;
    inserting or deleting a node or an edge costs 1. For most programs the distance is proven within
    a budget of `steps`; otherwise ``score.bounds`` holds the proven bounds, and the value is the
    lower one. A graph with too many edges is incomplete; then the value is based on the edges
    found, and nothing is proven: the bounds are 0 and 1.

    Parameters
    ----------
    labels : str
        What matching operations must share: ``"operator"``, ``"operator+literal"``, ``"category"``
        or ``"type"``.
    literals : bool
        Whether constants are operations.
    granularity : str
        ``"operation"``, or ``"statement"``: one node per statement.
    functions : str
        ``"name"``, or ``"any"``: functions match regardless of their names.
    edges : str
        ``"merged"``: all edges from one node to another count as one. ``"typed"``: each kind is a
        separate edge, and a changed kind costs 1.
    costs : str or mapping of str to int
        ``"unit"``: every insertion and deletion costs 1, as in the paper. ``"learned"``: costs
        learned from right and wrong programs. Or the costs of classes of nodes and of kinds of
        edges by name; what is not named costs 1: ``{"call": 3, "data-edge": 2}``, or
        ``"call:3+data-edge:2"``. The distance is then divided by what all nodes and edges cost.
    preset : str, optional
        ``"joern"``: graphs by the conventions of Joern, which the paper used.
    steps : int
        The budget of the search.

    References
    ----------
    .. [1] Lu et al., "CSSG: Measuring code similarity with semantic graphs".

    Examples
    --------
    >>> from codekin import measure
    >>> one = "def f(x):\n    y = x + 1\n    return y\n"
    >>> other = "def f(a):\n    b = a + 1\n    return a\n"
    >>> score = measure("cssg").score(one, other, language="python")
    >>> round(score.value, 4), score.exact, score.parts["distance"]
    (0.9286, True, 2)
    """

    name: ClassVar[str] = "cssg"
    summary: ClassVar[str] = "1 - graph edit distance / nodes and edges of both semantic graphs"
    symmetric: ClassVar[bool] = True
    labels: str = "operator"
    literals: bool = False
    granularity: str = "operation"
    functions: str = "name"
    edges: str = "merged"
    costs: str = "unit"
    preset: str | None = None
    steps: int = DEFAULT_STEPS

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "costs", costs_word(self.costs))
        except CodekinError as error:
            raise CodekinError(f"{self.name}: {error}") from None
        super().__post_init__()
        try:
            graph_options(**self._graph_options)
        except CodekinError as error:
            raise CodekinError(f"{self.name}: {error}") from None
        check_choice(self.name, "functions", self.functions, ("name", "any"))
        check_choice(self.name, "edges", self.edges, ("merged", "typed"))
        check_range(self.name, "steps", self.steps, 0, 2**62)

    def ignores_comments(self) -> bool:
        """True: comments are not operations."""
        return True

    def suits(self, language: Language) -> bool:
        """Whether codekin builds semantic graphs for a language."""
        return language.lowering is not None

    @property
    def _graph_options(self) -> dict[str, Any]:
        return {
            "labels": self.labels,
            "literals": self.literals,
            "granularity": self.granularity,
            "preset": self.preset,
        }

    def _graph(self, source: Source) -> ComparableGraph:
        if source.language.lowering is None:
            known = ", ".join(one.name for one in languages() if one.lowering is not None)
            raise CodekinError(
                f"no semantic graphs for {source.language.title}, which cssg compares, only for "
                f"{known}; ruby, kin and tsed compare any code"
            )
        return comparable_graph(
            source,
            functions=self.functions,
            typed=self.edges == "typed",
            costs=self.costs,
            **self._graph_options,
        )

    def match(self, candidate: Source, reference: Source) -> GraphMatch:
        """The edit behind the score: which nodes match, and which do not.

        Parameters
        ----------
        candidate, reference : Source
        """
        typed = self.edges == "typed"
        one, other = self._graph(candidate), self._graph(reference)
        return match_graphs(one, other, typed=typed, steps=self.steps)

    def _pair(self, candidate: Source, reference: Source) -> Score:
        match = self.match(candidate, reference)
        value, (low, high) = match.value, match.bounds
        parts = match.counts
        if match.candidate.is_empty != match.reference.is_empty:
            # An empty text still has a root, but matches no other text.
            value = low = high = 0.0
            parts = parts | {"distance": match.size, "lower_bound": match.size}
        return Score(self, value, parts, candidate, reference, bounds=(low, high))

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Shade the code of the operations that the edit keeps, and list the others."""
        return explain_match(self.match(candidate, reference), candidate, reference)
