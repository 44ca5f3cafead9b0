"""Rows of many formats, cut into shards that are decoded where they are scored."""

from codekin.runs.rows.opening import RowInput, open_rows
from codekin.runs.rows.pieces import (
    ArrowRows,
    CsvRows,
    JsonLines,
    Piece,
    Record,
    Unreadable,
)
from codekin.runs.rows.sharding import MOST_BYTES, Shard
from codekin.runs.rows.values import TYPE_MARKER, type_name

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
