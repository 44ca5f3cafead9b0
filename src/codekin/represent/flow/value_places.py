"""In which place each operation of a program reads the values that it uses."""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from typing import Final

import numpy as np

from codekin import _native
from codekin.represent.flow.flow_ir import Access, FlowIR, VariableKind
from codekin.represent.text.tokens import Tokens

__all__ = ["ANYWHERE", "ValuePlaces"]

ANYWHERE: Final = -1
"""The place of a value that is not known."""

_DEFINE, _LAST_LOCAL = int(Access.DEFINE), int(VariableKind.PARAMETER)
_OUTER = (int(VariableKind.GLOBAL), int(VariableKind.FIELD))
_MOST_DEFINITIONS: Final = 16

_Order = tuple[dict[int, int], dict[int, int]]
"""The places of operands, and those of variables."""


class ValuePlaces:
    """The order of the operands and variables that operations read, by the text.

    Parameters
    ----------
    ir : FlowIR
        The lowered program.
    tokens : Tokens
        Those of the same text.

    Examples
    --------
    >>> from codekin import Source
    >>> source = Source("def f(a, b):\\n    return (b - a * 2) / a\\n", "python")
    >>> ir, places = source.flow_ir, ValuePlaces(source.flow_ir, source.tokens)
    >>> [ir.string(name) for name in ir.name.tolist()]
    ['<module>', 'f', 'param', 'param', '2', '*', '-', '/', 'return']
    >>> places.place(3, 6), places.place(5, 6), places.place(2, 7)  # b, a * 2, a
    (0, 1, 1)
    """

    def __init__(self, ir: FlowIR, tokens: Tokens) -> None:
        self._ir = ir
        both = list(zip(ir.access_variable.tolist(), ir.access_mode.tolist(), strict=True))
        self._accesses = [both[i:j] for i, j in pairwise(ir.access_offsets.tolist())]
        operands = ir.operands.tolist()
        self._operands = [operands[i:j] for i, j in pairwise(ir.operand_offsets.tolist())]
        self._readers = np.repeat(np.arange(len(ir)), np.diff(ir.access_offsets))
        reads = np.bincount(self._readers[ir.access_mode < _DEFINE], minlength=len(ir))
        self._only = (np.diff(ir.operand_offsets) + reads == 1).tolist()
        strings = ["", *ir.strings]
        self._names = _native.string_ids(strings)[ir.variable_name + 1].tolist()
        self._nameless = [not strings[name + 1] for name in ir.variable_name.tolist()]
        self._kinds = ir.variable_kind.tolist()
        self._starts, self._ends = ir.start.tolist(), ir.end.tolist()
        self._token_ids: list[int] = tokens.ids.tolist()
        self._token_starts: list[int] = tokens.starts.tolist()
        self._orders: dict[int, _Order] = {}

    def writes_only_locals(self, operation: int) -> bool:
        """Whether an operation writes local variables, and nothing else."""
        written = [one for one in self._accesses[operation] if one[1] >= _DEFINE]
        return bool(written) and all(
            mode == _DEFINE and self._kinds[variable] <= _LAST_LOCAL for variable, mode in written
        )

    def place(self, source: int, target: int) -> int | None:
        """In which place an operation uses the value of another one, from 0, or ANYWHERE.

        None if it only uses what the value may be a part of, and that is an operand anyway.
        """
        if self._only[target]:
            return 0
        by_operand, by_variable = self._order_of(target)
        place = by_operand.get(source)
        if place is not None:
            return place
        written = {variable for variable, mode in self._accesses[source] if mode >= _DEFINE}
        found = [by_variable[variable] for variable in written if variable in by_variable]
        if not found and self._reads_in_operands(target, written):
            return None
        return min(found, default=ANYWHERE)

    def _reads_in_operands(self, operation: int, variables: set[int]) -> bool:
        """Whether an operation reads one of some variables, or one without a name.

        If it does not do so in a place of its own, then its operands do.
        """
        return any(
            mode < _DEFINE and (variable in variables or self._nameless[variable])
            for variable, mode in self._accesses[operation]
        )

    def variable_place(self, operation: int, variable: int) -> int:
        """In which place an operation reads a variable, from 0, or ANYWHERE."""
        return self._order_of(operation)[1].get(variable, ANYWHERE)

    def outer_reads(self) -> list[tuple[int, int]]:
        """Operations, and variables that they read and the text does not declare.

        The name of a function that an operation calls is not such a variable.
        """
        ir = self._ir
        outer = np.isin(ir.variable_kind[ir.access_variable], _OUTER) & (ir.access_mode < _DEFINE)
        outer &= ir.variable_name[ir.access_variable] != ir.name[self._readers]
        readers, variables = self._readers[outer].tolist(), ir.access_variable[outer].tolist()
        return [
            (operation, variable)
            for operation, variable in zip(readers, variables, strict=True)
            if not self._nameless[variable]
        ]

    def captured_reads(self) -> list[tuple[int, int, int]]:
        """What defines a variable, what reads it in an inner function, and the variable.

        Of a variable with very many definitions, only the first ones.
        """
        ir = self._ir
        inner = ir.variable_owner[ir.access_variable] != ir.function[self._readers]
        inner &= ir.access_mode < _DEFINE
        inner &= ir.variable_kind[ir.access_variable] <= _LAST_LOCAL
        if not inner.any():
            return []
        defining: dict[int, list[int]] = {}
        for operation, accesses in enumerate(self._accesses):
            for variable, mode in accesses:
                if mode == _DEFINE:
                    defining.setdefault(variable, []).append(operation)
        readers, variables = self._readers[inner].tolist(), ir.access_variable[inner].tolist()
        return [
            (definition, operation, variable)
            for operation, variable in zip(readers, variables, strict=True)
            for definition in defining.get(variable, [])[:_MOST_DEFINITIONS]
        ]

    def _order_of(self, operation: int) -> _Order:
        known = self._orders.get(operation)
        if known is None:
            known = self._orders[operation] = self._order(operation)
        return known

    def _order(self, operation: int) -> _Order:
        """The number of each operand and variable of an operation, in the order of the text."""
        operands = self._operands[operation]
        read = [variable for variable, mode in self._accesses[operation] if mode < _DEFINE]
        starts = [(self._starts[one], 0, one) for one in operands]
        if read:
            starts += self._found(operation, {self._names[one]: one for one in reversed(read)})
        found: _Order = ({}, {})
        for number, (_, which, one) in enumerate(sorted(starts)):
            found[which].setdefault(one, number)
        return found

    def _found(self, operation: int, wanted: dict[int, int]) -> list[tuple[int, int, int]]:
        """Where an operation first reads variables, by their names, outside of its operands."""
        found = []
        spans = sorted((self._starts[one], self._ends[one]) for one in self._operands[operation])
        end = self._ends[operation]
        at = self._starts[operation]
        for start, stop in [*spans, (end, end)]:
            token = bisect_left(self._token_starts, at)
            while wanted and token < len(self._token_starts) and self._token_starts[token] < start:
                variable = wanted.pop(self._token_ids[token], None)
                if variable is not None:
                    found.append((self._token_starts[token], 1, variable))
                token += 1
            at = max(at, stop)
        return found
