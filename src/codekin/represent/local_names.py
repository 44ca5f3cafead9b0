"""Names that local variables lend to functions and calls: whoever renames them changes nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from codekin.represent.flow_ir import (
    Access,
    CallShape,
    FlowIR,
    FunctionKind,
    OperationKind,
    VariableKind,
)

__all__ = ["called_through_variables", "locally_named"]

_LAST_LOCAL = int(VariableKind.PARAMETER)
"""Local variables and parameters are the first two kinds."""
_Bools = npt.NDArray[np.bool_]


def locally_named(
    ir: FlowIR, calls: tuple[npt.NDArray[Any], npt.NDArray[Any]] | None = None
) -> tuple[_Bools, _Bools]:
    """Operations whose names are those of local variables.

    Parameters
    ----------
    ir : FlowIR
    calls : pair of arrays, optional
        Calls, and the functions of the text that they may run.

    Returns
    -------
    calls, entries : bool arrays
        By operation: calls of what a local variable or a parameter holds, and entries of lambdas
        bound to local variables. A nested function that is declared keeps its name.
    """
    if not len(ir.access_variable):
        return np.zeros(len(ir), dtype=bool), np.zeros(len(ir), dtype=bool)
    anonymous = _bound_lambdas(ir)
    through = called_through_variables(ir)
    if calls is not None:
        through[calls[0]] = False
        through[calls[0][anonymous[calls[1]]]] = True
    entries = np.zeros(len(ir), dtype=bool)
    entries[ir.function_first_operation[anonymous]] = True
    return through & (ir.kind == OperationKind.CALL), entries


def _bound_lambdas(ir: FlowIR) -> _Bools:
    """Functions that are lambdas with the name of a local variable of the function around."""
    bound: _Bools = ir.function_kind == FunctionKind.LAMBDA
    if not bound.any():
        return bound
    local = ir.variable_kind <= _LAST_LOCAL
    owners = ir.variable_owner[local].astype(np.int64)
    names = ir.variable_name[local].astype(np.int64)
    wide = len(ir.strings) + 1
    keys = ir.function_parent.astype(np.int64) * wide + ir.function_name
    bound &= (ir.function_parent > 0) & np.isin(keys, owners * wide + names)
    return bound


def called_through_variables(ir: FlowIR) -> _Bools:
    """For each operation whether it calls a local variable, other than one of a nested function."""
    by = np.repeat(np.arange(len(ir)), np.diff(ir.access_offsets))
    given = np.zeros(len(ir.variable_kind), dtype=bool)
    defines = (ir.access_mode == Access.DEFINE) & (ir.kind[by] != OperationKind.FUNCTION)
    given[ir.access_variable[defines]] = True
    given &= ir.variable_kind <= _LAST_LOCAL
    read = (ir.access_mode == Access.READ) & given[ir.access_variable]
    read &= ir.variable_name[ir.access_variable] == ir.name[by]
    times = np.bincount(by[read], minlength=len(ir))
    found: _Bools = times > _arguments_of_that_name(ir)
    found[ir.call_operation[ir.call_shape != CallShape.PLAIN]] = False
    return found


def _arguments_of_that_name(ir: FlowIR) -> npt.NDArray[np.intp]:
    """How many arguments of each call have its name: ``std::max(max, x)`` calls no variable."""
    by = np.repeat(ir.call_operation, np.diff(ir.argument_offsets))
    handed = ir.argument_variable >= 0
    by, variable = by[handed], ir.argument_variable[handed]
    return np.bincount(by[ir.variable_name[variable] == ir.name[by]], minlength=len(ir))
