"""Reading CSV and tab-separated files."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator
from io import StringIO
from itertools import chain, islice

from codekin.errors import CodekinError
from codekin.runs.rows.compression import BrokenInputError
from codekin.runs.rows.lines import LONGEST_LINE, cut_lines
from codekin.runs.rows.pieces import CsvRows, Unreadable

__all__ = ["check_header", "csv_stretches"]

_ROWS = 256
_CHARACTERS = 2**20
_ANY_SIZE = 2**31 - 1  # what a C long holds everywhere


def csv_stretches(
    name: str, blocks: Iterable[bytes], delimiter: str = ",", longest: int = LONGEST_LINE
) -> Iterator[CsvRows | Unreadable]:
    """Rows of a CSV file, whose first row names the columns; blank lines are no rows.

    Quoting is that of RFC 4180 and taken strictly, so that a stray quote cannot quietly change a
    text: a row with one is unreadable, and reading goes on with the next line.

    Raises
    ------
    CodekinError
        Where the header leaves a column without a name or names two alike.
    """
    rows = _rows(name, blocks, delimiter, longest)
    empty = Unreadable(name, 1, "the file is empty; its first line must name the columns")
    _, header = next(rows, (1, empty))
    if isinstance(header, Unreadable):
        yield header
        return
    header = _checked(name, header)
    starts: list[int] = []
    held: list[tuple[str, ...]] = []
    size = 0
    for start, row in rows:
        if isinstance(row, tuple):
            starts.append(start)
            held.append(row)
            size += sum(map(len, row))
            if len(held) < _ROWS and size <= _CHARACTERS:
                continue
        if held:
            yield CsvRows(name, tuple(starts), header, tuple(held))
            starts, held, size = [], [], 0
        if isinstance(row, Unreadable):
            yield row
    if held:
        yield CsvRows(name, tuple(starts), header, tuple(held))


def check_header(name: str, blocks: Iterable[bytes], delimiter: str) -> None:
    """Raise a CodekinError for a header that does not name every column once."""
    for _, row in islice(_rows(name, blocks, delimiter, LONGEST_LINE), 1):
        if isinstance(row, tuple):
            _checked(name, row)
            other = next((one for one in ";\t,|" if one != delimiter and one in row[0]), None)
            if len(row) == 1 and other is not None:
                wanted = "a tab" if delimiter == "\t" else repr(delimiter)
                found = "tabs (name it .tsv)" if other == "\t" else repr(other)
                raise CodekinError(
                    f"{name}: has one column, {row[0][:60]!r}; its fields seem to be separated by "
                    f"{found}, and {wanted} is expected"
                )


def _checked(name: str, header: tuple[str, ...]) -> tuple[str, ...]:
    for place, column in enumerate(header, 1):
        if not column.strip():
            raise CodekinError(
                f"{name}: column {place} has no name; the first line must name each column "
                "(pandas leaves its index without one: write with index=False)"
            )
    twice = sorted(column for column, times in Counter(header).items() if times > 1)
    if twice:
        raise CodekinError(f"{name}: two columns are named {twice[0]!r}; names must differ")
    return header


def _rows(
    name: str, blocks: Iterable[bytes], delimiter: str, longest: int
) -> Iterator[tuple[int, tuple[str, ...] | Unreadable]]:
    """Rows with the line on which they begin, as far as they can be read."""
    texts = _Texts(blocks, longest)
    reader = csv.reader(chain.from_iterable(texts), delimiter=delimiter, strict=True)
    while True:
        start = reader.line_num + 1
        texts.held = 0
        limit = csv.field_size_limit(_ANY_SIZE)  # shared with all that read CSV in this process
        try:
            row = next(reader, None)
        except csv.Error as error:
            reason, *_ = str(error).partition(" - ")  # what follows is advice to programmers
            yield start, Unreadable(name, start, f"broken CSV: {reason}")
            continue
        except BrokenInputError as error:
            yield start, Unreadable(name, start, str(error))
            return
        finally:
            csv.field_size_limit(limit)
        if row is None:
            return
        if row:
            yield start, tuple(row)


class _Texts:
    """Lines for the csv module, in texts that give them out natively.

    Attributes
    ----------
    held : int
        How many bytes were given since the last row was whole; too many end the reading.
    """

    def __init__(self, blocks: Iterable[bytes], longest: int) -> None:
        self._blocks = blocks
        self._longest = longest
        self.held = 0

    def __iter__(self) -> Iterator[StringIO]:
        for _, lines in cut_lines(self._blocks, self._longest):
            if self.held > self._longest or lines is None:
                raise BrokenInputError(
                    f"a row of more than {self._longest:,} bytes; is a quote never closed?"
                )
            text = b"\n".join([*lines, b""])
            self.held += len(text)
            yield StringIO(text.decode("utf-8", "surrogateescape"), newline="\n")
