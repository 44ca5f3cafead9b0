from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.runs.conftest import fingerprint

from codekin import CodekinError, scan_paths, score
from codekin.runs.executors import dask_client
from codekin.scan import code_reader

if TYPE_CHECKING:
    from distributed import Client, LocalCluster

NAMES = ["bleu", "nes", "jaccard"]


@contextmanager
def local_cluster(workers: int) -> Iterator[LocalCluster]:
    from distributed import LocalCluster  # takes a while, and most tests need none of it

    with LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        dashboard_address="127.0.0.1:0",
        silence_logs=50,
    ) as cluster:
        yield cluster


def connect(address: LocalCluster | str, **options: float) -> Client:
    from distributed import Client

    return Client(address, **options)


@pytest.fixture(scope="class")
def cluster() -> Iterator[LocalCluster]:
    """One cluster for all tests of a class: its processes cost more than the tests."""
    with local_cluster(2) as started:
        yield started


class TestDask:
    def test_the_bytes_are_the_same_even_if_a_worker_is_killed(
        self, cluster, rows, tmp_path
    ) -> None:
        given = rows(300)
        score(given, NAMES, output=tmp_path / "one", workers=0, shard_rows=10)
        killed: list[int] = []

        def kill(progress) -> None:
            if progress.rows >= 100 and not killed:
                pid = next(iter(cluster.workers.values())).pid
                killed.append(pid)
                os.kill(pid, signal.SIGKILL)

        with connect(cluster) as client:
            run = score(
                given, NAMES, output=tmp_path / "dask", executor=client, shard_rows=10, report=kill
            )
            assert killed
            assert run.complete
        assert fingerprint(tmp_path / "one") == fingerprint(tmp_path / "dask")

    def test_workers_may_come_and_go(self, cluster, rows, tmp_path) -> None:
        given = rows(300)
        score(given, NAMES, output=tmp_path / "one", workers=0, shard_rows=10)
        sizes = iter([1, 3, 1])

        def scale(progress) -> None:
            if progress.rows % 100 == 0:
                cluster.scale(next(sizes, 2))

        with connect(cluster) as client:
            score(
                given, NAMES, output=tmp_path / "dask", executor=client, shard_rows=10, report=scale
            )
        assert fingerprint(tmp_path / "one") == fingerprint(tmp_path / "dask")

    def test_a_measure_that_is_not_installed_there_is_said(self, cluster, own) -> None:
        given = [{"candidate": "a", "reference": "a"}]
        with (
            connect(cluster) as client,
            pytest.raises(
                CodekinError, match=r"No module named 'own_measures'.*must be importable"
            ),
        ):
            score(given, [own.Deadly()], executor=client)


def test_waiting_without_workers_is_said(rows, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setattr("codekin.runs.job._LOOK_SECONDS", 0.1)
    score(rows(20), NAMES, output=tmp_path / "one", workers=0, shard_rows=10)
    with local_cluster(0) as cluster:
        came = threading.Timer(1.5, cluster.scale, [1])
        came.start()
        with connect(cluster) as client:
            score(rows(20), NAMES, output=tmp_path / "dask", executor=client, shard_rows=10)
        came.join()
        assert capsys.readouterr().err == (
            f"codekin: the Dask scheduler at {cluster.scheduler_address} has no workers; waiting "
            "for one to connect\n"
        )
    assert fingerprint(tmp_path / "one") == fingerprint(tmp_path / "dask")


SCHEDULER = """
import asyncio
from distributed import Scheduler

async def main():
    async with Scheduler(host="127.0.0.1", port=0, dashboard=False) as scheduler:
        print(scheduler.address, flush=True)
        await scheduler.finished()

asyncio.run(main())
"""


def test_a_lost_scheduler_is_said_with_how_to_resume(rows, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("codekin.runs.job._LOOK_SECONDS", 0.1)
    given, folder = rows(60), tmp_path / "run"
    score(given, NAMES, output=tmp_path / "one", workers=0, shard_rows=10)
    notes: list[str] = []
    command = [sys.executable, "-c", SCHEDULER]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as scheduler:
        address = scheduler.stdout.readline().strip()

        def lose(progress) -> None:
            notes.append(progress.note)
            scheduler.kill()

        with connect(address, timeout=1) as client, pytest.raises(CodekinError) as said:
            score(given, NAMES, output=folder, executor=client, shard_rows=10, report=lose)
    assert str(said.value) == (
        f"{folder}: the Dask scheduler at {address} is lost (the connection was closed); what is "
        f"scored is kept, and the run can be resumed: codekin score --resume {folder}"
    )
    assert notes[0].endswith("has no workers; waiting for one to connect")
    score(given, NAMES, output=folder, workers=0, shard_rows=10, resume=True)
    assert fingerprint(tmp_path / "one") == fingerprint(folder)


def test_rows_that_kill_do_not_kill_dask_workers(own) -> None:
    given = [{"candidate": text, "reference": text} for text in ("a", "crash", "b", "exit", "c")]
    with local_cluster(1) as cluster, connect(cluster) as client:
        before = {worker.pid for worker in cluster.workers.values()}
        run = score(given, [own.Deadly()], executor=client, shard_rows=2)
        assert {worker.pid for worker in cluster.workers.values()} == before
    assert [bool(p) for p in run.table(["problem"]).column(0).to_pylist()] == [0, 1, 0, 1, 0]


def test_a_scan_on_dask_is_the_same_even_if_a_worker_is_killed(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(code_reader, "_CHUNK_BYTES", 3_000)
    body = "\n".join(f"    total += values[{i}] * weights[{i}]" for i in range(40))
    for number in range(30):
        text = f"def f{number}(values, weights):\n    total = {number}\n{body}\n    return total\n"
        (tmp_path / f"m{number}.py").write_text(text)
    alone = scan_paths([tmp_path], workers=0).to_json()
    killed: list[int] = []

    def kill(done: int, of: int) -> None:
        if done and not killed:
            killed.append(next(iter(cluster.workers.values())).pid)
            os.kill(killed[0], signal.SIGKILL)

    with local_cluster(1) as cluster, connect(cluster) as client:
        scan = scan_paths([tmp_path], executor=client, index=tmp_path / "index", report=kill)
    assert killed
    assert scan.to_json() == alone
    assert scan_paths([tmp_path], workers=0, index=tmp_path / "index").to_json() == alone


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="there is no /proc")
def test_a_local_cluster_listens_on_this_machine_only() -> None:
    """The scheduler, its dashboard, the nannies, the workers and their pages."""
    with dask_client("local", 2) as client:
        pids = {os.getpid(), *client.run(os.getpid).values(), *client.run(os.getppid).values()}
        addresses = _listening(pids)
        page = client.dashboard_link
    assert set(addresses) == {"127.0.0.1"}
    assert len(addresses) >= 6  # so that none of them was overlooked
    assert page.startswith("http://127.0.0.1:")


def _listening(pids: set[int]) -> list[str]:
    """The addresses on which processes listen, as Linux has them."""
    sockets = set()
    for pid in pids:
        for handle in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(OSError):
                sockets.add(str(handle.readlink()))
    found = []
    for family in ("tcp", "tcp6"):
        for line in Path("/proc/net", family).read_text().splitlines()[1:]:
            _, local, _, state, _, _, _, _, _, inode, *_ = line.split()
            if state == "0A" and f"socket:[{inode}]" in sockets:
                address = bytes.fromhex(local.partition(":")[0])[::-1]
                found.append(str(ip_address(address)))
    return found


def test_an_address_without_a_scheduler() -> None:
    with pytest.raises(CodekinError, match="no scheduler answers there"), dask_client("nine", None):
        pass
    with (
        pytest.raises(CodekinError, match="has its own; leave it out"),
        dask_client("tcp://127.0.0.1:1", 3),
    ):
        pass


@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_any_executor(rows, tmp_path, kind) -> None:
    given = rows(60)
    score(given, NAMES, output=tmp_path / "one", workers=0, shard_rows=10)
    executor = (
        ThreadPoolExecutor(2)
        if kind == "threads"
        else ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn"))
    )
    with executor:
        score(given, NAMES, output=tmp_path / "two", executor=executor, shard_rows=10)
    assert fingerprint(tmp_path / "one") == fingerprint(tmp_path / "two")


def test_an_executor_that_is_already_broken_is_reported(rows, tmp_path) -> None:
    with ThreadPoolExecutor(1, initializer=lambda: 1 / 0) as executor:
        with pytest.raises(BrokenExecutor):
            executor.submit(int).result()
        with pytest.raises(CodekinError, match=r"the executor broke.*resume the run with"):
            score(rows(20), NAMES, output=tmp_path / "run", executor=executor)


def test_a_broken_executor_is_said_and_the_run_can_go_on(rows, tmp_path) -> None:
    given = rows(200)
    score(given, NAMES, output=tmp_path / "one", workers=0, shard_rows=10)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as executor:

        def kill(progress) -> None:
            for process in executor._processes.values():
                process.kill()

        with pytest.raises(CodekinError, match="the executor broke"):
            score(
                given,
                NAMES,
                output=tmp_path / "two",
                executor=executor,
                shard_rows=10,
                report=kill,
            )
    score(given, NAMES, output=tmp_path / "two", workers=0, shard_rows=10, resume=True)
    assert fingerprint(tmp_path / "one") == fingerprint(tmp_path / "two")


class OneAndNoMore(Executor):
    """Takes several shards, works on the first, and waits for the gate before the others."""

    _max_workers = 4

    def __init__(self) -> None:
        self.threads = ThreadPoolExecutor(1)
        self.gate = threading.Event()
        self.futures: list[Future[object]] = []

    def submit(self, call, /, *words, **named):
        self.futures.append(self.threads.submit(call, *words, **named))
        if len(self.futures) == 1:
            self.threads.submit(self.gate.wait)
        return self.futures[-1]


def test_what_nobody_waits_for_is_taken_back(rows) -> None:
    def stop(progress) -> None:
        raise KeyboardInterrupt

    executor = OneAndNoMore()
    with executor.threads:
        with pytest.raises(KeyboardInterrupt):
            score(rows(400), NAMES, executor=executor, shard_rows=10, report=stop)
        executor.gate.set()
    assert [future.cancelled() for future in executor.futures] == [False] + [True] * 7


def test_nothing_is_left_running(rows, tmp_path) -> None:
    def children() -> set[str]:
        return {
            path.parent.name
            for path in Path("/proc").glob("[0-9]*/stat")
            if f") S {os.getpid()} " in path.read_text()
            or f") R {os.getpid()} " in path.read_text()
        }

    if not Path("/proc/self/stat").exists():
        pytest.skip("children are counted by /proc, which this system does not have")
    # Threads of earlier tests may end meanwhile.
    before, threads = children(), set(threading.enumerate())
    score(rows(40), NAMES, workers=2, shard_rows=10)
    time.sleep(0.2)
    assert children() <= before
    assert set(threading.enumerate()) <= threads


class OneOnly(Executor):
    """Works on the first thing that it is given, and lets the others wait."""

    _max_workers = 3

    def __init__(self) -> None:
        self.futures: list[Future] = []

    def submit(self, work, /, *given, **named) -> Future:
        self.futures.append(Future())
        if len(self.futures) == 1:
            self.futures[0].set_result(work(*given, **named))
        return self.futures[-1]


def test_what_was_handed_to_an_executor_is_taken_back_on_failure(rows) -> None:
    def stop(progress) -> None:
        raise KeyboardInterrupt

    executor = OneOnly()
    with pytest.raises(KeyboardInterrupt):
        score(rows(100), NAMES, executor=executor, shard_rows=10, report=stop)
    first, *others = executor.futures
    assert first.done() and not first.cancelled()
    assert others and all(one.cancelled() for one in others)
