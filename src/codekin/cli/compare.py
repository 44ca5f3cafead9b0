"""``codekin compare``: one candidate against its references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from codekin.cli.inputs import read_inputs
from codekin.cli.options import LanguageOption, MeasuresOption, ResultOptions, command
from codekin.cli.output import Rendering, emit, print_notes, say
from codekin.errors import CodekinError

if TYPE_CHECKING:
    from rich.console import Console

    from codekin.measures import Measure
    from codekin.source import NamedSource

__all__ = ["compare_command"]

_DRAWN = ("html", "svg")
_MOST_EXPLAINED = 200_000
"""Longer texts, in bytes, may take minutes to explain."""


@command(
    example="codekin compare mine.py yours.py -m bleu,tsed --explain",
    formats=("table", "json", *_DRAWN),
    extra_words=True,
)
def compare_command(
    context: typer.Context,
    candidate: Annotated[
        str, typer.Argument(metavar="CANDIDATE", help="File to judge; - is stdin.")
    ],
    reference: Annotated[
        str, typer.Argument(metavar="REFERENCE", help="File to compare it with; - is stdin.")
    ],
    more: Annotated[
        list[str] | None,
        typer.Option("--reference", "-r", metavar="FILE", help="A further reference."),
    ] = None,
    origin: Annotated[
        str | None,
        typer.Option(
            "--origin", metavar="FILE", help="What both were made from, for measures of edits."
        ),
    ] = None,
    measures: MeasuresOption = None,
    language: LanguageOption = None,
    explain: Annotated[
        bool, typer.Option("--explain", "-e", help="Show what each measure matched.")
    ] = False,
    *,
    result: ResultOptions,
) -> None:
    """Score one file against another, or against several.

    HTML and SVG show what cssg matched: a page with both texts and graphs, or the picture alone.
    """
    from codekin.measures import compare, given_measures, measure_label

    if context.args:
        raise CodekinError(_too_many([candidate, reference, *context.args]))
    chosen = given_measures(measures or None)
    if result.chosen in _DRAWN:
        chosen = [_drawn_measure(chosen)]
        if origin is not None:
            raise CodekinError(
                "html and svg draw what cssg matched, which takes no --origin; leave it out, or "
                "show both edits with codekin align CANDIDATE REFERENCE --origin ORIGIN"
            )
    of_edits = [measure_label(one) for one in chosen or () if one.needs_origin]
    if of_edits and origin is None:
        do = "compares edits, and needs" if len(of_edits) == 1 else "compare edits, and need"
        raise CodekinError(f"{', '.join(of_edits)} {do} --origin FILE, what both were made from")
    start = [] if origin is None else [origin]
    before, (first, *others) = _parted(
        read_inputs([*start, candidate, reference, *(more or [])], language), bool(start)
    )
    compared = [first, *others, *([] if before is None else [before])]
    _say_empty(compared)
    if explain:
        _check_explainable([first, *others])
    comparison = replace(
        compare(
            first.source,
            origin=None if before is None else before.source,
            references=[other.source for other in others],
            measures=chosen,
        ),
        files=tuple(compared),
        explained=explain,
    )

    def screen(to: Console) -> None:
        from codekin.report.terminal import explanations, score_table

        (grid,) = comparison.grids()
        to.print(grid.title, style="bold", soft_wrap=True)
        to.print(score_table(grid))
        print_notes(to, comparison.notes())
        if explain:
            scores = dict(zip(comparison.labels, comparison.values(), strict=True))
            to.print(explanations(scores, to.width))

    texts = {"json": comparison.to_json, "html": comparison.to_html, "svg": comparison.to_svg}
    emit(result, Rendering(texts, screen))


def _drawn_measure(chosen: Sequence[Measure] | None) -> Measure:
    """The measure of graphs among those chosen; the default where none were."""
    from codekin.measures import measure
    from codekin.measures.cssg import Cssg

    found = [measure("cssg")] if chosen is None else [m for m in chosen if isinstance(m, Cssg)]
    if len(found) != 1:
        why = f"there are {len(found)}; name one" if found else "name it: -m cssg"
        raise CodekinError(f"html and svg draw what cssg matched, and no other measure; {why}")
    return found[0]


def _say_empty(inputs: list[NamedSource]) -> None:
    for one in inputs:
        if not one.source.text.strip():
            what = "has only white space" if one.source.text else "is empty"
            say(f"codekin: {one.name}: {what}", err=True)


def _check_explainable(inputs: list[NamedSource]) -> None:
    for one in inputs:
        if len(one.source.data) > _MOST_EXPLAINED:
            raise CodekinError(
                f"{one.name}: has {len(one.source.data):,} bytes; texts of more than "
                f"{_MOST_EXPLAINED:,} are not explained; leave --explain out"
            )


def _too_many(files: list[str]) -> str:
    """What more than two files may have been meant for."""
    return (
        f"{len(files)} files are given, but compare takes two, CANDIDATE and REFERENCE; name what "
        "both were made from with --origin FILE and a further reference with -r FILE, or show "
        "both edits with codekin align CANDIDATE REFERENCE --origin ORIGIN"
    )


def _parted(
    inputs: list[NamedSource], with_origin: bool
) -> tuple[NamedSource | None, list[NamedSource]]:
    """The origin, where there is one, and the other inputs."""
    return (inputs[0], inputs[1:]) if with_origin else (None, inputs)
