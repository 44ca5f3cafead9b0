from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from codekin.cli import main
from codekin.cli.app import app

Cli = Callable[..., Result]
Process = Callable[..., "subprocess.CompletedProcess[str]"]


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
