"""SWE-bench: predictions, each a patch; a list or lines of them, or one object by instance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from codekin.runs.rows.formats.row_format import HarnessRow, RowFormat

__all__ = ["SWE_BENCH"]


def _predictions(record: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The predictions in a record: itself, or one for each instance."""
    if "model_patch" in record:
        return [record]
    values = list(record.values())
    if values and all(isinstance(value, dict) and "model_patch" in value for value in values):
        return [{"instance_id": name, **prediction} for name, prediction in record.items()]
    return []


def _rows(record: Mapping[str, Any], where: str) -> Iterator[HarnessRow]:
    for prediction in _predictions(record):
        name = prediction.get("instance_id")
        fields = {
            "id": name,
            "candidate": prediction.get("model_patch"),
            "model": prediction.get("model_name_or_path"),
            "language": "text",
        }
        yield f"{where}, {name}" if prediction is not record else where, fields


SWE_BENCH = RowFormat(
    "SWE-bench",
    lambda record: bool(_predictions(record)),
    _rows,
    "candidate = model_patch, compared as text with its file names and context, id = instance_id; "
    "the reference is the column patch of the data set",
)
