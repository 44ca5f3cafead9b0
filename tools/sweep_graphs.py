"""Semantic graphs of whole folders and of the grammars' own test corpora.

    python tools/sweep_graphs.py                       # this Python's standard library
    python tools/sweep_graphs.py FOLDER...             # every file of a language with graphs
    python tools/sweep_graphs.py --corpus SDIST...     # folders or .tar.gz of tree-sitter grammars

On Debian, the tests of the standard library are a separate package (libpython3.11-testsuite); the
sdists of the grammars come from ``pip download --no-binary :all: --no-deps tree-sitter-python``. In
a corpus, each case in ``test/corpus/*.txt`` and each file in ``examples/`` is a text.

Every text goes through :func:`codekin.semantic_graph`, by our conventions and by Joern's, in a
child process with a limit on time and memory. The last line gives the totals; the exit code is 1 if
anything hung, died, ran out of memory, or raised another exception than CodekinError.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import sysconfig
import tarfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path, PurePosixPath

from codekin import semantic_graph
from codekin.errors import CodekinError
from codekin.languages import languages
from codekin.source import Source
from limited_children import LimitedChild

SUFFIXES = {
    ".py": "python",
    ".java": "java",
    ".c": "c",
    ".h": "c",
    ".cc": "cpp",
    ".cpp": "cpp",
    ".hpp": "cpp",
    ".js": "javascript",
    ".ts": "typescript",
    ".go": "go",
    ".rs": "rust",
}
PRESETS = (None, "joern")
FAULTS = {
    "hang": "hangs",
    "death": "crashes",
    "out of memory": "out of memory",
    "foreign exception": "foreign exceptions",
}
_FAULTS: dict[str, str] = dict(
    zip(("hang", "crash", "out of memory", "exception"), FAULTS, strict=True)
)
_CASE = re.compile(
    r"^={3,}[^\n]*\n(?:[^\n]+\n)+?={3,}[^\n]*\n(?P<code>.*?)^-{3,}[^\n]*$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Text:
    """A text to build graphs of: its name, language and code."""

    name: str
    language: str
    code: str


def files_of(folder: Path) -> Iterator[Text]:
    """The files of a folder, at any depth, in languages with semantic graphs."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in SUFFIXES and path.is_file():
            code = path.read_text(encoding="utf-8", errors="replace")
            yield Text(str(path), SUFFIXES[path.suffix], code)


def corpus_of(place: Path) -> Iterator[Text]:
    """The cases and examples of a grammar: a folder, or an sdist."""
    for name, content in _members(place):
        path = PurePosixPath(name)
        language = _grammar_language(name) or _grammar_language(place.name)
        if language is None:
            continue
        code = content.decode("utf-8", "replace").replace("\r\n", "\n")
        if "corpus" in path.parts and path.suffix == ".txt":
            for number, case in enumerate(_CASE.finditer(code), 1):
                yield Text(f"{place.name}:{name}#{number}", language, case["code"])
        elif "examples" in path.parts:
            yield Text(f"{place.name}:{name}", language, code)


def _members(place: Path) -> Iterator[tuple[str, bytes]]:
    if place.is_dir():
        for path in sorted(place.rglob("*")):
            if path.is_file():
                yield path.relative_to(place).as_posix(), path.read_bytes()
        return
    with tarfile.open(place) as archive:
        for member in archive:
            content = archive.extractfile(member) if member.isfile() else None
            if content is not None:
                yield member.name, content.read()


def _grammar_language(name: str) -> str | None:
    """The language whose name is among the words of a path, if it has graphs."""
    known = {one.name for one in languages() if one.lowering is not None}
    words = re.split(r"[^a-z+#]+", name.lower())
    return next((word for word in words if word in known), None)


def graphs_of(text: Text) -> tuple[str, str]:
    """Build the graphs of a text; returns the outcome, and the reason if there is no graph."""
    try:
        source = Source(text.code, text.language)
        graphs = [semantic_graph(source, preset=preset) for preset in PRESETS]
    except CodekinError as error:
        return "refusal", str(error)
    return "graph" if all(graph.complete for graph in graphs) else "incomplete graph", ""


@dataclass
class Sweep:
    """The outcomes of texts, each in a child process."""

    child: LimitedChild[Text, tuple[str, str]]
    found: Counter[str] = field(default_factory=Counter)
    texts: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")

    def add(self, text: Text) -> None:
        """Build the graphs of a text and count the outcome."""
        start = time.perf_counter()
        ended = self.child.outcome(text)
        outcome, reason = ended.value or (_FAULTS[ended.kind], ended.reason)
        self.slowest = max(self.slowest, (time.perf_counter() - start, text.name))
        self.texts[text.language] += 1
        self.found[outcome] += 1
        if outcome != "graph":
            said = {"text": text.name, "bytes": len(text.code), "outcome": outcome}
            print(json.dumps(said | ({"reason": reason} if reason else {})), flush=True)

    def totals(self) -> str:
        """One line."""
        count = sum(self.texts.values())
        by_language = ", ".join(f"{n} {name}" for name, n in sorted(self.texts.items()))
        faults = ", ".join(f"{self.found[fault]} {many}" for fault, many in FAULTS.items())
        return (
            f"{count} files ({by_language}): {self.found['graph']} graphs, "
            f"{self.found['incomplete graph']} incomplete graphs, "
            f"{self.found['refusal']} refusals, {faults}"
        )


def main() -> int:
    """Sweep the given folders; 1 if anything went wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="*", type=Path, help="default: the standard library")
    parser.add_argument("--corpus", nargs="*", type=Path, default=[], help="grammars' sdists")
    parser.add_argument("--seconds", type=float, default=30, help="of processor time, per file")
    parser.add_argument("--megabytes", type=int, default=2048, help="by which the child may grow")
    parser.add_argument("--most", type=int, help="stop after this many files")
    arguments = parser.parse_args()
    folders = arguments.folders
    if not folders and not arguments.corpus:
        folders = [Path(sysconfig.get_path("stdlib"))]
    texts = chain(
        chain.from_iterable(map(files_of, folders)),
        chain.from_iterable(map(corpus_of, arguments.corpus)),
    )
    limits = {"seconds": arguments.seconds, "megabytes": arguments.megabytes}
    with LimitedChild[Text, tuple[str, str]](lambda: graphs_of, **limits) as child:
        sweep = Sweep(child)
        for text in islice(texts, arguments.most):
            sweep.add(text)
    print(f"slowest: {sweep.slowest[0]:.1f} s {sweep.slowest[1]}")
    print(sweep.totals())
    return int(any(sweep.found[fault] for fault in FAULTS) or not sum(sweep.texts.values()))


if __name__ == "__main__":
    sys.exit(main())
