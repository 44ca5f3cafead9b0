"""Parsing with the grammar that fits a text, and with a limit on the work of the parser."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import tree_sitter
import tree_sitter_python

from codekin import _native
from codekin.errors import CodekinError
from codekin.languages import Grammar, Language

__all__ = [
    "ParseLimits",
    "cut_between_characters",
    "fitting_grammar",
    "parse",
    "parse_bounded",
    "parse_in_pieces",
]

_LONGEST_PIECE = 256
_DECIDED_ON = 1 << 16
"""Characters at the start of a text by which its grammar is chosen."""

_idle: list[list[bytearray | None]] = []
"""Buffers by length, left over from finished parses."""


@dataclass(frozen=True)
class ParseLimits:
    """Limits on the work of the parser per text, far above what code needs.

    Attributes
    ----------
    bytes : int
        Maximum length of the text.
    reads, reads_per_piece, reads_per_byte : int
        Maximum number of pieces it may request: code is read twice, at most three times, and a
        piece of 256 bytes up to twenty times.
    allocations, allocations_per_byte : int
        Maximum number of memory allocations, as a measure of work. Code needs about 0.4 per byte
        and at most 1.3; short broken code needs up to 8.
    stack_nodes : int
        Maximum depth of its stack, times the allocations per byte if those are more than one. At
        the end of an ambiguous text, memory grows with the square of the depth; code needs at
        most 200, brackets nested 10,000 deep need 10,000.
    """

    bytes: int = 1_000_000
    reads: int = 20_000
    reads_per_piece: int = 200
    reads_per_byte: int = 8
    allocations: int = 100_000
    allocations_per_byte: int = 6
    stack_nodes: int = 12_000


LIMITS = ParseLimits()


def fitting_grammar(language: Language, text: str) -> Grammar:
    """The grammar of a language that reads a text: the first candidate without an error in it.

    Examples
    --------
    >>> from codekin.languages.typescript import TYPESCRIPT
    >>> fitting_grammar(TYPESCRIPT, "const x = <b>bold</b>").entry
    'language_tsx'
    """
    if not language.grammars:
        raise CodekinError(
            f"{language.title} has no syntax tree; name a programming language, or use its words"
        )
    if language.candidates is None:
        return language.grammars[0]
    start = text[:_DECIDED_ON]
    *tried, last = language.candidates(text)
    for place in tried:
        grammar = language.grammars[place]
        if not parse(grammar, start.encode("utf-8", "surrogatepass")).root_node.has_error:
            return grammar
    return language.grammars[last]


def parse(grammar: Grammar, data: bytes) -> tree_sitter.Tree:
    """Parse bytes of UTF-8; never fails: errors become nodes of the tree."""
    return parse_bounded(grammar, data)[0]


def parse_bounded(grammar: Grammar, data: bytes) -> tuple[tree_sitter.Tree, int]:
    """Parse bytes of UTF-8, and return how many of them the parser got.

    Some grammars (Kotlin's above all) need exponential time for some texts, TypeScript's can make
    the parser loop within a few bytes, and many take gigabytes for a few kilobytes of garbage. The
    parser therefore gets the text in small pieces, and if it does far more work than code needs, it
    sees the end of the text: such a tree ends before the text does.
    """
    text = (data if grammar.tame is None else grammar.tame(data)) + grammar.tail
    tree, read = parse_in_pieces(grammar.language, text, grammar.piece, grammar.tail)
    return tree, min(read, len(data))


def parse_in_pieces(
    language: tree_sitter.Language,
    data: bytes,
    piece: int,
    tail: bytes,
    limits: ParseLimits | None = None,
) -> tuple[tree_sitter.Tree, int]:
    """Parse bytes that are passed piece by piece, until the parser reaches a limit.

    At a limit, the parser sees the end of the text, so its tree ends before the text does. The
    limits depend only on the text, so the same text always gives the same tree.

    Parameters
    ----------
    language : tree_sitter.Language
    data : bytes
        UTF-8.
    piece : int
        Number of bytes per piece, at most 256; 1 means one character.
    tail : bytes
        What the parser gets after a text that a limit cut off.
    limits : ParseLimits, optional

    Returns
    -------
    tree : tree_sitter.Tree
    read : int
        Number of bytes that the parser got: the length of `data` unless a limit was reached.

    Notes
    -----
    tree-sitter itself can only be cancelled between its steps, and one step can take gigabytes; the
    binding (0.26) crashes when its progress callback is used. So its allocations are counted.

    The binding never releases what the callback returns: it would keep more than twice the bytes
    that are parsed. So it gets the same few buffers again and again, one for each length, which are
    refilled; the parser no longer reads a buffer when it requests the next. This also works with a
    binding that releases them. Before 0.26, it accepted only bytes, and released them.
    """
    limits = limits or LIMITS
    whole = len(data)
    if whole > limits.bytes:
        data = cut_between_characters(data, limits.bytes) + tail
    piece = min(piece, _LONGEST_PIECE)
    each = limits.reads_per_byte if piece == 1 else limits.reads_per_piece
    # A used parser keeps some memory for its next text, and would allocate less.
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
    """At most `length` bytes of a text in UTF-8, cut at a character boundary."""
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
    """The size of a node of the parser's stack, which it allocates at each opening bracket."""
    deep, none = b"(" * 1000, 2**31 - 1
    reader = _native.PieceReader(deep, _LONGEST_PIECE, b"", None, none, none, none, none, 0)
    _metered(_python_parser(), reader)
    return reader.commonest_size


def _take_buffers() -> list[bytearray | None] | None:
    """Buffers for one parse; None if the binding accepts only bytes."""
    try:
        return _idle.pop()
    except IndexError:
        return [None] * (_LONGEST_PIECE + 1) if _takes_buffers(_python_parser()) else None


@cache
def _takes_buffers(parser: tree_sitter.Parser) -> bool:
    """Whether the binding accepts buffers other than bytes; tried once."""
    try:
        parser.parse(lambda _byte, _point: bytearray())
    except TypeError:
        return False
    return True


@cache
def _python_parser() -> tree_sitter.Parser:
    """A parser to find out how the binding behaves."""
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language()))
