"""Recall of clone finders on planted clones, with their cost: codekin and its peers in one run.

Usage: ``python bench/scan.py CODE PEERS [--seed N] [--pairs N] [--lines N] [--adapted]
[--keep FOLDER]``, where CODE is a set of repositories that scan_code.py fetched, such as
``code/tuning``, and PEERS a folder that scan_peers.py installed. Clones of all kinds are planted
into files of six languages (see planting.py). ``--adapted`` plants copies as people adapt them, and
counts those whose names were kept apart from those with new names. A planted pair counts as found
if one finding covers at least 70 % of the lines of each of its two fragments (BigCloneEval's rule).
Processor time is that of all processes of a tool, and memory the most that they had at once. Tools
that read one language per run are run once for each of their languages; their times are added.
Findings without lines of both fragments of a planted pair are counted: they are clones that the
code had before, or mistakes. ``--others`` writes those of codekin to a file, and precision.py has
people read a sample of them.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from codekin.detectors.line_coverage import FileLines, covers
from codekin.whole_files import whole_file
from planting import KINDS, NEW_NAMES, Planted, plant, read_truth
from scan_peers import MISSING, Cost, Finder, Finding, PeerError, finders

COVERAGE = 0.7
_ANY = 1e-9
"""The coverage of a single line, however long the fragment."""


def found_pairs(
    truth: Sequence[Planted], findings: Iterable[Finding]
) -> tuple[set[int], list[Finding]]:
    """The places of the planted pairs that findings cover, and findings that are not about them.

    A finding that has lines of both fragments of a pair but covers too few is neither.

    Examples
    --------
    >>> pair = Planted("c", "T1", "a.c", 1, 10, "b.c", 21, 30, ())
    >>> near = (FileLines("b.c", 20, 28), FileLines("a.c", 1, 9))
    >>> partial = (FileLines("b.c", 27, 60), FileLines("a.c", 1, 9))
    >>> other = (FileLines("b.c", 40, 60), FileLines("a.c", 1, 9))
    >>> found_pairs([pair], [near, partial, other])
    ({0}, [(FileLines(file='b.c', start=40, end=60), FileLines(file='a.c', start=1, end=9))])
    """
    by_files: dict[frozenset[str], list[int]] = defaultdict(list)
    for i, one in enumerate(truth):
        by_files[frozenset({one.file1, one.file2})].append(i)
    found: set[int] = set()
    others = []
    for finding in findings:
        near = by_files.get(frozenset({finding[0].file, finding[1].file}), ())
        found |= {i for i in near if _matches(truth[i], finding, COVERAGE)}
        if not any(_matches(truth[i], finding, _ANY) for i in near):
            others.append(finding)
    return found, others


def _matches(pair: Planted, finding: Finding, coverage: float) -> bool:
    one = FileLines(pair.file1, pair.start1, pair.end1)
    two = FileLines(pair.file2, pair.start2, pair.end2)
    return any(
        covers(first, one, coverage) and covers(second, two, coverage)
        for first, second in (finding, finding[::-1])
    )


def run(tool: Finder, code: Path) -> tuple[list[Finding], Cost]:
    """All findings of a tool, as files of the whole folder, and its cost."""
    with tempfile.TemporaryDirectory() as temporary:
        if tool.whole:
            return tool.find(code, "", Path(temporary))
        findings: list[Finding] = []
        cost = Cost(0.0, 0.0)
        for language in tool.languages:
            out = Path(temporary, language)
            out.mkdir()
            found, took = tool.find(code / language, language, out)
            cost += took
            findings += [
                (
                    one._replace(file=f"{language}/{one.file}"),
                    two._replace(file=f"{language}/{two.file}"),
                )
                for one, two in found
            ]
    return findings, cost


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def share(found: int, count: int) -> str:
    return f"{100 * found / count:.1f}".removesuffix(".0") if count else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("code", type=Path, metavar="CODE")
    parser.add_argument("peers", type=Path, metavar="PEERS")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=20, help="clones of each kind and language")
    parser.add_argument("--lines", type=int, default=15_000, help="lines of each language")
    parser.add_argument("--adapted", action="store_true", help="copies as people adapt them")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="new folder for the code")
    parser.add_argument(
        "--only", action="append", metavar="TOOL", help="tools that begin with TOOL"
    )
    parser.add_argument(
        "--others",
        type=Path,
        metavar="FILE",
        help="write codekin's findings that were not planted, as a clone report to judge",
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary, "planted")
        if folder.exists():
            parser.error(f"{folder} exists; name a new folder")
        plant(
            options.code,
            folder,
            lines=options.lines,
            pairs=options.pairs,
            seed=options.seed,
            adapted=options.adapted,
        )
        truth = list(read_truth(folder / "truth.jsonl"))
        report(folder / "code", truth, options)


def report(code: Path, truth: list[Planted], options: argparse.Namespace) -> None:
    """Run every tool and print the tables."""
    languages = sorted({one.language for one in truth})
    describe(code, truth, languages, options)
    rows, by_language, by_names = [], [], []
    missing = [f"- {name}: {why}" for name, why in MISSING.items()]
    commands = []
    for tool in finders(options.peers):
        if options.only and not any(tool.name.startswith(name) for name in options.only):
            continue
        try:
            findings, cost = run(tool, code)
        except PeerError as error:
            missing.append(f"- {tool.name} {tool.version}: {error}")
            continue
        found, others = found_pairs(truth, findings)
        if options.others and tool.name == "codekin":
            write_report(options.others, others)
        own = [i for i, one in enumerate(truth) if one.language in tool.languages]
        count = Counter(truth[i].kind for i in own)
        hit = Counter(truth[i].kind for i in own if i in found)
        commands.append([tool.name, tool.version, f"`{tool.command}`"])
        rows.append(
            [
                tool.name,
                *(share(hit[kind], count[kind]) for kind in KINDS),
                f"{len(others):,}",
                f"{cost.seconds:.1f}",
                f"{cost.megabytes:,.0f}",
            ]
        )
        by_names += [[tool.name, *row] for row in shares_by_names(truth, own, found)]
        for language in languages:
            if language in tool.languages:
                mine = [i for i in own if truth[i].language == language]
                count = Counter(truth[i].kind for i in mine)
                hit = Counter(truth[i].kind for i in mine if i in found)
                by_language.append(
                    [tool.name, language, *(share(hit[kind], count[kind]) for kind in KINDS)]
                )
        print(f"{tool.name}: {len(findings):,} findings", file=sys.stderr, flush=True)
    print(table(["tool", "version", "command"], commands))
    print(table(["tool", *KINDS, "not planted", "processor s", "MB"], rows))
    print(table(["tool", "language", *KINDS], by_language))
    if options.adapted:
        print(table(["tool", "names", *ADAPTED_KINDS], by_names))
    if missing:
        print("Not available:\n\n" + "\n".join(missing))


ADAPTED_KINDS = ("T3 10", "T3 20", "T3 30", "T3 50", "T3", "T4")
"""Kinds of which every second adapted copy has new names; T3 are all four of them."""


def shares_by_names(
    truth: Sequence[Planted], own: Iterable[int], found: set[int]
) -> list[list[str]]:
    """How many adapted copies are found, in percent: with names kept, with new ones, and of all.

    Examples
    --------
    >>> ends = ("a.c", 1, 9, "b.c", 1, 9)
    >>> truth = [Planted("c", "T3 10", *ends, names) for names in ((), (), (NEW_NAMES,))]
    >>> for row in shares_by_names(truth, range(3), {0, 1}):
    ...     print(row)
    ['kept', '100', '', '', '', '100', '']
    ['new', '0', '', '', '', '0', '']
    ['all', '66.7', '', '', '', '66.7', '']
    """
    count: Counter[tuple[str, str]] = Counter()
    hit: Counter[tuple[str, str]] = Counter()
    for i in own:
        kind = truth[i].kind
        for names in ("new" if NEW_NAMES in truth[i].changes else "kept", "all"):
            cells = {(names, kind), (names, kind[:2])}
            count.update(cells)
            hit.update(cells if i in found else ())
    return [
        [names, *(share(hit[names, kind], count[names, kind]) for kind in ADAPTED_KINDS)]
        for names in ("kept", "new", "all")
    ]


def describe(
    code: Path, truth: list[Planted], languages: list[str], options: argparse.Namespace
) -> None:
    rows = []
    for language in languages:
        files = [path for path in (code / language).rglob("*") if path.is_file()]
        lines = sum(path.read_bytes().count(b"\n") for path in files)
        repositories = sorted(path.name for path in (code / language).iterdir())
        pairs = sum(one.language == language for one in truth)
        rows.append(
            [language, f"{len(files):,}", f"{lines:,}", f"{pairs:,}", ", ".join(repositories)]
        )
    total = sum(int(row[2].replace(",", "")) for row in rows)
    print(f"Seed {options.seed}, {total:,} lines, {len(truth):,} planted pairs.\n")
    print(table(["language", "files", "lines", "planted", "repositories"], rows))


def write_report(path: Path, findings: list[Finding]) -> None:
    """Write findings as a clone report."""
    with whole_file(path) as stream:
        for ends in sorted(findings):
            row = [part for one in ends for part in ("", one.file, str(one.start), str(one.end))]
            stream.write(",".join(row).encode() + b"\n")


if __name__ == "__main__":
    main()
