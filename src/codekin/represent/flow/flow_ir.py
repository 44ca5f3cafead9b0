"""The flow IR: what a program does, in a form common to all languages.

A program is lowered (see :mod:`codekin.represent.flow.lowering`) to functions; a function to
operations, each with its operands and what it reads and writes, and to a stream of items that
defines the order in which they run: structured control and jumps.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, IntFlag

import numpy as np
import numpy.typing as npt

__all__ = [
    "Access",
    "Alias",
    "CallShape",
    "FlowIR",
    "FunctionKind",
    "Item",
    "OperationFlag",
    "OperationKind",
    "VariableKind",
]

_I32 = npt.NDArray[np.int32]
_U8 = npt.NDArray[np.uint8]


class OperationKind(IntEnum):
    """The kind of an operation."""

    ENTRY = 0
    PARAMETER = 1
    CONSTANT = 2
    ASSIGN = 3
    OPERATOR = 4
    CALL = 5
    INDEX = 6
    MEMBER = 7
    RETURN = 8
    JUMP = 9
    PREDICATE = 10
    FUNCTION = 11
    OPAQUE = 12
    CLASS = 13
    IMPORT = 14
    EXIT = 15  # in graphs only: the end of a function


class OperationFlag(IntFlag):
    """Further facts about an operation."""

    RAISES = 1
    TRUE = 2
    FALSE = 4
    MEMBER_CALL = 8
    STRING = 16
    NUMBER = 32
    OTHER_CONSTANT = 48


class FunctionKind(IntEnum):
    """The kind of a function."""

    MODULE = 0
    FUNCTION = 1
    METHOD = 2
    LAMBDA = 3
    STATIC = 4
    CONSTRUCTOR = 5


class Access(IntEnum):
    """How an operation accesses a variable or what is reached through it."""

    READ = 0
    BASE = 1
    LOAD = 2
    DEFINE = 3
    MAYBE = 4
    STORE = 5


class VariableKind(IntEnum):
    """The kind of a variable."""

    LOCAL = 0
    PARAMETER = 1
    GLOBAL = 2
    FIELD = 3
    RECEIVER = 4


class Alias(IntEnum):
    """How two variables come to reach the same object.

    COPY: what left reaches, right may reach. ADDRESS: left may point at the variable right.
    ELEMENT: what left reaches may be an element or field of what right reaches; ``a[i][j] = v``
    is a STORE to a variable without a name that is an ELEMENT of ``a``.
    """

    COPY = 0
    ADDRESS = 1
    ELEMENT = 2


class CallShape(IntEnum):
    """How a call names its callee."""

    PLAIN = 0
    MEMBER = 1
    CONSTRUCTION = 2
    OWN_MEMBER = 3


class Item(IntEnum):
    """One step of a function: an operation, a mark of structured control, or a jump."""

    OP = 0
    IF = 1
    ELSE = 2
    END = 3
    LOOP = 4
    TEST = 5
    NEXT = 6
    LOOPELSE = 7
    SWITCH = 8
    CASE = 9
    MATCH = 10
    DEFAULT = 11
    GUARD = 12
    LEAVE = 13
    TRY = 14
    CATCH = 15
    TRYELSE = 16
    FINALLY = 17
    RETURN = 18
    THROW = 19
    BREAK = 20
    CONTINUE = 21
    GOTO = 22
    LABEL = 23
    BLOCK = 24


@dataclass(frozen=True, eq=False, repr=False)
class FlowIR:
    """A program as functions, operations and structured control, in flat arrays.

    Lists are stored as ``*_offsets``, with one entry more than there are lists: list i is
    ``offsets[i] : offsets[i + 1]``. Strings are indices into `strings`, -1 for none.

    Attributes
    ----------
    strings : tuple of str
        Every name.
    function_* : arrays
        Name, kind (:class:`FunctionKind`), enclosing function, class, span in bytes, ranges of
        operations and items, minimum and maximum number of arguments (-1: any). Function 0 is the
        top-level code.
    kind, name, function, start, end, statement, flags : arrays
        The operations: :class:`OperationKind`, name, function, span in bytes, statement,
        :class:`OperationFlag`.
    operand_offsets, operands : int32 arrays
        Operations whose values an operation uses.
    access_offsets, access_variable, access_field, access_mode : arrays
        What an operation reads and writes by name (:class:`Access`).
    variable_* : arrays
        Name, function that owns it, kind (:class:`VariableKind`), declared class.
    alias_left, alias_right, alias_kind : arrays
        Pairs of variables that may reach the same object (:class:`Alias`).
    call_* : arrays
        Operation, callee's name, number of arguments, receiver's variable, function if known,
        shape (:class:`CallShape`), class that qualifies the name.
    argument_offsets, argument_variable, argument_kind : arrays
        For each call and argument, the variable its value comes from or -1, and whether its
        address is passed.
    statement_start, statement_end : int32 arrays
        Spans of the statements in bytes.
    item_code, item_a, item_b : arrays
        The items (:class:`Item`): an operation or -1, and a label or -1.
    complete : bool
        False if a limit left something out: code that is nested too deeply, or too many objects
        with too many possible classes.
    """

    strings: tuple[str, ...]
    function_name: _I32
    function_kind: _U8
    function_parent: _I32
    function_owner: _I32
    function_start: _I32
    function_end: _I32
    function_first_operation: _I32
    function_end_operation: _I32
    function_first_item: _I32
    function_end_item: _I32
    function_least: _I32
    function_most: _I32
    kind: _U8
    name: _I32
    function: _I32
    start: _I32
    end: _I32
    statement: _I32
    flags: _U8
    operand_offsets: _I32
    operands: _I32
    access_offsets: _I32
    access_variable: _I32
    access_field: _I32
    access_mode: _U8
    variable_name: _I32
    variable_owner: _I32
    variable_kind: _U8
    variable_type: _I32
    alias_left: _I32
    alias_right: _I32
    alias_kind: _U8
    call_operation: _I32
    call_name: _I32
    call_arguments: _I32
    call_receiver: _I32
    call_target: _I32
    call_shape: _U8
    call_owner: _I32
    argument_offsets: _I32
    argument_variable: _I32
    argument_kind: _U8
    statement_start: _I32
    statement_end: _I32
    item_code: _U8
    item_a: _I32
    item_b: _I32
    complete: bool = True

    def __len__(self) -> int:
        return len(self.kind)

    def __repr__(self) -> str:
        return f"<FlowIR {len(self.function_name)} functions {len(self)} operations>"

    def string(self, index: int) -> str:
        """The string of an index; empty for -1."""
        return "" if index < 0 else self.strings[index]
