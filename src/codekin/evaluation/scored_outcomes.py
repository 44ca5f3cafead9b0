"""Scored rows of which some have outcomes, from a run or from rows that are scored now."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from codekin.errors import CodekinError, suggestion
from codekin.evaluation.scored_runs import (
    measured_by,
    needs_kind,
    refuse_scoring,
    run_at,
    run_folder,
)
from codekin.results import count_text
from codekin.runs.columns import to_numpy
from codekin.runs.row import LARGEST_NUMBER, field_name, identity, name_in
from codekin.runs.rows import Record, open_rows
from codekin.runs.run import MeasureScores, Run, read_fields, read_scores
from codekin.runs.scoring import score
from codekin.runs.summaries import row_weights
from codekin.statistics.resampling import Floats

__all__ = ["ScoredOutcomes", "read_outcomes", "scored_run"]


@dataclass(frozen=True, eq=False)
class ScoredOutcomes:
    """The rows of a run, one per position of every list and array.

    Attributes
    ----------
    ids, groups : list of str
        A row without a group has None.
    samples : list of str
        Which row of several with one id and group: the value of the field ``sample`` if it tells
        them apart, or else its number from 1; None for the only row.
    outcome, probabilities, batches : array
        nan where a row has none: the probability with which the row was drawn to be tested, and
        the number of that draw.
    weights : array
    scores : list of MeasureScores
    """

    ids: list[str]
    groups: list[str | None]
    samples: list[str | None]
    outcome: Floats
    probabilities: Floats
    batches: Floats
    weights: Floats
    scores: list[MeasureScores]

    @property
    def tested(self) -> Any:
        """Which rows have an outcome."""
        return np.isfinite(self.outcome)

    @property
    def systems(self) -> list[str]:
        """The groups, in their order of appearance."""
        return [name for name in dict.fromkeys(self.groups) if name is not None]


@contextmanager
def scored_run(
    rows: Any, measures: Any, output: str | Path | None, resume: bool, **job: Any
) -> Iterator[Run]:
    """The run, if rows are one; otherwise the rows, scored now."""
    run = run_at(rows)
    if run is not None:
        needs_kind(run, ["outcomes", None], "rows with outcomes")
        refuse_scoring(run, output=output, **job)
        yield measured_by(run, measures)
        return
    if measures is None:
        raise CodekinError(
            "name the measure whose scores predict the outcomes, such as es for edits or kin for "
            "other code; choosing it after seeing the intervals would make them too narrow"
        )
    with run_folder(output, rows) as folder:
        go_on = resume and (folder / "manifest.json").exists()
        job = {"missing": "skip", **job}
        run = score(rows, measures, output=folder, resume=go_on, **job)
        try:
            yield run
        except CodekinError as error:
            if output is not None:
                raise
            # A folder that nobody has named, and that is gone.
            raise CodekinError(str(error).replace(str(run.path), "the rows")) from None


def read_outcomes(run: Run, outcomes: Any = None) -> ScoredOutcomes:
    """The rows of a run with their scores and outcomes.

    Parameters
    ----------
    run : Run
    outcomes : rows of any kind, optional
        Outcomes that came later: rows with ``id`` and ``outcome``, with ``group`` and ``sample``
        where several rows have one id, and with ``probability`` and ``batch`` if they were drawn by
        :func:`codekin.plan_tests`. They replace those of the run.
    """
    table = run.table(["id", "group", "outcome", "fields"])
    fields = [
        {} if text == "{}" else read_fields(text) for text in table.column("fields").to_pylist()
    ]
    ids, groups = table.column("id").to_pylist(), table.column("group").to_pylist()
    read = ScoredOutcomes(
        ids=ids,
        groups=groups,
        samples=_samples(ids, groups, [one.get("sample") for one in fields]),
        outcome=to_numpy(table.column("outcome")).astype(np.float64),
        probabilities=np.array([_number(one.get("probability")) for one in fields], np.float64),
        batches=np.array([_number(one.get("batch")) for one in fields], np.float64),
        weights=row_weights(run),
        scores=read_scores(run),
    )
    if outcomes is not None:
        _add(read, (one for shard in open_rows(outcomes).shards() for one in shard.records()))
    if (np.abs(read.outcome) > LARGEST_NUMBER).any():
        raise CodekinError(f"{run.path}: has an outcome above {LARGEST_NUMBER:g}; score it again")
    if not read.ids:
        raise CodekinError("no rows to estimate from; name rows of which some have an outcome")
    return read


def _samples(
    ids: Sequence[str], groups: Sequence[str | None], given: Sequence[object]
) -> list[str | None]:
    """What tells rows with one id and group apart.

    Examples
    --------
    >>> _samples(["a", "a", "b"], [None, None, None], [None, None, None])
    ['1', '2', None]
    >>> _samples(["a", "a"], ["m", "m"], [0, 1])
    ['0', '1']
    """
    places: dict[tuple[str, str | None], list[int]] = {}
    for place, key in enumerate(zip(ids, groups, strict=True)):
        places.setdefault(key, []).append(place)
    samples: list[str | None] = [None] * len(ids)
    for alike in places.values():
        if len(alike) == 1:
            continue
        own = [name_in({"sample": given[place]}, "sample") for place in alike]
        told_apart = None not in own and len(set(own)) == len(own)
        for number, place in enumerate(alike):
            samples[place] = own[number] if told_apart else str(number + 1)
    return samples


def _add(read: ScoredOutcomes, records: Iterable[Record]) -> None:
    """Set the outcomes of single rows, by their ids, groups and samples."""
    places: dict[str, list[int]] = {}
    for place, name in enumerate(read.ids):
        places.setdefault(name, []).append(place)
    seen: dict[int, str] = {}
    for number, record in enumerate(records):
        fields = record.fields
        if fields is None:
            raise CodekinError(f"{record.where}: {record.problem}")
        if fields.get("id") is None:
            raise CodekinError(f"{record.where}: has no 'id', which says whose outcome it is")
        name = identity(fields, number)
        if name not in places:
            hint = suggestion(name, list(places))
            raise CodekinError(f"{record.where}: no row has the id {name!r}{hint}")
        try:
            place = _place(read, places[name], fields)
        except CodekinError as error:
            raise CodekinError(f"{record.where}: {error}") from None
        if place in seen:
            raise CodekinError(
                f"{record.where}: {name!r} already has an outcome in {seen[place]}; keep one of "
                "them"
            )
        seen[place] = record.where
        outcome = _number(fields.get("outcome"))
        if math.isnan(outcome) and fields.get("outcome") not in (None, ""):
            raise CodekinError(
                f"{record.where}: the outcome must be a number, not {fields['outcome']!r}"
            )
        if abs(outcome) > LARGEST_NUMBER:
            raise CodekinError(
                f"{record.where}: the outcome must be a number up to {LARGEST_NUMBER:g}, not "
                f"{outcome:g}"
            )
        read.outcome[place] = outcome
        read.probabilities[place] = _number(fields.get("probability"))
        read.batches[place] = _number(fields.get("batch"))
    if not seen:
        raise CodekinError("the outcomes that came later have no rows; is it the right file?")
    if not np.isfinite(read.outcome[list(seen)]).any():
        raise CodekinError(
            f"none of the {count_text(len(seen), 'row')} of outcomes that came later has an "
            "'outcome' yet; test these rows, and fill it in"
        )


def _place(read: ScoredOutcomes, places: Sequence[int], fields: Mapping[str, Any]) -> int:
    """The row that an outcome belongs to, among those with its id.

    Parameters
    ----------
    read : ScoredOutcomes
    places : sequence of int
        The rows with the id of the outcome.
    fields : mapping
        Of the outcome.
    """
    name = read.ids[places[0]]
    groups = list(dict.fromkeys(read.groups[place] for place in places))
    group = field_name(fields, "group")
    if group is not None and groups != [None]:
        if group not in groups:
            there = [one for one in groups if one is not None]
            hint = suggestion(group, there)
            raise CodekinError(
                f"no row of the group {group!r} has the id {name!r}{hint} (there are: "
                f"{', '.join(there)})"
            )
        places = [place for place in places if read.groups[place] == group]
    elif len(groups) > 1:
        raise CodekinError(
            f"{len(groups)} systems have a row with the id {name!r}; say whose outcome it is in a "
            "field 'group', as codekin plan --next does"
        )
    if len(places) == 1:
        return places[0]
    samples = [str(read.samples[place]) for place in places]
    sample = name_in(fields, "sample")
    if sample is None:
        raise CodekinError(
            f"{count_text(len(places), 'row')} have the id {name!r}; say which one was tested in a "
            "field 'sample', as codekin plan --next does, or give each row an id of its own"
        )
    if sample not in samples:
        raise CodekinError(
            f"no row with the id {name!r} is the sample {sample!r} (there are: "
            f"{', '.join(samples)})"
        )
    return places[samples.index(sample)]


def _number(value: object) -> float:
    """A number, possibly written as text, as in CSV; nan for anything else."""
    if isinstance(value, bool | int | float):
        try:
            return float(value)
        except OverflowError:
            return math.inf
    if isinstance(value, str):
        try:
            return float({"true": "1", "false": "0"}.get(value.strip().lower(), value))
        except ValueError:
            return math.nan
    return math.nan
