"""Post-dominators and control dependence: which operations decide whether another runs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.represent.flow.control_flow import ControlFlow

__all__ = ["DEFAULT_LIMIT", "ControlDependence", "control_dependence"]

DEFAULT_LIMIT = 2_000_000


@dataclass(frozen=True, eq=False, repr=False)
class ControlDependence:
    """Unique pairs of operations, sorted.

    Attributes
    ----------
    controller, dependent : int32 arrays
        `controller` decides whether `dependent` runs.
    complete : bool
        False if finding all pairs took more than the allowed steps. Then the nearest dependences
        are included, and some that are further away are missing.
    """

    controller: npt.NDArray[np.int32]
    dependent: npt.NDArray[np.int32]
    complete: bool

    def __len__(self) -> int:
        return len(self.controller)

    def __repr__(self) -> str:
        return f"<ControlDependence {len(self)} pairs>"


def control_dependence(flow: ControlFlow, *, limit: int = DEFAULT_LIMIT) -> ControlDependence:
    """Find what decides whether each operation runs.

    Operations that always run depend on the entry of their function; the predicate of a loop
    depends on itself; unreachable code depends on nothing. Pseudo nodes are not in any pair: what
    depends on one depends on the operation that decides there, and on what the node itself depends
    on as far as that operation does not. There are n * n / 2 pairs for n nested loops that test at
    their ends, hence the limit.

    Parameters
    ----------
    flow : ControlFlow
        The graph; its edges of kind FALL_THROUGH count here.
    limit : int
        Maximum number of steps, about one per pair.

    References
    ----------
    J. Ferrante, K. J. Ottenstein and J. D. Warren, The program dependence graph and its use in
    optimization, TOPLAS 1987.

    Examples
    --------
    >>> from codekin import Source
    >>> from codekin.represent.flow.control_flow import control_flow
    >>> ir = Source("if a < b: f()", "python").flow_ir
    >>> pairs = control_dependence(control_flow(ir))
    >>> names = [ir.string(name) for name in ir.name]
    >>> [(names[c], names[d]) for c, d in zip(pairs.controller, pairs.dependent)]
    [('<module>', '<'), ('<', 'f')]
    """
    controller, dependent, complete = _native.control_dependence(
        flow.entries,
        flow.operations,
        flow.source,
        flow.target,
        flow.kind,
        flow.decides,
        flow.choice,
        flow.chosen_by,
        flow.closing,
        limit,
    )
    return ControlDependence(controller, dependent, complete)
