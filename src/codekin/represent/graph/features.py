"""Words of tokens: what languages share, without the names that a program itself gives."""

from __future__ import annotations

from collections.abc import Sequence
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
    "MOST_OCCURRENCES",
    "NAME",
    "OWN",
    "SAME_TOKENS",
    "Bag",
    "Family",
    "GivenNames",
    "Named",
    "ProgramParts",
    "TokenWords",
    "families_of",
    "feature_bags",
    "feature_set",
    "given_names",
    "graph_names",
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

OWN = "own"
"""The word for the name of a function of the program where it is called or defined."""

FORMAT = "format"
"""The word for a string with the values of variables in it."""

SAME_TOKENS = {
    **{"and": "&&", "or": "||", "not": "!", "elif": "if"},
    **{"True": "true", "False": "false", "None": "null", "NULL": "null", "nullptr": "null"},
}
"""Tokens that mean the same in other languages."""


def _table(words: dict[str, str]) -> tuple[Ids, Ids]:
    """Identities of texts, ascending, and of the words for them."""
    texts = _native.string_ids(list(words))
    order = np.argsort(texts)
    return texts[order], _native.string_ids(list(words.values()))[order]


_TABLES = (
    *_table({name: word for word, names in SAME_CALLS.items() for name in names}),
    *_table(SAME_TOKENS),
)
# Longer than a token could be, so that no token is taken for one of these words.
_NAME_ID, _OWN_ID = _native.string_ids(["a name of a value\n", "a name of an own function\n"])
_LITERALS = {
    int(TokenClass.INTEGER): int(OperationFlag.NUMBER),
    int(TokenClass.FLOAT): int(OperationFlag.NUMBER),
    int(TokenClass.STRING): int(OperationFlag.STRING),
    int(TokenClass.CHARACTER): int(OperationFlag.STRING),
}
# To compare with a member of an enumeration costs as much as an array operation.
_MODULE, _LAMBDA = int(FunctionKind.MODULE), int(FunctionKind.LAMBDA)
_PLAIN, _PARAMETER, _UNCALLED = int(CallShape.PLAIN), int(VariableKind.PARAMETER), -2
_STRING = int(OperationFlag.STRING)
_FIRST_LITERAL, _LAST_LITERAL = min(_LITERALS), max(_LITERALS)


@dataclass(frozen=True, slots=True)
class TokenWords:
    """The tokens that count, and an identity of the word for each.

    Attributes
    ----------
    places : int32 array
        Which tokens they are.
    ids : uint64 array
        Their words.
    """

    places: Places
    ids: Ids


@dataclass(frozen=True, slots=True)
class GivenNames:
    """The names that a program itself gives.

    Attributes
    ----------
    own : uint64 array
        Identities of the names of its functions, ascending.
    values : uint64 array
        Those of its local variables and parameters.
    called : int32 array
        Where functions are called by their names, ascending.
    held : int32 array
        Where what a local variable holds is called, ascending.
    """

    own: Ids
    values: Ids
    called: Places
    held: Places


_NO_IDS, _NOWHERE = np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.int32)
_NONE_GIVEN = GivenNames(_NO_IDS, _NO_IDS, _NOWHERE, _NOWHERE)


def given_names(ir: FlowIR) -> GivenNames:
    """The names that a program gives."""
    named = (ir.function_kind != _MODULE) & (ir.function_kind != _LAMBDA)
    variables = ir.variable_name[ir.variable_kind <= _PARAMETER]
    return GivenNames(
        _sorted_ids(ir, ir.function_name[named]),
        _sorted_ids(ir, variables),
        _called_by_name(ir),
        np.sort(ir.start[called_through_variables(ir)]),
    )


def _called_by_name(ir: FlowIR) -> Places:
    """Where functions are called by their names, and not through a variable of that name."""
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


def token_words(tokens: Tokens, language: str, given: GivenNames = _NONE_GIVEN) -> TokenWords:
    """The tokens that say something, each as a word.

    A name that is called, or a member of something, stands for itself, library calls that mean the
    same as one; the names of own functions are one word, and all other names together one token.
    Constants are as in semantic graphs. Layout and delimiters are left out.
    """
    places, words = _native.token_words(
        tokens.ids,
        tokens.classes,
        tokens.starts,
        *_TABLES,
        given.own,
        given.values,
        given.called,
        given.held,
        get_language(language).lexical.member_arrow,
        int(_NAME_ID),
        int(_OWN_ID),
    )
    _put_literals(tokens, places, words)
    return TokenWords(places, words)


def shown_words(words: TokenWords, tokens: Tokens) -> list[str]:
    """How the words are shown: as the tokens stand, without names that were taken out."""
    without = {int(_NAME_ID): NAME, int(_OWN_ID): OWN}
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
    """Whether a string is made of what variables hold, so that their names stand in it."""
    quote = min((at for at in map(text.find, "\"'`") if at >= 0), default=0)
    if text[quote : quote + 1] == "`":
        return "${" in text
    return any(letter in "fF$" for letter in text[:quote])


MOST_OCCURRENCES = 8
"""How often a feature counts at most."""

_CALL = int(EdgeKind.CALL)
_NAMED_ENTRY, _ENTRY, _OWN_CALL = "entry:", "entry", "call:own"
_OWN_CALL_ID = _native.string_ids([_OWN_CALL])[0]


class Family(IntEnum):
    """The kinds of features; a feature's upper bits say which it is of."""

    OPERATION = 0
    """An operation, by its label."""
    INPUTS = 1
    """An operation with all that it has its data from."""
    OUTPUTS = 2
    """An operation with all that it gives its data to."""
    CONTROL = 3
    """An operation with what decides whether it runs."""
    TOKEN = 4
    """A token."""

    @property
    def label(self) -> str:
        """The family as it stands in parts and explanations."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Bag:
    """The features of one family as they occur, in the order of nodes or of tokens."""

    family: Family
    features: Ids


@dataclass(frozen=True, slots=True)
class ProgramParts:
    """What features are taken from: tokens, and where the language has graphs, graph and IR."""

    language: str
    tokens: Tokens
    graph: SemanticGraph | None = None
    ir: FlowIR | None = None


def feature_bags(program: ProgramParts) -> list[Bag]:
    """All features of a program, family by family; where there is no graph, tokens alone."""
    bags = []
    if program.graph is not None:
        graph = program.graph
        nodes = _operation_ids(graph)
        found = _native.graph_features(nodes, graph.source, graph.target, graph.edge_kind)
        bags = [Bag(Family(i), features[1:]) for i, features in enumerate(found)]  # less the root
    bags.append(Bag(Family.TOKEN, words_of(program).ids))
    return bags


def words_of(program: ProgramParts) -> TokenWords:
    """The words of a program's tokens."""
    if program.ir is None:
        return token_words(program.tokens, program.language)
    return token_words(program.tokens, program.language, given_names(program.ir))


def _operation_ids(graph: SemanticGraph) -> Ids:
    """An identity for each node: of its label, without the names of the program's functions."""
    labels = [_ENTRY if label.startswith(_NAMED_ENTRY) else label for label in graph.labels]
    nodes: Ids = _native.string_ids(labels)[graph.label]
    nodes[graph.source[graph.edge_kind == _CALL]] = _OWN_CALL_ID
    return nodes


def operation_words(graph: SemanticGraph) -> list[str]:
    """For each node the word that its identity is of."""
    words = [graph.labels[place] for place in graph.label.tolist()]
    for node in graph.source[graph.edge_kind == _CALL].tolist():
        words[node] = _OWN_CALL
    return [_ENTRY if word.startswith(_NAMED_ENTRY) else word for word in words]


def feature_set(bags: Sequence[Bag]) -> tuple[Ids, npt.NDArray[np.uint8]]:
    """Bags as one sorted set: the k-th occurrence of a feature is a feature of its own.

    What two sets share is then what two bags share, each feature counted as often as in the one
    that has less of it, eight times at most.

    Returns
    -------
    (uint64 array, uint8 array)
        The features, ascending, and for each which occurrence it is.
    """
    pairs = [(int(bag.family), bag.features) for bag in bags]
    return _native.feature_set(pairs, MOST_OCCURRENCES)


def families_of(features: Ids) -> npt.NDArray[np.uint8]:
    """For each feature its family."""
    return (features >> np.uint64(_native.FEATURE_FAMILY_SHIFT)).astype(np.uint8)


Named = tuple[str, int]
"""What a feature is called, and the node or token that it is of."""


def graph_names(graph: SemanticGraph) -> dict[Family, list[Named]]:
    """For each feature of a graph its name and its node, in the order of the bags."""
    words = operation_words(graph)
    givers: list[list[str]] = [[] for _ in words]
    takers: list[list[str]] = [[] for _ in words]
    deciders: list[set[str]] = [set() for _ in words]
    for edge in graph.edges():
        if edge.kind is EdgeKind.DATA:
            givers[edge.target].append(words[edge.source])
            takers[edge.source].append(words[edge.target])
        elif edge.kind is EdgeKind.CONTROL:
            deciders[edge.target].add(words[edge.source])
    nodes = range(1, len(words))
    return {
        Family.OPERATION: [(words[i], i) for i in nodes],
        Family.INPUTS: [(f"{words[i]} ← {_list(sorted(givers[i]))}", i) for i in nodes],
        Family.OUTPUTS: [(f"{words[i]} → {_list(sorted(takers[i]))}", i) for i in nodes],
        Family.CONTROL: [(f"{words[i]} if {_list(sorted(deciders[i]))}", i) for i in nodes],
    }


def _list(words: list[str]) -> str:
    return ", ".join(words) if words else "nothing"


def token_names(program: ProgramParts) -> list[Named]:
    """For each token that counts its name and its place, in the order of the bag."""
    words = words_of(program)
    names = [f"`{word}`" for word in shown_words(words, program.tokens)]
    return list(zip(names, words.places.tolist(), strict=True))
