"""A benchmark made ready to run: prepared snippets and pairs, as files that need numpy alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from codekin.corpora.abstracting import abstract_corpus
from codekin.corpora.builders import build_contest, build_corpus, build_yu
from codekin.corpora.clone_types import type_pairs
from codekin.corpora.copies import find_copies
from codekin.corpora.corpus import Corpus, save_corpus
from codekin.corpora.labelled_pairs import Pairs
from codekin.corpora.reading import read_corpus
from codekin.corpora.sampling import sample_pairs
from codekin.corpora.views import SIDES, rotate_corpus, split_corpus
from codekin.detectors.benchmark.cells import (
    FORMAT,
    PLAN,
    Cell,
    code_name,
    copies_name,
    prepared_name,
    read_plan,
    read_view,
    view_name,
)
from codekin.detectors.benchmark.grid import BenchmarkGrid, GridCorpus, PairSizes, split_view
from codekin.detectors.preparing import prepare_snippets
from codekin.errors import CodekinError
from codekin.whole_files import whole_file

__all__ = ["stage_benchmark", "view_arrays"]


def stage_benchmark(
    grid: BenchmarkGrid,
    folder: str | Path,
    *,
    workers: int | None = None,
    report: Callable[[str], None] | None = None,
) -> None:
    """Write what the cells of a grid read; files that are there already are kept.

    Parameters
    ----------
    grid : BenchmarkGrid
    folder : str or Path
        Of the benchmark.
    workers : int, optional
        Worker processes that read snippets.
    report : callable, optional
        Called with a line per file.

    Raises
    ------
    CodekinError
        If a corpus cannot be read, or has no such view.
    """
    folder = Path(folder)
    known = _staged_before(grid, folder)
    try:
        for part in ("prepared", "views", "cells"):
            (folder / part).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CodekinError(f"{folder}: cannot be made ({error.strerror or error})") from None
    staging = [_Staging(one, grid, folder) for one in grid.corpora.values()]
    for corpus in staging:
        corpus.check_source()
    for corpus in staging:
        mark = corpus.write(known.get(corpus.one.name, {}).get("fingerprint"), workers, report)
        known.setdefault(corpus.one.name, {})["fingerprint"] = mark
    for line in _write_copies(grid, {one.one.name: one for one in staging}, folder):
        if report is not None:
            report(line)
    plan = {"kind": "codekin-benchmark", "format": FORMAT, "pairs": asdict(grid.pairs)}
    plan["corpora"] = {
        name: _definition(one) | {"fingerprint": known[name]["fingerprint"]}
        for name, one in grid.corpora.items()
    }
    plan["cells"] = [asdict(cell) for cell in grid.cells]
    _write(folder / PLAN, (json.dumps(plan, indent=1) + "\n").encode())


def _definition(one: GridCorpus) -> dict[str, Any]:
    """What a plan has of a corpus: all but its place."""
    return {
        "build": one.build,
        "functionalities": list(one.functionalities),
        "rule": one.rule,
        "compared_with": one.compared_with,
    }


def _staged_before(grid: BenchmarkGrid, folder: Path) -> dict[str, dict[str, Any]]:
    """What the plan in a folder says of its corpora; refuses a grid that contradicts it."""
    place = folder / PLAN
    if not place.exists():
        return {}
    read_plan(folder)  # which refuses what is no plan
    plan = json.loads(place.read_text("utf-8"))
    before: dict[str, dict[str, Any]] = plan.get("corpora", {})
    changed = [
        f"pairs of {side}: {old} before, {new} now"
        for side, new in asdict(grid.pairs).items()
        if (old := plan.get("pairs", {}).get(side, new)) != new
    ]
    for name, one in grid.corpora.items():
        now = _definition(one)
        changed += [
            f"{name}: {key} {before[name][key]!r} before, {now[key]!r} now"
            for key in ("build", "functionalities", "rule")
            if key in before.get(name, {}) and before[name][key] != now[key]
        ]
    if changed:
        raise CodekinError(
            f"{folder}: was staged with another grid ({'; '.join(changed[:3])}), and its files are "
            "kept; name another folder"
        )
    return {name: dict(about) for name, about in before.items()}


class _Staging:
    """The files of one corpus."""

    def __init__(self, one: GridCorpus, grid: BenchmarkGrid, folder: Path) -> None:
        self.one, self.sizes, self.folder = one, grid.pairs, folder
        name = one.name
        places = [(c, c.corpus, c.level) for c in grid.cells]
        places += [(c, c.test_corpus, c.test_level) for c in grid.cells]
        levels = dict.fromkeys(level for _, corpus, level in places if corpus == name)
        coded = dict.fromkeys(
            level
            for cell, corpus, level in places
            if corpus == name and cell.detector in grid.code_detectors
        )
        views = dict.fromkeys((c.view, c.seed) for c, corpus, _ in places if corpus == name)
        missing = self._missing
        self.levels = [one for one in sorted(levels) if missing(prepared_name(name, one))]
        self.coded = [one for one in sorted(coded) if missing(code_name(name, one))]
        self.views = [view for view in views if missing(view_name(name, *view))]
        self.shared = any(
            name in (c.corpus, c.test_corpus) and missing(_copies_of_cell(c))
            for c in grid.cells
            if c.corpus != c.test_corpus
        )
        self.corpus: Corpus | None = None

    def _missing(self, name: str) -> bool:
        return not (self.folder / name).exists()

    @property
    def complete(self) -> bool:
        """Whether all files are there."""
        return not (self.levels or self.coded or self.views or self.shared)

    def check_source(self) -> None:
        """Refuse a corpus that is needed and not there, before anything long is computed."""
        if not self.complete and not self.one.path.exists():
            raise CodekinError(
                f"{self.one.name}: there is no {self.one.path}; paths start from the folder of the "
                "grid, or from that of --data"
            )

    def write(
        self,
        before: str | None,
        workers: int | None,
        report: Callable[[str], None] | None,
    ) -> str | None:
        """Write the files that are missing; the fingerprint of the corpus, where it is known."""
        if self.complete:
            return before
        try:
            corpus = _built(self.one, workers)
        except CodekinError as error:
            raise CodekinError(f"{self.one.name}: {error}") from None
        self.corpus = corpus if self.shared else None
        mark = corpus.fingerprint
        if before not in (None, mark):
            raise CodekinError(
                f"{self.one.name}: has changed since {self.folder} was staged, and its files are "
                "kept; name another folder"
            )
        for level in sorted({*self.levels, *self.coded}):
            for line in self._write_level(corpus, level, workers):
                if report is not None:
                    report(line)
        if self.views:
            marks = find_copies(corpus.snippets).near
            for view, seed in self.views:
                line = self._write_view(corpus, view, seed, marks, workers)
                if report is not None:
                    report(line)
        return mark

    def _write_level(self, corpus: Corpus, level: str, workers: int | None) -> Iterator[str]:
        # Over-Abs is a tree without leaves, which no text has.
        abstracted = abstract_corpus(corpus, "0" if level == "over" else level, workers=workers)
        if level in self.coded:
            place = self.folder / code_name(self.one.name, level)
            place.parent.mkdir(exist_ok=True)
            save_corpus(replace(abstracted, pairs=None), place)
            yield f"{place.name}: the code of {len(abstracted):,} snippets"
        if level in self.levels:
            place = self.folder / prepared_name(self.one.name, level)
            made = prepare_snippets(abstracted.snippets, leaves=level != "over", workers=workers)
            made.save(place)
            yield f"{place.name}: {len(made):,} snippets, {len(made.word):,} nodes"

    def _write_view(
        self,
        corpus: Corpus,
        view: str,
        seed: int,
        marks: npt.NDArray[np.int32],
        workers: int | None,
    ) -> str:
        place = self.folder / view_name(self.one.name, view, seed)
        try:
            paired = _paired(corpus, self.one, view, seed, self.sizes)
        except CodekinError as error:
            problem = str(error).removeprefix(f"{corpus.name}: ")
            raise CodekinError(f"{self.one.name}, view {view}, seed {seed}: {problem}") from None
        arrays = view_arrays(corpus, paired, marks, workers)
        with whole_file(place) as stream:
            np.savez_compressed(stream, allow_pickle=False, **arrays)
        counts = np.bincount(arrays["side"], minlength=3).tolist()
        sizes = ", ".join(f"{n:,} {s}" for n, s in zip(counts, SIDES, strict=True))
        return f"{place.name}: {sizes} pairs"


def _copies_of_cell(cell: Cell) -> str:
    return copies_name(cell.corpus, cell.test_corpus, cell.view, cell.seed)


def _write_copies(
    grid: BenchmarkGrid, staging: Mapping[str, _Staging], folder: Path
) -> Iterator[str]:
    """Mark the copies that one corpus has of another's training snippets.

    They are found among the snippets of both, as those of one corpus are found.
    """
    marks: dict[tuple[str, str], npt.NDArray[np.int32]] = {}
    for cell in grid.cells:
        place = folder / _copies_of_cell(cell)
        if cell.corpus == cell.test_corpus or place.exists():
            continue
        trained, tested = staging[cell.corpus].corpus, staging[cell.test_corpus].corpus
        assert trained is not None and tested is not None
        names = (cell.corpus, cell.test_corpus)
        if names not in marks:
            marks[names] = find_copies([*trained.snippets, *tested.snippets]).near
        view = read_view(folder / view_name(cell.corpus, cell.view, cell.seed))
        # Copies of training snippets in their own corpus are in the groups of these.
        known = np.unique(marks[names][: len(trained)][view["copied"]])
        copied = np.isin(marks[names][len(trained) :], known)
        place.parent.mkdir(exist_ok=True)
        with whole_file(place) as stream:
            np.savez_compressed(stream, allow_pickle=False, copied=copied)
        yield f"{place.name}: {np.count_nonzero(copied):,} of {len(copied):,} snippets are copies"


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


def _paired(corpus: Corpus, one: GridCorpus, view: str, seed: int, sizes: PairSizes) -> Corpus:
    """The corpus in a view, with pairs drawn from each side."""
    name, rotation = split_view(view)
    check_crossed(corpus, name)
    # Labels of pairs follow from the snippets that each side has.
    if rotation is None:
        preset = None if name in ("random", "cross-project") else "paper"
        made = split_corpus(corpus, name, preset=preset, seed=seed)
    else:
        found = next(islice(rotate_corpus(corpus, name, seed=seed), rotation - 1, None), None)
        if found is None:
            raise CodekinError(f"{one.name}: the view {name} has no rotation {rotation}")
        made = found
    asked = {side: getattr(sizes, side) for side in SIDES}
    return sample_pairs(made, asked, rule=one.rule, fewer=True, seed=seed)


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
    places = np.array([corpus.places[one.id] for one in paired.snippets], np.int32)
    names = list(dict.fromkeys(one.functionality for one in corpus.snippets if one.functionality))
    numbers = {name: i for i, name in enumerate(names)}
    origins: dict[str, int] = {}
    sides = np.array([SIDES.index(one.side or "") for one in paired.snippets], np.int8)
    trained = np.unique(marks[places[sides == 0]])
    codes, known = pairs.side
    order = np.array([SIDES.index(name) for name in known], np.int8)
    kinds, types = _types(paired, order[codes] == 2, workers)
    return {
        "first": places[pairs.first],
        "second": places[pairs.second],
        "label": pairs.label,
        "side": order[codes],
        "copied": np.isin(marks, trained),
        "functionality": np.array(
            [numbers.get(one.functionality or "", -1) for one in corpus.snippets], np.int32
        ),
        "functionalities": _text(names),
        "project": np.array(
            [origins.setdefault(one.origin, len(origins)) for one in corpus.snippets], np.int32
        ),
        "type": kinds,
        "types": _text(types),
    }


def _types(
    paired: Corpus, tested: npt.NDArray[np.bool_], workers: int | None
) -> tuple[npt.NDArray[np.int8], Sequence[str]]:
    """The clone types of the clones that are tested; other pairs have none."""
    pairs = paired.pairs
    assert pairs is not None
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


def _text(given: Sequence[str]) -> npt.NDArray[np.uint8]:
    return np.frombuffer(json.dumps(list(given)).encode(), np.uint8)


def _write(place: Path, data: bytes) -> None:
    try:
        with whole_file(place) as stream:
            stream.write(data)
    except OSError as error:
        raise CodekinError(f"{place}: cannot be written ({error.strerror or error})") from None
