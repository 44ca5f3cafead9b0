"""The process that scores shards: it reads them from stdin, and may die of a row.

Its parent sees which row it was on (a shared number) and how it died (the exit code), starts
another, and goes on. See :mod:`codekin.runs.processes` for the parent's side.
"""

from __future__ import annotations

import gc
import mmap
import os
import pickle
import select
import signal
import struct
import threading
import time
from collections.abc import Callable
from typing import IO, Any

from codekin.runs.settings import Settings
from codekin.runs.shard_scoring import RecentSources, score_shard

__all__ = ["OUT_OF_MEMORY", "main", "read_message", "write_message"]

OUT_OF_MEMORY = 77
"""The exit code of a process that had no memory left for a row."""
_LENGTH = struct.Struct("<Q")
_IDLE_SECONDS = 60.0
"""After so long without work a process ends; its parent starts another when there is some."""


def write_message(stream: IO[bytes], message: object) -> None:
    """Write an object with its length before it."""
    data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(_LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def read_message(stream: IO[bytes]) -> Any:
    """Read an object that :func:`write_message` wrote; EOFError where the other side is gone."""
    (length,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    return pickle.loads(_exactly(stream, length))


def _exactly(stream: IO[bytes], length: int) -> bytearray:
    """So many bytes of a stream that may give fewer at a time."""
    data = bytearray(length)
    view, filled = memoryview(data), 0
    while filled < length:
        count = stream.readinto(view[filled:])  # type: ignore[attr-defined]
        if not count:
            raise EOFError
        filled += count
    return data


def main(board: int) -> None:
    """Score shards until the parent is gone.

    Parameters
    ----------
    board : int
        A file descriptor of eight bytes, into which the number of the current row is written.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the parent, which decides
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGPROF})
    # Unbuffered: select would not see a message that a buffer already holds.
    inward, outward = os.fdopen(os.dup(0), "rb", buffering=0), os.fdopen(os.dup(1), "wb")
    _keep_off_messages()
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    try:
        _serve(inward, outward, _row_marker(board))
    except MemoryError:  # another process may have room for the row, which the parent knows
        os._exit(OUT_OF_MEMORY)


def _serve(inward: IO[bytes], outward: IO[bytes], begin_row: Callable[[int], None]) -> None:
    """Score shards as they come, until none comes for a while or nobody is there to send one."""
    settings: Settings | None = None
    recent = RecentSources()
    gc.freeze()
    gc.disable()  # rows hold no cycles, and looking for some takes a share of the time
    while select.select([inward], [], [], _IDLE_SECONDS)[0]:
        try:
            told, shard, lost = read_message(inward)
        except EOFError:
            break
        try:
            settings = pickle.loads(told) if told is not None else settings
            assert settings is not None
            # Again for each shard: a measure, or whoever started the job, may have it ignored.
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            begin = _timed(begin_row, settings.max_seconds)
            answer: object = score_shard(shard, settings, lost=lost, recent=recent, begin_row=begin)
        except MemoryError:
            raise
        except Exception as error:  # no fault of a row: those are caught where they are scored
            answer = f"{type(error).__name__}: {error}"
        try:
            write_message(outward, answer)
        except BrokenPipeError:  # the parent was killed, and nobody waits for a word about it
            os._exit(1)
        gc.collect()
        gc.freeze()  # what is still there is modules and tables, which the next round can skip


def _keep_off_messages() -> None:
    """A measure, or a program it starts, must neither read the messages nor print into them."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # the job was started without a stderr
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)


def _row_marker(board: int) -> Callable[[int], None]:
    numbers = memoryview(mmap.mmap(board, 8)).cast("q")

    def begin(number: int) -> None:
        numbers[0] = number

    return begin


def _timed(begin_row: Callable[[int], None], seconds: float) -> Callable[[int], None]:
    """Give each row so much processor time; a signal without a handler ends what takes longer.

    Processor time, because a machine that was busy or asleep is no fault of the row. A parser
    that goes in circles holds the interpreter, so nothing gentler would be heard.
    """

    def begin(number: int) -> None:
        begin_row(number)
        signal.setitimer(signal.ITIMER_PROF, 0 if number < 0 else seconds)

    return begin


def _end_with(parent: int) -> None:
    """End this process when the parent is gone, whatever it is doing."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
