"""RowFormat: how the file of a harness is recognized, and which rows it has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from codekin.runs.settings import COMPLETE, ENTRY_POINT, FIELDS, PROMPT

__all__ = ["HarnessRow", "RowFormat", "objects_in", "reference_in", "task_fields"]

HarnessRow = tuple[str, dict[str, Any]]
"""Where a row is, for people, and its fields, those of codekin under codekin's names."""

_REFERENCES = ("canonical_solution", "reference_solution", "solution", "code", "after")
"""What benchmarks call the solution in the fields of a task."""
_TAKEN = frozenset({*FIELDS, PROMPT, ENTRY_POINT, COMPLETE, "code", "test", "tests"})


@dataclass(frozen=True)
class RowFormat:
    """The files of a harness.

    Attributes
    ----------
    name : str
        The harness.
    recognizes : callable
        Whether a record, which is a whole document or one line of it, has this form.
    rows : callable
        The rows of a record, which is at a place. It raises a CodekinError if the record lacks what
        is scored, and says which file has it.
    note : str
        What is read as what, for people.
    """

    name: str
    recognizes: Callable[[Mapping[str, Any]], bool]
    rows: Callable[[Mapping[str, Any], str], Iterator[HarnessRow]]
    note: str


def objects_in(value: object) -> list[dict[str, Any]]:
    """The objects of a list; empty for anything else.

    Examples
    --------
    >>> objects_in([{"a": 1}, 2]), objects_in("x")
    ([{'a': 1}], [])
    """
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def reference_in(task: Mapping[str, Any], target: object) -> dict[str, Any]:
    """The reference of a task: its solution if it has one, otherwise what the harness aims at.

    Examples
    --------
    >>> reference_in({"canonical_solution": "x = 1"}, "assert x"), reference_in({}, ["x", "y"])
    ({'reference': 'x = 1'}, {'references': ['x', 'y']})
    """
    solution = next((task[name] for name in _REFERENCES if isinstance(task.get(name), str)), None)
    if solution is not None:
        return {"reference": solution}
    if isinstance(target, list):
        return {"references": target}
    return {} if target is None else {"reference": target}


def task_fields(task: Mapping[str, Any]) -> dict[str, Any]:
    """The prompt of a task, the function that is called, and its other plain fields.

    Examples
    --------
    >>> task_fields({"prompt": "def f():", "level": 3, "id": 7, "inputs": [1]})
    {'prompt': 'def f():', 'level': 3}
    """
    named = {name: task[name] for name in (PROMPT, ENTRY_POINT) if isinstance(task.get(name), str)}
    plain = {
        name: value
        for name, value in task.items()
        if name not in _TAKEN and isinstance(value, str | int | float)
    }
    return named | plain
