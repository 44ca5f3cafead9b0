"""Which operation's definition of a location which other operation may use."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.represent.flow.control_flow import ControlFlow
from codekin.represent.flow.effects import Effects

__all__ = ["MOST_PAIRS", "ReachingDefinitions", "reaching_definitions"]

_NONE = np.empty(0, dtype=np.int32)

MOST_PAIRS = 2_000_000


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
        False where there are more pairs than the limit; then these are some of them, the same
        every time.
    """

    definition: npt.NDArray[np.int32]
    use: npt.NDArray[np.int32]
    location: npt.NDArray[np.int32]
    complete: bool = True

    def __len__(self) -> int:
        return len(self.use)


def reaching_definitions(
    flow: ControlFlow, effects: Effects, *, limit: int = MOST_PAIRS, top_level_first: bool = True
) -> ReachingDefinitions:
    """Find which definitions reach which uses.

    A definition reaches a use if some way leads from the one to the other on which nothing
    kills it. An operation uses what was before its own definitions. Code that no way reaches gets
    nothing from and gives nothing to code that runs.

    Parameters
    ----------
    flow : ControlFlow
        The control flow; edges that stand for no way of a run (of kind 4) are left out.
    effects : Effects
        Uses and definitions.
    limit : int
        The most pairs to give.
    top_level_first : bool
        Whether functions that nothing in the text calls see what the top-level code defined.

    Notes
    -----
    Each location is put into static single assignment form by itself [1]_: values meet on the
    iterated dominance frontiers of its definitions, so the time goes with the definitions, uses and
    meetings, not with the size of the function; where meetings are many, only those before a
    use are made.

    References
    ----------
    .. [1] Cytron, Ferrante, Rosen, Wegman, Zadeck: Efficiently computing static single assignment
       form and the control dependence graph. TOPLAS 13(4), 1991.
    """
    operations = len(effects.use_offsets) - 1
    found = _native.reaching_definitions(
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
    return ReachingDefinitions(*found)
