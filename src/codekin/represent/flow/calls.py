"""Resolution of calls to functions of the same text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.represent.flow.flow_ir import FlowIR

__all__ = ["MAX_CALLS", "Calls", "resolve_calls"]

MAX_CALLS = 300_000


@dataclass(frozen=True, eq=False)
class Calls:
    """Calls of functions of the same text, sorted.

    Attributes
    ----------
    operation : int32 array
        The call.
    function : int32 array
        A function that it may run.
    complete : bool
        False if there are more pairs than the limit; then the later calls are not resolved.
    """

    operation: npt.NDArray[np.int32]
    function: npt.NDArray[np.int32]
    complete: bool = True

    def __len__(self) -> int:
        return len(self.operation)


def resolve_calls(ir: FlowIR, *, limit: int = MAX_CALLS) -> Calls:
    """Find the functions that calls may run, by name and number of arguments.

    - If the IR knows the function (a lambda bound to a name), it is that one.
    - ``f(x)`` means the innermost function f that is visible at the call, and in a class also the
      class's own method; if there is none, a constructor of class f.
    - ``object.f(x)`` means the methods f of the object's declared class; of all classes if its
      class is unknown, or if the class is in the text and has none (it may inherit one); nothing
      if the class is not in the text.
    - ``this.f(x)`` means the method of the enclosing class or, if it has none, of any class; a
      method that calls its own name may mean that of the superclass, so then of any class too.
    - ``new C(x)`` means the constructors of C; ``this(x)`` and ``super(x)`` those of the enclosing
      class, and of the others.

    Numbers of arguments allow for defaults and varargs; a call that spreads a list into its
    arguments matches every number.

    Parameters
    ----------
    ir : FlowIR
        The program.
    limit : int
        Maximum number of pairs; n calls that may mean n methods of one name make n * n.
    """
    return Calls(*_native.resolve_calls(ir, limit))
