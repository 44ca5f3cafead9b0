"""POJ-104, also known as OJClone: JSON lines with the problem as label, or folders by problem."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from codekin.corpora.corpus import Corpus
from codekin.corpora.folder_files import LeftOut, file_name, files_below
from codekin.corpora.formats.codejam import corpus_of_programs, read_program
from codekin.corpora.reading import CorpusFormat, ReadOptions, records
from codekin.corpora.snippets import Problems, Snippet, snippet_of
from codekin.errors import CodekinError
from codekin.opening import UnreadableFileError, open_file, parse_json

__all__ = ["FORMAT"]

_SUFFIXES = (".txt", ".c", ".cpp", ".cc")
_SIDES = {"train.jsonl": "train", "valid.jsonl": "validation", "test.jsonl": "test"}


def _recognizes(path: Path) -> bool:
    if path.is_dir():
        tables = _tables(path)
        if tables:
            return all(_is_table(place, path) for place in tables)
        problems = [one for one in path.iterdir() if one.is_dir() and one.name.isdigit()]
        return any(one.suffix in _SUFFIXES for folder in problems for one in folder.iterdir())
    return path.suffix == ".jsonl" and _is_table(path)


def _tables(folder: Path) -> dict[Path, str]:
    """CodeXGLUE's files of a folder with the side of each."""
    return {folder / name: side for name, side in _SIDES.items() if os.path.lexists(folder / name)}


def _is_table(path: Path, within: Path | None = None) -> bool:
    """Whether the first line of a file is a program with its problem as label."""
    try:
        with open_file(path, typed=within is None, within=within) as stream:
            first = parse_json(stream.readline(1 << 20), path)
    except UnreadableFileError:
        return False
    return isinstance(first, dict) and {"label", "code", "index"} <= set(first)


def _read(path: Path, options: ReadOptions) -> Corpus:
    problems = Problems(str(path))
    language = options.language or "cpp"
    left_out: LeftOut = {}
    tables = _tables(path) if path.is_dir() else {}
    if tables:
        found = [
            replace(program, side=side)
            for place, side in tables.items()
            for program in _lines(place, language, problems, path)
        ]
    elif path.is_dir():
        found = _folders(path, language, problems, left_out)
    else:
        found = _lines(path, language, problems)
    return corpus_of_programs(found, problems, left_out)


def _lines(
    path: Path, language: str, problems: Problems, within: Path | None = None
) -> list[Snippet]:
    found = []
    for i, row in enumerate(records(path, problems, within), 1):
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


def _folders(path: Path, language: str, problems: Problems, left_out: LeftOut) -> list[Snippet]:
    files = []
    for file in files_below(path, left_out):
        folders = file.relative_to(path).parts[:-1]
        if len(folders) == 1 and not folders[0].startswith(".") and file.suffix in _SUFFIXES:
            files.append(file)
        else:
            name = file_name(file.relative_to(path).as_posix())
            left_out[name] = f"is not in a folder of a problem and {', '.join(_SUFFIXES)}"
    found = []
    for file in sorted(files, key=_order):
        problem = file_name(file.parent.name)
        identity = f"{problem}/{file_name(file.stem)}"
        program = read_program(path, file, identity, problem, None, language, problems)
        found += [] if program is None else [program]
    return found


def _order(file: Path) -> tuple[int, str, int, str]:
    """Numbers in names in their order."""
    folder, name = file.parent.name, file.name
    return len(folder), folder, len(name), name


FORMAT = CorpusFormat(
    "poj104",
    "POJ-104: JSON lines with label and index, CodeXGLUE's three files of them, or a folder per "
    "problem",
    _recognizes,
    _read,
)
