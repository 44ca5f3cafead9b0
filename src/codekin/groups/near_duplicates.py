"""Near-duplicates: copies of a program, including slightly changed and renamed ones."""

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
    "NEAR_COPY",
    "RENAMED_COPY",
    "Fingerprint",
    "compare_fingerprints",
    "fingerprint",
    "near_duplicate",
    "token_similarity",
]

COPY, NEAR_COPY, RENAMED_COPY = "copy", "near copy", "renamed copy"

_MIN_SIMILARITY = 0.9
"""The minimum edit similarity of the tokens of near-duplicates."""

_MIN_TOKENS = 15
"""Shorter programs are similar by chance, and count only if they are equal."""

_NAME = string_ids(["\0name"])[0]
"""Replaces every name where names do not count; no token of code contains a NUL."""


class Fingerprint(NamedTuple):
    """The tokens of a program, with and without their names.

    Attributes
    ----------
    ids, blind : uint64 array
        The identities of the tokens; in `blind`, all names are the same.
    bag : uint64 array
        Sorted `blind`.
    """

    ids: Ids
    blind: Ids
    bag: Ids


def fingerprint(source: Source) -> Fingerprint:
    """The fingerprint of a program, cached in it; it takes far less memory than the program."""
    return source.remember("fingerprint", lambda: _fingerprint(source))


def near_duplicate(first: Source, second: Source) -> tuple[str, float] | None:
    r"""Whether two programs are copies of each other, and how similar they are.

    Whitespace and comments never count. The tokens are compared by edit similarity: 1 -
    Levenshtein distance / length of the longer program.

    - ``copy``: the same tokens.
    - ``near copy``: a similarity of at least 0.9.
    - ``renamed copy``: a similarity of at least 0.9 after the names of one program are replaced
      one to one by those of the other. The mapping of names comes from an alignment that ignores
      names.

    Programs of fewer than 15 tokens are near-duplicates only if they are equal.

    Parameters
    ----------
    first, second : Source
        In any language; programs in two languages are rarely similar, but C is often C++.

    Returns
    -------
    (str, float) or None
        The kind and the similarity; None if they are not near-duplicates.

    Notes
    -----
    Most pairs are decided by their lengths, or by the tokens that they share in any order; the
    time of the others grows with the product of the lengths, and is some tens of microseconds
    for programs of 50 lines.

    Examples
    --------
    >>> program = "def mean(xs):\n    total = 0\n    for x in xs:\n        total += x\n"
    >>> renamed = program.replace("total", "s").replace("xs", "values")
    >>> near_duplicate(Source(program, "python"), Source(program + "# the sum\n", "python"))
    ('copy', 1.0)
    >>> near_duplicate(Source(program, "python"), Source(renamed, "python"))
    ('renamed copy', 1.0)
    >>> near_duplicate(Source(program, "python"), Source("print(sum(xs) / len(xs))", "python"))
    """
    return compare_fingerprints(fingerprint(first), fingerprint(second))


def compare_fingerprints(first: Fingerprint, second: Fingerprint) -> tuple[str, float] | None:
    """:func:`near_duplicate` on fingerprints."""
    short, long = sorted((len(first.ids), len(second.ids)))
    if short == long and np.array_equal(first.ids, second.ids):
        return COPY, 1.0
    if short < _MIN_TOKENS or not _enough(short, long):
        return None
    # Each of these bounds the next from above: tokens in common ignoring names, in any order and
    # then in the same order; then with their names.
    shared, _, _ = _native.sorted_overlap(first.bag, second.bag)
    if not _enough(shared, long):
        return None
    blind_edits = levenshtein(first.blind, second.blind)
    if not _enough(long - blind_edits, long):
        return None
    edits = levenshtein(first.ids, second.ids)
    if _enough(long - edits, long):
        return NEAR_COPY, 1 - edits / long
    # Only one of several alignments is used; sorting makes the result symmetric.
    edits = blind_edits + _name_mismatches(
        *sorted((first, second), key=lambda print_: print_.ids.tobytes())
    )
    return (RENAMED_COPY, 1 - edits / long) if _enough(long - edits, long) else None


def token_similarity(first: Fingerprint, second: Fingerprint) -> float:
    """Edit similarity of the tokens: 1 - Levenshtein distance / length of the longer program."""
    return 1 - levenshtein(first.ids, second.ids) / max(len(first.ids), len(second.ids), 1)


def _enough(kept: int, total: int) -> bool:
    """Whether the share of kept tokens is large enough, in integers to avoid rounding."""
    return 10 * kept >= round(10 * _MIN_SIMILARITY) * total


def _fingerprint(source: Source) -> Fingerprint:
    tokens = source.tokens
    ids = tokens.ids
    # A class name is an identifier in its declaration, but a type where it is used.
    is_name = np.isin(ids, ids[tokens.classes == TokenClass.IDENTIFIER])
    blind = np.where(is_name, _NAME, ids)
    return Fingerprint(ids, blind, np.sort(blind))


def _name_mismatches(first: Fingerprint, second: Fingerprint) -> int:
    """Count the names that still differ after the best one-to-one replacement of names.

    Only the names matched by an alignment that ignores names are counted.
    """
    places: Counter[tuple[int, int]] = Counter()
    first_ids, second_ids = first.ids.tolist(), second.ids.tolist()
    for block in Levenshtein.opcodes(first.blind.tolist(), second.blind.tolist()):
        if block.tag == "equal":
            places.update(
                (first_ids[i], second_ids[j])
                for i, j in zip(
                    range(block.src_start, block.src_end),
                    range(block.dest_start, block.dest_end),
                    strict=True,
                )
                if first.blind[i] == _NAME
            )
    kept = 0
    taken_first: set[int] = set()
    taken_second: set[int] = set()
    for (old, new), count in places.most_common():  # ties keep the order of appearance
        if old not in taken_first and new not in taken_second:
            taken_first.add(old)
            taken_second.add(new)
            kept += count
    return places.total() - kept
