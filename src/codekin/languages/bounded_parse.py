"""Parsing with a bound: the parser gets a text in small pieces, and only so many of them."""

from __future__ import annotations

import tree_sitter

__all__ = ["parse_in_pieces"]

# Code is read twice over, at most three times; a piece of 256 up to twenty times.
_READS, _READS_PER_PIECE, _READS_PER_BYTE = 20_000, 200, 8

_idle: list[dict[int, bytearray]] = []
"""Buffers by length, of parses that are over."""


def parse_in_pieces(
    parser: tree_sitter.Parser, data: bytes, piece: int, tail: bytes
) -> tree_sitter.Tree:
    """Parse bytes that are handed over piece by piece, until a fixed number of pieces is read.

    Then the parser is told that the text ends, and such a tree ends before the text does.

    Parameters
    ----------
    parser : tree_sitter.Parser
    data : bytes
        UTF-8.
    piece : int
        How many bytes the parser gets at a time.
    tail : bytes
        What it gets where the bound cuts the text off.

    Notes
    -----
    py-tree-sitter 0.26 never lets go of what the callback returns: it would keep more than twice
    the bytes that are parsed. So it gets the same few buffers over and over, one for each length,
    which are filled anew; the parser reads none of them any more when it asks for the next. That
    is right too where a binding lets go of them. Before 0.26 it took nothing but bytes, and did.
    """
    cut = -1
    each = _READS_PER_BYTE if piece == 1 else _READS_PER_PIECE
    left = _READS + each * (len(data) // piece)
    buffers = _take_buffers(parser)

    def read(byte: int, _point: object) -> bytes | bytearray:
        nonlocal cut, left
        left -= 1
        if left < 0:
            cut = byte if cut < 0 else cut
            return tail if byte <= cut else b""
        found = data[byte : byte + piece]
        if piece == 1:
            if found < b"\x80":
                return found  # the interpreter keeps each of these anyway, once
            # A character is never cut: it has up to four bytes, the first of them above 0x7F.
            found = data[byte : byte + 4]
        if buffers is None:
            return found
        try:
            buffer = buffers[len(found)]
        except KeyError:
            buffer = buffers[len(found)] = bytearray(found)
        else:
            buffer[:] = found
        return buffer

    tree = parser.parse(read)
    if buffers is not None:
        _idle.append(buffers)
        # The tree holds on to `read`, which must not write where another parse reads.
        buffers = None
    return tree


def _take_buffers(parser: tree_sitter.Parser) -> dict[int, bytearray] | None:
    """Buffers for one parse; None where the binding takes nothing but bytes."""
    try:
        return _idle.pop()
    except IndexError:
        return {} if _takes_buffers(parser) else None


_taken: bool | None = None


def _takes_buffers(parser: tree_sitter.Parser) -> bool:
    """Whether the binding takes anything else than bytes; tried once."""
    global _taken  # noqa: PLW0603
    if _taken is None:
        try:
            parser.parse(lambda _byte, _point: bytearray())
            _taken = True
        except TypeError:
            _taken = False
    return _taken
