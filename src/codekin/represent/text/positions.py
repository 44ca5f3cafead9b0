"""Conversion of byte offsets in UTF-8 to characters, lines and columns."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

import numpy as np
import numpy.typing as npt

__all__ = ["Positions"]


class Positions:
    r"""Characters, lines and columns of the bytes of a text.

    Parameters
    ----------
    data : bytes
        The text in UTF-8.

    Examples
    --------
    >>> Positions("é = 1\ny".encode()).line_column(7)
    (2, 1)
    """

    def __init__(self, data: bytes) -> None:
        self._data = data

    @cached_property
    def _line_starts(self) -> list[int]:
        raw = np.frombuffer(self._data, dtype=np.uint8)
        return [0, *(np.flatnonzero(raw == ord("\n")) + 1).tolist()]

    @cached_property
    def _character_of_byte(self) -> npt.NDArray[np.int64] | None:
        if self._data.isascii():
            return None
        raw = np.frombuffer(self._data, dtype=np.uint8)
        # Every byte that does not continue a character starts one.
        starts = (raw & 0xC0) != 0x80
        return np.concatenate(([0], np.cumsum(starts)))

    def characters(self, byte: int) -> int:
        """The number of characters before a byte."""
        table = self._character_of_byte
        return byte if table is None else int(table[byte])

    def lines_of(self, byte: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
        """The lines of bytes, from 1."""
        return np.searchsorted(self._line_starts, byte, side="right")

    def line_column(self, byte: int) -> tuple[int, int]:
        """Line and column of a byte, both from 1."""
        starts = self._line_starts
        line = bisect_right(starts, byte)
        column = self.characters(byte) - self.characters(starts[line - 1])
        return line, column + 1
