"""Parsing with a bound: the parser gets a text in small pieces, and only so many of them."""

from __future__ import annotations

import tree_sitter

from codekin import _native

__all__ = ["parse_in_pieces"]

# Code is read twice over, at most three times; a piece of 256 up to twenty times.
_READS, _READS_PER_PIECE, _READS_PER_BYTE = 20_000, 200, 8

_LONGEST_PIECE = 256

_idle: list[list[bytearray | None]] = []
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
        How many bytes the parser gets at a time; more than 256 count as 256, and 1 as a character.
    tail : bytes
        What it gets where the bound cuts the text off.

    Notes
    -----
    py-tree-sitter 0.26 never lets go of what the callback returns: it would keep more than twice
    the bytes that are parsed. So it gets the same few buffers over and over, one for each length,
    which are filled anew; the parser reads none of them any more when it asks for the next. That
    is right too where a binding lets go of them. Before 0.26 it took nothing but bytes, and did.
    """
    piece = min(piece, _LONGEST_PIECE)
    each = _READS_PER_BYTE if piece == 1 else _READS_PER_PIECE
    reads = _READS + each * (len(data) // piece)
    buffers = _take_buffers(parser)
    reader = _native.PieceReader(data, piece, reads, tail, buffers)
    tree = parser.parse(reader)
    if buffers is not None:
        reader.let_go()  # the tree holds on to it
        _idle.append(buffers)
    return tree


def _take_buffers(parser: tree_sitter.Parser) -> list[bytearray | None] | None:
    """Buffers for one parse; None where the binding takes nothing but bytes."""
    try:
        return _idle.pop()
    except IndexError:
        return [None] * (_LONGEST_PIECE + 1) if _takes_buffers(parser) else None


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
