"""Make a set of trivially shared n-grams, as crystalbleu ships one per language.

    python tools/trivial_ngrams.py --language java -o src/codekin/data/trivial_ngrams/java.json \
        guava-31.1 netty-4.1.48 ...

Each folder is one project, listed in the result by the folder's name. N-grams are ranked by the
median of their relative frequency over the projects: large and small projects weigh the same, and
n-grams that are frequent in only a few projects are not listed. The result depends on the contents
of the files and the names of the folders, not on their location or order.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from codekin import Source
from codekin.errors import CodekinError
from codekin.languages import Language, get_language
from codekin.measures.crystalbleu import Ngram, NgramCounts, most_frequent

ORDER = 4
LARGEST_FILE = 300_000
"""In bytes; larger files are tables, bundles or generated."""

LONGEST_LINE = 1_000
"""In characters; minified code and embedded data have longer lines."""

UNREADABLE_SHARE = 0.01
"""The share of characters that may be in errors; C and C++ with macros rarely have none."""

KEPT_PER_PROJECT = 20_000
"""N-grams per project to compare with other projects; rarer ones are far from making the list."""

SKIPPED_FOLDERS = frozenset(
    {"test", "tests", "testing", "testdata", "testsuite", "unittest", "unittests", "__tests__"}
    | {"spec", "specs", "fixtures", "mock", "mocks", "benchmark", "benchmarks", "migrations"}
    | {"vendor", "vendored", "third_party", "third-party", "thirdparty", "3rdparty", "external"}
    | {"extern", "deps", "contrib", "node_modules", "bower_components", "locale", "i18n"}
    | {"dist", "build", "gen", "generated"}
)
SKIPPED_FILE = re.compile(
    r"^test_|^conftest\.|[_.-](test|tests|spec|min|bundle|generated|pb|d)\.\w+$|Tests?\.\w+$"
)
GENERATED = re.compile(
    r"\bgenerated (by|from|file|code)\b|\bdo not edit\b|@generated", re.IGNORECASE
)


@dataclass
class Project:
    """The counts of one folder."""

    name: str
    files: int = 0
    counts: NgramCounts = field(default_factory=lambda: NgramCounts(ORDER))

    def frequencies(self) -> Iterator[tuple[Ngram, float]]:
        """The most common n-grams with their relative frequency."""
        counts = self.counts.counts
        for ngram in most_frequent(counts, KEPT_PER_PROJECT):
            yield ngram, counts[ngram] / self.counts.tokens


def source_files(folder: Path, language: Language) -> Iterator[Path]:
    """The files of a language in a folder that are handwritten and not tests."""
    for path in folder.rglob("*"):
        inner = path.relative_to(folder)
        if (
            path.suffix.lower() in language.suffixes
            and not any(part.lower() in SKIPPED_FOLDERS for part in inner.parts[:-1])
            and not SKIPPED_FILE.search(path.name)
            and path.is_file()
            and path.stat().st_size <= LARGEST_FILE
        ):
            yield path


def read(path: Path, language: Language) -> Source | None:
    """The file as a Source, unless it is generated, minified or not code of the language."""
    try:
        source = Source.from_file(path, language)
    except CodekinError:
        return None
    text = source.text
    if GENERATED.search(text[:2_000]) or max(map(len, text.split("\n"))) > LONGEST_LINE:
        return None
    unread = sum(max(1, problem.end - problem.start) for problem in source.problems)
    return source if unread <= UNREADABLE_SHARE * len(text) else None


def count_project(folder: Path, language: Language, most_tokens: int, seen: set[str]) -> Project:
    """Count a project's n-grams; files with contents in `seen` are left out.

    Files are read in the order of their contents' hashes: an order that does not depend on names
    and locations, and gives a fair sample if a project has more than `most_tokens`.
    """
    project = Project(folder.resolve().name)
    hashes = {hashlib.sha256(p.read_bytes()).hexdigest(): p for p in source_files(folder, language)}
    for digest in sorted(hashes.keys() - seen):
        if project.counts.tokens >= most_tokens:
            break
        source = read(hashes[digest], language)
        if source is not None and len(source.tokens):
            project.counts.add(source.tokens.texts)
            project.files += 1
    seen.update(hashes)
    return project


def median_frequencies(projects: Sequence[Project]) -> dict[Ngram, float]:
    """The median over projects of each n-gram's relative frequency.

    A name that is frequent in one project is absent from most others, so its median is 0, while its
    mean would put it among the most common.
    """
    found: defaultdict[Ngram, list[float]] = defaultdict(list)
    for project in projects:
        for ngram, frequency in project.frequencies():
            found[ngram].append(frequency)
    absent = [0.0] * len(projects)
    return {
        ngram: statistics.median(shares + absent[len(shares) :])
        for ngram, shares in found.items()
        if 2 * len(shares) > len(projects)
    }


def table(language: Language, k: int, projects: Sequence[Project]) -> str:
    """The result as JSON, one n-gram per line."""
    head = {
        "language": language.name,
        "k": k,
        "order": ORDER,
        "files": sum(p.files for p in projects),
        "tokens": sum(p.counts.tokens for p in projects),
        "projects": [p.name for p in projects],
    }
    fields = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    rows = [
        f"    {json.dumps(ngram, ensure_ascii=False)}"
        for ngram in most_frequent(median_frequencies(projects), k)
    ]
    fields.append('  "ngrams": [\n' + ",\n".join(rows) + "\n  ]")
    return "{\n" + ",\n".join(fields) + "\n}\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Count the projects' n-grams and write those that they share."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--language", required=True, type=get_language)
    parser.add_argument("--k", type=int, default=500, help="number of n-grams (default: 500)")
    parser.add_argument(
        "--tokens", type=int, default=200_000, help="maximum tokens per project (default: 200000)"
    )
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    args = parser.parse_args(arguments)
    for folder in args.folders:
        if not folder.is_dir():
            parser.error(f"{folder}: no such folder")

    seen: set[str] = set()
    projects = []
    for folder in sorted(args.folders, key=lambda f: f.resolve().name):
        project = count_project(folder, args.language, args.tokens, seen)
        tokens = project.counts.tokens
        print(f"{project.name}: {project.files} files, {tokens:,} tokens", flush=True)
        if project.files:
            projects.append(project)
    if not projects:
        sys.exit(f"no readable {args.language.title} files in these folders")
    args.output.write_text(table(args.language, args.k, projects), encoding="utf-8")


if __name__ == "__main__":
    main()
