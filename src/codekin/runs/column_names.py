"""Which column of the input is which field of a row, decided on the first rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from shlex import quote
from typing import Any

from rapidfuzz.distance import OSA

from codekin.errors import CodekinError, suggestion
from codekin.runs.row import TRUTH, is_kept, language_named, name_in
from codekin.runs.rows.formats.reading import format_names
from codekin.runs.settings import COMPLETE, ENTRY_POINT, FIELDS, PROMPT, PROMPTS

__all__ = [
    "SYNONYMS",
    "ColumnNames",
    "alternatives",
    "joining_column",
    "present_columns",
    "resolve_columns",
    "snake_case",
]

SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "candidate": ("prediction", "completion", "output", "generation", "hypothesis", "response"),
    "reference": ("target", "gold", "canonical_solution", "answer", "after", "new"),
    "origin": ("before", "old"),
    "id": ("task_id", "instance_id"),
    "group": ("model", "system"),
    "outcome": ("passed", "pass", "correct", "success"),
}
"""Common names of a field; one is taken if rows lack the field and just one of them is there."""

_LESS_COMMON: Mapping[str, tuple[str, ...]] = {
    "candidate": ("generated", "generated_code", "patch"),
    "reference": ("fixed",),
    "origin": ("buggy",),
    "id": ("problem_id", "question_id"),
    "language": ("lang",),
    "outcome": ("is_solved", "is_correct", "is_passed", "resolved"),
}
"""Names of a field that are taken only if none of the common ones is there."""

_BY_ROLE: Mapping[tuple[str, str], tuple[tuple[str, ...], tuple[str, ...]]] = {
    ("candidates", "candidate"): (("solution", "code"), ("answer",)),
    ("references", "reference"): (("solution", "code"), ("patch",)),
}
"""With a second file of references, more names have one meaning only: common and less common."""

_NEVER: Mapping[str, tuple[str, ...]] = {
    "candidates": ("reference",),
    "references": ("candidate", "group", "outcome"),
}
"""Fields that one of two inputs does not have."""

_REQUIRED: Mapping[str, tuple[str, ...]] = {
    "rows": ("candidate", "reference"),
    "candidates": ("candidate",),
    "references": ("reference",),
}
_NOT_TYPOS = frozenset({"height"})
_MOST_NAMES = 20
_LONGEST_NAME = 200
"""A longer text in the column ``system`` is a prompt, and names no system."""
_DIFFS = ("diff ", "--- ", "Index: ")
"""How a patch begins that lists changes, and is not the changed text."""
_NEARLY_ALL = 0.9
_KEYS = frozenset({"id", "key", "uid", "uuid", "guid"})
"""The last word of a name that most likely says which rows belong together."""


@dataclass(frozen=True)
class ColumnNames:
    """The columns of an input.

    Attributes
    ----------
    columns : dict of str to str
        Maps a field to its column, where the names differ.
    recognized : dict of str to str
        Those among them that nobody has named.
    notes : tuple of str
        Which columns are not read, and which may be a field but are not taken.
    """

    columns: dict[str, str]
    recognized: dict[str, str]
    notes: tuple[str, ...] = ()


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
        What the user has said: the column of a field, or several names of which the rows have one,
        separated by ``|``, or an empty text if the rows lack it.
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
    given = present_columns(given, names, where)
    for field, said in given.items():
        if said and said not in names:
            hint = suggestion(said, names)
            raise CodekinError(f"{where}: no column {said!r} for {field}{hint} ({_listed(names)})")
    columns, recognized = dict(given), {}
    notes: list[str] = []
    for field in _looked_for(role):
        if field in given or field in names or field not in fields:
            continue
        if field == "reference" and {"references"} & {*names, *given}:
            continue
        if field == "group" and not systems:
            continue
        column = None
        for synonyms in _synonyms(role, field):
            columns_alike = (
                [] if column else _alike(field, synonyms, names, records, {*given.values()})
            )
            if len(columns_alike) > 1 and field in ("group", "outcome"):  # which rows need not have
                notes.append(_ambiguous(field, columns_alike))
                break
            column = column or _only(columns_alike, field, where)
        if column is not None:
            several = field == "reference" and _holds(records, column, list)
            columns["references" if several else field] = column
            recognized["references" if several else field] = column
    _refuse_misspelled(names, columns, fields, where)
    for field in _REQUIRED.get(role or "", ()):
        _require(field, names, columns, records, where, role)
    if role is not None:
        notes += _unread(names, columns, records, fields)
    return ColumnNames(columns, recognized, tuple(notes))


def _ambiguous(field: str, columns: Sequence[str]) -> str:
    """That none of several columns is read, each of which may be a field."""
    first = columns[0]
    return (
        f"no {field} is read, since {' and '.join(map(repr, columns))} may each be it; "
        f"--columns {field}={first} (columns={{{field!r}: {first!r}}}) says which"
    )


def _unread(
    names: Sequence[str],
    columns: Mapping[str, str],
    records: Sequence[Mapping[str, Any]],
    fields: Sequence[str],
) -> list[str]:
    """Which columns are neither read nor kept, at least in some rows."""
    read = {*fields, *columns.values(), *PROMPTS, ENTRY_POINT, COMPLETE}
    unread = [
        name
        for name in names
        if name not in read
        and any(record.get(name) is not None and not is_kept(record[name]) for record in records)
    ]
    if not unread:
        return []
    most = ", ".join(map(str, unread[:_MOST_NAMES]))
    more = f" and {len(unread) - _MOST_NAMES:,} others" if len(unread) > _MOST_NAMES else ""
    return [f"not read where they are long texts, lists or objects: {most}{more}"]


def alternatives(said: str) -> list[str]:
    """The names that a column may have.

    Examples
    --------
    >>> alternatives("answer|generated code")
    ['answer', 'generated code']
    """
    return [one.strip() for one in said.split("|")]


def present_columns(given: Mapping[str, str], names: Iterable[str], where: str) -> dict[str, str]:
    """What the user has said about columns, with the one of several names that the rows have.

    Parameters
    ----------
    given : mapping of str to str
    names : iterable of str
        The columns of the rows.
    where : str
        The input, for errors.

    Examples
    --------
    >>> present_columns({"candidate": "answer|output", "id": "nr"}, ["output", "gold"], "a.jsonl")
    {'candidate': 'output', 'id': 'nr'}
    """
    there = {*names}
    found = dict(given)
    for field, said in given.items():
        some = [] if said in there else [one for one in alternatives(said) if one in there]
        if len(some) > 1:
            raise CodekinError(
                f"{where}: has {' and '.join(map(repr, some))}, so {said!r} does not say which is "
                f"the {field}; name one of them"
            )
        found[field] = some[0] if some else said
    return found


def _looked_for(role: str | None) -> list[str]:
    """The fields that may have other names."""
    if role is None:
        return []
    return [field for field in (*SYNONYMS, "language") if field not in _NEVER.get(role, ())]


def _synonyms(role: str | None, field: str) -> list[tuple[str, ...]]:
    """The common names of a field, and those that are less common."""
    common, rest = _BY_ROLE.get((role or "", field), ((), ()))
    return [SYNONYMS.get(field, ()) + common, _LESS_COMMON.get(field, ()) + rest]


def _alike(
    field: str,
    synonyms: Iterable[str],
    names: Sequence[str],
    records: Sequence[Mapping[str, Any]],
    taken: set[str],
) -> list[str]:
    """The columns that are known to mean a field; how their words are joined does not matter."""
    known = {field, *synonyms}
    found = [
        name
        for name in names
        if snake_case(name) in known and name not in taken and _may_be(field, name, records)
    ]
    same = [name for name in found if snake_case(name) == field]
    return same if len(same) == 1 else found


def _only(found: Sequence[str], field: str, where: str) -> str | None:
    """The only column of some; of two, the user has to choose one."""
    if len(found) > 1:
        raise CodekinError(
            f"{where}: the {field} may be {' or '.join(map(repr, found))}; say which, as "
            f"--columns {field}={found[0]} or columns={{{field!r}: {found[0]!r}}}"
        )
    return found[0] if found else None


def snake_case(name: object) -> str:
    """The words of a name in lower case, joined by underscores.

    Examples
    --------
    >>> snake_case("Task ID"), snake_case("task-id"), snake_case("taskId")
    ('task_id', 'task_id', 'task_id')
    """
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", str(name).strip())
    return re.sub(r"[\s_-]+", "_", words).lower()


def _may_be(field: str, column: str, records: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the values of a column can be those of a field."""
    values = [record[column] for record in records if record.get(column) is not None]
    if field == "outcome":
        return bool(values) and all(map(_is_outcome, values))
    if field == "group":
        return bool(values) and all(
            isinstance(one, str) and len(one) <= _LONGEST_NAME and "\n" not in one for one in values
        )
    if field == "language":
        return bool(values) and all(map(_is_language, values))
    if field == "candidate" and snake_case(column) == "patch":
        values = [one for one in values if not str(one).startswith(_DIFFS)]
        return any(isinstance(one, str) for one in values)
    return _holds(records, column, *((str, int, float) if field == "id" else (str, list)))


def _is_language(value: object) -> bool:
    try:
        return isinstance(value, str) and bool(language_named(value))
    except CodekinError:
        return False


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
    records: Sequence[Mapping[str, Any]],
    where: str,
    role: str | None,
) -> None:
    """Refuse rows that have no column for a field, and propose one that holds code."""
    several = "references" if field == "reference" else field
    either = (field, several)
    if not any(columns.get(one) or (one in names and one not in columns) for one in either):
        unused = [name for name in names if name not in {*FIELDS, PROMPT, *columns.values()}]
        code = [str(name) for name in unused if _looks_like_code(records, name)]
        alike = [name for name in map(str, unused) if OSA.distance(name.lower(), field) <= 3]
        hint = suggestion(field, alike)
        if code and not hint:
            look = "looks" if len(code) == 1 else "look"
            hint = f"; {' and '.join(map(repr, code))} {look} like code"
        json = "; it looks like JSON lines, which are named .jsonl" if _is_json(names) else ""
        other = "; if another file has them, --references FILE" if field == "reference" else ""
        raise CodekinError(
            f"{where}: no column for the {field}{hint} ({_listed(names)}); say which it is, as "
            f"--columns {quote(f'{field}={code[0]}') if code else f'{field}=NAME'} or "
            f"columns={{{field!r}: {repr(code[0]) if code else 'NAME'}}}{other}{json}"
            f"{'' if code or hint else _needed(records, role)}"
        )


def _needed(records: Sequence[Mapping[str, Any]], role: str | None) -> str:
    """What rows need, for an input of an unknown shape."""
    nested = [
        str(name)
        for record in records[:1]
        for name, value in record.items()
        if isinstance(value, dict)
        or (isinstance(value, list) and any(isinstance(item, dict) for item in value[:1]))
    ]
    inside = f". Results inside of {nested[0]!r} are not read" if nested else ""
    return (
        f"{inside}. Each row needs {_WANTED[role or 'rows']}, such as {_EXAMPLES[role or 'rows']}; "
        f"files of {', '.join(format_names())} are read as they are"
    )


_WANTED = {
    "rows": "a candidate and a reference",
    "candidates": "an id and a candidate",
    "references": "an id and a reference",
}
_EXAMPLES = {
    "rows": '{"id": "1", "candidate": "x = 1", "reference": "x = 2"}',
    "candidates": '{"task_id": "HumanEval/0", "completion": "    return x"}',
    "references": '{"task_id": "HumanEval/0", "prompt": "def f(x):", "canonical_solution": "..."}',
}


def _looks_like_code(records: Sequence[Mapping[str, Any]], column: str) -> bool:
    """Whether most values of a column have marks that code has and names have not."""
    values = [record[column] for record in records if record.get(column) not in (None, "")]
    marked = [one for one in values if isinstance(one, str) and _CODE.search(one)]
    return bool(marked) and 2 * len(marked) > len(values)


_CODE = re.compile(r"[\w)\]] ?\(.*\)|[;{}]\s*$|\w = |:\n\s", re.M)


def _is_json(names: Sequence[str]) -> bool:
    return bool(names) and str(names[0]).lstrip().startswith(("{", "["))


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(str(name)[:60] for name in names[:_MOST_NAMES]) or "none"
    more = f" and {len(names) - _MOST_NAMES:,} others" if len(names) > _MOST_NAMES else ""
    return f"the columns are: {shown}{more}"


@dataclass(frozen=True)
class _Keys:
    """The values of a column that may join two inputs, as far as they name something."""

    column: str
    candidates: list[list[str | None]]
    references: list[str | None]

    @property
    def places(self) -> dict[str, int]:
        """The first reference of each value."""
        found: dict[str, int] = {}
        for place, value in enumerate(self.references):
            if value is not None:
                found.setdefault(value, place)
        return found

    def joins(self, share: float) -> bool:
        """Whether it names references of at least this share of each system's rows.

        Several rows of one reference need a name that is clear, since numbers repeat by chance.
        """
        known = set(self.references)
        return all(
            sum(one in known for one in found) >= share * len(values)
            for values in self.candidates
            for found in (values if _is_key(self.column) else set(values),)
        )

    def conflict(self) -> tuple[int, int] | None:
        """The system and the row with another value than the reference at its place, if any."""
        for system, values in enumerate(self.candidates):
            for row, (mine, theirs) in enumerate(zip(values, self.references, strict=False)):
                if mine != theirs:
                    return system, row
        return None


def joining_column(
    candidates: Sequence[tuple[str, Sequence[Mapping[str, Any]]]],
    references: tuple[str, Sequence[Mapping[str, Any]]],
    used: Iterable[str],
) -> str | None:
    """The column that joins rows without ids and their references; None if their order does.

    Parameters
    ----------
    candidates : sequence of (where, records)
        The first rows of each system.
    references : (where, records)
        All of them.
    used : iterable of str
        Columns that have a meaning already.

    Raises
    ------
    CodekinError
        If a column says that the order is wrong, but not for sure what joins them.

    Examples
    --------
    >>> rows = [{"nr": 2, "code": "y"}, {"nr": 1, "code": "x"}]
    >>> gold = [{"nr": 1, "solution": "x"}, {"nr": 2, "solution": "y"}]
    >>> joining_column([("a.jsonl", rows)], ("gold.jsonl", gold), ["code", "solution"])
    'nr'
    """
    where, gold = references
    columns = [set(_columns(rows, used)) for _, rows in candidates]
    theirs = _columns(gold, used)
    shared = [
        _Keys(name, [_key_values(rows, name) for _, rows in candidates], _key_values(gold, name))
        for name in theirs
        if all(name in own for own in columns)
    ]
    joining = [one for one in shared if _is_unique(one.references, gold) and one.joins(_NEARLY_ALL)]
    if joining:
        first = joining[0]
        other = next((one for one in joining if not _agree(first, one)), None)
        if other is None:
            return first.column
        raise CodekinError(
            f"{where}: {first.column!r} and {other.column!r} join other rows with its references; "
            "name the column that is right with --on (on=)"
        )
    how = (
        "name the column that joins them with --on (on=), or say --columns id= "
        "(columns={'id': ''}) if they belong together by their order"
    )
    for one in shared:
        unique = _is_unique(one.references, gold) and one.joins(0.5)
        conflict = one.conflict() if unique or _is_key(one.column) else None
        if conflict is not None:
            system, row = conflict
            mine, gave = one.candidates[system][row], one.references[row]
            raise CodekinError(
                f"{candidates[system][0]}: row {row + 1:,} has {mine!r} for {one.column!r}, and "
                f"that of {where} has {gave!r}; {how}"
            )
    for place, rows, names, lacking, others in [
        (where, gold, theirs, candidates[0][0], columns),
        *((place, rows, _columns(rows, used), where, [set(theirs)]) for place, rows in candidates),
    ]:
        for name in names:
            alone = not all(name in own for own in others)
            if alone and _is_key(name) and _is_unique(_key_values(rows, name), rows):
                raise CodekinError(
                    f"{place}: {name!r} may say which rows belong together, but there is no such "
                    f"column in {lacking}; {how}"
                )
    return None


def _columns(records: Sequence[Mapping[str, Any]], used: Iterable[str]) -> list[str]:
    taken = set(used)
    return [
        name for name in dict.fromkeys(name for one in records for name in one) if name not in taken
    ]


def _key_values(records: Sequence[Mapping[str, Any]], column: str) -> list[str | None]:
    """What a column says of each row, if that can be an id."""
    values = []
    for record in records:
        try:
            values.append(name_in(record, column))
        except CodekinError:
            values.append(None)
    return values


def _is_unique(values: Sequence[str | None], records: Sequence[Mapping[str, Any]]) -> bool:
    """Whether each value is of one row, or of copies of one."""
    rows: dict[str | None, Mapping[str, Any]] = {}
    return None not in values and all(
        rows.setdefault(value, record) == record
        for value, record in zip(values, records, strict=True)
    )


def _agree(one: _Keys, other: _Keys) -> bool:
    """Whether two columns join the same rows."""
    mine, theirs = one.places, other.places
    return all(
        mine[a] == theirs[b]
        for some, others in zip(one.candidates, other.candidates, strict=True)
        for a, b in zip(some, others, strict=True)
        if a is not None and b is not None and a in mine and b in theirs
    )


def _is_key(column: str) -> bool:
    """Whether the name of a column sounds like that of an id."""
    return snake_case(column).rpartition("_")[2] in _KEYS
