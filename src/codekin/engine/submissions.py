"""Submission: a program that was handed in for a problem, with its verdict; read from rows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from codekin.engine.row import whole_characters
from codekin.engine.rows import Record, type_name
from codekin.errors import CodekinError
from codekin.languages import get_language

__all__ = ["MOST_BYTES", "Submission", "read_submission"]

MOST_BYTES = 1_000_000
"""Longer codes are data, not programs that somebody wrote."""

_VERDICTS = {"true": True, "false": False, "1": True, "0": False}


@dataclass(frozen=True, slots=True)
class Submission:
    """A program that somebody handed in for a problem.

    Attributes
    ----------
    id : str
        As given, else the row's number from 1.
    problem : str
    language : str
        By codekin's name.
    code : str
    passed : bool
        The verdict.
    author : str or None
        None where nobody says.
    """

    id: str
    problem: str
    language: str
    code: str
    passed: bool
    author: str | None = None

    def as_role(self) -> dict[str, str]:
        """What stands for it in a triplet's row."""
        role = {"language": self.language, "code": self.code, "id": self.id}
        return role if self.author is None else {**role, "author": self.author}


def read_submission(record: Record, number: int) -> Submission:
    """Check one record.

    Parameters
    ----------
    record : Record
        As the reader gave it.
    number : int
        Its position in the input, from 0.

    Raises
    ------
    CodekinError
        What is wrong with the row; where it stands is not in it.
    """
    given = record.fields
    if given is None:
        raise CodekinError(record.problem)
    problem = _name(given, "problem")
    language = _name(given, "language")
    if problem is None or language is None:
        raise CodekinError(f"no {'problem' if problem is None else 'language'}")
    return Submission(
        _name(given, "id") or str(number + 1),
        problem,
        get_language(language).name,
        _code(given),
        _passed(given),
        _name(given, "author"),
    )


def _name(given: Mapping[str, object], field: str) -> str | None:
    """A text or a number that names something; blank texts and NaN name nothing."""
    value = given.get(field)
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise CodekinError(f"{field} must be a text, not {type_name(value)}")
    return whole_characters(str(value)).strip() or None


def _code(given: Mapping[str, object]) -> str:
    code = given.get("code")
    if not isinstance(code, str):
        raise CodekinError(
            "no code" if code is None else f"code must be a text, not {type_name(code)}"
        )
    if "\0" in code:
        raise CodekinError("code holds a NUL byte; only text can be compared")
    if len(code) > MOST_BYTES:
        raise CodekinError(f"code is longer than {MOST_BYTES:,} characters")
    return whole_characters(code)


def _passed(given: Mapping[str, object]) -> bool:
    value = given.get("passed")
    if value is None or value == "":
        raise CodekinError("no verdict in 'passed'")
    verdict = None
    if isinstance(value, str):  # as all values are in CSV
        verdict = _VERDICTS.get(value.strip().lower())
    elif isinstance(value, bool | int | float) and value in (0, 1):
        verdict = bool(value)
    if verdict is None:
        shown = repr(value) if isinstance(value, str | int | float) else type_name(value)
        raise CodekinError(
            f"passed must be true or false (or 1 or 0), not {shown[:40]}; turn other verdicts into "
            "these first"
        )
    return verdict
