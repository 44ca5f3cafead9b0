"""codebleu: n-grams, keywords, subtrees and data flow that the candidate shares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from codekin import _native
from codekin.measures.base import Explanation
from codekin.measures.bleu import closest_length, explain_ngrams
from codekin.measures.codebleu_compat import CodeBleuParts
from codekin.represent.code_view import KEYWORD_WEIGHT, ORDER, CodeView
from codekin.represent.flow.dataflow import dataflow
from codekin.represent.flow.flow_rules import FlowRules
from codekin.represent.flow.language_flow_rules import FLOW_RULES
from codekin.represent.text.comments import docstring_nodes
from codekin.represent.tree.subtrees import Subtrees, subtrees
from codekin.source import Source

__all__ = ["CodeBleu"]

_SHOWN = 8
_NO_RULES = FlowRules({}, {})


@dataclass(frozen=True, kw_only=True, repr=False)
class CodeBleu(CodeBleuParts):
    """CodeBLEU over code tokens, syntax trees and data flow.

    The weighted mean of four parts [1]_: BLEU; BLEU that counts what share of the reference's
    n-grams the candidate has, keywords five times as much as other tokens; the share of the
    reference's subtrees that the candidate has; and the share of its data-flow edges. A part that
    the reference has nothing of is left out, and so are the last two where candidate and
    reference are not in one language.

    Parameters
    ----------
    weights : tuple of four floats
        Of the parts, in this order.
    comments : bool
        Whether comments and docstrings count.

    References
    ----------
    .. [1] Ren et al., "CodeBLEU: a method for automatic evaluation of code synthesis", 2020.

    Examples
    --------
    >>> from codekin import measure
    >>> score = measure("codebleu").score("y = a + b", "x = a - b", language="python")
    >>> {name: round(part, 3) for name, part in score.parts.items()}
    {'ngram': 0.122, 'weighted_ngram': 0.122, 'syntax': 1.0, 'dataflow': 1.0}
    >>> round(score.value, 3)
    0.561
    """

    name: ClassVar[str] = "codebleu"
    summary: ClassVar[str] = "n-grams, keywords, subtrees and data flow, a quarter each"
    comments: bool = False

    def statistics(self, candidate: Source, references: Sequence[Source]) -> list[int]:
        """Lengths and counts of the four parts, in the order in which they are read back."""
        comments = self.comments
        mine = code_view(candidate, comments)
        if len(references) == 1:
            return _pair_statistics(mine, code_view(references[0], comments))
        pool = [code_view(reference, comments) for reference in references]
        counts = [_pair_statistics(mine, other) for other in pool]
        total = [sum(column) for column in zip(*counts, strict=True)]
        # Precision takes each n-gram from the reference that has it most; the rest adds up.
        total[0] = len(mine.ids)
        total[1] = closest_length(len(mine.ids), [len(other.ids) for other in pool])
        total[2:10] = _native.clipped_matches(mine.ids, [other.ids for other in pool], ORDER)
        return total

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
            ours, other = (code_view(s, self.comments) for s in (candidate, reference))
            readable = reference.expanded
            details = _missing_subtrees(ours, other, readable)
            details += _missing_edges(ours, other, readable)
        summary = f"The parts are {parts}. {shaded.summary}"
        return replace(shaded, summary=summary, details=tuple(details))


def code_view(source: Source, comments: bool) -> CodeView:
    """What CodeBLEU looks at in a source, kept with it."""
    kept = source._kept.get(("code view", comments))  # inlined `remember`: this path is hot
    if kept is None:
        kept = source._kept["code view", comments] = _make_view(source, comments)
    view: CodeView = kept
    return view


def _make_view(source: Source, comments: bool) -> CodeView:
    # A tree without the errors that macros make says more; the tokens stay those of the text.
    readable, language = source.expanded, source.language
    tree = readable.tree

    def shapes() -> Subtrees:
        return subtrees(tree, docstring_nodes(tree), comments=comments)

    return CodeView.of_tokens(
        language.name,
        source.tokens_with(comments=comments),
        shapes,
        lambda: dataflow(tree, readable.data, FLOW_RULES.get(language.name, _NO_RULES)),
    )


def _pair_statistics(mine: CodeView, other: CodeView) -> list[int]:
    """Two lengths; matches and n-grams; the same weighted, of the reference; subtrees; edges."""
    counts = _native.merge_matches(mine.grams, other.grams)
    if mine.language == other.language:
        heavy, keywords, *structure = _native.shared_bags(mine.bags, other.bags)
    else:
        heavy, _, keywords = _native.sorted_overlap(mine.keywords, other.keywords)
        structure = [0, 0, 0, 0]
    length = counts[1]
    # With one reference, the n-grams that are precise are those that are recalled.
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


def _missing_subtrees(mine: CodeView, other: CodeView, reference: Source) -> list[tuple[str, str]]:
    """The smallest subtrees of the reference that the candidate lacks."""
    left = Counter(mine.shapes.tolist())
    missing = []
    for shape, node in zip(other.shapes.tolist(), other.subtrees.nodes.tolist(), strict=True):
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


def _missing_edges(mine: CodeView, other: CodeView, reference: Source) -> list[tuple[str, str]]:
    left = Counter(mine.items.tolist())
    missing = []
    for item, edge in zip(other.flow.items.tolist(), other.flow.edges(), strict=True):
        left[item] -= 1
        if left[item] < 0:
            line = reference.positions.line_column(edge.start)[0]
            missing.append(f"{edge} (line {line})")
    return [("data flow that the candidate lacks", _first(missing))] if missing else []


def _first(found: list[str]) -> str:
    more = f"  and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return "  ".join(found[:_SHOWN]) + more
