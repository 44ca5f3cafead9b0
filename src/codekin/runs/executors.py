"""Where shards are scored: here, in processes of this machine, on a Dask cluster, or elsewhere."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from codekin.errors import CodekinError
from codekin.runs.rows import Shard
from codekin.runs.settings import Settings
from codekin.runs.shard_scoring import ScoredShard, ShardScorer, scoring_work
from codekin.runs.workers import Work, WorkerPool, available_cores, run_here, without_ctrl_c

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["Backend", "BackendLostError", "backend_for", "dask_client"]


@dataclass(frozen=True)
class Backend:
    """Somewhere to score shards.

    Attributes
    ----------
    submit : callable
        Takes a shard and returns the future of the scored shard.
    capacity : callable
        How many shards it works on at a time, now.
    problem : callable
        Why it is not working now, for people, or None; a BackendLostError if it never will again.
    """

    submit: Callable[[Shard], Future[ScoredShard]]
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
    if executor is not None:
        if workers is not None:
            raise CodekinError("score: give either workers or an executor, not both")
        yield _given_backend(scoring_work(settings), executor)
    elif workers == 0:
        scorer = ShardScorer(settings)
        yield Backend(lambda shard: _done(scorer(shard)), lambda: 1)
    else:
        if workers is not None and (not isinstance(workers, int) or workers is True or workers < 0):
            raise CodekinError(f"score: workers must be a number from 0, not {workers!r}")
        count = workers or available_cores()
        work = scoring_work(settings)
        with WorkerPool(count) as pool:
            yield Backend(lambda shard: pool.submit(work, shard), lambda: count)


def _given_backend(work: Work, executor: Any) -> Backend:
    if hasattr(executor, "get_executor"):  # a Dask client
        return _DaskCluster(executor, work).backend()
    if not callable(getattr(executor, "submit", None)):
        raise CodekinError(
            f"score: executor must be a concurrent.futures.Executor or a Dask client, not "
            f"{type(executor).__name__}"
        )
    return Backend(
        lambda shard: executor.submit(run_here, work, shard),
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

    def _submit(self, shard: Shard) -> Future[ScoredShard]:
        self._refuse_closed()
        try:
            future: Future[ScoredShard] = self._pool.submit(run_here, self._work, shard)
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


def _done(scored: ScoredShard) -> Future[ScoredShard]:
    future: Future[ScoredShard] = Future()
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
