"""Bounded parsing: a parser that does too much work reaches an early end of the text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import tree_sitter
import tree_sitter_python

from codekin import _native

__all__ = ["ParseLimits", "cut_between_characters", "parse_in_pieces"]

_LONGEST_PIECE = 256

_idle: list[list[bytearray | None]] = []
"""Buffers by length, of parses that are over."""


@dataclass(frozen=True)
class ParseLimits:
    """How much the parser may do with one text, far above what code needs.

    Attributes
    ----------
    bytes : int
        How much of a text it is given at all.
    reads, reads_per_piece, reads_per_byte : int
        How often it may ask for a piece of the text: code is read twice over, at most three times,
        and a piece of 256 bytes up to twenty times.
    allocations, allocations_per_byte : int
        How many blocks of memory it may ask for: the work it does. Code needs about 0.4 per byte
        and at most 1.3, broken code up to 8 where it is short.
    stack_nodes : int
        How deep its stack may be, times the allocations per byte if those are more than one. Where
        a text ends that can be read in several ways, memory grows by the square of that; code
        needs 200 at most, brackets nested 10,000 deep need as many.
    """

    bytes: int = 1_000_000
    reads: int = 20_000
    reads_per_piece: int = 200
    reads_per_byte: int = 8
    allocations: int = 100_000
    allocations_per_byte: int = 6
    stack_nodes: int = 12_000


LIMITS = ParseLimits()


def parse_in_pieces(
    language: tree_sitter.Language,
    data: bytes,
    piece: int,
    tail: bytes,
    limits: ParseLimits | None = None,
) -> tuple[tree_sitter.Tree, int]:
    """Parse bytes that are handed over piece by piece, until the parser has done too much.

    Then the parser finds the end of the text, and such a tree ends before the text does. What
    counts as too much depends on the text alone, so the same text always gives the same tree.

    Parameters
    ----------
    language : tree_sitter.Language
    data : bytes
        UTF-8.
    piece : int
        How many bytes the parser gets at a time; more than 256 count as 256, and 1 as a character.
    tail : bytes
        What it gets where a limit cuts the text off.
    limits : ParseLimits, optional

    Returns
    -------
    tree : tree_sitter.Tree
    read : int
        How many bytes the parser was given: the length of `data` unless a limit was reached.

    Notes
    -----
    tree-sitter itself can only be cancelled between its steps, and one step can take gigabytes; the
    binding (0.26) crashes when its progress callback is used. Hence the meter of its allocations.

    The binding never lets go of what the callback returns: it would keep more than twice the bytes
    that are parsed. So it gets the same few buffers over and over, one for each length, which are
    filled again; the parser reads none of them any more when it asks for the next. That is right
    too where a binding lets go of them. Before 0.26 it took nothing but bytes, and did.
    """
    limits = limits or LIMITS
    whole = len(data)
    if whole > limits.bytes:
        data = cut_between_characters(data, limits.bytes) + tail
    piece = min(piece, _LONGEST_PIECE)
    each = limits.reads_per_byte if piece == 1 else limits.reads_per_piece
    # A parser keeps some memory for its next text, and would then ask for less.
    parser = tree_sitter.Parser(language)
    buffers = _take_buffers()
    reader = _native.PieceReader(
        data,
        piece,
        tail,
        buffers,
        min(limits.reads + each * (len(data) // piece), 2**31 - 1),
        limits.allocations,
        limits.allocations_per_byte,
        limits.stack_nodes,
        _stack_node_bytes(),
    )
    tree = _metered(parser, reader)
    if buffers is not None:
        _idle.append(buffers)
    if reader.cut >= 0:
        return tree, reader.cut
    return tree, min(whole, limits.bytes)


def cut_between_characters(data: bytes, length: int) -> bytes:
    """The first bytes of a text in UTF-8, as many as are whole characters."""
    if len(data) <= length:
        return data
    while length and data[length] & 0xC0 == 0x80:
        length -= 1
    return data[:length]


def _metered(parser: tree_sitter.Parser, reader: _native.PieceReader) -> Any:
    reader.start()
    try:
        return parser.parse(reader)
    finally:
        reader.stop()


@cache
def _stack_node_bytes() -> int:
    """How large a node of the parser's stack is: what it asks for at each bracket that opens."""
    deep, none = b"(" * 1000, 2**31 - 1
    reader = _native.PieceReader(deep, _LONGEST_PIECE, b"", None, none, none, none, none, 0)
    _metered(_python_parser(), reader)
    return reader.commonest_size


def _take_buffers() -> list[bytearray | None] | None:
    """Buffers for one parse; None where the binding takes nothing but bytes."""
    try:
        return _idle.pop()
    except IndexError:
        return [None] * (_LONGEST_PIECE + 1) if _takes_buffers(_python_parser()) else None


@cache
def _takes_buffers(parser: tree_sitter.Parser) -> bool:
    """Whether the binding takes anything else than bytes; tried once."""
    try:
        parser.parse(lambda _byte, _point: bytearray())
    except TypeError:
        return False
    return True


@cache
def _python_parser() -> tree_sitter.Parser:
    """A parser to find out with what the binding does."""
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language()))
