"""The grid of a benchmark: a TOML file that names corpora and what is done with them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import product
from pathlib import Path
from typing import Any, ClassVar

from codekin.corpora.views import SIDES, VIEWS
from codekin.detectors.benchmark.cells import Cell
from codekin.detectors.benchmark.published import DATASETS, dataset_named
from codekin.detectors.detector import ArrayDetector, detector_in_file
from codekin.errors import CodekinError, suggestion
from codekin.opening import read_toml
from codekin.results import LEFT_OUT, Grid, Names, Result, count_text
from codekin.rewrite.abstraction import LEVELS

__all__ = ["GIVEN", "BenchmarkGrid", "GridCorpus", "PairSizes", "read_grid", "split_view"]

_BUILDS = ("none", "yu", "contest", "conbcb")
_ROTATION = re.compile(r"(.+)-rotation-(\d+)")
_TOP = ("corpora", "experiments", "pairs")
_CORPUS = ("name", "path", "build", "functionalities", "rule", "pairs", "compared_with")
_RULES = ("functionality", "roles")
_PAIRS = ("given", "drawn")
GIVEN = "given"
"""The view of a corpus whose pairs or snippets have sides already."""
_EXPERIMENT = (
    *("corpora", "detectors", "views", "levels"),
    *("test_levels", "test_corpora", "seeds", "rotations"),
)


@dataclass(frozen=True)
class PairSizes:
    """How many pairs are drawn from each side; None for all of them.

    Of pairs that a corpus has, all are used on the sides that are not named.
    """

    train: int | None = 100_000
    validation: int | None = 50_000
    test: int | None = 250_000
    named: frozenset[str] = field(default=frozenset(), metadata=LEFT_OUT)

    def drawn(self) -> dict[str, int | None]:
        """The number of pairs that are drawn from each side."""
        return {side: getattr(self, side) for side in SIDES}

    def given(self) -> dict[str, int | None]:
        """The most pairs of a side that are used of those that a corpus has."""
        return {side: size for side, size in self.drawn().items() if side in self.named}


@dataclass(frozen=True)
class GridCorpus:
    """A corpus of a grid.

    Attributes
    ----------
    name : str
    path : Path
        Anything that :func:`codekin.read_corpus` reads.
    build : str
        How it is built: ``none``, ``yu``, ``contest`` or ``conbcb``.
    functionalities : tuple of str
        The only ones that are used; empty for all.
    rule : str or None
        What makes a clone; see :func:`codekin.sample_pairs`.
    pairs : str or None
        ``given`` for the labelled pairs of the corpus, ``drawn`` for others in their place; None
        for those that it has, or drawn ones where it has none or is built.
    compared_with : str
        The corpus of the papers whose numbers are shown beside; empty for none.
    """

    name: str
    path: Path
    build: str = "none"
    functionalities: tuple[str, ...] = ()
    rule: str | None = None
    compared_with: str = ""
    pairs: str | None = None


@dataclass(frozen=True)
class BenchmarkGrid(Result):
    """A whole grid.

    Attributes
    ----------
    corpora : mapping of str to GridCorpus
    cells : tuple of Cell
        Each once, in the order of the file.
    pairs : PairSizes
    """

    computed: ClassVar[Mapping[str, str]] = {"corpora": "corpus_records"}

    corpora: Mapping[str, GridCorpus] = field(metadata=LEFT_OUT)
    cells: tuple[Cell, ...]
    pairs: PairSizes = field(default_factory=PairSizes)

    def grids(self) -> list[Grid]:
        """The corpora, and the cells."""
        corpora = tuple(
            (
                *(one.name, str(one.path), one.build, Names(one.functionalities), one.rule),
                *(one.compared_with, one.pairs),
            )
            for one in self.corpora.values()
        )
        heads = ("name", "path", "build", "functionalities", "rule", "compared_with", "pairs")
        return [Grid("Corpora", heads, corpora, keys=len(heads)), self.table()]

    def table(self) -> Grid:
        """One record per cell."""
        names = tuple(one.name for one in fields(Cell))
        cells = tuple(tuple(getattr(one, name) for name in names) for one in self.cells)
        return Grid(count_text(len(cells), "cell"), names, cells, keys=len(names))

    def warnings(self) -> list[str]:
        """Corpora that are not there."""
        return [
            f"{name}: there is no {corpus.path}, and it is needed to run the benchmark"
            for name, corpus in self.corpora.items()
            if not corpus.path.exists()
        ]

    @property
    def corpus_records(self) -> list[dict[str, Any]]:
        """The corpora, for the document."""
        return self.grids()[0].records()


def read_grid(path: str | Path, data: str | Path | None = None) -> BenchmarkGrid:
    """Read the file of a grid.

    Parameters
    ----------
    path : str or Path
        A TOML file.
    data : str or Path, optional
        The folder that the paths of corpora start from; that of the file by default.

    Returns
    -------
    BenchmarkGrid

    Raises
    ------
    CodekinError
        If it is not TOML, or names something that does not exist.
    """
    path = Path(path)
    content = read_toml(path, typed=True)
    try:
        return _grid(content, path.parent if data is None else Path(data))
    except CodekinError as error:
        raise CodekinError(f"{path}: {error}") from None


def _grid(content: Mapping[str, Any], folder: Path) -> BenchmarkGrid:
    _check_keys(content, _TOP, "the file")
    corpora: dict[str, GridCorpus] = {}
    for given in _tables(content, "corpora"):
        one = _corpus(given, folder)
        if one.name in corpora:
            raise CodekinError(f"two corpora are named {one.name}")
        corpora[one.name] = one
    sizes = content.get("pairs", {})
    _check_keys(sizes, ("train", "validation", "test"), "pairs")
    numbers = {name: _size(name, value) for name, value in sizes.items()}
    pairs = PairSizes(**numbers, named=frozenset(numbers))
    cells: dict[Cell, None] = {}
    for number, given in enumerate(_tables(content, "experiments"), 1):
        where = f"experiment {number}"
        _check_keys(given, _EXPERIMENT, where)
        try:
            cells |= dict.fromkeys(_cells(given, corpora))
        except CodekinError as error:
            raise CodekinError(f"{where}: {error}") from None
    return BenchmarkGrid(corpora, tuple(cells), pairs)


def _tables(content: Mapping[str, Any], name: str) -> Sequence[Mapping[str, Any]]:
    found = content.get(name)
    if not isinstance(found, list) or not found or not all(isinstance(one, dict) for one in found):
        raise CodekinError(f"has no [[{name}]]; a grid needs at least one")
    return found


def _check_keys(given: object, known: Sequence[str], where: str) -> None:
    if not isinstance(given, Mapping):
        raise CodekinError(f"{where} must be a table")
    for key in given:
        if key not in known:
            raise CodekinError(
                f"{where}: unknown key {key!r}{suggestion(str(key), known)} "
                f"(known: {', '.join(known)})"
            )


def _size(name: str, given: object) -> int | None:
    if given == "all":
        return None
    if isinstance(given, bool) or not isinstance(given, int) or given < 1:
        raise CodekinError(f'pairs: {name} must be a positive number or "all", not {given!r}')
    return given


def _corpus(given: Mapping[str, Any], folder: Path) -> GridCorpus:
    _check_keys(given, _CORPUS, "a corpus")
    for key in ("name", "path"):
        if not isinstance(given.get(key), str):
            raise CodekinError(f"a corpus needs a {key}")
    name = given["name"]
    if not re.fullmatch(r"[A-Za-z0-9][\w-]*", name):
        raise CodekinError(f"the name of a corpus is letters, digits, - and _, not {name!r}")
    build = given.get("build", "none")
    if build not in _BUILDS:
        raise CodekinError(f"{name}: unknown build {build!r} (known: {', '.join(_BUILDS)})")
    chosen = given.get("functionalities", [])
    if not isinstance(chosen, list):
        raise CodekinError(f"{name}: functionalities must be a list")
    rule = given.get("rule")
    if rule is not None:
        _check_names("rule", [rule], _RULES)
    compared = given.get("compared_with", dataset_named(name, build))
    _check_names("corpus of the papers", [compared] if compared else [], DATASETS)
    pairs = given.get("pairs")
    if pairs is not None:
        _check_names("kind of pairs", [pairs], _PAIRS)
    if pairs == "given" and build != "none":
        raise CodekinError(f"{name}: build {build} makes pairs of its own, so none are given")
    path = folder / given["path"]
    return GridCorpus(name, path, build, tuple(map(str, chosen)), rule, compared, pairs)


def _cells(given: Mapping[str, Any], corpora: Mapping[str, GridCorpus]) -> Iterator[Cell]:
    def listed(key: str, default: Sequence[Any] | None = None) -> list[Any]:
        value = given.get(key, default)
        if not isinstance(value, list | tuple) or not value:
            raise CodekinError(f"an experiment needs {key}, a list that is not empty")
        return list(value)

    names, words = listed("corpora"), listed("detectors")
    views, levels = listed("views", VIEWS), [str(one) for one in listed("levels", ["1"])]
    tests = [str(one) for one in listed("test_levels", ["same"])]
    others = listed("test_corpora", ["same"])
    _check_names("corpus", [*names, *(one for one in others if one != "same")], list(corpora))
    _check_names("view", views, (GIVEN, *VIEWS))
    _check_names("level", [*levels, *(one for one in tests if one != "same")], LEVELS)
    made = [detector_in_file(str(word)) for word in words]
    words = [one.word for one in made]
    coded = [one.word for one in made if not isinstance(one, ArrayDetector)]
    if coded and "over" in (*levels, *tests):
        raise CodekinError(
            f"{coded[0]} reads code, and the level over has none, since it is a tree without "
            "leaves; put the two into experiments of their own"
        )
    rotations = given.get("rotations", 0)
    if isinstance(rotations, bool) or not isinstance(rotations, int) or rotations < 0:
        raise CodekinError(f"rotations must be a number from 0 on, not {rotations!r}")
    if rotations and set(views) - set(VIEWS[2:]):
        raise CodekinError(
            f"rotations: only the views {' and '.join(VIEWS[2:])} can be rotated, so name these "
            "views alone"
        )
    seeds = listed("seeds", [0])
    for seed in seeds:
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise CodekinError(f"seeds must be numbers from 0 on, not {seed!r}")
    for name, view, level, test, other, word, seed in product(
        names, views, levels, tests, others, words, seeds
    ):
        rotated = [f"{view}-rotation-{i}" for i in range(1, rotations + 1)] or [view]
        for one in rotated:
            yield Cell(
                *(word, name, one, level),
                name if other == "same" else other,
                level if test == "same" else test,
                int(seed),
            )


def _check_names(what: str, given: Sequence[str], known: Sequence[str]) -> None:
    for one in given:
        if one not in known:
            raise CodekinError(
                f"unknown {what} {one!r}{suggestion(str(one), known)} (known: {', '.join(known)})"
            )


def split_view(name: str) -> tuple[str, int | None]:
    """The view of a name, and the number of its rotation if it is one.

    Examples
    --------
    >>> split_view("cross-all"), split_view("cross-functionality-rotation-3")
    (('cross-all', None), ('cross-functionality', 3))
    """
    found = _ROTATION.fullmatch(name)
    return (found[1], int(found[2])) if found else (name, None)
