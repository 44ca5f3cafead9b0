"""Copies among snippets: the same lexemes, or almost the same, whatever the layout."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.corpora.snippets import Snippet
from codekin.languages import get_language
from codekin.represent.text.lexemes import lex
from codekin.represent.text.positions import Positions

__all__ = ["Copies", "contradicting_groups", "find_copies", "lexeme_ids"]

_SIMILARITY = 9, 10
"""Near copies share at least this part of the longer snippet's lexemes, in order."""

_MIN_LEXEMES = 15
"""Shorter snippets are alike by chance, and count only if they are equal."""

Ids = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Copies:
    """Which snippets are copies of each other.

    Attributes
    ----------
    exact : int32 array
        A number per snippet, the same for snippets whose lexemes are equal.
    near : int32 array
        The same for near copies, and for copies of near copies: snippets whose lexemes have an
        edit similarity of at least 0.9. Equal to `exact` where near copies were not looked for.
    """

    exact: npt.NDArray[np.int32]
    near: npt.NDArray[np.int32]

    @cached_property
    def exact_copies(self) -> int:
        """How many snippets have an exact copy."""
        return _in_groups(self.exact)

    @cached_property
    def near_copies(self) -> int:
        """How many snippets have an exact or a near copy."""
        return _in_groups(self.near)

    def groups(self, near: bool = False) -> list[npt.NDArray[np.intp]]:
        """The places of the snippets of each group of at least two, in order."""
        marks = self.near if near else self.exact
        order = np.argsort(marks, kind="stable")
        cuts = np.flatnonzero(np.diff(marks[order])) + 1
        found = [one for one in np.split(order, cuts) if len(one) > 1]
        return sorted(found, key=lambda one: int(one[0]))


def _in_groups(marks: npt.NDArray[np.int32]) -> int:
    counts = np.bincount(marks) if len(marks) else np.zeros(1, int)
    return int(counts[counts > 1].sum())


def lexeme_ids(snippets: Sequence[Snippet]) -> list[Ids]:
    """The identities of the lexemes of each snippet, comments and layout left out."""
    found = []
    for one in snippets:
        data = one.code.encode("utf-8", "surrogatepass")
        lexical = get_language(one.language).lexical
        lexemes = lex(data, lexical, Positions(data), comments=False)
        found.append(lexemes.ids[~lexemes.layout])
    return found


def find_copies(snippets: Sequence[Snippet], *, near: bool = True) -> Copies:
    r"""Find the copies among snippets.

    Layout and comments never count. No pair is missed, and few are compared: snippets whose
    lexemes have an edit similarity of 0.9 share one of their rarest lexemes.

    Parameters
    ----------
    snippets : sequence of Snippet
    near : bool
        Whether to look for near copies, too.

    Examples
    --------
    >>> program = "int mean(int *x, int n) { int s = 0; for (int i = 0; i < n; i++) s += x[i];"
    >>> texts = [program, program.replace(" ", "  "), program.replace("0;", "1;", 1), "int x;"]
    >>> copies = find_copies([Snippet(str(i), "c", text) for i, text in enumerate(texts)])
    >>> copies.exact.tolist(), copies.near.tolist()
    ([0, 0, 1, 2], [0, 0, 0, 1])
    """
    ids = lexeme_ids(snippets)
    seen: dict[bytes, int] = {}
    exact = np.array([seen.setdefault(one.tobytes(), len(seen)) for one in ids], np.int32)
    if not near or not len(snippets):
        return Copies(exact, exact)
    firsts = np.unique(exact, return_index=True)[1]
    joined = _near([ids[i] for i in firsts])
    return Copies(exact, _numbered(joined[exact]))


def _numbered(marks: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """The marks, numbered in the order in which they first occur."""
    seen: dict[int, int] = {}
    return np.array([seen.setdefault(one, len(seen)) for one in marks.tolist()], np.int32)


def _near(ids: Sequence[Ids]) -> npt.NDArray[np.int32]:
    """A mark per text, the same for texts that a chain of near copies joins."""
    above, below = _SIMILARITY
    offsets = np.zeros(len(ids) + 1, np.int64)
    np.cumsum([len(one) for one in ids], out=offsets[1:])
    flat = np.concatenate(ids) if ids else np.zeros(0, np.uint64)
    return _native.near_copies(offsets, _ranked(flat, offsets), flat, above, below, _MIN_LEXEMES)


def _ranked(flat: Ids, offsets: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
    """The lexemes of each text as a set of numbers, ascending from the rarest.

    The second occurrence of a lexeme is another element than the first, and so on, so that two
    sets have as many elements in common as the texts have lexemes.
    """
    owner = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    order = np.lexsort((flat, owner))
    starts = np.ones(len(flat), bool)
    starts[1:] = (np.diff(flat[order]) != 0) | (np.diff(owner[order]) != 0)
    places = np.arange(len(flat))
    occurrence = places - np.maximum.accumulate(np.where(starts, places, 0))
    mixed = flat[order] * np.uint64(0x9E3779B97F4A7C15) + occurrence.astype(np.uint64)
    _, inverse, counts = np.unique(mixed, return_inverse=True, return_counts=True)
    ranks = np.empty(len(counts), np.int32)
    ranks[np.argsort(counts, kind="stable")] = np.arange(len(counts), dtype=np.int32)
    numbers = ranks[inverse]
    return numbers[np.lexsort((numbers, owner))]


def contradicting_groups(
    snippets: Sequence[Snippet], groups: Iterable[npt.NDArray[np.intp]]
) -> dict[int, str]:
    """Groups of copies of which some have a functionality and others lack it.

    Each in words, by the place of its first snippet.

    Examples
    --------
    >>> from codekin.corpora.snippets import Role
    >>> roles = [Role("sort"), Role("sort", "tagged_false")]
    >>> both = [Snippet(str(i), "c", "x;", (role,)) for i, role in enumerate(roles)]
    >>> contradicting_groups(both, find_copies(both).groups())
    {0: '0, 1 (sort)'}
    """
    cases = {}
    for group in groups:
        roles = [role for i in group.tolist() for role in snippets[i].roles]
        have = {role.functionality for role in roles if role.positive}
        lack = {role.functionality for role in roles if not role.positive}
        if have & lack:
            shown = ", ".join(snippets[i].id for i in group[:3].tolist())
            cases[int(group[0])] = f"{shown} ({', '.join(sorted(have & lack))})"
    return cases
