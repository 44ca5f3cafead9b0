"""Graphs by the conventions of Joern, to compare its graphs with ours.

Joern's reaching definitions are based on the text of expressions, not on variables:

- An operation or call reads and redefines all its arguments: after ``f(x)``, ``x < n`` or ``x * 2``
the next use of ``x`` depends on that, not on the assignment before, so uses form chains.
- A few operations only read: ``+``, ``?:`` (not its condition) and the right side of assignments.
- ``a[i]``, ``a.f``, ``*p`` and ``&x`` are identified by their text. ``a[i]`` also reads ``a`` but
not ``i``; a definition of ``a[i]`` reaches later uses of ``a[i]`` and ``a``, but not of ``a[j]``.
- A bare name as a condition reads nothing, and neither does a returned element or member.
- There is no aliasing, and functions do not affect each other.

Each function has an exit, Joern's METHOD_RETURN: a node that uses all that reaches it.
"""

from __future__ import annotations

import dataclasses
import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from codekin.represent.flow.control_flow import ControlFlow
from codekin.represent.flow.effects import Effects
from codekin.represent.flow.flow_ir import (
    Access,
    CallShape,
    FlowIR,
    FunctionKind,
    OperationFlag,
    OperationKind,
    VariableKind,
)
from codekin.represent.flow.reaching_definitions import MAX_PAIRS, reaching_definitions
from codekin.represent.graph.parts import EdgeKind
from codekin.represent.graph.semantic_graph import SemanticGraph

__all__ = ["OPTIONS", "ReachingExits", "add_exits", "joern_effects", "reaching_exits"]

OPTIONS: dict[str, Any] = {
    "data": "joern",
    "fold": False,
    "entry": "data",
    "exits": True,
    "raising": False,
}
"""The options of the preset; handlers depend only on the end of their ``try``, as in Joern."""

_I32 = npt.NDArray[np.int32]
_SPACE = re.compile(rb"\s+")
_NAME = re.compile(r"[^\W\d]\w*")
_STATIC = re.compile(b"static")
_PLACES = (OperationKind.INDEX, OperationKind.MEMBER)
_SILENT = (OperationKind.CONSTANT, *_PLACES)
_ONLY_READ = {"+", "?:", "exp", "fabs", "calloc"}
_UNREAD = {"sizeof", "clock", "abort"}
_STREAMS = re.compile(r"(?:std::)?(cin|cout|cerr)\b")
_THIS = "this"
_MOST_LOCATIONS = 1_000_000
"""The maximum number of location uses: n uses of ``a`` with n different ``a[i]`` make n * n."""
_ALWAYS_READ, _READ_PER_BYTE = 1_000_000, 20
"""The maximum text read over all operations: n nested calls have n * n / 2 in total."""


@dataclass(frozen=True)
class _Argument:
    """An argument of an operation: its text, and how it is used."""

    text: str
    base: str = ""  # of an element or member: the object it belongs to
    is_member: bool = False
    reads: bool = True
    defines: bool = True


def joern_effects(ir: FlowIR, text: bytes, language: str) -> Effects:
    """Reads and definitions of each operation by Joern's rules.

    Parameters
    ----------
    ir : FlowIR
    text : bytes
        The text that was lowered.
    language : str
        Joern's front ends differ in how they treat a method's receiver and a loop over elements.

    Examples
    --------
    A call reads and redefines its arguments; an assignment defines.

    >>> from codekin import Source
    >>> source = Source("x = 1\\nprint(x)", "python")
    >>> found = joern_effects(source.flow_ir, source.data, "python")
    >>> found.use_offsets.tolist(), found.definition_offsets.tolist()
    ([0, 0, 0, 0, 1], [0, 0, 0, 1, 2])
    """
    reader = _ArgumentReader(ir, text, language)
    arguments = reader.all()
    locations = _Locations(_MOST_LOCATIONS)
    for operation, taken in enumerate(arguments):
        for argument in taken:
            locations.add(int(ir.function[operation]), argument)
    uses: list[list[int]] = []
    definitions: list[list[int]] = []
    for operation, taken in enumerate(arguments):
        function = int(ir.function[operation])
        read = {n for a in taken if a.reads for n in locations.read(function, a)}
        defined = {n for a in taken if a.defines for n in locations.defined(function, a)}
        uses.append(sorted(read))
        definitions.append(sorted(defined))
    offsets, defined_locations = _lists(definitions)
    nothing = np.empty(0, dtype=np.int32)
    return Effects(
        *_lists(uses),
        offsets,
        defined_locations,
        np.ones(len(defined_locations), dtype=np.uint8),
        location_variable=nothing,
        location_field=nothing,
        uncalled=nothing,
        complete=reader.complete and locations.complete,
        entries=ir.function_first_operation,
    )


def _lists(rows: list[list[int]]) -> tuple[_I32, _I32]:
    offsets = np.zeros(len(rows) + 1, dtype=np.int32)
    np.cumsum([len(row) for row in rows], out=offsets[1:])
    return offsets, np.array([n for row in rows for n in row], dtype=np.int32)


class _Locations:
    """Identifiers of texts by function, and which of them are parts of others."""

    def __init__(self, most: int) -> None:
        self._left = most
        self._numbers: dict[tuple[int, str], int] = {}
        self._parts: dict[tuple[int, str], list[str]] = {}
        self._members: dict[tuple[int, str], list[str]] = {}

    @property
    def complete(self) -> bool:
        """Whether no location was left out."""
        return self._left >= 0

    def _some(self, texts: list[str]) -> list[str]:
        """Texts besides the first, as long as there are not too many."""
        self._left -= len(texts)
        return texts if self._left >= 0 else []

    def add(self, function: int, argument: _Argument) -> None:
        key = function, argument.text
        if key in self._numbers:
            return
        self._numbers[key] = len(self._numbers)
        base = argument.base or (argument.text[1:] if argument.text.startswith(("*", "&")) else "")
        if base:
            self._parts.setdefault((function, base), []).append(argument.text)
        if argument.is_member:
            self._members.setdefault((function, base), []).append(argument.text)

    def read(self, function: int, argument: _Argument) -> Iterator[int]:
        """A use sees what defines the same text, a part of it, or the name it is a part of."""
        parts = self._some(self._parts.get((function, argument.text), []))
        wholes = (argument.base,) if _NAME.fullmatch(argument.base) else ()
        for text in (argument.text, *parts, *wholes):
            number = self._numbers.get((function, text))
            if number is not None:
                yield number

    def defined(self, function: int, argument: _Argument) -> Iterator[int]:
        """A definition kills the same text; that of a name also its members."""
        members = self._some(self._members.get((function, argument.text), []))
        for text in (argument.text, *members):
            yield self._numbers[function, text]


class _ArgumentReader:
    """Reads the arguments of operations."""

    def __init__(self, ir: FlowIR, text: bytes, language: str) -> None:
        self.ir, self.text, self.language = ir, text, language
        self.left = _ALWAYS_READ + _READ_PER_BYTE * len(text)
        self.kind = ir.kind.tolist()
        self.name = [ir.string(n) for n in ir.name.tolist()]
        self.start, self.end = ir.start.tolist(), ir.end.tolist()
        self.operands = _split(ir.operands, ir.operand_offsets)
        self.variables = _split(ir.access_variable, ir.access_offsets)
        self.modes = _split(ir.access_mode, ir.access_offsets)
        self.shape = dict(zip(ir.call_operation.tolist(), ir.call_shape.tolist(), strict=True))
        self.static = self._static_fields()
        self.own = self._own_methods()
        self.this = _THIS if language == "java" else ""

    @property
    def complete(self) -> bool:
        """Whether no text was left out."""
        return self.left >= 0

    def all(self) -> list[list[_Argument]]:
        found = [self.of(operation) for operation in range(len(self.ir))]
        for operation, operands in enumerate(self.operands):
            if self.name[operation] in ("&&", "||"):
                for tested in operands:
                    if self.kind[tested] == OperationKind.PREDICATE:
                        found[operation] += self.names(tested)
        return found

    def of(self, operation: int) -> list[_Argument]:
        kind = self.kind[operation]
        if kind in _SILENT:
            return []
        if kind == OperationKind.ENTRY:
            return self.receivers(operation)
        if kind == OperationKind.ASSIGN:
            return self.assignment(operation)
        if kind == OperationKind.PREDICATE:
            return self.each(operation) if self.name[operation] == "each" else []
        if kind == OperationKind.RETURN:
            taken = self.names(operation) if not self.operands[operation] else []
            return [_only(argument, reads=True) for argument in taken]
        if kind in (OperationKind.PARAMETER, OperationKind.FUNCTION, OperationKind.CLASS):
            return self.defined_names(operation)
        if kind == OperationKind.CALL:
            return self.call(operation)
        return self.plain(operation)

    # Arguments of operations.

    def plain(self, operation: int) -> list[_Argument]:
        taken = [*self.names(operation), *self.places(operation)]
        name = self.name[operation]
        if name in _UNREAD or name == "address":
            return []
        if name in _ONLY_READ:
            return [_only(argument, reads=True) for argument in taken]
        return taken

    def assignment(self, operation: int) -> list[_Argument]:
        if self.name[operation] == "catch":
            return []
        is_plain = self.name[operation] == "="
        is_update = self.name[operation] in ("++", "--")
        start = self.start[operation]
        taken = [_only(a, reads=True) for a in self.names(operation, Access.READ)]
        if self.language == "cpp" and is_plain and not self._is_written("=", operation):
            return [_full(argument) for argument in taken]  # T v(n): a call
        targets = self.defined_names(operation)
        for place in self.operands[operation]:
            argument = self.place(place)
            if argument is None:
                continue
            if is_update or self.start[place] == start:
                targets.append(argument)
            else:
                taken.append(_only(argument, reads=True))
        written = {target.text for target in targets}
        taken = [a for a in taken if is_plain or a.text not in written]
        return [*taken, *(_target(target, reads=not is_plain) for target in targets)]

    def call(self, operation: int) -> list[_Argument]:
        name = self.name[operation]
        if name in _UNREAD:
            return []
        taken = self.direct(operation)
        receiver = self.receiver(operation)
        if receiver is not None and receiver.base in {a.text for a in taken}:
            taken = [a for a in taken if a.text != receiver.base] + self._receiver_as_argument(
                operation, receiver
            )
        taken = [a for a in taken if receiver is None or a.text != receiver.text]
        for place in self.operands[operation]:
            argument = self.place(place)
            is_receiver = (
                self.ir.flags[operation] & OperationFlag.MEMBER_CALL
                and self.start[place] == self.start[operation]
            )
            if argument is not None and not is_receiver:
                taken.append(argument)
            if self.name[place] == "address" and self.kind[place] == OperationKind.OPERATOR:
                taken += self.address(place)
        if name == "scanf":  # Joern knows only that its first argument is read and assigned
            _, first, *_ = (*_arguments(self.written(operation)), "", "")
            taken = [a for a in taken if a.text in (first, first.removeprefix("&"))]
        if name in _ONLY_READ:
            taken = [_only(argument, reads=True) for argument in taken]
        return taken if receiver is None else [receiver, *taken]

    def each(self, operation: int) -> list[_Argument]:
        if self.language == "cpp":
            return []
        sources = [*self.names(operation, Access.READ), *self.places(operation)]
        targets = self.defined_names(operation)
        if self.language == "java":
            lengths = [_Argument(f"{a.text}.length", a.text, is_member=True) for a in sources]
            sources = [_only(a, reads=True) for a in sources] + lengths
        return [*sources, *targets]

    def receivers(self, operation: int) -> list[_Argument]:
        """Treat the object a method runs on as a separate parameter."""
        if not self._has_receiver(operation) or self.language == "cpp":
            return []
        owned = self.ir.variable_owner == self.ir.function[operation]
        own = np.flatnonzero(owned & (self.ir.variable_kind == VariableKind.RECEIVER))
        names = {self.ir.string(self.ir.variable_name[variable]) for variable in own.tolist()}
        return [_Argument(name, reads=False) for name in sorted(names | {self.this} - {""})]

    # Their texts.

    def names(self, operation: int, *modes: Access) -> list[_Argument]:
        wanted = modes or (Access.READ,)
        found: dict[str, _Argument] = {}
        for variable, mode in zip(self.variables[operation], self.modes[operation], strict=True):
            if mode in wanted and self.ir.variable_name[variable] >= 0:
                argument = self.variable(operation, variable)
                if argument is not None:
                    found[argument.text] = argument
        return list(found.values())

    def defined_names(self, operation: int) -> list[_Argument]:
        return [_only(a, defines=True) for a in self.names(operation, Access.DEFINE)]

    def variable(self, operation: int, variable: int) -> _Argument | None:
        name = self.ir.string(self.ir.variable_name[variable])
        if self.ir.variable_kind[variable] != VariableKind.FIELD or self.language == "cpp":
            return _Argument(name)
        if self.language == "python":
            return None
        base = "" if variable in self.static else _THIS
        return _Argument(f"{base}.{name}", base, is_member=True)

    def place(self, operation: int) -> _Argument | None:
        """An element, member or dereference by its text."""
        if self.kind[operation] not in _PLACES:
            return None
        text = self.written(operation)
        if self.name[operation] == "deref":
            return _Argument(text if text.startswith("*") else "*" + text)
        if self.kind[operation] == OperationKind.INDEX:
            return _Argument(text, _before(text, "["))
        arrow, dot = text.rfind("->"), text.rfind(".")
        return _Argument(text, text[: max(arrow, dot, 0)], is_member=dot > arrow)

    def places(self, operation: int) -> list[_Argument]:
        found = (self.place(place) for place in self.operands[operation])
        return [argument for argument in found if argument is not None]

    def address(self, operation: int) -> list[_Argument]:
        text = self.written(operation).removeprefix("&")
        inner = self.places(operation) or [_Argument(text)]
        return [*(_only(argument, reads=True) for argument in inner), _Argument("&" + text)]

    def direct(self, operation: int) -> list[_Argument]:
        """The names among a call's arguments, without those that only its results reach.

        A call that assigns what a name points at takes the name: ``scanf("%s", s)``.
        """
        taken = self.names(operation, Access.READ, Access.BASE)
        if self.language == "cpp" and (stream := _STREAMS.match(self.written(operation))):
            taken += map(_full, self.defined_names(operation))
            return [*taken, _Argument(stream[1])]
        values = [o for o in self.operands[operation] if self.kind[o] != OperationKind.CONSTANT]
        if not values and self.name[operation] not in {a.text for a in taken}:
            return taken
        written = {text.rpartition("=")[2] for text in _arguments(self.written(operation))}
        return [a for a in taken if a.text in written or a.text.rpartition(".")[2] in written]

    def receiver(self, operation: int) -> _Argument | None:
        """The receiver of a call: an argument in Java and Python, a member in C++."""
        if not self.ir.flags[operation] & OperationFlag.MEMBER_CALL:
            is_own = self.language == "java" and self.name[operation] in self.own
            is_own &= self.shape.get(operation) == CallShape.PLAIN
            return _Argument(_THIS) if is_own and self._has_receiver(operation) else None
        callee = _callee(self.written(operation))
        arrow, dot = callee.rfind("->"), callee.rfind(".")
        on = callee[: max(arrow, dot, 0)]
        if self.language == "cpp" or not on:
            return _Argument(callee, on, is_member=dot > arrow) if on else None
        if _NAME.fullmatch(on):
            return _Argument(on)
        if on.endswith(")"):
            return None
        base = _before(on, "[") if on.endswith("]") else on.rpartition(".")[0]
        found = _Argument(on, base, is_member=not on.endswith("]"))
        return _only(found, reads=True) if self.language == "python" else found

    def _receiver_as_argument(self, operation: int, receiver: _Argument) -> list[_Argument]:
        """The receiver's object if it is also an argument: ``v.insert(v.end(), v)``."""
        is_argument = receiver.base in _arguments(self.written(operation))
        return [_Argument(receiver.base)] if is_argument else []

    def written(self, operation: int) -> str:
        self.left -= self.end[operation] - self.start[operation]
        if self.left < 0:
            return ""
        span = self.text[self.start[operation] : self.end[operation]]
        return _SPACE.sub(b"", span).decode("utf-8", "replace")

    # More of Joern's Java front end.

    def _static_fields(self) -> set[int]:
        """Fields that are declared static or used in functions without a receiver."""
        ir = self.ir
        by = np.repeat(np.arange(len(ir)), np.diff(ir.access_offsets))
        declared = np.zeros(len(ir), dtype=bool)
        words = [found.start() for found in _STATIC.finditer(self.text)]
        for operation in range(ir.function_first_operation[0], ir.function_end_operation[0]):
            at = bisect_left(words, ir.statement_start[ir.statement[operation]])
            before = self.start[operation] - len(_STATIC.pattern)
            declared[operation] = at < len(words) and words[at] <= before
        without = (ir.function_kind[ir.function] == FunctionKind.STATIC) | declared
        return set(ir.access_variable[without[by]].tolist())

    def _own_methods(self) -> set[str]:
        ir = self.ir
        return {ir.string(n) for n in ir.function_name[ir.function_kind == FunctionKind.METHOD]}

    def _has_receiver(self, operation: int) -> bool:
        kind = self.ir.function_kind[self.ir.function[operation]]
        return bool(kind in (FunctionKind.METHOD, FunctionKind.CONSTRUCTOR))

    def _is_written(self, token: str, operation: int) -> bool:
        return token in self.written(operation)


def _only(argument: _Argument, *, reads: bool = False, defines: bool = False) -> _Argument:
    return _Argument(argument.text, argument.base, argument.is_member, reads, defines)


def _full(argument: _Argument) -> _Argument:
    return _only(argument, reads=True, defines=True)


def _target(argument: _Argument, *, reads: bool) -> _Argument:
    return _only(argument, reads=reads, defines=True)


def _split(values: npt.NDArray[np.generic], offsets: _I32) -> list[list[int]]:
    flat, cuts = values.tolist(), offsets.tolist()
    return [flat[a:b] for a, b in pairwise(cuts)]


def _before(text: str, bracket: str) -> str:
    """A text without its last group in brackets: ``a[i]`` of ``a[i][j]``."""
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        if text[at] in ")]":
            depth += 1
        elif text[at] in "([":
            depth -= 1
            if depth == 0:
                return text[:at] if text[at] == bracket else ""
    return ""


def _callee(text: str) -> str:
    return _before(text, "(")


def _arguments(text: str) -> Iterator[str]:
    """The texts between the commas of a call's last group in brackets."""
    inside = text[len(_callee(text)) + 1 : -1]
    depth, start = 0, 0
    for at, character in enumerate(inside):
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == "," and depth == 0:
            yield inside[start:at]
            start = at + 1
    yield inside[start:]


@dataclass(frozen=True, eq=False)
class ReachingExits:
    """Operations that reach the end of a function, and that function.

    Attributes
    ----------
    operation, function : int32 arrays
    complete : bool
        False if there are more than the limit.
    """

    operation: _I32
    function: _I32
    complete: bool


def reaching_exits(
    ir: FlowIR, flow: ControlFlow, effects: Effects, *, limit: int = MAX_PAIRS
) -> ReachingExits:
    """Operations whose definitions reach the end of their function, and those that return."""
    count = len(ir)
    functions = len(ir.function_name)
    by = np.repeat(np.arange(count), np.diff(effects.definition_offsets))
    width = int(effects.definitions.max(initial=0)) + 1
    keys = np.unique(ir.function[by].astype(np.int64) * width + effects.definitions)
    # The exit of a function, a node after the operations, uses all that the function defines.
    used = np.bincount(keys // width, minlength=functions)
    ends = effects.use_offsets[-1] + np.cumsum(used)
    nothing = np.full(functions, effects.definition_offsets[-1], dtype=np.int32)
    extended = dataclasses.replace(
        effects,
        use_offsets=np.concatenate((effects.use_offsets, ends.astype(np.int32))),
        uses=np.concatenate((effects.uses, (keys % width).astype(np.int32))),
        definition_offsets=np.concatenate((effects.definition_offsets, nothing)),
    )
    found = reaching_definitions(flow, extended, limit=limit, top_level_first=False)
    at_exit = found.use >= count
    returns = np.flatnonzero(ir.kind == OperationKind.RETURN).astype(np.int32)
    operations = np.concatenate((found.definition[at_exit], returns))
    functions_of = np.concatenate((found.use[at_exit] - count, ir.function[returns]))
    return ReachingExits(operations, functions_of, found.complete)


def add_exits(
    graph: SemanticGraph, nodes: npt.NDArray[np.integer], functions: npt.NDArray[np.integer]
) -> SemanticGraph:
    """A graph with a node for the exit of each function that has nodes.

    Parameters
    ----------
    graph : SemanticGraph
    nodes, functions : int arrays
        Nodes with data edges to the exits of functions.
    """
    present = np.unique(graph.function[graph.function >= 0])
    exit_of = np.full(len(graph.functions), -1, dtype=np.int64)
    exit_of[present] = len(graph) + np.arange(len(present))
    kept = (nodes > 0) & (exit_of[functions] >= 0)
    added = np.unique(np.stack((nodes[kept], exit_of[functions[kept]])), axis=1)
    source = np.concatenate((graph.source, added[0]))
    target = np.concatenate((graph.target, added[1]))
    kind = np.concatenate((graph.edge_kind, np.full(added.shape[1], EdgeKind.DATA)))
    order = np.lexsort((kind, target, source))
    last = np.full(len(graph.functions), np.iinfo(np.int32).min, dtype=np.int32)
    inside = graph.function >= 0
    np.maximum.at(last, graph.function[inside], graph.end[inside])
    ends = last[present]
    return dataclasses.replace(
        graph,
        kind=_with(graph.kind, np.full(len(present), OperationKind.EXIT)),
        label=_with(graph.label, np.full(len(present), len(graph.labels))),
        start=_with(graph.start, ends),
        end=_with(graph.end, ends),
        function=_with(graph.function, present),
        statement=_with(graph.statement, np.full(len(present), -1)),
        source=source[order].astype(np.int32),
        target=target[order].astype(np.int32),
        edge_kind=kind[order].astype(np.uint8),
        labels=(*graph.labels, "exit"),
    )


def _with(values: npt.NDArray[Any], more: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.concatenate((values, more.astype(values.dtype)))
