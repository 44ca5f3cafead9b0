from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from codekin.cli import main
from codekin.cli.app import app
from codekin.runs.workers import WorkerPool, _Worker

Cli = Callable[..., Result]
Process = Callable[..., "subprocess.CompletedProcess[str]"]


def surroundings() -> object:
    """What a worker takes over from the process that starts it."""
    changing = {"COLUMNS", "PYTEST_CURRENT_TEST"}
    environment = {name: value for name, value in os.environ.items() if name not in changing}
    return Path.cwd(), list(sys.path), environment


@pytest.fixture(scope="session")
def spare_workers() -> Iterator[list[_Worker]]:
    """Workers that commands in this process have left over."""
    spare: list[_Worker] = []
    yield spare
    for worker in spare:
        worker.close()


@pytest.fixture(autouse=True)
def shared_workers(spare_workers: list[_Worker], monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the idle workers of a command to the next one: a start costs a third of a second.

    A worker serves one work after the other anyway. Where a test has changed the folder, the path
    or the environment, its commands start workers of their own.
    """
    home, take, close = surroundings(), WorkerPool._take, WorkerPool.close

    def take_spare(pool: WorkerPool) -> _Worker:
        with pool._lock:
            if spare_workers and not pool._idle and not pool._closed and surroundings() == home:
                worker = spare_workers.pop()
                pool._all.add(worker)
                pool._idle.append(worker)
        return take(pool)

    def close_but_keep(pool: WorkerPool) -> None:
        if surroundings() == home:
            with pool._lock:
                spare_workers.extend(pool._idle)
                pool._all.difference_update(pool._idle)
                pool._idle.clear()
        close(pool)

    monkeypatch.setattr(WorkerPool, "_take", take_spare)
    monkeypatch.setattr(WorkerPool, "close", close_but_keep)


@pytest.fixture
def cli() -> Cli:
    """Run a command in this process; errors come out as exceptions of the result."""

    def run(
        *words: str | Path, stdin: str | bytes | None = None, width: int | None = 100
    ) -> Result:
        # Without a width, as in a pipe of which nobody said how wide it is.
        columns = None if width is None else str(width)
        return CliRunner().invoke(
            app, [str(word) for word in words], input=stdin, env={"COLUMNS": columns}
        )

    return run


@pytest.fixture
def process(tmp_path: Path) -> Process:
    """Run the installed command in a process of its own, in the test's folder."""

    def run(*words: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", "from codekin.cli import main; main()", *map(str, words)]
        environment = os.environ | {"COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}
        done = subprocess.run(
            command, input=stdin, capture_output=True, cwd=tmp_path, env=environment, check=False
        )
        return subprocess.CompletedProcess(
            command, done.returncode, done.stdout.decode(), done.stderr.decode()
        )

    return run


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Process:
    """Run the entry point as `process` does, but in this process: a start costs a second."""

    def run(*words: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[str]:
        written = [io.BytesIO(), io.BytesIO()]
        streams = dict(
            zip(("stdin", "stdout", "stderr"), [io.BytesIO(stdin), *written], strict=True)
        )
        interrupt = signal.getsignal(signal.SIGINT)
        with monkeypatch.context() as patch:
            patch.chdir(tmp_path)
            patch.setenv("COLUMNS", "100")
            patch.setattr(sys, "argv", ["codekin", *map(str, words)])
            for name, stream in streams.items():
                patch.setattr(sys, name, io.TextIOWrapper(stream, "utf-8", write_through=True))
            try:
                with pytest.raises(SystemExit) as ended:
                    main()
            finally:
                signal.signal(signal.SIGINT, interrupt)
            out, err = (stream.getvalue().decode() for stream in written)
        return subprocess.CompletedProcess(words, ended.value.code, out, err)

    return run
