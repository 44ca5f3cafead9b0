"""What a scan takes out of one file as bytes: how workers answer, and what an index keeps.

The bytes are only ever unpacked by the codekin that packed them; see :mod:`codekin.scan.store`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import msgspec
import numpy as np

from codekin.scan.code_tokens import CodeTokens, Trait
from codekin.scan.file_parts import FileParts, FragmentTable
from codekin.scan.scanned_files import LeftOutFile

__all__ = ["TextParts", "holds_left_out", "pack_left_out", "pack_texts", "unpack_texts"]

_TOKENS = tuple(field.name for field in fields(CodeTokens) if field.name != "starts")
_FRAGMENTS = tuple(field.name for field in fields(FragmentTable) if field.name != "names")
_NO_STARTS = np.empty(0, np.int32)


@dataclass(frozen=True, eq=False, repr=False)
class TextParts:
    """A text of a file, and what a scan takes out of it.

    Attributes
    ----------
    suffix : str
        What follows the name of the file in that of the text: the cell of a notebook, or nothing.
    language : str
    parts : FileParts
        Their tokens have no `starts`.
    header, imports, tables, ignored : int
        Lines that are not compared: of a licence header, of imports, of tables of constants, and
        of functions with a comment.
    """

    suffix: str
    language: str
    parts: FileParts
    header: int
    imports: int
    tables: int
    ignored: int

    @classmethod
    def of(cls, suffix: str, language: str, parts: FileParts, header: int) -> TextParts:
        """Count the lines that are not compared."""
        tokens = parts.tokens
        return cls(
            suffix,
            language,
            parts,
            header,
            tokens.lines_with(Trait.IMPORT),
            tokens.lines_with(Trait.TABLE, without=Trait.IGNORED),
            tokens.lines_with(Trait.IGNORED),
        )


class _Array(msgspec.Struct, array_like=True, frozen=True):
    dtype: str
    data: memoryview

    @classmethod
    def of(cls, array: np.ndarray[Any, Any]) -> _Array:
        return cls(array.dtype.str, np.ascontiguousarray(array).view(np.uint8).data)

    def unpacked(self) -> np.ndarray[Any, Any]:
        return np.frombuffer(self.data, self.dtype)


class _Text(msgspec.Struct, array_like=True, frozen=True):
    suffix: str
    language: str
    lines: int
    parses: bool
    left_out: tuple[int, int, int, int]
    names: list[bytes]
    tokens: list[_Array]
    fragments: list[_Array]


class _Texts(msgspec.Struct, array_like=True, frozen=True, tag="texts"):
    texts: list[_Text]


class _LeftOut(msgspec.Struct, array_like=True, frozen=True, tag="left out"):
    kind: str
    reason: bytes


_packed = msgspec.msgpack.Encoder()
_unpacked = msgspec.msgpack.Decoder(_Texts | _LeftOut)


def pack_texts(texts: Sequence[TextParts]) -> bytes:
    """The texts of a file as bytes."""
    return _packed.encode(_Texts([_text(text) for text in texts]))


def _text(text: TextParts) -> _Text:
    parts = text.parts
    return _Text(
        text.suffix,
        text.language,
        parts.lines,
        parts.parses,
        (text.header, text.imports, text.tables, text.ignored),
        [_encoded(name) for name in parts.fragments.names],
        [_Array.of(getattr(parts.tokens, name)) for name in _TOKENS],
        [_Array.of(getattr(parts.fragments, name)) for name in _FRAGMENTS],
    )


def pack_left_out(file: LeftOutFile) -> bytes:
    """Why a file is left out, as bytes."""
    return _packed.encode(_LeftOut(file.kind, _encoded(file.reason)))


def holds_left_out(data: bytes) -> bool:
    """Whether bytes say why a file is left out, rather than hold its texts.

    Examples
    --------
    >>> holds_left_out(pack_left_out(LeftOutFile("", "unreadable", "looks binary")))
    True
    """
    return isinstance(_unpacked.decode(data), _LeftOut)


def unpack_texts(data: bytes, name: str) -> list[TextParts] | LeftOutFile:
    """The texts of a file, or why it is left out.

    Parameters
    ----------
    data : bytes
        Arrays are views of them.
    name : str
        Of the file.
    """
    content = _unpacked.decode(data)
    if isinstance(content, _LeftOut):
        return LeftOutFile(name, content.kind, _decoded(content.reason))
    return [_text_parts(text) for text in content.texts]


def _text_parts(text: _Text) -> TextParts:
    tokens = CodeTokens(_NO_STARTS, *(array.unpacked() for array in text.tokens))
    names = tuple(_decoded(name) for name in text.names)
    fragments = FragmentTable(names, *(array.unpacked() for array in text.fragments))
    parts = FileParts(tokens, fragments, text.lines, text.parses)
    return TextParts(text.suffix, text.language, parts, *text.left_out)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _decoded(text: bytes) -> str:
    return text.decode("utf-8", "surrogatepass")
