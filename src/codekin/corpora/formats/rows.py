"""codekin's own rows: a file of snippets, or a folder with one, its pairs and whole files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from codekin.corpora.corpus import Corpus, Step
from codekin.corpora.folder_files import LeftOut
from codekin.corpora.labelled_pairs import Pairs
from codekin.corpora.reading import (
    CorpusFormat,
    ReadOptions,
    pair_records,
    read_code,
    records,
    snippets_of_rows,
)
from codekin.corpora.snippets import Problems, Snippet, contradictions, merged
from codekin.errors import CodekinError
from codekin.opening import UnreadableFileError
from codekin.results import count_text

__all__ = ["FORMAT", "is_rows"]

_SUFFIXES = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet", ".pq")
_PACKED = (".gz", ".xz", ".zst", ".bz2")


def is_rows(path: Path) -> bool:
    """Whether a file has rows, by its name."""
    name = path.name.lower()
    for packed in _PACKED:
        name = name.removesuffix(packed)
    return name.endswith(_SUFFIXES) and not path.is_dir()


def _named(folder: Path, stem: str) -> list[Path]:
    """The files of rows in a folder whose name begins with a word."""
    found = (one for one in folder.iterdir() if one.name.partition(".")[0] == stem)
    return sorted(one for one in found if is_rows(one))


def _recognizes(path: Path) -> bool:
    return is_rows(path) or (path.is_dir() and bool(_named(path, "snippets")))


def _read(path: Path, options: ReadOptions) -> Corpus:
    problems = Problems(str(path))
    folder = path if path.is_dir() else None
    paths = (
        [path] if folder is None else _named(folder, "snippets") + _named(folder, "tagged_false")
    )
    if not paths:
        raise CodekinError(f"{path}: has no file named snippets, such as snippets.jsonl")
    given = snippets_of_rows(paths, options, problems, folder)
    snippets = merged(given, problems)
    problems.check()
    pairs = None
    listed = [] if folder is None else _named(folder, "pairs")
    if listed:
        rows = [
            row
            for document in listed
            for row in pair_records(document, problems, folder, options.columns)
        ]
        pairs = Pairs.of_rows(rows, snippets, problems)
        problems.check()
    left_out: LeftOut = {}
    if options.files is not None and options.files.is_dir():
        files = _files_below(options.files, snippets, left_out)
    else:
        files = _whole_files(options.files, folder, problems)
    problems.check()
    notes = (*problems.notes, *_repeated(given), *_contradictions(snippets))
    step = Step("rows", notes=notes, left_out=left_out)
    return Corpus("", tuple(snippets), pairs, files, (step,))


def _whole_files(given: Path | None, folder: Path | None, problems: Problems) -> dict[str, str]:
    """Rows of whole files, by source and name as the snippets name them."""
    within = folder if given is None else None
    paths = [given] if given is not None else [] if folder is None else _named(folder, "files")
    found: dict[str, str] = {}
    for path in paths:
        for i, row in enumerate(records(path, problems, within), 1):
            file, text, source = row.get("file"), row.get("text"), row.get("source")
            if not isinstance(file, str) or not isinstance(text, str):
                problems.add("a whole file without its name or text", f"{path.name}, row {i}")
                continue
            name = f"{source}/{file}" if source else file
            if found.setdefault(name, text) != text:
                problems.add("the same file with another text", name)
    return found


def _files_below(folder: Path, snippets: list[Snippet], left_out: LeftOut) -> dict[str, str]:
    """The files that snippets name, out of a folder; those that cannot be read are left out."""
    found: dict[str, str] = {}
    for name in dict.fromkeys(one.file for one in snippets if one.file is not None):
        try:
            found[name] = read_code(folder, name)
        except UnreadableFileError as error:
            left_out[name] = error.reason
    return found


def _repeated(given: list[Snippet]) -> tuple[str, ...]:
    """What to say about rows that are equal to another one."""
    repeated = [one.id for one, times in Counter(given).items() for _ in range(times - 1)]
    if not repeated:
        return ()
    were = "was" if len(repeated) == 1 else "were"
    names = list(dict.fromkeys(repeated))
    first = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
    return (f"{count_text(len(repeated), 'repeated row')} {were} left out: {first}",)


def _contradictions(snippets: list[Snippet]) -> tuple[str, ...]:
    """What to say about snippets that are tagged as having a functionality and as lacking it."""
    found = contradictions(snippets)
    if not found:
        return ()
    first = ", ".join(f"{one.id} ({name})" for one, name in found[:3])
    return (
        f"{count_text(len(found), 'snippet')} tagged both as having a functionality and as lacking "
        f"it: {first}{', …' if len(found) > 3 else ''}",
    )


FORMAT = CorpusFormat(
    "rows", "a file of snippets in codekin's rows, or a folder with one", _recognizes, _read
)
