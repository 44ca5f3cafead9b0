"""Scoring of all pairs of many texts, in worker processes if there is much to do."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from codekin.errors import CodekinError
from codekin.measures import Measure
from codekin.measures.pairwise import PairScores, directed_scores, score_row
from codekin.runs.workers import (
    TRIES,
    CannotSendError,
    Death,
    Marker,
    Work,
    WorkerPool,
    WorkError,
    available_cores,
)
from codekin.source import Source

__all__ = ["PairProgress", "PairScorer", "comparable_scores", "score_pairs"]

Floats = npt.NDArray[np.float64]
PairProgress = Callable[[int, int], None]
"""Called with the number of scored pairs and of all pairs."""

_MIN_CHARACTERS = 20_000_000
"""Characters over all pairs above which workers are worth the second that they take to start."""
_MAX_SECONDS_ALONE = 2.0
"""Seconds after which workers are started for the rest, however little work was expected."""


def score_pairs(
    measure: Measure,
    sources: Sequence[Source],
    origin: Source | None = None,
    workers: int | None = None,
    *,
    report: PairProgress | None = None,
) -> PairScores:
    """Score all pairs, as :func:`~codekin.measures.pairwise.directed_scores` does.

    Parameters
    ----------
    measure : Measure
    sources : sequence of Source
    origin : Source, optional
    workers : int, optional
        Worker processes (default: one per core if there is much to do); 0 scores in this process.
        The scores are the same.
    report : callable, optional
        Called with the progress, if pairs are scored one at a time.
    """

    def one_by_one(
        measure: Measure, distinct: Sequence[Source], origin: Source | None
    ) -> PairScores:
        scorer = PairScorer((measure, distinct, origin))
        rows = dict(_counted(_rows(scorer, workers), len(distinct), report))
        return PairScores.of_rows([rows[row] for row in range(1, len(distinct))])

    return directed_scores(measure, sources, origin, one_by_one=one_by_one)


def comparable_scores(
    measure: Measure,
    sources: Mapping[str, Source],
    origin: Source | None = None,
    workers: int | None = None,
    *,
    report: PairProgress | None = None,
) -> tuple[list[str], PairScores, dict[str, str]]:
    """The sources that can be scored with all others, their scores, and why the rest cannot.

    Sources that cannot even be compared with themselves are left out; then the one with the most
    missing scores is left out repeatedly, until every pair has a score.
    """
    failed: dict[str, str] = {}
    for name, source in sources.items():
        if (reason := _why_not(measure, source, source, origin)) is not None:
            failed[name] = reason
    names = [name for name in sources if name not in failed]
    scores = score_pairs(measure, [sources[name] for name in names], origin, workers, report=report)
    missing = np.isnan(scores.values) | np.isnan(scores.values.T)
    kept = np.arange(len(names))
    while (holes := missing[np.ix_(kept, kept)]).any():
        worst = int(holes.sum(axis=1).argmax())
        name, partner = names[kept[worst]], names[kept[int(holes[worst].argmax())]]
        reason = (
            _why_not(measure, sources[name], sources[partner], origin)
            or _why_not(measure, sources[partner], sources[name], origin)
            or "the score is not a number"
        )
        failed[name] = f"cannot be compared with {partner}: {reason}"
        kept = np.delete(kept, worst)
    if len(kept) < len(names):
        scores = scores.taken(kept)
    return [names[place] for place in kept], scores, failed


def _why_not(
    measure: Measure, candidate: Source, reference: Source, origin: Source | None
) -> str | None:
    """Why the measure cannot score a pair; None if it can."""
    try:
        value = measure.score(candidate, reference, origin).value
    except CodekinError as error:
        return str(error)
    return None if math.isfinite(value) else f"its score is {value}"


def _rows(scorer: PairScorer, workers: int | None) -> Iterator[tuple[int, Floats]]:
    """The rows of the matrix with their numbers, in any order."""
    rows = list(range(1, len(scorer.sources)))
    cores = available_cores() if workers is None else workers
    work = scorer.work() if cores > 1 and rows else None
    much = workers is not None or _characters(scorer.sources) >= _MIN_CHARACTERS
    if work is None or not much:
        began = time.monotonic()
        while rows and (work is None or time.monotonic() - began < _MAX_SECONDS_ALONE):
            row = rows.pop(0)
            yield row, scorer.row(row)
    if work is not None and rows:
        with WorkerPool(cores) as pool:
            # Long rows first, so that no worker is left alone with one at the end.
            for row, scores in pool.map(work, rows[::-1]):
                try:
                    yield row, scores.result()
                except WorkError as error:
                    raise CodekinError(
                        f"texts cannot be compared in worker processes: {error}; with workers=0 "
                        "all are compared in this process"
                    ) from None


def _characters(sources: Sequence[Source]) -> int:
    return len(sources) * sum(len(source.text) for source in sources) // 2


def _counted(
    rows: Iterable[tuple[int, Floats]], texts: int, report: PairProgress | None
) -> Iterator[tuple[int, Floats]]:
    done, pairs = 0, texts * (texts - 1) // 2
    for row, scores in rows:
        done += row
        if report is not None:
            report(done, pairs)
        yield row, scores


class PairScorer:
    """Scores rows of the matrix: one text with each of those before it."""

    def __init__(self, job: tuple[Measure, Sequence[Source], Source | None]) -> None:
        self.measure, self.sources, self.origin = job

    def work(self) -> Work | None:
        """The scorer as work for workers; None if the measure cannot be sent to them."""
        name = f"{PairScorer.__module__}:{PairScorer.__qualname__}"
        with contextlib.suppress(CannotSendError):
            return Work.of(name, (self.measure, self.sources, self.origin), [self.measure])
        return None

    def row(self, row: int) -> Floats:
        """The scores of one text with those before it."""
        return score_row(self.measure, self.sources, self.origin, row)

    def __call__(self, row: int, lost: Mapping[int, Death], mark: Marker) -> Floats:
        """Score a row in a worker; see :class:`~codekin.runs.workers.Work`."""
        for death in lost.values():
            raise CodekinError(f"a worker died ({death.manner}), {TRIES} times")
        mark(0, math.inf)
        return self.row(row)
