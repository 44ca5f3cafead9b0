"""BigCloneBench as CSV exports of its database, with the folders of whole files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from codekin.corpora.corpus import Corpus, Step
from codekin.corpora.pairs import Pairs
from codekin.corpora.reading import CorpusFormat, ReadOptions, records
from codekin.corpora.snippets import (
    EXAMPLE,
    TAGGED_FALSE,
    TAGGED_TRUE,
    Problems,
    Role,
    Snippet,
)
from codekin.errors import CodekinError
from codekin.source import decode

__all__ = ["FORMAT"]

_TABLES = ("functions", "clones", "false_positives")
_BANDS = {"1": "T1", "2": "T2"}

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
    rows = {name: _rows(place, problems) for name, place in tables.items()}
    problems.check()
    files = _Files(options.files or path)
    functions = {_cell(row, "ID"): row for row in rows["functions"]}
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
    notes = (f"{unused:,} functions are in no pair and were left out",) if unused else ()
    step = Step("export", {}, {}, {"functions": len(functions)}, notes)
    return Corpus("", tuple(snippets), pairs, files.texts, (step,))


def _rows(path: Path, problems: Problems) -> list[dict[str, object]]:
    """The rows of an export, their columns in upper case."""
    return [{name.upper(): value for name, value in row.items()} for row in records(path, problems)]


def _cell(row: Row, column: str) -> str:
    value = row.get(column)
    if value is None or value == "":
        raise CodekinError(f"a row without {column}; the export needs this column")
    return str(value)


def _number(row: Row, column: str) -> int | None:
    value = row.get(column)
    try:
        return None if value is None or value == "" else int(str(value))
    except ValueError:
        raise CodekinError(f"{column} must be a whole number, not {value!r}") from None


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
        for column in ("FUNCTION_ID_ONE", "FUNCTION_ID_TWO"):
            tag(_cell(row, column), row, TAGGED_TRUE)
    for row in false_positives:
        name = _cell(row, "FUNCTIONALITY_ID")
        ends = [_cell(row, column) for column in ("FUNCTION_ID_ONE", "FUNCTION_ID_TWO")]
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
    text = files.text(kind, name)
    if text is None:
        problems.add("a file that is not there", f"{kind}/{name}")
        return None
    start, end = _number(row, "STARTLINE"), _number(row, "ENDLINE")
    lines = text.splitlines(keepends=True)
    if start is None or end is None or not 1 <= start <= end <= len(lines):
        problems.add("lines that its file does not have", f"{kind}/{name} {start}-{end}")
        return None
    project = str(row.get("PROJECT") or "") or None
    code = "".join(lines[start - 1 : end])
    return Snippet(identity, "java", code, roles, project, f"{kind}/{name}")


def _pair(row: Row, label: int) -> dict[str, object]:
    kind = _BANDS.get(str(row.get("SYNTACTIC_TYPE"))) if label else None
    ends = {"id1": _cell(row, "FUNCTION_ID_ONE"), "id2": _cell(row, "FUNCTION_ID_TWO")}
    return {**ends, "label": label, "type": kind}


class _Files:
    """The whole files below a folder, found by the last two parts of their paths."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._places: dict[tuple[str, str], Path] | None = None
        self.texts: dict[str, str] = {}

    def text(self, kind: str, name: str) -> str | None:
        """The text of a file; None where it is not there."""
        if self._places is None:
            found = sorted(self._folder.rglob("*.java"))
            self._places = {(one.parent.name.lower(), one.name): one for one in reversed(found)}
        key = f"{kind}/{name}"
        if key not in self.texts:
            place = self._places.get((kind, name))
            if place is None:
                return None
            self.texts[key] = decode(place.read_bytes(), str(place))
        return self.texts[key]


FORMAT = CorpusFormat(
    "bigclonebench",
    "CSV exports of BigCloneBench's database, with the folders of its whole files",
    _recognizes,
    _read,
)
