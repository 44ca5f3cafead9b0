"""What each operation uses and defines, including the effects of the functions it calls.

Locations are what can be used and defined: the *binding* of each variable, and the contents of an
*alias class*. Variables are in one class if they may reach the same object; a class contains its
elements (or what a pointer points at), each field by its name, and the state that methods of the
text change. A class may have a class of parts: what the elements and fields of its objects reach.

How the accesses of the flow IR become uses and definitions:

- READ uses the binding and all contents of the class, including parts and their parts.
- BASE uses the binding.
- LOAD uses the binding, the field, and the elements of the class and of its parts, because
  ``&a[i]`` is one of these and what is stored through it is read from ``a[i]``.
- DEFINE defines the binding and kills its old value. It also kills the contents of the class if
  the variable is the only one of its class, no other function accesses it, its address is not
  taken and its value does not come from an unknown method: then nothing else reaches the old
  object. Otherwise the contents of a class are never killed.
- MAYBE defines the binding weakly, STORE the field or the elements weakly.
- Address: with ``p = &x``, p and x are in one class, which is its own class of parts. A store
  through p defines x weakly, and a read through p uses x. A variable whose address is taken and
  that contains no address itself (x) has all its changes in its binding.
- A field that a class's methods access is a separate variable, the same for all objects.
  Functions that change it both in their own object and perhaps in another never kill it. Changing
  it changes the state of the object whose method does so.

The effects of a function outside itself are also effects of its calls: they use and weakly define
the variables of other functions that it accesses, and what its parameters and receiver reach
becomes what the arguments reach. This is closed over all calls, including recursion. It applies to
aliases too: variables that a callee joins (``p.next = q``) are joined in the caller; a result is in
the class of the returned variable, if that came from the caller; and parameters that some call
binds to one object are joined in the callee. A call that reads a variable that contains a function
of the text may run it; an operation that makes an anonymous function runs it there, with parts of
the other arguments.

Limitations: what unknown functions keep or return of their arguments is known only from the tables
of the lowering; a store to ``t.c`` after ``t = a.b`` does not count as a change of the field b of
a.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.represent.flow.calls import Calls
from codekin.represent.flow.flow_ir import FlowIR

__all__ = ["BINDING", "ELEMENTS", "MAX_STEPS", "STATE", "Effects", "effects"]

MAX_STEPS = 40_000_000

_I32 = npt.NDArray[np.int32]

ELEMENTS, BINDING, STATE = -1, -2, -3


@dataclass(frozen=True, eq=False)
class Effects:
    """Uses and definitions of locations, one list per operation.

    Attributes
    ----------
    use_offsets, uses : int32 arrays
        Operation i uses the locations ``uses[use_offsets[i] : use_offsets[i + 1]]``, sorted.
    definition_offsets, definitions : int32 arrays
        The same for those that it defines.
    strong : uint8 array
        For each definition, whether it kills the earlier ones.
    location_variable : int32 array
        For each location, its variable, or one of its alias class (-1 for one without a name).
        Location v is the binding of variable v, for all variables.
    location_field : int32 array
        Which location of the variable: a field's name, or `BINDING`, `ELEMENTS`, `STATE`.
    uncalled : int32 array
        The first operations of functions that are not called in the text: they start after the
        top-level code.
    entries : int32 array
        The first operation of each function.
    complete : bool
        False if finding all took more than the allowed steps. Then the bindings that operations
        access directly are included, and some of what they reach is missing.
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
    limit: int = MAX_STEPS,
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
        Whether calls of functions of the text have the effects of those functions.
    limit : int
        Maximum number of steps in addition to one per access: about one for each location that an
        operation accesses, and for each time that a call is revisited for its callee's effects. A
        quarter of them may be stored, eight bytes each.
    """
    return Effects(
        *_native.effects(ir, calls.operation, calls.function, unknown, summaries, limit),
        entries=ir.function_first_operation,
    )
