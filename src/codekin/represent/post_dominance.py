"""Post-dominators: the nodes that every path to an exit passes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from codekin import _native

__all__ = ["post_dominators"]

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
