"""Control and data flow between the nodes of a tree, as FA-AST adds it.

References
----------
Wang, Li, Ma, Xia and Jin, Detecting code clones with graph neural network and flow-augmented
abstract syntax tree, SANER 2020.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from codekin.source import Source

__all__ = ["flow_edges"]

Ints = npt.NDArray[np.int32]


def flow_edges(
    source: Source,
    nodes: npt.NDArray[np.intp],
    index: Ints,
    parent: Ints,
    kept: npt.NDArray[np.bool_],
) -> tuple[Ints, Ints, npt.NDArray[np.uint8]]:
    """The flow between nodes that count: from, to, and its kind as a place in `FLOWS`."""
    none = np.zeros(0, np.int32)
    return none, none, np.zeros(0, np.uint8)
