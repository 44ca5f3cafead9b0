"""Check that statements outside a slice do not affect its result.

Usage: ``python tools/slices.py [--python N] [--c N] [--java N] [--seed N] [--results N]`` draws
random programs that terminate, computes backward slices of some of their results, deletes every
statement outside, runs both programs and compares. Prints a table in Markdown; programs whose
result changes are minimised and printed, with ``-`` before each deleted line.

Languages without an installed compiler are skipped with a message.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.represent.random_programs.check import (
    Case,
    Mismatch,
    cases,
    mismatches,
    shrunk,
)
from tests.represent.random_programs.chooser import Chooser
from tests.represent.random_programs.generate import random_program
from tests.represent.random_programs.graph_slices import graph_slicer
from tests.represent.random_programs.run import missing_tools
from tests.represent.random_programs.syntax import statements

BATCH = 100
COUNTS = {"python": 10_000, "c": 2_000, "java": 2_000}
HEADER = (
    "| language | programs | stopped early | statements | slices | deleted statements"
    " | mean share deleted | slices that delete nothing | changed results | seconds |"
)


def main() -> int:
    """Check the languages and print the table; 1 if a result changed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for language, count in COUNTS.items():
        parser.add_argument(f"--{language}", type=int, default=count, metavar="N")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--size", type=int, default=24, help="statements of the main code")
    parser.add_argument("--results", type=int, default=2, help="slices per program")
    parser.add_argument("--show", type=int, default=3, help="changed programs to print")
    options = parser.parse_args()
    print(HEADER)
    print("|---" * 10 + "|", flush=True)
    wrong: list[Mismatch] = []
    for language in COUNTS:
        missing = missing_tools(language)
        if missing:
            print(f"{language} skipped: {', '.join(missing)} is not installed", file=sys.stderr)
        else:
            wrong += check_language(language, getattr(options, language), options)
    for mismatch in wrong[: options.show]:
        print(f"\n{shrunk(mismatch, graph_slicer)}")
    return 1 if wrong else 0


def check_language(language: str, count: int, options: argparse.Namespace) -> list[Mismatch]:
    """Check programs of a language and print its row."""
    start = time.perf_counter()
    wrong: list[Mismatch] = []
    stopped = deleted = total = idle = slices = 0
    share = 0.0
    for first in range(0, count, BATCH):
        batch: list[Case] = []
        for i in range(first, min(first + BATCH, count)):
            program = random_program(Chooser.seeded(f"{options.seed}-{i}"), language, options.size)
            size = len(statements(program))
            total += size
            for case in cases(program, graph_slicer, options.results):
                batch.append(case)
                deleted += case.deleted
                idle += not case.deleted
                share += case.deleted / size
        slices += len(batch)
        found, unfinished = mismatches(batch)
        wrong += found
        stopped += unfinished
    seconds = time.perf_counter() - start
    print(
        f"| {language} | {count:,} | {stopped} | {total:,} | {slices:,} | {deleted:,}"
        f" | {share / max(slices, 1):.1%} | {idle} | {len(wrong)} | {seconds:.0f} |",
        flush=True,
    )
    return wrong


if __name__ == "__main__":
    sys.exit(main())
