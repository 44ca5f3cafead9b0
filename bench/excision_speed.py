"""es-token compared with the same definition in plain Python, and its growth with unchanged code.

Usage: ``python bench/excision_speed.py EDITS [--repeats N]`` with a folder of edits as for
``bench/revision_speed.py``. Every number is a median over interleaved repeats on one thread, in
seconds of this process; a ratio is computed within each repeat and shown with its quartiles.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
from pathlib import Path

import numpy as np

from codekin import Source, measure
from peers.plain_excision import es_token, es_token_of_lists, tokens
from revision_speed import Triple, micro, show, timed, triples_by_size

ES = measure("es-token")
CONTEXT = (500, 1000, 2000, 4000, 8000, 16000, 32000, 50000)
"""Tokens of unchanged code before and after an edit."""


def fresh(sources: tuple[Source, ...]) -> tuple[Source, ...]:
    """Sources with known tokens, but without alignments."""
    for source in sources:
        for key in [key for key in source._kept if key[0] == "revision hunks"]:
            del source._kept[key]
    return sources


def fight(some: list[Triple], repeats: int) -> list[str]:
    """Times of one size: the peer and ours, on tokens, on known alignments and from text."""
    rounds = []
    prepared = [triple.sources() for triple in some]
    lists = [
        tuple(tokens(text, t.language) for text in (t.origin, t.candidate, t.reference))
        for t in some
    ]
    for sources in prepared:
        ES.score(*sources)
    for _ in range(repeats):
        peer = timed(lambda three: es_token_of_lists(*three), lists)
        known = timed(lambda sources: ES.score(*sources), prepared)
        for sources in prepared:
            fresh(sources)
        own = timed(lambda sources: ES.score(*sources), prepared)
        peer_text = timed(lambda t: es_token(t.origin, t.candidate, t.reference, t.language), some)
        own_text = timed(
            lambda t: ES.score(t.candidate, t.reference, t.origin, language=t.language), some
        )
        rounds.append((peer, own, known, peer_text, own_text))
    peer, own, known, peer_text, own_text = (
        statistics.median(column) for column in zip(*rounds, strict=True)
    )
    return [
        micro(peer),
        micro(own),
        show([one[0] / one[1] for one in rounds]),
        micro(known),
        micro(peer_text),
        micro(own_text),
        show([one[3] / one[4] for one in rounds]),
    ]


def agreement(some: list[Triple]) -> str:
    """How many values are the same, and the largest difference of the others."""
    apart = [
        abs(
            es_token(t.origin, t.candidate, t.reference, t.language)
            - ES.score(t.candidate, t.reference, t.origin, language=t.language).value
        )
        for t in some
    ]
    same = sum(math.isclose(one, 0, abs_tol=1e-9) for one in apart)
    return f"{same} of {len(some)}" + (f", others by {max(apart):.3f}" if same < len(some) else "")


def in_context(size: int) -> Triple:
    """An edit of two lines within unchanged tokens, half of them before and half after."""
    lines = [f"    value_{k} = combine(value_{k - 1}, {k})\n" for k in range(1, size // 9 + 2)]
    head, tail = "".join(lines[: len(lines) // 2]), "".join(lines[len(lines) // 2 :])
    edits = ("total = a - b\n", "total = a + b\n", "total = a * b\n    check(total)\n")
    origin, reference, candidate = (f"def f(a, b):\n{head}    {edit}{tail}" for edit in edits)
    return Triple(origin, candidate, reference, "python")


def growth(repeats: int) -> None:
    """Print times for one edit in growing context, and the exponents of their growth."""
    print("\n| unchanged tokens | tokens known | alignment known | from text |")
    print("|---|---|---|---|")
    sizes, times = [], []
    for size in CONTEXT:
        triple = in_context(size)
        sources = triple.sources()
        sizes.append(len(sources[2].lexemes))
        ES.score(*sources)
        rounds = []
        for _ in range(repeats):
            known = timed(lambda one: ES.score(*one), [sources])
            own = timed(lambda one: ES.score(*fresh(one)), [sources])
            text = timed(
                lambda t: ES.score(t.candidate, t.reference, t.origin, language=t.language),
                [triple],
            )
            rounds.append((own, known, text))
        times.append([statistics.median(column) for column in zip(*rounds, strict=True)])
        print(
            f"| {sizes[-1]:,} | " + " | ".join(micro(one) for one in times[-1]) + " |", flush=True
        )
    slopes = [
        np.polyfit(np.log(sizes[2:]), np.log([row[k] for row in times[2:]]), 1)[0] for k in range(3)
    ]
    print("| grows with the power | " + " | ".join(f"{slope:.2f}" for slope in slopes) + " |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("edits", type=Path)
    parser.add_argument("--repeats", type=int, default=31)
    options = parser.parse_args()
    if not any(options.edits.glob("*.jsonl.xz")):
        sys.exit(f"{options.edits}: has no *.jsonl.xz files; give the folder of edits")
    print(
        "Microseconds per triple; ratio: plain Python / es-token, median (quartiles). Goals: 5 on "
        "known tokens, 2 from text.\n"
    )
    print(
        "| tokens | triples | same value | plain, tokens known | es-token | ratio "
        "| alignment known too | plain, from text | es-token | ratio |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for size, some in triples_by_size(options.edits).items():
        cells = [f"{size:,}", str(len(some)), agreement(some), *fight(some, options.repeats)]
        print("| " + " | ".join(cells) + " |", flush=True)
    growth(options.repeats)


if __name__ == "__main__":
    main()
