"""Any folder of code: one snippet per function."""

from __future__ import annotations

import os
from pathlib import Path

from codekin.corpora.corpus import Corpus, Step
from codekin.corpora.folder_files import UNKNOWN_SUFFIX, LeftOut, file_name, files_below
from codekin.corpora.reading import CorpusFormat, ReadOptions
from codekin.corpora.snippets import Snippet
from codekin.groups.code_files import CodeFiles, read_code_files
from codekin.languages import language_of_file
from codekin.represent.tree.fragments import functions_of

__all__ = ["FORMAT"]


def _recognizes(path: Path) -> bool:
    return path.is_dir()


def _read(path: Path, options: ReadOptions) -> Corpus:
    """The project of a snippet is the first folder below the path, if there are several."""
    # In a folder, only files whose suffix says their language are read.
    read = read_code_files([path], None if path.is_dir() else options.language)
    snippets = []
    for given, source in read.sources.items():
        name = file_name(given)
        folder = Path(name).parts[0] if len(Path(name).parts) > 1 else None
        seen: dict[str, int] = {}
        for one in functions_of(source.tree, source.data, source.language):
            identity = f"{name}:{one.first_line}-{one.last_line}"
            seen[identity] = seen.get(identity, 0) + 1
            if seen[identity] > 1:  # several on one line
                identity += f"#{seen[identity]}"
            code = one.text(source.data)
            lines = (one.first_line, one.last_line)
            snippets.append(
                Snippet(identity, source.language.name, code, (), folder, name, None, lines)
            )
    counts = {"files": len(read.sources), "unusable files": len(read.unusable)}
    left_out = _left_out(path, read) if path.is_dir() else {}
    step = Step("code", {}, {}, counts, left_out=left_out)
    return Corpus("", tuple(snippets), None, {}, (step,))


def _left_out(path: Path, read: CodeFiles) -> LeftOut:
    """What was not read, with the reason, by its path in the folder."""

    def inside(name: str) -> str:
        return os.path.relpath(Path(read.folder, name), path)

    used = {inside(name) for name in read.sources}
    reasons = {inside(name): reason for name, reason in read.unusable.items()}
    left_out: LeftOut = {}
    for file in files_below(path, left_out, hidden=False):
        name = os.fspath(file.relative_to(path))
        if name not in used:
            known = language_of_file(file) is not None
            left_out[file_name(name)] = "belongs to version control" if known else UNKNOWN_SUFFIX
    return left_out | {file_name(name): reason for name, reason in reasons.items()}


FORMAT = CorpusFormat("code", "a folder of code, one snippet per function", _recognizes, _read)
