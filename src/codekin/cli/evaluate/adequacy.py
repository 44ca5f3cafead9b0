"""``codekin evaluate adequacy``: which criteria of revision similarity a measure meets."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from codekin.cli.options import (
    STATISTICS,
    MeasuresOption,
    ResultOptions,
    SeedOption,
    command,
    complete_languages,
)
from codekin.cli.output import Rendering, console, emit, plain_lines, progress, tables

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["adequacy_command"]

_FEW = 2
"""Up to this many measures, counter-examples are shown by default."""


def _complete_criteria(incomplete: str) -> list[str]:
    from codekin.evaluation.adequacy import CRITERIA

    return [name for name in CRITERIA if name.startswith(incomplete.lower())]


@command(example="codekin evaluate adequacy -m es-token --criterion 3", formats=STATISTICS)
def adequacy_command(
    measures: MeasuresOption = None,
    criteria: Annotated[
        list[str] | None,
        typer.Option(
            "--criterion",
            metavar="NAME",
            help="A criterion, such as 1b, or 3 for all of a property (default: all). May be "
            "repeated.",
            autocompletion=_complete_criteria,
            show_default=False,
        ),
    ] = None,
    cases: Annotated[
        int, typer.Option("--cases", min=1, metavar="N", help="Cases per criterion.")
    ] = 200,
    seed: SeedOption = 0,
    languages: Annotated[
        list[str] | None,
        typer.Option(
            "--language",
            "-l",
            metavar="NAME",
            help="A language of the cases: python, java, c, cpp or javascript (default: all). May "
            "be repeated.",
            autocompletion=complete_languages,
            show_default=False,
        ),
    ] = None,
    examples: Annotated[
        bool | None,
        typer.Option(
            "--examples/--no-examples",
            help="Show the smallest counter-examples, in a table or Markdown (default: for one or "
            "two measures).",
            show_default=False,
        ),
    ] = None,
    *,
    result: ResultOptions,
) -> None:
    """Test measures of edits against the adequacy criteria.

    The criteria are those of the Excision Score paper. Each case is an origin and revisions of it
    whose edits are known. A criterion holds if no case breaks it; for each that is broken, the
    smallest counter-example is shown.
    """
    from codekin.evaluation.adequacy import evaluate_adequacy
    from codekin.report.adequacy_examples import counter_examples_text

    with progress("criteria") as draw:
        judgement = evaluate_adequacy(
            measures or None,
            cases=cases,
            seed=seed,
            languages=languages or None,
            criteria=criteria or None,
            report=draw,
        )
    readable = result.chosen in ("table", "markdown")
    wanted = len(judgement.measures) <= _FEW if examples is None else examples
    notes = judgement.notes()
    if readable and not wanted:
        notes.append("the counter-examples: --examples, or -m NAME for a measure's own")
    rendering = tables(judgement, notes=notes)
    if readable and wanted:
        rendering = _with_text(rendering, counter_examples_text(judgement, _width()))
    emit(result, rendering, warnings=judgement.warnings())


def _with_text(rendering: Rendering, text: str) -> Rendering:
    """The rendering with a text below the tables, for people and in Markdown."""
    tables_alone = rendering.screen
    if not text or tables_alone is None:
        return rendering

    def screen(to: Console) -> None:
        tables_alone(to)
        to.print(f"\n{text}", soft_wrap=True)

    def markdown() -> str:
        return f"{rendering.text('markdown')}\n```text\n{plain_lines(text)}\n```\n"

    return Rendering({**rendering.texts, "markdown": markdown}, screen)


def _width() -> int:
    """The width of the terminal, or COLUMNS; 100 for a file."""
    if not sys.stdout.isatty() and "COLUMNS" not in os.environ:
        return 100
    return console().width
