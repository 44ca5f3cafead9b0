"""Rows of many formats, cut into shards that are decoded where they are scored."""

from codekin.runs.rows.files import open_rows
from codekin.runs.rows.objects import to_json as plain_json
from codekin.runs.rows.pieces import (
    MOST_BYTES,
    TYPE_MARKER,
    ArrowRows,
    ComposedRow,
    ComposedRows,
    CsvRows,
    JsonLines,
    Piece,
    Record,
    RowInput,
    Shard,
    Unreadable,
    cut_shards,
    type_name,
)

__all__ = [
    "MOST_BYTES",
    "TYPE_MARKER",
    "ArrowRows",
    "ComposedRow",
    "ComposedRows",
    "CsvRows",
    "JsonLines",
    "Piece",
    "Record",
    "RowInput",
    "Shard",
    "Unreadable",
    "cut_shards",
    "open_rows",
    "plain_json",
    "type_name",
]
