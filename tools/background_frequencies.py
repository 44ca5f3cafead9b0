"""Make the background frequencies that kin ships with.

    python tools/background_frequencies.py -o src/codekin/data/background.npz \
        python=/usr/lib/python3.11 jdk=/usr/lib/jvm/openjdk-17/src.zip \
        ojclone=ojclone/snippets.jsonl.xz bigclonebench=bigclonebench/snippets.jsonl.xz

Each argument is NAME=PATH: a folder or a .zip of source files, or .jsonl, .jsonl.gz or .jsonl.xz
with the fields `code` and `language`. A row is a document; in a file, each function of 7 to 120
lines is one, since library files are far longer than the compared programs. At most `--most`
documents per source and language are used, those with the smallest hashes, so names and locations
do not matter and each is counted once. The same documents give the same bytes; the header of the
result says how many came from where.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import lzma
import sys
import textwrap
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from codekin import Source
from codekin.errors import CodekinError
from codekin.languages import Language, get_language, language_of_file
from codekin.measures.background import BackgroundCounts
from codekin.measures.kin import features_of
from codekin.represent.flow.flow_ir import FunctionKind
from codekin.source import decode

LINES = range(7, 121)
"""The lengths of library functions that count as documents, in lines."""

LARGEST_FILE = 300_000
"""In bytes; larger files are tables, bundles or generated."""

SKIPPED_FOLDERS = frozenset({"test", "tests", "testing", "idle_test", "site-packages", "lib2to3"})
NAMED = frozenset({FunctionKind.FUNCTION, FunctionKind.METHOD, FunctionKind.CONSTRUCTOR})
Document = tuple[Language, str]


def rows(path: Path) -> Iterator[Document]:
    """The rows of a JSON Lines file."""
    openers = {".xz": lzma.open, ".gz": gzip.open}
    with openers.get(path.suffix, open)(path, "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            yield get_language(row["language"]), row["code"]


def files(path: Path) -> Iterator[tuple[str, bytes]]:
    """The names and contents of the files of a folder or a .zip."""
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            if file.is_file() and not file.is_symlink() and file.stat().st_size <= LARGEST_FILE:
                yield file.relative_to(path).as_posix(), file.read_bytes()
        return
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            if not info.is_dir() and info.file_size <= LARGEST_FILE:
                yield info.filename, archive.read(info)


def functions(name: str, data: bytes) -> Iterator[Document]:
    """The outermost functions of a file; none if it is not code."""
    parts = Path(name)
    language = language_of_file(parts)
    if language is None or language.lowering is None or SKIPPED_FOLDERS & set(parts.parts):
        return
    try:
        source = Source(decode(data, name), language)
    except CodekinError:
        return
    ir = source.flow_ir
    for i in np.flatnonzero(np.isin(ir.function_kind, list(NAMED))).tolist():
        within = int(ir.function_parent[i])
        if within > 0 and ir.function_kind[within] in NAMED:
            continue
        start, end = int(ir.function_start[i]), int(ir.function_end[i])
        start = source.data.rfind(b"\n", 0, start) + 1
        text = source.data[start:end].decode("utf-8", "replace")
        if text.count("\n") + 1 in LINES:
            yield language, textwrap.dedent(text)


def documents(path: Path) -> Iterator[Document]:
    """The documents of a source: rows, or the functions of its files."""
    if ".jsonl" in path.suffixes:
        yield from rows(path)
    else:
        for name, data in files(path):
            yield from functions(name, data)


def chosen(path: Path, most: int, seen: set[str]) -> dict[str, list[Source]]:
    """The documents of a source by language, at most `most` of each, in a fixed order."""
    by_language: defaultdict[str, dict[str, Document]] = defaultdict(dict)
    for language, text in documents(path):
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        if digest not in seen:
            by_language[language.name][digest] = language, text
    found = {}
    for name, texts in sorted(by_language.items()):
        taken = sorted(texts)[:most]
        seen.update(taken)
        found[name] = [Source(texts[digest][1], texts[digest][0]) for digest in taken]
    return found


def named_path(argument: str) -> tuple[str, Path]:
    """An argument NAME=PATH."""
    name, _, path = argument.partition("=")
    if not name or not Path(path).exists() or not path:
        raise argparse.ArgumentTypeError(f"{argument!r} is not NAME=PATH with an existing path")
    return name, Path(path)


def main(arguments: Sequence[str] | None = None) -> None:
    """Count the documents and write the frequencies."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument(
        "--most", type=int, default=4_000, help="documents per source and language (default: 4000)"
    )
    parser.add_argument(
        "--least",
        type=int,
        default=3,
        help="minimum number of documents with a feature (default: 3)",
    )
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("sources", nargs="+", type=named_path, metavar="NAME=PATH")
    args = parser.parse_args(arguments)

    counts = BackgroundCounts()
    made_of: dict[str, dict[str, int]] = {}
    seen: set[str] = set()
    for name, path in sorted(args.sources):
        taken: Counter[str] = Counter()
        for language, sources in chosen(path, args.most, seen).items():
            for source in sources:
                counts.add(language, features_of(source)[0])
                source._kept.clear()
                taken[language] += 1
        made_of[name] = dict(sorted(taken.items()))
        print(f"{name}: {made_of[name]}", flush=True)
    if not counts.documents:
        sys.exit("no documents in these sources")
    background = counts.background(made_of, args.least)
    with args.output.open("wb") as file:
        background.write(file)
    size = args.output.stat().st_size
    print(f"{len(background.features):,} features, {size:,} bytes, {background.fingerprint}")


if __name__ == "__main__":
    main()
