"""Position-aware character embedding: a word as the sum of its characters, the first ones most.

References
----------
Yu, Lam, Chen, Li, Xie and Wang, Neural detection of semantic code clones via tree-based
convolution, ICPC 2019.
"""

from __future__ import annotations

import string
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["PACE_WIDTH", "pace"]

_CHARACTERS = string.ascii_letters + string.digits + '_.$+-*/%=<>!&|^~"'
PACE_WIDTH = len(_CHARACTERS) + 1
"""79 characters, and one place for all others."""

_PLACES = np.full(0x110000, PACE_WIDTH - 1, np.int64)
_PLACES[[ord(one) for one in _CHARACTERS]] = range(len(_CHARACTERS))


def pace(words: Sequence[str]) -> npt.NDArray[np.float32]:
    """Embed words: (L - i) / L of a one-hot vector for the character at i of L.

    Examples
    --------
    >>> (3 * pace(["aab"])[0, :3]).tolist()
    [5.0, 1.0, 0.0]
    >>> pace(["¿"])[0].tolist() == pace(["é"])[0].tolist() != pace(["e"])[0].tolist()
    True
    """
    text = "".join(words)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    lengths = np.array([len(one) for one in words], np.int64)
    owner = np.repeat(np.arange(len(words)), lengths)
    begin = np.cumsum(lengths) - lengths
    place = np.arange(len(codes)) - begin[owner]
    weight = (lengths[owner] - place) / lengths[owner]
    flat = owner * PACE_WIDTH + _PLACES[codes]
    sums = np.bincount(flat, weight, minlength=len(words) * PACE_WIDTH)
    return sums.reshape(len(words), PACE_WIDTH).astype(np.float32)
