"""Where shards are scored: here, in processes of this machine, on a Dask cluster, or elsewhere."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from codekin.errors import CodekinError
from codekin.runs.children import without_ctrl_c
from codekin.runs.processes import Packed, Processes, packed, score_here
from codekin.runs.rows import Shard
from codekin.runs.settings import Settings
from codekin.runs.shard_scoring import RecentSources, ScoredShard, score_shard

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["Place", "PlaceLostError", "available_cores", "dask_client", "place_for"]


@dataclass(frozen=True)
class Place:
    """Somewhere to score shards.

    Attributes
    ----------
    submit : callable
        Takes a shard and gives the future of the scored shard.
    room : callable
        How many shards it works on at a time, now.
    trouble : callable
        Why it is not working now, for people, or None; a PlaceLostError where it never will again.
    """

    submit: Callable[[Shard], Future[ScoredShard]]
    room: Callable[[], int]
    trouble: Callable[[], str | None] = lambda: None


class PlaceLostError(Exception):
    """A place to score shards is gone; the message says which and why."""


def available_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def place_for(
    settings: Settings, workers: int | None, executor: Executor | Client | None
) -> Iterator[Place]:
    """The place that a job was asked to run at; what was started for it ends with it.

    Parameters
    ----------
    settings : Settings
    workers : int, optional
        How many processes; one a core by default, and 0 for none besides this one.
    executor : Executor or distributed.Client, optional
        In place of processes of this machine.
    """
    if executor is not None:
        if workers is not None:
            raise CodekinError("score: give either workers or an executor, not both")
        yield _given_place(settings, executor)
    elif workers == 0:
        recent = RecentSources()
        yield Place(lambda shard: _done(score_shard(shard, settings, recent=recent)), lambda: 1)
    else:
        if workers is not None and (not isinstance(workers, int) or workers is True or workers < 0):
            raise CodekinError(f"score: workers must be a number from 0, not {workers!r}")
        with _process_place(settings, workers or available_cores()) as place:
            yield place


@contextmanager
def _process_place(settings: Settings, workers: int) -> Iterator[Place]:
    """A thread a process: the thread waits, the process works, and may be replaced."""
    blob = packed(settings)
    processes = Processes()
    threads = ThreadPoolExecutor(workers, thread_name_prefix="codekin")
    try:
        yield Place(lambda shard: threads.submit(processes.score, blob, shard), lambda: workers)
    finally:
        processes.close()
        threads.shutdown(wait=True, cancel_futures=True)


def _given_place(settings: Settings, executor: Any) -> Place:
    blob = packed(settings)
    if hasattr(executor, "get_executor"):  # a Dask client
        return _DaskCluster(executor, blob).place()
    if callable(getattr(executor, "submit", None)):
        pool = executor
        room = lambda: int(getattr(executor, "_max_workers", 0)) or available_cores()  # noqa: E731
    else:
        raise CodekinError(
            f"score: executor must be a concurrent.futures.Executor or a Dask client, not "
            f"{type(executor).__name__}"
        )
    return Place(lambda shard: pool.submit(score_here, blob, shard), room)


class _DaskCluster:
    """The cluster of a Dask client, whose scheduler may be lost and whose workers come and go."""

    def __init__(self, client: Any, settings: Packed) -> None:
        self._client = client
        self._settings = settings
        # Not pure: a shard that was lost with its worker must be run again, not looked up.
        self._pool = client.get_executor(pure=False)
        self._cores = 1
        self._address = client.scheduler.address if client.scheduler else "an unknown address"

    def place(self) -> Place:
        return Place(self._submit, self._room, self._trouble)

    def _submit(self, shard: Shard) -> Future[ScoredShard]:
        self._refuse_closed()
        try:
            future: Future[ScoredShard] = self._pool.submit(score_here, self._settings, shard)
        except Exception as error:
            self._refuse_closed()
            raise PlaceLostError(self._lost(f"{type(error).__name__}: {error}")) from None
        return future

    def _room(self) -> int:
        # While the connection is lost, what was known before; the shards say whether it comes back.
        with suppress(OSError):
            self._cores = max(1, sum(self._client.ncores().values()))
        return self._cores

    def _trouble(self) -> str | None:
        self._refuse_closed()
        try:
            if self._client.ncores():
                return None
        except OSError:
            self._refuse_closed()
            return f"the Dask scheduler at {self._address} does not answer; waiting for it"
        return f"the Dask scheduler at {self._address} has no workers; waiting for one to connect"

    def _refuse_closed(self) -> None:
        """The client closes itself when it has waited for its scheduler for too long."""
        if self._client.status in ("closing", "closed"):
            raise PlaceLostError(self._lost("the connection was closed"))

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
        logging.getLogger("distributed.client").setLevel(
            logging.CRITICAL
        )  # a lost one is said here
        client = Client(where, timeout=10)
    except (OSError, ValueError) as error:
        raise CodekinError(
            f"--dask {where}: no scheduler answers there ({error}); give 'local' or an address "
            "such as tcp://host:8786"
        ) from None
    with client:
        yield client
