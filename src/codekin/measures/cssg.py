"""cssg: similarity of semantic graphs by graph edit distance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from codekin.align.graph_edit import DEFAULT_STEPS
from codekin.errors import CodekinError
from codekin.graphs import graph_options
from codekin.languages import Language, languages
from codekin.measures.base import Explanation, Measure, Score, check_choice, check_range
from codekin.measures.graph_explanation import explain_match
from codekin.measures.graph_match import ComparableGraph, GraphMatch, comparable_graph, match_graphs
from codekin.source import Source

__all__ = ["Cssg"]


@dataclass(frozen=True, kw_only=True, repr=False)
class Cssg(Measure):
    r"""1 - graph edit distance / nodes and edges of both semantic graphs [1]_.

    The graphs hold what the programs do: operations, the values they hand on, what decides whether
    they run, and calls. The roots match each other, functions those of the same name, operations
    those of the same label; to insert or delete a node or an edge costs 1. The distance is proven
    within a budget of `steps` for most programs; otherwise ``score.bounds`` holds what is proven,
    and the value is the lower bound. A graph with too many edges is not complete; then the value is
    that of the edges that are there, and nothing is proven: the bounds are 0 and 1.

    Parameters
    ----------
    labels : str
        What must be the same where operations match: ``"operator"``, ``"operator+literal"``,
        ``"category"`` or ``"type"``.
    literals : bool
        Whether constants are operations.
    granularity : str
        ``"operation"``, or ``"statement"``: the operations of a statement as one.
    functions : str
        ``"name"``, or ``"any"``: functions match whatever they are called.
    edges : str
        ``"merged"``: all edges from one node to another are one, of whatever kinds. ``"typed"``:
        each kind is an edge, and a changed kind costs 1.
    preset : str, optional
        ``"joern"``: graphs by the conventions of Joern, which the paper took.
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
    preset: str | None = None
    steps: int = DEFAULT_STEPS

    def __post_init__(self) -> None:
        super().__post_init__()
        try:
            graph_options(**self._graph_options)
        except CodekinError as error:
            raise CodekinError(f"{self.name}: {error}") from None
        check_choice(self.name, "functions", self.functions, ("name", "any"))
        check_choice(self.name, "edges", self.edges, ("merged", "typed"))
        check_range(self.name, "steps", self.steps, 0, 2**62)

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
                f"{known}; ruby, kin and tsed compare any language"
            )
        return comparable_graph(
            source,
            functions=self.functions,
            typed=self.edges == "typed",
            **self._graph_options,
        )

    def match(self, candidate: Source, reference: Source) -> GraphMatch:
        """The edit that the score counts: which node became which, and which were lost.

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
            # An empty text still has a root; it is like no other text all the same.
            value = low = high = 0.0
            parts = parts | {"distance": match.size, "lower_bound": match.size}
        return Score(self, value, parts, candidate, reference, bounds=(low, high))

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Show the code of the operations that the edit keeps, and list what it does not."""
        return explain_match(self.match(candidate, reference), candidate, reference)
