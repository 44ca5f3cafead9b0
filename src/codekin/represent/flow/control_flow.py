"""Control-flow graphs: the order in which the operations of each function may run."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.represent.flow.flow_ir import FlowIR

__all__ = ["ControlFlow", "FlowKind", "control_flow"]

_I32 = npt.NDArray[np.int32]


class FlowKind(IntEnum):
    """Why one node follows another."""

    NEXT = 0
    TRUE = 1
    FALSE = 2
    RAISED = 3
    FALL_THROUGH = 4


@dataclass(frozen=True, eq=False, repr=False)
class ControlFlow:
    """The control-flow graphs of all functions, as one graph in flat arrays.

    Nodes are the operations, then the exits of the functions, then pseudo nodes: branches that are
    not operations, such as the alternatives of a switch.

    Attributes
    ----------
    operations, functions : int
        Their numbers. The exit of function f is node ``operations + f``.
    entries : int32 array
        The first operation of each function, -1 if it has none.
    source, target, kind : arrays
        The edges and their :class:`FlowKind`. Edges of kind FALL_THROUGH are never executed.
    decides : int32 array
        For each node, the operation whose value a branch at it depends on (an operation itself);
        -1 if there is none, then it depends on what the node depends on.
    choice, chosen_by : int32 arrays
        Pairs of pseudo nodes: where the flow continues after a ``finally`` (`choice`) depends on
        where it came from (`chosen_by`).
    closing : int32 array
        Edges (as indices) that are never executed: from the head of an endless loop to the exit.
    """

    operations: int
    functions: int
    entries: _I32
    source: _I32
    target: _I32
    kind: npt.NDArray[np.uint8]
    decides: _I32
    choice: _I32
    chosen_by: _I32
    closing: _I32

    def __len__(self) -> int:
        return len(self.decides)

    def __repr__(self) -> str:
        return (
            f"<ControlFlow {self.functions} functions {len(self)} nodes {len(self.source)} edges>"
        )

    @property
    def exits(self) -> _I32:
        """The exit of each function."""
        return np.arange(self.operations, self.operations + self.functions, dtype=np.int32)


def control_flow(
    ir: FlowIR, *, fold: bool = True, jumps: bool = False, raising: bool = True
) -> ControlFlow:
    """Build the control-flow graph of every function.

    Unreachable code stays in the graph. A jump to an unknown label leads to the exit.

    Parameters
    ----------
    ir : FlowIR
        The program.
    fold : bool
        Whether a branch on a constant has only one successor.
    jumps : bool
        Whether jumps also lead to what follows them in the text, by edges of kind FALL_THROUGH.
        With them, control dependence covers jumps as well as branches (Ball and Horwitz, Slicing
        programs with arbitrary control-flow, 1993).
    raising : bool
        Whether an operation that may raise leads to the handlers around it. Handlers without
        incoming edges are entered from the end of the body that they guard.

    Raises
    ------
    ValueError
        If the marks of the items are not balanced.

    Examples
    --------
    >>> from codekin import Source
    >>> ir = Source("if a < b: f()", "python").flow_ir
    >>> flow = control_flow(ir)
    >>> flow
    <ControlFlow 1 functions 4 nodes 4 edges>
    >>> [ir.string(name) for name in ir.name]
    ['<module>', '<', 'f']
    >>> kinds = [FlowKind(kind).name for kind in flow.kind]
    >>> list(zip(flow.source.tolist(), flow.target.tolist(), kinds))
    [(0, 1, 'NEXT'), (1, 3, 'FALSE'), (1, 2, 'TRUE'), (2, 3, 'NEXT')]
    """
    source, target, kind, decides, choice, chosen_by, closing = _native.control_flow(
        ir.function_first_operation,
        ir.function_end_operation,
        ir.function_first_item,
        ir.function_end_item,
        ir.kind,
        ir.flags,
        ir.item_code,
        ir.item_a,
        ir.item_b,
        fold,
        jumps,
        raising,
    )
    first, end = ir.function_first_operation, ir.function_end_operation
    entries = first if (first < end).all() else np.where(first < end, first, np.int32(-1))
    return ControlFlow(
        len(ir),
        len(first),
        entries,
        source,
        target,
        kind,
        decides,
        choice,
        chosen_by,
        closing,
    )
