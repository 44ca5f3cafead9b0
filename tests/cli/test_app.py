from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from codekin import __version__


def test_version(process) -> None:
    done = process("--version")
    assert (done.returncode, done.stdout) == (0, f"codekin {__version__}\n")


def test_alone_it_shows_help(command) -> None:
    done = command()
    for name in ("compare", "measures", "languages", "demo"):
        assert name in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nope"], "No such command 'nope'; see codekin -h"),
        (["score", "--nope"], "No such option: --nope"),
        (["compare"], "Missing argument 'CANDIDATE'; see codekin compare -h"),
        (["summarize", "x", "--format", "tex"], "'tex' is not one of 'table', 'json'"),
    ],
)
def test_a_wrong_command_line_is_one_line(command, words, said) -> None:
    done = command(*words)
    assert done.returncode == 2
    assert done.stderr.startswith("codekin: ")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_broken_pipe_ends_quietly() -> None:
    command = f"{sys.executable} -c 'from codekin.cli import main; main()' measures | head -c 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
    assert done.stderr == b""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_an_interrupt_ends_in_one_line(tmp_path) -> None:
    pipe = tmp_path / "pipe.py"
    os.mkfifo(pipe)
    command = [sys.executable, "-c", "from codekin.cli import main; main()", "compare", pipe, pipe]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        # Opening waits until the command reads, so the signal meets it at work.
        writing = os.open(pipe, os.O_WRONLY)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=20)
        os.close(writing)
    assert (running.returncode, out, err) == (130, b"", b"codekin: stopped\n")


def shell(line: str, cwd) -> subprocess.CompletedProcess[bytes]:
    codekin = f"{sys.executable} -c 'from codekin.cli import main; main()'"
    return subprocess.run(
        ["bash", "-c", f"{codekin} {line}"], capture_output=True, cwd=cwd, check=False
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
@pytest.mark.parametrize("words", ["measures", "measures --format json", "--help", "--version"])
def test_a_full_device_is_one_line(tmp_path, words) -> None:
    done = shell(f"{words} > /dev/full", tmp_path)
    assert (done.returncode, done.stderr) == (2, b"codekin: No space left on device\n")


def test_closed_stdin_is_one_line(tmp_path) -> None:
    (tmp_path / "b.py").write_text("x = 1\n")
    done = shell("compare - b.py <&-", tmp_path)
    assert (done.returncode, done.stderr) == (2, b"codekin: stdin is closed; name a file instead\n")


@pytest.mark.parametrize("words", ["measures", "measures --format json"])
def test_closed_stdout_is_one_line(tmp_path, words) -> None:
    done = shell(f"{words} >&-", tmp_path)
    assert (done.returncode, done.stderr) == (2, b"codekin: stdout is closed\n")


def test_closed_stderr_leaves_stdout_alone(tmp_path) -> None:
    done = shell("compare a.py b.py 2>&-", tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
