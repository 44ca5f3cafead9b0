"""Scoring every pair of many texts, in several processes where there is much to do."""

from __future__ import annotations

import contextlib
import math
import os
import pickle
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from codekin.errors import CodekinError
from codekin.measures import Measure
from codekin.measures.pairwise import PairScores, directed_scores, score_row
from codekin.runs.children import ChildPool, ChildProcess
from codekin.runs.executors import available_cores
from codekin.runs.worker import read_message, write_message
from codekin.source import Source

__all__ = ["Told", "comparable_scores", "score_pairs"]

Floats = npt.NDArray[np.float64]
Told = Callable[[int, int], None]
"""Is told of pairs that are done, and of how many."""

_COMMAND = "from codekin.groups.pair_scoring import main; main()"
_MUCH = 20_000_000
"""From so many characters on, over all pairs, processes are worth the second they take to start."""
_PATIENCE = 2.0
"""Seconds after which processes are worth starting for the rest, however little it seemed to be."""


def score_pairs(
    measure: Measure,
    sources: Sequence[Source],
    origin: Source | None = None,
    workers: int | None = None,
    *,
    told: Told | None = None,
) -> PairScores:
    """The scores of all pairs, as :func:`~codekin.measures.pairwise.directed_scores` gives them.

    Parameters
    ----------
    measure : Measure
    sources : sequence of Source
    origin : Source, optional
    workers : int, optional
        How many processes; one a core by default where there is much to do, and 0 for none
        besides this one. The scores are the same.
    told : callable, optional
        Is told of the pairs that are done, where they are scored one after the other.
    """

    def one_by_one(
        measure: Measure, distinct: Sequence[Source], origin: Source | None
    ) -> PairScores:
        job = _Job(measure, distinct, origin)
        rows = dict(_counted(_rows(job, workers), len(distinct), told))
        return PairScores.of_rows([rows[row] for row in range(1, len(distinct))])

    return directed_scores(measure, sources, origin, one_by_one=one_by_one)


def comparable_scores(
    measure: Measure,
    sources: Mapping[str, Source],
    origin: Source | None = None,
    workers: int | None = None,
    *,
    told: Told | None = None,
) -> tuple[list[str], PairScores, dict[str, str]]:
    """The sources that can be scored with all others, their scores, and why others cannot.

    A source that cannot even be compared with itself is at fault; of others, always the one
    that could be compared with the fewest is left out, until every pair has a score.
    """
    failed: dict[str, str] = {}
    for name, source in sources.items():
        if (reason := _why_not(measure, source, source, origin)) is not None:
            failed[name] = reason
    names = [name for name in sources if name not in failed]
    scores = score_pairs(measure, [sources[name] for name in names], origin, workers, told=told)
    missing = np.isnan(scores.values) | np.isnan(scores.values.T)
    kept = np.arange(len(names))
    while (holes := missing[np.ix_(kept, kept)]).any():
        worst = int(holes.sum(axis=1).argmax())
        name, partner = names[kept[worst]], names[kept[int(holes[worst].argmax())]]
        reason = (
            _why_not(measure, sources[name], sources[partner], origin)
            or _why_not(measure, sources[partner], sources[name], origin)
            or "the score is no number"
        )
        failed[name] = f"cannot be compared with {partner}: {reason}"
        kept = np.delete(kept, worst)
    if len(kept) < len(names):
        scores = scores.taken(kept)
    return [names[place] for place in kept], scores, failed


def _why_not(measure: Measure, one: Source, other: Source, origin: Source | None) -> str | None:
    """What the measure has to say against a pair; None if nothing."""
    try:
        value = measure.score(one, other, origin).value
    except CodekinError as error:
        return str(error)
    return None if math.isfinite(value) else f"its score is {value}"


def _rows(job: _Job, workers: int | None) -> Iterator[tuple[int, Floats]]:
    """The rows of the matrix with their numbers, in any order."""
    rows = list(range(1, len(job.sources)))
    cores = available_cores() if workers is None else workers
    packed = _packed(job) if cores > 1 and rows else None
    much = workers is not None or _characters(job.sources) >= _MUCH
    if packed is None or not much:
        began = time.monotonic()
        while rows and (packed is None or time.monotonic() - began < _PATIENCE):
            row = rows.pop(0)
            yield row, score_row(job.measure, job.sources, job.origin, row)
    if packed is not None and rows:
        with _Processes(packed) as processes:
            # Long rows first, so that none is left for one process alone at the end.
            yield from processes.scores(rows[::-1], cores)


def _characters(sources: Sequence[Source]) -> int:
    return len(sources) * sum(len(source.text) for source in sources) // 2


def _counted(
    rows: Iterable[tuple[int, Floats]], texts: int, told: Told | None
) -> Iterator[tuple[int, Floats]]:
    done, pairs = 0, texts * (texts - 1) // 2
    for row, found in rows:
        done += row
        if told is not None:
            told(done, pairs)
        yield row, found


@dataclass(frozen=True)
class _Job:
    """All that a process must know."""

    measure: Measure
    sources: Sequence[Source]
    origin: Source | None


def _packed(job: _Job) -> bytes | None:
    """The job as bytes that another process can read; None where it could not."""
    if type(job.measure).__module__ == "__main__":
        return None
    try:
        return pickle.dumps(job)
    except (pickle.PicklingError, AttributeError, TypeError):
        return None


class _Process(ChildProcess):
    def __init__(self, job: bytes) -> None:
        super().__init__(_COMMAND)
        self._job: bytes | None = job

    def row(self, row: int) -> Floats:
        """The scores of one text with those before it."""
        try:
            write_message(self.inward, (self._job, row))
            self._job = None
            answer = read_message(self.outward)
        except (EOFError, BrokenPipeError):
            code = self._process.wait()
            raise CodekinError(
                f"a process that compared texts died (exit code {code}); with workers=0 all are "
                "compared in this one"
            ) from None
        if isinstance(answer, str):
            raise CodekinError(
                f"texts cannot be compared in another process: {answer}. A measure of your own "
                "must be importable there; with workers=0 all are compared in this one"
            )
        scores: Floats = answer
        return scores


class _Processes(ChildPool[_Process]):
    """Processes that score rows of the matrix; they end with the block."""

    def __init__(self, job: bytes) -> None:
        super().__init__(lambda: _Process(job), "the comparison of texts was stopped")

    def __enter__(self) -> _Processes:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def scores(self, rows: Sequence[int], workers: int) -> Iterator[tuple[int, Floats]]:
        with ThreadPoolExecutor(workers, thread_name_prefix="codekin") as threads:
            yield from zip(rows, threads.map(self._row, rows), strict=True)

    def _row(self, row: int) -> Floats:
        process = self.take()
        try:
            found = process.row(row)
        except BaseException:
            self.discard(process)
            raise
        self.give(process)
        return found


def main() -> None:
    """Score rows until the parent is gone; what runs in the other process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the parent, which decides
    inward, outward = os.fdopen(0, "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a measure that prints must not print into the messages
    job: _Job | str = ""
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            data, row = read_message(inward)
            if data is not None:
                job = _unpacked(data)
            answer: Floats | str = (
                job
                if isinstance(job, str)
                else score_row(job.measure, job.sources, job.origin, row)
            )
            write_message(outward, answer)


def _unpacked(data: bytes) -> _Job | str:
    try:
        job: _Job = pickle.loads(data)
    except Exception as error:  # whatever a module of others does when it is imported
        return str(error)
    return job
