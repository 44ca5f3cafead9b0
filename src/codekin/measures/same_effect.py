"""Whether two pieces of code do the same, as far as names and normal forms tell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from codekin import _native
from codekin.languages import TokenClass
from codekin.represent.flow.flow_ir import FlowIR, FunctionKind, OperationKind, VariableKind
from codekin.represent.graph.normal_form import kept_operations, normal_form
from codekin.represent.graph.refinement import refined_nodes
from codekin.source import Source

__all__ = ["do_alike"]

_NUMBERS = np.zeros(len(TokenClass), dtype=np.bool_)
_NUMBERS[[TokenClass.INTEGER, TokenClass.FLOAT, TokenClass.CHARACTER]] = True
_IMPLIED = _native.string_ids(["0", "1"])
"""Numbers that code may state or imply, as ``i += 1`` and ``i++`` do."""
_SPELLINGS = (
    *(("+", "+"), ("+=", "+"), ("++", "+"), ("-", "-"), ("-=", "-"), ("--", "-")),
    *(("/", "/"), ("/=", "/"), ("//", "//"), ("//=", "//"), ("%", "%"), ("%=", "%")),
)
"""Operators as written, and which they are."""
_WRITTEN = _native.string_ids([written for written, _ in _SPELLINGS])
_ORDER = np.argsort(_WRITTEN)
_WRITTEN, _OPERATORS = (
    _WRITTEN[_ORDER],
    _native.string_ids([meant for _, meant in _SPELLINGS])[_ORDER],
)
_MOST_TOKENS = 5000
"""Graphs of longer pieces are not compared, since they take long to build."""


def do_alike(piece: Source, reference: Source) -> bool:
    r"""Whether a piece of code can take the place of another one, as far as can be told.

    Both must parse and have equal normal forms
    (:mod:`codekin.represent.graph.normal_form`), and what others may refer to must have the same
    names. In languages that are not lowered, and for very long code, nothing is told.

    Examples
    --------
    >>> texts = "def f(a):\n    b = a * 2\n    return b\n", "def f(n):\n    return 2 * n\n"
    >>> do_alike(*(Source(text, "python") for text in texts))
    True
    """
    if reference.language.lowering is None or piece.problems or reference.problems:
        return False
    if max(len(one.tokens) for one in (piece, reference)) > _MOST_TOKENS:
        return False
    if _arithmetic(piece) != _arithmetic(reference):
        return False
    if _operations(piece) != _operations(reference):
        return False
    if not _names(reference).offered <= _names(piece).declared:
        return False
    structure = _structure(reference)
    if structure is None or _structure(piece) != structure:
        return False
    return _unused_names(reference) <= _unused_names(piece)


def _arithmetic(piece: Source) -> bytes:
    """Operators and numbers of a text, in any order, without numbers that may also be implied."""

    def look() -> bytes:
        tokens = piece.tokens
        numbers = tokens.ids[_NUMBERS[tokens.classes]]
        place = np.minimum(np.searchsorted(_WRITTEN, tokens.ids), len(_WRITTEN) - 1)
        operators = _OPERATORS[place[_WRITTEN[place] == tokens.ids]]
        numbers = numbers[(numbers != _IMPLIED[0]) & (numbers != _IMPLIED[1])]
        return np.sort(numbers).tobytes() + np.sort(operators).tobytes()

    return piece.remember("arithmetic", look)


def _operations(piece: Source) -> tuple[str, ...]:
    return piece.remember("operations", lambda: kept_operations(piece.flow_ir, piece.language.name))


@dataclass(frozen=True)
class _Names:
    """What a text calls things, as far as that matters to other code.

    Attributes
    ----------
    declared : frozenset of str
        Names of its functions and of the types that these belong to.
    offered : frozenset of str
        Those of them that it does not call itself, so others may.
    """

    declared: frozenset[str]
    offered: frozenset[str]


def _names(piece: Source) -> _Names:
    def look() -> _Names:
        ir = piece.flow_ir
        functions = {
            name
            for name, kind in zip(ir.function_name.tolist(), ir.function_kind.tolist(), strict=True)
            if kind not in (FunctionKind.MODULE, FunctionKind.LAMBDA)
        }
        types = set(ir.function_owner.tolist()) - {-1}
        called = set(ir.call_name.tolist())
        return _Names(
            declared=_strings(ir, functions | types),
            offered=_strings(ir, (functions - called) | types),
        )

    return piece.remember("names", look)


def _unused_names(piece: Source) -> frozenset[int]:
    """Names outside of operations and of the heads of functions, such as those of fields.

    More of them than another text has, such as of an import, do no harm.
    """
    ir, tokens = piece.flow_ir, piece.tokens
    found = tokens.classes == TokenClass.IDENTIFIER
    depth = np.zeros(len(piece.data) + 2, dtype=np.int32)
    inside = ir.kind != OperationKind.ENTRY
    np.add.at(depth, ir.start[inside], 1)
    np.add.at(depth, ir.end[inside], -1)
    bodies = ir.function_end.copy()
    running = inside & (ir.kind != OperationKind.PARAMETER)
    np.minimum.at(bodies, ir.function[running], ir.start[running])
    np.add.at(depth, ir.function_start[1:], 1)
    np.add.at(depth, bodies[1:], -1)
    found &= np.cumsum(depth)[tokens.starts] <= 0
    own = _native.string_ids([ir.string(name) for name in _declared(ir)])
    return frozenset(tokens.ids[found].tolist()) - frozenset(own.tolist())


def _declared(ir: FlowIR) -> set[int]:
    local = ir.variable_name[ir.variable_kind <= VariableKind.PARAMETER].tolist()
    return {*local, *ir.function_name.tolist()}


def _strings(ir: FlowIR, places: set[int]) -> frozenset[str]:
    return frozenset(ir.string(place) for place in places)


def _structure(piece: Source) -> bytes | None:
    """The refined normal form of a text; None if it takes too long."""

    def look() -> bytes | None:
        form = normal_form(piece.flow_ir, piece.tokens, piece.language.name)
        return None if form is None else refined_nodes(form).tobytes()

    return piece.remember("structure", look)
