"""plan_tests: how many rows to test for an interval of some width, and which to test next."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from codekin.errors import CodekinError
from codekin.evaluation.estimation import ALL_ROWS
from codekin.evaluation.scored_outcomes import ScoredOutcomes, read_outcomes, scored_run
from codekin.results import (
    EFFECT_DIGITS,
    LEFT_OUT,
    Column,
    Finite,
    Grid,
    GridColumns,
    Level,
    Result,
    ShownAs,
    count_text,
    percent_text,
    written_text,
)
from codekin.statistics.active_sampling import drawing_probabilities, drawn_rows, expected_errors
from codekin.statistics.prediction_powered import FEWEST, powered_mean
from codekin.statistics.proportion import rate_interval
from codekin.statistics.resampling import Floats, check_resampling

__all__ = ["PlannedRow", "SamplePlan", "SystemPlan", "plan_tests", "rows_needed"]

_PILOT = 50
"""How many rows to test first, if none has an outcome and no number was given."""
_MOST = 10**9


@dataclass(frozen=True)
class SystemPlan:
    """How many rows of a system to test.

    Attributes
    ----------
    system : str or None
        The group; None for all rows.
    rows, tested : int or None
        All rows, and those with an outcome; None if no rows were given.
    rate, correlation : float
        What the plan assumes: the pass rate, and r of score and outcome. From tested rows, r is
        that by which the scores narrowed the interval, which is below r itself.
    alone, needed : int or None
        How many tested rows the width takes without scores and with them; None where that is not
        known, since no row has been tested.
    more : int or None
        How many rows are still to be tested, with scores.
    """

    system: str | None
    rows: int | None
    tested: int | None
    rate: float
    correlation: float
    alone: int | None
    needed: int | None
    more: int | None


@dataclass(frozen=True)
class PlannedRow:
    """A row to test next.

    Attributes
    ----------
    id : str
    group : str or None
    sample : str or None
        Which row of several with this id and group: the value of the field ``sample`` if it tells
        them apart, or else its number from 1; None for the only row.
    candidate : str or None
        The text to test, as it was compared; None if the run has no texts.
    probability : float
        With which it was drawn among the rows that have no outcome yet.
    batch : int
        The number of the draw.
    """

    id: str
    group: str | None
    sample: str | None
    candidate: str | None
    probability: Finite
    batch: int


@dataclass(frozen=True)
class SamplePlan(Result):
    """How many rows to test for an interval of some width, and which to test next.

    Attributes
    ----------
    width : float
        Of the interval, from end to end.
    level : float
        Of the interval.
    measure : str or None
        Whose scores predict the outcomes; None if a correlation was stated.
    stated : bool
        Whether rate and correlation were stated, not estimated from tested rows.
    seed : int
        Of the draw.
    systems : tuple of SystemPlan
    next : tuple of PlannedRow
        The rows to test next; :meth:`write` writes them.
    """

    width: float
    level: Level
    measure: str | None
    stated: bool
    seed: int
    systems: tuple[SystemPlan, ...]
    next: tuple[PlannedRow, ...] = field(metadata=LEFT_OUT)

    computed: ClassVar[Mapping[str, str]] = {"drawn": "drawn"}

    @property
    def drawn(self) -> int:
        """How many rows were drawn to be tested next."""
        return len(self.next)

    def grids(self) -> list[Grid]:
        """One line per system."""
        columns: GridColumns = (
            Column("system", shown=any(one.system for one in self.systems)),
            Column("rows", shown=not self._bare),
            Column("tested", shown=not self._bare),
            Column("pass rate", "rate", digits=EFFECT_DIGITS),
            Column("r" if self.stated else "r, cautious", "correlation", digits=EFFECT_DIGITS),
            Column("needed, tests alone", "alone"),
            Column("needed, with scores", "needed"),
            Column("still to test", "more"),
        )
        cells = tuple(
            (
                one.system or ShownAs(None, ALL_ROWS),
                *(one.rows, one.tested, one.rate, one.correlation),
                *(one.alone, one.needed, one.more),
            )
            for one in self.systems
        )
        title = f"Rows to test for a {percent_text(self.level)} interval {self.width:g} wide"
        return [Grid(title, columns, cells)]

    @property
    def _bare(self) -> bool:
        return all(one.rows is None for one in self.systems)

    def notes(self) -> list[str]:
        """What the numbers rest on."""
        notes = []
        if self.stated:
            notes.append("rate and r as stated")
        elif any(one.needed is not None for one in self.systems):
            notes.append(
                f"rate and r by {self.measure}, from the rows tested so far; plan again when more "
                "are tested"
            )
        if self.next:
            first = self.next[0]
            how = (
                "all with the same probability"
                if len({one.probability for one in self.next}) == 1
                else "more often where the score predicts badly"
            )
            notes.append(
                f"{count_text(len(self.next), 'row')} drawn to test next, {how} (batch "
                f"{first.batch}, seed {self.seed})"
            )
        return notes

    @property
    def nothing_left(self) -> str | None:
        """Why no row was drawn from the rows that were given; None if one was."""
        if self.next or self._bare:
            return None
        tested = all(one.tested == one.rows for one in self.systems)
        return "every row is tested" if tested else "enough rows are tested for this width"

    def warnings(self) -> list[str]:
        """What a reader must know before any value."""
        warnings = []
        short = [one for one in self.systems if one.needed is None]
        if short:
            names = ", ".join(one.system or ALL_ROWS for one in short[:3])
            more = f" and {len(short) - 3} more" if len(short) > 3 else ""
            warnings.append(
                f"{names}{more}: fewer than {FEWEST} rows are tested, or all have the same "
                "outcome, so the number needed is not known; test the rows drawn here first, or "
                "state a rate and a correlation"
            )
        return warnings

    def write(self, path: str | Path) -> Path:
        """Write the rows to test next as JSON lines, each with an outcome to be filled in."""
        lines = []
        for one in self.next:
            whose = {"id": one.id, "group": one.group, "sample": one.sample}
            known = {name: value for name, value in whose.items() if value is not None}
            drawn = {"outcome": None, "probability": one.probability, "batch": one.batch}
            text = {} if one.candidate is None else {"candidate": one.candidate}
            lines.append(json.dumps({**known, **drawn, **text}))
        written_text("".join(f"{line}\n" for line in lines), path)
        return Path(path)


def rows_needed(
    width: float,
    rate: float,
    correlation: float = 0.0,
    *,
    rows: int | None = None,
    level: float = 0.95,
) -> int:
    """How many rows to test for an interval of some width.

    Parameters
    ----------
    width : float
        From end to end.
    rate, correlation : float
        The pass rate, and r of score and outcome.
    rows : int, optional
        How many there are in all; testing every one of them leaves no doubt. Any number by
        default.
    level : float

    Examples
    --------
    >>> rows_needed(0.1, 0.3), rows_needed(0.1, 0.3, 0.87), rows_needed(0.1, 0.3, rows=200)
    (322, 93, 124)
    """
    _check_stated(width, rate, correlation)
    most = _MOST if rows is None else rows
    ratio = 1 - correlation**2
    spread = max(rate * (1 - rate), 1e-6)

    def wide(number: int) -> float:
        left = 1.0 if rows is None else 1 - number / rows
        share = ratio + (1 - ratio) / (number * spread + 1)
        interval = rate_interval(rate, share * spread * left / number, spread, number - 1, level)
        return interval.high - interval.low

    low, high = min(FEWEST, most), most
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if wide(middle) <= width else (middle + 1, high)
    return low


def _check_stated(width: float, rate: float, correlation: float) -> None:
    if not 0 < width < 1:
        raise CodekinError(f"width must be between 0 and 1, such as 0.05, not {width:g}")
    if not 0 <= rate <= 1:
        raise CodekinError(f"rate must be from 0 to 1, such as 0.3, not {rate:g}")
    if not -1 < correlation < 1:
        raise CodekinError(
            f"correlation must be between -1 and 1, such as 0.8, not {correlation:g}"
        )


def plan_tests(
    rows: Any = None,
    measures: Any = None,
    *,
    width: float = 0.1,
    rate: float | None = None,
    correlation: float | None = None,
    outcomes: Any = None,
    by: str | None = None,
    number: int | None = None,
    seed: int = 0,
    level: float = 0.95,
    output: str | Path | None = None,
    resume: bool = False,
    **job: Any,
) -> SamplePlan:
    """Plan how many rows to test, and draw which to test next.

    Parameters
    ----------
    rows : rows of any kind, or a run, optional
        As for :func:`estimate_rates`. Without them, `rate` and `correlation` say what to plan for.
    measures : str or Measure
        The one measure whose scores predict the outcomes; a run may have been scored by one only.
    width : float
        Of the interval, from end to end.
    rate, correlation : float, optional
        What to plan for, instead of what the tested rows say: the pass rate (0.5 is the most
        cautious), and r of score and outcome (0 by default).
    outcomes : rows of any kind, optional
        Outcomes that came later, as for :func:`estimate_rates`.
    by : str, optional
        ``group`` for an interval of this width for each system, instead of one for all rows.
    number : int, optional
        How many rows to draw; by default as many as are still to be tested, or 50 if none is
        tested yet.
    seed : int
        Of the draw.
    level : float
    output : str or Path, optional
        The folder of the run to write.
    resume : bool
        Resume the run in `output`.
    **job
        As for :func:`codekin.score`.

    Examples
    --------
    >>> [plan] = plan_tests(width=0.1, rate=0.3, correlation=0.87).systems
    >>> plan.alone, plan.needed
    (322, 93)
    """
    check_resampling(1, seed, level)
    stated = rate is not None or correlation is not None
    assumed = (0.5 if rate is None else rate, 0.0 if correlation is None else correlation)
    _check_stated(width, *assumed)
    if by not in (None, "group"):
        raise CodekinError(f"rows are planned by group, not by {by!r}; name the field in columns")
    if number is not None and number < 1:
        raise CodekinError(f"number must be at least 1, not {number}")
    if rows is None:
        if not stated:
            raise CodekinError(
                "nothing to plan from: give rows of which some have outcomes, or a rate and a "
                "correlation"
            )
        alone, needed = (rows_needed(width, assumed[0], r, level=level) for r in (0.0, assumed[1]))
        one = SystemPlan(None, None, None, *assumed, alone, needed, needed)
        return SamplePlan(width, level, None, True, seed, (one,), ())
    with scored_run(rows, measures, output, resume, **job) as run:
        if len(run.measures) != 1:
            names = ", ".join(one.label for one in run.measures)
            raise CodekinError(
                f"a plan needs the scores of one measure, not of {len(run.measures)} ({names}); "
                "choose one with -m (measures=)"
            )
        planning = _Planning(
            read_outcomes(run, outcomes), width, level, assumed if stated else None
        )
        parts = planning.parts(by)
        return SamplePlan(
            width=width,
            level=level,
            measure=run.measures[0].label,
            stated=stated,
            seed=seed,
            systems=tuple(plan for plan, _ in parts),
            next=planning.draw(parts, number, seed, run.table(["candidate"])),
        )


_Places = np.ndarray[Any, np.dtype[np.intp]]
_Parts = Sequence[tuple[SystemPlan, _Places]]


class _Planning:
    """Plans for the rows of a run."""

    def __init__(
        self,
        read: ScoredOutcomes,
        width: float,
        level: float,
        assumed: tuple[float, float] | None,
    ) -> None:
        self._read = read
        self._width = width
        self._level = level
        self._assumed = assumed
        self._score = read.scores[0].values
        known = read.outcome[read.tested]
        if not np.isin(known, (0.0, 1.0)).all():
            raise CodekinError(
                "a plan needs outcomes that are 0 or 1; for others, look at the width that codekin "
                "estimate prints, which halves with four times as many rows"
            )

    def parts(self, by: str | None) -> _Parts:
        """The plan of each system, or of all rows, with the places of its rows."""
        read = self._read
        everything = np.arange(len(read.ids))
        if by is None or len(read.systems) < 2:
            return [(self._plan(None, everything), everything)]
        groups = np.array([name or "" for name in read.groups])
        found = []
        for name in read.systems:
            places = np.flatnonzero(groups == name)
            found.append((self._plan(name, places), places))
        return found

    def _plan(self, system: str | None, places: _Places) -> SystemPlan:
        read = self._read
        tested = int(read.tested[places].sum())
        rate, correlation = self._assumed or (math.nan, math.nan)
        if self._assumed is None and tested >= FEWEST:
            found = powered_mean(
                read.outcome[places],
                self._score[places],
                probabilities=read.probabilities[places],
                batches=read.batches[places],
            )
            rate = found.powered.value
            # What the variance says, which is more cautious than r itself.
            correlation = math.copysign(math.sqrt(max(0.0, 1 - 1 / found.gain)), found.correlation)
        if not (math.isfinite(rate) and math.isfinite(correlation)):
            none = 0 if tested == len(places) else None
            return SystemPlan(system, len(places), tested, rate, correlation, none, none, none)
        alone, needed = (
            rows_needed(self._width, rate, r, rows=len(places), level=self._level)
            for r in (0.0, correlation)
        )
        more = max(0, needed - tested)
        return SystemPlan(system, len(places), tested, rate, correlation, alone, needed, more)

    def draw(
        self, parts: _Parts, number: int | None, seed: int, texts: pa.Table
    ) -> tuple[PlannedRow, ...]:
        """The rows to test next, with their probabilities, in the order of the rows.

        Parameters
        ----------
        parts : sequence of (SystemPlan, places)
        number : int or None
        seed : int
        texts : Table
            Of all rows, with the column ``candidate``.
        """
        read = self._read
        known = read.tested
        batches = np.where(np.isfinite(read.batches), read.batches, np.isfinite(read.probabilities))
        batch = int(batches[known].max()) + 1 if known.any() else 0
        errors = expected_errors(read.outcome, self._score)
        chances: Floats = np.zeros(len(known))
        wanted = self._numbers(parts, number)
        chosen: list[int] = []
        for i, ((_, places), many) in enumerate(zip(parts, wanted, strict=True)):
            untested = places[~known[places]]
            chances[untested] = drawing_probabilities(errors[untested], min(many, len(untested)))
            drawn = drawn_rows(chances[untested], seed + i * 1_000_003)
            chosen.extend(int(place) for place in untested[drawn])
        candidates = texts.column("candidate")
        return tuple(
            PlannedRow(
                id=read.ids[place],
                group=read.groups[place],
                sample=read.samples[place],
                candidate=candidates[place].as_py(),
                probability=float(chances[place]),
                batch=batch,
            )
            for place in sorted(chosen)
        )

    def _numbers(self, parts: _Parts, number: int | None) -> list[int]:
        """How many rows to draw of each part."""
        if number is None:
            return [_PILOT if one.more is None else one.more for one, _ in parts]
        left = np.array([len(places) - int(self._read.tested[places].sum()) for _, places in parts])
        need = np.array([len(places) if one.more is None else one.more for one, places in parts])
        ask = np.minimum(need, left).astype(float)
        ask = ask if ask.sum() > 0 else left.astype(float)
        shares = ask / max(ask.sum(), 1) * number
        given = np.floor(shares).astype(int)
        rest = np.argsort(given - shares, kind="stable")[: number - int(given.sum())]
        given[rest] += 1
        return [int(one) for one in given]
