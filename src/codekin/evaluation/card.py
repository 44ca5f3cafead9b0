"""Card: how a measure reacts to changes of a program that keep or break its meaning."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from codekin.evaluation.cost import Costs, PairCost, cost_section, cost_text, pair_costs
from codekin.evaluation.judgement import (
    DISTANCE_NOTE,
    best_first,
    best_of,
    effect,
    in_words,
    resampling_note,
)
from codekin.evaluation.outcomes import row_seed
from codekin.evaluation.scored_runs import (
    finished_run,
    needs_kind,
    oriented,
    run_folder,
    with_baseline,
)
from codekin.results import (
    LEFT_OUT,
    NOTHING,
    Column,
    Estimate,
    Forest,
    ForestRow,
    Grid,
    Interval,
    Level,
    Mark,
    Result,
    Section,
    ShownAs,
    count_text,
    effect_text,
    keyed,
    measure_cell,
    number_text,
    percent_text,
    share_text,
    with_interval,
)
from codekin.rewrite import BREAKING, PRESERVING, rewritable_languages, rewrite
from codekin.runs.failures import Failure, failure_warnings, failures
from codekin.runs.row import Row, identity, renamed, row_of
from codekin.runs.rows import Record, type_name
from codekin.runs.run import Run, RunMeasure
from codekin.runs.scoring import score
from codekin.runs.settings import RowTexts, Settings
from codekin.runs.summaries import unfinished
from codekin.source import Source
from codekin.statistics.association import associations
from codekin.statistics.resampling import Floats, check_resampling

__all__ = [
    "Card",
    "ChangeEffect",
    "Changes",
    "MeasureCard",
    "bundled_programs",
    "evaluate_card",
    "judge_card",
]


_NONE = "no program could be changed and scored"

_CONTRAST = 4
"""Nearly all scores of a card lie near those of equal texts, where tints must differ most."""


@dataclass(frozen=True)
class ChangeEffect:
    """The scores of programs against themselves after one kind of change.

    Attributes
    ----------
    change : str
        Such as ``locals`` or ``operator``.
    preserving : bool
        Whether it keeps the meaning, so that the score should not change.
    n, failed : int
        Changed programs that were scored, and those that could not be.
    mean, low, high : float
        Of the scores, with their 5 % and 95 % quantiles.
    stayed : float
        The share of programs scored like equal texts: 1, or 0 for a distance.
    """

    computed: ClassVar[Mapping[str, str]] = {"reason": "why"}

    change: str = field(metadata=LEFT_OUT)
    preserving: bool
    n: int
    failed: int
    mean: float
    low: float
    high: float
    stayed: float

    @property
    def why(self) -> str | None:
        """Why there are no values; None if there are."""
        return None if self.n else _NONE

    def cell(self, distance: bool, most: float = 1.0) -> ShownAs:
        """The mean with the share that stayed; it reads 1 only if every score is 1.

        It is tinted by similarity; `most` is the largest distance.
        """
        if not self.n:
            failed = f"none of {count_text(self.failed, 'program')} could be scored"
            return ShownAs(
                None,
                NOTHING,
                title=failed if self.failed else "no program could be changed this way",
            )
        shown = number_text(self.mean, True) if distance else effect_text(self.mean)
        if not distance and shown == "1.000" and self.stayed < 1:
            shown = "0.999"
        likeness = 1 - self.mean / most if distance else self.mean
        stayed = share_text(self.stayed, 0)
        title = (
            f"{self.change}: nine in ten from {effect_text(self.low)} to {effect_text(self.high)}, "
            f"{count_text(self.n, 'program')}; {stayed} score like equal texts"
        )
        return ShownAs(
            self.mean,
            f"{shown} ({stayed})",
            title=f"{title}; {self.failed:,} failed" if self.failed else title,
            heat=min(1.0, max(0.0, likeness)) ** _CONTRAST,
        )


@dataclass(frozen=True)
class MeasureCard:
    """The card of one measure.

    Attributes
    ----------
    label, signature, summary : str
    distance : bool
    changes : tuple of ChangeEffect
        Of all languages together, in the order of the changes.
    by_language : tuple of (str, tuple of ChangeEffect)
    separation : Estimate
        The chance that a program after a change that keeps its meaning scores above one after a
        change that breaks it; a tie is half. 0.5 is chance.
    reason : str or None
        Why there is no separation.
    costs : tuple of PairCost
        By size, the smallest first.
    """

    computed: ClassVar[Mapping[str, str]] = {"by_language": "language_changes", "reason": "why"}

    label: str = field(metadata=LEFT_OUT)
    signature: str
    summary: str
    distance: bool
    changes: tuple[ChangeEffect, ...] = field(metadata=keyed("change"))
    by_language: tuple[tuple[str, tuple[ChangeEffect, ...]], ...] = field(metadata=LEFT_OUT)
    separation: Estimate = field(metadata=with_interval("ci"))
    reason: str | None = field(metadata=LEFT_OUT)
    costs: tuple[PairCost, ...]

    @property
    def language_changes(self) -> dict[str, dict[str, ChangeEffect]]:
        """By language, the same as `changes`."""
        return {
            language: {effect.change: effect for effect in effects}
            for language, effects in self.by_language
        }

    @property
    def why(self) -> str | None:
        """Why there is no separation; None if there is one."""
        if self.reason is not None or math.isfinite(self.separation.value):
            return self.reason
        return "it needs programs with changes of both kinds"


@dataclass(frozen=True)
class Card(Result):
    """The cards of the measures of a run.

    Attributes
    ----------
    run : str
    complete : bool
    programs : int
    languages : tuple of (str, int)
        With the number of programs of each.
    failures : tuple of Failure
    resamples, seed : int
    level : float
    measures : tuple of MeasureCard
    """

    computed: ClassVar[Mapping[str, str]] = {"languages": "programs_by_language"}

    run: str
    complete: bool
    programs: int
    languages: tuple[tuple[str, int], ...] = field(metadata=LEFT_OUT)
    failures: tuple[Failure, ...]
    resamples: int
    seed: int
    level: Level
    measures: tuple[MeasureCard, ...] = field(metadata=keyed("label"))

    @property
    def programs_by_language(self) -> dict[str, int]:
        """The number of programs of each language."""
        return dict(self.languages)

    def grids(self) -> list[Grid]:
        """Scores after each change, separation of the two kinds of changes, and costs."""
        mean = "mean score (share that stayed)"
        kept, broken = self._changes(True), self._changes(False)
        return [
            *self._change_grids(f"Changes that keep the meaning: {mean}", kept, self.measures),
            *self._change_grids(f"Changes that break it: {mean}", broken, self.measures),
            self._separation_grid(),
            *self._cost_grids(),
        ]

    def section(self, costs: Costs | None = None) -> Section:
        """The separation as a plot, all reactions, those by language on demand, and costs."""
        if costs is not None:
            timed = tuple(
                replace(one, costs=tuple(costs.get(one.label, ()))) for one in self.measures
            )
            return replace(self, measures=timed).section()
        ranked = best_first(self.measures, lambda one: one.separation.value)
        languages = ", ".join(f"{name} ({programs:,})" for name, programs in self.languages)
        both = (*self._changes(True), *self._changes(False))
        parts = [
            Section(
                "Separation",
                "The chance that a program after a change that keeps its meaning scores above one "
                "after a change that breaks it. At 0.5, the line, a measure is no better than "
                "chance; below, it prefers the broken program.",
                content=(
                    Forest(
                        title="separation",
                        head="separation",
                        rows=tuple(_forest_row(one, self.level) for one in ranked),
                        zero=0.5,
                    ),
                ),
                parts=(Section("All numbers", content=(self._separation_grid(),), folded=True),),
            ),
            Section(
                "Reaction to each change",
                "Mean scores, the stronger the tint the more alike, and the share of programs that "
                "score like equal texts. Good is strong on the left and pale on the right.",
                content=tuple(self._change_grids("", both, ranked)),
                parts=tuple(
                    Section(
                        f"{name}, {count_text(programs, 'program')}",
                        content=tuple(self._change_grids("", both, ranked, name)),
                        folded=True,
                    )
                    for name, programs in self.languages
                    if len(self.languages) > 1
                ),
            ),
        ]
        timed_costs = {one.label: one.costs for one in self.measures}
        if any(timed_costs.values()):
            quality = [(one.label, one.separation) for one in ranked]
            cost = cost_section(quality, timed_costs, "separation", 0.5)
            parts.append(replace(cost, content=(*cost.content, *self._cost_grids())))
        return Section(
            "How each measure reacts to changes",
            f"{count_text(self.programs, 'program')} in {languages}, each compared with itself "
            "after one change. A sound measure scores a change that keeps the meaning like equal "
            "texts, and one that breaks it lower.",
            parts=tuple(parts),
        )

    def _changes(self, preserving: bool) -> list[Column]:
        """The changes that keep the meaning, or those that break it, each a column."""
        changes = dict.fromkeys(
            one.change
            for card in self.measures
            for one in card.changes
            if one.preserving == preserving
        )
        above = "keeps the meaning: should stay" if preserving else "breaks it: should fall"
        return [Column(name, above=above) for name in changes]

    def _change_grids(
        self,
        title: str,
        changes: Sequence[Column],
        cards: Sequence[MeasureCard],
        language: str | None = None,
    ) -> list[Grid]:
        cells = []
        for card in cards:
            effects = card.changes if language is None else dict(card.by_language).get(language, ())
            known = [one.high for one in effects if math.isfinite(one.high)]
            most = max(known, default=1.0) or 1.0
            found = {one.change: one.cell(card.distance, most) for one in effects}
            name = replace(measure_cell(card.label, card.distance), title=card.summary)
            cells.append((name, *(found.get(column.head) for column in changes)))
        return [Grid(title, ("measure", *changes), tuple(cells))] if changes else []

    def _separation_grid(self) -> Grid:
        columns = (
            *("measure", effect("separation"), effect(percent_text(self.level), beneath=True)),
            *("kept", "broken", Column("failed", optional=True)),
        )
        cells = tuple(
            (
                measure_cell(one.label, one.distance),
                one.separation,
                one.separation.known,
                sum(change.n for change in one.changes if change.preserving),
                sum(change.n for change in one.changes if not change.preserving),
                sum(change.failed for change in one.changes),
            )
            for one in self.measures
        )
        title = "Separation: the chance that a kept meaning scores above a broken one"
        best = best_of(one.separation.value for one in self.measures)
        strong = frozenset((row, 1) for row in best)
        return Grid(
            title, columns, cells, strong=strong, reasons=tuple(one.why for one in self.measures)
        )

    def _cost_grids(self) -> list[Grid]:
        """The cost of a pair, measures down and sizes across."""
        sizes = sorted({cost.tokens for one in self.measures for cost in one.costs})
        cells = []
        for one in self.measures:
            found = {
                cost.tokens: ShownAs(cost.microseconds, cost_text(cost.microseconds))
                for cost in one.costs
            }
            cells.append((one.label, *(found.get(size) for size in sizes)))
        heads = ("measure", *(count_text(size, "token") for size in sizes))
        title = "Cost of a pair, by the median size of a text"
        return [Grid(title, heads, tuple(cells))] if sizes else []

    def table(self) -> Grid:
        """One record per measure, language and change; ``all`` is all languages."""
        columns = (
            *("measure", "language", "change", "preserving", "n", "failed", "mean", "low", "high"),
            *("stayed", "reason", "separation", "signature"),
        )
        cells = tuple(
            (
                *(one.label, language, change.change, change.preserving, change.n, change.failed),
                *(change.mean, change.low, change.high, change.stayed, change.why),
                one.separation if language == "all" else None,  # of all languages alone
                one.signature,
            )
            for one in self.measures
            for language, changes in (("all", one.changes), *one.by_language)
            for change in changes
        )
        return Grid("", columns, cells)

    def notes(self) -> list[str]:
        """How the values were computed, and why some are missing."""
        languages = ", ".join(f"{name} {programs:,}" for name, programs in self.languages)
        of_languages = f" ({languages})" if languages else ""
        notes = [
            f"{count_text(self.programs, 'program')}{of_languages}, each scored against itself "
            "after a change",
            resampling_note(self.resamples, "program", self.seed, self.level),
            "stayed: scored like equal texts, as all should be after a change that keeps the "
            "meaning, and none after one that breaks it",
            "a separation of 0.5 is chance",
        ]
        if any(one.distance for one in self.measures):
            notes.append(DISTANCE_NOTE)
        for one in self.measures:
            if one.why is not None:
                notes.append(f"{one.label}, separation: {one.why}")
            missing = [change.change for change in one.changes if not change.n]
            if missing:
                notes.append(f"{one.label}: {_NONE} by {', '.join(missing)}")
        return notes

    def warnings(self) -> list[str]:
        """What a reader must know before any value."""
        warnings = [] if self.complete else [unfinished(self.run, self.programs, "program")]
        return [*warnings, *failure_warnings(self.failures)]


def _forest_row(one: MeasureCard, level: float) -> ForestRow:
    value, known = one.separation.value, one.separation.known
    said = f"{one.label}: separation {in_words(value, known, level)}"
    return ForestRow(
        measure_cell(one.label, one.distance),
        (Mark("main", value, said, (known,)),),
        one.signature,
        "" if math.isfinite(value) else one.why or "no value",
    )


_CHANGES = (*PRESERVING, *BREAKING)


@dataclass(frozen=True)
class Changes:
    """One row per change that can be made to a program: the changed program against the original.

    Parameters
    ----------
    seed : int
    """

    fields: ClassVar[tuple[str, ...]] = ("id", "language", "code")
    most: ClassVar[int] = len(_CHANGES)
    seed: int = 0

    def describe(self) -> dict[str, Any]:
        """How the manifest records it."""
        return {"kind": "card", "seed": self.seed}

    def rows(
        self, record: Record, number: int, settings: Settings, detect: Callable[[Row], None]
    ) -> Iterator[Row]:
        """The rows, or one with the reason if no change could be made."""
        assert record.fields is not None
        given = renamed(record.fields, settings.columns)
        name, first = identity(given, number), number * self.most
        code = given.get("code")
        fields = {
            "id": name,
            "program": name,
            "language": given.get("language"),
            "candidate": code,
            "reference": code,
        }
        row = row_of(fields, record.where, first, settings)
        if not isinstance(code, str):
            known = ", ".join(map(str, given)) or "nothing"
            missing = f"no field 'code' (it has: {known})"
            wrong = f"code must be a text, not {type_name(code)}"
            row.problem = f"{record.where}: {wrong if 'code' in given else missing}"
        detect(row)
        if row.problem is not None:
            yield row
            return
        assert row.candidate is not None
        source = Source(row.candidate, row.language)
        some = False
        for place, change in enumerate(_CHANGES):
            changed = rewrite(source, change, row_seed(self.seed, number)) if row.language else None
            if changed is not None:
                some = True
                yield replace(
                    row,
                    id=f"{name}/{change}",
                    number=first + place,
                    candidate=changed,
                    group=change,
                )
        if not some:
            languages = ", ".join(rewritable_languages())
            row.problem = (
                f"{record.where}: no change could be made; a program must parse and be in one of "
                f"{languages}"
            )
            yield row

    def notes(self, texts: RowTexts) -> dict[str, Any]:
        """None: the group names the change."""
        return {}


Chosen = npt.NDArray[np.bool_]


def bundled_programs() -> list[dict[str, str]]:
    """The programs bundled with codekin: ``id``, ``language`` and ``code``."""
    text = resources.files("codekin").joinpath("data/programs.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line]


def evaluate_card(
    programs: Any = None,
    measures: Any = None,
    *,
    seed: int = 0,
    resamples: int = 2000,
    level: float = 0.95,
    output: str | Path | None = None,
    **job: Any,
) -> Card:
    """Make the cards of measures: what they see, and what they are blind to.

    Parameters
    ----------
    programs : rows of any kind, or a run, optional
        With ``code``, and optionally ``id`` and ``language``; by default, those bundled with
        codekin. A run of this function is judged without scoring it again.
    measures : str, Measure, any object with a ``score``, or a sequence of them, optional
        Every measure by default. The baseline that sees only lengths is added.
    seed : int
        Of the changes and of the bootstrap.
    resamples : int
    level : float
        Of the interval of the separation.
    output : str or Path, optional
        The folder of the run to write; by default, the run is not kept.
    **job
        As for :func:`codekin.score`: `workers`, `executor`, `columns` and so on.

    Examples
    --------
    >>> card, baseline = evaluate_card(measures="exact", workers=0, resamples=100).measures
    >>> {one.change: one.stayed for one in card.changes}["operator"]
    0.0
    """
    check_resampling(resamples, seed, level)
    how: dict[str, Any] = {"resamples": resamples, "seed": seed, "level": level, "costs": True}
    run = finished_run(programs, measures, output=output, **job)
    if run is not None:
        return judge_card(run, **how)
    given = bundled_programs() if programs is None else programs
    chosen = with_baseline(measures, origin=False)
    with run_folder(output, given) as folder:
        return judge_card(score(given, chosen, output=folder, view=Changes(seed), **job), **how)


def judge_card(
    run: Run, *, resamples: int = 2000, seed: int = 0, level: float = 0.95, costs: bool = False
) -> Card:
    """Make the cards of the measures of a run.

    Parameters
    ----------
    run : Run
        As :func:`evaluate_card` made it.
    resamples, seed : int
    level : float
    costs : bool
        Whether to measure the time of a pair now; it differs between machines.
    """
    needs_kind(run, ["card"], "changed programs")
    check_resampling(resamples, seed, level)
    facts = run.table(["row", "group", "language", "problem"]).to_pylist()
    # By position in the input, since two programs may have the same id.
    programs = np.array([row["row"] // Changes.most for row in facts], dtype=np.intp)
    usable = np.array([row["problem"] is None for row in facts], dtype=bool)
    changes = np.array([row["group"] or "" for row in facts])
    languages = np.array([row["language"] or "" for row in facts])
    measured = pair_costs(run) if costs else {}
    of_program = dict(zip(programs[usable].tolist(), languages[usable].tolist(), strict=True))
    cards = []
    for one in run.measures:
        values = run.values(one.label)
        preserving = np.isin(changes, PRESERVING)
        [judged] = associations(
            [oriented(one, values[usable])],
            preserving[usable].astype(np.float64),
            clusters=programs[usable],
            resamples=resamples,
            seed=seed,
            level=level,
        )
        separation = judged.auc
        if judged.n and np.ptp(values[usable & np.isfinite(values)]) == 0:
            # If all scores are equal, none is above another.
            separation = Estimate(0.5, Interval(0.5, 0.5), Interval(0.5, 0.5))
        cards.append(
            MeasureCard(
                label=one.label,
                signature=one.signature,
                summary=one.summary,
                distance=one.distance,
                changes=_effects(one, values, changes, usable),
                by_language=tuple(
                    (str(name), _effects(one, values, changes, usable & (languages == name)))
                    for name in dict.fromkeys(languages[usable].tolist())
                ),
                separation=separation,
                reason=None if math.isfinite(separation.percentile.low) else judged.reason,
                costs=tuple(measured.get(one.label, ())),
            )
        )
    return Card(
        run=run.name,
        complete=run.complete,
        programs=len(of_program),
        languages=tuple(sorted(Counter(of_program.values()).items())),
        failures=tuple(failures(run)),
        resamples=resamples,
        seed=seed,
        level=level,
        measures=tuple(cards),
    )


def _effects(
    one: RunMeasure, values: Floats, changes: npt.NDArray[np.str_], chosen: Chosen
) -> tuple[ChangeEffect, ...]:
    found: list[ChangeEffect] = []
    for change in (*PRESERVING, *BREAKING):
        here = chosen & (changes == change)
        scores = values[here & np.isfinite(values)]
        found.append(
            ChangeEffect(
                change=change,
                preserving=change in PRESERVING,
                n=len(scores),
                failed=int(here.sum()) - len(scores),
                mean=float(scores.mean()) if len(scores) else math.nan,
                low=_quantile(scores, 0.05),
                high=_quantile(scores, 0.95),
                stayed=float(np.mean(scores == (0.0 if one.distance else 1.0)))
                if len(scores)
                else math.nan,
            )
        )
    return tuple(found)


def _quantile(scores: Sequence[float] | Floats, share: float) -> float:
    return float(np.quantile(scores, share)) if len(scores) else math.nan
