"""POJ-104, also known as OJClone: JSON lines with the problem as label, or folders by problem."""

from __future__ import annotations

import json
from pathlib import Path

from codekin.corpora.corpus import Corpus
from codekin.corpora.formats.codejam import read_program
from codekin.corpora.reading import CorpusFormat, ReadOptions, records
from codekin.corpora.snippets import Problems, Snippet, merged, snippet_of
from codekin.errors import CodekinError

__all__ = ["FORMAT"]

_SUFFIXES = (".txt", ".c", ".cpp", ".cc")


def _recognizes(path: Path) -> bool:
    if path.is_dir():
        problems = [one for one in path.iterdir() if one.is_dir() and one.name.isdigit()]
        return any(one.suffix in _SUFFIXES for folder in problems for one in folder.iterdir())
    if path.suffix != ".jsonl":
        return False
    with path.open(encoding="utf-8", errors="replace") as stream:
        try:
            first = json.loads(stream.readline(1 << 20))
        except ValueError:
            return False
    return isinstance(first, dict) and {"label", "code", "index"} <= set(first)


def _read(path: Path, options: ReadOptions) -> Corpus:
    problems = Problems(str(path))
    language = options.language or "cpp"
    found = (
        _folders(path, language, problems) if path.is_dir() else _lines(path, language, problems)
    )
    snippets = merged(found, problems)
    problems.check()
    return Corpus("", tuple(snippets))


def _lines(path: Path, language: str, problems: Problems) -> list[Snippet]:
    found = []
    for i, row in enumerate(records(path, problems), 1):
        problem = row.get("label")
        if problem is None:
            problems.add("a row without label", f"line {i}")
            continue
        given = {
            "id": f"{problem}/{row.get('index', i)}",
            "language": language,
            "functionality": problem,
            "code": row.get("code"),
        }
        try:
            found.append(snippet_of(given, str(i)))
        except CodekinError as error:
            problems.add(str(error), f"line {i}")
    return found


def _folders(path: Path, language: str, problems: Problems) -> list[Snippet]:
    folders = [one for one in path.iterdir() if one.is_dir() and not one.name.startswith(".")]
    found = []
    for folder in sorted(folders, key=lambda one: (len(one.name), one.name)):
        files = [one for one in folder.iterdir() if one.suffix in _SUFFIXES]
        for file in sorted(files, key=lambda one: (len(one.name), one.name)):
            identity = f"{folder.name}/{file.stem}"
            one = read_program(file, identity, folder.name, None, language, problems)
            found += [] if one is None else [one]
    return found


FORMAT = CorpusFormat(
    "poj104",
    "POJ-104: JSON lines with label and index, or a folder per problem",
    _recognizes,
    _read,
)
