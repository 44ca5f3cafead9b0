"""EvalPlus and BigCodeBench: one document ``*_eval_results.json`` with the samples of each task."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from codekin.errors import CodekinError
from codekin.runs.rows.formats.row_format import HarnessRow, RowFormat, objects_in
from codekin.runs.settings import COMPLETE

__all__ = ["BIGCODEBENCH", "EVALPLUS"]

_PASS = "pass"
_ENDING = "_eval_results.json"


def _samples(document: Mapping[str, Any]) -> dict[str, Any]:
    tasks = document.get("eval")
    return tasks if isinstance(tasks, dict) else {}


def _has(document: Mapping[str, Any], field: str) -> bool:
    """Whether the first sample, or the first task in the older form, has a field."""
    first = next(iter(_samples(document).values()), None)
    if isinstance(first, dict):
        return field in first
    return any(field in sample for sample in objects_in(first)[:1])


def _is_evalplus(document: Mapping[str, Any]) -> bool:
    return _has(document, "base_status") or _has(document, "base")


def _evalplus_rows(document: Mapping[str, Any], where: str) -> Iterator[HarnessRow]:
    if _has(document, "base") or not _has(document, "solution"):
        raise CodekinError(
            f"{where}: results of EvalPlus without the solutions that were tested; name the file "
            f"of samples instead{_samples_file(where)}, or write the results again with a newer "
            "evalplus.evaluate, which puts the solutions into them"
        )
    for task, place, sample in _each(document, where):
        base, plus = sample.get("base_status"), sample.get("plus_status")
        passed = None if base is None else base == _PASS
        both = passed if plus is None else passed and plus == _PASS
        tests = {"base": passed, "plus": None if plus is None else both}
        statuses = {"base_status": base, "plus_status": plus}
        yield place, {**_row(task, sample), "outcome": both, **tests, **statuses}


def _bigcodebench_rows(document: Mapping[str, Any], where: str) -> Iterator[HarnessRow]:
    for task, place, sample in _each(document, where):
        status = sample.get("status")
        passed = None if status is None else status == _PASS
        yield place, {**_row(task, sample), "outcome": passed, "status": status}


def _each(document: Mapping[str, Any], where: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Each sample with its task and its place."""
    for task, samples in _samples(document).items():
        for number, sample in enumerate(objects_in(samples), 1):
            yield task, f"{where}, {task}, sample {number}", sample


def _row(task: str, sample: Mapping[str, Any]) -> dict[str, Any]:
    return {"id": task, "candidate": sample.get("solution"), COMPLETE: True}


def _samples_file(where: str) -> str:
    """The file that EvalPlus made the results from, by its name."""
    name = where.partition(", ")[0]
    return f", {name.removesuffix(_ENDING)}.jsonl" if name.endswith(_ENDING) else ""


EVALPLUS = RowFormat(
    "EvalPlus",
    _is_evalplus,
    _evalplus_rows,
    "candidate = solution, outcome = passed the base tests and, if they were run, the plus tests "
    "(--columns outcome=base: the base tests alone)",
)
BIGCODEBENCH = RowFormat(
    "BigCodeBench",
    lambda document: _has(document, "status") and _has(document, "solution"),
    _bigcodebench_rows,
    "candidate = solution as it was run, outcome = status",
)
