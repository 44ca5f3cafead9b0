"""What codebleu makes of two data flows: by rules of its own, or the data edges of semantic graphs.

``python bench/codebleu_dataflow.py FOLDER``, where FOLDER holds ``edits/NAME.jsonl.xz`` and
``triplets/NAME.jsonl.xz``. Of edits it prints Pearson's r with the outcome, of triplets Cohen's d;
intervals draw whole tasks (1,000 resamples, percentiles), and differences are paired.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from codekin import Source, _native, semantic_graph
from codekin.measures.codebleu import CodeBleu
from codekin.represent.graph.parts import EdgeKind
from codekin.represent.text.plain_tokens import string_ids

EDITS = ("humanevalfix-python", "debugbench-cpp", "debugbench-java", "canitedit")
TRIPLETS = ("codeflaws-c", "condefects-java", "condefects-python")
RESAMPLES = 1000

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]
Statistic = Callable[[Floats, Places], float]


def pair_hashes(
    first: npt.NDArray[np.uint64], second: npt.NDArray[np.uint64]
) -> npt.NDArray[np.uint64]:
    """One number for each pair of numbers."""
    mixed = first * np.uint64(0x9E3779B97F4A7C15) + second
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def data_edges(source: Source) -> npt.NDArray[np.uint64]:
    """The data edges of a program by the labels of their ends, sorted."""

    def make() -> npt.NDArray[np.uint64]:
        graph = semantic_graph(source.expanded)
        data = graph.edge_kind == EdgeKind.DATA
        labels = string_ids(list(graph.labels))[graph.label]
        return np.sort(pair_hashes(labels[graph.source[data]], labels[graph.target[data]]))

    return source.remember("data edges", make)


@dataclass(frozen=True, kw_only=True, repr=False)
class ByGraph(CodeBleu):
    """codebleu with the data edges of semantic graphs."""

    name: ClassVar[str] = "codebleu by graph"

    def statistics(self, candidate: Source, references: Sequence[Source]) -> list[int]:
        """As codebleu, the last two counts aside."""
        counts = list(super().statistics(candidate, references))
        shared, _, total = _native.sorted_overlap(data_edges(candidate), data_edges(references[0]))
        counts[-2:] = [shared, total]
        return counts


MEASURES = {
    "rules": CodeBleu(),
    "graph": ByGraph(),
    "no data flow": CodeBleu(weights=(1, 1, 1, 0)),
}


def rows_of(path: Path, most: int) -> list[dict[str, Any]]:
    """Some rows of a file, drawn with a fixed seed."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    random.Random(0).shuffle(rows)
    return rows[:most]


def edit_scores(rows: list[dict[str, Any]]) -> tuple[dict[str, Floats], Statistic, list[str]]:
    """Values of each measure, Pearson's r with the outcome, and the task of each row."""
    references = {r["reference"]: Source(r["reference"], r["language"]) for r in rows}
    values = defaultdict(list)
    for row in rows:
        candidate = Source(row["candidate"], row["language"])
        for name, one in MEASURES.items():
            values[name].append(one.score(candidate, references[row["reference"]]).value)
    outcomes = np.array([float(row["outcome"]) for row in rows])

    def pearson(found: Floats, places: Places) -> float:
        return float(np.corrcoef(found[places], outcomes[places])[0, 1])

    return {k: np.array(v) for k, v in values.items()}, pearson, [r["reference"] for r in rows]


def triplet_scores(rows: list[dict[str, Any]]) -> tuple[dict[str, Floats], Statistic, list[str]]:
    """Values of positives and negatives, Cohen's d between them, and the problem of each row."""
    values = defaultdict(list)
    for row in rows:
        anchor, positive, negative = (
            Source(row[role]["code"], row[role]["language"])
            for role in ("anchor", "positive", "negative")
        )
        for name, one in MEASURES.items():
            scores = one.score(positive, anchor).value, one.score(negative, anchor).value
            values[name].append(scores)

    def cohens_d(found: Floats, places: Places) -> float:
        chosen = found[places]
        spread = np.sqrt(chosen.var(axis=0, ddof=1).mean())
        return float((chosen[:, 0].mean() - chosen[:, 1].mean()) / spread)

    return {k: np.array(v) for k, v in values.items()}, cohens_d, [r["problem"] for r in rows]


def show(name: str, values: dict[str, Floats], statistic: Statistic, tasks: list[str]) -> None:
    """One line per measure: the statistic, its interval, and the paired difference to rules."""
    members = defaultdict(list)
    for place, task in enumerate(tasks):
        members[task].append(place)
    groups = [np.array(places) for places in members.values()]
    random_numbers = np.random.default_rng(0)
    draws = [
        np.concatenate([groups[g] for g in random_numbers.integers(0, len(groups), len(groups))])
        for _ in range(RESAMPLES)
    ]
    every = np.arange(len(tasks))
    drawn = {one: np.array([statistic(found, d) for d in draws]) for one, found in values.items()}
    for one, found in values.items():
        low, high = np.percentile(drawn[one], (2.5, 97.5))
        line = f"| {name} | {len(tasks):,} | {one} | {statistic(found, every):.3f} "
        line += f"[{low:.3f}, {high:.3f}] |"
        if one != "rules":
            apart = statistic(found, every) - statistic(values["rules"], every)
            low, high = np.percentile(drawn[one] - drawn["rules"], (2.5, 97.5))
            line += f" {apart:+.3f} [{low:+.3f}, {high:+.3f}]"
        print(line + " |", flush=True)


def main() -> None:
    """Score and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--rows", type=int, default=2000, help="rows of a file at most")
    given = parser.parse_args()
    print("| rows | n | data flow | r or d | minus rules |\n|---|---|---|---|---|")
    for name in [f"{one}-{kind}" for one in TRIPLETS for kind in ("matched", "random")]:
        rows = rows_of(given.data / "triplets" / f"{name}.jsonl.xz", given.rows)
        show(name, *triplet_scores(rows))
    for name in EDITS:
        show(name, *edit_scores(rows_of(given.data / "edits" / f"{name}.jsonl.xz", given.rows)))


if __name__ == "__main__":
    main()
