"""MultiPL-E: one document per task, ``NAME.results.json``, or ``NAME.json`` before the tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from codekin.errors import CodekinError
from codekin.languages import get_language
from codekin.runs.rows.formats.row_format import HarnessRow, RowFormat, objects_in
from codekin.runs.settings import COMPLETE

__all__ = ["COMPLETIONS", "RESULTS"]

_LANGUAGES = {"go_test.go": "go", "notypes.py": "python"}
"""What MultiPL-E calls languages, where that is no name or suffix of one."""


def _has_results(document: Mapping[str, Any]) -> bool:
    first = objects_in(document.get("results"))[:1]
    named = isinstance(document.get("name"), str) and "language" in document
    return named and any({"program", "status"} <= result.keys() for result in first)


def _result_rows(document: Mapping[str, Any], where: str) -> Iterator[HarnessRow]:
    tests = document.get("tests")
    for number, result in enumerate(objects_in(document.get("results")), 1):
        program, status = result.get("program"), result.get("status")
        if isinstance(program, str) and isinstance(tests, str):
            program = program.removesuffix(tests).removesuffix("\n")
        yield (
            f"{where}, sample {number}",
            {
                **_task(document),
                "candidate": program,
                "outcome": None if status is None else status == "OK",
                "status": status,
                COMPLETE: True,
                "tests_in_candidate": True if not isinstance(tests, str) else None,
            },
        )


def _has_completions(document: Mapping[str, Any]) -> bool:
    completions = document.get("completions")
    return (
        {"name", "language", "prompt"} <= document.keys()
        and isinstance(completions, list)
        and all(isinstance(completion, str) for completion in completions)
    )


def _completion_rows(document: Mapping[str, Any], where: str) -> Iterator[HarnessRow]:
    for number, completion in enumerate(document["completions"], 1):
        yield f"{where}, sample {number}", {**_task(document), "candidate": completion}


def _task(document: Mapping[str, Any]) -> dict[str, Any]:
    language = str(document.get("language"))
    language = _LANGUAGES.get(language, language)
    with suppress(CodekinError):  # the row says which one is not known
        language = get_language(language).name
    task = {"id": document.get("name"), "language": language, "prompt": document.get("prompt")}
    return {**task, "temperature": document.get("temperature")}


RESULTS = RowFormat(
    "MultiPL-E",
    _has_results,
    _result_rows,
    "candidate = program as it was run, without its tests where the file has them apart; outcome = "
    "status; id = name",
)
COMPLETIONS = RowFormat(
    "MultiPL-E",
    _has_completions,
    _completion_rows,
    "candidate = each of the completions, id = name; the outcomes are in NAME.results.json",
)
