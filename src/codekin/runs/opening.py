"""The input of a job, understood or refused on its first rows before anything is written."""

from __future__ import annotations

import itertools
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from codekin.errors import CodekinError
from codekin.languages import Language, languages
from codekin.represent.text.detection import detect_language, faults_in
from codekin.results import count_text
from codekin.runs.answers import MISSING, prompts_are_continued
from codekin.runs.column_names import (
    SYNONYMS,
    ColumnNames,
    alternatives,
    joining_column,
    present_columns,
    resolve_columns,
)
from codekin.runs.composing import (
    ReferenceRows,
    References,
    SystemInput,
    compose,
    is_of_candidates,
    join_references,
    open_systems,
    read_references,
    with_missing,
)
from codekin.runs.language_guess import LanguageGuess, guess_language
from codekin.runs.prompts import join
from codekin.runs.row import Row, language_named, name_in, read_row, renamed
from codekin.runs.rows import JsonLines, Record, Shard, open_rows
from codekin.runs.rows.texts import looks_binary
from codekin.runs.settings import FIELDS, RowView, Settings
from codekin.runs.shard_scoring import detect_language_of

__all__ = [
    "OpenInput",
    "continued_prompts",
    "guessed_language",
    "judged_rows",
    "open_input",
    "other_language",
    "refuse_unusable",
]

_MOST_LOOKED_AT = 1000
_MOST_BYTES_LOOKED_AT = 64 * 2**20
_JUDGED = 40
"""How many of the first rows decide whether the language fits and prompts are continued."""

_NEARLY_ALL = 0.9

_UNKNOWN_LANGUAGE = (
    "cannot tell which language the row is written in; name it with --language (language=)"
)


@dataclass
class OpenInput:
    """Rows that can be scored.

    Attributes
    ----------
    shards : iterator of Shard
        All of them.
    describe : callable
        For the manifest.
    columns : dict of str to str
        As named or recognized, where one name holds for all rows.
    recognized : dict of str to str
        The columns that nobody has named.
    composed : bool
        Whether the rows have codekin's names already.
    first : list of Record
        The first rows.
    tasks : list of dict
        What is known about the tasks: the fields of the first rows, or of all references of a
        second input.
    notes : list of str
        What the user should know.
    """

    shards: Iterator[Shard]
    describe: Callable[[], dict[str, Any]]
    columns: dict[str, str]
    recognized: dict[str, str]
    composed: bool
    first: list[Record]
    tasks: list[Mapping[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def has(self, name: str) -> bool:
        """Whether any of the first rows has a value of a field."""
        return any(self.known(one).get(name) is not None for one in self.first)

    def languages(self, default: str | None) -> list[Language]:
        """The languages of the first rows; empty if any of them is not known.

        Parameters
        ----------
        default : str or None
            Of rows that name none.
        """
        given = [self.known(record).get("language") or default for record in self.first]
        try:
            names = [] if None in given else dict.fromkeys(map(str, given))
            return [language_named(name) for name in names]
        except CodekinError:
            return []

    def known(self, record: Record) -> Mapping[str, object]:
        """The fields of a record under codekin's names."""
        return renamed(record.fields or {}, {} if self.composed else self.columns)


def open_input(
    rows: Any,
    *,
    references: Any = None,
    on: str | None = None,
    columns: Mapping[str, str],
    shard_rows: int | None = None,
    view: RowView | None = None,
) -> OpenInput:
    """Open the rows of a job, and check their first ones.

    Parameters
    ----------
    rows, references : rows of any kind
        Candidates with their references, or in two inputs.
    on : str, optional
        The column that joins them.
    columns : mapping of str to str
        What the user has said about columns.
    shard_rows : int, optional
    view : RowView, optional

    Raises
    ------
    CodekinError
        If the rows cannot be read, or lack a column.
    """
    if references is None and on is not None:
        raise CodekinError(
            "on joins rows with references; name their file, too, with --references (references=)"
        )
    if references is not None and view is not None:
        raise CodekinError("references from another file can only be scored, not evaluated")
    systems = open_systems(rows, lines=references is not None)
    if view is not None and len(systems) > 1:
        systems = _as_one(rows)
    if references is None and len(systems) == 1:
        return _plain(systems[0], columns, shard_rows, view)
    return _composed(systems, references, on, columns, shard_rows)


def _as_one(rows: Any) -> list[SystemInput]:
    """The rows of several files, one after the other."""
    return [SystemInput(None, str(rows[0]), open_rows(rows))]


def _plain(
    system: SystemInput, columns: Mapping[str, str], shard_rows: int | None, view: RowView | None
) -> OpenInput:
    """Rows as they are in one input."""
    shards = system.rows.shards(shard_rows)
    seen, shards = _look(shards, columns)
    records = _checked_records(seen, system.where)
    if view is None and not seen:
        where = f"{system.where}: has" if system.named else "score: there are"
        raise CodekinError(f"{where} no rows")
    fields = FIELDS if view is None else view.fields
    role = "rows" if set(fields) == set(FIELDS) else None
    names = _resolve(records, columns, fields, system.where, role)
    first = [record for shard in seen for record in shard.records()]
    opened = OpenInput(shards, system.rows.describe, names.columns, names.recognized, False, first)
    opened.tasks = [opened.known(record) for record in first]
    if view is None and opened.has("id") and opened.has("group"):
        opened.shards = with_missing(shards, names.columns, shard_rows)
    opened.notes += [*system.rows.notes, *_column_notes([(names, "")])]
    return opened


def _resolve(
    records: Sequence[Mapping[str, Any]],
    columns: Mapping[str, str],
    fields: Sequence[str],
    where: str,
    role: str | None,
    *,
    systems: bool = True,
) -> ColumnNames:
    if not records:
        return ColumnNames(dict(columns), {})
    return resolve_columns(records, columns, fields=fields, where=where, role=role, systems=systems)


def _look(
    shards: Iterator[Shard], columns: Mapping[str, str]
) -> tuple[list[Shard], Iterator[Shard]]:
    """The first shards, until every column that was named has appeared, and all shards."""
    seen: list[Shard] = []
    names: set[str] = set()
    wanted = [{column, *alternatives(column)} for column in columns.values() if column]
    for shard in shards:
        seen.append(shard)
        names |= {name for record in shard.records() for name in record.fields or ()}
        if all(names & one for one in wanted) or sum(map(len, seen)) >= _MOST_LOOKED_AT:
            break
        if sum(piece.nbytes for shard in seen for piece in shard.pieces) > _MOST_BYTES_LOOKED_AT:
            break
    return seen, itertools.chain(seen, shards)


def _checked_records(shards: Sequence[Shard], where: str) -> list[dict[str, Any]]:
    """The fields of the first rows that can be read; there must be some, if there are rows."""
    records = [record for shard in shards for record in shard.records()]
    fields = [record.fields for record in records if record.fields is not None]
    if records and not fields:
        raise CodekinError(
            f"{records[0].where}: {records[0].problem}; not one of the first rows can be read. "
            f"{_likely_reason(shards, records[0].problem, where)}"
        )
    for shard in shards:
        for piece in shard.pieces:
            if isinstance(piece, JsonLines):
                for line, record in zip(piece.lines, piece.records(), strict=True):
                    _refuse_twice(line, record)
    return fields


def _likely_reason(shards: Sequence[Shard], problem: str, where: str) -> str:
    """Why no row can be read, or what to look at."""
    first = next((piece for shard in shards for piece in shard.pieces), None)
    if isinstance(first, JsonLines):
        start = b"\n".join(first.lines)
        if looks_binary(start.decode("latin-1")):
            return f"{where} looks binary; rows are in JSON lines, CSV or Parquet"
        if first.unit == "line" and start.lstrip().startswith(b"["):
            return f"{where} is one JSON array; name it .json"
    if problem.startswith("not UTF-8"):
        return f"Save {where} as UTF-8"
    return f"Is {where} of the format that its name says?"


def _refuse_twice(line: bytes, record: Record) -> None:
    """Refuse a JSON object with two values of one name."""
    if record.fields is None:
        return
    counted: list[Counter[str]] = []
    json.loads(line, object_pairs_hook=lambda found: counted.append(Counter(k for k, _ in found)))
    twice = [name for name, times in counted[-1].items() if times > 1]
    if twice:
        raise CodekinError(f"{record.where}: has the field {twice[0]!r} twice; names must differ")


def _composed(
    systems: Sequence[SystemInput],
    references: Any,
    on: str | None,
    columns: Mapping[str, str],
    shard_rows: int | None,
) -> OpenInput:
    """Rows of several systems, or with references from elsewhere."""
    role = "rows" if references is None else "candidates"
    given = _columns_of_candidates(columns, references, on)
    parts: list[Iterator[Shard]] = []
    names: list[ColumnNames] = []
    looked: list[list[dict[str, Any]]] = []
    for system in systems:
        seen, shards = _look(system.rows.shards(), given)
        records = _checked_records(seen, system.where)
        if not records:
            raise CodekinError(f"{system.where}: has no rows")
        present = {name for record in records for name in record}
        own = {
            name: column
            for name, column in present_columns(given, present, system.where).items()
            if references is None or not column or column in present or is_of_candidates(name)
        }
        if on is not None:
            own["id"] = on
        names.append(_resolve(records, own, FIELDS, system.where, role, systems=len(systems) == 1))
        parts.append(shards)
        looked.append(records)
    found: References | None = None
    joined: list[str] = []
    if references is not None:
        with_ids = [
            renamed(records[0], one.columns).get("id") is not None
            for records, one in zip(looked, names, strict=True)
        ]
        if len(set(with_ids)) > 1:
            lacking = systems[with_ids.index(False)].where
            raise CodekinError(
                f"{lacking}: has no ids, and other files have; name them with --on (on=)"
            )
        read = read_references(references, on, columns)
        if not with_ids[0] and read.own is None and "id" not in columns:
            names, read, joined = _joined(systems, looked, names, read)
        has_ids = with_ids[0] or bool(joined)
        found = join_references(read, has_ids=has_ids, candidates=systems[0].where)
        _refuse_unknown(columns, names, found)
        if found.on is None:
            _refuse_other_lengths(systems, found)
            joined = [
                f"joined by order: the first row of each file with the first of {found.where}"
            ]
        else:
            joined += [
                note
                for system, records, one in zip(systems, looked, names, strict=True)
                if (note := _unknown_ids(system.where, _ids_of(records, one.columns), found))
            ]
    rows = compose(systems, parts, names, found)
    whole = rows.shards(shard_rows)
    start = next(whole, None)
    first = [] if start is None else list(start.records())
    tasks = (
        [record.fields or {} for record in first]
        if found is None
        else [{**fields, "id": key} for key, (_, fields) in found.tasks.items()]
    )
    recognized = dict(item for one in names for item in one.recognized.items())
    notes = [(of_system, system.where) for of_system, system in zip(names, systems, strict=True)]
    if found is not None:
        recognized |= found.names.recognized
        notes.append((found.names, found.where))
    return OpenInput(
        whole if start is None else itertools.chain([start], whole),
        rows.describe,
        dict(columns),
        recognized,
        True,
        first,
        [fields for fields in tasks if fields],
        [
            *(note for system in systems for note in system.rows.notes),
            *([] if found is None else found.notes),
            *_column_notes(notes),
            *joined,
            *_naming_notes(looked, columns),
        ],
    )


def _joined(
    systems: Sequence[SystemInput],
    looked: Sequence[Sequence[Mapping[str, Any]]],
    names: list[ColumnNames],
    read: ReferenceRows,
) -> tuple[list[ColumnNames], ReferenceRows, list[str]]:
    """The columns with that which joins candidates and references, if any, and a note of it."""
    wheres = [one.where for one in systems]
    used = {*FIELDS, *(column for one in [*names, read.names] for column in one.columns.values())}
    gold = [record.fields or {} for record in read.records]
    key = joining_column(list(zip(wheres, looked, strict=True)), (read.where, gold), used)
    if key is None:
        return names, read, []
    note = f"joined by {key!r}, which {', '.join(wheres)} and {read.where} have in common"
    own = {"id": key}
    of_systems = [ColumnNames(one.columns | own, one.recognized | own) for one in names]
    of_references = ColumnNames(read.names.columns | own, read.names.recognized | own)
    return of_systems, replace(read, names=of_references, own=key), [note]


def _naming_notes(
    systems: Sequence[Sequence[Mapping[str, Any]]], columns: Mapping[str, str]
) -> list[str]:
    """Which column names the systems of several files, each by one value of its own."""
    of_rows = any("group" in record for records in systems for record in records)
    if len(systems) < 2 or "group" in columns or of_rows:
        return []
    for name in SYNONYMS["group"]:
        values = [{str(record.get(name) or "") for record in records} for records in systems]
        named = {value for one in values for value in one if len(one) == 1 and value}
        if len(named) == len(systems):
            return [
                f"systems are named after their files; --columns group={name} "
                f"(columns={{'group': {name!r}}}) names them by their {name}"
            ]
    return []


def _ids_of(records: Sequence[Mapping[str, Any]], columns: Mapping[str, str]) -> list[str]:
    """The ids of rows, as far as they are names or numbers."""
    found = []
    for record in records:
        try:
            name = name_in(renamed(record, columns), "id")
        except CodekinError:
            continue
        if name is not None:
            found.append(name)
    return found


def _unknown_ids(where: str, ids: Sequence[str], references: References) -> str:
    """What to say about ids that the references lack; that they lack all of them is an error."""
    unknown = [one for one in ids if one not in references.tasks]
    if not unknown:
        return ""
    if len(unknown) == len(ids):
        raise CodekinError(
            f"{where}: none of its ids, such as {ids[0]!r}, is in {references.where}, which has "
            f"{next(iter(references.tasks))!r}; name the column that joins them with --on (on=)"
        )
    which = f"{len(unknown):,} of its first {len(ids):,} ids"
    if len(unknown) == 1:
        which, are, whose = f"{which}, {unknown[0]!r}", "is", "its row has"
    else:
        which, are, whose = f"{which}, such as {unknown[0]!r}", "are", "their rows have"
    return f"{where}: {which}, {are} not in {references.where}; {whose} no score"


def _columns_of_candidates(
    columns: Mapping[str, str], references: Any, on: str | None
) -> dict[str, str]:
    if references is None:
        return dict(columns)
    if on is not None and columns.get("id") not in (None, on):
        raise CodekinError(f"on is {on!r}, and columns says that the id is {columns['id']!r}")
    return {
        name: column
        for name, column in columns.items()
        if name not in ("reference", "references", "reference_language")
    }


def _refuse_unknown(
    columns: Mapping[str, str], names: Sequence[ColumnNames], references: References
) -> None:
    """Refuse a column that neither the candidates nor the references have."""
    used = [*(one.columns for one in names), references.names.columns]
    for name, column in columns.items():
        if column and not any(one.get(name) in (column, *alternatives(column)) for one in used):
            raise CodekinError(
                f"no column {column!r} for {name}, neither in the candidates nor in "
                f"{references.where}"
            )


def _refuse_other_lengths(systems: Sequence[SystemInput], references: References) -> None:
    """Refuse rows that belong together by their order, but differ in number."""
    wanted = len(references.tasks)
    for system in systems:
        if system.rows.once:
            continue
        found = sum(len(shard) for shard in system.rows.shards())
        if found != wanted:
            raise CodekinError(
                f"{system.where} has {count_text(found, 'row')} and {references.where} has "
                f"{wanted:,}, but without ids they belong together by their order; give both as "
                "many, or ids"
            )


def _column_notes(found: Sequence[tuple[ColumnNames, str]]) -> list[str]:
    """Which columns were recognized, which are not read and why, per input."""
    notes: dict[str, list[str]] = {}
    for names, where in found:
        words = ", ".join(f"{name} = {column}" for name, column in names.recognized.items())
        for note in ([f"columns: {words}"] if words else []) + list(names.notes):
            notes.setdefault(note, []).append(where)
    places = {note: ", ".join(filter(None, wheres)) for note, wheres in notes.items()}
    return [f"{note}{where and f' ({where})'}" for note, where in places.items()]


def judged_rows(opened: OpenInput, settings: Settings) -> list[Row]:
    """The first rows, with the prompt and a language, if it is known."""
    rows = [
        read_row(record, number, settings)
        for number, record in enumerate(opened.first[:_JUDGED])
        if record.fields is not None
    ]
    return [row for row in rows if row.references]


def refuse_unusable(opened: OpenInput, settings: Settings) -> None:
    """Refuse an input if none of its first rows can be scored, all for the same reason.

    Rows without a candidate do not count, unless most are. Texts that are too long do not count
    either, since the user sets that limit.
    """
    seen: list[Shard] = []
    while sum(map(len, seen)) < _JUDGED and (shard := next(opened.shards, None)) is not None:
        seen.append(shard)
    opened.shards = itertools.chain(seen, opened.shards)
    of_language = settings.language is None and all(
        type(one).__module__.startswith("codekin.") and one.uses_language()
        for one in settings.measures
    )
    of_any_length = replace(settings, max_bytes=sys.maxsize)
    found: list[tuple[str, str]] = []
    missing = 0
    for record in itertools.chain.from_iterable(shard.records() for shard in seen):
        row = read_row(record, 0, of_any_length)
        if row.form == MISSING:
            missing += 1
            continue
        if row.problem is not None:
            found.append((row.problem.removeprefix(f"{record.where}: "), record.where))
        elif of_language and _language_of(row, settings) is None:
            found.append((_UNKNOWN_LANGUAGE, record.where))
        else:
            return
        if found[-1][0] != found[0][0]:
            return
    if found and len(found) >= missing:
        reason, where = found[0]
        if reason.startswith("no field 'reference'"):
            reason = f"{reason}; if another file has the references, --references FILE"
        raise CodekinError(f"{where}: {reason}; not one of the first rows can be scored")


def _language_of(row: Row, settings: Settings) -> str | None:
    if row.language is None:
        detect_language_of(row, {}, settings.guessed)
    return row.language


def guessed_language(opened: OpenInput, settings: Settings) -> LanguageGuess | None:
    """The language of the rows that name none; None if all have one, or if nothing tells it."""
    if settings.language is not None:
        return None
    if all(opened.known(record).get("language") for record in opened.first if record.fields):
        return None
    return guess_language(task for task in opened.tasks if not task.get("language"))


def continued_prompts(rows: Sequence[Row], settings: Settings) -> bool:
    """Whether the first rows have prompts that their texts continue."""
    asked = [row for row in rows if row.prompt]
    for row in asked:
        if row.language is None:
            detect_language_of(row, {}, settings.guessed)
    return bool(asked) and prompts_are_continued(asked)


def _has_parser(name: str | None) -> bool:
    return name is not None and not language_named(name).prose


def other_language(rows: Sequence[Row], *, prompt: bool) -> str | None:
    """A warning if most references do not parse in the language that was named, but in another.

    Parameters
    ----------
    rows : sequence of Row
        The first ones; those without a language do not count.
    prompt : bool
        Whether references continue their prompts.
    """
    texts = [
        (row.reference_language or row.language, join(row.prompt or "", text) if prompt else text)
        for row in rows
        for text in (row.references or ())[:1]
        if text.strip() and _has_parser(row.reference_language or row.language)
    ]
    broken = [one for one in texts if faults_in(one[1], language_named(str(one[0])))]
    if 2 * len(broken) <= len(texts):
        return None
    stated = Counter(str(name) for name, _ in broken).most_common(1)[0][0]
    votes: Counter[str] = Counter()
    for _, text in broken:
        try:
            votes[detect_language(text).name] += 1
        except CodekinError:
            continue
    names = [one.name for one in languages()]
    for name, _ in sorted(votes.items(), key=lambda one: (-one[1], names.index(one[0]))):
        parsed = sum(not faults_in(text, language_named(name)) for _, text in texts)
        if name != stated and parsed >= _NEARLY_ALL * len(texts):
            return (
                f"the language may be wrong: {len(broken):,} of the first "
                f"{count_text(len(texts), 'reference')} do not parse as {stated}, and {parsed:,} "
                f"parse as {name}"
            )
    return None
