"""Rows of many formats, cut into shards that are decoded where they are scored."""

from codekin.runs.rows.files import open_rows
from codekin.runs.rows.pieces import (
    MOST_BYTES,
    TYPE_MARKER,
    ArrowRows,
    CsvRows,
    JsonLines,
    Piece,
    Record,
    RowInput,
    Shard,
    Unreadable,
    type_name,
)

__all__ = [
    "MOST_BYTES",
    "TYPE_MARKER",
    "ArrowRows",
    "CsvRows",
    "JsonLines",
    "Piece",
    "Record",
    "RowInput",
    "Shard",
    "Unreadable",
    "open_rows",
    "type_name",
]
