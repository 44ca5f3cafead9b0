"""Rows explained by worker processes: every core works, and a row that kills one is recorded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from codekin.errors import CodekinError
from codekin.measures import Measure
from codekin.report.explanations import explain_row, lost_row
from codekin.runs.workers import (
    CannotSendError,
    Death,
    Marker,
    Work,
    WorkerPool,
    WorkError,
    available_cores,
)

__all__ = ["Explainers", "RowExplainer", "workers_for"]

RunRow = Mapping[str, Any]
Explanation = dict[str, Any]
Measures = Mapping[str, Measure | None]

_FEW = 100
"""Rows that are explained in this process sooner than a worker would have started."""
_BATCH = 20
_SECONDS = 120
_CHARACTERS = 100_000
"""A row may take `_SECONDS` of processor time, and as much again per `_CHARACTERS` of its texts."""


def workers_for(rows: int, workers: int | None) -> int:
    """How many workers explain the rows, where `workers` were asked for; 0 for this process."""
    if workers is None:
        return available_cores() if rows > _FEW else 0
    if isinstance(workers, bool) or workers < 0:
        raise CodekinError(f"report: workers must be a number from 0, not {workers!r}")
    return workers


class RowExplainer:
    """Explains batches of rows by the measures of a run."""

    def __init__(self, measures: Measures) -> None:
        self._measures = measures

    def work(self) -> Work | None:
        """The same in workers; None where the measures cannot be sent to them."""
        name = f"{RowExplainer.__module__}:{RowExplainer.__qualname__}"
        try:
            return Work.of(name, dict(self._measures), self._measures.values())
        except CannotSendError:
            return None

    def explain(self, rows: Iterable[RunRow]) -> Iterator[Explanation]:
        """The explanations of rows, by this process."""
        return (explain_row(row, self._measures) for row in rows)

    def __call__(
        self, rows: list[RunRow], lost: Mapping[int, Death], mark: Marker
    ) -> list[Explanation]:
        """Explain a batch in a worker; see :class:`~codekin.runs.workers.Work`."""
        explanations = []
        for i, row in enumerate(rows):
            if i in lost:
                explanations.append(lost_row(row, self._measures, _why_lost(lost[i])))
                continue
            length = sum(map(len, (row["candidate"], *row["references"], row["origin"] or "")))
            mark(i, _SECONDS * (1 + length // _CHARACTERS))
            explanations.append(explain_row(row, self._measures))
        return explanations


class Explainers:
    """Workers that explain rows; they end with the block.

    Parameters
    ----------
    workers : int
        How many; with 0 this process explains the rows itself, and a row may crash it.
    """

    def __init__(self, workers: int) -> None:
        self._pool = WorkerPool(workers) if workers else None

    def __enter__(self) -> Explainers:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.close()

    def explain(self, rows: Iterable[RunRow], measures: Measures) -> Iterator[Explanation]:
        """Explain rows, in their order whichever is done first; a few batches are read ahead.

        Parameters
        ----------
        rows : iterable of mapping
            Rows of a run, with their texts.
        measures : mapping of str to (Measure or None)
            By label, as :func:`~codekin.report.explanations.explain_row` takes them.
        """
        explainer = RowExplainer(measures)
        work = None if self._pool is None else explainer.work()
        if self._pool is None or work is None:
            yield from explainer.explain(rows)
            return
        remaining = iter(rows)
        batches = iter(lambda: list(islice(remaining, _BATCH)), [])
        for batch, future in self._pool.map(work, batches):
            try:
                yield from future.result()
            except WorkError:  # the workers cannot load a measure that this process has
                yield from explainer.explain(batch)


def _why_lost(death: Death) -> str:
    if death.late:
        return "it took too long"
    return f"the process that should give it died ({death.manner})"
