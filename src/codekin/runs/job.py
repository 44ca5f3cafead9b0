"""A scoring job: shards in, files out; it can be interrupted and resumed."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from codekin.errors import CodekinError
from codekin.opening import read_file
from codekin.runs.executors import Backend, BackendLostError
from codekin.runs.manifest import FORMAT, ShardEntry, read_manifest, resume_command
from codekin.runs.rows import Shard
from codekin.runs.seals import seal_manifest, sha256_of, shard_is_whole
from codekin.runs.shard_scoring import ScoredShard
from codekin.runs.shard_table import MOST_SHARD_BYTES, shard_note
from codekin.runs.workers import WorkError
from codekin.whole_files import is_leftover, whole_file

__all__ = ["Progress", "run_job", "say_note"]

_MANIFEST_SECONDS = 5.0
_LOSSES = 3
_LOOK_SECONDS = 5.0
"""After this time without a scored shard, the job checks whether its backend works."""


@dataclass(frozen=True)
class Progress:
    """How far a job has come.

    Attributes
    ----------
    rows, failed : int
        Rows in the run, and those that lack a score by any measure.
    scored : int
        Rows that this call has scored; the others were there before.
    share : float or None
        The share of the input that is done, from 0 to 1; None if its size is unknown.
    note : str or None
        What the user should know now: damaged files that are scored again, or a cluster without
        workers. It is given once.
    """

    rows: int
    failed: int
    scored: int
    share: float | None
    note: str | None = None


def say_note(progress: Progress) -> None:
    """Print the note of a job's progress on stderr, if there is one."""
    if progress.note is not None and sys.stderr is not None:
        print(f"codekin: {progress.note}", file=sys.stderr)


def run_job(
    folder: Path,
    manifest: Mapping[str, Any],
    shards: Iterable[Shard],
    backend: Backend,
    report: Callable[[Progress], None] = say_note,
) -> None:
    """Score every shard of the input that the folder does not yet have.

    Parameters
    ----------
    folder : Path
        The run folder; it holds the manifest and a folder ``shards``.
    manifest : mapping
        The manifest without its shards and its state.
    shards : iterable of Shard
        The whole input, from its first shard on.
    backend : Backend
    report : callable
        Called with the progress after each shard, and with notes for the user.
    """
    job = _Job(folder, manifest, backend, report)
    try:
        for shard in shards:
            if not job.has(shard):
                job.submit(shard)
        job.finish()
    except BaseException as error:
        job.cancel()
        if isinstance(error, BackendLostError):
            raise CodekinError(
                f"{folder}: {error}; what is scored is kept, and the run can be resumed: "
                f"{resume_command(manifest, folder)}"
            ) from None
        raise


class _Job:
    def __init__(
        self,
        folder: Path,
        manifest: Mapping[str, Any],
        backend: Backend,
        report: Callable[[Progress], None],
    ) -> None:
        self._folder = folder
        self._manifest = manifest
        self._backend = backend
        self._report = report
        self._pending: dict[Future[ScoredShard], Shard] = {}
        self._losses: dict[int, int] = {}
        self._entries: dict[int, ShardEntry] = {}
        self._progress = Progress(0, 0, 0, 0.0)
        self._records = 0
        self._begun = False
        self._end: int | None = None
        for one in [*folder.iterdir(), *(folder / "shards").iterdir()]:
            if is_leftover(one):
                with contextlib.suppress(OSError):
                    one.unlink()
        self._damaged: list[str] = []
        self._problem: str | None = None
        self._known: dict[str, str] = {}
        if not (folder / "manifest.json").exists():
            self._begin()
            return
        was = read_manifest(folder)
        self._known = {shard["file"]: shard["sha256"] for shard in was["shards"]}
        if was["state"] == "complete":
            self._end = was["records"]

    def _begin(self) -> None:
        """Mark the run as running; an older manifest is kept until there is work to do."""
        if not self._begun:
            self._write_manifest("running")
            self._begun = True

    def has(self, shard: Shard) -> bool:
        """Whether the folder already has the shard, with the same rows."""
        path = self._file(shard.index)
        if path.is_symlink():  # one to a device would be written to
            path.unlink()
        if not path.exists():
            return False
        if not path.is_file():
            raise CodekinError(f"{path}: is not a file; delete it, and resume the run")
        digest, note = self._verified(path)
        if note.get("shard") != shard.index:  # or moved here from another place
            self._damaged.append(path.name)  # it is scored again, and replaced
            return False
        if note.get("input") != shard.digest():
            raise self._changed(
                f"{_row_range(shard)} are not those that were scored into {path.name}"
            )
        self._add(shard, ShardEntry(note["rows"], note["failed"], digest), scored=0)
        return True

    def _verified(self, path: Path) -> tuple[str, dict[str, Any]]:
        """The digest of a shard and its note; an empty note if it is damaged.

        A shard that the manifest does not list yet must contain its own digest.
        """
        try:
            data = read_file(path, within=self._folder, limit=MOST_SHARD_BYTES)
            digest = sha256_of(data)
            known = self._known.get(f"shards/{path.name}")
            if digest != known if known is not None else not shard_is_whole(data):
                return digest, {}
            note = shard_note(pq.read_schema(pa.BufferReader(data)).metadata)
        except (CodekinError, OSError, ValueError, pa.ArrowException):
            return "", {}
        counted = all(isinstance(note.get(name), int) for name in ("rows", "failed"))
        return digest, note if counted else {}

    def submit(self, shard: Shard) -> None:
        """Submit a shard; waits while more than enough are pending."""
        if self._end is not None and shard.first_row + len(shard) > self._end:
            raise self._changed(
                f"it had {self._end:,} rows when the run was complete, and has more"
            )
        self._begin()
        try:
            self._pending[self._backend.submit(shard)] = shard
        except BrokenExecutor as error:
            raise self._broken(error) from None
        # One more per worker, so that none waits for this process to read.
        while len(self._pending) >= 2 * self._backend.capacity():
            self._collect()

    def finish(self) -> None:
        """Wait for the rest, and complete the manifest."""
        if self._damaged:
            self._report(replace(self._progress, note=_damage(self._folder, self._damaged)))
        while self._pending:
            self._collect()
        there = {path.name for path in (self._folder / "shards").glob("*.parquet")}
        if beyond := there - {self._file(index).name for index in self._entries}:
            raise self._changed(
                f"it ends after {self._progress.rows:,} rows, and the run goes on with "
                f"{min(beyond)}"
            )
        self._write_manifest("complete")

    def cancel(self) -> None:
        """Cancel what is pending, or an executor of the caller would still run it."""
        for future in self._pending:
            future.cancel()

    def _changed(self, how: str) -> CodekinError:
        return CodekinError(
            f"{self._folder}: the input has changed: {how}; score into a new folder"
        )

    def _broken(self, error: BrokenExecutor) -> CodekinError:
        return CodekinError(
            f"{self._folder}: the executor broke ({error or type(error).__name__}); "
            "resume the run with a new one"
        )

    def _collect(self) -> None:
        done, _ = wait(self._pending, _LOOK_SECONDS, FIRST_COMPLETED)
        if not done:
            self._report_problem()
        for future in done:
            shard = self._pending.pop(future)
            try:
                scored = future.result()
            except CodekinError:
                raise
            except WorkError as error:
                raise CodekinError(f"{_row_range(shard)} cannot be scored: {error}") from None
            except BrokenExecutor as error:
                raise self._broken(error) from None
            except (Exception, CancelledError) as error:
                self._retry(shard, error)
                continue
            self._write(self._file(scored.index), scored.data)
            entry = ShardEntry(scored.rows, scored.failed, sha256_of(scored.data))
            self._add(shard, entry, scored=scored.rows)

    def _report_problem(self) -> None:
        """Report once why nothing is happening."""
        problem = self._backend.problem()
        if problem is not None and problem != self._problem:
            self._report(replace(self._progress, note=problem))
        self._problem = problem

    def _retry(self, shard: Shard, error: BaseException) -> None:
        """Resubmit a shard that was lost, for example with a worker of a cluster."""
        losses = self._losses[shard.index] = self._losses.get(shard.index, 0) + 1
        if losses >= _LOSSES:
            raise CodekinError(
                f"{self._folder}: {_row_range(shard)} could not be scored "
                f"({type(error).__name__}: {error}); resume the run when the cause is fixed"
            ) from error
        self._pending[self._backend.submit(shard)] = shard

    def _add(self, shard: Shard, entry: ShardEntry, scored: int) -> None:
        self._entries[shard.index] = entry
        self._records += len(shard)
        was = self._progress
        known = shard.share is not None and was.share is not None
        self._progress = Progress(
            was.rows + entry.rows,
            was.failed + entry.failed,
            was.scored + scored,
            max(was.share, shard.share) if known else None,  # type: ignore[type-var]
        )
        if scored and time.monotonic() - self._written > _MANIFEST_SECONDS:
            self._write_manifest("running")
        self._report(self._progress)

    def _file(self, index: int) -> Path:
        return self._folder / "shards" / f"{index:06}.parquet"

    def _write_manifest(self, state: str) -> None:
        entries = sorted(self._entries.items())
        content = {
            "format": FORMAT,
            "state": state,
            "records": self._records,
            "rows": self._progress.rows,
            "failed": self._progress.failed,
            **self._manifest,
            "shards": [
                {"file": f"shards/{index:06}.parquet", **asdict(one)} for index, one in entries
            ],
        }
        text = json.dumps(seal_manifest(content), indent=1, ensure_ascii=True) + "\n"
        self._write(self._folder / "manifest.json", text.encode())
        self._written = time.monotonic()

    def _write(self, path: Path, data: bytes) -> None:
        """Write a file completely or not at all, even if this process or machine dies."""
        try:
            with whole_file(path, durable=True) as stream:
                stream.write(data)
        except OSError as error:
            raise CodekinError(
                f"{path}: {error.strerror or error}; what is scored is kept: make room and "
                f"resume with {resume_command(self._manifest, self._folder)}"
            ) from None


def _row_range(shard: Shard) -> str:
    return f"rows {shard.first_row + 1} to {shard.first_row + len(shard)}"


def _damage(folder: Path, names: list[str]) -> str:
    """Which files had to be scored again."""
    shown = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
    what = "1 damaged file is" if len(names) == 1 else f"{len(names):,} damaged files are"
    return f"{folder}: {what} scored again ({shown})"
