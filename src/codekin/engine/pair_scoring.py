"""Scoring every pair of many texts, in several processes where there is much to do."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from codekin.engine.children import ChildPool, ChildProcess
from codekin.engine.executors import available_cores
from codekin.engine.worker import read_message, write_message
from codekin.errors import CodekinError
from codekin.measures import Measure
from codekin.measures.pairwise import pairwise_scores, score_row, scores_one_by_one
from codekin.source import Source

__all__ = ["score_pairs"]

Floats = npt.NDArray[np.float64]

_COMMAND = "from codekin.engine.pair_scoring import main; main()"
_MUCH = 20_000_000
"""From so many characters on, over all pairs, processes are worth the second they take to start."""


def score_pairs(
    measure: Measure, sources: Sequence[Source], origin: Source, workers: int | None = None
) -> Floats:
    """The scores of all pairs, as :func:`~codekin.measures.pairwise.pairwise_scores` gives them.

    Parameters
    ----------
    measure : Measure
    sources : sequence of Source
    origin : Source
    workers : int, optional
        How many processes; one a core by default where there is much to do, and 0 for none
        besides this one. The scores are the same.
    """
    if workers is None:
        characters = len(sources) * sum(len(source.text) for source in sources) // 2
        workers = available_cores() if characters >= _MUCH else 0
    count = workers

    def by_processes(measure: Measure, distinct: Sequence[Source], origin: Source | None) -> Floats:
        job = _packed(measure, distinct, origin) if count > 1 else None
        if job is None:
            return scores_one_by_one(measure, distinct, origin)
        with _Processes(job) as processes:
            return processes.scores(len(distinct), count)

    return pairwise_scores(measure, sources, origin, one_by_one=by_processes)


@dataclass(frozen=True)
class _Job:
    """All that a process must know."""

    measure: Measure
    sources: Sequence[Source]
    origin: Source | None


def _packed(measure: Measure, sources: Sequence[Source], origin: Source | None) -> bytes | None:
    """The job as bytes that another process can read; None where it could not."""
    if type(measure).__module__ == "__main__":
        return None
    try:
        return pickle.dumps(_Job(measure, sources, origin))
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
        super().__init__(lambda: _Process(job), "cluster: it was stopped")

    def __enter__(self) -> _Processes:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def scores(self, texts: int, workers: int) -> Floats:
        scores = np.zeros((texts, texts))
        with ThreadPoolExecutor(workers, thread_name_prefix="codekin") as threads:
            # Long rows first, so that none is left for one process alone at the end.
            rows = range(texts - 1, 0, -1)
            for row, found in zip(rows, threads.map(self._row, rows), strict=True):
                scores[row, :row] = scores[:row, row] = found
        return scores

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
