"""Card: how a measure reacts to changes of a program that keep its meaning, and that break it."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from codekin.evaluation.cost import PairCost, pair_costs
from codekin.evaluation.outcomes import row_seed
from codekin.evaluation.scored_runs import (
    needs_kind,
    oriented,
    refuse_scoring,
    run_at,
    run_folder,
    with_baseline,
)
from codekin.rewrite import BREAKING, PRESERVING, rewritable_languages, rewrite
from codekin.runs.failures import Failure, failures
from codekin.runs.row import Row, identity, renamed, row_of
from codekin.runs.rows import Record, type_name
from codekin.runs.run import Run, RunMeasure
from codekin.runs.scoring import score
from codekin.runs.settings import RowTexts, Settings
from codekin.source import Source
from codekin.statistics.association import associations
from codekin.statistics.bootstrap import Estimate, Interval
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


@dataclass(frozen=True)
class ChangeEffect:
    """The scores of programs against themselves after one kind of change.

    Attributes
    ----------
    change : str
        Such as ``locals`` or ``operator``.
    preserving : bool
        Whether it keeps the meaning, so that the score should stay.
    n, failed : int
        Programs that could be changed and were scored, and that could not be scored.
    mean, low, high : float
        Of the scores, with their 5 % and 95 % quantiles.
    stayed : float
        The share of scores that are those of equal texts: 1, or 0 for a distance.
    """

    change: str
    preserving: bool
    n: int
    failed: int
    mean: float
    low: float
    high: float
    stayed: float


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
        change that breaks it; ties half. 0.5 tells nothing apart.
    reason : str or None
        Why there is no separation.
    costs : tuple of PairCost
        By size, the smallest first.
    """

    label: str
    signature: str
    summary: str
    distance: bool
    changes: tuple[ChangeEffect, ...]
    by_language: tuple[tuple[str, tuple[ChangeEffect, ...]], ...]
    separation: Estimate
    reason: str | None
    costs: tuple[PairCost, ...]


@dataclass(frozen=True)
class Card:
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

    run: str
    complete: bool
    programs: int
    languages: tuple[tuple[str, int], ...]
    failures: tuple[Failure, ...]
    resamples: int
    seed: int
    level: float
    measures: tuple[MeasureCard, ...]


_CHANGES = (*PRESERVING, *BREAKING)


@dataclass(frozen=True)
class Changes:
    """A row for each change that a program admits: changed, against itself as it was.

    Parameters
    ----------
    seed : int
    """

    fields: ClassVar[tuple[str, ...]] = ("id", "language", "code")
    most: ClassVar[int] = len(_CHANGES)
    seed: int = 0

    def describe(self) -> dict[str, Any]:
        """What stands in the manifest."""
        return {"kind": "card", "seed": self.seed}

    def rows(
        self, record: Record, number: int, settings: Settings, settle: Callable[[Row], None]
    ) -> Iterator[Row]:
        """The rows, or one with the reason where there is none."""
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
        settle(row)
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
                f"{record.where}: no change could be made; a program must parse and be of one of "
                f"{languages}"
            )
            yield row

    def notes(self, texts: RowTexts) -> dict[str, Any]:
        """Nothing: the group says which change it was."""
        return {}


Chosen = npt.NDArray[np.bool_]


def bundled_programs() -> list[dict[str, str]]:
    """The programs that come with codekin: ``id``, ``language`` and ``code``."""
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
        With ``code``, and optionally ``id`` and ``language``; those that come with codekin by
        default. A run that was made for a card is judged and not scored again.
    measures : str, Measure, any object with a ``score``, or a sequence of them, optional
        Every measure by default. The baseline that sees only lengths is added.
    seed : int
        Which changes are made, and which resamples are drawn.
    resamples : int
    level : float
        Of the interval of the separation.
    output : str or Path, optional
        The folder of the run to write; none is kept by default.
    **job
        As for :func:`codekin.score`: `workers`, `executor`, `columns` and so on.

    Examples
    --------
    >>> card, baseline = evaluate_card(measures="exact", workers=0, resamples=100).measures
    >>> {one.change: one.stayed for one in card.changes}["operator"]
    0.0
    """
    check_resampling(resamples, seed, level)
    how: dict[str, Any] = {"resamples": resamples, "seed": seed, "level": level}
    run = run_at(programs)
    if run is not None:
        refuse_scoring(run, measures=measures, output=output, **job)
        return judge_card(run, **how)
    given = bundled_programs() if programs is None else programs
    asked = with_baseline(measures, origin=False)
    with run_folder(output) as folder:
        return judge_card(score(given, asked, output=folder, view=Changes(seed), **job), **how)


def judge_card(
    run: Run, *, resamples: int = 2000, seed: int = 0, level: float = 0.95, costs: bool = True
) -> Card:
    """Make the cards of the measures of a run.

    Parameters
    ----------
    run : Run
        As :func:`evaluate_card` made it.
    resamples, seed : int
    level : float
    costs : bool
        Whether the time of a pair is measured now; it is another on every machine.
    """
    needs_kind(run, ["card"], "changed programs")
    check_resampling(resamples, seed, level)
    facts = run.table(["row", "group", "language", "problem"]).to_pylist()
    # By their place in the input, for two programs may have one id.
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
            # Of equal scores none is above another.
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
