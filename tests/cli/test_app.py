from __future__ import annotations

import signal
import subprocess
import sys
import time

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


def test_an_interrupt_ends_quietly() -> None:
    # stdin stays open, so that the command waits in its read until it is interrupted.
    command = [sys.executable, "-c", "from codekin.cli import main; main()", "compare", "-", "x.py"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        time.sleep(1.5)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=20)
    assert running.returncode == 130
    assert out == b""
    assert b"Traceback" not in err
