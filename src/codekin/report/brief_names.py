"""Long names cut so that they still differ: what all of them share goes first."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["brief_names"]

_CUT = "…"
_STUB = 4
"""No word is cut to fewer signs."""


def brief_names(names: Sequence[str], longest: int) -> list[str]:
    """The names, each at most so long, and no two alike where no two were.

    Of a name that is too long, words inside it are left out, those that most names have first, as
    long as the rest tells it from all others; then the longest words are cut, and then its middle.

    Parameters
    ----------
    names : sequence of str
    longest : int
        Signs that a name may have.

    Examples
    --------
    >>> brief_names(["coder-7b-lora-clean", "coder-7b-lora-dirty", "coder-14b-lora-clean"], 14)
    ['code…7b-…clean', 'coder-…dirty', 'cod…14b-…clean']
    """
    words = [_words(name) for name in names]
    holders: dict[str, int] = {}  # of each word the names that have it, a bit each
    for i, own in enumerate(words):
        for word in own:
            holders[word] = holders.get(word, 0) | 1 << i
    taken = {name for name in names if len(name) <= longest}
    brief = []
    for name, own in zip(names, words, strict=True):
        if len(name) <= longest:
            brief.append(name)
            continue
        brief.append(_free(_middle(_fewer(own, holders, longest), longest), taken, longest))
        taken.add(brief[-1])
    return brief


def _words(name: str) -> list[str]:
    """A name in pieces, each with the separator that follows it."""
    return re.findall(r"[^\s\-_/:·,]*[\s\-_/:·,]+|[^\s\-_/:·,]+", name)


def _fewer(own: list[str], holders: dict[str, int], longest: int) -> str:
    """The name without words that others have as well, the first and the last kept."""
    kept = list(range(len(own)))
    inner = sorted(kept[1:-1], key=lambda i: (-holders[own[i]].bit_count(), -len(own[i]), i))
    for i in inner:
        if len(_joined(own, kept)) <= longest:
            break
        rest = [k for k in kept if k != i]
        if _alone(own, rest, holders):
            kept = rest
    return _shorter(own, kept, longest)


def _shorter(own: list[str], kept: list[int], longest: int) -> str:
    """The kept words, the longest of them but the last cut until all is short enough."""
    shown = list(own)
    for _ in range(sum(map(len, own))):
        if len(_joined(shown, kept)) <= longest or not kept[:-1]:
            break
        widest = max(kept[:-1], key=lambda k: (len(shown[k]), k))
        if len(shown[widest]) <= _STUB:
            break
        shown[widest] = shown[widest].rstrip(_CUT)[: -1 if _CUT in shown[widest] else -2] + _CUT
    return _joined(shown, kept)


def _alone(own: list[str], kept: list[int], holders: dict[str, int]) -> bool:
    """Whether no other name has all of these words."""
    common = -1
    for k in kept:
        common &= holders[own[k]]
    return common.bit_count() == 1


def _joined(own: list[str], kept: list[int]) -> str:
    parts, last = [], -1
    for k in kept:
        parts += [_CUT] * (k > last + 1) + [own[k]]
        last = k
    return re.sub(f"{_CUT}+", _CUT, "".join(parts) + _CUT * (last < len(own) - 1))


def _middle(name: str, longest: int) -> str:
    if len(name) <= longest:
        return name
    tail = (longest - 1) * 3 // 5  # the end of a name tells more than its beginning
    return name[: longest - 1 - tail].rstrip(_CUT) + _CUT + name[len(name) - tail :].lstrip(_CUT)


def _free(name: str, taken: set[str], longest: int) -> str:
    """The name, or with a number in its place where another has it already."""
    number, found = 2, name
    while found in taken:
        found = f"{name[: longest - len(str(number)) - 1]}~{number}"
        number += 1
    return found
