"""The rows of a run that are judged by their outcomes, as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from codekin.engine.run import Run, read_fields
from codekin.engine.scores import read_scores
from codekin.engine.shard_scoring import RecentSources
from codekin.engine.summaries import clusters_of
from codekin.engine.view import RowTexts
from codekin.engine.views.edits import Edits
from codekin.errors import CodekinError
from codekin.evaluation.resampling import Floats
from codekin.source import Source

__all__ = ["Chosen", "Codes", "NumberedScores", "OutcomeRows", "read_rows", "scores_of"]

Codes = npt.NDArray[np.intp]
Chosen = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class OutcomeRows:
    """The rows of a run, a place each in every list and array."""

    numbers: npt.NDArray[np.int64]
    ids: list[str]
    groups: list[str | None]
    outcome: Floats
    tasks: Codes
    unchanged: Chosen
    equal: Chosen
    values: Mapping[str, Floats]

    @property
    def binary(self) -> bool:
        """Whether every outcome is 0 or 1."""
        known = self.outcome[np.isfinite(self.outcome)]
        return bool(np.isin(known, (0.0, 1.0)).all())

    def tasks_of(self, chosen: Chosen) -> int:
        """How many tasks some of the rows are of."""
        return len(np.unique(self.tasks[chosen]))


def read_rows(run: Run, task: str) -> OutcomeRows:
    """The rows of a run, which must have outcomes.

    Parameters
    ----------
    run : Run
    task : str
        The field that says which rows are of one task.
    """
    table = run.table(["row", "id", "group", "outcome", "fields"])
    outcome = table.column("outcome").to_numpy().astype(np.float64)
    if not np.isfinite(outcome).any():
        first = next((one for one in run.table(["problem"]).column(0).to_pylist() if one), None)
        raise CodekinError(
            "no row has an outcome; give each row a number as its 'outcome', or name its column"
            + (f" (first of the rows that could not be read: {first})" if first else "")
        )
    fields = [read_fields(text) for text in table.column("fields").to_pylist()]
    if run.manifest["asked"].get("view") is None:
        fields = _notes(run, fields)
    return OutcomeRows(
        numbers=table.column("row").to_numpy(),
        ids=table.column("id").to_pylist(),
        groups=table.column("group").to_pylist(),
        outcome=outcome,
        tasks=clusters_of(run.labels_of(task)),
        unchanged=np.array([bool(one.get("unchanged")) for one in fields], dtype=bool),
        equal=np.array([bool(one.get("equal")) for one in fields], dtype=bool),
        values=scores_of(run).values,
    )


def _notes(run: Run, fields: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What a run of plain scores does not say of its rows, from its texts where it kept them."""
    columns = ["candidate", "references", "origin", "language", "reference_language", "problem"]
    recent = RecentSources()
    rows = (row for shard in run.shards(columns) for row in shard.to_pylist())
    noted = []
    for known, row in zip(fields, rows, strict=True):
        one = known
        if row["candidate"] is not None and row["problem"] is None:
            origin, language = row["origin"], row["language"]
            texts = RowTexts(
                Source(row["candidate"], language),
                tuple(recent.get((text, row["reference_language"])) for text in row["references"]),
                None if origin is None else recent.get((origin, language)),
            )
            with suppress(CodekinError):  # what cannot be parsed is the same as nothing
                one = {**one, **Edits().notes(texts)}
        noted.append(one)
    return noted


@dataclass(frozen=True)
class NumberedScores:
    """The scores of a run, with the places of its rows in the input."""

    numbers: npt.NDArray[np.int64]
    values: Mapping[str, Floats]


def scores_of(run: Run) -> NumberedScores:
    """The scores by every measure of a run."""
    columns = read_scores(run)
    return NumberedScores(
        run.table(["row"]).column("row").to_numpy(),
        {one.measure.label: one.values for one in columns},
    )
