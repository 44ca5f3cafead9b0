"""Worker processes: a function is run on rows in processes that a row may crash, hang or exhaust.

The parent sends a worker a function by its name and a payload, once, and then one item after the
other, each of several rows. The worker marks the row that it is on and how long the row may take.
When it dies, the parent reads the mark, starts another worker, and tries the item again; a row
that killed too many workers is passed as lost, with how they died.
"""

from __future__ import annotations

import contextlib
import gc
import math
import mmap
import os
import pickle
import pkgutil
import select
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import IO, Any, TypeVar, cast

from codekin.errors import CodekinError

__all__ = [
    "TRIES",
    "CannotSendError",
    "Death",
    "Marker",
    "Work",
    "WorkError",
    "WorkerPool",
    "available_cores",
    "run_here",
    "without_ctrl_c",
]

Marker = Callable[[int, float], None]
"""Called with the number of a row in its item and the processor seconds that the row may take,
before the worker begins with it; with -1 after the last."""

TRIES = 3
"""How many workers may die of a row before it is lost."""
_PATIENCE = 10
"""How many times its processor time a row may take by the wall clock."""
_LOOK_SECONDS = 5.0
"""How often the parent looks whether a worker that does not answer is still alive."""
_STARTS = 10
"""How many workers may die before they mark a row, as when the machine is out of memory."""
_IDLE_SECONDS = 60.0
"""A worker without work ends after this time; its pool starts another when there is work."""
_OUT_OF_MEMORY = 77
_COMMAND = "import sys; from codekin.runs.workers import main; main(int(sys.argv[1]))"
_LENGTH = struct.Struct("<Q")
_MARK = struct.Struct("=qd")
_Item = TypeVar("_Item")


class CannotSendError(CodekinError):
    """A payload cannot be pickled for other processes."""


class WorkError(Exception):
    """Workers cannot do their work at all; the message says why."""


class _DiedError(Exception):
    """A worker died on a row, or before it marked one."""

    def __init__(self, row: int, death: Death) -> None:
        super().__init__(row, death)
        self.row = row
        self.death = death


@dataclass(frozen=True)
class Death:
    """How a worker died: its exit code, and whether the row took longer than it may."""

    code: int
    late: bool

    @property
    def manner(self) -> str:
        """The exit code or the signal, for people."""
        if self.code == _OUT_OF_MEMORY:
            return "out of memory"
        if self.code >= 0:
            return f"exit code {self.code}"
        try:
            return f"signal {-self.code}, {signal.Signals(-self.code).name}"
        except ValueError:
            return f"signal {-self.code}"


@dataclass(frozen=True)
class Work:
    """What workers run on items.

    Attributes
    ----------
    function : str
        The name, as ``module:qualname``, of a callable that takes the payload. What it returns is
        called for each item with the item, the lost rows (a mapping of row number to
        :class:`Death`) and a :data:`Marker`; its result must be picklable.
    payload : bytes
        Pickled; it is sent to each worker once.
    """

    function: str
    payload: bytes

    @classmethod
    def of(cls, function: str, payload: object, objects: Iterable[object] = ()) -> Work:
        """Pickle a payload.

        Parameters
        ----------
        function : str
        payload : object
        objects : iterable
            Those objects in the payload that users may have defined. A class in ``__main__`` cannot
            be imported elsewhere; cloudpickle, where it is installed, sends it whole.
        """
        own = {type(one).__name__: None for one in objects if type(one).__module__ == "__main__"}
        try:
            if not own:
                return cls(function, pickle.dumps(payload))
            import cloudpickle

            return cls(function, cloudpickle.dumps(payload))
        except ImportError:
            raise CannotSendError(
                f"{', '.join(own)}: is defined in __main__, where other processes cannot import "
                "it; move it to a module, install cloudpickle, or score in this process with "
                "workers=0"
            ) from None
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise CannotSendError(
                f"the measures cannot be sent to other processes ({error}); score in this process "
                "with workers=0"
            ) from None


def available_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextlib.contextmanager
def without_ctrl_c() -> Iterator[None]:
    """Block Ctrl-C for the processes and threads that are started here, from their first moment."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Worker:
    """The parent's end of one worker: its process, pipes to and from it, and its mark."""

    def __init__(self) -> None:
        self._board: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115, closed with the process
        self._board.write(_MARK.pack(-1, math.inf))
        self._board.flush()
        board = self._board.fileno()
        # A worker can import whatever this process can, such as measures in the current folder.
        paths = [os.path.abspath(path) for path in sys.path]  # noqa: PTH100, '' is the cwd
        with without_ctrl_c():
            self.process = subprocess.Popen(
                [sys.executable, "-c", _COMMAND, str(board)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                pass_fds=(board,),
                env=os.environ | {"PYTHONPATH": os.pathsep.join(paths), "PYTHONSAFEPATH": "1"},
            )
        self._inward = cast(IO[bytes], self.process.stdin)
        self._outward = cast(IO[bytes], self.process.stdout)
        self._work: Work | None = None
        self._late = False

    @property
    def ended(self) -> bool:
        """Whether the process is gone."""
        return self.process.poll() is not None

    def run(self, work: Work, item: object, lost: Mapping[int, Death]) -> Any:
        """The result for an item; a _DiedError if the worker dies, a WorkError if it fails."""
        try:
            news = None if self._work == work else work
            _write_message(self._inward, (news, item, lost))
            self._work = work
            self._wait()
            done, answer = _read_message(self._outward)
        except (EOFError, BrokenPipeError):
            code = self.process.wait()
            late = self._late or code == -signal.SIGPROF
            raise _DiedError(self._mark()[0], Death(code, late)) from None
        if not done:
            raise WorkError(answer)
        return answer

    def _mark(self) -> tuple[int, float]:
        self._board.seek(0)
        row, seconds = _MARK.unpack(self._board.read(_MARK.size))
        return row, seconds

    def _wait(self) -> None:
        """Wait for the answer, and kill a worker that is on one row for too long.

        One that waits for something uses no processor time, so its own timer does not end it. A
        worker that is gone never answers, though a process it forked may hold the pipe open.
        """
        (row, seconds), since = self._mark(), time.monotonic()
        answer = select.poll()  # select itself is limited to the first 1,024 files
        answer.register(self._outward, select.POLLIN)
        while not answer.poll(1000 * min(_LOOK_SECONDS, seconds * _PATIENCE)):
            if self.ended:
                raise EOFError
            if (mark := self._mark())[0] != row or row < 0:
                (row, seconds), since = mark, time.monotonic()
            elif time.monotonic() - since >= seconds * _PATIENCE:
                self._late = True
                self.process.kill()

    def close(self) -> None:
        """Kill the process, which holds nothing of value."""
        self.process.kill()
        self.process.wait()
        for stream in (self._inward, self._outward, self._board):
            # What was not yet written is of no use, and another thread may close it, too.
            with contextlib.suppress(OSError, ValueError):
                stream.close()


class WorkerPool:
    """Workers, started when they are needed and replaced when they die.

    Parameters
    ----------
    workers : int
        How many items are worked on at a time by :meth:`submit` and :meth:`map`.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        # A thread per worker: the thread waits, the worker works.
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="codekin")
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._lock = threading.Lock()
        self._closed = False

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all workers at once."""
        with self._lock:
            self._closed = True
            workers, self._all, self._idle = self._all, set(), []
        for worker in workers:
            worker.close()
        self._threads.shutdown(wait=True, cancel_futures=True)

    def submit(self, work: Work, item: object) -> Future[Any]:
        """Run an item as soon as a worker is free."""
        return self._threads.submit(self.run, work, item)

    def map(self, work: Work, items: Iterable[_Item]) -> Iterator[tuple[_Item, Future[Any]]]:
        """Run items, in their order whichever is done first; a few are read ahead."""
        waiting: deque[tuple[_Item, Future[Any]]] = deque()
        for item in items:
            waiting.append((item, self.submit(work, item)))
            if len(waiting) > 2 * self._workers:
                yield waiting.popleft()
        yield from waiting

    def run(self, work: Work, item: object) -> Any:
        """Run an item, in a worker of this thread; rows that kill workers are lost, and no others.

        Raises
        ------
        WorkError
            Where a worker cannot load the function or the payload, or cannot even begin.
        """
        deaths: Counter[int] = Counter()
        lost: dict[int, Death] = {}
        while True:
            worker = self._take()
            try:
                answer = worker.run(work, item, lost)
            except _DiedError as error:
                self._discard(worker)
                deaths[error.row] += 1
                if error.row < 0 and deaths[error.row] >= _STARTS:
                    raise WorkError(
                        f"{_STARTS} workers died before they came to a row "
                        f"({error.death.manner}); see what they printed above"
                    ) from None
                if error.row >= 0 and (error.death.late or deaths[error.row] >= TRIES):
                    lost[error.row] = error.death
            except BaseException:
                self._discard(worker)
                raise
            else:
                with self._lock:
                    self._idle.append(worker)
                return answer

    def _take(self) -> _Worker:
        """A worker that is idle, or a new one."""
        with self._lock:
            if self._closed:
                raise CodekinError("the job was stopped")
            while self._idle:
                worker = self._idle.pop()
                if not worker.ended:
                    return worker
                self._all.discard(worker)
                worker.close()
            worker = _Worker()
            self._all.add(worker)
            return worker

    def _discard(self, worker: _Worker) -> None:
        with self._lock:
            self._all.discard(worker)
        worker.close()


_home = WorkerPool(1)


def run_here(work: Work, item: object) -> Any:
    """Run an item in a worker of the machine that calls this: what other executors are given.

    The workers stay for the next item, and end by themselves when none comes.
    """
    return _home.run(work, item)


def _write_message(stream: IO[bytes], message: object) -> None:
    data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(_LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def _read_message(stream: IO[bytes]) -> Any:
    """What :func:`_write_message` wrote; EOFError where the other side is gone."""
    (length,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    return pickle.loads(_exactly(stream, length))


def _exactly(stream: IO[bytes], length: int) -> bytearray:
    """The next bytes of a stream that may give fewer at a time."""
    data = bytearray(length)
    view, filled = memoryview(data), 0
    while filled < length:
        count = stream.readinto(view[filled:])  # type: ignore[attr-defined]
        if not count:
            raise EOFError
        filled += count
    return data


def main(board: int) -> None:
    """Be a worker: run items from stdin until the parent is gone or sends none for a while.

    Parameters
    ----------
    board : int
        The descriptor of the file for the mark.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the parent, which decides
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGPROF})
    # Unbuffered: select would not see a message that a buffer already holds.
    inward, outward = os.fdopen(os.dup(0), "rb", buffering=0), os.fdopen(os.dup(1), "wb")
    _redirect_streams()
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    try:
        _serve(inward, outward, _marker(board))
    except MemoryError:  # another worker may have memory for the row, so the parent decides
        os._exit(_OUT_OF_MEMORY)


def _serve(inward: IO[bytes], outward: IO[bytes], mark: Marker) -> None:
    run: Callable[[Any, Mapping[int, Death], Marker], Any] | None = None
    gc.freeze()
    gc.disable()  # rows hold no cycles, and looking for some takes a share of the time
    while select.select([inward], [], [], _IDLE_SECONDS)[0]:
        try:
            work, item, lost = _read_message(inward)
        except EOFError:
            break
        except MemoryError:
            raise
        except Exception as error:
            answer: tuple[bool, Any] = False, _reason(error)
        else:
            try:
                run = _loaded(work) if work is not None else run
                assert run is not None
                # Again for each item: a measure, or whoever started the job, may have ignored it.
                signal.signal(signal.SIGPROF, signal.SIG_DFL)
                answer = True, run(item, lost, mark)
            except MemoryError:
                raise
            except Exception as error:  # of the work; those of rows are handled in it
                answer = False, _reason(error)
        mark(-1, math.inf)
        try:
            _write_message(outward, answer)
        except BrokenPipeError:  # the parent was killed, and nobody waits for an answer
            os._exit(1)
        gc.collect()
        gc.freeze()  # what is left is modules and tables, which the next collection can skip


def _loaded(work: Work) -> Any:
    try:
        return pkgutil.resolve_name(work.function)(pickle.loads(work.payload))
    except MemoryError:
        raise
    except Exception as error:  # whatever a module of the user does when it is imported
        raise CodekinError(
            f"{_reason(error)}. A measure of your own must be importable where rows are scored"
        ) from None


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, CodekinError) else f"{type(error).__name__}: {error}"


def _redirect_streams() -> None:
    """Keep a measure, and the programs it starts, from reading messages or printing into them."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # the job was started without a stderr
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)


def _marker(board: int) -> Marker:
    """Mark a row where the parent can read it, and give it its processor time.

    Processor time, because a row is not to blame for a machine that was busy or asleep. The timer's
    signal kills the worker, since a parser in an endless loop never returns to the interpreter.
    """
    memory = memoryview(mmap.mmap(board, _MARK.size))
    rows, limits = memory[:8].cast("q"), memory[8:].cast("d")

    def mark(row: int, seconds: float) -> None:
        limits[0] = seconds  # before the row, which the parent reads first
        rows[0] = row
        signal.setitimer(signal.ITIMER_PROF, seconds if row >= 0 and seconds < math.inf else 0)

    return mark


def _end_with(parent: int) -> None:
    """End this process when the parent is gone, whatever it is doing."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
