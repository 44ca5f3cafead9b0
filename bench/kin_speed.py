"""How long kin takes: from text to features, and a million pairs of ten thousand programs.

Usage: ``python bench/kin_speed.py DATA [--programs N] [--pairs N] [--repeats N]`` where DATA has
``clones/ojclone/`` (see ``bench/programs.py``). Prints tables in Markdown, on one thread. Features
are timed on programs of about 60 lines, as medians over programs of the medians over repeats. Pairs
are chosen at random; the peers score as many of the same pairs as they can in a few seconds. All
are timed in turn, so that a busy machine affects all of them. If scikit-learn is installed, cosines
of its TF-IDF vectors are timed too, with tokens by its default pattern.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt
from sacrebleu.metrics import BLEU, CHRF

from codekin import Source, measure
from codekin.measures.kin import Kin, program_parts
from codekin.represent.graph.features import feature_bags, feature_set
from programs import SIZES, programs

Pairs = npt.NDArray[np.int64]
Scorer = Callable[[Pairs], object]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--programs", type=int, default=10_000)
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    texts = list(islice(programs(options.data, "cpp"), options.programs))
    kin = measure("kin")
    assert isinstance(kin, Kin)
    print_features([t for t in texts if t.count("\n") in range(*SIZES[60])], kin, options.repeats)
    print_pairs(texts, kin, options)


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def print_features(texts: Sequence[str], kin: Kin, repeats: int) -> None:
    """From a text of about 60 lines to its weighted features, step by step."""
    steps: dict[str, list[float]] = {}
    for text in texts[:100]:
        times: dict[str, list[float]] = {}
        for _ in range(repeats):
            for name, time_taken in stages(Source(text, "cpp"), kin).items():
                times.setdefault(name, []).append(time_taken)
        for name, taken in times.items():
            steps.setdefault(name, []).append(statistics.median(taken))
    print(f"{len(steps['graph'])} programs of about 60 lines\n")
    print("| step | ms |\n|---|---|")
    for name, medians in steps.items():
        print(f"| {name} | {1000 * statistics.median(medians):.2f} |")


def stages(source: Source, kin: Kin) -> dict[str, float]:
    """Seconds of each step, each on the result of the one before."""
    parse = seconds(lambda: source.tokens.ids)
    graph = seconds(lambda: program_parts(source))
    bags = seconds(lambda: feature_set(feature_bags(program_parts(source))))
    whole = seconds(lambda: kin.vector(source))
    return {"parse and tokens": parse, "graph": graph, "features": bags, "weights": whole - bags}


def print_pairs(texts: Sequence[str], kin: Kin, options: argparse.Namespace) -> None:
    """Seconds for many pairs, measured or extrapolated."""
    sources = [Source(text, "cpp") for text in texts]
    extraction = seconds(lambda: [kin.vector(source) for source in sources])
    chance = np.random.default_rng(7)
    pairs = chance.integers(0, len(sources), (options.pairs, 2))
    scorers: dict[str, tuple[Scorer, int]] = {
        "kin, pairs": (lambda chosen: kin.score_pairs(sources, chosen), options.pairs),
        **tfidf(texts, options.pairs),
        **{
            f"{name}, one by one": (one_by_one(name, sources), 1_000)
            for name in ("kin", "jaccard", "bleu", "chrf")
        },
        "sacrebleu BLEU": (sacrebleu(BLEU(effective_order=True), texts), 300),
        "sacrebleu chrF": (sacrebleu(CHRF(), texts), 100),
    }
    times: dict[str, list[float]] = {name: [] for name in scorers}
    for _ in range(options.repeats):
        for name, (score, most) in scorers.items():
            some = pairs[:most]
            taken = seconds(lambda score=score, some=some: score(some))
            times[name].append(taken / len(some) * len(pairs))
    print(f"\n{len(sources):,} programs, features of all: {extraction:.1f} s\n")
    print(f"| {len(pairs):,} pairs | seconds | spread | times kin |\n|---|---|---|---|")
    own = times["kin, pairs"]
    for name, taken in times.items():
        ratio = statistics.median(a / b for a, b in zip(taken, own, strict=True))
        spread = f"{min(taken):.2f} to {max(taken):.2f}"
        print(f"| {name} | {statistics.median(taken):.2f} | {spread} | {ratio:.1f} |")


def one_by_one(name: str, sources: Sequence[Source]) -> Scorer:
    """A measure of codekin, on sources with cached features."""
    one = measure(name)
    return lambda pairs: [one.score(sources[i], sources[j]) for i, j in pairs.tolist()]


def sacrebleu(metric: BLEU | CHRF, texts: Sequence[str]) -> Scorer:
    return lambda pairs: [
        metric.sentence_score(texts[i], [texts[j]]).score for i, j in pairs.tolist()
    ]


def tfidf(texts: Sequence[str], count: int) -> dict[str, tuple[Scorer, int]]:
    """scikit-learn's vectors, and cosines as products of their rows."""
    try:
        from sklearn.feature_extraction.text import TfidfVectorizer
    except ImportError:
        return {}
    rows = TfidfVectorizer().fit_transform(texts)

    def cosines(pairs: Pairs) -> object:
        return rows[pairs[:, 0]].multiply(rows[pairs[:, 1]]).sum(axis=1)

    return {"scikit-learn TF-IDF, cosines": (cosines, count)}


if __name__ == "__main__":
    main()
