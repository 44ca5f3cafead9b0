"""What a few copied programs do to effect sizes: ``python results/leaks.py FOLDER -o PAGE``.

FOLDER holds files of triplets; those of one language whose name ends in ``-random`` are taken. In
a growing share of triplets the positive is made a copy of the anchor, with its local names
changed, as among the solutions of a contest where some copy. PAGE is docs/results/leaks.md.
"""

from __future__ import annotations

import json
import lzma
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from codekin import Source
from codekin.evaluation.triplets import TripletJudgement, evaluate_triplets
from codekin.rewrite import rewrite
from pages import arguments, mean, number, row_files, table, write_page

SHARES = (0.0, 0.01, 0.02, 0.05, 0.1)


def triplets(path: Path) -> list[dict[str, Any]]:
    """The triplets of a file."""
    opened = lzma.open if path.suffix == ".xz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def with_copies(rows: list[dict[str, Any]], share: float) -> list[dict[str, Any]]:
    """The triplets, a share of them with a renamed copy of the anchor as the positive."""
    chosen = set(random.Random(0).sample(range(len(rows)), round(share * len(rows))))
    return [
        {**row, "positive": renamed(row["anchor"], i)} if i in chosen else row
        for i, row in enumerate(rows)
    ]


def renamed(program: Mapping[str, str], seed: int) -> dict[str, str]:
    """A program with other local names, or as it is where they cannot be changed."""
    source = Source(program["code"], program["language"])
    return {**program, "code": rewrite(source, "locals", seed) or program["code"]}


def page(found: Mapping[str, Mapping[float, TripletJudgement]]) -> str:
    """The whole page."""
    labels = [one.label for one in next(iter(found.values()))[0.0].overall.measures]
    rows = []
    for name, by_share in found.items():
        for share, judgement in by_share.items():
            effects = {one.label: one for one in judgement.overall.measures}
            leaking = len({leak.triplet for leak in judgement.overall.leaks})
            rows.append(
                [
                    name,
                    f"{share:.0%}",
                    f"{leaking:,}",
                    *(number(effects[label].cohens_d) for label in labels),
                ]
            )
    for share in SHARES:
        means = [
            mean(
                next(
                    one.cohens_d.value
                    for one in by_share[share].overall.measures
                    if one.label == label
                )
                for by_share in found.values()
            )
            for label in labels
        ]
        rows.append(["*mean*", f"{share:.0%}", "", *map(number, means)])
    return "\n\n".join(
        [
            "# What a few copies do",
            "Made by `python results/leaks.py FOLDER -o docs/results/leaks.md`. In a share "
            "of the triplets the positive is replaced by a copy of the anchor with other local "
            "names, as where some contestants copy. *Found* is how many triplets "
            "`codekin evaluate` then names as leaking. Cohen's d:",
            table(["triplets", "copies", "found", *labels], rows),
        ]
    )


def main() -> None:
    """Plant, judge and write."""
    given = arguments(__doc__ or "", "a folder of triplets")
    found: dict[str, dict[float, TripletJudgement]] = {}
    for name, path in row_files(given.data).items():
        rows = triplets(path) if name.endswith("-random") else []
        if rows and all(row["anchor"]["language"] == row["positive"]["language"] for row in rows):
            found[name] = {
                share: evaluate_triplets(
                    with_copies(rows, share), given.measure, resamples=given.resamples
                )
                for share in SHARES
            }
    write_page(page(found), given.output)


if __name__ == "__main__":
    main()
