"""Near-duplicates: copies of a program, also slightly changed and renamed ones."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein

from codekin import _native
from codekin.align.edit_distance import levenshtein
from codekin.languages.token_classes import TokenClass
from codekin.measures.units import Ids
from codekin.represent.text.plain_tokens import string_ids
from codekin.source import Source

__all__ = [
    "COPY",
    "LEAST_SIMILARITY",
    "LEAST_TOKENS",
    "NEAR_COPY",
    "RENAMED_COPY",
    "Fingerprint",
    "compare_fingerprints",
    "fingerprint",
    "near_duplicate",
    "token_similarity",
]

COPY, NEAR_COPY, RENAMED_COPY = "copy", "near copy", "renamed copy"

LEAST_SIMILARITY = 0.9
"""From this edit similarity of tokens on, two programs are near-duplicates."""

LEAST_TOKENS = 15
"""Shorter programs are alike by chance, and only count when they are equal."""

_NAME = string_ids(["\0name"])[0]
"""Replaces every name where names do not count; no token of code has a NUL in it."""


class Fingerprint(NamedTuple):
    """What of a program is compared: its tokens, as they are and with all names made one.

    Attributes
    ----------
    ids, blind : uint64 array
        The tokens' identities; in `blind` that of every name is the same.
    bag : uint64 array
        `blind`, sorted.
    """

    ids: Ids
    blind: Ids
    bag: Ids


def fingerprint(source: Source) -> Fingerprint:
    """The fingerprint of a program, kept with it; alone it takes far less memory."""
    return source.remember("fingerprint", lambda: _fingerprint(source))


def near_duplicate(first: Source, second: Source) -> tuple[str, float] | None:
    r"""Whether two programs are copies of each other, and how alike they are.

    White space and comments never count. What is compared are the tokens, by edit similarity: 1 -
    Levenshtein distance / length of the longer program.

    - ``copy``: the same tokens.
    - ``near copy``: at least 0.9 alike.
    - ``renamed copy``: at least 0.9 alike once the names of one program are replaced by those of
      the other, one name for one. Which name stands for which is read off an alignment that is
      blind to names.

    Programs of fewer than 15 tokens are near-duplicates only when they are equal.

    Parameters
    ----------
    first, second : Source
        In any language; programs of two languages are seldom alike, but C is often C++.

    Returns
    -------
    (str, float) or None
        The kind and the similarity; None where they are not near-duplicates.

    Notes
    -----
    Most pairs are settled by their lengths, or by the tokens that they share in any order; the
    time of the others grows with the product of the lengths, and is some tens of microseconds
    for programs of 50 lines.

    Examples
    --------
    >>> one = "def mean(xs):\n    total = 0\n    for x in xs:\n        total += x\n"
    >>> other = one.replace("total", "s").replace("xs", "values")
    >>> near_duplicate(Source(one, "python"), Source(one + "# the sum\n", "python"))
    ('copy', 1.0)
    >>> near_duplicate(Source(one, "python"), Source(other, "python"))
    ('renamed copy', 1.0)
    >>> near_duplicate(Source(one, "python"), Source("print(sum(xs) / len(xs))", "python"))
    """
    return compare_fingerprints(fingerprint(first), fingerprint(second))


def compare_fingerprints(one: Fingerprint, two: Fingerprint) -> tuple[str, float] | None:
    """As :func:`near_duplicate`, of programs whose fingerprints were taken before."""
    short, long = sorted((len(one.ids), len(two.ids)))
    if short == long and np.array_equal(one.ids, two.ids):
        return COPY, 1.0
    if short < LEAST_TOKENS or not _enough(short, long):
        return None
    # Each of these is at least as large as the next: tokens in common, in any order and then in
    # the same order, blind to names; then with their names.
    shared, _, _ = _native.sorted_overlap(one.bag, two.bag)
    if not _enough(shared, long):
        return None
    blind_edits = levenshtein(one.blind, two.blind)
    if not _enough(long - blind_edits, long):
        return None
    edits = levenshtein(one.ids, two.ids)
    if _enough(long - edits, long):
        return NEAR_COPY, 1 - edits / long
    # Of several alignments one is looked at, so the order of the two must not matter.
    edits = blind_edits + _misnamed(*sorted((one, two), key=lambda print_: print_.ids.tobytes()))
    return (RENAMED_COPY, 1 - edits / long) if _enough(long - edits, long) else None


def token_similarity(one: Fingerprint, two: Fingerprint) -> float:
    """Edit similarity of the tokens: 1 - Levenshtein distance / length of the longer program."""
    return 1 - levenshtein(one.ids, two.ids) / max(len(one.ids), len(two.ids), 1)


def _enough(kept: int, of: int) -> bool:
    """Whether these tokens are a large enough share; in whole numbers, so nothing is rounded."""
    return 10 * kept >= round(10 * LEAST_SIMILARITY) * of


def _fingerprint(source: Source) -> Fingerprint:
    tokens = source.tokens
    ids = tokens.ids
    # A class is an identifier where it is declared, and a type where it is used.
    is_name = np.isin(ids, ids[tokens.classes == TokenClass.IDENTIFIER])
    blind = np.where(is_name, _NAME, ids)
    return Fingerprint(ids, blind, np.sort(blind))


def _misnamed(one: Fingerprint, two: Fingerprint) -> int:
    """How many names still differ once names are replaced one for one, as most places want it.

    Looked at are the places that an alignment blind to names lets stand.
    """
    places: Counter[tuple[int, int]] = Counter()
    first, second = one.ids.tolist(), two.ids.tolist()
    for block in Levenshtein.opcodes(one.blind.tolist(), two.blind.tolist()):
        if block.tag == "equal":
            places.update(
                (first[i], second[j])
                for i, j in zip(
                    range(block.src_start, block.src_end),
                    range(block.dest_start, block.dest_end),
                    strict=True,
                )
                if one.blind[i] == _NAME
            )
    kept = 0
    taken_first: set[int] = set()
    taken_second: set[int] = set()
    for (mine, theirs), count in places.most_common():  # ties stay in the order of appearance
        if mine not in taken_first and theirs not in taken_second:
            taken_first.add(mine)
            taken_second.add(theirs)
            kept += count
    return places.total() - kept
