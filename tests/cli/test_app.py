from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from codekin import __version__


def test_version(process) -> None:
    done = process("--version")
    assert (done.returncode, done.stdout) == (0, f"codekin {__version__}\n")


def test_alone_it_shows_help(process) -> None:
    done = process()
    for command in ("compare", "measures", "languages", "demo"):
        assert command in done.stdout + done.stderr


def test_a_broken_pipe_ends_quietly() -> None:
    command = f"{sys.executable} -c 'from codekin.cli import main; main()' measures | head -c 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
    assert done.stderr == b""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_an_interrupt_ends_quietly(tmp_path) -> None:
    pipe = tmp_path / "pipe.py"
    os.mkfifo(pipe)
    command = [sys.executable, "-c", "from codekin.cli import main; main()", "compare", pipe, pipe]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        # Opening waits until the command reads, so the signal meets it at work.
        writing = os.open(pipe, os.O_WRONLY)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=20)
        os.close(writing)
    assert running.returncode == -signal.SIGINT
    assert (out, err) == (b"", b"")
