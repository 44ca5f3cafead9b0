"""Ctrl-C: one line on stderr and exit code 130, from the first moment to the last."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from types import FrameType

__all__ = ["EXIT_CODE", "keep_line_until_exit", "restore_interrupt", "stop_on_interrupt"]

EXIT_CODE = 130
"""The exit code of a program ended by Ctrl-C, as in shells."""

_LINE = "codekin: stopped\n"


def stop_on_interrupt() -> None:
    """Make Ctrl-C end this process at once with one line, whatever it is doing.

    Before the kernels are loaded, Python handles it between two instructions; after that, their
    handler works even while a kernel runs.
    """
    kernels = sys.modules.get("codekin._native")
    if kernels is None:
        signal.signal(signal.SIGINT, _stop)
        return
    # Python does not know the kernels' handler, and removes its own before it ends. Between the two
    # there is none, so Ctrl-C waits.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    kernels.end_on_interrupt(_last_line(), EXIT_CODE)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)


def keep_line_until_exit() -> None:
    """Keep Ctrl-C from ending this process without a word while the interpreter shuts down.

    Python's handler is gone by then. Without the kernels nothing takes long, and what was asked
    for is done.
    """
    if "codekin._native" in sys.modules:
        stop_on_interrupt()
    else:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def restore_interrupt(handler: object) -> None:
    """Restore what `signal.getsignal` returned before another handler was set."""
    if handler in (_stop, signal.SIG_DFL):
        stop_on_interrupt()
    else:
        signal.signal(signal.SIGINT, handler)  # type: ignore[arg-type]


def _stop(number: int, frame: FrameType | None) -> None:
    with contextlib.suppress(OSError):  # stderr is closed
        os.write(2, _last_line().encode())
    os._exit(EXIT_CODE)


def _last_line() -> str:
    """The line; in a terminal, it first shows the cursor that a progress bar hides."""
    in_terminal = sys.stderr is not None and sys.stderr.isatty()
    return f"\r\x1b[2K\x1b[?25h{_LINE}" if in_terminal else _LINE
