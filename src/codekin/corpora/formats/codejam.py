"""Google Code Jam: programs whose file names say the problem and the author."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from codekin.corpora.corpus import Corpus, Step
from codekin.corpora.folder_files import UNKNOWN_SUFFIX, LeftOut, file_name, files_below
from codekin.corpora.reading import CorpusFormat, ReadOptions, text_of
from codekin.corpora.snippets import Problems, Role, Snippet, merged
from codekin.languages import language_of_file

__all__ = ["FORMAT", "corpus_of_programs", "read_program"]

_NAMES = (
    re.compile(r"googlejam(?P<problem>\d+)\.(?P<author>[^.]+)\.[^.]+\.\w+"),
    re.compile(r"\d+_(?P<problem>\d+)_(?P<author>.+?)(?:_main|_\d+)?\.\w+"),
    re.compile(r"(?P<author>[^_.]+)_(?P<problem>\d+)\.\w+"),
)
"""googlejam1.p003.Mushroom.java; ROUND_PROBLEM_AUTHOR.cpp; AUTHOR_PROBLEM.java."""


def _recognizes(path: Path) -> bool:
    if not path.is_dir():
        return False
    names = [file.name for file in _programs(path, {})[:20]]
    return bool(names) and all(_parts(name) for name in names)


def _programs(path: Path, left_out: LeftOut) -> list[Path]:
    found = []
    for file in files_below(path, left_out):
        if language_of_file(file) is not None:
            found.append(file)
        else:
            left_out[file_name(file.relative_to(path).as_posix())] = UNKNOWN_SUFFIX
    return found


def _parts(name: str) -> re.Match[str] | None:
    return next((found for one in _NAMES if (found := one.fullmatch(name))), None)


def _read(path: Path, options: ReadOptions) -> Corpus:
    problems = Problems(str(path))
    left_out: LeftOut = {}
    found = []
    for file in _programs(path, left_out):
        parts = _parts(file_name(file.name))
        if parts is None:
            problems.add("a file name without a problem and an author", file_name(file.name))
            continue
        language = language_of_file(file)
        assert language is not None
        one = read_program(
            path,
            file,
            file_name(file.relative_to(path).as_posix()),
            parts["problem"],
            parts["author"],
            options.language or language.name,
            problems,
        )
        found += [] if one is None else [one]
    return corpus_of_programs(found, problems, left_out)


def corpus_of_programs(
    programs: Iterable[Snippet], problems: Problems, left_out: LeftOut
) -> Corpus:
    """The corpus of some programs, unless there were problems with them."""
    snippets = merged(programs, problems)
    problems.check()
    return Corpus("", tuple(snippets), steps=(Step("programs", left_out=left_out),))


def read_program(
    folder: Path,
    file: Path,
    identity: str,
    problem: str,
    author: str | None,
    language: str,
    problems: Problems,
) -> Snippet | None:
    """A whole program in a folder as a snippet; None where it cannot be read, a problem."""
    shown = file_name(file.name)
    code = text_of(folder, os.fspath(file.relative_to(folder)), problems, shown)
    if code is None:
        return None
    return Snippet(identity, language, code, (Role(problem),), author)


FORMAT = CorpusFormat(
    "codejam",
    "a folder of Google Code Jam's programs, problem and author in their names",
    _recognizes,
    _read,
)
