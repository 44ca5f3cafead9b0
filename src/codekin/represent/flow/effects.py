"""What each operation uses and defines, with what the functions it calls do.

Locations are what can be used and defined: the *binding* of each variable, and what an *alias
class* holds. Variables are in one class where they may reach the same object; a class holds its
elements (or what a pointer points at), each field by its name, and the state that methods of the
text change. A class may have a class of parts: what the elements and fields of its objects reach.

How the accesses of the flow IR become uses and definitions:

- READ uses the binding and all that the class holds, parts and their parts too.
- BASE uses the binding.
- LOAD uses the binding, the field, and the elements: of the class, and of its parts, because
  ``&a[i]`` is one of these and what is stored through it is read from ``a[i]``.
- DEFINE defines the binding and kills what was in it. It also kills what the class holds, if the
  variable is the only one of its class, no other function touches it, its address is not taken
  and its value does not come out of an unknown method: then nothing else reaches the old object.
  Otherwise nothing that a class holds is ever killed.
- MAYBE defines the binding weakly, STORE the field or the elements weakly.
- Address: with ``p = &x``, p and x are in one class, which is its own class of parts. A store
  through p defines x weakly, and what is read through p uses x. A variable whose address is
  taken and that holds none (x) has all its changes in its binding.
- A field that a class's methods touch is a variable of its own, the same for all objects.
  Functions that change it both in their own object and perhaps in another never kill it. Changing
  it changes the state of the object whose method does so.

What a function does outside itself, its calls do: they use and weakly define the variables of
other functions that it touches, and what its parameters and receiver reach becomes what the
arguments reach. This is closed over all calls, recursion included. Aliases too: what a callee
makes one (``p.next = q``), is one in the caller; a result is in the class of the returned variable,
where that came from the caller; and parameters that some call binds to one object are one in the
callee. A call that reads a variable which holds a function of the text may run it; an operation
that makes a function which nobody names runs it there, with parts of the other arguments.

Not seen: what unknown functions keep or give back of their arguments, beyond what the tables of
the lowering say; a store to ``t.c`` after ``t = a.b`` is not a change of the field b of a.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.represent.flow.calls import Calls
from codekin.represent.flow.flow_ir import FlowIR

__all__ = ["BINDING", "ELEMENTS", "MOST_STEPS", "STATE", "Effects", "effects"]

MOST_STEPS = 40_000_000

_I32 = npt.NDArray[np.int32]

ELEMENTS, BINDING, STATE = -1, -2, -3


@dataclass(frozen=True, eq=False)
class Effects:
    """Uses and definitions of locations, one list an operation.

    Attributes
    ----------
    use_offsets, uses : int32 arrays
        Operation i uses the locations ``uses[use_offsets[i] : use_offsets[i + 1]]``, sorted.
    definition_offsets, definitions : int32 arrays
        The same for those that it defines.
    strong : uint8 array
        For each definition, whether it kills the earlier ones.
    location_variable : int32 array
        For each location its variable, or one of its alias class (-1: one without a name).
        Location v is the binding of variable v, for all variables.
    location_field : int32 array
        Which location of it: a field's name, or `BINDING`, `ELEMENTS`, `STATE`.
    uncalled : int32 array
        The first operations of the functions that no call in the text runs: they start after the
        top-level code.
    entries : int32 array
        The first operation of each function.
    complete : bool
        False where finding all took more than the allowed steps. Then the bindings that operations
        touch by themselves are there, and some of what they reach is not.
    """

    use_offsets: _I32
    uses: _I32
    definition_offsets: _I32
    definitions: _I32
    strong: npt.NDArray[np.uint8]
    location_variable: _I32
    location_field: _I32
    uncalled: _I32
    complete: bool
    entries: _I32


def effects(
    ir: FlowIR,
    calls: Calls,
    *,
    unknown: Literal["receiver", "pure", "arguments"] = "receiver",
    summaries: bool = True,
    limit: int = MOST_STEPS,
) -> Effects:
    """Find what each operation uses and defines.

    Parameters
    ----------
    ir : FlowIR
        The program.
    calls : Calls
        Its resolved calls.
    unknown : str
        What calls of functions outside the text change: ``"receiver"``, what the lowering says
        (known library functions, ``&x``, an unknown method its object); ``"pure"``, nothing;
        ``"arguments"``, that and every variable that they read.
    summaries : bool
        Whether calls of functions of the text do what those functions do.
    limit : int
        How many steps may be taken beyond one for each access: about one for each location that an
        operation touches, and each time that a call is looked at again for what its callee does. A
        quarter of them may be kept, eight bytes each.
    """
    return Effects(
        *_native.effects(ir, calls.operation, calls.function, unknown, summaries, limit),
        entries=ir.function_first_operation,
    )
