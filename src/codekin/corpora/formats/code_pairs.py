"""A flat table of labelled pairs with the code of both, or a folder with such a table per side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from codekin.corpora.corpus import Corpus, Step
from codekin.corpora.formats.rows import is_rows
from codekin.corpora.labelled_pairs import Pairs
from codekin.corpora.reading import CorpusFormat, ReadOptions, guessed_language, records
from codekin.corpora.snippets import Problems, Snippet, merged, side_named, snippet_of
from codekin.corpora.table_fields import CODE_PAIR_FIELDS, fields_of_rows, has_fields
from codekin.errors import CodekinError
from codekin.results import count_text
from codekin.runs.rows import open_rows

__all__ = ["FORMAT"]

Row = Mapping[str, object]

_CODES = ("code1", "code2")
_PREDICTIONS = frozenset({"candidate", "reference"})


def _recognizes(path: Path) -> bool:
    if path.is_dir():
        listed = _tables(path)
        return bool(listed) and all(_is_table(place) for place in listed)
    return is_rows(path) and _is_table(path)


def _is_table(path: Path) -> bool:
    """Whether the first rows of a file have two codes; rows to be scored need a label, too."""
    try:
        shards = open_rows(path).shards()
        first = islice((record for shard in shards for record in shard.records()), 10)
        names = {name for record in first for name in record.fields or ()}
    except (CodekinError, OSError):
        return False
    needed = (*_CODES, "label") if names & _PREDICTIONS else _CODES
    return has_fields(names, CODE_PAIR_FIELDS, needed)


def _tables(folder: Path) -> dict[Path, str]:
    """The files of a folder whose names say a side, in it or in its folder ``data``."""
    found = {}
    for place in (folder, folder / "data"):
        if not place.is_dir() or place.is_symlink():
            continue
        for path in sorted(place.iterdir()):
            word = path.name.replace("-", ".").replace("_", ".").partition(".")[0]
            try:
                side = side_named(word)
            except CodekinError:
                continue
            if side is not None and is_rows(path) and not path.is_symlink():
                found[path] = side
    return found


def _read(path: Path, options: ReadOptions) -> Corpus:
    problems = Problems(str(path))
    tables: Mapping[Path, str | None] = _tables(path) if path.is_dir() else {path: None}
    rows: list[Row] = []
    for place, side in tables.items():
        table = fields_of_rows(
            place,
            records(place, problems, path if path.is_dir() else None),
            CODE_PAIR_FIELDS,
            problems,
            needed=_CODES,
            advice="pairs have code1, code2 and label",
            columns=options.columns,
        )
        rows += [{"side": side, **row} for row in table] if side else table
    problems.check()
    language = options.language or _language(rows, problems)
    snippets: list[Snippet] = []
    pairs: list[Row] = []
    names: dict[tuple[object, object], str] = {}
    for number, row in enumerate(rows, 1):
        try:
            ends = tuple(_ends(row, number, language, names))
        except CodekinError as error:
            problems.add(str(error), f"row {number:,}")
            continue
        snippets += ends
        kept = {name: row.get(name) for name in ("label", "type", "side")}
        pairs.append({"id1": ends[0].id, "id2": ends[1].id, **kept})
    joined = merged(snippets, problems)
    problems.check()
    found = Pairs.of_rows(pairs, joined, problems)
    problems.check()
    again = 2 * len(pairs) - len(joined)
    if again:
        problems.note(f"{count_text(len(joined), 'snippet')} in {2 * len(pairs):,} places of pairs")
    return Corpus("", tuple(joined), found, {}, (Step("pairs", notes=tuple(problems.notes)),))


def _language(rows: list[Row], problems: Problems) -> str | None:
    """The language of rows that name none."""
    if any(row.get("language") or row.get("language1") for row in rows):
        return None
    codes = [code for row in rows for name in _CODES if isinstance(code := row.get(name), str)]
    return guessed_language(codes, problems)


def _ends(
    row: Row, number: int, language: str | None, names: dict[tuple[object, object], str]
) -> Iterator[Snippet]:
    """The two snippets of a row; code without an id is one snippet wherever it occurs."""
    for end in ("1", "2"):
        written = row.get(f"language{end}") or row.get("language") or language
        code, identity = row.get(f"code{end}"), row.get(f"id{end}")
        if identity in (None, "") and isinstance(code, str):
            identity = names.setdefault((written, code), f"{number}.{end}")
        given = {name: row.get(f"{name}{end}") for name in ("functionality", "project")}
        yield snippet_of(
            {"id": identity, "code": code, "language": written, **given}, f"{number}.{end}"
        )


FORMAT = CorpusFormat(
    "code_pairs",
    "a table of pairs with code1, code2 and label, or a folder with one per side",
    _recognizes,
    _read,
)
