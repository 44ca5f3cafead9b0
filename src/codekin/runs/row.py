"""Row: a checked record of the input, or why it cannot be scored."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice

from codekin.errors import CodekinError
from codekin.languages import Language, get_language
from codekin.runs.rows import Record, type_name
from codekin.runs.settings import (
    COMPLETE,
    ENTRY_POINT,
    FIELDS,
    PROMPTS,
    WHOLE_PROGRAMS,
    Settings,
)

__all__ = [
    "LARGEST_NUMBER",
    "OUTCOME_PROBLEM",
    "TRUTH",
    "Row",
    "field_name",
    "identity",
    "is_kept",
    "known_fields",
    "language_named",
    "name_in",
    "prompt_in",
    "read_row",
    "renamed",
    "row_of",
    "whole_characters",
]

_KNOWN = frozenset(FIELDS)
TRUTH: dict[str, object] = {
    **dict.fromkeys(("true", "pass", "passed", "yes"), True),
    **dict.fromkeys(("false", "fail", "failed", "no"), False),
}
"""What outcomes are called instead of 1 and 0."""
OUTCOME_PROBLEM = "outcome_problem"
"""The field of a row that says why its outcome cannot be read."""

LARGEST_NUMBER = 1e100
"""The largest outcome or weight: statistics square them, and larger squares would overflow."""
_LONGEST_FIELD = 1000
"""Longer texts in other fields are not kept, since they cannot be names of groups."""

_MOST_NAMES = 20
"""How many fields of a row an error lists if one is missing."""


@dataclass(slots=True)
class Row:
    """One row of the input.

    Attributes
    ----------
    id : str
        As given, or the number of the row, from 1.
    number : int
        Its position among the rows, from 0; there may be gaps.
    problem : str or None
        Why the row cannot be scored; its other attributes then have what could be read.
    language, reference_language : str or None
        None if they are to be detected.
    fields : str
        The other fields of the record, as a JSON object, and why its outcome cannot be read.
    prompt : str or None
        What the candidate and the references may continue.
    form : str or None
        What the candidate is if not code alone: ``missing``, or as in :mod:`codekin.runs.answers`.
    parses, reference_parses : bool or None
        Whether the candidate parses, and every reference; None if the language is unknown.
    joined, reference_joined : bool or None
        Whether the prompt was put before the candidate, and before a reference; None if the prompt
        begins no program.
    entry_point : str or None
        The function that the benchmark calls.
    complete : bool
        Whether a harness ran the candidate as it is.
    solution : bool
        Whether its column is one of whole programs.
    """

    id: str
    number: int
    problem: str | None = None
    candidate: str | None = None
    references: tuple[str, ...] | None = None
    origin: str | None = None
    language: str | None = None
    reference_language: str | None = None
    group: str | None = None
    weight: float | None = None
    outcome: float | None = None
    fields: str = "{}"
    prompt: str | None = None
    form: str | None = None
    parses: bool | None = None
    reference_parses: bool | None = None
    joined: bool | None = None
    reference_joined: bool | None = None
    entry_point: str | None = None
    complete: bool = False
    solution: bool = False

    @property
    def reference_key(self) -> str | None:
        """Sixteen hex digits that rows with the same references and origin share."""
        if self.references is None:
            return None
        texts = [*self.references] if self.origin is None else [*self.references, "\0", self.origin]
        data = "\0\0".join(texts).encode("utf-8", "surrogatepass")
        return hashlib.blake2b(data, digest_size=8).hexdigest()


def read_row(record: Record, number: int, settings: Settings) -> Row:
    """Check one record.

    Parameters
    ----------
    record : Record
        As the reader gave it.
    number : int
        Its position in the input, from 0.
    settings : Settings
        With the names of the columns, the language and the limit in bytes.
    """
    if record.fields is None:
        return Row(str(number + 1), number, f"{record.where}: {record.problem}")
    row = row_of(known_fields(record, settings.renames), record.where, number, settings)
    if record.problem:
        row.problem = f"{record.where}: {record.problem}"
    row.prompt = prompt_in(record.fields) if settings.prompt else None
    entry_point = record.fields.get(ENTRY_POINT)
    row.entry_point = entry_point if isinstance(entry_point, str) and entry_point else None
    complete = record.fields.get(COMPLETE)
    row.complete = complete is True
    columns = (complete, settings.columns.get("candidate"))
    row.solution = any(isinstance(name, str) and name in WHOLE_PROGRAMS for name in columns)
    return row


def prompt_in(fields: Mapping[str, object]) -> str | None:
    """The prompt of a record or of a task.

    Examples
    --------
    >>> prompt_in({"complete_prompt": "def f(x):", "prompt": None})
    'def f(x):'
    """
    prompts = (fields.get(name) for name in PROMPTS)
    return next((prompt for prompt in prompts if isinstance(prompt, str)), None)


def row_of(given: Mapping[str, object], where: str, number: int, settings: Settings) -> Row:
    """Check the fields of a row, which have codekin's names.

    Parameters
    ----------
    given : mapping of str to object
    where : str
        The place of the row in the input, for people.
    number : int
        Its place among the rows, from 0.
    settings : Settings
        With the language of rows that name none, and the limit in bytes.
    """
    row = Row(identity(given, number), number, fields=_other_fields(given))
    try:
        row.outcome = _number(given, "outcome")
    except CodekinError as error:  # the row has a score all the same, and counts as not tested
        problem = {OUTCOME_PROBLEM: whole_characters(f"{where}: {error}")}
        row.fields = json.dumps({**json.loads(row.fields), **problem}, sort_keys=True)
    try:
        _fill(row, given, settings)
    except CodekinError as error:
        row.problem = f"{where}: {error}"
    return row


def identity(given: Mapping[str, object], number: int) -> str:
    """The id of a row, or its number from 1 if it has none."""
    own = given.get("id")
    return str(own) if _is_name(own) else str(number + 1)


def renamed(given: Mapping[str, object], columns: Mapping[str, str]) -> Mapping[str, object]:
    """The fields under codekin's names; a field that another column replaces is renamed."""
    if not columns:
        return given
    taken = set(columns.values())
    known = {
        (f"{name}_given" if name in columns else name): value
        for name, value in given.items()
        if name not in taken
    }
    for name, column in columns.items():
        if column and column in given:
            known[name] = given[column]
    return known


def known_fields(record: Record, columns: Mapping[str, str]) -> Mapping[str, object]:
    """The fields of a record under codekin's names; an empty cell of CSV is no candidate."""
    known = renamed(record.fields or {}, columns)
    if not record.has_nulls and known.get("candidate") == "":
        return {**known, "candidate": None}
    return known


def _fill(row: Row, given: Mapping[str, object], settings: Settings) -> None:
    row.group = field_name(given, "group")
    weight = _number(given, "weight")
    if weight is not None and weight < 0:
        raise CodekinError(f"weight must not be negative, and is {weight:g}")
    row.weight = weight
    language, other = field_name(given, "language"), field_name(given, "reference_language")
    if language is None:
        language = settings.language
    row.language = None if language is None else language_named(language).name
    row.reference_language = row.language if other is None else language_named(other).name
    if not given.keys() & {"candidate", "reference", "references"}:
        raise CodekinError(f"neither 'candidate' nor 'reference' {_names(given)}")
    references = _references(given)
    origin = None if given.get("origin") is None else _text(given, "origin")
    size = sum(map(_size, references)) + _size(origin or "")
    if size <= settings.max_bytes:
        # Kept before the candidate is checked, since they identify the task.
        row.references, row.origin = references, origin
    if given.get("candidate") is None:
        row.form = "missing"
        if settings.missing == "zero" and row.references is not None:
            row.candidate = ""
            return
    candidate = _text(given, "candidate")
    size += _size(candidate)
    if size > settings.max_bytes:
        raise CodekinError(
            f"its texts have {size:,} bytes together; the limit (max_bytes) is "
            f"{settings.max_bytes:,}"
        )
    row.candidate = candidate


@cache
def language_named(name: str) -> Language:
    """The language of a name or alias, looked up once."""
    return get_language(name)


def _references(given: Mapping[str, object]) -> tuple[str, ...]:
    several = given.get("references")
    if several is None:
        return (_text(given, "reference"),)
    if given.get("reference") is not None:
        raise CodekinError("has both 'reference' and 'references'; give one of them")
    if not isinstance(several, list | tuple):
        raise CodekinError(f"references must be a list of texts, not {type_name(several)}")
    if not several:
        raise CodekinError("references is an empty list; at least one is needed")
    return tuple(_checked(f"references[{i}]", text) for i, text in enumerate(several))


def _text(given: Mapping[str, object], name: str) -> str:
    value = given.get(name)
    if value is None:
        missing = f"{name!r} is null" if name in given else f"no field {name!r} {_names(given)}"
        raise CodekinError(missing)
    return _checked(name, value)


def _names(given: Mapping[str, object]) -> str:
    """The fields that a row has instead, and how to name its columns."""
    known = ", ".join(map(str, islice(given, _MOST_NAMES))) or "nothing"
    if len(given) > _MOST_NAMES:
        known += f" and {len(given) - _MOST_NAMES:,} others"
    return f"(it has: {known}; columns={{'candidate': ...}} or --columns says which is which)"


def _checked(name: str, value: object) -> str:
    if not isinstance(value, str):
        several = name == "candidate" and isinstance(value, list)
        hint = "; give each sample of a task a row of its own, with the same id" if several else ""
        raise CodekinError(f"{name} must be a text, not {type_name(value)}{hint}")
    if "\0" in value:
        line = value.count("\n", 0, value.index("\0")) + 1
        raise CodekinError(f"{name} holds a NUL byte (line {line}); only text can be compared")
    return whole_characters(value)


def name_in(given: Mapping[str, object], field: str) -> str | None:
    """A text or a number that names something; blank texts and NaN name nothing.

    Examples
    --------
    >>> name_in({"id": 7.0}, "id"), name_in({"id": " "}, "id")
    ('7', None)
    """
    value = given.get(field)
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise CodekinError(f"{field} must be a text, not {type_name(value)}")
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return whole_characters(str(value)).strip() or None


def whole_characters(text: str) -> str:
    """The text with U+FFFD for lone surrogates, which no file can contain.

    They occur in JSON, for example in truncated output of a model.

    Examples
    --------
    >>> whole_characters("cut \\ud83d")
    'cut �'
    """
    try:
        text.isascii() or text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def _is_name(value: object) -> bool:
    return isinstance(value, str | int | float) and value != "" and not _is_nan(value)


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)


def field_name(given: Mapping[str, object], name: str) -> str | None:
    """The value of a field that names something, such as a group; None if it is empty."""
    value = given.get(name)
    if value is None or value == "" or _is_nan(value):
        return None
    if isinstance(value, str):
        return value
    if not _is_name(value):
        raise CodekinError(f"{name} must be a text, not {type_name(value)}")
    return str(value)


def _number(given: Mapping[str, object], name: str) -> float | None:
    """A number or a boolean, possibly written as text, as in CSV; NaN counts as missing."""
    value = given.get(name)
    if value is None or value == "":
        return None
    if isinstance(value, str):
        value = TRUTH.get(value.strip().lower(), value)
    try:
        if not isinstance(value, str | int | float):
            raise ValueError
        number = float(value)
    except ValueError:
        shown = repr(value) if isinstance(value, str) else type_name(value)
        raise CodekinError(f"{name} must be a number, not {shown[:60]}") from None
    except OverflowError:
        number = math.inf
    if math.isinf(number):
        raise CodekinError(f"{name} must be a finite number")
    if abs(number) > LARGEST_NUMBER:
        raise CodekinError(f"{name} must be a number up to {LARGEST_NUMBER:g}, not {number:g}")
    return None if math.isnan(number) else number


def _other_fields(given: Mapping[str, object]) -> str:
    if _KNOWN.issuperset(given):
        return "{}"
    kept = {
        whole_characters(str(name)): whole_characters(value) if isinstance(value, str) else value
        for name, value in given.items()
        if name not in _KNOWN and is_kept(value)
    }
    return json.dumps(kept, sort_keys=True) if kept else "{}"


def is_kept(value: object) -> bool:
    """Whether a run keeps a value of another field: short texts and numbers that exist.

    Examples
    --------
    >>> [is_kept(one) for one in ("small", 0, True, ["small"], None, math.nan)]
    [True, True, True, False, False, False]
    """
    if isinstance(value, str):
        return len(value) <= _LONGEST_FIELD
    return isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))
