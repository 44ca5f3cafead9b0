"""Copies among snippets: the same lexemes, or almost the same, whatever the layout."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from codekin import _native
from codekin.corpora.numbered_sequences import NumberedSequences
from codekin.corpora.snippets import Snippet
from codekin.languages import get_language
from codekin.represent.text.lexemes import lex
from codekin.represent.text.positions import Positions
from codekin.results import LEFT_OUT, Grid, Result, count_text

__all__ = ["Copies", "contradicting_groups", "find_copies", "snippet_lexemes"]

_SIMILARITY = 9, 10
"""Near copies share at least this part of the longer snippet's lexemes, in order."""

_MIN_LEXEMES = 15
"""Shorter snippets are alike by chance, and count only if they are equal."""


@dataclass(frozen=True, eq=False)
class Copies(Result):
    """Which snippets are copies of each other.

    Attributes
    ----------
    exact : int32 array
        A number per snippet, the same for snippets whose lexemes are equal.
    near : int32 array
        The same for near copies, and for copies of near copies: snippets whose lexemes have an
        edit similarity of at least 0.9.
    """

    computed: ClassVar[Mapping[str, str]] = {"snippets": "records"}

    exact: npt.NDArray[np.int32] = field(metadata=LEFT_OUT)
    near: npt.NDArray[np.int32] = field(metadata=LEFT_OUT)

    def grids(self) -> list[Grid]:
        """How many snippets have copies, and how many groups they are."""
        cells = (
            ("exact", self.exact_copies, len(self.groups())),
            ("exact or near", self.near_copies, len(self.groups(near=True))),
        )
        title = f"Copies among {count_text(len(self.exact), 'snippet')}"
        return [Grid(title, ("copies", "snippets", "groups"), cells)]

    def table(self) -> Grid:
        """One record per snippet, with the numbers of its groups."""
        numbers = (range(len(self.exact)), self.exact.tolist(), self.near.tolist())
        return Grid("", ("snippet", "exact", "near"), tuple(zip(*numbers, strict=True)))

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


def snippet_lexemes(snippets: Sequence[Snippet]) -> NumberedSequences:
    """The lexemes of each snippet, comments and layout left out."""
    found = []
    for one in snippets:
        data = one.code.encode("utf-8", "surrogatepass")
        lexical = get_language(one.language).lexical
        lexemes = lex(data, lexical, Positions(data), comments=False)
        found.append(lexemes.ids[~lexemes.layout])
    return NumberedSequences(found)


def find_copies(snippets: Sequence[Snippet], *, lexemes: NumberedSequences | None = None) -> Copies:
    r"""Find the copies among snippets.

    Layout and comments never count. No pair is missed, and few are compared: snippets whose
    lexemes have an edit similarity of 0.9 share one of their rarest lexemes.

    Parameters
    ----------
    snippets : sequence of Snippet
    lexemes : NumberedSequences, optional
        Of the snippets, where they are known (:func:`snippet_lexemes`).

    Examples
    --------
    >>> program = "int mean(int *x, int n) { int s = 0; for (int i = 0; i < n; i++) s += x[i];"
    >>> texts = [program, program.replace(" ", "  "), program.replace("0;", "1;", 1), "int x;"]
    >>> copies = find_copies([Snippet(str(i), "c", text) for i, text in enumerate(texts)])
    >>> copies.exact.tolist(), copies.near.tolist()
    ([0, 0, 1, 2], [0, 0, 0, 1])
    """
    words = snippet_lexemes(snippets) if lexemes is None else lexemes
    seen: dict[bytes, int] = {}
    marks = (
        hashlib.blake2b(words[i].tobytes(), digest_size=16).digest() for i in range(len(words))
    )
    exact = np.array([seen.setdefault(one, len(seen)) for one in marks], np.int32)
    different = words.take(np.unique(exact, return_index=True)[1])
    joined = _native.near_copies(
        different.offsets, different.ids, different.alphabet, *_SIMILARITY, _MIN_LEXEMES
    )
    return Copies(exact, _numbered(joined[exact]))


def _numbered(marks: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """The marks, numbered in the order in which they first occur."""
    seen: dict[int, int] = {}
    return np.array([seen.setdefault(one, len(seen)) for one in marks.tolist()], np.int32)


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
