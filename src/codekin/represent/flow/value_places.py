"""In which place each operation of a program reads the values that it uses."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import numpy as np

from codekin import _native
from codekin.represent.flow.flow_ir import Access, FlowIR, VariableKind
from codekin.represent.text.tokens import Tokens

__all__ = ["ANYWHERE", "ValuePlaces"]

ANYWHERE: Final = -1
"""The place of a value that is not known."""

_BASE, _DEFINE = int(Access.BASE), int(Access.DEFINE)
_LAST_LOCAL = int(VariableKind.PARAMETER)
_AT_THE_FRONT: Final = [0]
_MOST_DEFINITIONS: Final = 16
_MOST_OPERANDS: Final = 64

_SEPARATORS = frozenset(_native.string_ids([",", ":", "..", "..="]).tolist())
_MEMBER_MARKS = frozenset(_native.string_ids([".", "->", "::", "?."]).tolist())
_NAME_MARKS = frozenset(_native.string_ids(["(", "="]).tolist())
_NAMED = int(_native.string_ids(["="])[0])

_Order = tuple[dict[int, int], dict[int, list[int]]]
"""The places of operands, and those of variables."""


class ValuePlaces:
    """The places of the operands and variables that operations read, by the text.

    A place is the number of values before, plus 8 for each comma or colon: so the bound of a slice
    is in another place if the other bound is left out.

    Parameters
    ----------
    ir : FlowIR
        The lowered program.
    tokens : Tokens
        Those of the same text.

    Attributes
    ----------
    needs_one : list of bool
        Whether each operation reads one value, which is in the first place.
    gives_several : list of bool
        Whether each operation writes several variables.

    Examples
    --------
    >>> from codekin import Source
    >>> source = Source("def f(a, b):\\n    return (b - a * 2) / a\\n", "python")
    >>> ir, places = source.flow_ir, ValuePlaces(source.flow_ir, source.tokens)
    >>> [ir.string(name) for name in ir.name.tolist()]
    ['<module>', 'f', 'param', 'param', '2', '*', '-', '/', 'return']
    >>> places.places(3, 6), places.places(5, 6), places.places(2, 7)  # b, a * 2, a
    ([0], [1], [1])
    """

    def __init__(self, ir: FlowIR, tokens: Tokens) -> None:
        self._ir = ir
        both = list(zip(ir.access_variable.tolist(), ir.access_mode.tolist(), strict=True))
        self._accesses = [both[i:j] for i, j in pairwise(ir.access_offsets.tolist())]
        operands = ir.operands.tolist()
        self._operands = [operands[i:j] for i, j in pairwise(ir.operand_offsets.tolist())]
        self._readers = np.repeat(np.arange(len(ir)), np.diff(ir.access_offsets))
        reads = np.bincount(self._readers[ir.access_mode < _DEFINE], minlength=len(ir))
        only = np.diff(ir.operand_offsets) + reads == 1
        gaps = [place for place, text in enumerate(ir.strings) if text in ("slice", "range")]
        for one in gaps:
            only &= ir.name != one
        self.needs_one = only.tolist()
        strings = ["", *ir.strings]
        self._names = _native.string_ids(strings)[ir.variable_name + 1].tolist()
        self._nameless = [not strings[name + 1] for name in ir.variable_name.tolist()]
        self._kinds = ir.variable_kind.tolist()
        self._starts, self._ends = ir.start.tolist(), ir.end.tolist()
        self._token_ids: list[int] = tokens.ids.tolist()
        self._token_starts: list[int] = tokens.starts.tolist()
        self._orders: dict[int, _Order] = {}
        self._written = [
            [variable for variable, mode in some if mode >= _DEFINE] for some in self._accesses
        ]
        self.gives_several = [len(some) > 1 for some in self._written]

    def writes_only_locals(self, operation: int) -> bool:
        """Whether an operation writes local variables, and nothing else."""
        written = [one for one in self._accesses[operation] if one[1] >= _DEFINE]
        return bool(written) and all(
            mode == _DEFINE and self._kinds[variable] <= _LAST_LOCAL for variable, mode in written
        )

    def places(self, source: int, target: int, variable: int | None = None) -> list[int]:
        """In which places an operation uses the value of another one, or that of its variable.

        If it is not known where, it is ANYWHERE. Nowhere, if the operation only uses what the value
        may be a part of, which is an operand of it.
        """
        if self.needs_one[target]:
            return _AT_THE_FRONT
        known = self._orders.get(target)
        by_operand, by_variable = self._order_of(target) if known is None else known
        place = by_operand.get(source)
        if place is not None:
            return [place]
        written = self._written[source] if variable is None else [variable]
        if len(written) == 1 and written[0] in by_variable:
            return by_variable[written[0]]
        found = [place for one in written for place in by_variable.get(one, ())]
        if not found and self._reads_in_operands(target, set(written)):
            return []
        return sorted(found) or [ANYWHERE]

    def written(self, operation: int) -> list[int]:
        """The variables that an operation writes, in the order of the text."""
        return self._written[operation]

    def changed(self, operation: int) -> set[tuple[int, int]]:
        """The variables that an operation writes, each with the field; -1 for the whole object."""
        ir = self._ir
        places = slice(int(ir.access_offsets[operation]), int(ir.access_offsets[operation + 1]))
        accesses = zip(
            ir.access_variable[places].tolist(),
            ir.access_field[places].tolist(),
            ir.access_mode[places].tolist(),
            strict=True,
        )
        return {(variable, field) for variable, field, mode in accesses if mode >= _DEFINE}

    def defined(self, operation: int) -> list[int]:
        """The variables that an operation gives values to, if these are several."""
        if not self.gives_several[operation]:
            return []
        found = [variable for variable, mode in self._accesses[operation] if mode == _DEFINE]
        return found if len(found) > 1 else []

    def reads(self, operation: int) -> set[int]:
        """The variables that an operation reads."""
        return {variable for variable, mode in self._accesses[operation] if mode < _DEFINE}

    def changed_objects(self) -> Iterator[tuple[list[int], list[int]]]:
        """The operations that change an object without a new value for its variable, and readers.

        One pair of lists for each variable and field. What reads the whole object reads all fields.
        """
        ir = self._ir
        if not (ir.access_mode > _DEFINE).any():
            return
        changes: dict[int, dict[int, list[int]]] = {}
        reads: dict[int, dict[int, list[int]]] = {}
        accesses = zip(
            self._readers.tolist(),
            ir.access_variable.tolist(),
            ir.access_field.tolist(),
            ir.access_mode.tolist(),
            strict=True,
        )
        for operation, variable, field, mode in accesses:
            if mode not in (_BASE, _DEFINE):
                found = changes if mode > _DEFINE else reads
                found.setdefault(variable, {}).setdefault(field, []).append(operation)
        for variable, by_field in changes.items():
            readers = reads.get(variable, {})
            for field, some in by_field.items():
                whole = readers if field < 0 else {field, -1} & readers.keys()
                yield some, [one for each in sorted(whole) for one in readers[each]]

    def has_named_arguments(self, operation: int) -> bool:
        """Whether an equals sign is among an operation's own tokens, as in ``f(a, key=b)``."""
        return any(self._token_ids[token] == _NAMED for token in self._own_tokens(operation))

    def begins_with(self, operation: int, token: int) -> bool:
        """Whether the text of an operation begins with a token, of this identity."""
        at = bisect_left(self._token_starts, self._starts[operation])
        return at < len(self._token_ids) and self._token_ids[at] == token

    def _reads_in_operands(self, operation: int, variables: set[int]) -> bool:
        """Whether an operand of an operation reads one of some variables, or both have no name."""
        nameless = any(self._nameless[variable] for variable in variables)
        return any(
            mode < _DEFINE
            and (
                (nameless and self._nameless[variable])
                or (variable in variables and self._an_operand_reads(operation, variable))
            )
            for variable, mode in self._accesses[operation]
        )

    def _an_operand_reads(self, operation: int, variable: int) -> bool:
        """Whether a variable is read within the operands of an operation, a few levels deep."""
        inside = list(self._operands[operation])
        for _ in range(_MOST_OPERANDS):
            if not inside:
                return False
            one = inside.pop()
            if variable in self.reads(one):
                return True
            inside += self._operands[one]
        return True

    def variable_places(self, operation: int, variable: int) -> list[int]:
        """In which places an operation reads a variable; ANYWHERE if that is not known."""
        if self.needs_one[operation]:
            return _AT_THE_FRONT
        return self._order_of(operation)[1].get(variable) or [ANYWHERE]

    def outer_reads(self) -> list[tuple[int, int]]:
        """Operations, and variables that they read and the text does not declare.

        The name of a function that an operation calls is not such a variable.
        """
        ir = self._ir
        kinds = ir.variable_kind[ir.access_variable]
        outer = (kinds == VariableKind.GLOBAL) | (kinds == VariableKind.FIELD)
        outer &= ir.access_mode < _DEFINE
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
        """The places of each operand and variable of an operation, in the order of the text."""
        found: _Order = ({}, {})
        names = {self._names[one]: one for one in self.reads(operation)}
        marks = [(self._starts[one], 0, one) for one in self._operands[operation]]
        for token in self._own_tokens(operation):
            identity = self._token_ids[token]
            if identity in _SEPARATORS:
                marks.append((self._token_starts[token], 1, 0))
            elif identity in names and self._is_variable(token):
                marks.append((self._token_starts[token], 2, names[identity]))
        values = separators = 0
        for _, which, one in sorted(marks):
            place = values + 8 * separators
            if which == 1:
                separators += 1
                continue
            values += 1
            if which == 0:
                found[0].setdefault(one, place)
            else:
                found[1].setdefault(one, []).append(place)
        return found

    def _is_variable(self, token: int) -> bool:
        """Whether a name is not that of a member, of a called function or of an argument."""
        before = self._token_ids[token - 1] if token else 0
        after = self._token_ids[token + 1] if token + 1 < len(self._token_ids) else 0
        return before not in _MEMBER_MARKS and after not in _NAME_MARKS

    def _own_tokens(self, operation: int) -> Iterator[int]:
        """The tokens of an operation that are not those of its operands."""
        spans = sorted((self._starts[one], self._ends[one]) for one in self._operands[operation])
        at, end = self._starts[operation], self._ends[operation]
        for start, stop in [*spans, (end, end)]:
            token = bisect_left(self._token_starts, at)
            while token < len(self._token_starts) and self._token_starts[token] < start:
                yield token
                token += 1
            at = max(at, stop)
