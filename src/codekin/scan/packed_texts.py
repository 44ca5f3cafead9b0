"""What a scan takes out of one file as bytes: how workers answer, and what an index keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from codekin.scan.code_tokens import CodeTokens, Trait
from codekin.scan.file_parts import FileParts, FragmentTable
from codekin.scan.packed_arrays import DamagedError, pack_arrays, unpack_arrays
from codekin.scan.scanned_files import LeftOutFile

__all__ = ["TextParts", "holds_left_out", "pack_left_out", "pack_texts", "unpack_texts"]

_TOKENS = tuple(field.name for field in fields(CodeTokens) if field.name != "starts")
_FRAGMENTS = tuple(field.name for field in fields(FragmentTable) if field.name != "names")
_DTYPES = {
    **dict.fromkeys(["lines", "last_lines", "statements", "begin", "end"], np.int32),
    **dict.fromkeys(["first_statement", "end_statement"], np.int32),
    **dict.fromkeys(["traits", "levels", "weights", "occurrences"], np.uint8),
    **dict.fromkeys(["statement_ids", "features", "fragment_raw", "fragment_blind"], np.uint64),
    **dict.fromkeys(["raw", "blind"], np.uint32),
    "offsets": np.int64,
}
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


def pack_texts(texts: Sequence[TextParts]) -> bytes:
    """The texts of a file as bytes."""
    meta, arrays = [], {}
    for number, one in enumerate(texts):
        meta.append(
            {
                "suffix": one.suffix,
                "language": one.language,
                "lines": one.parts.lines,
                "left_out": [one.header, one.imports, one.tables, one.ignored],
                "names": one.parts.fragments.names,
                "parses": one.parts.parses,
            }
        )
        for name in _TOKENS:
            arrays[f"{number}.{name}"] = getattr(one.parts.tokens, name)
        for name in _FRAGMENTS:
            arrays[f"{number}.{_stored(name)}"] = getattr(one.parts.fragments, name)
    return pack_arrays({"texts": meta}, arrays)


def pack_left_out(file: LeftOutFile) -> bytes:
    """Why a file is left out, as bytes."""
    return pack_arrays({"kind": file.kind, "reason": file.reason}, {})


def holds_left_out(data: bytes | memoryview) -> bool:
    """Whether bytes say why a file is left out, rather than hold its texts.

    Examples
    --------
    >>> holds_left_out(pack_left_out(LeftOutFile("", "unreadable", "looks binary")))
    True
    """
    return "kind" in unpack_arrays(data)[0]


def unpack_texts(data: bytes | memoryview, name: str) -> list[TextParts] | LeftOutFile:
    """The texts of a file, or why it is left out; DamagedError if the bytes are not whole.

    Parameters
    ----------
    data : bytes
    name : str
        Of the file.
    """
    meta, arrays = unpack_arrays(data)
    try:
        if "kind" in meta:
            return LeftOutFile(name, str(meta["kind"]), str(meta["reason"]))
        texts = [_text(number, one, arrays) for number, one in enumerate(meta["texts"])]
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise DamagedError(f"does not hold the parts of a file ({error})") from None
    return texts


def _stored(name: str) -> str:
    """Tokens and fragments both have `raw` and `blind`."""
    return f"fragment_{name}" if name in ("raw", "blind") else name


def _text(number: int, meta: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> TextParts:
    mine = {name: arrays[f"{number}.{name}"] for name in _DTYPES}
    if any(array.dtype != _DTYPES[name] for name, array in mine.items()):
        raise ValueError("an array has another type")
    tokens = CodeTokens(_NO_STARTS, *(mine[name] for name in _TOKENS))
    names = tuple(map(str, meta["names"]))
    fragments = FragmentTable(names, *(mine[_stored(name)] for name in _FRAGMENTS))
    _check(tokens, fragments)
    header, imports, tables, ignored = map(int, meta["left_out"])
    parts = FileParts(tokens, fragments, int(meta["lines"]), bool(meta.get("parses", True)))
    return TextParts(
        str(meta["suffix"]), str(meta["language"]), parts, header, imports, tables, ignored
    )


def _check(tokens: CodeTokens, fragments: FragmentTable) -> None:
    """Refuse places that are not in the text."""
    count, statements, rows = len(tokens), len(tokens.statements), len(fragments.names)
    of_tokens = {len(getattr(tokens, name)) for name in _TOKENS[:6]}
    of_statements = {len(getattr(tokens, name)) for name in _TOKENS[6:]}
    of_rows = {len(getattr(fragments, name)) for name in _FRAGMENTS[:6]}
    lengths = of_tokens == {count} and of_statements == {statements} and of_rows == {rows}
    offsets = fragments.offsets
    ends = len(offsets) == rows + 1 and not offsets[0] and offsets[-1] == len(fragments.features)
    if not lengths or not ends or len(fragments.occurrences) != len(fragments.features):
        raise ValueError("arrays have different lengths")
    good = np.all(np.diff(offsets) >= 0) and _rising(tokens.statements, count)
    if rows and good:
        good = (
            np.all(fragments.begin >= 0)
            and np.all(fragments.begin < fragments.end)
            and np.all(fragments.end <= count)
            and np.all(fragments.first_statement >= 0)
            and np.all(fragments.first_statement <= fragments.end_statement)
            and np.all(fragments.end_statement <= statements)
        )
    if not good:
        raise ValueError("a place is not in the text")


def _rising(places: npt.NDArray[np.int32], end: int) -> bool:
    inside = not len(places) or (places[0] >= 0 and places[-1] < end)
    return bool(inside and np.all(places[1:] > places[:-1]))
