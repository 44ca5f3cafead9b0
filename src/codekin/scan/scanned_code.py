"""The parts of all files of a scan, joined into long arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from codekin.errors import CodekinError
from codekin.scan.code_tokens import CodeTokens, LineCounts
from codekin.scan.file_parts import FileParts, FragmentTable

__all__ = ["PartsJoiner", "ScannedCode", "join_parts"]

_MOST = 2**31 - 2
"""Tokens or features of a scan."""
_BATCH_TOKENS = 2_000_000
"""Tokens of texts that are joined at a time."""
_TOKEN_ARRAYS = tuple(one.name for one in fields(CodeTokens) if one.name != "starts")
_FRAGMENT_ARRAYS = tuple(one.name for one in fields(FragmentTable) if one.name != "names")
_ARRAYS = (
    *(f"tokens.{name}" for name in _TOKEN_ARRAYS),
    *(f"fragments.{name}" for name in _FRAGMENT_ARRAYS),
)

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

    def code_lines(self, begin: npt.ArrayLike, end: npt.ArrayLike) -> Longs:
        """How many lines of code each stretch has."""
        return self._lines.of(begin, end)

    @cached_property
    def _lines(self) -> LineCounts:
        return LineCounts(self.tokens, self.files[:-1][self.files[:-1] < self.files[1:]])


class PartsJoiner:
    """Joins the parts of files, one after the other, without holding on to them."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._counts: list[tuple[int, int]] = []
        self._waiting: dict[str, list[Any]] = {name: [] for name in _ARRAYS}
        self._joined: dict[str, list[Any]] = {name: [] for name in _ARRAYS}
        self._tokens = self._statements = self._features = self._late = 0

    def __len__(self) -> int:
        """The number of texts."""
        return len(self._counts)

    def add(self, parts: FileParts) -> bool:
        """The parts of the next text; whether all so far were copied, and can go."""
        tokens, table = parts.tokens, parts.fragments
        for name in _TOKEN_ARRAYS:
            self._waiting[f"tokens.{name}"].append(getattr(tokens, name))
        for name in _FRAGMENT_ARRAYS:
            self._waiting[f"fragments.{name}"].append(getattr(table, name))
        shifts = {
            "tokens.statements": self._tokens,
            "fragments.begin": self._tokens,
            "fragments.end": self._tokens,
            "fragments.first_statement": self._statements,
            "fragments.end_statement": self._statements,
        }
        for name, shift in shifts.items():
            self._waiting[name][-1] = _shifted(self._waiting[name][-1], shift)
        self._waiting["fragments.offsets"][-1] = table.offsets[1:] + self._features
        self._names += table.names
        self._counts.append((len(tokens), len(table)))
        self._tokens += len(tokens)
        self._statements += len(tokens.statements)
        self._features += len(table.features)
        self._late += len(tokens)
        if max(self._tokens, self._features) > _MOST:
            raise CodekinError(
                f"more than {_MOST:,} tokens or features are too many for one scan; scan fewer "
                "folders or languages at a time"
            )
        if self._late < _BATCH_TOKENS:
            return False
        self._join()
        return True

    def _join(self) -> None:
        """Copy what waits, so that the texts it is from can go."""
        for name, arrays in self._waiting.items():
            if arrays:
                self._joined[name].append(np.concatenate(arrays))
                arrays.clear()
        self._late = 0

    def code(self) -> ScannedCode:
        """All of it, of one text at least; the joiner is empty then."""
        self._join()
        made: dict[str, Any] = {}
        for name in _ARRAYS:  # one by one, so that only one is there twice
            made[name] = np.concatenate(self._joined.pop(name))
        tokens = CodeTokens(
            np.empty(0, np.int32), *(made[f"tokens.{name}"] for name in _TOKEN_ARRAYS)
        )
        made["fragments.offsets"] = np.append(0, made["fragments.offsets"]).astype(np.int64)
        columns = (made[f"fragments.{name}"] for name in _FRAGMENT_ARRAYS)
        fragments = FragmentTable(tuple(self._names), *columns)
        files = _offsets([one[0] for one in self._counts])
        numbers = np.arange(len(self._counts), dtype=np.int32)
        return ScannedCode(
            files, tokens, fragments, np.repeat(numbers, [one[1] for one in self._counts])
        )


def join_parts(parts: Sequence[FileParts]) -> ScannedCode:
    """Join the parts of files, of one at least, in their order."""
    joiner = PartsJoiner()
    for one in parts:
        joiner.add(one)
    return joiner.code()


def _offsets(counts: Sequence[int]) -> Longs:
    return np.append(0, np.cumsum(np.array(counts, np.int64))).astype(np.int64)


def _shifted(array: Any, shift: int) -> Any:
    """Places in a file as places in all of them; their type stays."""
    return array + array.dtype.type(shift)
