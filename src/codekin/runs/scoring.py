"""score: many rows by several measures, into a run that can be resumed."""

from __future__ import annotations

import itertools
import os
import re
import shlex
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codekin.errors import CodekinError
from codekin.measures import (
    Measure,
    built_in_measure,
    distinct,
    given_measures,
    measure,
    measure_label,
    measure_names,
    named_classes,
)
from codekin.measures.foreign import is_target, nothing_imported
from codekin.runs.executors import Backend, backend_for
from codekin.runs.job import Progress, run_job, say_note
from codekin.runs.manifest import (
    describe_settings,
    differences,
    input_differences,
    read_manifest,
    resume_command,
    versions,
)
from codekin.runs.rows import Shard, open_rows
from codekin.runs.run import Run
from codekin.runs.settings import RowView, Settings, check_reading, chosen_measures, view_of
from codekin.whole_files import is_leftover, working_on

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["arguments_of", "measures_to_resume", "named_again", "score"]


def score(
    rows: Any,
    measures: str | Measure | Sequence[str | Measure] | None = None,
    *,
    output: str | Path | None = None,
    workers: int | None = None,
    executor: Executor | Client | None = None,
    columns: Mapping[str, str] | None = None,
    language: str | None = None,
    max_bytes: int = 1_000_000,
    max_seconds: float = 600.0,
    texts: bool = True,
    shard_rows: int | None = None,
    resume: bool = False,
    report: Callable[[Progress], None] = say_note,
    view: RowView | None = None,
) -> Run:
    """Score rows by several measures.

    Parameters
    ----------
    rows : rows of any kind
        A list of dicts, a pandas or polars frame, an Arrow table, a Hugging Face dataset, or the
        path of a file or folder (JSON lines, plain or compressed, CSV, Parquet). Each row has a
        ``candidate``, a ``reference`` or ``references``, and may have ``id``, ``language``,
        ``reference_language``, ``origin``, ``group``, ``weight`` and ``outcome``.
    measures : str, Measure or sequence of them, optional
        Every measure by default; those that need an origin only if the rows have one. A name
        may have parameters, as on the command line: ``"bleu:order=2"``.
    output : str or Path, optional
        The folder to write; by default, a temporary one that is deleted with the Run.
    workers : int, optional
        Worker processes (default: one per core). 0 scores in this process, which a bad row may
        crash.
    executor : concurrent.futures.Executor or distributed.Client, optional
        Where to score instead.
    columns : mapping of str to str, optional
        Maps a field named above to its name in the rows.
    language : str, optional
        The language of rows without one; detected by default.
    max_bytes : int
        Rows whose texts are longer together are recorded and not scored.
    max_seconds : float
        The processor time that a row may take, or ten times as much by the wall clock; a row that
        takes longer is recorded and not scored. Scores do not depend on it.
    texts : bool
        Whether the run keeps the texts, which reports show.
    shard_rows : int, optional
        How many rows a file of the run has; by default 125 at first, so that a short job has work
        for every worker, and then up to 1,000.
    resume : bool
        Resume the run in `output`. It must have the same rows and settings, and ends up the same,
        byte for byte, as if it had never been stopped.
    report : callable, optional
        Called with the progress; by default only its notes are printed, on stderr.
    view : RowView, optional
        How to make rows from records that are not pairs, as :func:`codekin.evaluate_triplets` and
        others do.

    Returns
    -------
    Run

    Examples
    --------
    >>> rows = [
    ...     {"id": "1", "language": "python", "candidate": "x = 1", "reference": "x = 1"},
    ...     {"id": "2", "language": "python", "candidate": "x = 2", "reference": "y = 1"},
    ... ]
    >>> run = score(rows, ["exact", "nes"], workers=0)
    >>> run.values("nes").tolist()
    [1.0, 0.6]
    """
    columns = {} if columns is None else columns
    check_reading(columns, shard_rows, view)
    _refuse_runs(rows)
    given = open_rows(rows)
    shards = given.shards(shard_rows)
    first = next(shards, None)
    origin = first is not None and _has_origin(first, columns.get("origin", "origin"), view)
    chosen, skipped = chosen_measures(measures, origin=origin)
    settings = Settings(
        chosen, dict(columns), language, max_bytes, max_seconds, texts, shard_rows, view
    )
    manifest = {
        "input": given.describe(),
        "asked": describe_settings(settings),
        "skipped": list(skipped),
        "versions": versions(),
    }
    whole = shards if first is None else itertools.chain([first], shards)
    # Nothing is written before all settings have been checked.
    with backend_for(settings, workers, executor) as backend:
        if output is not None:
            folder = _folder(output, manifest, resume=resume)
            _work(folder, manifest, whole, backend, report)
            return Run(folder, chosen)
        if resume:
            raise CodekinError("score: to resume a run, name its folder (output)")
        folder = Path(tempfile.mkdtemp(prefix="codekin-"))
        try:
            (folder / "shards").mkdir()
            _work(folder, manifest, whole, backend, report)
            run = Run(folder, chosen)
        except BaseException:  # nobody knows the folder, so it could not be resumed
            shutil.rmtree(folder, ignore_errors=True)
            raise
    weakref.finalize(run, shutil.rmtree, folder, ignore_errors=True)
    return run


def _work(
    folder: Path,
    manifest: Mapping[str, Any],
    shards: Iterator[Shard],
    backend: Backend,
    report: Callable[[Progress], None],
) -> None:
    with working_on(folder):
        run_job(folder, manifest, shards, backend, report)


def _refuse_runs(rows: Any) -> None:
    """Refuse a run, most likely given by mistake: its Parquet files would pass for rows."""
    for one in rows if isinstance(rows, list | tuple) else [rows]:
        # os.path, since a text that is not a path is not yet an error here.
        if isinstance(one, str | Path) and os.path.isfile(os.path.join(one, "manifest.json")):  # noqa: PTH113, PTH118
            raise CodekinError(f"{one}: is a run; name the rows that it was made from")


def _has_origin(shard: Shard, column: str, view: RowView | None) -> bool:
    if view is not None and "origin" not in view.fields:
        return False
    return any((record.fields or {}).get(column) is not None for record in shard.records())


def _folder(output: str | Path, manifest: dict[str, Any], *, resume: bool) -> Path:
    """The folder of a run, new or to be resumed."""
    folder = Path(output)
    try:
        if resume:
            was = read_manifest(folder)
            _refuse_changes(folder, was, manifest)
            manifest["input"], manifest["skipped"] = was["input"], was["skipped"]
        else:
            _refuse_taken(folder)
        (folder / "shards").mkdir(parents=True, exist_ok=True)
        if (folder / "shards").is_symlink():
            raise CodekinError(
                f"{folder / 'shards'}: is a link, and a run is never written through one; put the "
                "folder that it points to in its place"
            )
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise CodekinError(f"{output}: {getattr(error, 'strerror', None) or error}") from None
    return folder


def _refuse_taken(folder: Path) -> None:
    """Refuse a folder that is not empty, except a run that was killed at its very start."""
    if (folder / "manifest.json").exists():
        raise CodekinError(
            f"{folder}: holds a run already; resume it, name another folder, or delete it"
        )
    if folder.exists() and not folder.is_dir():
        raise CodekinError(f"{folder}: is a file; a run is a folder, name a new one")
    inside = list(folder.iterdir()) if folder.is_dir() else []
    others = [one for one in inside if one.name != "shards" and not is_leftover(one)]
    if others or any((folder / "shards").glob("*")):
        raise CodekinError(f"{folder}: is a folder with other things in it; name a new one")


def _refuse_changes(folder: Path, was: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Refuse whatever would mix two kinds of scores in one run."""
    changes = input_differences(was["input"], now["input"])
    changes += differences(was["asked"], now["asked"])
    changes += differences(was["versions"], now["versions"])
    if changes:
        raise CodekinError(
            f"{folder}: cannot be resumed, since it would no longer be one run: "
            f"{'; '.join(changes)}. Undo these changes, or score into a new folder"
        )


def arguments_of(
    folder: str | Path,
    rows: Sequence[str] | None = None,
    measures: Sequence[str | Measure] | None = None,
) -> dict[str, Any]:
    """The arguments of :func:`score` that made a run, to resume it.

    Parameters
    ----------
    folder : str or Path
        The run. One whose measures or rows exist only in the Python that made it cannot be
        resumed from its folder alone.
    rows : sequence of str, optional
        Where the rows are now; by default, where they were.
    measures : sequence of Measure, optional
        The measures that were named again; see :func:`measures_to_resume`.
    """
    run = Run(folder)
    chosen = measures_to_resume(run, measures)
    source = run.manifest["input"]
    if source["kind"] not in ("files", "stdin"):
        raise CodekinError(
            f"{folder}: its rows came from Python; resume it there, with the same rows: "
            "codekin.score(rows, ..., resume=True)"
        )
    if rows is None:
        rows = ["-"] if source["kind"] == "stdin" else [one["path"] for one in source["files"]]
        gone = [path for path in rows if path != "-" and not Path(path).exists()]
        if gone:
            raise CodekinError(
                f"{folder}: its rows were in {gone[0]}, and there is no such file from here; say "
                f"where they are now: {resume_command(run.manifest, Path(folder), 'ROWS')}"
            )
    settings = run.manifest["asked"]

    names = ("columns", "language", "max_bytes", "max_seconds", "texts", "shard_rows")
    return {
        "rows": rows,
        "measures": chosen,
        **{name: settings[name] for name in names},
        "view": view_of(settings.get("view")),
    }


def measures_to_resume(run: Run, given: Sequence[str | Measure] | None = None) -> list[Measure]:
    """The measures of a run to resume.

    Built-in measures are made from their names. Others are code that the run only names, and code
    is not loaded because a file names it, so they must be named again.

    Parameters
    ----------
    run : Run
    given : sequence of str or Measure, optional
        What was named now: all that are not built in, or all measures of the run.
    """
    named = given_measures(given)
    missing = [one.label for one in run.measures if one.measure is None]
    changed = [label for label in missing if _is_built_in(label)]
    if named is not None and not changed:
        if set(distinct([measure_label(one) for one in named])) != set(missing):
            return list(named)  # all of them, or others, which is checked later
        chosen = [(one.label, one.measure) for one in Run(run.path, named).measures]
        changed = [label for label, one in chosen if one is None]
        if not changed:
            return [one for _, one in chosen if one is not None]
    if changed:
        raise CodekinError(
            f"{run.path}: {', '.join(changed)} is no longer what the run was scored with: its "
            "code or its parameters have changed; undo that, or score into a new folder"
        )
    words = [re.sub(r" \d+$", "", label) for label in missing]  # a second one alike has a number
    unknown = [word for word in words if not _can_be_named(word)]
    if unknown:
        raise CodekinError(
            f"{run.path}: {', '.join(unknown)} cannot be made from its name; resume the run from "
            "Python, with the same measures: codekin.score(..., resume=True)"
        )
    if missing:
        options = [piece for word in words for piece in ("-m", word)]
        again = f"{resume_command(run.manifest, run.path)} {shlex.join(options)}"
        raise CodekinError(
            f"{run.path}: was scored by {', '.join(missing)}, which is not codekin's own, and code "
            f"is not loaded because a run names it; name it again: {again}"
        )
    return [one.measure for one in run.measures if one.measure is not None]


def named_again(measures: Sequence[str | Measure] | None) -> list[str]:
    """The command-line options to resume a run with these measures.

    Parameters
    ----------
    measures : sequence of str or Measure, optional
        Every measure by default.
    """
    chosen = given_measures(measures) or [measure(name) for name in measure_names()]
    labels = [measure_label(one) for one in chosen]
    return [word for label in labels if not _is_built_in(label) for word in ("-m", label)]


def _is_built_in(label: str) -> bool:
    try:
        built_in_measure(label)
    except CodekinError:
        return False
    return True


def _can_be_named(label: str) -> bool:
    """Whether a command line can name a measure, as far as is known without loading it."""
    with nothing_imported():
        own = named_classes()  # which others may be inside of
    added = [one.name for one in metadata.entry_points(group="codekin.measures")]
    return is_target(label) or label.partition(":")[0] in (*own, *added)
