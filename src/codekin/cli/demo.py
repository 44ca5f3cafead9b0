"""``codekin demo``: bundled predictions and edits by every measure, with a report."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from codekin.cli.options import Color, ColorOption, PageOption, command
from codekin.cli.output import check_place, console

if TYPE_CHECKING:
    from codekin.runs.run import Run

__all__ = ["demo_command", "demo_runs", "read_demo", "read_demo_edits"]


@command(example="codekin demo -o report.html")
def demo_command(
    output: PageOption = Path("codekin-report.html"),
    report: Annotated[
        bool, typer.Option("--report/--no-report", help="Write the HTML report.")
    ] = True,
    color: ColorOption = Color.AUTO,
) -> None:
    """Score bundled examples with every measure, and write a report."""
    from codekin.report.run_page import write_report
    from codekin.report.run_scores import gather
    from codekin.report.summary import summarise
    from codekin.report.terminal import demo_summary
    from codekin.runs.failures import failures

    if report:
        check_place(output, "html")
    screen = console(color)
    with demo_runs() as runs:
        for run in runs:
            summary = summarise(gather(run), intervals=False)
            screen.print(demo_summary(summary, run.name, failures(run), screen.width))
            screen.print()
        if report:
            path = write_report(runs, output, "Predictions and edits, seen by every measure")
            screen.print(f"Report: {path.resolve()}", soft_wrap=True)


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
