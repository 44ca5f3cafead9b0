"""Features of programs that are comparable across languages and ignore declared names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.languages import TokenClass, get_language
from codekin.represent.flow.flow_ir import (
    CallShape,
    FlowIR,
    FunctionKind,
    OperationFlag,
    VariableKind,
)
from codekin.represent.graph.labels import SAME_CALLS, called_through_variables, constant_word
from codekin.represent.graph.parts import EdgeKind
from codekin.represent.graph.semantic_graph import SemanticGraph
from codekin.represent.text.tokens import Tokens

__all__ = [
    "FORMAT",
    "MAX_OCCURRENCES",
    "NAME",
    "SAME_TOKENS",
    "Bag",
    "DeclaredNames",
    "Family",
    "Named",
    "ProgramParts",
    "TokenWords",
    "declared_names",
    "dependence_names",
    "families_of",
    "feature_bags",
    "feature_set",
    "graph_names",
    "operation_ids",
    "operation_words",
    "shown_words",
    "token_names",
    "token_words",
    "words_of",
]

Ids = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int32]

NAME = "·"
"""The word for any name that is neither called nor a member."""

_OWN = "own"
"""The word for the name of a function of the program, in calls and definitions."""

FORMAT = "format"
"""The word for a string with interpolated values."""

SAME_TOKENS = {
    **{"and": "&&", "or": "||", "not": "!", "elif": "if"},
    **{"True": "true", "False": "false", "None": "null", "NULL": "null", "nullptr": "null"},
}
"""Tokens that mean the same in other languages."""


def _table(words: dict[str, str]) -> tuple[Ids, Ids]:
    """Sorted identities of texts, and the identities of the words for them."""
    texts = _native.string_ids(list(words))
    order = np.argsort(texts)
    return texts[order], _native.string_ids(list(words.values()))[order]


_TABLES = (
    *_table({name: word for word, names in SAME_CALLS.items() for name in names}),
    *_table(SAME_TOKENS),
)
# Contain a line end, so that no token equals one of these words.
_NAME_ID, _OWN_ID = _native.string_ids(["a name of a value\n", "a name of an own function\n"])
_LITERALS = {
    int(TokenClass.INTEGER): int(OperationFlag.NUMBER),
    int(TokenClass.FLOAT): int(OperationFlag.NUMBER),
    int(TokenClass.STRING): int(OperationFlag.STRING),
    int(TokenClass.CHARACTER): int(OperationFlag.STRING),
}
# Comparing with a member of an enumeration costs as much as an array operation.
_MODULE, _LAMBDA = int(FunctionKind.MODULE), int(FunctionKind.LAMBDA)
_PLAIN, _PARAMETER, _UNCALLED = int(CallShape.PLAIN), int(VariableKind.PARAMETER), -2
_STRING = int(OperationFlag.STRING)
_FIRST_LITERAL, _LAST_LITERAL = min(_LITERALS), max(_LITERALS)


@dataclass(frozen=True, slots=True)
class TokenWords:
    """The tokens that count, and the identity of each one's word.

    Attributes
    ----------
    places : int32 array
        Their indices.
    ids : uint64 array
        The identities of their words.
    """

    places: Places
    ids: Ids


@dataclass(frozen=True, slots=True)
class DeclaredNames:
    """The names that a program declares.

    Attributes
    ----------
    own : uint64 array
        Identities of the names of its functions, sorted.
    values : uint64 array
        Identities of its local variables and parameters.
    called : int32 array
        Positions where functions are called by their names, sorted.
    held : int32 array
        Positions where the value of a local variable is called, sorted.
    """

    own: Ids
    values: Ids
    called: Places
    held: Places


_NO_IDS, _NOWHERE = np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.int32)
_NONE_DECLARED = DeclaredNames(_NO_IDS, _NO_IDS, _NOWHERE, _NOWHERE)


def declared_names(ir: FlowIR) -> DeclaredNames:
    """Collect the names that a program declares."""
    named = (ir.function_kind != _MODULE) & (ir.function_kind != _LAMBDA)
    variables = ir.variable_name[ir.variable_kind <= _PARAMETER]
    return DeclaredNames(
        _sorted_ids(ir, ir.function_name[named]),
        _sorted_ids(ir, variables),
        _called_by_name(ir),
        np.sort(ir.start[called_through_variables(ir)]),
    )


def _called_by_name(ir: FlowIR) -> Places:
    """Positions where functions are called by name, and not through a variable of that name."""
    plain = ir.call_shape == _PLAIN
    name = np.full(len(ir), _UNCALLED, dtype=np.int32)
    name[ir.call_operation[plain]] = ir.call_name[plain]
    operation = np.repeat(np.arange(len(ir)), np.diff(ir.access_offsets))
    variable = ir.access_variable
    through = ir.variable_name[variable] == name[operation]
    through &= ir.variable_kind[variable] <= _PARAMETER
    name[operation[through]] = _UNCALLED
    return np.sort(ir.start[name != _UNCALLED])


def _sorted_ids(ir: FlowIR, names: npt.NDArray[np.int32]) -> Ids:
    return np.sort(_native.string_ids([ir.string(name) for name in names.tolist()]))


def token_words(
    tokens: Tokens, language: str, declared: DeclaredNames = _NONE_DECLARED
) -> TokenWords:
    """The tokens that count, each as a word.

    Called names and members are words of their own, except that library calls with the same
    meaning share a word; the names of the program's own functions share one word, and all other
    names another. Constants are as in semantic graphs. Layout and delimiters are left out.
    """
    places, words = _native.token_words(
        tokens.ids,
        tokens.classes,
        tokens.starts,
        *_TABLES,
        declared.own,
        declared.values,
        declared.called,
        declared.held,
        get_language(language).lexical.member_arrow,
        int(_NAME_ID),
        int(_OWN_ID),
    )
    _put_literals(tokens, places, words)
    return TokenWords(places, words)


def shown_words(words: TokenWords, tokens: Tokens) -> list[str]:
    """The words as text: the tokens as written, without the names that are ignored."""
    without = {int(_NAME_ID): NAME, int(_OWN_ID): _OWN}
    return [
        without.get(identity) or tokens.texts[place]
        for place, identity in zip(words.places.tolist(), words.ids.tolist(), strict=True)
    ]


def _put_literals(tokens: Tokens, places: Places, words: Ids) -> None:
    classes = tokens.classes[places]
    literal = np.flatnonzero((classes >= _FIRST_LITERAL) & (classes <= _LAST_LITERAL))
    where, data = places[literal], tokens.data
    spans = zip(
        tokens.starts[where].tolist(),
        tokens.ends[where].tolist(),
        classes[literal].tolist(),
        strict=True,
    )
    words[literal] = [_literal(data[start:end], cls) for start, end, cls in spans]


@lru_cache(maxsize=1 << 14)
def _literal(data: bytes, cls: int) -> int:
    text = data.decode("utf-8", "surrogatepass")
    flags = _LITERALS[cls]
    word = FORMAT if flags == _STRING and _is_format(text) else constant_word(text, flags)
    return int(_native.string_ids([word])[0])


def _is_format(text: str) -> bool:
    """Whether a string is interpolated, so that it contains names of variables."""
    quote = min((at for at in map(text.find, "\"'`") if at >= 0), default=0)
    if text[quote : quote + 1] == "`":
        return "${" in text
    return any(letter in "fF$" for letter in text[:quote])


MAX_OCCURRENCES = 8
"""The maximum number of times that a feature counts."""

_CALL = int(EdgeKind.CALL)
_NAMED_ENTRY, _ENTRY, _OWN_CALL = "entry:", "entry", "call:own"
_OWN_CALL_ID = _native.string_ids([_OWN_CALL])[0]


class Family(IntEnum):
    """The kinds of features; the upper bits of a feature encode its family."""

    OPERATION = 0
    """An operation, by its label."""
    INPUTS = 1
    """An operation with all sources of its data."""
    OUTPUTS = 2
    """An operation with all users of its data."""
    CONTROL = 3
    """An operation with what decides whether it runs."""
    TOKEN = 4
    """A token."""

    @property
    def label(self) -> str:
        """The family as named in parts and explanations."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Bag:
    """The features of one family, in the order of nodes or tokens."""

    family: Family
    features: Ids


@dataclass(frozen=True, slots=True)
class ProgramParts:
    """The sources of features: tokens and, if the language supports them, graph and IR."""

    language: str
    tokens: Tokens
    graph: SemanticGraph | None = None
    ir: FlowIR | None = None


def feature_bags(program: ProgramParts) -> list[Bag]:
    """All features of a program by family; only tokens if there is no graph."""
    bags = []
    if program.graph is not None:
        graph = program.graph
        nodes = operation_ids(graph)
        families = _native.graph_features(nodes, graph.source, graph.target, graph.edge_kind)
        bags = [Bag(Family(i), features[1:]) for i, features in enumerate(families)]  # no root
    bags.append(Bag(Family.TOKEN, words_of(program).ids))
    return bags


def words_of(program: ProgramParts) -> TokenWords:
    """The words of a program's tokens."""
    if program.ir is None:
        return token_words(program.tokens, program.language)
    return token_words(program.tokens, program.language, declared_names(program.ir))


def operation_ids(graph: SemanticGraph, same: Mapping[str, str] | None = None) -> Ids:
    """The identity of each node's label, ignoring the names of the program's functions.

    Parameters
    ----------
    graph : SemanticGraph
    same : mapping of str to str, optional
        Other labels for some labels.
    """
    labels = [_ENTRY if label.startswith(_NAMED_ENTRY) else label for label in graph.labels]
    if same is not None:
        labels = [same.get(label, label) for label in labels]
    nodes: Ids = _native.string_ids(labels)[graph.label]
    nodes[graph.source[graph.edge_kind == _CALL]] = _OWN_CALL_ID
    return nodes


def operation_words(graph: SemanticGraph) -> list[str]:
    """The word of each node, whose identity is its feature."""
    words = [graph.labels[place] for place in graph.label.tolist()]
    for node in graph.source[graph.edge_kind == _CALL].tolist():
        words[node] = _OWN_CALL
    return [_ENTRY if word.startswith(_NAMED_ENTRY) else word for word in words]


def feature_set(bags: Sequence[Bag]) -> tuple[Ids, npt.NDArray[np.uint8]]:
    """Bags as one sorted set, in which the k-th occurrence of a feature is a separate feature.

    The intersection of two sets is then that of the two bags, with each feature counted at most
    eight times.

    Returns
    -------
    (uint64 array, uint8 array)
        The features, sorted, and the number of the occurrence of each.
    """
    pairs = [(int(bag.family), bag.features) for bag in bags]
    return _native.feature_set(pairs, MAX_OCCURRENCES)


def families_of(features: Ids) -> npt.NDArray[np.uint8]:
    """The family of each feature."""
    return (features >> np.uint64(_native.FEATURE_FAMILY_SHIFT)).astype(np.uint8)


Named = tuple[str, int]
"""The name of a feature, and its node or token."""


def graph_names(graph: SemanticGraph) -> dict[Family, list[Named]]:
    """The name and the node of each feature of a graph, in the order of the bags."""
    edges = ((edge.source, edge.target, edge.kind) for edge in graph.edges())
    names = dependence_names(operation_words(graph), edges)
    return {family: found[1:] for family, found in names.items()}  # no root


def dependence_names(
    words: Sequence[str], edges: Iterable[tuple[int, int, EdgeKind]]
) -> dict[Family, list[Named]]:
    """The name and the node of each feature of nodes with these words and edges."""
    givers: list[list[str]] = [[] for _ in words]
    takers: list[list[str]] = [[] for _ in words]
    deciders: list[set[str]] = [set() for _ in words]
    for source, target, kind in edges:
        if kind is EdgeKind.DATA:
            givers[target].append(words[source])
            takers[source].append(words[target])
        elif kind is EdgeKind.CONTROL:
            deciders[target].add(words[source])
    nodes = range(len(words))
    return {
        Family.OPERATION: [(words[i], i) for i in nodes],
        Family.INPUTS: [(f"{words[i]} ← {_list(sorted(givers[i]))}", i) for i in nodes],
        Family.OUTPUTS: [(f"{words[i]} → {_list(sorted(takers[i]))}", i) for i in nodes],
        Family.CONTROL: [(f"{words[i]} if {_list(sorted(deciders[i]))}", i) for i in nodes],
    }


def _list(words: list[str]) -> str:
    return ", ".join(words) if words else "nothing"


def token_names(program: ProgramParts) -> list[Named]:
    """The name and the index of each token that counts, in the order of the bag."""
    words = words_of(program)
    names = [f"`{word}`" for word in shown_words(words, program.tokens)]
    return list(zip(names, words.places.tolist(), strict=True))
