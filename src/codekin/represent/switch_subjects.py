"""Switches whose subject alone decides, in place of the test of each case."""

from __future__ import annotations

import dataclasses

import numpy as np

from codekin.represent.flow_ir import Access, FlowIR, Item

__all__ = ["decided_by_subjects"]


def decided_by_subjects(ir: FlowIR) -> FlowIR:
    """The program with its switches decided by their subjects.

    A case's test no longer runs, unless it binds a name.

    Examples
    --------
    >>> from codekin import Source
    >>> from codekin.represent.control_dependence import control_dependence
    >>> from codekin.represent.control_flow import control_flow
    >>> ir = Source("match kind:\\n    case 1:\\n        start()\\n", "python").flow_ir
    >>> for program in (ir, decided_by_subjects(ir)):
    ...     found = control_dependence(control_flow(program))
    ...     deciding = found.controller[ir.name[found.dependent] == ir.strings.index("start")]
    ...     print([ir.string(ir.name[operation]) for operation in deciding])
    ['==']
    ['switch']
    """
    code = ir.item_code
    case = code == Item.CASE
    if not case.any():
        return ir
    decision = (code == Item.MATCH) | (code == Item.DEFAULT)
    tested = (np.cumsum(case) > np.cumsum(decision)) & ~case
    defining = np.zeros(len(ir), dtype=bool)
    owner = np.repeat(np.arange(len(ir)), np.diff(ir.access_offsets))
    defining[owner[ir.access_mode == Access.DEFINE]] = True
    binds = (code == Item.OP) & defining[np.maximum(ir.item_a, 0)]
    kept = ~tested | binds
    before = np.concatenate(([0], np.cumsum(kept)))
    decider = np.where(code == Item.MATCH, np.int32(-1), ir.item_a)
    return dataclasses.replace(
        ir,
        item_code=code[kept],
        item_a=decider[kept],
        item_b=ir.item_b[kept],
        function_first_item=before[ir.function_first_item].astype(np.int32),
        function_end_item=before[ir.function_end_item].astype(np.int32),
    )
