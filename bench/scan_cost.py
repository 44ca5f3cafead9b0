"""Processor time and memory of clone finders as code grows.

Usage: ``python bench/scan_cost.py CODE PEERS [--lines N ...] [--seed N] [--repeats N]``, where CODE
is a set of repositories that scan_code.py fetched, such as ``code/acceptance``, and PEERS a folder
that scan_peers.py installed. Files of six languages are drawn in random order (see
`planting.read_code` for those that are left out) until they have N lines; a smaller draw is part of
a larger one. Processor time is that of all processes of a tool, and memory the most that they had
at once. Tools take turns; numbers are medians, with the lowest and the highest.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from codekin import CodekinError
from codekin.rewrite.chance import generator
from codekin.whole_files import whole_file
from planting import read_code
from restructuring import LANGUAGES
from scan import run, table
from scan_peers import Cost, PeerError, finders

TOOLS = ("codekin", "codekin, fast", "jscpd", "jscpd, weak")


def write_code(code: Path, folder: Path, lines: int, seed: int) -> tuple[int, int]:
    """Write files with some lines to a new folder; how many files, and lines."""
    files = [
        file
        for language in LANGUAGES
        for file in read_code(code / language, language, sys.maxsize, seed)
    ]
    generator("cost", seed).shuffle(files)
    count = written = 0
    for file in files:
        path = folder / file.name
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as stream:
            stream.write(file.source.data)
        written, count = written + 1, count + file.source.data.count(b"\n")
        if count >= lines:
            return written, count
    raise CodekinError(f"{code}: has {count:,} lines that can be used, fewer than {lines:,}")


def spread(values: Sequence[float], digits: int) -> str:
    """The median, with the lowest and the highest value.

    Examples
    --------
    >>> spread([3.0, 1.0, 1.26], 1)
    '1.3 (1.0-3.0)'
    """
    middle, low, high = statistics.median(values), min(values), max(values)
    return f"{middle:,.{digits}f} ({low:,.{digits}f}-{high:,.{digits}f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("code", type=Path, metavar="CODE")
    parser.add_argument("peers", type=Path, metavar="PEERS")
    parser.add_argument("--lines", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    tools = [tool for tool in finders(options.peers) if tool.name in TOOLS]
    rows = []
    for lines in options.lines:
        costs: dict[str, list[Cost]] = {tool.name: [] for tool in tools}
        found: dict[str, int] = {}
        with tempfile.TemporaryDirectory() as temporary:
            files, count = write_code(options.code, Path(temporary, "code"), lines, options.seed)
            for _ in range(options.repeats):
                for tool in tools:
                    try:
                        findings, cost = run(tool, Path(temporary, "code"))
                    except PeerError as error:
                        print(f"{tool.name}: {error}", file=sys.stderr)
                        continue
                    costs[tool.name].append(cost)
                    found[tool.name] = len(findings)
                    print(f"{count:,} lines: {tool.name}: {cost}", file=sys.stderr, flush=True)
        for tool in tools:
            if costs[tool.name]:
                seconds = spread([one.seconds for one in costs[tool.name]], 1)
                memory = spread([one.megabytes for one in costs[tool.name]], 0)
                numbers = [f"{files:,}", f"{count:,}", f"{found[tool.name]:,}"]
                rows.append([tool.name, tool.version, *numbers, seconds, memory])
    print(f"Seed {options.seed}, {options.repeats} repeats.\n")
    print(table(["tool", "version", "files", "lines", "findings", "processor s", "MB"], rows))


if __name__ == "__main__":
    main()
