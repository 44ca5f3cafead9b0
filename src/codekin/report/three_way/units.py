"""What is aligned of a text: its lexemes, its words where no language is known, or its lines."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from codekin.represent.text.plain_tokens import string_ids
from codekin.source import Source

__all__ = ["By", "Units", "line_units", "token_units", "word_units"]

By: TypeAlias = Literal["token", "line"]

_WORD = re.compile(r"\w+|[^\w\s]")
_LINE = re.compile(r"[^\n]+")


@dataclass(frozen=True, eq=False)
class Units:
    """A text and the units that it is cut into, in order.

    Attributes
    ----------
    text : str
    name : str
        What one is called: token, word or line.
    starts, ends : lists of int
        Spans in characters of the text.
    ids : uint64 array
        Equal for equal units.
    lines : int32 array
        The index of the first unit of each line, as :func:`codekin.align.three_way.align_three`
        takes it.
    indents : dict of int to int
        For each unit that stands for the indentation of a line, its columns.
    """

    text: str = field(repr=False)
    name: str
    starts: list[int] = field(repr=False)
    ends: list[int] = field(repr=False)
    ids: npt.NDArray[np.uint64] = field(repr=False)
    lines: npt.NDArray[np.int32] = field(repr=False)
    indents: dict[int, int] = field(repr=False)

    def __len__(self) -> int:
        return len(self.starts)

    @cached_property
    def line_starts(self) -> list[int]:
        """Where the lines of the text begin; what follows the last line end is a line if any."""
        starts = [0, *(found.end() for found in re.finditer("\n", self.text))]
        if starts[-1] == len(self.text):
            starts.pop()
        return starts

    @cached_property
    def line_texts(self) -> list[str]:
        """What the lines read, without blanks at their ends."""
        lines = self.text.split("\n")
        return [line.rstrip() for line in lines[: len(self.line_starts)]]

    def line_of(self, character: int) -> int:
        """The line, from 0, in which a character stands."""
        return max(0, bisect_right(self.line_starts, character) - 1)

    @cached_property
    def first_lines(self) -> list[int]:
        """For each unit the line, from 0, in which it begins."""
        return self._lines_of(self.starts)

    @cached_property
    def last_lines(self) -> list[int]:
        """For each unit the line, from 0, in which it ends."""
        last = (max(s, e - 1) for s, e in zip(self.starts, self.ends, strict=True))
        return self._lines_of(list(last))

    def _lines_of(self, characters: list[int]) -> list[int]:
        found = np.searchsorted(self.line_starts, characters, side="right") - 1
        lines: list[int] = np.maximum(found, 0).tolist()
        return lines


def token_units(source: Source) -> Units:
    r"""The lexemes of a code; comments and docstrings lie between them.

    Examples
    --------
    >>> units = token_units(Source("x = é // why\n", "c"))
    >>> [units.text[s:e] for s, e in zip(units.starts, units.ends)]
    ['x', '=', 'é']
    """
    lexemes = source.lexemes
    characters = lexemes.positions.characters
    # The identity of a layout lexeme holds its column above the four bits of the length.
    indents = {
        i: int(text[1:])
        for i, (text, layout) in enumerate(zip(lexemes.texts, lexemes.layout.tolist(), strict=True))
        if layout
    }
    return Units(
        source.text,
        "token",
        [characters(byte) for byte in lexemes.starts.tolist()],
        [characters(byte) for byte in lexemes.ends.tolist()],
        lexemes.ids,
        lexemes.lines,
        indents,
    )


def word_units(text: str) -> Units:
    """The words of a text and, each for itself, the signs between them.

    Examples
    --------
    >>> units = word_units("mollit anim, id")
    >>> [units.text[s:e] for s, e in zip(units.starts, units.ends)]
    ['mollit', 'anim', ',', 'id']
    """
    return _cut(text, "word", (found.span() for found in _WORD.finditer(text)))


def line_units(text: str) -> Units:
    r"""The lines of a text that are not blank; blanks at their ends do not count.

    Examples
    --------
    >>> len(line_units("a\n\n  b  \n"))
    2
    """
    return _cut(text, "line", _line_spans(text))


def _line_spans(text: str) -> Iterator[tuple[int, int]]:
    for found in _LINE.finditer(text):
        shown = found.group().rstrip()
        if shown:
            yield found.start(), found.start() + len(shown)


def _cut(text: str, name: str, spans: Iterator[tuple[int, int]]) -> Units:
    found = list(spans)
    starts, ends = [s for s, _ in found], [e for _, e in found]
    ids = string_ids([text[s:e] for s, e in found])
    units = Units(text, name, starts, ends, ids, np.zeros(0, dtype=np.int32), {})
    numbers = np.array(units.first_lines, dtype=np.int64)
    lines = np.flatnonzero(np.diff(numbers, prepend=-1)).astype(np.int32)
    return Units(text, name, starts, ends, ids, lines, {})
