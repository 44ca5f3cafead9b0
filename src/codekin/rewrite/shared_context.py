"""Random text to put before several programs, as in the Excision Score paper."""

from __future__ import annotations

from codekin.errors import CodekinError
from codekin.rewrite.chance import generator

__all__ = ["shared_prefix"]

_CHARACTERS = "abcdef \n"


def shared_prefix(least: int, most: int, seed: int = 0) -> str:
    """Whole lines of random text made of ``abcdef``, spaces and line ends.

    The last character is a line end, so that the first token of a program stays separate.

    Parameters
    ----------
    least, most : int
        The bounds of its length, which is drawn uniformly; the paper uses 2000 and 3000.
    seed : int
        The same seed and bounds give the same text.

    Examples
    --------
    >>> shared_prefix(8, 12, seed=1) == shared_prefix(8, 12, seed=1)
    True
    >>> 8 <= len(shared_prefix(8, 12, seed=1)) <= 12
    True
    >>> shared_prefix(8, 12, seed=1)[-1]
    '\\n'
    """
    if not 0 <= least <= most:
        raise CodekinError(
            f"a prefix of {least} to {most} characters cannot be made; give 0 <= least <= most"
        )
    chance = generator("prefix", least, most, seed)
    length = chance.randint(least, most)
    return "".join(chance.choices(_CHARACTERS, k=length))[:-1] + "\n" if length else ""
