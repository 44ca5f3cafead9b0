"""Colour refinement: what a normal form looks like from each of its operations.

References
----------
.. [1] Weisfeiler and Leman, The reduction of a graph to canonical form and the algebra which
   appears therein, 1968.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.represent.graph.normal_form import NormalForm

__all__ = ["refined_nodes"]

_ROUNDS = 24


def refined_nodes(form: NormalForm, rounds: int = _ROUNDS) -> npt.NDArray[np.uint64]:
    """The operations of a normal form, each identified by its surroundings, sorted.

    Equal forms have equal results, whatever the order of their operations. Different forms with
    equal results are rare.

    Parameters
    ----------
    form : NormalForm
    rounds : int
        How many edges away from an operation its surroundings end.

    Examples
    --------
    >>> from codekin.represent.graph.normal_form import NormalForm
    >>> one, same = NormalForm(["f", "g", "f"]), NormalForm(["f", "f", "g"])
    >>> one.use(1, 0, 6)
    >>> same.use(2, 1, 6)
    >>> np.array_equal(refined_nodes(one), refined_nodes(same))
    True
    """
    words, source, target, link = form.wiring()
    return _native.refined_nodes(
        _native.string_ids(words),
        np.array(source, dtype=np.int32),
        np.array(target, dtype=np.int32),
        np.array(link, dtype=np.uint8),
        rounds,
    )
