"""Random text to put before several programs, as in the Excision Score paper."""

from __future__ import annotations

from codekin.errors import CodekinError
from codekin.rewrite.chance import generator

__all__ = ["shared_prefix"]

_CHARACTERS = "abcdef \n"


def shared_prefix(min_length: int, max_length: int, seed: int = 0) -> str:
    """Whole lines of random text made of ``abcdef``, spaces and line ends.

    The last character is a line end, so that the first token of a program stays separate.

    Parameters
    ----------
    min_length, max_length : int
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
    if not 0 <= min_length <= max_length:
        raise CodekinError(
            f"a prefix of {min_length} to {max_length} characters cannot be made; give "
            "0 <= min_length <= max_length"
        )
    chance = generator("prefix", min_length, max_length, seed)
    length = chance.randint(min_length, max_length)
    return "".join(chance.choices(_CHARACTERS, k=length))[:-1] + "\n" if length else ""
