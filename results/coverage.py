"""How often intervals contain the truth, and how often tests are wrong, in simulated systems.

Run ``python results/coverage.py [REPEATS]``; it prints the table of docs/statistics.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np

from codekin.statistics.bootstrap import Estimand, bootstrap, corpus_of, mean_of
from codekin.statistics.paired import compare_pairs

Draw = Callable[[np.random.Generator, int], Estimand]


def bell(generator: np.random.Generator, rows: int) -> Estimand:
    return mean_of(generator.normal(size=rows))


def skewed(generator: np.random.Generator, rows: int) -> Estimand:
    return mean_of(generator.exponential(size=rows))


def exact_matches(generator: np.random.Generator, rows: int) -> Estimand:
    return mean_of((generator.random(rows) < 0.2).astype(float))


def corpus(generator: np.random.Generator, rows: int) -> Estimand:
    """Matched and total n-grams of texts of very different lengths and qualities."""
    total = generator.geometric(0.03, rows) + 4
    matched = generator.binomial(total, generator.beta(4, 4, rows))
    return corpus_of(np.column_stack([matched, total]), lambda sums: sums[0] / sums[1])


CASES: list[tuple[str, Draw, float]] = [
    ("mean of a bell curve", bell, 0.0),
    ("mean of exponential values", skewed, 1.0),
    ("share of exact matches, 20 %", exact_matches, 0.2),
    ("corpus value, a ratio of sums", corpus, 0.5),
]


def intervals(draw: Draw, truth: float, rows: int, repeats: int) -> tuple[float, float]:
    held = np.zeros(2)
    for seed in range(repeats):
        [estimate] = bootstrap(
            [draw(np.random.default_rng([rows, seed]), rows)], resamples=1000, seed=seed
        )
        for i, interval in enumerate((estimate.percentile, estimate.bca)):
            held[i] += interval.low <= truth <= interval.high
    return tuple(held / repeats)


def false_alarms(draw: Draw, rows: int, repeats: int) -> tuple[float, float]:
    significant = np.zeros(2)
    for seed in range(repeats):
        generator = np.random.default_rng([rows, seed])
        [test] = compare_pairs(
            [(draw(generator, rows), draw(generator, rows))], resamples=1000, seed=seed
        )
        significant += test.permutation_p <= 0.05, test.bootstrap_p <= 0.05
    return tuple(significant / repeats)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("repeats", nargs="?", type=int, default=2000)
    repeats = parser.parse_args().repeats
    print("| what | rows | percentile | BCa | permutation p ≤ 0.05 | bootstrap p ≤ 0.05 |")
    print("|---|--:|--:|--:|--:|--:|")
    for name, draw, truth in CASES:
        for rows in (20, 100, 500):
            held, significant = (
                intervals(draw, truth, rows, repeats),
                false_alarms(draw, rows, repeats),
            )
            print(
                "|",
                " | ".join([name, str(rows), *(f"{x:.1%}" for x in (*held, *significant))]),
                "|",
            )


if __name__ == "__main__":
    main()
