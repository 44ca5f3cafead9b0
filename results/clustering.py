"""How long clustering many revisions takes, and whether planted families are recovered.

Usage: ``python results/clustering.py [-m MEASURE] [--revisions N] [--lines N] [--families K]
[--seed S]``. Makes a Python file and revisions of it. Each family has its own edits in several
places; a revision makes most of them, words some of them differently, and changes something
unrelated elsewhere. Prints the time, and how well the groups agree with the families (adjusted Rand
index: 1 for the same groups, 0 for chance) for several thresholds.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Hashable, Sequence
from math import comb

from codekin import Source, cluster_revisions
from codekin.groups.clustering import DEFAULT_THRESHOLD, Clustering
from codekin.statistics.linkage import cut

NOUNS = ("order", "item", "price", "stock", "batch", "queue", "token", "route", "score", "label")
VERBS = ("load", "merge", "split", "check", "count", "sort", "trim", "pack", "scan", "clean")
THRESHOLDS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
Edit = tuple[int, list[str]]
"""Lines and their replacements."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-m", "--measure", default="es-token")
    parser.add_argument("--revisions", type=int, default=1000)
    parser.add_argument("--lines", type=int, default=1000)
    parser.add_argument("--families", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    origin, revisions, families = planted(
        options.lines, options.revisions, options.families, random.Random(options.seed)
    )
    started = time.perf_counter()
    found = cluster_revisions(
        Source(origin, "python"),
        {name: Source(text, "python") for name, text in revisions.items()},
        measure=options.measure,
    )
    seconds = time.perf_counter() - started
    lines = origin.count("\n")
    print(
        f"{len(revisions):,} revisions of {lines:,} lines in {len(set(families.values()))} ", end=""
    )
    print(f"families, {found.signature}: {seconds:.1f} s")
    for threshold in THRESHOLDS:
        labels = cut(found.linkage, threshold=1 - threshold).tolist()
        _print_agreement(f"threshold {threshold:g}", found, families, labels)
    count = min(len(found.names), len(set(families.values())))
    _print_agreement(f"{count} groups", found, families, cut(found.linkage, groups=count).tolist())
    print(f"the default threshold is {DEFAULT_THRESHOLD:g}")


def _print_agreement(
    how: str, found: Clustering, families: dict[str, int], labels: list[int]
) -> None:
    planted_in = [families[name] for name in found.names]
    agreement = adjusted_rand_index(planted_in, labels)
    print(f"{how:>14}: {max(labels) + 1:5,} groups, adjusted Rand index {agreement:.3f}")


def planted(
    lines: int, revisions: int, families: int, rng: random.Random
) -> tuple[str, dict[str, str], dict[str, int]]:
    """A file, revisions of it by name, and the family of each."""
    origin = _file(lines, rng)
    changeable = [i for i, line in enumerate(origin) if line.startswith("    ")]
    plans = [_plan(origin, changeable, family, rng) for family in range(families)]
    texts, families_of = {}, {}
    for number in range(revisions):
        family = rng.randrange(families)
        name = f"revision-{number:04}.py"
        texts[name] = "\n".join(_revised(origin, changeable, plans[family], rng)) + "\n"
        families_of[name] = family
    return "\n".join(origin) + "\n", texts, families_of


def _file(lines: int, rng: random.Random) -> list[str]:
    text: list[str] = []
    number = 0
    while len(text) < lines:
        number += 1
        noun, verb = rng.choice(NOUNS), rng.choice(VERBS)
        text += [
            f"def {verb}_{noun}_{number}({noun}s, limit={rng.randrange(100)}):",
            "    found = []",
        ]
        for _ in range(rng.randrange(4, 16)):
            text += _statement(noun, rng)
        text += ["    return found", "", ""]
    return text[:lines]


def _statement(noun: str, rng: random.Random) -> list[str]:
    value = rng.randrange(1000)
    return rng.choice(
        [
            [f"    {noun}_{value} = limit * {value} + len({noun}s)"],
            [f"    for {noun} in {noun}s:", f"        found.append({noun} + {value})"],
            [f"    if limit > {value}:", f"        limit -= {value % 7 + 1}"],
            [f"    found.extend({rng.choice(VERBS)}({noun}s, {value}))"],
        ]
    )


def _plan(origin: list[str], changeable: list[int], family: int, rng: random.Random) -> list[Edit]:
    """The edits of a family, some places near each other and some far."""
    start = rng.choice(changeable)
    near = [i for i in changeable if abs(i - start) < 60]
    places = {start, *rng.sample(near, min(2, len(near))), *rng.sample(changeable, 2)}
    return [(place, _replacement(origin[place], family, rng)) for place in sorted(places)]


def _replacement(line: str, family: int, rng: random.Random) -> list[str]:
    blanks = line[: len(line) - len(line.lstrip())]
    value = rng.randrange(1000)
    return rng.choice(
        [
            [],
            [
                f"{blanks}if not found and limit < {value}:",
                f"{blanks}    raise Empty{family}({value})",
                line,
            ],
            [line, f"{blanks}log_{family}.debug('at %s of %s', len(found), {value})"],
            [f"{blanks}found = [one for one in found if one != fix_{family}({value})]"],
        ]
    )


def _revised(
    origin: list[str], changeable: list[int], plan: list[Edit], rng: random.Random
) -> list[str]:
    edits = {place: lines for place, lines in plan if rng.random() < 0.85} or dict(plan[:1])
    for place in edits:
        if rng.random() < 0.3:  # worded differently
            edits[place] = [line.replace("found", "result") for line in edits[place]]
    for place in rng.sample(changeable, rng.randrange(1, 4)):  # unrelated
        edits.setdefault(place, [origin[place] + f"  + {rng.randrange(10**6)}"])
    return [new for i, line in enumerate(origin) for new in edits.get(i, [line])]


def adjusted_rand_index(one: Sequence[Hashable], other: Sequence[Hashable]) -> float:
    """How far two groupings agree on which pairs belong together, corrected for chance."""
    together = sum(comb(n, 2) for n in Counter(zip(one, other, strict=True)).values())
    first = sum(comb(n, 2) for n in Counter(one).values())
    second = sum(comb(n, 2) for n in Counter(other).values())
    by_chance = first * second / comb(len(one), 2)
    largest = (first + second) / 2
    return 1.0 if largest == by_chance else (together - by_chance) / (largest - by_chance)


if __name__ == "__main__":
    main()
