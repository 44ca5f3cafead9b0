"""A benchmark made ready to run: prepared snippets and pairs, as files that need numpy alone."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from codekin.corpora.abstracting import abstract_corpus
from codekin.corpora.builders import build_contest, build_corpus, build_yu
from codekin.corpora.clone_types import type_pairs
from codekin.corpora.copies import find_copies
from codekin.corpora.corpus import Corpus
from codekin.corpora.labelled_pairs import Pairs
from codekin.corpora.reading import read_corpus
from codekin.corpora.sampling import sample_pairs
from codekin.corpora.views import SIDES, rotate_corpus, split_corpus
from codekin.detectors.benchmark.cells import FORMAT, PLAN, prepared_name, view_name
from codekin.detectors.benchmark.grid import BenchmarkGrid, GridCorpus, PairSizes, split_view
from codekin.detectors.preparing import prepare_snippets
from codekin.errors import CodekinError

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
    try:
        for part in ("prepared", "views", "cells"):
            (folder / part).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CodekinError(f"{folder}: cannot be made ({error.strerror or error})") from None
    needed = {name for cell in grid.cells for name in cell.staged}
    for one in grid.corpora.values():
        _stage_corpus(one, grid, needed, folder, workers, report)
    plan = {"kind": "codekin-benchmark", "format": FORMAT, "pairs": asdict(grid.pairs)}
    plan["cells"] = [asdict(cell) for cell in grid.cells]
    _write(folder / PLAN, (json.dumps(plan, indent=1) + "\n").encode())


def _stage_corpus(
    one: GridCorpus,
    grid: BenchmarkGrid,
    needed: set[str],
    folder: Path,
    workers: int | None,
    report: Callable[[str], None] | None,
) -> None:
    levels = {c.level for c in grid.cells if c.corpus == one.name}
    levels |= {c.test_level for c in grid.cells if c.test_corpus == one.name}
    views = {
        (cell.view, cell.seed): None
        for cell in grid.cells
        if one.name in (cell.corpus, cell.test_corpus)
    }
    wanted = [prepared_name(one.name, level) for level in sorted(levels)]
    wanted += [view_name(one.name, *view) for view in views]
    if not any(name in needed and not (folder / name).exists() for name in wanted):
        return
    corpus = _built(one, workers)
    for level in sorted(levels):
        place = folder / prepared_name(one.name, level)
        if place.exists():
            continue
        # Over-Abs is a tree without leaves, which no text has.
        abstracted = abstract_corpus(corpus, "0" if level == "over" else level, workers=workers)
        made = prepare_snippets(abstracted.snippets, leaves=level != "over", workers=workers)
        beside = place.with_name(f"{secrets.token_hex(8)}.tmp")
        made.save(beside)
        beside.replace(place)
        if report is not None:
            report(f"{place.name}: {len(made):,} snippets, {len(made.word):,} nodes")
    marks = find_copies(corpus.snippets).near
    for view, seed in views:
        place = folder / view_name(one.name, view, seed)
        if place.exists():
            continue
        paired = _paired(corpus, one, view, seed, grid.pairs)
        arrays = view_arrays(corpus, paired, marks, workers)
        beside = place.with_name(f"{secrets.token_hex(8)}.tmp")
        with beside.open("wb") as stream:
            np.savez_compressed(stream, allow_pickle=False, **arrays)
        beside.replace(place)
        if report is not None:
            counts = np.bincount(arrays["side"], minlength=3).tolist()
            sizes = ", ".join(f"{n:,} {s}" for n, s in zip(counts, SIDES, strict=True))
            report(f"{place.name}: {sizes} pairs")


def _built(one: GridCorpus, workers: int | None) -> Corpus:
    corpus = read_corpus(one.path)
    if one.functionalities:
        wanted = set(one.functionalities)
        missing = wanted - set(corpus.sizes())
        if missing:
            raise CodekinError(f"{one.name}: has no functionality {', '.join(sorted(missing)[:3])}")
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
    beside = place.with_name(f"{secrets.token_hex(8)}.tmp")
    try:
        beside.write_bytes(data)
        beside.replace(place)
    except OSError as error:
        raise CodekinError(f"{place}: cannot be written ({error.strerror or error})") from None
