"""Recipes for kin: how features are weighted and compared, and their effect on triplets."""

from __future__ import annotations

import sys
import sysconfig
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).parents[1]))

from tools.background_frequencies import chosen

from codekin import Source
from codekin.runs.rows import open_rows
from codekin.statistics.effect_size import cohens_d_of
from kin_families import Collection, Family
from pages import mean, row_files

__all__ = [
    "CHOSEN",
    "FOLDS",
    "FORMS",
    "GROUPS",
    "Effect",
    "Exploration",
    "Floats",
    "Recipe",
    "Tasks",
    "Triplets",
    "background",
    "effect",
    "read",
    "records",
]

Floats = npt.NDArray[np.float64]
Chosen = npt.NDArray[np.bool_]
DOCUMENTS = 3_000
"""The number of background programs per source and language."""
FOLDS = 5
TASKS = {"googlecodejam": 1, "ojclone": 25}
"""Collections of programs grouped by task, and the step at which they are sampled."""
GROUPS = ("matched", "random", "matched, two languages", "random, two languages")
FORMS: dict[str, Callable[[Floats, Floats, Floats], Floats]] = {
    "filled": lambda n, a, b: n / (2 * np.maximum(a, b) - n),
    "larger": lambda n, a, b: n / np.maximum(a, b),
    "dice": lambda n, a, b: 2 * n / (a + b),
    "jaccard": lambda n, a, b: n / (a + b - n),
    "cosine": lambda n, a, b: n / np.sqrt(a * b),
    "smaller": lambda n, a, b: n / np.minimum(a, b),
    "reference": lambda n, a, b: n / b,
}
"""Scores from the weights of shared features (n) and of each program (a, b; b is the anchor's)."""


@dataclass(frozen=True)
class Recipe:
    """A way to weight and compare features."""

    weights: tuple[tuple[str, float], ...]
    fading: float = 2.0
    """The k-th occurrence of a feature counts 1 / k to this power; infinite: only the first."""
    power: float = 1.0
    """The power of rarity; 0: all features count the same."""
    languages: str = "largest"
    """Which language's share counts: ``largest``, ``mean``, or the name of one."""
    least: int = 3
    """A feature in fewer documents of a language counts as unseen in it."""
    form: str = "filled"

    def without(self, name: str) -> Recipe:
        """The same without a family."""
        return replace(self, weights=tuple(one for one in self.weights if one[0] != name))

    def given(self, name: str, weight: float) -> Recipe:
        """The same with another weight for a family."""
        return replace(self, weights=(*self.without(name).weights, (name, weight)))


CHOSEN = Recipe((("operation", 4), ("inputs", 1), ("uses", 1), ("conditions", 1), ("token", 0.125)))


@dataclass(frozen=True, eq=False)
class Triplets:
    """All triplets of all files: indices of anchor, positive and negative in a collection."""

    files: Mapping[str, slice]
    groups: Mapping[str, Sequence[str]]
    roles: npt.NDArray[np.intp]
    problems: npt.NDArray[np.str_]
    lengths: npt.NDArray[np.int64]
    sources: Sequence[Source]

    @cached_property
    def folds(self) -> npt.NDArray[np.int64]:
        """The fold of each triplet, the same for all triplets of a problem."""
        return np.array([zlib.crc32(p.encode()) % FOLDS for p in self.problems.tolist()])

    @cached_property
    def pairs(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Candidates and anchors: all positives, then all negatives."""
        return np.concatenate(self.roles.T[1:]), np.tile(self.roles[:, 0], 2)

    @cached_property
    def even(self) -> Chosen:
        """Which triplets have equally many tokens in positive and negative."""
        same: Chosen = self.lengths[self.roles[:, 1]] == self.lengths[self.roles[:, 2]]
        return same


@dataclass(frozen=True, eq=False)
class Tasks:
    """Programs grouped by task: indices in a collection, and the task of each."""

    places: npt.NDArray[np.intp]
    does: npt.NDArray[np.str_]

    def precision(self, scores: Floats) -> float:
        """Mean average precision, with each program as a query for others of its task."""
        found = []
        np.fill_diagonal(scores, -np.inf)
        for mine, row in zip(self.does, scores, strict=True):
            same = self.does[np.argsort(-row, kind="stable")[:-1]] == mine
            if same.any():
                ranks = np.flatnonzero(same) + 1
                found.append(float(np.mean(np.arange(1, len(ranks) + 1) / ranks)))
        return mean(found)


@dataclass(frozen=True)
class Effect:
    """Means over files: Cohen's d, the same at equal lengths, the share of triplets won."""

    d: float
    even: float
    won: float

    @property
    def aim(self) -> float:
        """The objective that recipes are chosen by: all three, on similar scales."""
        return self.d + self.even / 2 + self.won - 0.5


def effect(scores: Floats, triplets: Triplets, group: str, rows: Chosen | None = None) -> Effect:
    """The effect of scores (positives and negatives by triplets) in the files of a group."""
    found = []
    for name in triplets.groups[group]:
        at = np.arange(triplets.files[name].start, triplets.files[name].stop)
        at = at if rows is None else at[rows[at]]
        one, other = scores[:, at]
        even = triplets.even[at]
        gap = one - other
        won = float(np.mean((np.sign(np.where(np.abs(gap) < 1e-12, 0, gap)) + 1) / 2))
        found.append((_d(one, other), _d(one[even], other[even]), won))
    return Effect(*(mean(column) for column in zip(*found, strict=True)))


def _d(positive: Floats, negative: Floats) -> float:
    return cohens_d_of(positive, negative).value if len(positive) > 1 else float("nan")


@dataclass(eq=False)
class Exploration:
    """Scores of recipes; the overlaps of families are cached."""

    triplets: Triplets
    collection: Collection
    tasks: Mapping[str, Tasks]
    _families: dict[str, tuple[Family, Any]] = field(default_factory=dict)
    _sums: dict[tuple[Any, ...], tuple[Floats, Floats]] = field(default_factory=dict)

    def scores(self, recipe: Recipe) -> Floats:
        """The scores of positives and negatives, by triplets."""
        shared, own = 0.0, 0.0
        for name, weight in recipe.weights:
            of_pairs, of_programs = self._summed(name, recipe)
            shared, own = shared + weight * of_pairs, own + weight * of_programs
        candidates, anchors = self.triplets.pairs
        mass = np.maximum(own, 1e-9)
        return FORMS[recipe.form](shared, mass[candidates], mass[anchors]).reshape(2, -1)

    def precision(self, recipe: Recipe, tasks: Tasks) -> float:
        """How well a recipe finds programs for the same task."""
        shared = np.zeros((len(tasks.places), len(tasks.places)))
        for name, weight in recipe.weights:
            self._summed(name, recipe)
            family, _ = self._families[name]
            rows = family.programs[tasks.places]
            shared += weight * ((rows * self.weights(family, recipe)) @ rows.T).toarray()
        own = np.maximum(shared.diagonal(), 1e-9)
        return tasks.precision(FORMS[recipe.form](shared, own[:, None], own[None, :]))

    def _summed(self, name: str, recipe: Recipe) -> tuple[Floats, Floats]:
        """The weights of pairs' shared features and of programs' features, in one family."""
        key = (name, recipe.fading, recipe.power, recipe.languages, recipe.least)
        if key not in self._sums:
            if name not in self._families:
                family = self.collection.family(name)
                candidates, anchors = self.triplets.pairs
                both = family.programs[candidates].multiply(family.programs[anchors]).tocsr()
                self._families[name] = family, both
            family, both = self._families[name]
            weights = self.weights(family, recipe)
            self._sums[key] = both @ weights, family.programs @ weights
        return self._sums[key]

    def weights(self, family: Family, recipe: Recipe) -> Floats:
        """The weight of each feature of a family."""
        documents = self.collection.documents()
        counts = {
            language: np.where(count >= recipe.least, count, 0)
            for language, count in family.background.items()
        }
        shares = [
            (count + 1 / 8) / (max(documents[language], DOCUMENTS) + 1 / 2)
            for language, count in counts.items()
            if recipe.languages in {"largest", "mean", language}
        ]
        together = np.max if recipe.languages == "largest" else np.mean
        rarity = -np.log(np.minimum(together(shares, axis=0), 1.0))
        faded: Floats = rarity**recipe.power * family.occurrence ** -float(recipe.fading)
        return faded


def read(folder: Path) -> tuple[Triplets, Collection, Mapping[str, Tasks]]:
    """Every triplet, programs by task, and the background, counted."""
    collection = Collection()
    places: dict[tuple[str, str], int] = {}
    sources: list[Source] = []
    roles: list[list[int]] = []
    problems: list[str] = []
    files: dict[str, slice] = {}
    groups: dict[str, list[str]] = {group: [] for group in GROUPS}
    for name, path in row_files(folder / "triplets").items():
        first = len(roles)
        for row in records(path):
            of_row = []
            for role in ("anchor", "positive", "negative"):
                key = row[role]["language"], row[role]["code"]
                if key not in places:
                    places[key] = len(places)
                    sources.append(Source(key[1], key[0]))
                    collection.add(sources[-1])
                of_row.append(places[key])
            roles.append(of_row)
            problems.append(row["problem"])
        files[name] = slice(first, len(roles))
        languages = {sources[place].language.name for place in roles[first][:2]}
        kind = name.rpartition("-")[2] + (", two languages" if len(languages) > 1 else "")
        groups[kind].append(name)
    tasks = {
        name: read_tasks(folder / "clones" / name / "snippets.jsonl.xz", every, collection)
        for name, every in TASKS.items()
    }
    for language, source in background(folder / "clones"):
        collection.add(source, language)
    lengths = np.array([len(source.tokens) for source in sources])
    triplets = Triplets(files, groups, np.array(roles), np.array(problems), lengths, sources)
    return triplets, collection, tasks


def read_tasks(path: Path, every: int, collection: Collection) -> Tasks:
    """Every `every`-th program of a file, in order."""
    rows = list(records(path))[::every]
    first = len(collection.languages)
    for row in rows:
        collection.add(Source(row["code"], row["language"]))
    does = np.array([str(row["functionality"]) for row in rows])
    return Tasks(np.arange(first, first + len(rows)), does)


def records(path: Path) -> Iterator[Mapping[str, Any]]:
    for shard in open_rows([path]).shards():
        for record in shard.records():
            if record.fields is not None:
                yield record.fields


def background(clones: Path) -> Iterator[tuple[str, Source]]:
    """Programs that are in no triplet, with their language; C and C++ count as one."""
    seen: set[str] = set()
    library = Path(sysconfig.get_path("stdlib"))
    snippets = [clones / name / "snippets.jsonl.xz" for name in ("ojclone", "bigclonebench")]
    for path in (library, *snippets):
        for language, sources in chosen(path, DOCUMENTS, seen).items():
            for source in sources:
                yield language.replace("cpp", "c"), source
