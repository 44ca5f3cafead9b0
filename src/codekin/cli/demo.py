"""``codekin demo``: bundled predictions and edits by every measure, with a report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from codekin.cli.options import PageOption, command
from codekin.cli.output import check_place, console

__all__ = ["demo_command"]


@command(example="codekin demo -o report.html")
def demo_command(
    output: PageOption = Path("codekin-report.html"),
    report: Annotated[
        bool, typer.Option("--report/--no-report", help="Write the HTML report.")
    ] = True,
) -> None:
    """Score bundled examples with every measure, and write a report."""
    from codekin.report.demo import TITLE, demo_runs, demo_summary
    from codekin.report.run_report import report as make_report
    from codekin.report.run_scores import gather
    from codekin.report.summary import summarise
    from codekin.runs.failures import failures

    if report:
        check_place(output, "html")
    screen = console()
    with demo_runs() as runs:
        for run in runs:
            summary = summarise(gather(run), intervals=False)
            screen.print(demo_summary(summary, run.name, failures(run), screen.width))
            screen.print()
        if report:
            make_report(runs, output, TITLE)
            screen.print(f"Report: {output.resolve()}", soft_wrap=True)
