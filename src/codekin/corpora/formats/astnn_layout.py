"""ASTNN's folders as text: BigCloneBench's functions or OJClone's programs, and pairs of them."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from codekin.corpora.corpus import Corpus, Step
from codekin.corpora.folder_files import MOST_LINE_BYTES, lines_of
from codekin.corpora.labelled_pairs import Pairs
from codekin.corpora.reading import CorpusFormat, ReadOptions, pair_records
from codekin.corpora.snippets import Problems, Role, Snippet, merged
from codekin.errors import CodekinError

__all__ = ["FORMAT"]

_LAYOUTS = (
    ("java", ("bcb_funcs_all",), ("bcb_pair_ids",)),
    ("c", ("programs",), ("oj_clone_ids",)),
)
"""The language, and the names of the files of functions and of pairs; never their suffixes."""
_TABLES = (".tsv", ".csv")
_PICKLE = ".pkl"
_TYPES = {"1": "T1", "2": "T2", "3": "ST3", "4": "MT3", "5": "WT3/T4"}


def _recognizes(path: Path) -> bool:
    return any(
        os.path.lexists(path / f"{functions[0]}{suffix}")
        and (language == "java" or _file(path, pairs, (*_TABLES, _PICKLE)) is not None)
        for language, functions, pairs in _LAYOUTS
        for suffix in (*_TABLES, _PICKLE)
    )


def _file(folder: Path, names: Sequence[str], suffixes: Sequence[str]) -> Path | None:
    """The first file of a folder with one of some names and suffixes, packed ones included."""
    for name in names:
        for suffix in suffixes:
            found = sorted(folder.glob(f"{name}{suffix}*"))
            if found:
                return found[0]
    return None


def _table(folder: Path, names: Sequence[str]) -> Path | None:
    """The table with one of some names; refuses a pickle in its place."""
    found = _file(folder, names, _TABLES)
    if found is None and (pickled := _file(folder, names, (_PICKLE,))) is not None:
        raise CodekinError(
            f"{pickled}: is a pickle, which could run code when it is read; export it once where "
            f"you trust it: pandas.read_pickle('{pickled.name}').to_csv('{names[0]}.csv', "
            "index=False)"
        )
    return found


def _read(path: Path, options: ReadOptions) -> Corpus:
    problems = Problems(str(path))
    layouts = ((*layout, _table(path, layout[1])) for layout in _LAYOUTS)
    found_layout = next((layout for layout in layouts if layout[-1] is not None), None)
    if found_layout is None:
        raise CodekinError(f"{path}: has no bcb_funcs_all.tsv and no programs.csv")
    language, _, pairs, code = found_layout
    assert code is not None
    snippets = merged(_functions(code, options.language or language, problems), problems)
    problems.check()
    place = _table(path, pairs)
    found = None
    if place is not None:
        rows = pair_records(place, problems, path, options.columns)
        found = Pairs.of_rows(map(_typed, rows) if language == "java" else rows, snippets, problems)
        problems.check()
    step = Step("functions", notes=tuple(problems.notes))
    return Corpus("", tuple(snippets), found, {}, (step,))


def _functions(path: Path, language: str, problems: Problems) -> Iterator[Snippet]:
    """Rows of an id and the code, and of a program also the problem; a head row may be missing."""
    before = csv.field_size_limit(MOST_LINE_BYTES)  # of all readers, so it is put back
    try:
        lines = lines_of(path, within=path.parent)
        delimiter = "\t" if path.name.startswith("bcb") or ".tsv" in path.name else ","
        places = {"id": 0, "code": 1, "label": 2}
        for i, fields in enumerate(csv.reader(lines, delimiter=delimiter), 1):
            if i == 1 and {"id", "code"} <= set(fields):
                places = {name: fields.index(name) for name in places if name in fields}
                continue
            width = max(places["id"], places["code"]) + 1
            if len(fields) >= width and fields[places["id"]].strip():
                problem = fields[places["label"]] if places.get("label", 9) < len(fields) else ""
                roles = (Role(problem.strip()),) if problem.strip() and language != "java" else ()
                yield Snippet(fields[places["id"]].strip(), language, fields[places["code"]], roles)
            elif fields:
                problems.add("a line without an id and a function", f"{path.name}, line {i}")
    finally:
        csv.field_size_limit(before)


def _typed(row: Mapping[str, object]) -> Mapping[str, object]:
    """The pair with the type that its label is the number of."""
    return {**row, "type": row.get("type") or _TYPES.get(str(row.get("label")))}


FORMAT = CorpusFormat(
    "astnn",
    "ASTNN's folder as text: bcb_funcs_all.tsv and bcb_pair_ids.csv, or programs.csv and "
    "oj_clone_ids.csv",
    _recognizes,
    _read,
)
