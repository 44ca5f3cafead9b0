"""How long a similarity matrix takes, and which threshold finds programs for the same problem.

Usage: ``python results/matrix.py SNIPPETS.jsonl[.xz] [-m MEASURE]... [--each N]``. Rows have a
language, the code, and a `functionality` that says which problem the program is for; the first N of
each problem are used. Prints the time and, for thresholds of several standard deviations above the
mean of all pairs, how well the groups agree with the problems (adjusted Rand index: 1 for the same
groups, 0 for chance).
"""

from __future__ import annotations

import argparse
import json
import lzma
import time
from collections import Counter
from pathlib import Path

import numpy as np

from clustering import adjusted_rand_index
from codekin import SimilarityMatrix, Source, similarity_matrix
from codekin.statistics.linkage import cut

DEVIATIONS = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("snippets", type=Path)
    parser.add_argument("-m", "--measure", action="append")
    parser.add_argument("--each", type=int, default=40)
    options = parser.parse_args()
    sources, problems = programs(options.snippets, options.each)
    for measure in options.measure or ["kin", "jaccard"]:
        started = time.perf_counter()
        found = similarity_matrix(sources, measure)
        seconds = time.perf_counter() - started
        pairs = len(found.names) * (len(found.names) - 1) // 2
        print(f"{len(found.names):,} files, {pairs:,} pairs, {found.signature}: {seconds:.1f} s")
        print_agreement(found, [problems[name] for name in found.names])


def programs(path: Path, each: int) -> tuple[dict[str, Source], dict[str, str]]:
    """The first programs for each problem, by name, and the problem of each."""
    taken: Counter[str] = Counter()
    sources, problems = {}, {}
    data = path.read_bytes()
    for line in (lzma.decompress(data) if path.suffix == ".xz" else data).splitlines():
        row = json.loads(line)
        problem = str(row["functionality"])
        taken[problem] += 1
        if taken[problem] <= each:
            sources[row["id"]] = Source(row["code"], row["language"])
            problems[row["id"]] = problem
    return sources, problems


def print_agreement(found: SimilarityMatrix, problems: list[str]) -> None:
    pairs = found.means.values[np.triu_indices(len(found.names), 1)]
    for count in DEVIATIONS:
        threshold = float(pairs.mean() + count * pairs.std())
        labels = cut(found.linkage, threshold=1 - threshold).tolist()
        agreement = adjusted_rand_index(problems, labels)
        print(
            f"  mean + {count:g} deviations = {threshold:.3f}: {max(labels) + 1:4,} groups, "
            f"adjusted Rand index {agreement:.3f}"
        )
    print(f"  the default is {found.threshold:.3f}")


if __name__ == "__main__":
    main()
