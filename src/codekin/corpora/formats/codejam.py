"""Google Code Jam: programs whose file names say the problem and the author."""

from __future__ import annotations

import re
from pathlib import Path

from codekin.corpora.corpus import Corpus
from codekin.corpora.reading import CorpusFormat, ReadOptions, text_of
from codekin.corpora.snippets import Problems, Role, Snippet, merged
from codekin.languages import language_of_file

__all__ = ["FORMAT", "read_program"]

_NAMES = (
    re.compile(r"googlejam(?P<problem>\d+)\.(?P<author>[^.]+)\.[^.]+\.\w+"),
    re.compile(r"\d+_(?P<problem>\d+)_(?P<author>.+?)(?:_main|_\d+)?\.\w+"),
    re.compile(r"(?P<author>[^_.]+)_(?P<problem>\d+)\.\w+"),
)
"""googlejam1.p003.Mushroom.java; ROUND_PROBLEM_AUTHOR.cpp; AUTHOR_PROBLEM.java."""


def _recognizes(path: Path) -> bool:
    if not path.is_dir():
        return False
    names = [one.name for _, one in zip(range(20), _programs(path), strict=False)]
    return bool(names) and all(_parts(name) for name in names)


def _programs(path: Path) -> list[Path]:
    return sorted(one for one in path.rglob("*.*") if one.is_file() and language_of_file(one))


def _parts(name: str) -> re.Match[str] | None:
    return next((found for one in _NAMES if (found := one.fullmatch(name))), None)


def _read(path: Path, options: ReadOptions) -> Corpus:
    problems = Problems(str(path))
    found = []
    for file in _programs(path):
        parts = _parts(file.name)
        if parts is None:
            problems.add("a file name without a problem and an author", file.name)
            continue
        language = language_of_file(file)
        assert language is not None
        one = read_program(
            file,
            file.relative_to(path).as_posix(),
            parts["problem"],
            parts["author"],
            options.language or language.name,
            problems,
        )
        found += [] if one is None else [one]
    snippets = merged(found, problems)
    problems.check()
    return Corpus("", tuple(snippets))


def read_program(
    file: Path,
    identity: str,
    problem: str,
    author: str | None,
    language: str,
    problems: Problems,
) -> Snippet | None:
    """A whole program as a snippet; None where it cannot be read, which is a problem."""
    code = text_of(file, file.name, problems)
    if code is None:
        return None
    return Snippet(identity, language, code, (Role(problem),), author)


FORMAT = CorpusFormat(
    "codejam",
    "a folder of Google Code Jam's programs, problem and author in their names",
    _recognizes,
    _read,
)
