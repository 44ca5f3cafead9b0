"""Processes that score shards, and what happens when a row kills one."""

from __future__ import annotations

import pickle
import select
import signal
import struct
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import IO

from codekin.errors import CodekinError
from codekin.runs.children import ChildPool, ChildProcess
from codekin.runs.rows import Shard
from codekin.runs.settings import Settings
from codekin.runs.shard_scoring import ScoredShard
from codekin.runs.worker import OUT_OF_MEMORY, read_message, write_message

__all__ = ["Packed", "Processes", "packed", "score_here"]

_COMMAND = "import sys; from codekin.runs.worker import main; main(int(sys.argv[1]))"
_TRIES = 3
"""So many processes may die of a row before it is recorded as one that cannot be scored."""
_PATIENCE = 10
"""A row may take so many times its processor time by the clock on the wall."""
_LOOK_SECONDS = 5.0
"""So often it is looked whether a process that gives no answer is still there."""
_STARTS = 10
"""So many may die on a shard before they come to a row, as when the machine has no memory left."""


class _DiedError(Exception):
    """A process ended in the middle of a shard."""

    def __init__(self, row: int, code: int, *, late: bool) -> None:
        super().__init__(row, code)
        self.row = row
        self.code = code
        self.late = late


class _Process(ChildProcess):
    """One process, and the eight bytes that say which row it is on."""

    def __init__(self) -> None:
        self._board: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115, closed with the process
        self._board.write(struct.pack("q", -1))
        self._board.flush()
        number = self._board.fileno()
        super().__init__(_COMMAND, str(number), files=(number,))
        self._told: bytes | None = None
        self._late = False

    def score(self, settings: Packed, shard: Shard, lost: Mapping[int, str]) -> ScoredShard:
        try:
            news = None if self._told == settings.data else settings.data
            write_message(self.inward, (news, shard, dict(lost)))
            self._told = settings.data
            self._wait(settings.max_seconds * _PATIENCE)
            answer = read_message(self.outward)
        except (EOFError, BrokenPipeError):
            code = self._process.wait()
            late = self._late or code == -signal.SIGPROF
            raise _DiedError(self._row(), code, late=late) from None
        if not isinstance(answer, ScoredShard):
            raise CodekinError(
                f"rows {shard.first_row + 1} to {shard.first_row + len(shard)} cannot be scored: "
                f"{answer}. A measure of your own must be importable where rows are scored"
            )
        return answer

    def _row(self) -> int:
        self._board.seek(0)
        (row,) = struct.unpack("q", self._board.read(8))
        return int(row)

    def _wait(self, seconds: float) -> None:
        """Wait for the answer; a process that stays on one row so long waits for something itself.

        It uses no processor time then, so its own clock does not end it. A process that is gone
        answers no more, though one that it has forked may hold its end of the pipe.
        """
        row, since = self._row(), time.monotonic()
        answer = select.poll()  # select itself knows no files past the first 1,024
        answer.register(self.outward, select.POLLIN)
        while not answer.poll(1000 * min(_LOOK_SECONDS, seconds)):
            if self.ended:
                raise EOFError
            if (now := self._row()) != row or now < 0:
                row, since = now, time.monotonic()
            elif time.monotonic() - since >= seconds:
                self._late = True
                self._process.kill()

    def close(self) -> None:
        """End the process at once; it holds nothing that is not also elsewhere."""
        super().close()
        self._board.close()


class Processes(ChildPool[_Process]):
    """Scoring processes, as many as there are threads that ask."""

    def __init__(self) -> None:
        super().__init__(_Process, "score: the job was stopped")

    def score(self, settings: Packed, shard: Shard) -> ScoredShard:
        """Score a shard in a process of its own; a row that kills it is recorded in the shard.

        Parameters
        ----------
        settings : Packed
            As :func:`packed` gives them.
        shard : Shard
        """
        deaths: Counter[int] = Counter()
        lost: dict[int, str] = {}
        while True:
            process = self.take()
            try:
                scored = process.score(settings, shard, lost)
            except _DiedError as death:
                self.discard(process)
                deaths[death.row] += 1
                if death.row < 0 and deaths[death.row] >= _STARTS:
                    raise CodekinError(_lost_shard(shard, death.code)) from None
                if death.row >= 0 and (death.late or deaths[death.row] >= _TRIES):
                    lost[death.row] = _lost_row(death.code, death.late)
            except BaseException:
                self.discard(process)
                raise
            else:
                self.give(process)
                return scored


def _lost_row(code: int, late: bool) -> str:
    if late:
        return "took longer than a row may (max_seconds)"
    return f"the process died of this row, {_TRIES} times ({_manner(code)})"


def _lost_shard(shard: Shard, code: int) -> str:
    last = shard.first_row + len(shard)
    return (
        f"rows {shard.first_row + 1} to {last}: the process that should score them died "
        f"{_STARTS} times before it came to a row ({_manner(code)}); see what it printed above"
    )


def _manner(code: int) -> str:
    if code == OUT_OF_MEMORY:
        return "out of memory"
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {-code}, {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"


@dataclass(frozen=True)
class Packed:
    """Settings on their way to another process.

    Attributes
    ----------
    data : bytes
        All of them, pickled.
    max_seconds : float
        The one that this side must know too.
    """

    data: bytes
    max_seconds: float


def packed(settings: Settings) -> Packed:
    """The settings as bytes that another process can read.

    Measures that stand in ``__main__`` cannot be imported there; they are sent along whole where
    cloudpickle is installed.
    """
    own = [one for one in settings.measures if type(one).__module__ == "__main__"]
    try:
        if not own:
            return Packed(pickle.dumps(settings), settings.max_seconds)
        import cloudpickle

        return Packed(cloudpickle.dumps(settings), settings.max_seconds)
    except ImportError:
        names = ", ".join(type(one).__name__ for one in own)
        raise CodekinError(
            f"{names}: is defined in __main__, where other processes cannot import it; move it "
            "to a module, install cloudpickle, or score in this process with workers=0"
        ) from None
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise CodekinError(
            f"the measures cannot be sent to other processes ({error}); score in this process "
            "with workers=0"
        ) from None


_home = Processes()


def score_here(settings: Packed, shard: Shard) -> ScoredShard:
    """Score a shard on the machine that calls this; what executors of others are given to run.

    The processes stay for the next shard, and end by themselves when none comes.
    """
    return _home.score(settings, shard)
