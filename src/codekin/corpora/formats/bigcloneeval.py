"""A clone report as BigCloneEval takes it: dir,file,start,end of either fragment on a line."""

from __future__ import annotations

import csv
from pathlib import Path

from codekin.corpora.corpus import Corpus
from codekin.corpora.pairs import Pairs
from codekin.corpora.reading import CorpusFormat, ReadOptions
from codekin.corpora.snippets import Problems, Snippet
from codekin.errors import CodekinError
from codekin.languages import language_of_file
from codekin.source import decode

__all__ = ["FORMAT"]


def _fields(line: list[str]) -> tuple[str, str, int, int, str, str, int, int] | None:
    if len(line) != 8:
        return None
    try:
        ends = [int(line[i]) for i in (2, 3, 6, 7)]
    except ValueError:
        return None
    return line[0], line[1], ends[0], ends[1], line[4], line[5], ends[2], ends[3]


def _recognizes(path: Path) -> bool:
    if not path.is_file() or path.suffix.lower() != ".csv":
        return False
    with path.open(encoding="utf-8", errors="replace", newline="") as stream:
        first = next(csv.reader(stream), [])
    return _fields([one.strip() for one in first]) is not None


def _read(path: Path, options: ReadOptions) -> Corpus:
    if options.files is None:
        raise CodekinError(f"{path}: name the folder that its files are in with --files")
    problems = Problems(str(path))
    snippets: dict[str, Snippet] = {}
    rows = []
    texts: dict[Path, list[str]] = {}
    with path.open(encoding="utf-8", errors="replace", newline="") as stream:
        for i, line in enumerate(csv.reader(stream), 1):
            found = _fields([one.strip() for one in line])
            if found is None:
                if line:
                    problems.add("a line other than dir,file,start,end twice", f"line {i}")
                continue
            ends = []
            for folder, file, start, end in (found[:4], found[4:]):
                identity = f"{folder}/{file}:{start}-{end}"
                ends.append(identity)
                if identity not in snippets:
                    place = options.files / folder / file
                    one = _fragment(place, identity, start, end, texts, options, problems)
                    snippets |= {} if one is None else {identity: one}
            rows.append({"id1": ends[0], "id2": ends[1], "basis": "reported"})
    problems.check()
    pairs = Pairs.of_rows(rows, tuple(snippets.values()), problems)
    problems.check()
    return Corpus("", tuple(snippets.values()), pairs)


def _fragment(
    place: Path,
    identity: str,
    start: int,
    end: int,
    texts: dict[Path, list[str]],
    options: ReadOptions,
    problems: Problems,
) -> Snippet | None:
    language = options.language
    if language is None:
        by_name = language_of_file(place)
        language = None if by_name is None else by_name.name
    if language is None:
        problems.add("a file whose name does not say its language (--language)", place.name)
        return None
    if place not in texts:
        try:
            texts[place] = decode(place.read_bytes(), str(place)).splitlines(keepends=True)
        except (OSError, CodekinError):
            problems.add("a file that cannot be read", str(place))
            return None
    lines = texts[place]
    if not 1 <= start <= end <= len(lines):
        problems.add("lines that its file does not have", identity)
        return None
    project, _, _ = identity.rpartition("/")
    code = "".join(lines[start - 1 : end])
    file = identity.rpartition(":")[0]
    return Snippet(identity, language, code, (), project, file)


FORMAT = CorpusFormat(
    "bigcloneeval",
    "a clone report as BigCloneEval takes it, dir,file,start,end,dir,file,start,end",
    _recognizes,
    _read,
)
