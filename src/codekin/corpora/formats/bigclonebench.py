"""BigCloneBench as CSV exports of its database, with the folders of whole files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from codekin.corpora.corpus import Corpus, Step
from codekin.corpora.folder_files import LeftOut, files_below
from codekin.corpora.labelled_pairs import Pairs
from codekin.corpora.reading import (
    CorpusFormat,
    ReadOptions,
    lines_between,
    records,
    require_columns,
    text_of,
)
from codekin.corpora.snippets import (
    EXAMPLE,
    MOST_COUNT,
    TAGGED_FALSE,
    TAGGED_TRUE,
    Problems,
    Role,
    Snippet,
)
from codekin.errors import CodekinError
from codekin.results import count_text

__all__ = ["FORMAT"]

_TABLES = ("functions", "clones", "false_positives")
_BANDS = {"1": "T1", "2": "T2"}
_LEAST = {"VST3": 0.9, "ST3": 0.7, "MT3": 0.5}
"""The least similarity of clones of type 3, as BigCloneEval divides them."""
_ENDS = ("FUNCTION_ID_ONE", "FUNCTION_ID_TWO")
_COLUMNS = {
    "functions": ("ID", "NAME", "TYPE", "STARTLINE", "ENDLINE"),
    "clones": (*_ENDS, "FUNCTIONALITY_ID"),
    "false_positives": (*_ENDS, "FUNCTIONALITY_ID"),
}
"""Columns without a value in which a row means nothing; the lines are checked with the file."""

Row = Mapping[str, object]
_Roles = dict[str, dict[str, Role]]
"""By the id of a function and by functionality."""


def _tables(path: Path) -> dict[str, Path]:
    """The exported tables in a folder, by their names in lower case."""
    if not path.is_dir():
        return {}
    found = {
        one.name.lower().partition(".")[0]: one for one in sorted(path.glob("*.[cC][sS][vV]*"))
    }
    return {name: found[name] for name in _TABLES if name in found}


def _recognizes(path: Path) -> bool:
    return {"functions", "clones"} <= set(_tables(path))


def _read(path: Path, options: ReadOptions) -> Corpus:
    tables = _tables(path)
    if "functions" not in tables or "clones" not in tables:
        raise CodekinError(f"{path}: has no FUNCTIONS.csv and CLONES.csv, exports of the database")
    problems = Problems(str(path))
    rows = {name: _rows(path, place, problems) for name, place in tables.items()}
    problems.check()
    files = _Files(options.files or path)
    functions = _functions(rows["functions"], problems)
    roles = _roles(functions, rows["clones"], rows.get("false_positives", []), problems)
    snippets = []
    for identity, row in functions.items():
        if identity in roles:
            one = _snippet(identity, row, tuple(roles[identity].values()), files, problems)
            snippets += [] if one is None else [one]
    problems.check()
    pairs = Pairs.of_rows(
        [
            *(_pair(row, 1) for row in rows["clones"]),
            *(_pair(row, 0) for row in rows.get("false_positives", [])),
        ],
        snippets,
        problems,
    )
    problems.check()
    unused = len(functions) - len(snippets)
    verbs = ("is", "was") if unused == 1 else ("are", "were")
    what = count_text(unused, "function")
    notes = (f"{what} {verbs[0]} in no pair and {verbs[1]} left out",) if unused else ()
    counts = {"functions": len(functions)}
    step = Step("export", {}, {}, counts, notes, left_out=files.left_out)
    return Corpus("", tuple(snippets), pairs, files.texts, (step,))


def _rows(folder: Path, path: Path, problems: Problems) -> list[dict[str, object]]:
    """The rows of an export, their columns in upper case."""
    found = [
        {name.upper(): value for name, value in row.items()}
        for row in records(path, problems, folder)
    ]
    needed = _COLUMNS[path.name.lower().partition(".")[0]]
    require_columns(path, found, needed, "export the whole table")
    for i, row in enumerate(found, 1):
        for name in needed:
            if not _cell(row, name) and not name.endswith("LINE"):
                problems.add(f"a row without {name}", f"{path.name}, row {i}")
        for name in ("MIN_JUDGES", "MIN_CONFIDENCE", "STARTLINE", "ENDLINE"):
            text = _cell(row, name)
            number = _number(row, name)
            if text and number is None:
                problems.add(f"{name} is not a whole number", repr(text))
            elif name.startswith("MIN") and not 0 <= (number or 0) <= MOST_COUNT:
                problems.add(f"{name} is not from 0 to {MOST_COUNT:,}", repr(text))
    return found


def _cell(row: Row, column: str) -> str:
    value = row.get(column)
    return "" if value is None else str(value).strip()


def _number(row: Row, column: str) -> int | None:
    """A whole number, also as 2.0, which a table with gaps makes of it; None where it is not."""
    try:
        return int(_cell(row, column).removesuffix(".0"))
    except ValueError:
        return None


def _functions(rows: Iterable[Row], problems: Problems) -> dict[str, Row]:
    """The functions by id."""
    found: dict[str, Row] = {}
    for row in rows:
        if found.setdefault(_cell(row, "ID"), row) != row:
            problems.add("the same id with another function", _cell(row, "ID"))
    problems.check()
    return found


def _roles(
    functions: Mapping[str, Row],
    clones: Iterable[Row],
    false_positives: Iterable[Row],
    problems: Problems,
) -> _Roles:
    """What each function is to each functionality, by the pairs that it is in."""
    found: _Roles = {}

    def tag(identity: str, row: Row, kind: str) -> None:
        function = functions.get(identity)
        if function is None:
            problems.add("a pair names a function that is not there", identity)
            return
        name = _cell(row, "FUNCTIONALITY_ID")
        if kind == TAGGED_TRUE and str(function.get("TYPE")).lower() == "sample":
            kind = EXAMPLE
        judges, sure = _number(row, "MIN_JUDGES"), _number(row, "MIN_CONFIDENCE")
        before = found.setdefault(identity, {}).get(name)
        if before is not None:  # a pair has the smaller number of its two functions
            judges, sure = _larger(before.judges, judges), _larger(before.confidence, sure)
        found[identity][name] = Role(name, kind, judges, sure)

    for row in clones:
        for column in _ENDS:
            tag(_cell(row, column), row, TAGGED_TRUE)
    for row in false_positives:
        name = _cell(row, "FUNCTIONALITY_ID")
        ends = [_cell(row, column) for column in _ENDS]
        for identity in ends:
            role = found.get(identity, {}).get(name)
            sample = str(functions.get(identity, {}).get("TYPE")).lower() == "sample"
            right = sample or (role is not None and role.positive)
            tag(identity, row, TAGGED_TRUE if right else TAGGED_FALSE)
    return found


def _larger(first: int | None, second: int | None) -> int | None:
    given = [one for one in (first, second) if one is not None]
    return max(given, default=None)


def _snippet(
    identity: str, row: Row, roles: tuple[Role, ...], files: _Files, problems: Problems
) -> Snippet | None:
    kind, name = _cell(row, "TYPE").lower(), _cell(row, "NAME")
    text = files.text(kind, name, problems)
    if text is None:
        return None
    start, end = _number(row, "STARTLINE"), _number(row, "ENDLINE")
    code = lines_between(text, start or 0, end or 0)
    if code is None:
        problems.add("lines that its file does not have", f"{kind}/{name} {start}-{end}")
        return None
    project = _cell(row, "PROJECT") or None
    lines = (start or 0, end or 0)
    return Snippet(identity, "java", code, roles, project, f"{kind}/{name}", None, lines)


def _pair(row: Row, label: int) -> dict[str, object]:
    kind = _type(row) if label else None
    ends = {"id1": _cell(row, "FUNCTION_ID_ONE"), "id2": _cell(row, "FUNCTION_ID_TWO")}
    return {**ends, "label": label, "type": kind}


def _type(row: Row) -> str | None:
    """The type of a clone: of type 3, by the smaller similarity, of lines or of tokens."""
    number = _cell(row, "SYNTACTIC_TYPE")
    if number in _BANDS:
        return _BANDS[number]
    try:
        similarity = min(float(_cell(row, f"SIMILARITY_{what}")) for what in ("LINE", "TOKEN"))
    except ValueError:
        return None
    return next((name for name, least in _LEAST.items() if similarity >= least), "WT3/T4")


class _Files:
    """The whole files below a folder, found by the last two parts of their paths."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._places: dict[tuple[str, str], Path] | None = None
        self.texts: dict[str, str] = {}
        self.left_out: LeftOut = {}

    def text(self, kind: str, name: str, problems: Problems) -> str | None:
        """The text of a file; None where it cannot be read, which is a problem."""
        if self._places is None:
            odd: LeftOut = {}
            found = [path for path in files_below(self._folder, odd) if path.suffix == ".java"]
            self._places = {(one.parent.name.lower(), one.name): one for one in reversed(found)}
            self.left_out |= {name: why for name, why in odd.items() if name.endswith(".java")}
        key = f"{kind}/{name}"
        if key not in self.texts:
            place = self._places.get((kind, name))
            if place is None:
                problems.add("a file that is not there", key)
                return None
            text = text_of(self._folder, os.fspath(place.relative_to(self._folder)), problems, key)
            if text is None:
                return None
            self.texts[key] = text
        return self.texts[key]


FORMAT = CorpusFormat(
    "bigclonebench",
    "CSV exports of BigCloneBench's database, with the folders of its whole files",
    _recognizes,
    _read,
)
