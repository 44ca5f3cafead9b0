"""Where work is done: in processes of this machine, on a Dask cluster, or elsewhere."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from concurrent.futures import TimeoutError as StillWorking
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from codekin.errors import CodekinError
from codekin.runs.workers import (
    Work,
    WorkerPool,
    WorkError,
    available_cores,
    run_here,
    without_ctrl_c,
)

if TYPE_CHECKING:
    from distributed import Client

    from codekin.runs.settings import Settings

__all__ = [
    "Backend",
    "BackendLostError",
    "backend_for",
    "dask_client",
    "results_in_order",
    "work_backend",
]

_LOSSES = 3
"""How often an item may be lost, for example with a worker of a cluster."""
_LOOK_SECONDS, _PATIENCE_SECONDS = 5.0, 60.0
"""How often to ask a backend that does not answer for its problem, and when to give up."""
_Item = TypeVar("_Item")


@dataclass(frozen=True)
class Backend:
    """Somewhere to work on items, such as shards to score.

    Attributes
    ----------
    submit : callable
        Takes an item and returns the future of its result, such as a scored shard.
    capacity : callable
        How many items it works on at a time, now.
    problem : callable
        Why it is not working now, for people, or None; a BackendLostError if it never will again.
    """

    submit: Callable[[Any], Future[Any]]
    capacity: Callable[[], int]
    problem: Callable[[], str | None] = lambda: None


class BackendLostError(Exception):
    """A backend is gone; the message says which and why."""


@contextmanager
def backend_for(
    settings: Settings, workers: int | None, executor: Executor | Client | None
) -> Iterator[Backend]:
    """Where a job is to run; what is started for it ends with the block.

    Parameters
    ----------
    settings : Settings
    workers : int, optional
        Worker processes (default: one per core); 0 scores in this process.
    executor : Executor or distributed.Client, optional
        In place of workers of this machine.
    """
    # Not needed to read code, and slow to load.
    from codekin.runs.shard_scoring import ShardScorer, scoring_work

    if executor is not None:
        if workers is not None:
            raise CodekinError("score: give either workers or an executor, not both")
        with work_backend(scoring_work(settings), None, executor) as backend:
            yield backend
    elif workers == 0:
        scorer = ShardScorer(settings)
        yield Backend(lambda shard: _done(scorer(shard)), lambda: 1)
    else:
        if workers is not None and (not isinstance(workers, int) or workers is True or workers < 0):
            raise CodekinError(f"score: workers must be a number from 0, not {workers!r}")
        with work_backend(scoring_work(settings), workers, None) as backend:
            yield backend


@contextmanager
def work_backend(
    work: Work, workers: int | None, executor: Executor | Client | None
) -> Iterator[Backend]:
    """Where items are worked on outside of this process; what is started ends with the block.

    Parameters
    ----------
    work : Work
    workers : int, optional
        Worker processes (default: one per core).
    executor : Executor or distributed.Client, optional
        In place of workers of this machine.
    """
    if executor is not None:
        yield _given_backend(work, executor)
        return
    count = workers or available_cores()
    with WorkerPool(count) as pool:
        yield Backend(lambda item: pool.submit(work, item), lambda: count)


def results_in_order(backend: Backend, items: Iterable[_Item]) -> Iterator[tuple[_Item, Any]]:
    """Each item with its result, in their order whichever is done first; a few are read ahead.

    Raises
    ------
    CodekinError
        If an item is lost again and again, or the backend does not answer for a minute.
    WorkError
        If workers cannot do the work at all.
    """
    waiting: deque[tuple[_Item, Future[Any]]] = deque()
    try:
        for item in items:
            waiting.append((item, backend.submit(item)))
            if len(waiting) > 2 * backend.capacity():
                first, future = waiting.popleft()
                yield first, _result(backend, first, future)
        while waiting:
            first, future = waiting.popleft()
            yield first, _result(backend, first, future)
    except BackendLostError as error:
        raise CodekinError(f"{error}; run the command again") from None
    finally:
        for _, future in waiting:  # or an executor of the caller would still run it
            future.cancel()


def _result(backend: Backend, item: object, future: Future[Any]) -> Any:
    """The result of an item, which is submitted again if it is lost."""
    losses = 0
    while True:
        try:
            return _awaited(backend, future)
        except (CodekinError, WorkError, BackendLostError):
            raise
        except BrokenExecutor as error:
            raise CodekinError(f"the executor broke ({error or type(error).__name__})") from None
        except (Exception, CancelledError) as error:
            losses += 1
            if losses >= _LOSSES:
                raise CodekinError(
                    f"work was lost {losses} times ({type(error).__name__}: {error})"
                ) from error
            future = backend.submit(item)


def _awaited(backend: Backend, future: Future[Any]) -> Any:
    since: float | None = None
    while True:
        try:
            return future.result(timeout=_LOOK_SECONDS)
        except StillWorking:
            if future.done():
                raise
            problem = backend.problem()
            if problem is None:
                since = None
                continue
            since = since or time.monotonic()
            if time.monotonic() - since > _PATIENCE_SECONDS:
                raise CodekinError(problem.removesuffix("; waiting for it")) from None


def _given_backend(work: Work, executor: Any) -> Backend:
    if hasattr(executor, "get_executor"):  # a Dask client
        return _DaskCluster(executor, work).backend()
    if not callable(getattr(executor, "submit", None)):
        raise CodekinError(
            f"executor must be a concurrent.futures.Executor or a Dask client, not "
            f"{type(executor).__name__}"
        )
    return Backend(
        lambda item: executor.submit(run_here, work, item),
        lambda: int(getattr(executor, "_max_workers", 0)) or available_cores(),
    )


_UNREACHABLE = (OSError, RuntimeError)
"""What a Dask client raises without its scheduler; RuntimeError while it closes its connections."""


class _DaskCluster:
    """The cluster of a Dask client, whose scheduler may be lost and whose workers come and go."""

    def __init__(self, client: Any, work: Work) -> None:
        self._client = client
        self._work = work
        # Not pure: a shard that was lost with its worker must be run again, not looked up.
        self._pool = client.get_executor(pure=False)
        self._cores = 1
        self._address = client.scheduler.address if client.scheduler else "an unknown address"

    def backend(self) -> Backend:
        return Backend(self._submit, self._capacity, self._problem)

    def _submit(self, item: Any) -> Future[Any]:
        self._refuse_closed()
        try:
            future: Future[Any] = self._pool.submit(run_here, self._work, item)
        except Exception as error:
            self._refuse_closed()
            raise BackendLostError(self._lost(f"{type(error).__name__}: {error}")) from None
        return future

    def _capacity(self) -> int:
        # While the connection is lost, what was known before; the shards say whether it comes back.
        with suppress(*_UNREACHABLE):
            self._cores = max(1, sum(self._client.ncores().values()))
        return self._cores

    def _problem(self) -> str | None:
        self._refuse_closed()
        try:
            if self._client.ncores():
                return None
        except _UNREACHABLE:
            self._refuse_closed()
            return f"the Dask scheduler at {self._address} does not answer; waiting for it"
        return f"the Dask scheduler at {self._address} has no workers; waiting for one to connect"

    def _refuse_closed(self) -> None:
        """The client closes itself when it has waited for its scheduler for too long."""
        if self._client.status in ("closing", "closed"):
            raise BackendLostError(self._lost("the connection was closed"))

    def _lost(self, why: str) -> str:
        return f"the Dask scheduler at {self._address} is lost ({why})"


def _done(scored: object) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_result(scored)
    return future


@contextmanager
def dask_client(where: str, workers: int | None) -> Iterator[Client]:
    """A client of the cluster at an address, or of one on this machine.

    Parameters
    ----------
    where : str
        ``local``, or an address such as ``tcp://host:8786``.
    workers : int, optional
        How many workers a local cluster has.
    """
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise CodekinError("Dask is not installed: pip install codekin[dask]") from None
    if where == "local":
        from multiprocessing import resource_tracker

        resource_tracker.ensure_running()  # which would unblock Ctrl-C where it is started
        cluster = None
        try:
            with without_ctrl_c():  # or its processes would each have a word to say about it
                cluster = LocalCluster(
                    n_workers=workers or available_cores(),
                    threads_per_worker=1,
                    # Dask has no passwords; whoever reaches its sockets can run code here.
                    host="127.0.0.1",
                    dashboard_address="127.0.0.1:0",
                    worker_dashboard_address="127.0.0.1:0",
                    silence_logs=logging.CRITICAL,
                )
            with Client(cluster) as client:
                yield client
        finally:
            if cluster is not None:
                cluster.close()
        return
    if workers is not None:
        raise CodekinError(f"--workers: the cluster at {where} has its own; leave it out")
    try:
        # A lost scheduler is reported by the job.
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
        client = Client(where, timeout=10)
    except (OSError, ValueError) as error:
        raise CodekinError(
            f"--dask {where}: no scheduler answers there ({error}); give 'local' or an address "
            "such as tcp://host:8786"
        ) from None
    with client:
        yield client
