"""``codekin evaluate adequacy``: which criteria of revision similarity a measure keeps."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from codekin.cli.measure_option import MeasuresOption, chosen_measures
from codekin.cli.output import Color, ColorOption, console, say
from codekin.cli.statistics_options import (
    LevelOption,
    TableFormat,
    TableFormatOption,
    print_statistics,
)

__all__ = ["adequacy_command"]

_FEW = 2
"""Of so many measures the counter-examples are shown unasked."""


def adequacy_command(
    measures: MeasuresOption = None,
    criteria: Annotated[
        list[str] | None,
        typer.Option(
            "--criterion",
            metavar="NAME",
            help="A criterion, such as 1b, or 3 for all of a property. May be repeated; all by "
            "default.",
        ),
    ] = None,
    cases: Annotated[
        int, typer.Option("--cases", min=1, help="How many cases of each criterion.")
    ] = 200,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Which cases are made.")] = 0,
    languages: Annotated[
        list[str] | None,
        typer.Option(
            "--language",
            "-l",
            metavar="NAME",
            help="A language of the cases: python, java, c, cpp or javascript. May be repeated; "
            "all by default.",
        ),
    ] = None,
    level: LevelOption = 0.95,
    examples: Annotated[
        bool | None,
        typer.Option(
            "--examples/--no-examples",
            help="Show the smallest counter-examples, in a table or Markdown; of one or two "
            "measures by default.",
            show_default=False,
        ),
    ] = None,
    output_format: TableFormatOption = TableFormat.TABLE,
    color: ColorOption = Color.AUTO,
) -> None:
    """The adequacy criteria of the Excision Score paper, on generated edits.

    Each case is an origin and revisions of it whose edits are known. A criterion that not one case
    breaks holds; of each that is broken, the smallest counter-example is shown.
    """
    from codekin.evaluation.adequacy.judge import evaluate_adequacy
    from codekin.report.judging.adequacy_examples import counter_examples_text
    from codekin.report.judging.adequacy_tables import (
        adequacy_document,
        adequacy_grids,
        adequacy_notes,
        adequacy_records,
        adequacy_warnings,
    )

    with _progress(color) as draw:
        judgement = evaluate_adequacy(
            chosen_measures(measures),
            cases=cases,
            seed=seed,
            languages=languages or None,
            criteria=criteria or None,
            level=level,
            report=draw,
        )
    readable = output_format in (TableFormat.TABLE, TableFormat.MARKDOWN)
    wanted = len(judgement.measures) <= _FEW if examples is None else examples
    notes = adequacy_notes(judgement)
    if readable and not wanted:
        notes.append("the counter-examples: --examples, or -m NAME for a measure's own")
    print_statistics(
        output_format,
        color,
        grids=adequacy_grids(judgement),
        notes=notes,
        warnings=adequacy_warnings(judgement),
        document=adequacy_document(judgement),
        records=adequacy_records(judgement),
    )
    if readable and wanted:
        text = counter_examples_text(judgement, _width())
        if text and output_format is TableFormat.MARKDOWN:
            text = f"```text\n{text}\n```"
        if text:
            say(f"\n{text}")


@contextmanager
def _progress(color: Color) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr that is told of criteria; nothing where stderr is no terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda done, of: None
        return
    from rich.console import Console
    from rich.progress import Progress

    screen = Console(stderr=True, no_color=True if color is Color.NEVER else None)
    with Progress(console=screen, transient=True) as bar:
        task = bar.add_task("criteria", total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)


def _width() -> int:
    """What a terminal, or COLUMNS, has room for; a file gets a hundred cells."""
    if not sys.stdout.isatty() and "COLUMNS" not in os.environ:
        return 100
    return console().width
