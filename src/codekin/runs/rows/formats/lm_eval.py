"""lm-evaluation-harness: a log of samples, ``samples_TASK_DATE.jsonl``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from codekin.runs.rows.formats.row_format import (
    HarnessRow,
    RowFormat,
    reference_in,
    task_fields,
)

__all__ = ["LM_EVAL"]

_IDS = ("task_id", "id", "instance_id", "question_id")


def _recognizes(record: Mapping[str, Any]) -> bool:
    lists = (record.get("resps"), record.get("filtered_resps"))
    return isinstance(record.get("doc"), dict) and all(isinstance(texts, list) for texts in lists)


def _rows(record: Mapping[str, Any], where: str) -> Iterator[HarnessRow]:
    doc = record["doc"]
    texts = [
        text
        for response in record["filtered_resps"]
        for text in (response if isinstance(response, list) else [response])
    ]
    about = {
        **task_fields(doc),
        **reference_in(doc, record.get("target")),
        "id": next((doc[name] for name in _IDS if name in doc), record.get("doc_id")),
        "filter": record.get("filter"),
    }
    outcome = _outcome(record) if len(texts) == 1 else None
    for number, text in enumerate(texts, 1):
        yield f"{where}, sample {number}", {**about, "candidate": text, "outcome": outcome}


def _outcome(record: Mapping[str, Any]) -> object:
    """The first metric that says that the only sample passed or failed."""
    metrics = record.get("metrics")
    names = metrics if isinstance(metrics, list) else [name for name in record if "pass" in name]
    values = [record.get(name) for name in names if isinstance(name, str)]
    return next(
        (value for value in values if isinstance(value, bool | int | float) and value in (0, 1)),
        None,
    )


LM_EVAL = RowFormat(
    "lm-evaluation-harness",
    _recognizes,
    _rows,
    "candidate = filtered_resps, reference = the solution in doc or else the target, outcome = the "
    "first metric of a task with one sample that is 0 or 1",
)
