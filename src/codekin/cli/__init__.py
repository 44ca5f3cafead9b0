"""The command line: one file a command, and the entry point that turns errors into one line."""

from __future__ import annotations

import contextlib
import os
import signal
import sys

from codekin.errors import CodekinError

__all__ = ["main"]


def main() -> None:
    """Run the command line; what a user can put right is one line on stderr and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        # Code may hold what the terminal's encoding cannot write, such as lone surrogates.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    # Ctrl-C ends a command as it ends any other program: at once and without a word.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.stdout is None:
        _say("stdout is closed")
        sys.exit(2)
    from codekin.cli.app import app

    try:
        try:
            app()
        finally:  # or the interpreter would flush at exit, and complain in its own way
            sys.stdout.flush()
    except CodekinError as error:
        _say(str(error))
        sys.exit(2)
    except BrokenPipeError:  # nobody reads any more
        _drop_output()
        sys.exit(1)
    except OSError as error:  # such as a device that is full
        _drop_output()
        _say(error.strerror or str(error))
        sys.exit(2)


def _say(message: str) -> None:
    with contextlib.suppress(OSError):
        if sys.stderr is not None:  # print would take stdout in its place
            print(f"codekin: {' '.join(message.split())}", file=sys.stderr)


def _drop_output() -> None:
    """Lead stdout into nothing; without this, the flush at exit would complain again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
