"""The command line: one file per command, and the entry point that turns errors into one line."""

from __future__ import annotations

import contextlib
import os
import sys

from codekin.cli.interrupt import EXIT_CODE, stop_on_interrupt
from codekin.errors import CodekinError

TYPE_CHECKING = False  # like that of typing, which is loaded only after Ctrl-C is handled
if TYPE_CHECKING:
    from typing import Any

__all__ = ["main"]


def main() -> None:
    """Run the command line; an error of the user is one line on stderr, and exit code 2."""
    stop_on_interrupt()
    for stream in (sys.stdout, sys.stderr):
        # Code may contain what the terminal cannot encode, such as lone surrogates.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    if sys.stdout is None:
        _say("stdout is closed")
        sys.exit(2)
    try:
        try:
            code = _run()
        finally:  # or the interpreter would flush at exit, and complain again
            sys.stdout.flush()
    except CodekinError as error:
        _say(str(error))
        sys.exit(2)
    except BrokenPipeError:  # nobody reads the output any more
        _drop_output()
        sys.exit(1)
    except OSError as error:  # such as a device that is full
        _drop_output()
        _say(error.strerror or str(error))
        sys.exit(2)
    except KeyboardInterrupt:  # at the very edge of a job
        _say("stopped")
        sys.exit(EXIT_CODE)
    except Exception as error:
        if type(error).__name__ == "Abort":  # what typer turns KeyboardInterrupt into
            _say("stopped")
            sys.exit(EXIT_CODE)
        # The exceptions that typer raises for a wrong command line have moved between versions.
        if not hasattr(error, "format_message"):
            raise
        _say_usage(error)
        sys.exit(2)
    sys.exit(code if isinstance(code, int) else 0)


def _run() -> object:
    """Run the command; the version is printed without loading anything else."""
    if sys.argv[1:] == ["--version"]:
        from codekin._version import __version__

        print(f"codekin {__version__}")
        return 0
    from codekin.cli.app import app

    stop_on_interrupt()  # again, in case the kernels have been loaded
    return app(prog_name="codekin", standalone_mode=False)


def _say_usage(error: Any) -> None:
    """Say what is wrong with a command line, with a suggestion and where to read more."""
    from codekin.cli.usage_errors import usage_message

    if not error.format_message().strip() or "Usage:" in error.format_message():
        error.show()  # without arguments, the help was printed
        return
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "codekin"
    message = usage_message(error)
    _say(f"{message} (see {command} -h)" if message[-1] == "?" else f"{message}; see {command} -h")


def _say(message: str) -> None:
    from codekin.plain_text import plain

    with contextlib.suppress(OSError):
        if sys.stderr is not None:  # print would take stdout in its place
            print(f"codekin: {plain(' '.join(message.split()))}", file=sys.stderr)


def _drop_output() -> None:
    """Redirect stdout to nowhere, or the flush at exit would complain again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
