"""Why kin gives two programs its score: the features that weigh most, and where they stand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from codekin import _native
from codekin.measures.explanation import Explanation, Span
from codekin.measures.feature_rows import FeatureVector
from codekin.measures.highlight import spans_of_tokens
from codekin.represent.feature_names import graph_names, token_names
from codekin.represent.features import Family, ProgramParts, feature_bags
from codekin.represent.semantic_graph import SemanticGraph
from codekin.represent.tokens import Tokens
from codekin.source import Source

__all__ = ["Side", "explain_features"]

SHOWN = 8
"""Features of a list; the rest weigh less."""
_NOTATION = (
    "a ← b, c: a has its data from b and c; a → b: a gives its data to b; a if b: b decides "
    "whether a runs; `a`: a token; %: of the weight of the list"
)
_SHADES = 20
"""More would tear spans apart that look the same."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two programs: its text, what its features are taken from, and their weights."""

    source: Source
    parts: ProgramParts
    vector: FeatureVector


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A feature where it stands: its name, tokens and weight, and whether both programs have it."""

    name: str
    tokens: list[int]
    weight: int
    shared: bool


def explain_features(candidate: Side, reference: Side, value: float) -> Explanation:
    """Shade each token by the share of its features' weight that the other program has too."""
    mine, theirs = _occurrences(candidate, reference), _occurrences(reference, candidate)
    details = (
        ("shared", _listed(one for one in mine if one.shared)),
        ("only in the candidate", _listed(one for one in mine if not one.shared)),
        ("only in the reference", _listed(one for one in theirs if not one.shared)),
        ("to read them", _NOTATION if mine or theirs else ""),
    )
    shared = sum(one.shared for one in mine)
    return Explanation(
        f"The candidate has {len(mine)} features, the reference {len(theirs)}, and {shared} are "
        f"shared; weighed by how rare they are, that is {value:.4f}. A token is shaded by how much "
        "of its features the other text has.",
        _spans(candidate.source.tokens, mine),
        _spans(reference.source.tokens, theirs),
        candidate.source.text,
        reference.source.text,
        details=tuple((name, text) for name, text in details if text),
    )


def _occurrences(side: Side, other: Side) -> list[Occurrence]:
    """The features of one program that count; beyond the eighth occurrence they do not."""
    vector = side.vector
    weights = dict(zip(vector.features.tolist(), vector.weights.tolist(), strict=True))
    there = set(other.vector.features.tolist())
    names = _names(side.parts)
    found = []
    for bag in feature_bags(side.parts):
        numbered = _native.numbered_features(int(bag.family), bag.features).tolist()
        for feature, (name, tokens) in zip(numbered, names[bag.family], strict=True):
            if feature in weights:
                found.append(Occurrence(name, tokens, weights[feature], feature in there))
    return found


def _names(parts: ProgramParts) -> dict[Family, list[tuple[str, list[int]]]]:
    """For each feature as it occurs its name, and the tokens that it is of."""
    names = {Family.TOKEN: [(name, [token]) for name, token in token_names(parts)]}
    if parts.graph is not None:
        tokens = _tokens_of_nodes(parts.graph, parts.tokens)
        for family, found in graph_names(parts.graph).items():
            names[family] = [(name, tokens[node]) for name, node in found]
    return names


def _tokens_of_nodes(graph: SemanticGraph, tokens: Tokens) -> list[list[int]]:
    """For each node the tokens of its code that belong to no smaller node."""
    first = np.searchsorted(tokens.starts, graph.start).tolist()
    end = np.searchsorted(tokens.starts, graph.end).tolist()
    owner = np.full(len(tokens), -1, dtype=np.int64)
    for node in np.argsort(graph.start - graph.end, kind="stable").tolist():
        owner[first[node] : end[node]] = node
    found: list[list[int]] = [[] for _ in range(len(graph))]
    for token, node in enumerate(owner.tolist()):
        if node >= 0:
            found[node].append(token)
    return found


def _listed(occurrences: Iterable[Occurrence]) -> str:
    """The names of features that weigh most together, with their share of the weight of all."""
    weight: defaultdict[str, int] = defaultdict(int)
    for one in occurrences:
        weight[one.name] += one.weight
    whole = sum(weight.values())
    ranked = sorted(weight.items(), key=lambda item: (-item[1], item[0]))[:SHOWN]
    return ", ".join(f"{name} ({number / whole:.1%})" for name, number in ranked)


def _spans(tokens: Tokens, occurrences: Iterable[Occurrence]) -> tuple[Span, ...]:
    shared, whole = np.zeros(len(tokens)), np.zeros(len(tokens))
    for one in occurrences:
        whole[one.tokens] += one.weight
        shared[one.tokens] += one.weight * one.shared
    levels = np.ceil(_SHADES * shared / np.maximum(whole, 1)) / _SHADES
    return spans_of_tokens(tokens, levels.tolist())
