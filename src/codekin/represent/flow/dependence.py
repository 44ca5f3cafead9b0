"""Post-dominators, and control dependence: which operations decide whether another runs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.represent.flow.control_flow import ControlFlow

__all__ = ["DEFAULT_LIMIT", "ControlDependence", "control_dependence", "post_dominators"]

_I32 = npt.NDArray[np.int32]


def post_dominators(count: int, source: _I32, target: _I32, exits: _I32) -> _I32:
    """Find the immediate post-dominator of each node of a graph.

    Parameters
    ----------
    count : int
        Number of nodes.
    source, target : int32 arrays
        The edges.
    exits : int32 array
        Where paths end.

    Returns
    -------
    int32 array
        A node, or -1: for exits, for what reaches none, and where every path may end at a
        different exit.

    References
    ----------
    T. Lengauer and R. E. Tarjan, A fast algorithm for finding dominators in a flowgraph, TOPLAS
    1979; here on the reversed graph, in O(m log n).

    Examples
    --------
    A branch at 0 whose ways 1 and 2 meet at 3:

    >>> edges = np.array([[0, 1], [0, 2], [1, 3], [2, 3]], dtype=np.int32).T.copy()
    >>> post_dominators(4, edges[0], edges[1], np.array([3], dtype=np.int32)).tolist()
    [3, 3, 3, -1]
    """
    return _native.post_dominators(count, source, target, exits)


DEFAULT_LIMIT = 2_000_000


@dataclass(frozen=True, eq=False, repr=False)
class ControlDependence:
    """Pairs of operations, sorted, each once.

    Attributes
    ----------
    controller, dependent : int32 arrays
        Whether `dependent` runs is decided by `controller`.
    complete : bool
        False where finding all pairs took more than the allowed steps. Then the nearest
        dependences are there, and some that lie further away are not.
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

    What always runs depends on the entry of its function; the predicate of a loop depends on
    itself; what no path reaches depends on nothing. Pseudo nodes are in no pair: what depends on
    one depends on the operation that decides there, and on what the node itself depends on as far
    as that operation does not. The pairs of n nested loops that test at their ends are n * n / 2,
    hence the limit.

    Parameters
    ----------
    flow : ControlFlow
        The graph; its edges of kind FALL_THROUGH count here.
    limit : int
        How many steps may be taken, about one a pair.

    References
    ----------
    J. Ferrante, K. J. Ottenstein and J. D. Warren, The program dependence graph and its use in
    optimization, TOPLAS 1987.

    Examples
    --------
    >>> from codekin import Source
    >>> from codekin.represent.flow.control_flow import control_flow
    >>> ir = Source("if a < b: f()", "python").flow_ir
    >>> found = control_dependence(control_flow(ir))
    >>> names = [ir.string(name) for name in ir.name]
    >>> [(names[c], names[d]) for c, d in zip(found.controller, found.dependent)]
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
