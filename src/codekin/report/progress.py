"""A scoring job in the terminal: its progress while it runs, and what came of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from shlex import quote

from rich.console import Console, Group, RenderableType
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text

from codekin.errors import CodekinError
from codekin.measures import built_in_measure
from codekin.report.render import terminal
from codekin.results import EFFECT_DIGITS, Grid, count_text, interval_text, percent_text
from codekin.runs.failures import ChanceTally, JobSummary, failure_lines
from codekin.runs.job import Progress as JobProgress
from codekin.runs.job import say_note

__all__ = ["MOST_SUMMARIZED", "job_text", "progress_bar"]

MOST_SUMMARIZED = 50_000
"""The intervals of this many rows take about a second; those of more are left to summarize."""


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(_rate_text(task.fields["scored"], task.elapsed or 0))


class _Left(ProgressColumn):
    """The time left, by the share of the input that is done."""

    def render(self, task: Task) -> Text:
        share, before = task.fields["share"], task.fields["before"]
        if share is None or before is None or share <= before or not task.elapsed:
            return Text("")
        seconds = task.elapsed * (1 - share) / (share - before)
        return Text(f"{_duration(seconds)} left")


@contextmanager
def progress_bar() -> Iterator[Callable[[JobProgress], None]]:
    """A bar on stderr with rate and time left; only notes where stderr is no terminal.

    It yields a function that takes the progress and draws it.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield say_note
        return
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.fields[rows]:,} rows"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        _Rate(),
        _Left(),
        TextColumn("[red]{task.fields[trouble]}"),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=1.0, rows=0, scored=0, share=None, before=None, trouble="")

        def report(progress: JobProgress) -> None:
            if progress.note is not None:
                console.print(f"codekin: {progress.note}", markup=False, soft_wrap=True)
            fields = bar.tasks[0].fields
            # What a resumed run has already tells nothing of the time that the rest will take.
            before = progress.share if not progress.scored else fields["before"]
            bar.update(
                task,
                completed=progress.share or 0.0,
                total=None if progress.share is None else 1.0,
                rows=progress.rows,
                scored=progress.scored,
                share=progress.share,
                before=before or 0.0,
                trouble=f"{progress.failed:,} failed" if progress.failed else "",
            )

        yield report


def _rate_text(rows: int, seconds: float) -> str:
    return f"{rows / seconds:,.0f} rows/s" if rows and seconds > 0 else ""


def _duration(seconds: float) -> str:
    """A time for people.

    Examples
    --------
    >>> _duration(0.4), _duration(75), _duration(7300)
    ('0 s', '1 min 15 s', '2 h 1 min')
    """
    whole = int(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def job_text(
    job: JobSummary,
    means: Grid,
    notes: Sequence[str],
    scored: int,
    seconds: float,
    width: int,
    *,
    hint: bool = True,
) -> RenderableType:
    """What a job has done: rows, means, failures by reason, and what to do next.

    Parameters
    ----------
    job : JobSummary
    means : Grid
        The mean of each measure, with or without an interval.
    notes : sequence of str
        About the means.
    scored : int
        How many rows were scored now; a resumed run had the others already.
    seconds : float
        How long that took.
    width : int
        Of the terminal.
    hint : bool
        Whether to say how to write a report.
    """
    parts: list[RenderableType] = [Text(_headline(job.rows, scored, seconds))]
    parts += [Text(line, "yellow") for line in _left_out(job.skipped)]
    if job.rows:
        shown = terminal(replace(means, title=""), width)
        parts += ["", shown, *(Text(note, "dim") for note in notes)]
        parts += [""] if notes else []
    if job.calibrated is not None:
        parts += [Text(_expected(job.calibrated)), ""]
    # A summary notes the texts, too; other means do not.
    more = [Text(note, "dim") for note in job.text_notes() if note not in notes]
    more += [Text(warning, "yellow") for warning in job.text_warnings()]
    parts += [*more, ""] if more else []
    parts += _reasons(job)
    folder = quote(job.run)
    if job.rows > MOST_SUMMARIZED:
        parts.append(Text(f"With intervals: codekin summarize {folder}"))
    if job.rows and hint:
        parts.append(Text(f"Look at it: codekin report {folder} -o report.html"))
    return Group(*parts)


def _left_out(skipped: Sequence[str]) -> list[str]:
    """Which measures were not computed, and why.

    Examples
    --------
    >>> _left_out(["tsed", "es"])
    ['left out, since the rows have no origin: es', 'left out, since they need code: tsed']
    """
    edits = [name for name in skipped if _compares_edits(name)]
    others = [name for name in skipped if name not in edits]
    found = {"the rows have no origin": edits, "they need code": others}
    return [f"left out, since {why}: {', '.join(names)}" for why, names in found.items() if names]


def _compares_edits(name: str) -> bool:
    try:
        return built_in_measure(name).needs_origin
    except CodekinError:  # a measure that another version has
        return False


def _headline(rows: int, scored: int, seconds: float) -> str:
    """What was done, in a line.

    Examples
    --------
    >>> _headline(1000, 1000, 2.0)
    '1,000 rows in 2 s (500 rows/s)'
    >>> _headline(1, 0, 2.0)
    '1 row, scored before'
    """
    if not rows:
        return "the input has no rows"
    if not scored:
        return f"{count_text(rows, 'row')}, scored before"
    rate = _rate_text(scored, seconds)
    now = f"{count_text(scored, 'row')} in {_duration(seconds)}{rate and f' ({rate})'}"
    return now if scored == rows else f"{now}, {rows:,} with those from before"


def _expected(one: ChanceTally) -> str:
    """The mean probability, in a line."""
    ends = interval_text(one.interval, digits=EFFECT_DIGITS)
    return (
        f"expected rate by {one.calibration}: {one.mean:.3f} {ends} at {percent_text(one.level)}, "
        f"over {count_text(one.rows, 'row')}"
    )


def _reasons(job: JobSummary) -> list[Text]:
    if not job.failures:
        return []
    have = "has" if job.failed == 1 else "have"
    lines = [Text(f"{job.failed:,} of {job.rows:,} rows {have} no score by some measure:", "red")]
    lines += [Text(f"  {line}") for line in failure_lines(job.failures)]
    return [*lines, Text("")]
