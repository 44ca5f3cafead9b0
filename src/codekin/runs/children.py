"""Child processes of this one, which may die of their work, and pools of them."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import IO, Generic, TypeVar, cast

from codekin.errors import CodekinError

__all__ = ["ChildPool", "ChildProcess", "without_ctrl_c"]


class ChildProcess:
    """A Python process with pipes to and from it.

    Parameters
    ----------
    program : str
        What it runs.
    words : sequence of str
        Its arguments.
    files : tuple of int
        Descriptors that it inherits.
    """

    def __init__(self, program: str, *words: str, files: tuple[int, ...] = ()) -> None:
        # What this process can import, the other can: measures of one's own among it.
        paths = [os.path.abspath(path) for path in sys.path]  # noqa: PTH100, '' is the cwd
        with without_ctrl_c():
            self._process = subprocess.Popen(
                [sys.executable, "-c", program, *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                pass_fds=files,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(paths), "PYTHONSAFEPATH": "1"},
            )
        self.inward = cast(IO[bytes], self._process.stdin)
        self.outward = cast(IO[bytes], self._process.stdout)

    @property
    def ended(self) -> bool:
        """Whether it is no longer there."""
        return self._process.poll() is not None

    def close(self) -> None:
        """End the process at once; it holds nothing that is not also elsewhere."""
        self._process.kill()
        self._process.wait()
        for stream in (self.inward, self.outward):
            with contextlib.suppress(OSError):  # what was not yet written is of no use
                stream.close()


@contextlib.contextmanager
def without_ctrl_c() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach, not even before they can say so themselves.

    So do threads that are started here, and the processes that they start later.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_Child = TypeVar("_Child", bound=ChildProcess)


class ChildPool(Generic[_Child]):
    """As many children as there are threads that ask, started when they are needed.

    Parameters
    ----------
    start : callable
        Makes a child.
    stopped : str
        What is said to who asks when the pool is closed.
    """

    def __init__(self, start: Callable[[], _Child], stopped: str) -> None:
        self._start = start
        self._stopped = stopped
        self._idle: list[_Child] = []
        self._all: set[_Child] = set()
        self._lock = threading.Lock()
        self._closed = False

    def take(self) -> _Child:
        """A child that is idle, or a new one."""
        with self._lock:
            if self._closed:
                raise CodekinError(self._stopped)
            while self._idle:
                child = self._idle.pop()
                if not child.ended:
                    return child
                self._all.discard(child)
                child.close()
            child = self._start()
            self._all.add(child)
            return child

    def give(self, child: _Child) -> None:
        """Hand a child back that has done its work."""
        with self._lock:
            self._idle.append(child)

    def discard(self, child: _Child) -> None:
        """End a child that is not to be used again."""
        with self._lock:
            self._all.discard(child)
        child.close()

    def close(self) -> None:
        """End all children at once."""
        with self._lock:
            self._closed = True
            rest, self._all, self._idle = self._all, set(), []
        for child in rest:
            child.close()
