"""dataset_properties: whether a corpus can show that one detector is better than another.

References
----------
Yu et al., Assessing and improving an evaluation dataset for detecting semantic code clones via
deep learning, TOSEM 31(4), 2022, section 5.3.3.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from pathlib import Path

from codekin.detectors.benchmark.benchmark_result import Benchmark, read_benchmark
from codekin.detectors.benchmark.cell_results import CellNumbers, CellResult
from codekin.detectors.benchmark.detector_kinds import SOUND, brief_words, is_sound, kind_of
from codekin.errors import CodekinError
from codekin.results import (
    Column,
    Grid,
    GridColumns,
    Interval,
    Result,
    Section,
    interval_text,
    number_text,
)
from codekin.rewrite.abstraction import LEVELS
from codekin.statistics.ranks import rank_statistics

__all__ = ["DatasetProperties", "DatasetProperty", "PropertyVerdict", "dataset_properties"]

_TAU, _DIFFERENCE, _GAP = 0.6, 0.03, 0.05
_UNDESIRABLE = "linear"
_TITLES = {
    1: "ranks survive abstraction",
    2: "training on abstracted code keeps the result",
    3: "names alone are not enough",
}
_RULES = {
    1: f"Kendall's tau-b of the F1 of sound detectors before and after is at least {_TAU}, and "
    "no two swap places outside their intervals",
    2: "trained and validated on abstracted code and tested on the original, F1 differs by at most "
    f"{_DIFFERENCE} for every sound detector",
    3: f"after abstraction, the upper end of the interval of {_UNDESIRABLE} is at least {_GAP} "
    "below the lowest lower end of a sound detector",
}


class PropertyVerdict(StrEnum):
    """Whether a corpus has a property."""

    HOLDS = "holds"
    FAILS = "fails"
    UNJUDGED = "cannot be judged"


@dataclass(frozen=True)
class DatasetProperty:
    """A property of a sound dataset, judged on one corpus in one view.

    Attributes
    ----------
    corpus, view : str
    number : int
        1, 2 or 3, as in the paper.
    verdict : PropertyVerdict
    value : float
        Kendall's tau-b; the largest difference of F1; the gap between the intervals. nan where the
        property cannot be judged.
    numbers : str
        What the verdict rests on.
    reason : str
        Why it cannot be judged; empty where it can.
    """

    corpus: str
    view: str
    number: int
    verdict: PropertyVerdict
    value: float
    numbers: str
    reason: str = ""

    @property
    def title(self) -> str:
        """The property in a few words."""
        return _TITLES[self.number]


@dataclass(frozen=True)
class DatasetProperties(Result):
    """The three properties of a sound dataset, as verdicts with their numbers.

    Attributes
    ----------
    level : str
        Of abstraction.
    original : str
        The level of the code before.
    without_copies : bool
        Whether pairs with copies of training snippets were left out.
    properties : tuple of DatasetProperty
        Three for each corpus and view.
    """

    level: str
    original: str
    without_copies: bool
    properties: tuple[DatasetProperty, ...]

    @property
    def sound(self) -> bool:
        """Whether no property fails."""
        return all(one.verdict is not PropertyVerdict.FAILS for one in self.properties)

    def table(self) -> Grid:
        """A line per property."""
        rows = tuple(
            (
                *(one.corpus, one.view, f"P{one.number} {one.title}", one.verdict.value),
                *(one.value, one.numbers or one.reason),
            )
            for one in self.properties
        )
        columns: GridColumns = (
            *("corpus", "view", "property", "verdict"),
            Column("value", digits=3),
            Column("numbers"),
        )
        return Grid("Properties of a sound dataset", columns, rows, keys=4)

    def grids(self) -> list[Grid]:
        """The verdicts; the value of a property that cannot be judged is missing."""
        return [self.table()]

    def section(self) -> Section:
        """The page: a part per corpus and view, what fails first in sight."""
        parts = []
        for corpus, view in dict.fromkeys((one.corpus, one.view) for one in self.properties):
            mine = [one for one in self.properties if (one.corpus, one.view) == (corpus, view)]
            cards = tuple(
                Section(
                    f"P{one.number}, {one.title}: {one.verdict.value}",
                    f"{one.numbers} {one.reason}".strip(),
                    alarming=one.verdict is PropertyVerdict.FAILS,
                )
                for one in mine
            )
            parts.append(Section(f"{corpus}, {view}", parts=cards))
        return Section("Properties of a sound dataset", self._how(), parts=tuple(parts))

    def _how(self) -> str:
        copies = " without pairs that have a copy of a training snippet" * self.without_copies
        return (
            f"Code at level {self.original} before abstraction and at level {self.level} after it, "
            f"test pairs{copies or ' of all kinds'}. Sound detectors: {', '.join(SOUND)}; the "
            f"undesirable one is {_UNDESIRABLE}."
        )

    def notes(self) -> list[str]:
        """What makes a property hold."""
        return [self._how(), *(f"P{number}: {rule}." for number, rule in _RULES.items())]


def dataset_properties(
    benchmark: Benchmark | str | Path | Sequence[str | Path],
    *,
    level: str = "abs",
    original: str = "0",
    without_copies: bool = False,
) -> DatasetProperties:
    """Judge whether corpora have the three properties of a sound dataset.

    Parameters
    ----------
    benchmark : Benchmark, str, Path or sequence of paths
        A result, or the folder of one. It needs cells at both levels, and cells that train at
        `level` and test at `original`.
    level : str
        Of abstraction.
    original : str
        The level of the code before abstraction.
    without_copies : bool
        Whether to leave out pairs that have a copy of a training snippet.

    Returns
    -------
    DatasetProperties
        Three verdicts for each corpus and view that has cells at both levels, with their numbers.

    Raises
    ------
    CodekinError
        If no corpus has cells at both levels.
    """
    for name in (level, original):
        if name not in LEVELS:
            raise CodekinError(f"unknown level {name!r} (known: {', '.join(LEVELS)})")
    given = benchmark if isinstance(benchmark, Benchmark) else read_benchmark(benchmark)
    places: dict[tuple[str, str], list[CellResult]] = {}
    for one in given.results:
        if one.corpus == one.test_corpus:
            places.setdefault((one.corpus, one.view), []).append(one)
    found: list[DatasetProperty] = []
    for (corpus, view), results in places.items():
        cells = _Judged(results, level, original, without_copies)
        if cells.before and cells.after:
            for number, judge in enumerate((cells.ranks, cells.mixed_test, cells.undesirable), 1):
                holds, value, text = judge()
                verdict, told = _VERDICTS[holds], ("", text) if holds is None else (text, "")
                found.append(DatasetProperty(corpus, view, number, verdict, value, *told))
    if not found:
        raise CodekinError(
            f"no corpus has cells at level {original} and at level {level}, which the properties "
            f'compare; add levels = ["{original}", "{level}"] and test_levels to the grid'
        )
    return DatasetProperties(level, original, without_copies, tuple(found))


_VERDICTS = {
    True: PropertyVerdict.HOLDS,
    False: PropertyVerdict.FAILS,
    None: PropertyVerdict.UNJUDGED,
}
_Judgement = tuple[bool | None, float, str]
"""Whether a property holds; its value; what it rests on. Or None, nan, and why none can be told."""


class _Judged:
    """The cells of one corpus in one view."""

    def __init__(
        self, results: Sequence[CellResult], level: str, original: str, without_copies: bool
    ) -> None:
        self.levels = (original, level)
        found: dict[tuple[str, str], dict[str, CellNumbers]] = {}
        for one in results:
            numbers = one.without_copies if without_copies else one.all
            if not math.isnan(numbers.f1):
                found.setdefault((one.level, one.test_level), {})[one.detector] = numbers
        self.brief = brief_words(dict.fromkeys(one.detector for one in results))
        self.before = found.get((original, original), {})
        self.after = found.get((level, level), {})
        self.mixed = found.get((level, original), {})

    def ranks(self) -> _Judgement:
        words = [word for word in self.before if word in self.after and is_sound(word)]
        if len(words) < 2:
            reason = (
                f"needs at least two sound detectors at both levels, and has "
                f"{', '.join(map(self.brief.__getitem__, words)) or 'none'}"
            )
            return None, math.nan, reason
        first = [self.before[word].f1 for word in words]
        second = [self.after[word].f1 for word in words]
        tau = float(rank_statistics(first, second).kendall[0])
        swaps = [
            f"{self.brief[one]} and {self.brief[other]}"
            for one, other in combinations(words, 2)
            if _order(self.before[one], self.before[other])
            * _order(self.after[one], self.after[other])
            < 0
        ]
        # All equal before or after: there is no rank that could be lost.
        holds = (math.isnan(tau) or tau >= _TAU) and not swaps
        shown = ", ".join(
            f"{self.brief[word]} {_f1(self.before[word])} to {_f1(self.after[word])}"
            for word in words
        )
        text = f"tau-b {number_text(tau, digits=3)} of {len(words)} detectors: {shown}; "
        text += f"swapped outside intervals: {', '.join(swaps) or 'none'}."
        return holds, tau, text

    def mixed_test(self) -> _Judgement:
        words = [word for word in self.before if word in self.mixed and is_sound(word)]
        if not words:
            original, level = self.levels
            reason = (
                f"needs cells of a sound detector that train at level {level} and test at "
                f"{original}"
            )
            return None, math.nan, reason
        change = {word: self.mixed[word].f1 - self.before[word].f1 for word in words}
        largest = max(change.values(), key=abs)
        shown = ", ".join(
            f"{self.brief[word]} {_f1(self.before[word])} to {_f1(self.mixed[word])} "
            f"({number_text(change[word], sign=True, digits=3)})"
            for word in words
        )
        # Rounded, so that .93 and .90 differ by .03.
        holds = round(abs(largest), 9) <= _DIFFERENCE
        return holds, largest, f"{shown}."

    def undesirable(self) -> _Judgement:
        mine = {w: n for w, n in self.after.items() if kind_of(w) == _UNDESIRABLE}
        sound = {w: n for w, n in self.after.items() if is_sound(w)}
        if not mine or not sound:
            missing = _UNDESIRABLE if not mine else "a sound detector"
            reason = f"needs cells of {missing} at level {self.levels[1]}"
            return None, math.nan, reason
        upper = max(_interval(one).high for one in mine.values())
        lowest = min(sound, key=lambda word: _interval(sound[word]).low)
        gap = _interval(sound[lowest]).low - upper
        text = (
            f"{self._listed(mine)} against {self._listed(sound)}: a gap of "
            f"{number_text(gap, sign=True, digits=3)} to {self.brief[lowest]}."
        )
        return round(gap, 9) >= _GAP, gap, text

    def _listed(self, given: Mapping[str, CellNumbers]) -> str:
        return ", ".join(f"{self.brief[word]} {_with_interval(n)}" for word, n in given.items())


def _interval(one: CellNumbers) -> Interval:
    """The interval of F1; the value where none is known."""
    return Interval(one.f1, one.f1) if math.isnan(one.f1_interval.low) else one.f1_interval


def _order(one: CellNumbers, other: CellNumbers) -> int:
    """Which F1 is higher, outside their intervals; 0 where they overlap."""
    mine, its = _interval(one), _interval(other)
    return (mine.low > its.high) - (its.low > mine.high)


def _f1(one: CellNumbers) -> str:
    return number_text(one.f1, digits=3)


def _with_interval(one: CellNumbers) -> str:
    return f"{_f1(one)} {interval_text(_interval(one), digits=3)}"
