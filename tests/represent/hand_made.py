"""Flow IRs and semantic graphs made by hand, for tests of what comes after the lowering."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from codekin.represent.flow.flow_ir import FlowIR, OperationFlag, OperationKind
from codekin.represent.graph.parts import GraphOptions
from codekin.represent.graph.semantic_graph import SemanticGraph, assemble

K = OperationKind
Step = tuple[OperationKind, str, str, int]
"""Kind, name, the code it stands on, statement."""

TEXT = """\
total = 10
def half(n):
    return n // 2
while total > limit:
    total = half(total) + len(words)
"""
MODULE: list[Step] = [
    (K.ENTRY, "<module>", TEXT, -1),
    (K.CONSTANT, "10", "10", 0),
    (K.ASSIGN, "=", "total = 10", 0),
    (K.OPERATOR, ">", "total > limit", 2),
    (K.CALL, "half", "half(total)", 3),
    (K.CALL, "len", "len(words)", 3),
    (K.OPERATOR, "+", "half(total) + len(words)", 3),
    (K.ASSIGN, "=", "total = half(total) + len(words)", 3),
]
HALF: list[Step] = [
    (K.ENTRY, "half", "def half(n):\n    return n // 2", -1),
    (K.PARAMETER, "n", "n):", -1),
    (K.CONSTANT, "2", "2\n", 1),
    (K.OPERATOR, "//", "n // 2", 1),
    (K.RETURN, "return", "return n // 2", 1),
]
CONTROL = [(0, 2), (0, 3), (3, 3), (3, 4), (3, 5), (3, 6), (3, 7), (8, 9), (8, 11), (8, 12)]
DATA = [(1, 2), (2, 3), (2, 4), (7, 3), (7, 4), (4, 6), (5, 6), (6, 7), (9, 11), (10, 11), (11, 12)]
CALLS = [(4, 1)]


def flow_ir(functions: Sequence[Sequence[Step]], text: str = TEXT) -> FlowIR:
    """An IR with operations alone: no operands, accesses or items."""
    steps = [step for function in functions for step in function]
    strings = list(dict.fromkeys(name for _, name, _, _ in steps))
    sizes = np.cumsum([0, *map(len, functions)]).astype(np.int32)
    starts = [text.index(code) for _, _, code, _ in steps]
    values: dict[str, Any] = {
        field.name: np.zeros(0, np.uint8 if field.type == "_U8" else np.int32)
        for field in dataclasses.fields(FlowIR)
    }
    values |= {
        "strings": tuple(strings),
        "function_name": _ints(strings.index(function[0][1]) for function in functions),
        "function_first_operation": sizes[:-1],
        "function_end_operation": sizes[1:],
        "kind": np.array([kind for kind, *_ in steps], np.uint8),
        "name": _ints(strings.index(name) for _, name, _, _ in steps),
        "function": _ints(f for f, function in enumerate(functions) for _ in function),
        "start": _ints(starts),
        "end": _ints(at + len(step[2]) for at, step in zip(starts, steps, strict=True)),
        "statement": _ints(statement for *_, statement in steps),
        "flags": np.array([_flags(kind, name) for kind, name, *_ in steps], np.uint8),
    }
    return FlowIR(**values)


def _flags(kind: OperationKind, name: str) -> int:
    if kind is not K.CONSTANT:
        return 0
    if name[:1] in "\"'":
        return OperationFlag.STRING
    return OperationFlag.NUMBER if name[:1].isdigit() else OperationFlag.OTHER_CONSTANT


def _ints(values: Any) -> Any:
    return np.array(list(values), np.int32)


def pairs(listed: Sequence[tuple[int, int]]) -> Any:
    """Pairs as two arrays."""
    both = np.array(listed, np.int32).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def little_graph(**options: Any) -> SemanticGraph:
    """The graph of `TEXT`, whose dependences are written down above."""
    return assemble(
        flow_ir([MODULE, HALF]),
        pairs(CONTROL),
        pairs(DATA),
        pairs(CALLS),
        GraphOptions.of(**options),
        language="python",
        text=TEXT.encode(),
    )
