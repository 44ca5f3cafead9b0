"""How long it takes to abstract a corpus, and to tell its identifiers apart.

Usage: ``python bench/abstraction.py DATA [--workers N] [--levels L]... [--limit N]`` where DATA has
``clones/bigclonebench/snippets.jsonl.xz``. Prints seconds, and the ratio to parsing the same
snippets, which is what any tool must do at least.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

from codekin.corpora.abstracting import abstract_corpus
from codekin.corpora.each_snippet import each_snippet
from codekin.corpora.name_overlap import snippet_names
from codekin.corpora.reading import read_corpus
from codekin.source import Source

LEVELS = ("0", "1", "2", "3", "abs", "over")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--levels", nargs="+", default=["1", "3", "abs"], choices=LEVELS)
    parser.add_argument("--limit", type=int, default=None)
    arguments = parser.parse_args()
    corpus = read_corpus(arguments.data / "clones/bigclonebench/snippets.jsonl.xz")
    corpus = corpus.keep(range(len(corpus))[: arguments.limit])
    workers = arguments.workers

    def parse() -> None:
        for one in corpus.snippets:
            _ = Source(one.code, one.language).tree

    print(f"{len(corpus):,} snippets, {workers} workers\n")
    print("| what | seconds | ms per snippet | times parsing in one process |")
    print("|---|---|---|---|")
    alone = timed(parse)
    rows = [("parse, one process", alone)]
    rows.append(
        (
            "identifiers",
            timed(lambda: list(each_snippet(snippet_names, corpus.snippets, workers=workers))),
        )
    )
    for level in arguments.levels:
        seconds = timed(lambda level=level: abstract_corpus(corpus, level, workers=workers))
        rows.append((f"abstract, level {level}", seconds))
    for what, seconds in rows:
        each = 1000 * seconds / len(corpus)
        print(f"| {what} | {seconds:.1f} | {each:.2f} | {seconds / alone:.2f} |", flush=True)


def timed(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
