"""GPTCloneBench: folders of true and false semantic clones, each file a pair of functions."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from codekin.corpora.corpus import Corpus, Step
from codekin.corpora.folder_files import UNKNOWN_SUFFIX, LeftOut, file_name, files_below
from codekin.corpora.labelled_pairs import Pairs
from codekin.corpora.reading import CorpusFormat, ReadOptions, text_of
from codekin.corpora.snippets import Problems, Snippet
from codekin.languages import language_of_file
from codekin.represent.tree.fragments import functions_of
from codekin.results import count_text
from codekin.source import Source

__all__ = ["FORMAT"]

_TRUE, _FALSE = "true_semantic_clones", "false_semantic_clones"
_TYPES = ("MT3", "T4")
_NOT_TWO = "does not have two functions"


def _folder(path: Path) -> Path | None:
    """The folder that has the two others: the path itself, or its folder ``standalone``."""
    inside = path / "standalone"
    for place in (path,) if inside.is_symlink() else (path, inside):
        if place.is_dir() and any((place / name).is_dir() for name in (_TRUE, _FALSE)):
            return place
    return None


def _recognizes(path: Path) -> bool:
    return _folder(path) is not None


def _read(path: Path, options: ReadOptions) -> Corpus:
    folder = _folder(path) or path
    problems = Problems(str(path))
    left_out: LeftOut = {}
    snippets: list[Snippet] = []
    rows: list[Mapping[str, object]] = []
    for file in files_below(folder, left_out):
        name = file_name(file.relative_to(folder).as_posix())
        parts = Path(name).parts
        if parts[0] not in (_TRUE, _FALSE):
            continue
        pair = list(_pair(folder, file, name, options, problems, left_out))
        if pair:
            snippets += pair
            kind = next((part for part in parts if part in _TYPES), None)
            label = 1 if parts[0] == _TRUE else None
            ends = {"id1": pair[0].id, "id2": pair[1].id}
            rows.append({**ends, "label": label, "type": kind, "basis": parts[0]})
    problems.check()
    pairs = Pairs.of_rows(rows, snippets, problems)
    counts = Counter(row["basis"] for row in rows)
    notes = []
    if counts[_FALSE]:
        notes.append(
            f"{count_text(counts[_FALSE], 'pair')} of {_FALSE} have no label: the benchmark has "
            "clones of types 1 and 2 there, not pairs of unlike code"
        )
    return Corpus(
        "",
        tuple(snippets),
        pairs,
        {},
        (Step("clones", {}, {}, {}, tuple(notes), left_out=left_out),),
    )


def _pair(
    folder: Path,
    file: Path,
    name: str,
    options: ReadOptions,
    problems: Problems,
    left_out: LeftOut,
) -> Iterator[Snippet]:
    """The two functions of a file; none where it does not have two, which is recorded."""
    by_name = language_of_file(file)
    language = options.language or (by_name.name if by_name is not None else None)
    if language is None:
        left_out[name] = UNKNOWN_SUFFIX
        return
    text = text_of(folder, os.fspath(file.relative_to(folder)), problems, name)
    if text is None:
        return
    source = Source(text, language)
    functions = functions_of(source.tree, source.data, source.language, nested=False)
    if len(functions) != 2:
        left_out[name] = _NOT_TWO
        return
    for number, function in enumerate(functions, 1):
        lines = (function.first_line, function.last_line)
        code = function.text(source.data)
        yield Snippet(f"{name}#{number}", source.language.name, code, (), None, name, None, lines)


FORMAT = CorpusFormat(
    "gptclonebench",
    "the folder of GPTCloneBench: true_semantic_clones, false_semantic_clones",
    _recognizes,
    _read,
)
