"""codebleu: n-grams, keywords, subtrees and data flow that the candidate shares."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Real
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.errors import CodekinError
from codekin.languages import Language
from codekin.languages.token_classes import TokenClass
from codekin.measures.base import CorpusMeasure, Explanation
from codekin.measures.bleu import closest_length, explain_ngrams
from codekin.measures.units import Ids
from codekin.represent.graph.parts import EdgeKind
from codekin.represent.text.comments import docstring_nodes
from codekin.represent.text.plain_tokens import string_ids
from codekin.represent.text.tokens import Tokens
from codekin.represent.tree.subtrees import Subtrees, subtrees
from codekin.source import Source, semantic_graph

__all__ = ["KEYWORD_WEIGHT", "ORDER", "CodeBleu", "CodeBleuParts"]

ORDER = 4
"""CodeBLEU counts n-grams of up to four tokens."""
KEYWORD_WEIGHT = 5
"""A keyword weighs 1, another token 0.2; weighted counts are integers, in fifths."""
_SHOWN = 8


@dataclass(frozen=True, kw_only=True, repr=False)
class CodeBleuParts(CorpusMeasure):
    """Common base of both forms of CodeBLEU: the parts of a corpus."""

    weights: tuple[float, float, float, float] = (0.25, 0.25, 0.25, 0.25)

    def __post_init__(self) -> None:
        try:
            weights = tuple(self.weights)
            valid = len(weights) == 4 and all(
                isinstance(w, Real) and math.isfinite(w) and w >= 0 for w in weights
            )
        except (TypeError, OverflowError):  # not a sequence; too large for a float
            valid = False
        if not valid:
            raise CodekinError(
                f"codebleu: weights must be four numbers of at least 0, not {self.weights!r}: "
                "those of the n-gram, weighted n-gram, syntax and data-flow match"
            )
        object.__setattr__(self, "weights", weights)

    def corpus_parts(
        self,
        candidates: Sequence[Source | str],
        references: Sequence[Sequence[Source | str]],
        *,
        language: str | Language | None = None,
    ) -> dict[str, float]:
        """The value of a whole corpus as ``codebleu``, and its parts by name."""
        total = self.corpus_statistics(candidates, references, language=language)
        value, parts = self.from_statistics(total)
        return {"codebleu": value, **parts}


@dataclass(frozen=True, kw_only=True, repr=False)
class CodeBleu(CodeBleuParts):
    """CodeBLEU over code tokens, syntax trees and data flow.

    The weighted mean of four parts [1]_: BLEU; the share of the reference's n-grams that the
    candidate has, where keywords weigh five times as much as other tokens; the share of the
    reference's subtrees that the candidate has; and the share of the data edges of its semantic
    graph, by the labels of the two operations. A part that the reference lacks is left out; so are
    the last two if candidate and reference are in different languages, and the last one in a
    language without semantic graphs. The signature says where the data flow comes from:
    ``flow:graph`` or ``flow:none``.

    Parameters
    ----------
    weights : tuple of four floats
        The weights of the parts, in this order.
    comments : bool
        Whether comments and docstrings count.

    References
    ----------
    .. [1] Ren et al., "CodeBLEU: a method for automatic evaluation of code synthesis", 2020.

    Examples
    --------
    >>> from codekin import measure
    >>> score = measure("codebleu").score("y = a * b", "x = a * b", language="python")
    >>> {name: round(part, 3) for name, part in score.parts.items()}
    {'ngram': 0.76, 'weighted_ngram': 0.76, 'syntax': 1.0, 'dataflow': 1.0}
    >>> round(score.value, 3)
    0.88
    """

    name: ClassVar[str] = "codebleu"
    needs_tree: ClassVar[bool] = True
    summary: ClassVar[str] = "n-grams, keywords, subtrees and data flow, a quarter each"
    comments: bool = False

    def statistics(self, candidate: Source, references: Sequence[Source]) -> list[int]:
        """Lengths and counts of the four parts, in the order of :meth:`from_statistics`."""
        comments = self.comments
        mine = _code_view(candidate, comments)
        if len(references) == 1:
            return _pair_statistics(mine, _code_view(references[0], comments))
        pool = [_code_view(reference, comments) for reference in references]
        counts = [_pair_statistics(mine, other) for other in pool]
        total = [sum(column) for column in zip(*counts, strict=True)]
        # Precision uses the highest count of each n-gram in any reference; the rest adds up.
        total[0] = len(mine.ids)
        total[1] = closest_length(len(mine.ids), [len(other.ids) for other in pool])
        total[2:10] = _native.clipped_matches(mine.ids, [other.ids for other in pool], ORDER)
        return total

    def signature(self, *sources: Source) -> str:
        """The common line, with the source of the data flow."""
        name, rest = super().signature(*sources).split("|", 1)
        flow = "graph" if all(_has_flow(source.language) for source in sources) else "none"
        return f"{name}|flow:{flow}|{rest}"

    def from_statistics(self, statistics: Sequence[float]) -> tuple[float, dict[str, float]]:
        """The value and its parts from (summed) statistics."""
        value, ngram, weighted, syntax, flow = _native.codebleu_value(statistics, self.weights)
        parts = {"ngram": ngram, "weighted_ngram": weighted}
        if syntax >= 0:
            parts["syntax"] = syntax
        if flow >= 0:
            parts["dataflow"] = flow
        return value, parts

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Shade tokens by the longest matched n-gram; list missing subtrees and edges."""
        score = self.score(candidate, reference)
        parts = ", ".join(f"{name} {value:.3f}" for name, value in score.parts.items())
        shaded = explain_ngrams(self, candidate, reference, ORDER, self.comments)
        details: list[tuple[str, str]] = []
        if candidate.language.name == reference.language.name:
            ours, other = (_code_view(s, self.comments) for s in (candidate, reference))
            readable = reference.expanded
            details = _missing_subtrees(ours, other, readable)
            details += _missing_edges(ours, other, readable)
        summary = f"The parts are {parts}. {shaded.summary}"
        return replace(shaded, summary=summary, details=tuple(details))


@dataclass(frozen=True, eq=False)
class _Flow:
    """The data edges of a program's semantic graph, by the labels of their two ends.

    Attributes
    ----------
    items : uint64 array
        A hash per edge, equal if both labels are; different pairs of labels collide with a
        probability of about 1e-19.
    edges : int32 array, edges by 2
        The source and target of each, as nodes of the graph.
    """

    items: Ids
    edges: npt.NDArray[np.int32]


_NO_FLOW = _Flow(np.empty(0, dtype=np.uint64), np.empty((0, 2), dtype=np.int32))


@dataclass(frozen=True, eq=False)
class _CodeView:
    """What CodeBLEU sees of a program; its structure is computed only if a partner needs it."""

    language: str
    ids: Ids
    keywords: Ids
    grams: _native.SortedGrams
    _subtrees: Callable[[], Subtrees]
    _flow: Callable[[], _Flow]

    @classmethod
    def of_tokens(
        cls,
        language: str,
        tokens: Tokens,
        subtrees: Callable[[], Subtrees],
        flow: Callable[[], _Flow],
    ) -> _CodeView:
        """A view of the given tokens."""
        ids = tokens.ids
        keywords = np.sort(ids[tokens.classes == TokenClass.KEYWORD])
        return cls(language, ids, keywords, _native.SortedGrams(ids, ORDER), subtrees, flow)

    @cached_property
    def subtrees(self) -> Subtrees:
        """The subtrees that have children."""
        return self._subtrees()

    @cached_property
    def flow(self) -> _Flow:
        """The data flow."""
        return self._flow()

    @cached_property
    def bags(self) -> _native.CodeBags:
        """Keywords, subtrees and data edges as the kernel reads them."""
        return _native.CodeBags(self.keywords, self.subtrees.shapes, np.sort(self.flow.items))


def _code_view(source: Source, comments: bool) -> _CodeView:
    """What CodeBLEU sees of a source, cached with it."""
    kept = source._kept.get(("code view", comments))  # inlined `remember`: this path is hot
    if kept is None:
        kept = source._kept["code view", comments] = _make_view(source, comments)
    view: _CodeView = kept
    return view


def _make_view(source: Source, comments: bool) -> _CodeView:
    # A tree without errors caused by macros says more; the tokens are still those of the text.
    readable, language = source.expanded, source.language
    tree = readable.tree

    def shapes() -> Subtrees:
        return subtrees(tree, docstring_nodes(tree), comments=comments)

    return _CodeView.of_tokens(
        language.name,
        source.tokens_with(comments=comments),
        shapes,
        lambda: _data_edges(readable),
    )


def _has_flow(language: Language) -> bool:
    """Whether programs of a language have semantic graphs, and so data flow."""
    return language.lowering is not None


def _data_edges(source: Source) -> _Flow:
    """The data edges in the semantic graph of a source."""
    if not _has_flow(source.language):
        return _NO_FLOW
    graph = semantic_graph(source)
    data = graph.edge_kind == EdgeKind.DATA
    edges = np.column_stack((graph.source[data], graph.target[data]))
    labels = string_ids(graph.labels)[graph.label]
    return _Flow(_pair_hashes(labels[edges[:, 0]], labels[edges[:, 1]]), edges)


def _pair_hashes(first: Ids, second: Ids) -> Ids:
    """A hash of each pair of numbers: multiply, add and mix (splitmix64), modulo 2**64."""
    mixed = first * np.uint64(0x9E3779B97F4A7C15) + second
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def _pair_statistics(mine: _CodeView, other: _CodeView) -> list[int]:
    """Two lengths; matches and n-grams; the same weighted, for the reference; subtrees; edges."""
    counts = _native.merge_matches(mine.grams, other.grams)
    if mine.language == other.language:
        heavy, keywords, *structure = _native.shared_bags(mine.bags, other.bags)
    else:
        heavy, _, keywords = _native.sorted_overlap(mine.keywords, other.keywords)
        structure = [0, 0, 0, 0]
    length = counts[1]
    # With one reference, precision and recall have the same matches.
    counts += (
        counts[2] + (KEYWORD_WEIGHT - 1) * heavy,
        counts[3],
        counts[4],
        counts[5],
        length + (KEYWORD_WEIGHT - 1) * keywords,
        max(0, length - 1),
        max(0, length - 2),
        max(0, length - 3),
    )
    counts += structure
    return counts


def _missing_subtrees(
    mine: _CodeView, other: _CodeView, reference: Source
) -> list[tuple[str, str]]:
    """The smallest subtrees of the reference that the candidate lacks."""
    left = Counter(mine.subtrees.shapes.tolist())
    missing = []
    theirs = other.subtrees
    for shape, node in zip(theirs.shapes.tolist(), theirs.nodes.tolist(), strict=True):
        left[shape] -= 1
        if left[shape] < 0:
            missing.append(node)
    if not missing:
        return []
    missing.sort()
    tree = reference.tree
    smallest = [
        node
        for node, following in zip(missing, [*missing[1:], len(tree)], strict=True)
        if following >= node + int(tree.size[node])
    ]
    named = [
        f"{tree.kind_name(node)} (line {reference.positions.line_column(int(tree.start[node]))[0]})"
        for node in smallest
    ]
    return [("subtrees of the reference that the candidate lacks", _first(named))]


def _missing_edges(mine: _CodeView, other: _CodeView, reference: Source) -> list[tuple[str, str]]:
    """The data edges of the reference that the candidate lacks, from producer to consumer."""
    left = Counter(mine.flow.items.tolist())
    missing = []
    for item, (source, target) in zip(
        other.flow.items.tolist(), other.flow.edges.tolist(), strict=True
    ):
        left[item] -= 1
        if left[item] < 0:
            missing.append((source, target))
    if not missing:
        return []
    node = semantic_graph(reference).node
    shown = [
        f"{node(source).label} → {node(target).label} (line {node(target).line})"
        for source, target in missing
    ]
    return [("data flow that the candidate lacks", _first(shown))]


def _first(found: list[str]) -> str:
    more = f"  and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return "  ".join(found[:_SHOWN]) + more
