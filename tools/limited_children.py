"""Child processes that work on one item at a time, each item with a limit on time and memory.

An item may crash its child, hang or exhaust the memory; this is recorded for the item, and the next
item gets a new child. Fuzzers and sweeps run all untrusted items here.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.connection
import resource
import signal
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Generic, Literal, TypeVar

__all__ = ["LimitedChild", "Outcome", "address_space", "outcomes"]

Item = TypeVar("Item")
Value = TypeVar("Value")
Kind = Literal["done", "exception", "out of memory", "hang", "crash"]

# A child that waits without using processor time is given up after this many seconds per second of
# its limit.
_PATIENCE = 30.0
_LEAST_PATIENCE_S = 60.0


@dataclass(frozen=True)
class Outcome(Generic[Value]):
    """The outcome of an item: the value of the work, or the reason why there is none."""

    kind: Kind
    value: Value | None = None
    reason: str = ""


class LimitedChild(Generic[Item, Value]):
    """A child process, started on demand and replaced when it hangs, dies or is full.

    Parameters
    ----------
    prepare : callable
        Called in the child; loads what is lazy and returns the function that does the work.
    seconds : float
        Processor time for an item.
    megabytes : int
        How much the child may grow once it is prepared; 0 for no limit.
    method : {"fork", "spawn"}
        How it starts: as a copy of this process, or as a new interpreter, which sees changes of the
        environment and needs a `prepare` that can be pickled.
    most : int, optional
        Items after which it is replaced.
    """

    def __init__(
        self,
        prepare: Callable[[], Callable[[Item], Value]],
        *,
        seconds: float,
        megabytes: int,
        method: Literal["fork", "spawn"] = "fork",
        most: int | None = None,
    ) -> None:
        self._prepare = prepare
        self._seconds = seconds
        self._megabytes = megabytes
        self._method = method
        self._most = most
        self._items = 0
        self._ready = False
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None
        self.deadline = 0.0

    def __enter__(self) -> LimitedChild[Item, Value]:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def outcome(self, item: Item) -> Outcome[Value]:
        """Work on an item and wait for its outcome."""
        self.begin(item)
        while True:
            found = self.finish()
            if found is not None:
                return found

    def begin(self, item: Item) -> Connection:
        """Let the child work on an item; returns a pipe that becomes readable when it is done."""
        if self._most is not None and self._items >= self._most:
            self.close()
        pipe = self._pipe or self._start()
        self._items += 1
        self._restart_clock()
        with contextlib.suppress(OSError):  # the child is dead, which finish() detects
            pipe.send(item)
        return pipe

    def finish(self) -> Outcome[Value] | None:
        """The outcome of the item; None if the child has only become ready for it."""
        assert self._pipe is not None
        assert self._process is not None
        try:
            if not self._pipe.poll(max(self.deadline - time.monotonic(), 0)):
                self.close()
                return Outcome("hang", reason="hangs without using processor time")
            found: Outcome[Value] | None = self._pipe.recv()
        except (EOFError, OSError):
            self._process.join()
            code, ready = self._process.exitcode or 0, self._ready
            self.close()
            if not ready:
                raise SystemExit(f"a child did not start: {_ending(code)}") from None
            if code == -signal.SIGPROF:
                return Outcome("hang", reason=f"more than {self._seconds:g} s of processor time")
            return Outcome("crash", reason=_ending(code))
        if found is None:
            self._ready = True
            self._restart_clock()
        elif found.kind == "out of memory":  # the next item gets a fresh child
            self.close()
        return found

    def close(self) -> None:
        """End the child."""
        if self._process is not None and self._pipe is not None:
            self._process.kill()
            self._process.join()
            self._pipe.close()
        self._process = self._pipe = None
        self._items, self._ready = 0, False

    def _start(self) -> Connection:
        context = multiprocessing.get_context(self._method)
        ours, theirs = context.Pipe()
        # A forked child also holds our end, and would not notice the end of this process.
        inherited = ours if self._method == "fork" else None
        limits = (self._seconds, self._megabytes)
        self._process = context.Process(  # type: ignore[attr-defined]
            target=_serve, args=(theirs, inherited, self._prepare, *limits), daemon=True
        )
        self._process.start()
        theirs.close()
        self._pipe = ours
        return ours

    def _restart_clock(self) -> None:
        self.deadline = time.monotonic() + max(_PATIENCE * self._seconds, _LEAST_PATIENCE_S)


def outcomes(
    children: Sequence[LimitedChild[Item, Value]], items: Iterable[Item]
) -> Iterator[tuple[Item, Outcome[Value]]]:
    """Items and their outcomes as they finish; an idle child takes the next item."""
    waiting = iter(items)
    idle = list(children)
    busy: dict[Connection, tuple[LimitedChild[Item, Value], Item]] = {}
    while True:
        for item in islice(waiting, len(idle)):
            child = idle.pop()
            busy[child.begin(item)] = child, item
        if not busy:
            return
        first = min(child.deadline for child, _ in busy.values())
        multiprocessing.connection.wait(list(busy), max(first - time.monotonic(), 0))
        for pipe, (child, item) in list(busy.items()):
            if pipe.poll() or time.monotonic() > child.deadline:
                found = child.finish()
                if found is not None:
                    del busy[pipe]
                    idle.append(child)
                    yield item, found


def address_space(pid: int | None = None) -> int:
    """The address space of a process, by default of this one, in bytes."""
    numbers = Path(f"/proc/{pid or 'self'}/statm").read_text(encoding="ascii")
    return int(numbers.split()[0]) * resource.getpagesize()


def _serve(
    pipe: Connection,
    inherited: Connection | None,
    prepare: Callable[[], Callable[[Item], Value]],
    seconds: float,
    megabytes: int,
) -> None:
    """In the child: work on incoming items until there are none."""
    if inherited is not None:
        inherited.close()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    work = prepare()
    if megabytes:
        limit = address_space() + megabytes * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    pipe.send(None)
    while True:
        try:
            item = pipe.recv()
        except EOFError:
            return
        signal.setitimer(signal.ITIMER_PROF, seconds)  # which ends this process
        try:
            found = Outcome("done", work(item))
        except MemoryError as error:
            found = Outcome("out of memory", reason=_described(error))
        except BaseException as error:
            found = Outcome("exception", reason=_described(error))
        signal.setitimer(signal.ITIMER_PROF, 0)
        pipe.send(found)


def _described(error: BaseException) -> str:
    """An exception and its location, in one line."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    said = " ".join(str(error)[:500].split()).encode("ascii", "backslashreplace").decode()
    return f"{type(error).__name__}: {said} ({Path(where.filename).name}:{where.lineno})"


def _ending(code: int) -> str:
    return f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
