"""Alignments compared with rapidfuzz and difflib on real edits, in one run.

Usage: ``python bench/alignment.py DATA [--repeats N]`` where DATA/edits holds rows with an origin,
a reference and a candidate. Prints three tables in Markdown: common subsequences with positions,
divergent regions of two revisions, and files of 50,000 tokens. Every number is a median of thread
time over interleaved repeats; a ratio is computed within each repeat and shown with its quartiles.
Programs of 1300 tokens are two programs of half that length, one of them edited.

The peers get lists of token texts, and so does ``longest_common_subsequence``; ``lcs_hunks`` gets
the token identities that a Source keeps. Only ours has a rule for ties.
"""

from __future__ import annotations

import argparse
import json
import lzma
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import partial
from pathlib import Path

import numpy as np
from rapidfuzz.distance import LCSseq

from codekin import Source, longest_common_subsequence
from codekin._native import anchored_hunks, lcs_hunks
from codekin.align.lcs import Ids, Lines
from codekin.align.three_way import divergent_regions, merge_hunks

SIZES = (60, 150, 300, 650)
"""Tokens of the origin, within 15 %."""

PAIRS, LONG, EDITS = 12, 50_000, 20
Task = Callable[[], object]


@dataclass(frozen=True)
class Text:
    """A program as its tokens."""

    texts: list[str]
    ids: Ids
    lines: Lines

    @classmethod
    def of(cls, text: str, language: str) -> Text:
        """Split a program into tokens."""
        tokens = Source(text, language).tokens
        ends = np.flatnonzero(np.frombuffer(tokens.data, dtype=np.uint8) == ord("\n"))
        _, lines = np.unique(np.searchsorted(ends, tokens.starts), return_index=True)
        return cls(tokens.texts, tokens.ids, lines.astype(np.int32))

    @classmethod
    def joined(cls, parts: Sequence[Text]) -> Text:
        """Concatenate programs."""
        before = np.cumsum([0, *(len(part.ids) for part in parts)])
        lines = [part.lines + start for part, start in zip(parts, before, strict=False)]
        return cls(
            [text for part in parts for text in part.texts],
            np.concatenate([part.ids for part in parts]),
            np.concatenate(lines).astype(np.int32),
        )


@dataclass(frozen=True)
class Edit:
    """An origin with two revisions that differ from it."""

    origin: Text
    reference: Text
    candidate: Text


def edits(data: Path) -> Iterator[Edit]:
    """Different origins, in the order of the files."""
    seen: set[str] = set()
    for file in sorted((data / "edits").glob("*.jsonl.xz")):
        with lzma.open(file, "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                texts = [row[role] for role in ("origin", "reference", "candidate")]
                if texts[0] in seen or len(set(texts)) < 3:
                    continue
                seen.add(texts[0])
                yield Edit(*(Text.of(text, row["language"]) for text in texts))


def by_size(data: Path) -> tuple[dict[int, list[Edit]], list[Edit]]:
    """Edits of each size, and enough to make a long file."""
    sized: dict[int, list[Edit]] = {size: [] for size in SIZES}
    parts: list[Edit] = []
    length = 0
    for edit in edits(data):
        tokens = len(edit.origin.ids)
        if length < LONG:
            parts.append(edit)
            length += tokens
        for size, found in sized.items():
            if abs(tokens - size) <= 0.15 * size and len(found) < PAIRS:
                found.append(edit)
        if length >= LONG and all(len(found) == PAIRS for found in sized.values()):
            break
    half = sized[650]
    sized[1300] = [twice(e, f) for e, f in zip(half, half[1:] + half[:1], strict=True)]
    return sized, parts


def twice(edited: Edit, other: Edit) -> Edit:
    """A program followed by another, unchanged one."""
    revisions = (edited.origin, edited.reference, edited.candidate)
    return Edit(*(Text.joined([text, other.origin]) for text in revisions))


def difflib_opcodes(a: Sequence[str], b: Sequence[str]) -> object:
    return SequenceMatcher(None, a, b, autojunk=False).get_opcodes()


def seconds(tasks: Sequence[Task], calls: int) -> float:
    """Seconds per task."""
    start = time.thread_time()
    for _ in range(calls):
        for task in tasks:
            task()
    return (time.thread_time() - start) / (len(tasks) * calls)


def in_turn(contenders: Sequence[Sequence[Task]], repeats: int, calls: int) -> list[list[float]]:
    """The seconds of each repeat, for each contender."""
    rounds = [[seconds(tasks, calls) for tasks in contenders] for _ in range(repeats)]
    return [list(column) for column in zip(*rounds, strict=True)]


def micro(values: Sequence[float]) -> str:
    value = statistics.median(values) * 1e6
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"


def ratio(peer: Sequence[float], own: Sequence[float]) -> str:
    """A median ratio with its quartiles."""
    ratios = [p / o for p, o in zip(peer, own, strict=True)]
    low, middle, high = np.percentile(ratios, [25, 50, 75])
    digits = 0 if middle >= 20 else 1
    return f"{middle:.{digits}f} ({low:.{digits}f}-{high:.{digits}f})"


def pair_row(name: str, size: int, pairs: Sequence[tuple[Text, Text]], repeats: int) -> str:
    times = in_turn(
        [
            [partial(LCSseq.opcodes, a.texts, b.texts) for a, b in pairs],
            [partial(difflib_opcodes, a.texts, b.texts) for a, b in pairs],
            [partial(longest_common_subsequence, a.texts, b.texts) for a, b in pairs],
            [partial(lcs_hunks, a.ids, b.ids) for a, b in pairs],
        ],
        repeats,
        3,
    )
    rapidfuzz, difflib, lists, ids = times
    return (
        f"| {name} | {size} | {micro(rapidfuzz)} | {micro(difflib)} | {micro(lists)} "
        f"| {micro(ids)} | {ratio(rapidfuzz, lists)} | {ratio(rapidfuzz, ids)} "
        f"| {ratio(difflib, ids)} |"
    )


def print_pairs(sized: dict[int, list[Edit]], repeats: int) -> None:
    print("Common subsequences with positions; times in microseconds, ratios: peer / codekin.\n")
    print(
        "| pair | tokens | rapidfuzz | difflib | from lists | from ids "
        "| rapidfuzz / lists | rapidfuzz / ids | difflib / ids |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for size, found in sized.items():
        if len(found) < 2:
            print(f"| (too few programs of this size) | {size} | | | | | | | |")
            continue
        kinds = {
            "origin, candidate": [(e.origin, e.candidate) for e in found],
            "two origins": [
                (e.origin, f.origin) for e, f in zip(found, found[1:] + found[:1], strict=True)
            ],
        }
        for name, pairs in kinds.items():
            print(pair_row(name, size, pairs, repeats), flush=True)


def print_regions(sized: dict[int, list[Edit]], repeats: int) -> None:
    print("\nDivergent regions of reference and candidate; microseconds per triple.\n")
    print("| tokens | by tokens | by lines and tokens | of prepared hunks |")
    print("|---|---|---|---|")
    for size, found in sized.items():
        if not found:
            continue
        plain, anchored, merged = [], [], []
        for e in found:
            ids = e.reference.ids, e.candidate.ids, e.origin.ids
            lines = e.reference.lines, e.candidate.lines, e.origin.lines
            plain.append(partial(divergent_regions, *ids))
            anchored.append(partial(divergent_regions, *ids, lines))
            hunks = (
                lcs_hunks(e.origin.ids, e.reference.ids),
                lcs_hunks(e.origin.ids, e.candidate.ids),
            )
            merged.append(partial(merge_hunks, *hunks))
        times = in_turn([plain, anchored, merged], repeats, 20)
        print(f"| {size} | " + " | ".join(micro(column) for column in times) + " |", flush=True)


def print_long(parts: list[Edit], repeats: int) -> None:
    every = max(1, len(parts) // EDITS)
    chosen = set(range(0, every * EDITS, every))
    a = Text.joined([e.origin for e in parts])
    b = Text.joined([e.candidate if k in chosen else e.origin for k, e in enumerate(parts)])
    c = Text.joined([e.origin for e in reversed(parts)])
    print(f"\nFiles of {len(a.ids):,} tokens; milliseconds, ratios: rapidfuzz / codekin.\n")
    print("| pair | rapidfuzz | lcs_hunks | anchored_hunks | / lcs_hunks | / anchored_hunks |")
    print("|---|---|---|---|---|---|")
    for name, other in ((f"{EDITS} programs edited", b), ("programs in reverse order", c)):
        times = in_turn(
            [
                [partial(LCSseq.opcodes, a.texts, other.texts)],
                [partial(lcs_hunks, a.ids, other.ids)],
                [partial(anchored_hunks, a.ids, a.lines, other.ids, other.lines)],
            ],
            max(3, repeats // 3),
            1,
        )
        shown = " | ".join(f"{statistics.median(column) * 1e3:,.1f}" for column in times)
        ratios = " | ".join(ratio(times[0], own) for own in times[1:])
        print(f"| {name} | {shown} | {ratios} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--repeats", type=int, default=9)
    options = parser.parse_args()
    if not (options.data / "edits").is_dir():
        sys.exit(f"{options.data / 'edits'}: no such folder; give the folder that holds edits/")
    sized, parts = by_size(options.data)
    print_pairs(sized, options.repeats)
    print_regions(sized, options.repeats)
    print_long(parts, options.repeats)


if __name__ == "__main__":
    main()
