"""open_rows: the rows of whatever a user names or hands over."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, Protocol

from codekin.errors import CodekinError
from codekin.runs.rows.files import FileRows, StdinRows
from codekin.runs.rows.objects import object_rows
from codekin.runs.rows.sharding import MOST_BYTES, Shard

__all__ = ["RowInput", "open_rows"]


class RowInput(Protocol):
    """Rows that can be read in shards."""

    def describe(self) -> dict[str, Any]:
        """What the input is, in JSON's values; for files with their SHA-256, computed now."""

    def shards(self, rows: int | None = None, most_bytes: int = MOST_BYTES) -> Iterator[Shard]:
        """The rows in shards of so many rows, or fewer that have reached so many bytes."""


def open_rows(what: Any) -> RowInput:
    """Open rows, without reading them yet.

    Parameters
    ----------
    what : path, sequence of paths, or object
        A file, a folder or several of them: JSON lines (``.jsonl``, ``.ndjson``; ``.json`` also
        with one array of objects), CSV (``.csv``, ``.tsv``), each also compressed (``.gz``,
        ``.xz``, ``.zst``, ``.bz2``), and Parquet (``.parquet``, ``.pq``). ``-`` is stdin, with
        JSON. Or a list or iterator of dicts, a DataFrame of pandas or polars, a table, record
        batch or reader of pyarrow, or a Hugging Face dataset.

    Returns
    -------
    RowInput
        Its shards hold the rows as they were read; what is wrong with a row stands in its record,
        so that one bad row does not end a job.

    Raises
    ------
    CodekinError
        Where the input as a whole cannot be read: a missing file, an unknown suffix, a header
        that names a column twice.

    Examples
    --------
    >>> rows = open_rows([{"id": 1}, {"id": 2}, {"id": 3}])
    >>> for shard in rows.shards(2):
    ...     print(shard.index, [record.fields["id"] for record in shard.records()], shard.share)
    0 [1, 2] 0.6666666666666666
    1 [3] 1.0
    """
    if isinstance(what, str | os.PathLike):
        what = [what]
    if isinstance(what, list | tuple) and what and isinstance(what[0], str | os.PathLike):
        return _named(what)
    rows = object_rows(what)
    if rows is not None:
        return rows
    raise CodekinError(
        f"cannot read rows from {type(what).__module__}.{type(what).__qualname__}; give a path, a "
        "list or iterator of dicts, a DataFrame, an Arrow table or a Hugging Face dataset"
    )


def _named(paths: list[Any] | tuple[Any, ...]) -> RowInput:
    odd = next((path for path in paths if not isinstance(path, str | os.PathLike)), None)
    if odd is not None:
        raise CodekinError(f"paths and other things cannot be mixed; found {type(odd).__name__}")
    if "-" not in paths:
        return FileRows(paths)
    if len(paths) > 1:
        raise CodekinError("stdin (-) cannot be mixed with files or read twice; save it to a file")
    return StdinRows()
