"""The parts of all files of a scan, joined into long arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from codekin.errors import CodekinError
from codekin.scan.code_tokens import CodeTokens
from codekin.scan.file_parts import FileParts, FragmentTable

__all__ = ["ScannedCode", "join_parts"]

_MAX_TOKENS = 2**31 - 2

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class ScannedCode:
    """Tokens, statements and fragments of many files; places count through all files.

    Attributes
    ----------
    files : int64 array
        The first token of each file; one more at the end.
    tokens : CodeTokens
    fragments : FragmentTable
    file_of_fragment : int32 array
    """

    files: Longs
    tokens: CodeTokens
    fragments: FragmentTable
    file_of_fragment: Ints

    def file_of_tokens(self, tokens: npt.ArrayLike) -> Ints:
        """The file of each token."""
        return (np.searchsorted(self.files, tokens, side="right") - 1).astype(np.int32)

    def code_lines(self, begin: Ints, end: Ints) -> Longs:
        """How many lines of each stretch have tokens."""
        return self._line_starts[end] - self._line_starts[begin]

    @cached_property
    def _line_starts(self) -> Longs:
        """How many of the tokens before each are the first of their lines."""
        fresh = np.ones(len(self.tokens.lines), np.int64)
        fresh[1:] = self.tokens.lines[1:] != self.tokens.lines[:-1]
        return np.append(0, np.cumsum(fresh))


def join_parts(parts: Sequence[FileParts]) -> ScannedCode:
    """Join the parts of files, of one at least, in their order."""
    files = _offsets([len(one.tokens) for one in parts])
    if files[-1] > _MAX_TOKENS:
        raise CodekinError(
            f"{int(files[-1]):,} tokens are too many for one scan; scan fewer folders at a time"
        )
    statements = _offsets([len(one.tokens.statements) for one in parts])
    features = _offsets([len(one.fragments.features) for one in parts])
    counts = [len(one.fragments) for one in parts]
    tables = [one.fragments for one in parts]
    tokens = CodeTokens(
        *(
            _shifted([one.tokens.statements for one in parts], files)
            if field.name == "statements"
            else _joined([getattr(one.tokens, field.name) for one in parts])
            for field in fields(CodeTokens)
        )
    )
    fragments = FragmentTable(
        tuple(name for one in tables for name in one.names),
        _shifted([one.begin for one in tables], files),
        _shifted([one.end for one in tables], files),
        _shifted([one.first_statement for one in tables], statements),
        _shifted([one.end_statement for one in tables], statements),
        _joined([one.raw for one in tables]),
        _joined([one.blind for one in tables]),
        np.append(0, _shifted([one.offsets[1:] for one in tables], features)).astype(np.int64),
        _joined([one.features for one in tables]),
        _joined([one.occurrences for one in tables]),
    )
    numbers = np.arange(len(parts), dtype=np.int32)
    return ScannedCode(files, tokens, fragments, np.repeat(numbers, counts))


def _offsets(counts: Sequence[int]) -> Longs:
    return np.append(0, np.cumsum(np.array(counts, np.int64))).astype(np.int64)


def _joined(arrays: Sequence[Any]) -> Any:
    return np.concatenate(arrays)


def _shifted(arrays: Sequence[Any], offsets: Longs) -> Any:
    """Places in files as places in all of them; their type stays."""
    return _joined([one + int(at) for one, at in zip(arrays, offsets, strict=False)])
