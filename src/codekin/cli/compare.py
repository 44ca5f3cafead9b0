"""``codekin compare``: one candidate against its references."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from codekin.cli.inputs import read_inputs
from codekin.cli.measure_option import MeasuresOption, chosen_measures
from codekin.cli.output import Color, ColorOption, console, print_json, say
from codekin.errors import CodekinError
from codekin.measures import Measure, Score, compare, distinct, measure, measure_label
from codekin.measures.cssg import Cssg
from codekin.report.document import NamedSource, comparison_document
from codekin.report.terminal import explanations, header, score_table, signatures

__all__ = ["compare_command"]


class _Format(StrEnum):
    TABLE = "table"
    JSON = "json"
    HTML = "html"
    SVG = "svg"


_DRAWN = (_Format.HTML, _Format.SVG)
_MOST_EXPLAINED = 200_000
"""Bytes of a text beyond which an explanation may take minutes."""


def compare_command(
    context: typer.Context,
    candidate: Annotated[
        str, typer.Argument(metavar="CANDIDATE", help="The file to judge; - is stdin.")
    ],
    reference: Annotated[
        str, typer.Argument(metavar="REFERENCE", help="What it should be like; - is stdin.")
    ],
    more: Annotated[
        list[str] | None,
        typer.Option("--reference", "-r", metavar="FILE", help="A further reference."),
    ] = None,
    origin: Annotated[
        str | None,
        typer.Option("--origin", metavar="FILE", help="What both were made from, for edits."),
    ] = None,
    measures: MeasuresOption = None,
    language: Annotated[
        str | None,
        typer.Option(
            "--language", "-l", help="The language of every text; else by suffix, then by content."
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", "-e", help="Show what each measure matched.")
    ] = False,
    output: Annotated[
        _Format,
        typer.Option(
            "--format",
            help="A table for people, JSON, or what cssg matched: a page of both texts and "
            "graphs, or the picture alone.",
        ),
    ] = _Format.TABLE,
    path: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="The page or picture.")
    ] = None,
    color: ColorOption = Color.AUTO,
) -> None:
    """Score one file against another, or several, under every measure or the chosen ones."""
    if context.args:
        raise CodekinError(_too_many([candidate, reference, *context.args]))
    if path is not None and output not in _DRAWN:
        raise CodekinError("-o names the file of --format html or svg; others go to stdout")
    chosen = chosen_measures(measures)
    if output in _DRAWN:
        chosen = [_drawn_measure(chosen)]
    needy = [measure_label(one) for one in chosen or () if one.needs_origin]
    if needy and origin is None:
        raise CodekinError(
            f"{', '.join(needy)}: compares edits, and needs --origin FILE, what both were made from"
        )
    start = [] if origin is None else [origin]
    before, (first, *others) = _parted(
        read_inputs([*start, candidate, reference, *(more or [])], language), bool(start)
    )
    if explain:
        _check_explainable([first, *others])
    comparison = compare(
        first.source,
        origin=None if before is None else before.source,
        references=[other.source for other in others],
        measures=chosen,
    )
    if output in _DRAWN:
        (score,) = comparison.values()
        _draw(score, [first, *others], output, path)
        return
    if output is _Format.JSON:
        document = comparison_document(comparison, first, others, before, explain=explain)
        print_json(document)
        return
    labels = distinct(measure_label(score.measure) for score in comparison.values())
    scores = dict(zip(labels, comparison.values(), strict=True))
    screen = console(color)
    screen.print(header(first, others, before), soft_wrap=True)
    screen.print(score_table(scores))
    screen.print(signatures(scores), soft_wrap=True)
    if explain:
        screen.print(explanations(scores, screen.width))


def _drawn_measure(chosen: Sequence[Measure] | None) -> Measure:
    """The measure of graphs among those chosen; the default where none were."""
    found = [measure("cssg")] if chosen is None else [m for m in chosen if isinstance(m, Cssg)]
    if len(found) != 1:
        why = f"there are {len(found)}; name one" if found else "name it: -m cssg"
        raise CodekinError(f"--format html and svg draw what cssg matched, and no other; {why}")
    return found[0]


def _draw(score: Score, inputs: list[NamedSource], output: _Format, path: Path | None) -> None:
    """Write the page or the picture of the graphs, to a file or to stdout."""
    from codekin.report.graph.pair_page import pair_text  # which tables start sooner without
    from codekin.report.graph.stages import check_output, write_output

    if path is not None:
        check_output(path, output.value)
    first, second = score.pair
    names = [next(one.name for one in inputs if one.source is source) for source in (first, second)]
    text = pair_text(score, names, output.value)
    if path is None:
        sys.stdout.write(text)
    else:
        write_output(text, path)
        say(f"Written: {path.resolve()}")


def _check_explainable(inputs: list[NamedSource]) -> None:
    for one in inputs:
        if len(one.source.data) > _MOST_EXPLAINED:
            raise CodekinError(
                f"{one.name}: has {len(one.source.data):,} bytes; texts of more than "
                f"{_MOST_EXPLAINED:,} are not explained; leave --explain out"
            )


def _too_many(files: list[str]) -> str:
    """What may have been meant by more than two files."""
    return (
        f"{len(files)} files are given, and compare takes two, CANDIDATE and REFERENCE; name what "
        "both were made from with --origin FILE and a further reference with -r FILE, or show "
        "both edits with codekin align ORIGIN REFERENCE CANDIDATE"
    )


def _parted(
    inputs: list[NamedSource], with_origin: bool
) -> tuple[NamedSource | None, list[NamedSource]]:
    """The origin, where there is one, and the other inputs."""
    return (inputs[0], inputs[1:]) if with_origin else (None, inputs)
