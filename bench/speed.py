"""codekin compared with the packages people use, in one run.

Usage: ``python bench/speed.py DATA [--repeats N] [--only NAME]...`` where DATA is a folder of
programs in codekin's row formats. Prints two tables in Markdown: each measure in its peer's own
setting from text, and each default measure on prepared Sources. Every number is a median over
interleaved repeats on one thread; a ratio is computed within each repeat and shown with its
quartiles.

The peers keep their caches between repeats (sacrebleu caches the tokens of every text); codekin
starts from the text each time.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import apted
import crystalbleu
import numpy as np
import textdistance
from nltk.translate.bleu_score import SmoothingFunction
from rapidfuzz.distance import Levenshtein
from sacrebleu.metrics import BLEU, CHRF

import codekin
from codekin import Source, measure
from codekin.represent.tree.flat_tree import flatten
from codekin.represent.tree.named_tree import named_tree
from programs import SIZES, pairs

LANGUAGES = ("python", "java", "cpp")
Pair = tuple[str, str]
Timer = Callable[[str, Sequence[Pair]], float]


class CodebleuPeer:
    """The package codebleu, timed by a process in its own environment."""

    @cached_property
    def _process(self) -> subprocess.Popen[str]:
        here = Path(__file__).parent
        python = here.parent / ".peers" / "codebleu" / "bin" / "python"
        if not python.exists():
            sys.exit(f"{python} is missing; run 'make bench' to create it")
        return subprocess.Popen(
            [python, here / "peers" / "codebleu_worker.py"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __call__(self, language: str, some: Sequence[Pair]) -> float:
        """Seconds per pair."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps({"lang": language, "pairs": some}) + "\n")
        self._process.stdin.flush()
        return sum(json.loads(self._process.stdout.readline())["seconds"]) / len(some)


def timed(function: Callable[[str, str], object]) -> Timer:
    """A timer that calls a function on every pair and returns seconds per pair."""

    def run(_language: str, some: Sequence[Pair]) -> float:
        start = time.perf_counter()
        for candidate, reference in some:
            function(candidate, reference)
        return (time.perf_counter() - start) / len(some)

    return run


class AptedNode:
    """A tree as the package apted reads it."""

    def __init__(self, name: int) -> None:
        self.name = name
        self.children: list[AptedNode] = []


def apted_distance(language: str, candidate: str, reference: str) -> float:
    """What a user of apted does: parse, build nodes, compute."""
    trees = []
    for text in (candidate, reference):
        grammar = Source("", language).language.grammars[0]
        tree = named_tree(flatten(grammar, text.encode()))
        nodes = [AptedNode(label) for label in tree.labels.tolist()]
        for node, parent in zip(nodes, tree.parents.tolist(), strict=True):
            if parent >= 0:
                nodes[parent].children.append(node)
        trees.append(nodes[0])
    return float(apted.APTED(*trees, apted.PerEditOperationConfig(1, 1, 1)).compute_edit_distance())


def time_apted(language: str, some: Sequence[Pair]) -> float:
    """Seconds per pair for apted."""
    start = time.perf_counter()
    for candidate, reference in some:
        apted_distance(language, candidate, reference)
    return (time.perf_counter() - start) / len(some)


@dataclass(frozen=True)
class Duel:
    """A measure of ours, a peer, and the target ratio."""

    name: str
    peer_name: str
    peer: Timer = field(repr=False)
    own_setting: codekin.Measure
    target_text: float
    target_prepared: float | None = None
    pairs: dict[int, int] = field(default_factory=lambda: {20: 8, 60: 8, 200: 4})
    repeats: dict[int, int] = field(default_factory=dict)


def duels() -> Iterator[Duel]:
    bleu, chrf = BLEU(effective_order=True), CHRF()
    smooth = SmoothingFunction().method1
    yield Duel(
        "bleu",
        "sacrebleu",
        timed(lambda c, r: bleu.sentence_score(c, [r])),
        measure("bleu", compat="sacrebleu", effective_order=True),
        5,
        15,
    )
    yield Duel(
        "chrf",
        "sacrebleu",
        timed(lambda c, r: chrf.sentence_score(c, [r])),
        measure("chrf", compat="sacrebleu"),
        8,
    )
    yield Duel(
        "crystalbleu",
        "crystalbleu",
        timed(
            lambda c, r: crystalbleu.sentence_bleu(
                [r.split()], c.split(), smoothing_function=smooth, ignoring=IGNORED
            )
        ),
        measure("crystalbleu", compat="crystalbleu", smoothing="method1", ignoring=tuple(IGNORED)),
        5,
        15,
    )
    yield Duel(
        "jaccard",
        "textdistance",
        timed(lambda c, r: textdistance.jaccard(c.split(), r.split())),
        measure("jaccard", compat="textdistance"),
        1,
        15,
    )
    yield Duel(
        "nes",
        "rapidfuzz",
        timed(Levenshtein.normalized_similarity),
        measure("nes"),
        1,
    )
    yield Duel(
        "codebleu",
        "codebleu",
        CodebleuPeer(),
        measure("codebleu", compat="codebleu"),
        5,
        20,
    )
    yield Duel(
        "tsed",
        "apted",
        time_apted,
        measure("tsed", comments=True),
        100,
        pairs={20: 4, 60: 2, 200: 1},
        repeats={20: 3, 60: 2, 200: 1},
    )


# The package takes any set; a hundred common n-grams represent what users find in a corpus.
IGNORED = {
    (w,): 1
    for w in [
        "(",
        ")",
        "{",
        "}",
        "=",
        "==",
        "+",
        "-",
        ";",
        ":",
        ",",
        "0",
        "1",
        "i",
        "in",
        "for",
        "if",
        "else",
        "return",
        "int",
    ]
} | dict.fromkeys([("=", "0"), ("for", "i"), ("i", "in"), (")", "{"), ("=", "1")], 1)


@dataclass(frozen=True)
class Cell:
    """The result of a duel for one language and size."""

    language: str
    lines: int
    peer: float
    text: float
    prepared: float
    preparing: float
    ratio_text: Sequence[float]
    ratio_prepared: Sequence[float]


def fight(duel: Duel, data: Path, language: str, lines: int, repeats: int) -> Cell:
    """Run both sides in turn."""
    some = pairs(data, language, lines, duel.pairs[lines])
    default = measure(duel.name)
    rounds = []
    for _ in range(duel.repeats.get(lines, repeats)):
        peer = duel.peer(language, some)
        text = timed(lambda c, r: duel.own_setting.score(c, r, language=language))(language, some)
        sources = [(Source(c, language), Source(r, language)) for c, r in some]
        start = time.perf_counter()
        for candidate, reference in sources:
            default.score(candidate, reference)
        first = (time.perf_counter() - start) / len(some)
        start = time.perf_counter()
        for candidate, reference in sources:
            default.score(candidate, reference)
        prepared = (time.perf_counter() - start) / len(some)
        rounds.append((peer, text, prepared, max(0.0, first - prepared) / 2))
    columns = list(zip(*rounds, strict=True))
    peer, text, prepared, preparing = (statistics.median(c) for c in columns)
    return Cell(
        language,
        lines,
        peer,
        text,
        prepared,
        preparing,
        [p / t for p, t, _, _ in rounds],
        [p / q for p, _, q, _ in rounds],
    )


def show(ratios: Sequence[float]) -> str:
    """A median ratio with its quartiles."""
    low, middle, high = np.percentile(ratios, [25, 50, 75])
    digits = 0 if middle >= 20 else 1
    return f"{middle:.{digits}f} ({low:.{digits}f}-{high:.{digits}f})"


def micro(seconds: float) -> str:
    return f"{seconds * 1e6:,.0f}" if seconds >= 1e-5 else f"{seconds * 1e6:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--only", action="append", default=[])
    options = parser.parse_args()
    if not options.data.is_dir():
        sys.exit(f"{options.data}: no such folder; give the folder with triplets/ and clones/")
    print("Times in microseconds per pair; ratios: peer / codekin, median (quartiles).\n")
    print(
        "| measure | peer | language | lines | peer | from text, peer's setting | ratio "
        "| prepared, default | ratio | preparing one Source |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    summary = []
    for duel in duels():
        if options.only and duel.name not in options.only:
            continue
        cells = [
            fight(duel, options.data, language, lines, options.repeats)
            for language in LANGUAGES
            for lines in SIZES
        ]
        for c in cells:
            print(
                f"| {duel.name} | {duel.peer_name} | {c.language} | {c.lines} | {micro(c.peer)} "
                f"| {micro(c.text)} | {show(c.ratio_text)} | {micro(c.prepared)} "
                f"| {show(c.ratio_prepared)} | {micro(c.preparing)} |",
                flush=True,
            )
        summary.append((duel, cells))
    print("\nLowest and geometric mean of the median ratios over languages and sizes:\n")
    print("| measure | peer | from text: lowest | mean | goal | prepared: lowest | mean | goal |")
    print("|---|---|---|---|---|---|---|---|")
    for duel, cells in summary:
        text = [statistics.median(c.ratio_text) for c in cells]
        ready = [statistics.median(c.ratio_prepared) for c in cells]
        goal = "" if duel.target_prepared is None else f"{duel.target_prepared:g}"
        print(
            f"| {duel.name} | {duel.peer_name} | {min(text):.1f} "
            f"| {statistics.geometric_mean(text):.1f} | {duel.target_text:g} | {min(ready):.1f} "
            f"| {statistics.geometric_mean(ready):.1f} | {goal} |"
        )


if __name__ == "__main__":
    main()
