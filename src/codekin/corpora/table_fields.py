"""The columns of tables of snippets and of pairs: which one is which field, and which are not read.

A field is found by its own name, by what the user says, or by another common name. What was taken
for what, and what nobody reads, is said in the notes of :class:`Problems`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from codekin.corpora.snippets import Problems, label_of, side_named
from codekin.errors import CodekinError, suggestion
from codekin.results import count_text, first_names
from codekin.runs.column_names import present_columns, snake_case

__all__ = [
    "CODE_PAIR_FIELDS",
    "PAIR_FIELDS",
    "PREDICTION_FIELDS",
    "SNIPPET_FIELDS",
    "NamedColumns",
    "field_places",
    "fields_of_rows",
    "has_fields",
]

Row = Mapping[str, object]
Synonyms = Mapping[str, tuple[str, ...]]

_SIDE = ("split", "partition", "fold", "subset")
_SHOWN = 30
"""Columns that a message names at most."""
_LABEL = ("is_clone", "isclone", "clone", "labels", "similar", "target", "y")

SNIPPET_FIELDS: Synonyms = {
    "id": ("idx", "snippet_id", "function_id"),
    "language": ("lang", "programming_language"),
    "code": ("func", "function", "snippet", "source_code", "body", "content"),
    "functionality": ("functionality_id", "problem_id", "problem", "label"),
    "project": ("author", "repository", "repo"),
    "file": ("path", "file_name", "filename"),
    "first_line": ("start_line", "startline"),
    "last_line": ("end_line", "endline"),
    "side": _SIDE,
    **dict.fromkeys(("role", "roles", "confirmed", "source"), ()),
}
"""The fields of a snippet, and other names that their columns have."""

PAIR_FIELDS: Synonyms = {
    "id1": ("id_1", "idx1", "function_id_one", "snippet1"),
    "id2": ("id_2", "idx2", "function_id_two", "snippet2"),
    "label": _LABEL,
    "type": ("clone_type",),
    "basis": (),
    "side": _SIDE,
}
"""The fields of a pair of snippets that have ids."""

CODE_PAIR_FIELDS: Synonyms = {
    "code1": ("code_1", "func1", "function1", "function_1", "snippet1", "clone1", "candidate"),
    "code2": ("code_2", "func2", "function2", "function_2", "snippet2", "clone2", "reference"),
    "label": _LABEL,
    "type": ("clone_type",),
    "side": _SIDE,
    "id1": ("id_1", "idx1", "function_id_one"),
    "id2": ("id_2", "idx2", "function_id_two"),
    "language": ("lang", "programming_language"),
    "language1": ("lang1", "language_1"),
    "language2": ("lang2", "language_2"),
    "functionality1": ("functionality_1", "problem1"),
    "functionality2": ("functionality_2", "problem2"),
    "project1": ("project_1", "author1"),
    "project2": ("project_2", "author2"),
}
"""The fields of a pair whose row has the code of both snippets."""


def _is_side(value: object) -> bool:
    try:
        side_named(None if value is None else str(value))
    except CodekinError:
        return False
    return True


def _is_label(value: object) -> bool:
    return label_of(value) is not None


_READABLE = {"side": _is_side, "label": _is_label}
"""What the values of a column must be for another name than that of the field to be enough."""

PREDICTION_FIELDS: Synonyms = {
    "id1": PAIR_FIELDS["id1"],
    "id2": PAIR_FIELDS["id2"],
    "score": (
        *("similarity", "probability", "prob", "confidence"),
        *("prediction", "pred", "predicted"),
    ),
    "clone": (),
}
"""The fields of a prediction for a pair of snippets that have ids."""

_KNOWN = frozenset((*SNIPPET_FIELDS, *PAIR_FIELDS, *CODE_PAIR_FIELDS, *PREDICTION_FIELDS))


@dataclass
class NamedColumns:
    """What the user says about columns, over all tables of one input.

    Attributes
    ----------
    given : mapping of str to str
        The column of a field, several of which a table has one (``func|code``), or nothing where
        a field is not to be read.
    """

    given: Mapping[str, str] = field(default_factory=dict)
    _used: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        for name in self.given:
            if name not in _KNOWN:
                raise CodekinError(
                    f"--columns: there is no field {name!r}{suggestion(name, _KNOWN)} "
                    f"(known: {', '.join(sorted(_KNOWN))})"
                )

    def __bool__(self) -> bool:
        return bool(self.given)

    def of_table(
        self, fields: Iterable[str], columns: Sequence[str], where: object
    ) -> dict[str, str]:
        """The columns of those fields of a table that it has."""
        wanted = {name: column for name, column in self.given.items() if name in set(fields)}
        named = present_columns(wanted, columns, str(where))
        there = {name: column for name, column in named.items() if not column or column in columns}
        self._used |= set(there)
        return there

    def check(self, where: object) -> None:
        """Refuse an input none of whose tables has a column that was named."""
        for name, column in self.given.items():
            if name not in self._used:
                raise CodekinError(f"{where}: no table of it has a column {column!r} for {name}")


def fields_of_rows(
    path: Path,
    rows: Sequence[Row],
    fields: Synonyms,
    problems: Problems,
    *,
    needed: Sequence[str],
    advice: str,
    columns: NamedColumns | None = None,
) -> list[Row]:
    """The rows of a table by the names of their fields, without the columns that are not read.

    Parameters
    ----------
    path : Path
        Of the table, for messages.
    rows : sequence of mapping
        An empty table lacks nothing.
    fields : mapping
        Such as :data:`PAIR_FIELDS`.
    problems : Problems
        Whose notes say what was taken for what, and what is not read.
    needed : sequence of str
        Fields without which the table means nothing.
    advice : str
        What to do where one is missing.
    columns : NamedColumns, optional
    """
    names = list(dict.fromkeys(name for row in rows for name in row))
    places = field_places(rows, fields, (columns or NamedColumns()).of_table(fields, names, path))
    missing = [name for name in needed if rows and name not in places]
    if missing:
        raise CodekinError(
            f"{path}: has no column {' and '.join(missing)} in {count_text(len(rows), 'row')}, but "
            f"{first_names(sorted(names), _SHOWN)}; {advice}, or name the columns with --columns "
            f"{','.join(f'{name}=NAME' for name in missing)}"
        )
    renamed = [f"{column} is read as {name}" for name, column in places.items() if column != name]
    if renamed:
        problems.note(f"{path.name}: {', '.join(renamed)}")
    unread = [name for name in names if name not in places.values()]
    if unread:
        problems.note(f"{path.name}: columns that are not read: {first_names(unread, _SHOWN)}")
    elif not renamed:
        return list(rows)
    return [{name: row[column] for name, column in places.items() if column in row} for row in rows]


def field_places(
    rows: Sequence[Row], fields: Synonyms, chosen: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The column of each field that some rows have, besides those that were chosen."""
    chosen = chosen or {}
    names = list(dict.fromkeys(name for row in rows for name in row))
    places = _places(names, fields, chosen)
    for name, readable in _READABLE.items():  # a fold or a target may be something else
        column = places.get(name, name)
        if column != chosen.get(name, name) and not all(readable(row.get(column)) for row in rows):
            del places[name]
    return places


def has_fields(columns: Iterable[str], fields: Synonyms, needed: Sequence[str]) -> bool:
    """Whether columns have some fields, by any of their names."""
    return set(needed) <= set(_places(list(columns), fields, {}))


def _places(names: Sequence[str], fields: Synonyms, chosen: Mapping[str, str]) -> dict[str, str]:
    """The column of each field that a table has."""
    found = {name: column for name, column in chosen.items() if column}
    taken = set(found.values())
    for name in fields:
        if name in names and name not in chosen and name not in taken:
            found[name] = name
            taken.add(name)
    by_words: dict[str, str] = {}
    for column in names:
        by_words.setdefault(snake_case(column), column)
    for name, synonyms in fields.items():
        if name in found or name in chosen:
            continue
        for word in (name, *synonyms):
            column = by_words.get(word, "")
            if column and column not in taken:
                found[name] = column
                taken.add(column)
                break
    return {name: found[name] for name in fields if name in found}
