"""Which column of the input is which field of a row, decided on the first rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rapidfuzz.distance import OSA

from codekin.errors import CodekinError, suggestion
from codekin.runs.row import TRUTH

__all__ = ["SYNONYMS", "ColumnNames", "resolve_columns"]

SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "candidate": ("prediction", "completion", "output", "generation", "hypothesis", "response"),
    "reference": ("target", "gold", "canonical_solution", "answer", "after", "new"),
    "origin": ("before", "old"),
    "id": ("task_id", "instance_id"),
    "group": ("model", "system"),
    "outcome": ("passed", "pass", "correct", "success"),
}
"""Common names of a field; one is taken if rows lack the field and just one of them is there."""

_BY_ROLE: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "candidates": {**SYNONYMS, "candidate": (*SYNONYMS["candidate"], "solution", "code")},
    "references": {**SYNONYMS, "reference": (*SYNONYMS["reference"], "solution", "code")},
}
"""With a second file of references, more names have one meaning only."""

_REQUIRED: Mapping[str, tuple[str, ...]] = {
    "rows": ("candidate", "reference"),
    "candidates": ("candidate",),
    "references": ("reference",),
}
_NOT_TYPOS = frozenset({"height"})
_MOST_NAMES = 20
_LONGEST_NAME = 200
"""A longer text in the column ``system`` is a prompt, and names no system."""


@dataclass(frozen=True)
class ColumnNames:
    """The columns of an input.

    Attributes
    ----------
    columns : dict of str to str
        Maps a field to its column, where the names differ.
    recognized : dict of str to str
        Those among them that nobody has named.
    """

    columns: dict[str, str]
    recognized: dict[str, str]


def resolve_columns(
    records: Sequence[Mapping[str, Any]],
    given: Mapping[str, str],
    *,
    fields: Sequence[str],
    where: str,
    role: str | None = "rows",
    systems: bool = True,
) -> ColumnNames:
    """Find the column of each field.

    Parameters
    ----------
    records : sequence of mapping
        The first rows; at least one.
    given : mapping of str to str
        What the user has said: the column of a field, or an empty text if the rows lack it.
    fields : sequence of str
        The fields of a row.
    where : str
        The input, for errors.
    role : str or None
        ``rows``, or ``candidates`` and ``references`` if these are two inputs. None for rows of
        other kinds, in which only misspelled fields are looked for.
    systems : bool
        Whether a column may name the systems; not where each file is one.

    Raises
    ------
    CodekinError
        If a column is missing, ambiguous or misspelled.

    Examples
    --------
    >>> found = resolve_columns(
    ...     [{"task_id": "t/1", "completion": "x", "gold": "y"}],
    ...     {}, fields=("id", "candidate", "reference"), where="a.jsonl",
    ... )
    >>> found.columns
    {'candidate': 'completion', 'reference': 'gold', 'id': 'task_id'}
    """
    names = list(dict.fromkeys(name for record in records for name in record))
    for field, said in given.items():
        if said and said not in names:
            hint = suggestion(said, names)
            raise CodekinError(f"{where}: no column {said!r} for {field}{hint} ({_listed(names)})")
    columns, recognized = dict(given), {}
    for field, synonyms in (_synonyms(role)).items():
        if field in given or field in names or field not in fields:
            continue
        if field == "reference" and {"references"} & {*names, *given}:
            continue
        if field == "group" and not systems:
            continue
        column = _recognized(field, synonyms, names, records, {*given.values()}, where)
        if column is not None:
            several = field == "reference" and _holds(records, column, list)
            columns["references" if several else field] = column
            recognized["references" if several else field] = column
    _refuse_misspelled(names, columns, fields, where)
    for field in _REQUIRED.get(role or "", ()):
        _require(field, names, columns, where)
    return ColumnNames(columns, recognized)


def _synonyms(role: str | None) -> Mapping[str, tuple[str, ...]]:
    if role is None:
        return {}
    known = _BY_ROLE.get(role, SYNONYMS)
    others = {"candidates": ("reference",), "references": ("candidate", "group", "outcome")}
    return {field: names for field, names in known.items() if field not in others.get(role, ())}


def _recognized(
    field: str,
    synonyms: Iterable[str],
    names: Sequence[str],
    records: Sequence[Mapping[str, Any]],
    taken: set[str],
    where: str,
) -> str | None:
    """The only column that is known to mean a field; spelling in capitals does not matter.

    Of two that may, the user has to choose one, unless rows need not have the field.
    """
    known = {field, *synonyms}
    found = [
        name
        for name in names
        if str(name).lower() in known and name not in taken and _may_be(field, name, records)
    ]
    same = [name for name in found if str(name).lower() == field]
    if len(same) == 1:
        return same[0]
    if len(found) > 1 and field in ("group", "outcome"):
        return None
    if len(found) > 1:
        raise CodekinError(
            f"{where}: the {field} may be {' or '.join(map(repr, found))}; say which, as "
            f"--columns {field}={found[0]} or columns={{{field!r}: {found[0]!r}}}"
        )
    return found[0] if found else None


def _may_be(field: str, column: str, records: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the values of a column can be those of a field."""
    values = [record[column] for record in records if record.get(column) is not None]
    if field == "outcome":
        return bool(values) and all(map(_is_outcome, values))
    if field == "group":
        return bool(values) and all(
            isinstance(one, str) and len(one) <= _LONGEST_NAME and "\n" not in one for one in values
        )
    return _holds(records, column, *((str, int, float) if field == "id" else (str, list)))


def _is_outcome(value: object) -> bool:
    """Whether a value says that something passed or failed."""
    if isinstance(value, str):
        word = value.strip().lower()
        return word in ("", "0", "1") or word in TRUTH
    return isinstance(value, bool | int | float)


def _holds(records: Sequence[Mapping[str, Any]], column: str, *kinds: type) -> bool:
    """Whether the values of a column are of a kind; nulls are of any."""
    values = [record[column] for record in records if record.get(column) is not None]
    return bool(values) and any(isinstance(one, kinds) for one in values)


def _refuse_misspelled(
    names: Sequence[str], columns: Mapping[str, str], fields: Sequence[str], where: str
) -> None:
    """Refuse a column that is most likely meant to be a field that the rows lack."""
    unknown = [name for name in names if name not in fields and name not in columns.values()]
    for field in fields:
        if field in names or field in columns or len(field) < 4:
            continue
        if field in ("reference", "references") and {"reference", "references"} & {
            *names,
            *columns,
        }:
            continue
        most = 1 if len(field) <= 6 else 2
        for name in unknown:
            word = str(name).lower()
            if word not in _NOT_TYPOS and OSA.distance(word, field, score_cutoff=most) <= most:
                raise CodekinError(
                    f"{where}: unknown column {name!r}; did you mean {field!r}? If so, rename it, "
                    f"or say --columns {field}={name} (columns={{{field!r}: {name!r}}}); if there "
                    f"is none, --columns {field}= (columns={{{field!r}: ''}})"
                )


def _require(
    field: str,
    names: Sequence[str],
    columns: Mapping[str, str],
    where: str,
) -> None:
    """Refuse rows that have no column for a field."""
    several = "references" if field == "reference" else field
    either = (field, several)
    if not any(columns.get(one) or (one in names and one not in columns) for one in either):
        hint = suggestion(field, [str(name) for name in names])
        json = "; it looks like JSON lines, which are named .jsonl" if _is_json(names) else ""
        other = "; if another file has them, --references FILE" if field == "reference" else ""
        raise CodekinError(
            f"{where}: no column for the {field}{hint} ({_listed(names)}); say which it is, as "
            f"--columns {field}=NAME or columns={{{field!r}: NAME}}{other}{json}"
        )


def _is_json(names: Sequence[str]) -> bool:
    return bool(names) and str(names[0]).lstrip().startswith(("{", "["))


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(str(name)[:60] for name in names[:_MOST_NAMES]) or "none"
    more = f" and {len(names) - _MOST_NAMES:,} others" if len(names) > _MOST_NAMES else ""
    return f"the columns are: {shown}{more}"
