"""Random generators seeded by a key."""

from __future__ import annotations

import hashlib
import random

__all__ = ["generator"]


def generator(*key: str | int) -> random.Random:
    """A random generator that depends only on a key.

    Examples
    --------
    >>> generator("x = 1", "python", 0).random() == generator("x = 1", "python", 0).random()
    True
    """
    digest = hashlib.blake2b(digest_size=16)
    for part in key:
        piece = str(part).encode("utf-8", "surrogatepass")
        digest.update(len(piece).to_bytes(8, "big") + piece)
    return random.Random(int.from_bytes(digest.digest(), "big"))
