"""The runs behind judgements: scored now, or read from a folder."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from codekin.errors import CodekinError
from codekin.measures import Measure, given_measures, measure, measure_label
from codekin.runs.composing import name_of_rows
from codekin.runs.failures import failures, unread_outcomes
from codekin.runs.run import Run, RunMeasure
from codekin.runs.settings import chosen_measures
from codekin.statistics.resampling import Floats

__all__ = [
    "BASELINE",
    "finished_run",
    "first_problem",
    "kind_of",
    "lengths_of",
    "measured_by",
    "measures_of",
    "needs_kind",
    "oriented",
    "refuse_one_outcome",
    "refuse_scoring",
    "run_at",
    "run_folder",
    "with_baseline",
]

BASELINE = "length"
"""The label of the baseline, a measure that sees only lengths."""


def with_baseline(measures: Any, *, origin: bool) -> list[Measure] | None:
    """The chosen measures and the baseline; None means every measure, which includes it."""
    if measures is None:
        return None
    chosen, _ = chosen_measures(measures, origin=origin)
    baseline = measure(BASELINE)
    named = [one for one in chosen if measure_label(one) == BASELINE]
    if any(type(one) is not type(baseline) for one in named):
        raise CodekinError(
            f"a measure of your own is called {BASELINE!r}, the name of the baseline; give it "
            "another name"
        )
    return [*chosen, *([] if named else [baseline])]


def run_at(rows: Any) -> Run | None:
    """The run, if rows are one or the folder of one."""
    if isinstance(rows, Run):
        return rows
    [only] = rows if isinstance(rows, list | tuple) and len(rows) == 1 else [rows]
    if isinstance(only, Run):
        return only
    if isinstance(only, str | Path) and os.path.isfile(os.path.join(only, "manifest.json")):  # noqa: PTH113, PTH118
        return Run(only)
    return None


_ABOUT_ROWS = ("columns", "language", "max_bytes", "max_seconds", "texts", "shard_rows", "resume")


def refuse_scoring(run: Run, **options: Any) -> None:
    """Refuse options of scoring for a run that is already scored."""
    wanted = ["output"] if options.get("output") is not None else []
    wanted += [name for name in _ABOUT_ROWS if options.get(name) not in (None, False)]
    if wanted:
        raise CodekinError(
            f"{run.path}: is a run, which is judged without scoring it again, so "
            f"{', '.join(wanted)} cannot be given; name the rows instead to score them"
        )


def measured_by(run: Run, measures: Any, *, baseline: bool = False) -> Run:
    """A run by some of the measures that it was scored with; None means all.

    Parameters
    ----------
    run : Run
    measures : str, Measure, a sequence of them, or None
    baseline : bool
        Whether to keep the baseline, too, if the run has it.
    """
    chosen = given_measures(measures)
    if chosen is None:
        return run
    labels = [measure_label(one) for one in chosen]
    has = any(one.label == BASELINE for one in run.measures)
    return run.only([*labels, *([BASELINE] if baseline and has else [])])


def finished_run(rows: Any, measures: Any, **options: Any) -> Run | None:
    """The run, if rows are one, by some of its measures and the baseline.

    Parameters
    ----------
    rows : Any
    measures : str, Measure, a sequence of them, or None
    **options
        Those of scoring, which must not be given for a run.
    """
    run = run_at(rows)
    if run is None:
        return None
    refuse_scoring(run, **options)
    return measured_by(run, measures, baseline=True)


def refuse_one_outcome(outcome: Floats, what: str) -> None:
    """Refuse rows whose outcomes are all the same.

    Parameters
    ----------
    outcome : array
        Of the rows that have one.
    what : str
        What cannot be computed from them, such as ``a calibration``.
    """
    if (outcome != outcome[0]).any():
        return
    rows = f"all {len(outcome):,} rows have" if len(outcome) > 1 else "the only row has"
    raise CodekinError(
        f"{rows} the outcome {outcome[0]:g}; {what} needs rows that pass and rows that fail"
    )


def first_problem(run: Run) -> str:
    """Why an outcome cannot be read, or else why most rows failed; empty if neither."""
    unread = unread_outcomes(run)
    reasons = [*([] if unread is None else [unread.reason]), *(one.reason for one in failures(run))]
    return f" (first problem: {reasons[0]})" if reasons else ""


@contextmanager
def run_folder(output: str | Path | None, rows: Any) -> Iterator[Path]:
    """The folder of a run: the given one, or a temporary one with the name of the rows."""
    if output is not None:
        yield Path(output)
        return
    with tempfile.TemporaryDirectory(prefix="codekin-") as folder:
        yield Path(folder) / name_of_rows(rows)


def kind_of(run: Run) -> str | None:
    """What a run was made for: ``triplets``, ``outcomes``, ``card``, or None for plain scores."""
    view = run.manifest["asked"]["view"]
    return None if view is None else str(view["kind"])


def measures_of(run: Run) -> tuple[list[RunMeasure], RunMeasure]:
    """The measures of a run without the baseline, and the baseline."""
    baseline = [one for one in run.measures if one.label == BASELINE]
    if not baseline:
        raise CodekinError(
            f"{run.path}: was not scored by {BASELINE!r}, the baseline of every result; score the "
            "rows again with that measure, too"
        )
    others = [one for one in run.measures if one.label != BASELINE]
    # If only the baseline was scored, it is judged like any measure.
    return others or baseline, baseline[0]


def lengths_of(table: pa.Table) -> Iterator[tuple[float, float]]:
    """The lengths of each row's candidate and reference, as the baseline counted them."""
    for parts in table.column(f"{BASELINE}.parts").to_pylist():
        known = dict(parts or ())
        yield known.get("length", float("nan")), known.get("reference_length", float("nan"))


def oriented(one: RunMeasure, values: Any) -> Any:
    """Scores with the sign flipped for a distance, so that higher is more similar."""
    return -values if one.distance else values


def needs_kind(run: Run, kinds: Sequence[str | None], what: str) -> None:
    """Refuse a run that was made for something else."""
    if kind_of(run) not in kinds:
        made = kind_of(run) or "plain scores"
        raise CodekinError(f"{run.path}: is a run of {made}, and has no {what}")
