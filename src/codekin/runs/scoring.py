"""score: many rows by several measures, into a run that can be resumed."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codekin.errors import CodekinError
from codekin.measures import (
    Measure,
    distinct,
    given_measures,
    is_built_in,
    measure,
    measure_label,
    measure_names,
    named_classes,
)
from codekin.measures.foreign import is_target, nothing_imported
from codekin.opening import UnreadableFileError, open_file
from codekin.runs.composing import name_of_rows
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
from codekin.runs.opening import (
    OpenInput,
    continued_prompts,
    guessed_language,
    judged_rows,
    open_input,
    other_language,
    refuse_unusable,
)
from codekin.runs.rows import Shard
from codekin.runs.run import CHANCES, Run
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
    references: Any = None,
    on: str | None = None,
    extract_code: str | None = None,
    missing: str | None = None,
    overwrite: bool = False,
) -> Run:
    """Score rows by several measures.

    Parameters
    ----------
    rows : rows of any kind
        A list of dicts, a pandas or polars frame, an Arrow table, a Hugging Face dataset, or the
        path of a file or folder (JSON lines, plain or compressed, CSV, Parquet). Each row has a
        ``candidate``, a ``reference`` or ``references``, and may have ``id``, ``language``,
        ``reference_language``, ``origin``, ``group``, ``weight`` and ``outcome``. Common names of
        these, such as ``completion`` and ``task_id``, are recognized. Several paths are several
        systems: rows without a group get the name of their file.
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
        Maps a field named above to its name in the rows; of files with different names, to all of
        them, separated by ``|``.
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
    references : rows of any kind, optional
        The references, if they are not with the candidates. Rows are joined by their ids, by
        another column that both share or, if there is none, by their order, which the notes of the
        run say. Text files have one text per line.
    on : str, optional
        The column that joins candidates and references (default: their ids).
    extract_code : str, optional
        Take the code out of candidates that are chat models' answers: the ``first`` block, the
        ``last``, or ``all``. By default they are compared as they are, and counted.
    missing : str, optional
        Of rows without a candidate, which include those of references or of other systems that a
        system lacks: ``zero`` gives them the score of no code at all, and is the default;
        ``skip`` gives them none.
    overwrite : bool
        Whether to replace a run in `output`; nothing but a run is ever replaced. One without a
        single score is replaced in any case.

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
    opened = open_input(
        rows, references=references, on=on, columns=columns, shard_rows=shard_rows, view=view
    )
    origin = (view is None or "origin" in view.fields) and opened.has("origin")
    chosen, skipped = chosen_measures(
        measures, origin=origin, languages=opened.languages(language) if view is None else ()
    )
    if missing is None:
        missing = "zero" if view is None else "skip"
    settings = Settings(
        chosen,
        opened.columns,
        language,
        max_bytes,
        max_seconds,
        texts,
        shard_rows,
        view,
        extract_code,
        missing,
        prompt=view is None,
        composed=opened.composed,
    )
    if view is None:
        settings = _read_first(opened, settings)
        if not resume:
            refuse_unusable(opened, settings)
    manifest = {
        "input": opened.describe(),
        "asked": {**describe_settings(settings), "on": on},
        "skipped": list(skipped),
        "recognized": opened.recognized,
        "notes": opened.notes,
        "versions": versions(),
    }
    whole = opened.shards
    # Nothing is written before all settings have been checked.
    with backend_for(settings, workers, executor) as backend:
        if output is not None:
            folder = _folder(output, manifest, resume=resume, overwrite=overwrite)
            _work(folder, manifest, whole, backend, report)
            return Run(folder, chosen)
        if resume:
            raise CodekinError("score: to resume a run, name its folder (output)")
        place = Path(tempfile.mkdtemp(prefix="codekin-"))
        folder = place / name_of_rows(rows)
        try:
            (folder / "shards").mkdir(parents=True)
            _work(folder, manifest, whole, backend, report)
            run = Run(folder, chosen)
        except BaseException:  # nobody knows the folder, so it could not be resumed
            shutil.rmtree(place, ignore_errors=True)
            raise
    weakref.finalize(run, shutil.rmtree, place, ignore_errors=True)
    return run


def _work(
    folder: Path,
    manifest: Mapping[str, Any],
    shards: Iterator[Shard],
    backend: Backend,
    report: Callable[[Progress], None],
) -> None:
    for note in manifest["notes"]:
        report(Progress(0, 0, 0, 0.0, note))
    with working_on(folder):
        run_job(folder, manifest, shards, backend, report)


def _refuse_runs(rows: Any) -> None:
    """Refuse a run, most likely given by mistake: its Parquet files would pass for rows."""
    for one in rows if isinstance(rows, list | tuple) else [rows]:
        # os.path, since a text that is not a path is not yet an error here.
        if isinstance(one, str | Path) and os.path.isfile(os.path.join(one, "manifest.json")):  # noqa: PTH113, PTH118
            raise CodekinError(f"{one}: is a run; name the rows that it was made from")


def _read_first(opened: OpenInput, settings: Settings) -> Settings:
    """The settings with what the first rows show: their language, and whether they have prompts."""
    rows = judged_rows(opened, settings)
    detects = any(measure.uses_language() for measure in settings.measures)
    if detects or any(row.prompt for row in rows):
        guess = guessed_language(opened, settings)
        if guess is not None:
            several = len(guess.names) > 1
            settings = replace(
                settings,
                language=None if several else guess.names[0],
                guessed=guess.names if several else (),
            )
            opened.notes.append(guess.note())
    rows = judged_rows(opened, settings)
    settings = replace(settings, prompt=continued_prompts(rows, settings))
    if settings.prompt:
        opened.notes.append(
            "texts that continue their prompts are compared with the prompt before them, as a test "
            "harness runs them"
        )
    warning = other_language(rows, prompt=settings.prompt)
    opened.notes += [] if warning is None else [warning]
    return settings


def _folder(output: str | Path, manifest: dict[str, Any], *, resume: bool, overwrite: bool) -> Path:
    """The folder of a run, new or to be resumed."""
    folder = Path(output)
    try:
        if resume:
            was = read_manifest(folder)
            _refuse_changes(folder, was, manifest)
            for name in ("input", "skipped", "recognized", "notes"):
                manifest[name] = was[name]
        else:
            if (folder / "manifest.json").exists():
                _remove_run(folder, overwrite=overwrite)
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


def _remove_run(folder: Path, *, overwrite: bool) -> None:
    """Remove a run, if that was asked for or if it has no score, and nothing else."""
    if not overwrite and not _is_worthless(folder):
        raise CodekinError(
            f"{folder}: holds a run already; resume it, name another folder, or replace it with "
            "--overwrite (overwrite=True)"
        )
    with working_on(folder):
        read_manifest(folder)  # refuses what is not a run
        shards = folder / "shards"
        if folder.is_symlink() or shards.is_symlink():
            raise CodekinError(f"{folder}: is reached through a link; delete the run yourself")
        inside = [*folder.iterdir(), *(shards.iterdir() if shards.is_dir() else ())]
        own = [one for one in inside if _belongs_to_run(one, folder)]
        others = [one for one in inside if one not in own and one != shards]
        if others:
            raise CodekinError(
                f"{folder}: holds other things than a run, such as {others[0].name}; name another "
                "folder, or delete it yourself"
            )
        (folder / "manifest.json").unlink()  # first, so that half a run is never taken for one
        for one in own:
            one.unlink(missing_ok=True)


def _belongs_to_run(path: Path, folder: Path) -> bool:
    if not path.is_file() or path.is_symlink():
        return False
    if path.parent == folder:
        return path.name in ("manifest.json", CHANCES) or is_leftover(path)
    return re.fullmatch(r"[0-9]{6,9}\.parquet", path.name) is not None or is_leftover(path)


def _is_worthless(folder: Path) -> bool:
    """Whether a finished run has no score at all, so that nothing is lost without it."""
    try:
        run = Run(folder)
        return run.complete and not any(tally.scored for tally in run.tallies)
    except CodekinError:
        return False


def _refuse_taken(folder: Path) -> None:
    """Refuse a folder that is not empty, except a run that was killed at its very start."""
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
    references: Any = None,
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
    references : rows of any kind, optional
        Where the references are now; by default, where they were.
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
        again = resume_command(run.manifest, run.path, "ROWS")
        for path in rows:
            if path != "-":
                _refuse_unreadable(path, run, "rows", again)
    settings = run.manifest["asked"]
    joined = source.get("references")
    if joined is not None and joined["kind"] != "files":
        raise CodekinError(
            f"{folder}: its references came from Python; resume it there, with the same ones: "
            "codekin.score(rows, ..., references=..., resume=True)"
        )

    if joined is not None and references is None:
        again = f"{resume_command(run.manifest, run.path)} --references FILE"
        for file in joined["files"]:
            _refuse_unreadable(file["path"], run, "references", again)
    names = ("columns", "language", "max_bytes", "max_seconds", "texts", "shard_rows")
    return {
        "rows": rows,
        "measures": chosen,
        **{name: settings[name] for name in names},
        "view": view_of(settings["view"]),
        **_reading_arguments(settings, joined),
    }


def _refuse_unreadable(path: str, run: Run, what: str, again: str) -> None:
    """Refuse what a manifest names as a file but is none: nobody has typed this path."""
    try:
        open_file(path).close()
    except UnreadableFileError as error:
        gone = error.reason == "no such file"
        why = "there is no such file from here" if gone else f"it {error.reason}"
        raise CodekinError(
            f"{run.path}: its {what} were in {path}, and {why}; say where they are now: {again}"
        ) from None


def _reading_arguments(
    settings: Mapping[str, Any], joined: Mapping[str, Any] | None
) -> dict[str, Any]:
    """How the rows of a run were read, where that is not as usual."""
    found = {name: settings[name] for name in ("on", "extract_code")}
    if settings["view"] is None:
        found["missing"] = settings["missing"]
    if joined is not None:
        found["references"] = [one["path"] for one in joined["files"]]
    return {name: value for name, value in found.items() if value is not None}


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
    changed = [label for label in missing if is_built_in(label)]
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
    return [word for label in labels if not is_built_in(label) for word in ("-m", label)]


def _can_be_named(label: str) -> bool:
    """Whether a command line can name a measure, as far as is known without loading it."""
    with nothing_imported():
        own = named_classes()  # which others may be inside of
    added = [one.name for one in metadata.entry_points(group="codekin.measures")]
    return is_target(label) or label.partition(":")[0] in (*own, *added)
