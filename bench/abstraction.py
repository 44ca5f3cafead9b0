"""How long it takes to abstract programs, and to type the clones of a corpus.

Usage: ``python bench/abstraction.py DATA [--workers N] [--levels L]... [--limit N]`` where DATA has
``clones/bigclonebench/`` and ``triplets/``. Prints tables in Markdown. The first one has the wall
time and the processor time of this process and its workers: for abstracting BigCloneBench's
functions at each level, and for typing the pairs of ``pairs_true_typed.csv.xz``. The second one
compares programs per processor second, in one process, with a script that uses javalang and with
python-minifier, which renames the variables of Python; both are timed in turn.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import resource
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import javalang
import python_minifier

from codekin.corpora.abstracting import abstract_corpus
from codekin.corpora.clone_types import type_pairs
from codekin.corpora.reading import read_corpus, read_pairs
from codekin.rewrite.abstraction import LEVELS, abstract
from codekin.source import Source
from peers.plain_abstraction import abstract_method

REPEATS = 5
SAMPLE = 300


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--levels", nargs="+", default=list(LEVELS), choices=LEVELS)
    parser.add_argument("--limit", type=int, default=None)
    options = parser.parse_args()
    place = options.data / "clones" / "bigclonebench"
    corpus = read_corpus(place / "snippets.jsonl.xz")
    typed = read_pairs(corpus, place / "pairs_true_typed.csv.xz")
    corpus = corpus.keep(range(len(corpus))[: options.limit])
    workers = options.workers
    print(f"| {len(corpus):,} functions, {workers} workers | wall, s | processor, s |")
    print("|---|---|---|")
    for level in options.levels:
        report(
            f"abstract, level {level}",
            lambda level=level: abstract_corpus(corpus, level, workers=workers),
        )
    if typed.pairs is not None:
        report(f"type {len(typed.pairs):,} pairs", lambda: type_pairs(typed, workers=workers))
    print("\n| programs | level | codekin, per s | peer, per s | ratio (quartiles) |")
    print("|---|---|---|---|---|")
    chance = random.Random(0)
    methods = [one.code for one in chance.sample(corpus.snippets, min(SAMPLE, len(corpus)))]
    compare("java", "abs", readable(methods), "javalang", abstract_method)
    scripts = chance.sample(python_programs(options.data), SAMPLE)
    compare("python", "1", scripts, "python-minifier", renamed)


def report(job: str, work: Callable[[], object]) -> None:
    start, used = time.perf_counter(), processor_seconds()
    work()
    wall, used = time.perf_counter() - start, processor_seconds() - used
    print(f"| {job} | {wall:.1f} | {used:.1f} |", flush=True)


def processor_seconds() -> float:
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    found = [resource.getrusage(one) for one in kinds]
    return sum(one.ru_utime + one.ru_stime for one in found)


def readable(methods: Sequence[str]) -> list[str]:
    """The methods that javalang can read."""
    found = []
    for code in methods:
        try:
            abstract_method(code)
        except (javalang.tokenizer.LexerError, javalang.parser.JavaSyntaxError):
            continue
        found.append(code)
    print(f"javalang reads {len(found)} of {len(methods)} functions", file=sys.stderr)
    return found


def python_programs(data: Path) -> list[str]:
    """The different programs of ConDefects in Python."""
    with lzma.open(data / "triplets/condefects-python-matched.jsonl.xz", "rt") as lines:
        rows = [json.loads(line) for line in lines]
    parts = ("anchor", "positive", "negative")
    return sorted({row[part]["code"] for row in rows for part in parts})


def renamed(code: str) -> str:
    """A program of Python with new names, and nothing else changed."""
    return python_minifier.minify(
        code,
        remove_annotations=False,
        remove_pass=False,
        remove_literal_statements=True,
        combine_imports=False,
        hoist_literals=False,
        rename_locals=True,
        rename_globals=True,
        remove_object_base=False,
        convert_posargs_to_args=False,
        remove_explicit_return_none=False,
        remove_builtin_exception_brackets=False,
        constant_folding=False,
    )


def compare(
    language: str, level: str, codes: Sequence[str], peer: str, work: Callable[[str], object]
) -> None:
    """Programs per second of codekin and of a peer, in turn."""
    rates: list[tuple[float, float]] = []
    for _ in range(REPEATS):
        mine = seconds(lambda: [abstract(Source(code, language), level).text for code in codes])
        its = seconds(lambda: [work(code) for code in codes])
        rates.append((len(codes) / mine, len(codes) / its))
    ratios = sorted(mine / its for mine, its in rates)
    low, middle, high = (ratios[len(ratios) * k // 4] for k in (1, 2, 3))
    mine, its = (statistics.median(one) for one in zip(*rates, strict=True))
    print(
        f"| {len(codes)}, {language} | {level} | {mine:,.0f} | {peer}: {its:,.0f} | "
        f"{middle:.1f} ({low:.1f} to {high:.1f}) |"
    )


def seconds(work: Callable[[], object]) -> float:
    """Processor seconds, since both are computed in this process."""
    start = time.process_time()
    work()
    return time.process_time() - start


if __name__ == "__main__":
    main()
