"""Control-flow graphs: in which order the operations of each function may run."""

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
    no operation of their own, such as the alternatives of a switch.

    Attributes
    ----------
    operations, functions : int
        How many there are. The exit of function f is node ``operations + f``.
    entries : int32 array
        The first operation of each function, -1 where it has none.
    source, target, kind : arrays
        The edges and their :class:`FlowKind`. Kind FALL_THROUGH is no way that a run can take.
    decides : int32 array
        For each node the operation whose value a branch at it depends on; operations stand for
        themselves; -1: nobody's, then it depends on what the node itself depends on.
    choice, chosen_by : int32 arrays
        Pairs of pseudo nodes: at the end of a ``finally`` (`choice`) the way on depends on the way
        in (`chosen_by`).
    closing : int32 array
        Edges (as indices) that no run takes: from the head of an endless loop to the exit.
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
    """Draw the control-flow graph of every function.

    Code that no path reaches stays in the graph. A jump to a label that is nowhere goes to the
    exit.

    Parameters
    ----------
    ir : FlowIR
        The program.
    fold : bool
        Whether a branch on a constant has one way only.
    jumps : bool
        Whether jumps also lead to what follows them in the text, by edges of kind FALL_THROUGH.
        With them control dependence holds for jumps as it does for branches (Ball and Horwitz,
        Slicing programs with arbitrary control-flow, 1993).
    raising : bool
        Whether an operation that may raise leads to the handlers around it. Handlers to which
        nothing leads are entered from the end of the body that they guard.

    Raises
    ------
    ValueError
        The marks of the items are not balanced.

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
