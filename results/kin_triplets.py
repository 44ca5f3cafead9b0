"""Triplets for learning kin's weights, each with what its two pairs share, cell by cell.

A cell is a family with a group of operations, and optionally with more. The weight of a program
in a cell is the sum of the rarity of its features there, over the square of their occurrence; a
weighting of cells then gives all scores by two products of matrices.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from codekin import Source, _native
from codekin.measures.background import Background, BackgroundCounts, shipped_background
from codekin.measures.kin import features_of, program_parts
from codekin.represent.graph.features import (
    Bag,
    Family,
    families_of,
    feature_bags,
    feature_set,
    operation_ids,
    words_of,
)
from codekin.represent.graph.normal_form import Link, normal_form
from codekin.represent.graph.semantic_graph import EdgeKind
from kin_label_groups import LabelGroup, groups_of, label_group
from kin_recipes import background, records
from pages import row_files

__all__ = [
    "CLONES",
    "Cells",
    "Pile",
    "Programs",
    "background_of",
    "blind_features",
    "cells",
    "exact_keys",
    "family_keys",
    "finer_keys",
    "normal_features",
    "read_piles",
]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Triplet = tuple[int, int, int]
LANGUAGES = ("cpp", "go", "java", "js", "python", "rust")
CLONES = "clones"
"""The name of the source of triplets whose negatives do something else."""
_MOST_ORIGINS = 6
_CLONE_TRIPLETS = 600
_TASKS = {"googlecodejam": 4, "gcj-java": 5, "ojclone": 50}
"""Collections of programs by task, and the step at which they are sampled."""
_NAMED = ("entry", "param")
"""Words of normal forms that also have a name or a number, which is left out here."""
_BLIND = {LabelGroup.INTEGER, LabelGroup.FLOAT, LabelGroup.SMALL, LabelGroup.STRING}


class Programs:
    """Different programs, numbered in the order in which they were first seen."""

    def __init__(self) -> None:
        self.sources: list[Source] = []
        self._places: dict[tuple[str, str], int] = {}

    def place(self, language: str, code: str) -> int:
        """The number of a program."""
        key = language, code
        if key not in self._places:
            self._places[key] = len(self.sources)
            self.sources.append(Source(code, language))
        return self._places[key]


@dataclass(frozen=True, eq=False)
class Pile:
    """Triplets of one file.

    Attributes
    ----------
    source : str
        Where its problems come from; no problem is in two sources.
    dataset, name : str
    judged : bool
        Whether it is one of the files that measures are judged on, not only learned from.
    triplets : int array, triplets by three
        Anchor, positive and negative.
    problems : array of str
    """

    source: str
    dataset: str
    name: str
    judged: bool
    triplets: Ints
    problems: npt.NDArray[np.str_]

    @property
    def key(self) -> tuple[str, str]:
        """The dataset, and whether positive and negative are matched or random."""
        return self.dataset, self.name.rpartition("-")[2]


def _pile(
    source: str, dataset: str, name: str, judged: bool, rows: Sequence[tuple[Triplet, str]]
) -> Pile:
    triplets = np.array([places for places, _ in rows], dtype=np.int64).reshape(-1, 3)
    return Pile(source, dataset, name, judged, triplets, np.array([p for _, p in rows]))


def read_piles(folder: Path, programs: Programs) -> list[Pile]:
    """All triplets: the files of triplets, and more from HumanEvalPack, DebugBench and clones."""
    return [
        *_files(folder / "triplets", programs),
        *_humaneval(folder / "humanevalpack", programs),
        *_debugbench(folder / "edits", programs),
        *_clones(folder / "clones", programs),
    ]


def _files(folder: Path, programs: Programs) -> Iterator[Pile]:
    for name, path in row_files(folder).items():
        source = name.partition("-")[0]
        rows, languages = [], set()
        for row in records(path):
            sides = [row[role] for role in ("anchor", "positive", "negative")]
            anchor, positive, negative = (programs.place(s["language"], s["code"]) for s in sides)
            rows.append(((anchor, positive, negative), f"{source} {row['problem']}"))
            languages.add((sides[0]["language"], sides[1]["language"]))
        whole = name.rpartition("-")[0]
        across = any(one != other for one, other in languages)
        dataset = f"{source}, two languages" if across else whole
        yield _pile(source, dataset, name, True, rows)


def _humaneval(folder: Path, programs: Programs) -> Iterator[Pile]:
    """HumanEvalPack between all its languages; problems as in the files of triplets."""
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for language in LANGUAGES:
        name = {"js": "javascript"}.get(language, language)
        for row in records(folder / f"{language}.jsonl.xz"):
            right, wrong = (
                row["declaration"] + row[field]
                for field in ("canonical_solution", "buggy_solution")
            )
            if right.split() != wrong.split():
                problem = row["task_id"].partition("/")[2]
                found[language, problem] = programs.place(name, right), programs.place(name, wrong)
    for anchor in LANGUAGES:
        for language in LANGUAGES:
            rows = [
                ((found[anchor, problem][0], *pair), f"humanevalpack {problem}")
                for (other, problem), pair in found.items()
                if other == language != anchor and (anchor, problem) in found
            ]
            if rows:
                name = f"humanevalpack, all-{anchor}-{language}-matched"
                yield _pile("humanevalpack", "humanevalpack, all pairs", name, False, rows)


def _debugbench(folder: Path, programs: Programs) -> Iterator[Pile]:
    """DebugBench between its languages: a right program, and versions with planted bugs."""
    languages = ("cpp", "java", "python")
    right: dict[tuple[str, str], int] = {}
    wrong: defaultdict[tuple[str, str], dict[int, None]] = defaultdict(dict)
    for language in languages:
        for row in records(folder / f"debugbench-{language}.jsonl.xz"):
            key = language, row["id"].split("/")[2]
            right.setdefault(key, programs.place(language, row["reference"]))
            if row["origin"].split() != row["reference"].split():
                wrong[key][programs.place(language, row["origin"])] = None
    rows = [
        ((right[anchor, problem], right[language, problem], bug), f"debugbench {problem}")
        for anchor in languages
        for (language, problem), bugs in wrong.items()
        if language != anchor and (anchor, problem) in right
        for bug in list(bugs)[:_MOST_ORIGINS]
    ]
    yield _pile("debugbench", "debugbench, two languages", "debugbench-matched", False, rows)


def _clones(folder: Path, programs: Programs) -> Iterator[Pile]:
    """Programs for a task, another for it, and one for another task."""
    for name, every in _TASKS.items():
        rows = list(records(folder / name / "snippets.jsonl.xz"))[::every]
        places = [programs.place(row["language"], row["code"]) for row in rows]
        tasks = np.array([str(row["functionality"]) for row in rows])
        draw = np.random.default_rng(0)
        found: list[tuple[Triplet, str]] = []
        while len(found) < _CLONE_TRIPLETS:
            anchor, other = draw.integers(len(rows), size=2).tolist()
            same = np.flatnonzero(tasks == tasks[anchor])
            if tasks[anchor] == tasks[other] or len(same) < 2:
                continue
            fellow = int(draw.choice(same[same != anchor]))
            chosen = places[anchor], places[fellow], places[other]
            found.append((chosen, f"{name} {tasks[anchor]}"))
        yield _pile(CLONES, name, f"{name}-random", False, found)


Key = tuple[Any, ...]
FeaturesOf = Callable[[Source], tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint8]]]
KeysOf = Callable[[Source], tuple[npt.NDArray[np.uint64], Floats, list[Key]]]


@dataclass(frozen=True, eq=False)
class Cells:
    """The weights of programs, and of what pairs share, by cell.

    Attributes
    ----------
    keys : list of tuple
        What identifies each cell.
    programs : float64 array, programs by cells
    positive, negative : float64 array, triplets by cells
        What each candidate shares with its anchor.
    """

    keys: list[Key]
    programs: Floats
    positive: Floats
    negative: Floats


def cells(sources: Sequence[Source], triplets: Ints, keys_of: Sequence[KeysOf]) -> Cells:
    """Count programs and pairs by cell."""
    numbers: dict[Key, int] = {}
    found = []
    for source in sources:
        parts = [of(source) for of in keys_of]
        block = np.concatenate([np.full(len(part[0]), i) for i, part in enumerate(parts)])
        ids = np.concatenate([part[0] for part in parts])
        # Features of different blocks must differ: their lowest bits are the block.
        ids = (ids & ~np.uint64(7)) | block.astype(np.uint64)
        place = [numbers.setdefault(key, len(numbers)) for part in parts for key in part[2]]
        order = np.argsort(ids)
        weights = np.concatenate([part[1] for part in parts])
        found.append((ids[order], np.array(place, dtype=np.int64)[order], weights[order]))
    width = len(numbers)
    whole = np.array([np.bincount(place, weight, minlength=width) for _, place, weight in found])

    def shared(one: int, other: int) -> Floats:
        ids, place, weight = found[one]
        both = np.isin(ids, found[other][0], assume_unique=True)
        sums: Floats = np.bincount(place[both], weight[both], minlength=width).astype(np.float64)
        return sums

    anchors, positives, negatives = triplets.T.tolist()
    return Cells(
        list(numbers),
        whole,
        np.array([shared(a, b) for a, b in zip(positives, anchors, strict=True)]),
        np.array([shared(a, b) for a, b in zip(negatives, anchors, strict=True)]),
    )


def exact_keys(source: Source) -> tuple[npt.NDArray[np.uint64], Floats, list[Key]]:
    """Features as kin has them: cells are families with groups."""
    features, ordinals = features_of(source)
    rarity = -np.log(shipped_background().shares(features))
    keys: list[Key] = list(
        zip(families_of(features).tolist(), groups_of(source).tolist(), strict=True)
    )
    return features, rarity / ordinals.astype(np.float64) ** 2, keys


def finer_keys(source: Source) -> tuple[npt.NDArray[np.uint64], Floats, list[Key]]:
    """The same with bins of rarity and of occurrences."""
    features, weights, keys = exact_keys(source)
    ordinals = features_of(source)[1]
    rare = np.digitize(weights * ordinals.astype(np.float64) ** 2, (1.0, 2.5, 5.0)).tolist()
    often = np.minimum(ordinals, 3).tolist()
    finer = [(*key, *more) for key, *more in zip(keys, rare, often, strict=True)]
    return features, weights, finer


def blind_features(source: Source) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint8]]:
    """Features with literals, with the kind of each literal in place of its value."""
    graph = program_parts(source).graph
    if graph is None:
        return np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.uint8)
    kinds = {label: label_group(label) for label in graph.labels}
    same = {label: f"a {kind.label}\n" for label, kind in kinds.items() if kind in _BLIND}
    # Small numbers are integers.
    small = f"a {LabelGroup.SMALL.label}\n"
    same = {
        label: f"a {LabelGroup.INTEGER.label}\n" if word == small else word
        for label, word in same.items()
    }
    blind = _native.graph_features(
        operation_ids(graph, same), graph.source, graph.target, graph.edge_kind
    )
    bags = []
    for bag, features in zip(feature_bags(program_parts(source)), blind, strict=False):
        other = features[1:] != bag.features
        bags.append(Bag(bag.family, features[1:][other]))
    return feature_set(bags)


def background_of(features: FeaturesOf, folder: Path) -> Background:
    """How common some features are in the background programs."""
    counts = BackgroundCounts()
    for language, source in background(folder / "clones"):
        counts.add(language, features(source)[0])
    return counts.background({}, 3)


def normal_features(source: Source) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint8]]:
    """Features of the normal form of a program instead of its graph, and of its tokens."""
    parts = program_parts(source)
    bags = [Bag(Family.TOKEN, words_of(parts).ids)]
    form = None
    if parts.graph is not None:
        form = normal_form(source.flow_ir, source.tokens, source.language.name)
    if form is not None:
        words, *edges = form.wiring()
        words = [next((one for one in _NAMED if w.startswith(one)), w) for w in words]
        sources, targets, links = (np.array(one, dtype=np.int32) for one in edges)
        kept = links != Link.OTHER
        decides = np.isin(links[kept], (Link.RUNS, Link.IF_TRUE, Link.IF_FALSE))
        kinds = np.where(decides, EdgeKind.CONTROL, EdgeKind.DATA).astype(np.uint8)
        ids = _native.string_ids(words)
        families = _native.graph_features(ids, sources[kept], targets[kept], kinds)
        bags += [Bag(Family(i), found[1:]) for i, found in enumerate(families)]
    return feature_set(bags)


def family_keys(features_of: FeaturesOf, common: Background, name: str) -> KeysOf:
    """Cells of some features: families, each with a name for the features."""

    def keys(source: Source) -> tuple[npt.NDArray[np.uint64], Floats, list[Key]]:
        features, ordinals = features_of(source)
        rarity = -np.log(common.shares(features))
        families: list[Key] = [(Family(f), name) for f in families_of(features).tolist()]
        return features, rarity / ordinals.astype(np.float64) ** 2, families

    return keys
