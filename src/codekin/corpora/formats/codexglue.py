"""BigCloneBench as CodeXGLUE has it: data.jsonl with the functions, and lists of pairs by side."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from codekin.corpora.corpus import Corpus, Step
from codekin.corpora.folder_files import lines_of
from codekin.corpora.labelled_pairs import Pairs
from codekin.corpora.reading import CorpusFormat, ReadOptions, records
from codekin.corpora.snippets import Problems, merged, snippet_of
from codekin.errors import CodekinError

__all__ = ["FORMAT"]

_SIDES = {"train.txt": "train", "valid.txt": "validation", "test.txt": "test"}


def _place(path: Path) -> Path:
    """The folder of the files: CodeXGLUE has them in ``dataset``, beside its code."""
    below = path / "dataset"
    inside = not os.path.lexists(path / "data.jsonl") and below.is_dir() and not below.is_symlink()
    return below if inside else path


def _recognizes(path: Path) -> bool:
    path = _place(path)
    names = ("data.jsonl", *_SIDES)
    there = [os.path.lexists(path / name) for name in names]
    return there[0] and any(there[1:])


def _read(path: Path, options: ReadOptions) -> Corpus:
    problems = Problems(str(path))
    path = _place(path)
    language = options.language or "java"
    found = []
    for i, row in enumerate(records(path / "data.jsonl", problems, path), 1):
        given = {"id": row.get("idx"), "code": row.get("func"), "language": language}
        try:
            found.append(snippet_of(given, str(i)))
        except CodekinError as error:
            problems.add(str(error), f"data.jsonl, line {i}")
    snippets = merged(found, problems)
    problems.check()
    pairs = Pairs.of_rows(_pairs(path, problems), snippets, problems)
    problems.check()
    if options.language is None:
        problems.note("language java, as BigCloneBench is; --language names another")
    return Corpus("", tuple(snippets), pairs, {}, (Step("functions", notes=tuple(problems.notes)),))


def _pairs(path: Path, problems: Problems) -> Iterator[Mapping[str, object]]:
    for name, side in _SIDES.items():
        if not os.path.lexists(path / name):
            continue
        for i, line in enumerate(lines_of(path / name, within=path), 1):
            fields = line.split()
            if len(fields) == 3:
                yield {"id1": fields[0], "id2": fields[1], "label": fields[2], "side": side}
            elif fields:
                problems.add("a line without two ids and a label", f"{name}, line {i}")


FORMAT = CorpusFormat(
    "codexglue",
    "the folder of CodeXGLUE's BigCloneBench: data.jsonl, train.txt, valid.txt, test.txt",
    _recognizes,
    _read,
)
