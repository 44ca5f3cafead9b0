"""GridData: what the cells of a grid read, computed from its corpora."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from codekin.corpora.abstracting import abstract_corpus
from codekin.corpora.builders import build_contest, build_corpus, build_yu
from codekin.corpora.clone_types import type_pairs
from codekin.corpora.copies import find_copies
from codekin.corpora.corpus import Corpus
from codekin.corpora.labelled_pairs import Pairs
from codekin.corpora.pair_use import (
    PairUse,
    has_labelled_pairs,
    labelled_pairs,
    pairs_for_training,
    without_sides,
)
from codekin.corpora.reading import read_corpus
from codekin.corpora.sampling import sample_pairs
from codekin.corpora.views import SIDES, rotate_corpus, split_corpus
from codekin.detectors.benchmark.cells import Cell
from codekin.detectors.benchmark.grid import GIVEN, BenchmarkGrid, GridCorpus, PairSizes, split_view
from codekin.detectors.prepared import Prepared
from codekin.detectors.preparing import prepare_snippets
from codekin.errors import CodekinError
from codekin.results import count_text

__all__ = ["GridData", "check_crossed", "view_arrays"]

_LEVELS = 8
"""Corpora at a level of abstraction that are kept at a time."""


class GridData:
    """What cells read, computed from the corpora of a grid; see ``CellData``.

    Corpora are built and pairs are drawn at once, so that whatever is wrong with the grid is said
    before anything is trained.

    Parameters
    ----------
    grid : BenchmarkGrid
    cells : sequence of Cell
        Those that will be run.
    workers : int, optional
        Worker processes that read snippets.
    report : callable, optional
        Called with a line per view and level.

    Attributes
    ----------
    fingerprints : dict of str to str
        Of the corpora.

    Raises
    ------
    CodekinError
        If a corpus cannot be read, or has no such view.
    """

    def __init__(
        self,
        grid: BenchmarkGrid,
        cells: Sequence[Cell],
        *,
        workers: int | None = None,
        report: Callable[[str], None] | None = None,
    ) -> None:
        self._workers, self._report = workers, report
        names = dict.fromkeys(name for cell in cells for name in (cell.corpus, cell.test_corpus))
        for name in names:
            path = grid.corpora[name].path
            if not path.exists():
                raise CodekinError(
                    f"{name}: there is no {path}; paths start from the folder of the grid, or from "
                    "that of --data"
                )
        self._corpora: dict[str, Corpus] = {}
        for name in names:
            try:
                self._corpora[name] = _built(grid.corpora[name], workers)
            except CodekinError as error:
                raise CodekinError(f"{name}: {error}") from None
        self.fingerprints = {name: corpus.fingerprint for name, corpus in self._corpora.items()}
        self._views: dict[tuple[str, str, int], dict[str, Any]] = {}
        marks = cache(lambda name: find_copies(self._corpora[name].snippets).near)
        for cell in cells:
            for name in (cell.corpus, cell.test_corpus):
                key = (name, cell.view, cell.seed)
                if key not in self._views:
                    self._views[key] = self._made_view(grid, *key, marks(name))
        # Methods of their own caches, so that what is kept is freed with this object.
        self.prepared = lru_cache(_LEVELS)(self._prepared)
        self._abstracted = lru_cache(_LEVELS)(self._made_level)
        self._copies = cache(self._copy_groups)

    def _say(self, line: str) -> None:
        if self._report is not None:
            self._report(line)

    def _made_view(
        self,
        grid: BenchmarkGrid,
        name: str,
        view: str,
        seed: int,
        marks: npt.NDArray[np.int32],
    ) -> dict[str, Any]:
        corpus = self._corpora[name]
        try:
            paired, used = _paired(corpus, grid.corpora[name], view, seed, grid.pairs)
        except CodekinError as error:
            problem = str(error).removeprefix(f"{corpus.name}: ")
            raise CodekinError(f"{name}, view {view}, seed {seed}: {problem}") from None
        arrays = view_arrays(corpus, paired, marks, self._workers)
        self._say(f"{name}, view {view}, seed {seed}: {used}")
        return arrays | {"pairs": np.array(used, str)}

    def view(self, corpus: str, view: str, seed: int) -> Mapping[str, Any]:
        """The pairs of a view, by places in the corpus, and what they are broken down by."""
        return self._views[corpus, view, seed]

    def _made_level(self, name: str, level: str) -> Corpus:
        return abstract_corpus(self._corpora[name], level, workers=self._workers)

    def _prepared(self, corpus: str, level: str) -> Prepared:
        """The prepared snippets of a corpus at a level."""
        # Over-Abs is a tree without leaves, which no text has.
        abstracted = self._abstracted(corpus, "0" if level == "over" else level)
        leaves = level != "over"
        made = prepare_snippets(abstracted.snippets, leaves=leaves, workers=self._workers)
        self._say(f"{corpus}, level {level}: {len(made):,} snippets, {len(made.word):,} nodes")
        return made

    def copied(self, cell: Cell) -> npt.NDArray[np.bool_]:
        """Which snippets of the tested corpus have a copy in the training side of another.

        They are found among the snippets of both, as those of one corpus are found.
        """
        count = len(self._corpora[cell.corpus])
        groups = self._copies(cell.corpus, cell.test_corpus)
        # Copies of training snippets in their own corpus are in the groups of these.
        trained = self.view(cell.corpus, cell.view, cell.seed)["copied"]
        return np.isin(groups[count:], np.unique(groups[:count][trained]))

    def _copy_groups(self, trained: str, tested: str) -> npt.NDArray[np.int32]:
        both = [*self._corpora[trained].snippets, *self._corpora[tested].snippets]
        return find_copies(both).near

    def code(self, corpus: str, level: str, view: str, seed: int) -> Corpus:
        """The code of a corpus at a level with the pairs of a view."""
        arrays = self.view(corpus, view, seed)
        sides = (arrays["side"], SIDES)
        label = arrays["label"].astype(np.int8)
        pairs = Pairs(arrays["first"], arrays["second"], label, side=sides)
        return replace(self._abstracted(corpus, level), pairs=pairs)


def _built(one: GridCorpus, workers: int | None) -> Corpus:
    corpus = read_corpus(one.path)
    if one.functionalities:
        wanted = set(one.functionalities)
        missing = wanted - set(corpus.sizes())
        if missing:
            first = ", ".join(sorted(missing)[:3])
            raise CodekinError(f"has no functionality {first} ({len(missing)} of them missing)")
        kept = [i for i, s in enumerate(corpus.snippets) if wanted & set(s.functionalities)]
        corpus = corpus.keep(kept)
    if one.build == "yu":
        return build_yu(corpus)
    if one.build == "contest":
        return build_contest(corpus)
    if one.build == "conbcb":
        return build_corpus(corpus, workers=workers)
    return corpus


def _paired(
    corpus: Corpus, one: GridCorpus, view: str, seed: int, sizes: PairSizes
) -> tuple[Corpus, str]:
    """The corpus in a view, with its own pairs or with drawn ones, and which these are."""
    name, rotation = split_view(view)
    check_crossed(corpus, name)
    given = has_labelled_pairs(corpus)
    own = one.pairs != "drawn" and one.build == "none" and given
    if one.pairs == "given" and not given:
        raise CodekinError(f"{one.name}: has no labelled pairs; take pairs of a file with it")
    if name == GIVEN:
        sided = own and corpus.pairs is not None and corpus.pairs.side is not None
        if not sided and not any(snippet.side for snippet in corpus.snippets):
            raise CodekinError(f"{one.name}: has no sides; take another view than {GIVEN}")
        made = corpus
    elif rotation is None:
        preset = None if name in ("random", "cross-project") else "paper"
        if own and name == "random":
            made, use = pairs_for_training(corpus, name, sizes=sizes.given(), seed=seed)
            return made, _use_text(use)
        made = split_corpus(without_sides(corpus), name, preset=preset, seed=seed)
    else:
        rotations = rotate_corpus(without_sides(corpus), name, seed=seed)
        found = next(islice(rotations, rotation - 1, None), None)
        if found is None:
            raise CodekinError(f"{one.name}: the view {name} has no rotation {rotation}")
        made = found
    if not own:
        # Labels of pairs follow from the snippets that each side has.
        made = sample_pairs(made, sizes.drawn(), rule=one.rule, fewer=True, seed=seed)
        return made, _drawn_text(corpus, made)
    made, use = pairs_for_training(made, sizes=sizes.given(), seed=seed)
    lost = labelled_pairs(corpus) - use.given
    text = _use_text(replace(use, given=labelled_pairs(corpus)))
    return made, f"{text}; {lost:,} have their snippets on two sides" if lost else text


def _use_text(use: PairUse) -> str:
    return "; ".join([use.line(), *use.remarks])


def _drawn_text(corpus: Corpus, made: Corpus) -> str:
    """How many pairs were drawn, and in place of how many."""
    assert made.pairs is not None
    parts = (f"{len(made.pairs.of_side(side)):,} {side}" for side in SIDES)
    before = labelled_pairs(corpus)
    given = f", in place of {count_text(before, 'labelled pair')}" if before else ""
    return f"{', '.join(parts)} pairs drawn{given}"


def check_crossed(corpus: Corpus, view: str) -> None:
    """Refuse a view that crosses projects where there are none."""
    if view in ("cross-project", "cross-all"):
        origins = {snippet.origin for snippet in corpus.snippets}
        if len(origins) == len(corpus):
            raise CodekinError(
                f"{corpus.name}: no two snippets have a project or a file in common, so that "
                f"nothing can be crossed; take another view than {view} for this corpus"
            )


def view_arrays(
    corpus: Corpus, paired: Corpus, marks: npt.NDArray[np.int32], workers: int | None
) -> dict[str, Any]:
    """The pairs, by places in the whole corpus, and what they are broken down by."""
    pairs = paired.pairs
    assert pairs is not None and pairs.side is not None
    places = np.array([corpus.places[snippet.id] for snippet in paired.snippets], np.int32)
    names = list(
        dict.fromkeys(snippet.functionality for snippet in corpus.snippets if snippet.functionality)
    )
    numbers = {name: i for i, name in enumerate(names)}
    origins: dict[str, int] = {}
    codes, known = pairs.side
    order = np.array([SIDES.index(name) for name in known], np.int8)
    in_training = np.array([snippet.side == SIDES[0] for snippet in paired.snippets], bool)
    for ends in (pairs.first, pairs.second):
        in_training[ends[order[codes] == 0]] = True
    trained = np.unique(marks[places[in_training]])
    kinds, types = _types(paired, order[codes] == 2, workers)
    return {
        "first": places[pairs.first],
        "second": places[pairs.second],
        "label": pairs.label,
        "side": order[codes],
        "copied": np.isin(marks, trained),
        "functionality": np.array(
            [numbers.get(snippet.functionality or "", -1) for snippet in corpus.snippets], np.int32
        ),
        "functionalities": np.array(names, str),
        "project": np.array(
            [origins.setdefault(snippet.origin, len(origins)) for snippet in corpus.snippets],
            np.int32,
        ),
        "type": kinds,
        "types": np.array(types, str),
    }


def _types(
    paired: Corpus, tested: npt.NDArray[np.bool_], workers: int | None
) -> tuple[npt.NDArray[np.int8], Sequence[str]]:
    """The types of the clones that are tested, as given or computed; other pairs have none."""
    pairs = paired.pairs
    assert pairs is not None
    if pairs.type is not None:
        given, words = pairs.type
        return np.where(tested & (pairs.label == 1), given, np.int8(-1)).astype(np.int8), words
    chosen = np.flatnonzero(tested & (pairs.label == 1))
    kinds = np.full(len(pairs), -1, np.int8)
    if not len(chosen):
        return kinds, ()
    clones: Pairs = pairs.take(chosen)
    typed = type_pairs(paired, clones, workers=workers).pairs
    assert typed is not None and typed.type is not None
    codes, names = typed.type
    kinds[chosen] = codes
    return kinds, names
