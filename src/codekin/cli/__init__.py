"""The command line: one file a command, and the entry point that turns errors into one line."""

from __future__ import annotations

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
    from codekin.cli.app import app

    try:
        app()
    except CodekinError as error:
        print(f"codekin: {' '.join(str(error).split())}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        # Nobody reads any more; without this, the flush at exit would complain again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
