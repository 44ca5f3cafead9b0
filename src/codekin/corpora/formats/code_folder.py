"""Any folder of code: one snippet per function."""

from __future__ import annotations

from pathlib import Path

from codekin.corpora.corpus import Corpus, Step
from codekin.corpora.reading import CorpusFormat, ReadOptions
from codekin.corpora.snippets import Snippet
from codekin.groups.code_files import read_code_files
from codekin.represent.tree.fragments import functions_of

__all__ = ["FORMAT"]


def _recognizes(path: Path) -> bool:
    return path.is_dir()


def _read(path: Path, options: ReadOptions) -> Corpus:
    """The project of a snippet is the first folder below the path, if there are several."""
    # In a folder, only files whose suffix says their language are read.
    read = read_code_files([path], None if path.is_dir() else options.language)
    snippets = []
    for name, source in read.sources.items():
        folder = Path(name).parts[0] if len(Path(name).parts) > 1 else None
        seen: dict[str, int] = {}
        for one in functions_of(source.tree, source.data, source.language):
            identity = f"{name}:{one.first_line}-{one.last_line}"
            seen[identity] = seen.get(identity, 0) + 1
            if seen[identity] > 1:  # several on one line
                identity += f"#{seen[identity]}"
            code = one.text(source.data)
            snippets.append(Snippet(identity, source.language.name, code, (), folder, name))
    notes = tuple(f"{name}: {why}" for name, why in list(read.unusable.items())[:5])
    if len(read.unusable) > 5:
        notes += (f"{len(read.unusable) - 5:,} more files could not be read",)
    counts = {"files": len(read.sources), "unusable files": len(read.unusable)}
    return Corpus("", tuple(snippets), None, {}, (Step("code", {}, {}, counts, notes),))


FORMAT = CorpusFormat("code", "a folder of code, one snippet per function", _recognizes, _read)
