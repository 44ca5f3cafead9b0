"""demo: the rows that come with codekin, scored by every measure, and their report."""

from __future__ import annotations

import json
import tempfile
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from codekin.plain_text import plain
from codekin.report.render import terminal
from codekin.report.summary import MeasureCell, SystemSummary
from codekin.results import Grid, measure_text
from codekin.runs.failures import Failure

if TYPE_CHECKING:
    from codekin.report.run_report import RunReport
    from codekin.runs.run import Run

__all__ = ["TITLE", "demo", "demo_runs", "demo_summary", "read_demo", "read_demo_edits"]

TITLE = "Predictions and edits, seen by every measure"


def demo(path: str | Path | None = None) -> RunReport:
    """Score the rows that come with codekin by every measure, and make their report.

    Parameters
    ----------
    path : str or Path, optional
        A file to save the report to.

    Returns
    -------
    RunReport
        Of predictions and of edits; it takes about ten seconds.
    """
    from codekin.report.page_file import check_place
    from codekin.report.run_report import report

    if path is not None:
        check_place(Path(path))
    with demo_runs() as runs:
        return report(runs, path, TITLE)


def read_demo() -> list[dict[str, str]]:
    """The predictions that come with codekin, each with its reference."""
    return _read("demo.jsonl")


def read_demo_edits() -> list[dict[str, str]]:
    """The edits that come with codekin, each with its origin and the edit of reference."""
    return _read("demo_edits.jsonl")


def _read(name: str) -> list[dict[str, str]]:
    text = resources.files("codekin").joinpath("data", name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line]


@contextmanager
def demo_runs() -> Iterator[tuple[Run, Run]]:
    """Predictions and edits under every measure that suits them, in runs that go with the block."""
    from codekin.runs.scoring import score

    with tempfile.TemporaryDirectory(prefix="codekin-") as name:
        folder = Path(name)
        yield (
            score(read_demo(), output=folder / "predictions", workers=0),
            score(read_demo_edits(), output=folder / "edits", workers=0),
        )


def _means(summary: SystemSummary) -> Grid:
    """Mean scores by group and measure; ``=`` marks what scores as well as the touchstone."""
    measures = summary.measures.items()
    cells = tuple(
        (group, pairs, *(_mean(summary.cells[group, name], far) for name, far in measures))
        for group, pairs in summary.systems.items()
    )
    blind = frozenset(
        (row, 2 + column)
        for row, group in enumerate(summary.systems)
        for column, name in enumerate(summary.measures)
        if summary.cells[group, name].blind
    )
    heads = (measure_text(name, far) for name, far in measures)
    return Grid("", ("group", "n", *heads), cells, keys=2, strong=blind)


def _mean(cell: MeasureCell, distance: bool) -> str:
    shown = cell.text(distance)
    if not distance:  # every column counts in a terminal
        shown = "1.00" if shown == "1.000" else shown.removeprefix("0")
    return f"={shown}" if cell.blind else shown


def _tie(group: str, tied: int, scored: int) -> str:
    return f"={group}" if tied == scored else f"{group} ({tied} of {scored})"


def demo_summary(
    summary: SystemSummary, what: str, failures: Sequence[Failure], width: int
) -> RenderableType:
    """The table of means, what each measure cannot tell apart, and what failed."""
    rows = sum(summary.systems.values())
    touchstone = " or ".join(dict.fromkeys(summary.touchstones.values()))
    parts: list[RenderableType] = [
        Text(f"{rows} {what}, mean score by group (↓ a distance: 0 is equal)"),
        "",
        terminal(_means(summary), width),
        Text(f"What scores as well as {touchstone} (= for a whole group)", "bold yellow"),
    ]
    longest = max(map(len, summary.measures), default=0)
    for name in summary.measures:
        ties = ", ".join(_tie(*tie) for tie in summary.ties(name)) or "none"
        lines = textwrap.wrap(
            f"{name:<{longest}} {ties}",
            max(width, longest + 20),
            subsequent_indent=" " * (longest + 1),
            break_on_hyphens=False,
        )
        parts.append(Text("\n".join(lines)))
    for one in failures:
        what = f"{one.label or 'every measure'} failed on {one.rows}, first {plain(one.first)}"
        parts.append(Text(f"{what}: {plain(one.reason)}", "red"))
    return Group(*parts)
