"""Reaching definitions: which operations may use the definitions of which others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.represent.flow.control_flow import ControlFlow
from codekin.represent.flow.effects import Effects

__all__ = ["MAX_PAIRS", "ReachingDefinitions", "reaching_definitions"]

_NONE = np.empty(0, dtype=np.int32)

MAX_PAIRS = 2_000_000


@dataclass(frozen=True, eq=False)
class ReachingDefinitions:
    """Definition-use pairs, sorted.

    Attributes
    ----------
    definition, use : int32 arrays
        The operations of each pair.
    location : int32 array
        What is defined and used.
    complete : bool
        False if there are more pairs than the limit; then some are missing, always the same.
    """

    definition: npt.NDArray[np.int32]
    use: npt.NDArray[np.int32]
    location: npt.NDArray[np.int32]
    complete: bool = True

    def __len__(self) -> int:
        return len(self.use)


def reaching_definitions(
    flow: ControlFlow, effects: Effects, *, limit: int = MAX_PAIRS, top_level_first: bool = True
) -> ReachingDefinitions:
    """Find which definitions reach which uses.

    A definition reaches a use if some path leads from one to the other without killing it. An
    operation uses the values from before its own definitions. No definitions flow between
    unreachable and reachable code.

    Parameters
    ----------
    flow : ControlFlow
        The control flow; edges that are never executed (of kind FALL_THROUGH) are ignored.
    effects : Effects
        Uses and definitions.
    limit : int
        Maximum number of pairs.
    top_level_first : bool
        Whether definitions of the top-level code reach functions that are not called in the text.

    Notes
    -----
    Each location is put into static single assignment form separately [1]_: values meet on the
    iterated dominance frontiers of its definitions, so the time depends on the number of
    definitions, uses and meeting points, not on the size of the function; if there are many
    meeting points, only those before a use are created.

    References
    ----------
    .. [1] Cytron, Ferrante, Rosen, Wegman, Zadeck: Efficiently computing static single assignment
       form and the control dependence graph. TOPLAS 13(4), 1991.
    """
    operations = len(effects.use_offsets) - 1
    pairs = _native.reaching_definitions(
        len(flow.decides),
        flow.source,
        flow.target,
        flow.kind,
        effects.entries,
        effects.uncalled if top_level_first else _NONE,
        operations if top_level_first and len(effects.entries) else -1,
        effects.use_offsets,
        effects.uses,
        effects.definition_offsets,
        effects.definitions,
        effects.strong,
        limit,
    )
    return ReachingDefinitions(*pairs)
