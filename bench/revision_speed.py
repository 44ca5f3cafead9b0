"""Measures of edits compared with what people use for them, in one run.

Usage: ``python bench/revision_speed.py EDITS [--repeats N] [--only NAME]...`` where EDITS is a
folder of JSON lines (``.jsonl.xz``) with ``origin``, ``reference``, ``candidate`` and ``language``.
Prints a table in Markdown for each part. Every number is a median over interleaved repeats on one
thread, in seconds of this process, so that a busy machine affects both sides; a ratio is computed
within each repeat and shown with its quartiles. Before anything is timed, both sides must give the
same values.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import lzma
import math
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np

from codekin import Measure, Source, measure
from peers.plain_sari import evaluate_sari, evaluate_sentence, xu_sentence

SIZES = {60: (50, 70), 150: (130, 170), 300: (270, 330), 600: (540, 660), 1300: (1100, 1500)}
"""Size classes in tokens of the origin, with the range of each."""
TRIPLES = 20
_T = TypeVar("_T")


class Triple(NamedTuple):
    """An edit: an origin, a model's revision of it, and the reference."""

    origin: str
    candidate: str
    reference: str
    language: str

    def sources(self) -> tuple[Source, Source, Source]:
        """Candidate, reference and origin, in the order of a measure's arguments."""
        candidate, reference, origin = (
            Source(text, self.language) for text in (self.candidate, self.reference, self.origin)
        )
        return candidate, reference, origin


def edits(folder: Path) -> Iterator[Triple]:
    """The edits in a folder that change something, taking files in turn."""
    with contextlib.ExitStack() as files:
        opened = [
            files.enter_context(lzma.open(file, "rt", encoding="utf-8"))
            for file in sorted(folder.glob("*.jsonl.xz"))
        ]
        for line in itertools.chain.from_iterable(zip(*opened, strict=False)):
            row = json.loads(line)
            if row["candidate"] != row["origin"] != row["reference"]:
                yield Triple(row["origin"], row["candidate"], row["reference"], row["language"])


def triples_by_size(folder: Path) -> dict[int, list[Triple]]:
    """For each size, edits of different origins whose three texts have about that length."""
    found: dict[int, list[Triple]] = {size: [] for size in SIZES}
    origins: set[str] = set()
    for triple in edits(folder):
        if triple.origin in origins:
            continue
        lengths = [len(source.tokens) for source in triple.sources()]
        for size, (low, high) in SIZES.items():
            if low <= min(lengths) <= max(lengths) <= high and len(found[size]) < TRIPLES:
                found[size].append(triple)
                origins.add(triple.origin)
        if all(len(some) == TRIPLES for some in found.values()):
            break
    return found


@dataclass(frozen=True)
class Duel:
    """A form of ours, the peer that it reproduces, and the target ratio."""

    part: str
    peer_name: str
    peer: Callable[[str, str, Sequence[str]], float]
    own: Measure
    goal: float


def duels() -> Iterator[Duel]:
    own = measure("sari", compat="evaluate")
    yield Duel("sari", "evaluate, in plain Python", evaluate_sari, own, 10)
    own = measure("sari", compat="evaluate", tokenizer="none", lowercase=False)
    yield Duel("sari", "evaluate's SARIsent, in plain Python", evaluate_sentence, own, 10)
    own = measure("sari", compat="xu")
    yield Duel("sari", "SARI.py, in plain Python", xu_sentence, own, 5)


@dataclass(frozen=True)
class Cell:
    """The result of a duel for one size, in seconds per triple."""

    peer: float
    text: float
    prepared: float
    ratios: list[float]


def fight(duel: Duel, some: list[Triple], repeats: int) -> Cell:
    """Run both sides in turn; `prepared` is our default on prepared Sources."""
    rounds = []
    default = measure(duel.own.name)
    for _ in range(repeats):
        peer = timed(lambda t: duel.peer(t.origin, t.candidate, [t.reference]), some)
        text = timed(lambda t: from_text(duel, t), some)
        ready = [triple.sources() for triple in some]
        timed(lambda sources: default.score(*sources), ready)
        rounds.append((peer, text, timed(lambda sources: default.score(*sources), ready)))
    peer, text, prepared = (statistics.median(column) for column in zip(*rounds, strict=True))
    return Cell(peer, text, prepared, [p / t for p, t, _ in rounds])


def from_text(duel: Duel, triple: Triple) -> float:
    score = duel.own.score(
        triple.candidate, triple.reference, triple.origin, language=triple.language
    )
    return score.value


def timed(function: Callable[[_T], object], some: Sequence[_T]) -> float:
    """Seconds per item."""
    start = time.process_time()
    for one in some:
        function(one)
    return (time.process_time() - start) / len(some)


def check_agreement(duel: Duel, some: list[Triple]) -> None:
    """Stop unless both sides give the same values."""
    for triple in some:
        theirs = duel.peer(triple.origin, triple.candidate, [triple.reference])
        ours = from_text(duel, triple)
        if not math.isclose(ours, theirs, abs_tol=1e-9):
            sys.exit(f"{duel.own!r} gives {ours!r}, {duel.peer_name} {theirs!r}")


def show(ratios: Sequence[float]) -> str:
    """A median ratio with its quartiles."""
    low, middle, high = np.percentile(ratios, [25, 50, 75])
    return f"{middle:.1f} ({low:.1f}-{high:.1f})"


def micro(seconds: float) -> str:
    return f"{seconds * 1e6:,.0f}" if seconds >= 1e-5 else f"{seconds * 1e6:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("edits", type=Path)
    parser.add_argument("--repeats", type=int, default=31)
    parser.add_argument("--only", action="append", default=[])
    options = parser.parse_args()
    if not any(options.edits.glob("*.jsonl.xz")):
        sys.exit(f"{options.edits}: has no *.jsonl.xz files; give the folder of edits")
    found = triples_by_size(options.edits)
    print(
        "Times in microseconds per triple; ratio: peer / codekin from text in the peer's setting, "
        "median (quartiles).\n"
    )
    print(
        "| measure | peer | tokens | triples | peer | from text | ratio | goal "
        "| prepared, default |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for duel in duels():
        if options.only and duel.part not in options.only:
            continue
        for size, some in found.items():
            check_agreement(duel, some)
            cell = fight(duel, some, options.repeats)
            print(
                f"| {duel.part} | {duel.peer_name} | {size:,} | {len(some)} | {micro(cell.peer)} "
                f"| {micro(cell.text)} | {show(cell.ratios)} | {duel.goal:g} "
                f"| {micro(cell.prepared)} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
