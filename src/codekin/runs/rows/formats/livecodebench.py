"""LiveCodeBench: an array with the programs of each question, ``*_eval_all.json`` with grades."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from codekin.runs.rows.formats.row_format import HarnessRow, RowFormat, task_fields
from codekin.runs.settings import COMPLETE

__all__ = ["LIVECODEBENCH"]

_LONG = ("question_content", "starter_code")


def _recognizes(record: Mapping[str, Any]) -> bool:
    return "question_id" in record and isinstance(record.get("code_list"), list)


def _rows(record: Mapping[str, Any], where: str) -> Iterator[HarnessRow]:
    grades = record.get("graded_list")
    grades = grades if isinstance(grades, list) else []
    about = {name: value for name, value in task_fields(record).items() if name not in _LONG}
    about.pop("pass@1", None)
    for number, code in enumerate(record["code_list"]):
        fields = {**about, "id": record["question_id"], "candidate": code, COMPLETE: True}
        fields["outcome"] = grades[number] if number < len(grades) else None
        yield f"{where}, sample {number + 1}", fields


LIVECODEBENCH = RowFormat(
    "LiveCodeBench",
    _recognizes,
    _rows,
    "candidate = each of code_list, outcome = each of graded_list, id = question_id",
)
