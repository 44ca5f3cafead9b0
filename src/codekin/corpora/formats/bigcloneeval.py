"""A clone report as BigCloneEval takes it: dir,file,start,end of either fragment on a line."""

from __future__ import annotations

import csv
from pathlib import Path

from codekin.corpora.corpus import Corpus
from codekin.corpora.folder_files import lines_of
from codekin.corpora.labelled_pairs import Pairs
from codekin.corpora.reading import CorpusFormat, ReadOptions, lines_between, text_of
from codekin.corpora.snippets import Problems, Snippet
from codekin.errors import CodekinError
from codekin.languages import language_of_file

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
    first = next(csv.reader(lines_of(path, typed=True)), [])
    return _fields([one.strip() for one in first]) is not None


def _read(path: Path, options: ReadOptions) -> Corpus:
    if options.files is None:
        raise CodekinError(
            f"{path}: name the folder that its files are in: codekin corpus read --files FOLDER"
        )
    problems = Problems(str(path))
    snippets: dict[str, Snippet] = {}
    rows = []
    texts: dict[str, str | None] = {}
    for i, line in enumerate(csv.reader(lines_of(path, typed=True)), 1):
        found = _fields([cell.strip() for cell in line])
        if found is None:
            if line:
                problems.add("a line other than dir,file,start,end twice", f"line {i}")
            continue
        ends = []
        for folder, file, start, end in (found[:4], found[4:]):
            identity = f"{folder}/{file}:{start}-{end}"
            ends.append(identity)
            if identity not in snippets:
                name = f"{folder}/{file}"
                if name not in texts:
                    texts[name] = text_of(options.files, name, problems)
                one = _fragment(name, start, end, texts[name], options, problems)
                snippets |= {} if one is None else {identity: one}
        rows.append({"id1": ends[0], "id2": ends[1], "basis": "reported"})
    problems.check()
    pairs = Pairs.of_rows(rows, tuple(snippets.values()), problems)
    problems.check()
    return Corpus("", tuple(snippets.values()), pairs)


def _fragment(
    name: str, start: int, end: int, text: str | None, options: ReadOptions, problems: Problems
) -> Snippet | None:
    by_name = language_of_file(Path(name))
    language = options.language or (by_name.name if by_name is not None else None)
    if language is None:
        problems.add("a file whose name does not say its language (corpus read --language)", name)
        return None
    if text is None:
        return None
    identity = f"{name}:{start}-{end}"
    code = lines_between(text, start, end)
    if code is None:
        problems.add("lines that its file does not have", identity)
        return None
    folder = name.rpartition("/")[0]
    return Snippet(identity, language, code, (), folder, name, None, (start, end))


FORMAT = CorpusFormat(
    "bigcloneeval",
    "a clone report as BigCloneEval takes it, dir,file,start,end,dir,file,start,end",
    _recognizes,
    _read,
)
