"""Rows explained in other processes: every core works, and a row that kills one is said so."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import Any, cast

from codekin.errors import CodekinError
from codekin.measures import Measure
from codekin.report.explanations import explain_row, lost_row
from codekin.runs.children import ChildPool, ChildProcess
from codekin.runs.executors import available_cores
from codekin.runs.worker import read_message, write_message

__all__ = ["Explainers", "main", "workers_for"]

Row = Mapping[str, Any]
Told = dict[str, Any]
Measures = Mapping[str, Measure | None]

_COMMAND = "from codekin.report.explaining import main; main()"
_FEW = 100
"""So many rows are explained here sooner than another process would have started."""
_BATCH = 20
_TRIES = 2
"""So many processes may die of a row before it goes unexplained."""
_SECONDS = 120
_CHARACTERS = 100_000
"""A row has so many seconds of processor time for every so many characters, begun ones too."""


def workers_for(rows: int, workers: int | None) -> int:
    """How many processes explain so many rows, where `workers` were asked for; 0 for this one."""
    if workers is None:
        return available_cores() if rows > _FEW else 0
    if isinstance(workers, bool) or workers < 0:
        raise CodekinError(f"report: workers must be a number from 0, not {workers!r}")
    return workers


class _DiedError(Exception):
    """A process ended before it had explained its rows."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class _Process(ChildProcess):
    """One process, and which measures it has been told of."""

    def __init__(self) -> None:
        super().__init__(_COMMAND)
        self._knows: bytes | None = None

    def explain(self, measures: bytes, rows: list[Row]) -> Iterator[object]:
        """What it says of each row, as soon as it does."""
        try:
            news = None if self._knows == measures else measures
            write_message(self.inward, (news, rows))
            self._knows = measures
            for _ in rows:
                yield read_message(self.outward)
        except (EOFError, BrokenPipeError):
            raise _DiedError(self._process.wait()) from None


class Explainers(ChildPool[_Process]):
    """Processes that explain rows, a thread each; they end with the block.

    Parameters
    ----------
    workers : int
        How many; with 0 this process explains the rows itself, and dies of what it dies of.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._threads = ThreadPoolExecutor(max(1, workers), thread_name_prefix="codekin")
        super().__init__(_Process, "report: it was stopped")

    def __enter__(self) -> Explainers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        self._threads.shutdown(wait=True, cancel_futures=True)

    def explain(self, rows: Iterable[Row], measures: Measures) -> Iterator[Told]:
        """Explain rows, in their order whoever is done first; a few batches are under way.

        Parameters
        ----------
        rows : iterable of mapping
            Rows of a run, with their texts.
        measures : mapping of str to (Measure or None)
            By label, as :func:`~codekin.report.explanations.explain_row` takes them.
        """
        data = _packed(measures) if self._workers else None
        if data is None:
            yield from (explain_row(row, measures) for row in rows)
            return
        waiting: deque[Future[list[Told]]] = deque()
        given = iter(rows)
        while batch := list(islice(given, _BATCH)):
            waiting.append(self._threads.submit(self._batch, data, batch, measures))
            if len(waiting) > 2 * self._workers:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()

    def _batch(self, data: bytes, rows: list[Row], measures: Measures) -> list[Told]:
        told: list[Told] = []
        tries = 0
        while len(told) < len(rows):
            process = self.take()
            before = len(told)
            try:
                for one in process.explain(data, rows[before:]):
                    if not isinstance(one, dict):  # it cannot have these measures, we can
                        return told + [explain_row(row, measures) for row in rows[len(told) :]]
                    told.append(one)
            except _DiedError as death:
                self.discard(process)
                tries = tries + 1 if len(told) == before else 1
                if tries >= _TRIES or death.code == -signal.SIGPROF:
                    told.append(lost_row(rows[len(told)], measures, _manner(death.code)))
                    tries = 0
            except BaseException:
                self.discard(process)
                raise
            else:
                self.give(process)
        return told


def _packed(measures: Measures) -> bytes | None:
    """The measures as bytes that another process can read; None where it could not."""
    if any(type(one).__module__ == "__main__" for one in measures.values()):
        return None
    try:
        return pickle.dumps(dict(measures))
    except (pickle.PicklingError, AttributeError, TypeError):
        return None


def _manner(code: int) -> str:
    if code == -signal.SIGPROF:
        return "it took too long"
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    return f"the process that should give it died ({how})"


def main() -> None:
    """Explain rows until the parent is gone; what runs in the other process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the parent, which decides
    inward, outward = os.fdopen(0, "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a measure that prints must not print into the messages
    measures: Measures | str = {}
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            data, rows = read_message(inward)
            if data is not None:
                measures = _unpacked(data)
            for row in rows:
                write_message(outward, _answer(row, measures))


def _unpacked(data: bytes) -> Measures | str:
    try:
        return cast(Measures, pickle.loads(data))
    except Exception as error:  # whatever a module of others does when it is imported
        return str(error)


def _answer(row: Row, measures: Measures | str) -> object:
    """The explanation, or a text where there are no measures to give it.

    A signal without a handler ends what takes too long, for what goes in circles inside a parser
    hears nothing gentler. Processor time, because a busy machine is no fault of the row.
    """
    if isinstance(measures, str):
        return measures
    length = sum(map(len, (row["candidate"], *row["references"], row["origin"] or "")))
    signal.setitimer(signal.ITIMER_PROF, _SECONDS * (1 + length // _CHARACTERS))
    told = explain_row(row, measures)
    signal.setitimer(signal.ITIMER_PROF, 0)
    return told
