from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from codekin import __version__, cli


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


def test_an_interrupt_ends_in_one_line(tmp_path) -> None:
    (tmp_path / "b.py").touch()
    main = "from codekin.cli import main; main()"
    command = [sys.executable, "-c", main, "compare", "-", tmp_path / "b.py"]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, **pipes) as running:
        # Writing waits until the command reads, so the signal meets it at work.
        running.stdin.write(b"x" * 500_000)
        running.stdin.flush()
        time.sleep(0.3)  # until it waits for more
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=20)
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


@pytest.mark.parametrize("words", ["scan {}", "summarize {}", "compare a.py a.py -o {}.html"])
def test_a_name_that_is_too_long_is_said(tmp_path, words) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    name = "n" * 300
    done = shell(words.format(name), tmp_path)
    assert done.returncode == 2
    assert done.stderr.decode().startswith(f"codekin: {name}")
    assert done.stderr.endswith(b": File name too long\n")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), "there is not enough memory for this; give it fewer or smaller inputs"),
        (MemoryError("std::bad_alloc"), "there is not enough memory"),
        (RecursionError("maximum recursion depth exceeded"), "is nested more deeply than"),
        (OverflowError("Python int too large to convert to C long"), "a number in an option or"),
        (UnicodeEncodeError("utf-8", "\ud800", 0, 1, "no"), "characters that cannot be written"),
        (ImportError("x.so: failed to map segment from shared object"), "not enough memory"),
        (RuntimeError("can't start new thread"), "not enough memory"),
        (OSError(12, "Cannot allocate memory"), "not enough memory"),
        (OSError(28, "No space left on device"), "No space left on device"),
        (OSError(7, "Argument list too long", "git"), "git: Argument list too long"),
    ],
)
@pytest.mark.parametrize("wrapped", [False, True])
def test_limits_are_one_line(monkeypatch, capfd, error, said, wrapped) -> None:
    def run() -> None:
        if wrapped and not isinstance(error, OSError):
            try:
                raise error
            finally:
                raise KeyError("what a library makes of it")
        raise error

    monkeypatch.setattr(cli, "_run", run)
    monkeypatch.setattr(cli, "_drop_output", lambda: None)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    code = cli._exit_code()
    out, err = capfd.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("codekin: ")
    assert said in err


def test_other_errors_are_not_hidden(monkeypatch) -> None:
    def run() -> None:
        raise KeyError("a mistake of ours")

    monkeypatch.setattr(cli, "_run", run)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    with pytest.raises(KeyError):
        cli._exit_code()


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are those of Linux")
@pytest.mark.parametrize("megabytes", [50, 80])
def test_little_memory_is_one_line(tmp_path, megabytes) -> None:
    (tmp_path / "a.py").write_text("x = [" + "1, " * 100_000 + "]\n")
    line = f"ulimit -v {megabytes * 1024}; exec {sys.executable} -c '{_MAIN}' compare a.py a.py"
    done = subprocess.run(["bash", "-c", line], capture_output=True, cwd=tmp_path, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(b"codekin: there is not enough memory")
    assert done.stderr.count(b"\n") == 1


_MAIN = "from codekin.cli import main; main()"
