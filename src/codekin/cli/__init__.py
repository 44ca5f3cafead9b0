"""The command line: one file per command, and the entry point that turns errors into one line."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys

from codekin.cli.interrupt import EXIT_CODE, keep_line_until_exit, stop_on_interrupt
from codekin.errors import CodekinError

TYPE_CHECKING = False  # like that of typing, which is loaded only after Ctrl-C is handled
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

__all__ = ["main"]

_BEYOND = {
    MemoryError: "there is not enough memory for this; give it fewer or smaller inputs at once, or "
    "more memory",
    RecursionError: "something in the input is nested more deeply than can be read; leave it out",
    OverflowError: "a number in an option or in the input is out of range; give a smaller one",
    UnicodeEncodeError: "a text has characters that cannot be written (lone surrogates); name "
    "or replace them",
}
"""What no command should run into, and none explains with a traceback if it does."""
_NO_MEMORY = ("cannot allocate memory", "failed to map segment", "can't start new thread")
"""How libraries say that there is not enough memory."""


def main() -> None:
    """Run the command line; an error of the user is one line on stderr, and exit code 2."""
    stop_on_interrupt()
    try:
        code = _exit_code()
    finally:
        keep_line_until_exit()
    sys.exit(code)


def _exit_code() -> int:
    """Run the command, and say what went wrong; what nobody expects is raised."""
    sys.unraisablehook = _unless_beyond(sys.unraisablehook)
    sys.stdout, sys.stderr = _Output.of(sys.stdout), _Output.of(sys.stderr)
    if sys.stdout is None:
        _say("stdout is closed")
        return 2
    try:
        try:
            code = _run()
        finally:  # or the interpreter would flush at exit, and complain again
            sys.stdout.flush()
    except CodekinError as error:
        _say(str(error))
        return 2
    except OSError as error:  # such as a device that is full, or a name that is too long
        _drop_output()
        where = "" if error.filename is None else f"{os.fsdecode(error.filename)}: "
        _say(_beyond(error) or f"{where}{error.strerror or error}")
        return 2
    except KeyboardInterrupt:  # at the very edge of a job
        _say("stopped")
        return EXIT_CODE
    except Exception as error:
        code = _code_of(error)
        if code is None:
            raise
    return code if isinstance(code, int) else 0


def _run() -> object:
    """Run the command; the version is printed without loading anything else."""
    if sys.argv[1:] == ["--version"]:
        from codekin._version import __version__

        print(f"codekin {__version__}")
        return 0
    from codekin.cli.app import app

    stop_on_interrupt()  # again, in case the kernels have been loaded
    return app(prog_name="codekin", standalone_mode=False)


def _code_of(error: Exception) -> int | None:
    """Say what an error of the command line or of the machine is, for an exit code."""
    if type(error).__name__ == "Abort":  # what typer turns KeyboardInterrupt into
        _say("stopped")
        return EXIT_CODE
    # The exceptions that typer raises for a wrong command line have moved between versions.
    if hasattr(error, "format_message"):
        _say_usage(error)
        return 2
    message = _beyond(error)
    if message is None:
        return None
    error.__traceback__ = None  # and with it all that the command held
    _drop_output()
    _say(message)
    return 2


def _beyond(error: BaseException) -> str | None:
    """What to say about an error that is not codekin's fault; None for all others."""
    for cause in _causes(error):
        for kind, message in _BEYOND.items():
            if isinstance(cause, kind):
                return message
        text = str(cause).lower()
        if getattr(cause, "errno", None) == errno.ENOMEM or any(
            words in text for words in _NO_MEMORY
        ):
            return _BEYOND[MemoryError]
    return None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error, and those that led to it."""
    seen: list[BaseException] = []
    while error is not None and error not in seen:
        seen.append(error)
        yield error
        error = error.__cause__ or error.__context__


def _unless_beyond(hook: Callable[[Any], object]) -> Callable[[Any], object]:
    """Show what is raised where nobody can catch it, except for want of memory."""

    def show(unraisable: Any) -> None:
        if unraisable.exc_value is None or _beyond(unraisable.exc_value) is None:
            hook(unraisable)

    return show


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
    words = " ".join(message.split())
    with contextlib.suppress(ImportError, MemoryError):  # there may be no memory even for this
        from codekin.plain_text import plain

        words = plain(words)
    with contextlib.suppress(OSError):
        if sys.stderr is not None:  # print would take stdout in its place
            print(f"codekin: {words}", file=sys.stderr)


def _drop_output() -> None:
    """Redirect stdout to nowhere, or the flush at exit would complain again."""
    with contextlib.suppress(OSError, ValueError):  # a stream without a descriptor
        _redirect_to_nowhere(sys.stdout.fileno())


def _redirect_to_nowhere(descriptor: int) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


class _Output(io.RawIOBase):
    """A stream of bytes that goes nowhere once nobody reads it, so that the command still ends.

    Whoever cuts what a command prints, as ``| head`` does, changes neither the files that it writes
    nor its exit code.
    """

    def __init__(self, text: Any) -> None:
        self._text = text  # which would close what it writes to when nothing refers to it
        self._stream = getattr(text.buffer, "raw", text.buffer)

    @classmethod
    def of(cls, stream: Any) -> Any:
        """A text stream that writes to the same place.

        It writes what the terminal cannot encode, such as lone surrogates, as escapes.
        """
        if getattr(stream, "buffer", None) is None:
            return stream
        stream.flush()
        raw = cls(stream)
        return io.TextIOWrapper(
            raw if stream.write_through else io.BufferedWriter(raw),
            stream.encoding,
            "backslashreplace",
            line_buffering=stream.line_buffering,
            write_through=stream.write_through,
        )

    def write(self, data: Any) -> int | None:
        """Write some bytes, and return how many."""
        try:
            return self._stream.write(data)  # type: ignore[no-any-return]
        except BrokenPipeError:
            _redirect_to_nowhere(self.fileno())
            return memoryview(data).nbytes

    def fileno(self) -> int:
        """The descriptor."""
        return self._stream.fileno()  # type: ignore[no-any-return]

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return self._stream.isatty()  # type: ignore[no-any-return]

    def writable(self) -> bool:
        """That it can be written to."""
        return True
