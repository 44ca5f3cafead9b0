"""How long it takes to give clones their types.

Usage: ``python bench/clone_types.py DATA [--workers N]`` where DATA has ``clones/bigclonebench/``.
Prints tables in Markdown. The first one has the wall time, the processor time of this process and
its workers, and the peak memory for normalizing all snippets, for typing the pairs of
``pairs_true_typed.csv.xz``, and for counting the types of all true pairs. The second one compares
pairs per second with a loop that computes both common subsequences with rapidfuzz, on snippets that
are normalized already; both are timed in turn.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import LCSseq

from codekin import Source
from codekin.corpora.clone_types import (
    NormalForms,
    normalize,
    type_pairs,
    type_table,
)
from codekin.corpora.corpus import Corpus
from codekin.corpora.numbered_sequences import NumberedSequences
from codekin.corpora.reading import read_corpus, read_pairs

_REPEATS = 7
_PEER_PAIRS = 5_000

Places = npt.NDArray[np.int32]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--workers", type=int, default=None)
    options = parser.parse_args()
    place = options.data / "clones" / "bigclonebench"
    corpus = read_corpus(place / "snippets.jsonl.xz")
    typed = read_pairs(corpus, place / "pairs_true_typed.csv.xz")
    assert typed.pairs is not None
    print("| job | wall, s | processor, s | peak memory, MB |")
    print("|---|---|---|---|")
    with timed(f"normalize {len(corpus):,} snippets in one process"):
        for one in corpus.snippets:
            normalize(Source(one.code, one.language))
    with timed(f"type {len(typed.pairs):,} pairs"):
        type_pairs(typed, workers=options.workers)
    with timed("count the types of all true pairs"):
        table = type_table(corpus, workers=options.workers)
    print(f"\n{table.pairs:,} true pairs.\n")
    print_rates(typed)


@contextmanager
def timed(job: str) -> Iterator[None]:
    start, used = time.perf_counter(), processor_seconds()
    yield
    wall, used = time.perf_counter() - start, processor_seconds() - used
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"| {job} | {wall:.1f} | {used:.1f} | {peak:.0f} |", flush=True)


def processor_seconds() -> float:
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    found = [resource.getrusage(one) for one in kinds]
    return sum(one.ru_utime + one.ru_stime for one in found)


def print_rates(corpus: Corpus) -> None:
    """Pairs per second of codekin and of a plain loop, on snippets that are normalized already."""
    assert corpus.pairs is not None
    forms = NormalForms.of_snippets(corpus.snippets)
    parts = lists(forms.lines), lists(forms.tokens)
    chance = np.random.default_rng(0)
    print("| pairs | codekin, pairs per s | rapidfuzz | ratio (quartiles) |")
    print("|---|---|---|---|")
    drawn = chance.integers(len(corpus), size=(2, 500_000)).astype(np.int32)
    for name, first, second in (
        ("with a type in the data", corpus.pairs.first, corpus.pairs.second),
        ("at random", *drawn),
    ):
        order = np.argsort(first, kind="stable")
        mine, its = rates(forms, parts, first[order], second[order])
        ratios = sorted(a / b for a, b in zip(mine, its, strict=True))
        low, middle, high = (ratios[len(ratios) * k // 4] for k in (1, 2, 3))
        print(
            f"| {name} | {statistics.median(mine):,.0f} | {statistics.median(its):,.0f} | "
            f"{middle:.1f} ({low:.1f} to {high:.1f}) |"
        )


def rates(
    forms: NormalForms, parts: tuple[list[list[int]], ...], first: Places, second: Places
) -> tuple[list[float], list[float]]:
    """Pairs per second of both, by repeat; the loop types a sample."""
    step = max(1, len(first) // _PEER_PAIRS)
    some = list(zip(first[::step].tolist(), second[::step].tolist(), strict=True))

    def loop() -> None:
        for a, b in some:
            min(LCSseq.normalized_similarity(one[a], one[b]) for one in parts)

    mine, its = [], []
    for _ in range(_REPEATS):
        mine.append(len(first) / seconds(lambda: forms.types(first, second)))
        its.append(len(some) / seconds(loop))
    return mine, its


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def lists(sequences: NumberedSequences) -> list[list[int]]:
    return [one.tolist() for one in np.split(sequences.ids, sequences.offsets[1:-1])]


if __name__ == "__main__":
    main()
