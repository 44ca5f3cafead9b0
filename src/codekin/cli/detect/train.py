"""``codekin detect train``: a detector trained on a corpus, and tested."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from codekin.cli.corpus.corpus_options import CorpusArgument, ReadingOptions, check_output, read
from codekin.cli.detect.detector_options import training_bar
from codekin.cli.options import (
    STATISTICS,
    PrintOptions,
    SeedOption,
    WorkersOption,
    command,
    folder_option,
)
from codekin.cli.output import emit, say, tables
from codekin.errors import CodekinError

__all__ = ["train_command"]


@command(
    example="codekin detect train snippets.jsonl --view cross-project --level 1 --model tbccd "
    "-o model",
    formats=STATISTICS,
)
def train_command(
    corpus: CorpusArgument,
    output: Annotated[Path, folder_option("Folder to write the detector to.")],
    model: Annotated[
        str,
        typer.Option(
            "--model",
            metavar="NAME",
            help="The detector, with settings if needed (tbccd:epochs=4); see detect models.",
        ),
    ] = "tbccd",
    view: Annotated[
        str | None,
        typer.Option(
            "--view",
            metavar="NAME",
            help="How to split: random, cross-project, cross-functionality or cross-all (default: "
            "as the corpus is).",
        ),
    ] = None,
    level: Annotated[
        str | None,
        typer.Option(
            "--level",
            metavar="LEVEL",
            help="Abstract code first: 0 to 3 or abs (default: as it is).",
        ),
    ] = None,
    size: Annotated[
        int | None,
        typer.Option(
            "--size",
            min=2,
            metavar="N",
            help="Most training pairs (default: all that are given; 100000 where pairs are drawn).",
        ),
    ] = None,
    draw: Annotated[
        bool,
        typer.Option("--draw", help="Draw pairs by functionality in place of those given."),
    ] = False,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    *,
    reading: ReadingOptions,
    printing: PrintOptions,
) -> None:
    """Train a detector on a corpus, and test it.

    Labelled pairs are used as they are, on the sides that they have; pairs without sides are split
    with their snippets. Only where a corpus has none, pairs are drawn by functionality.
    """
    from codekin.detectors.fitting import train_detector

    check_output(output)
    if Path(model, "model.json").is_file():
        raise CodekinError(
            f"--model {model}: is a trained detector, and not one to train, such as tbccd; detect "
            "predict and detect search use it"
        )
    given = read(corpus, reading)
    with training_bar() as bar:
        made, found = train_detector(
            given,
            model,
            view=view,
            level=level,
            pairs=size,
            draw=draw,
            seed=seed,
            workers=workers,
            progress=bar,
        )
    made.save(output)
    emit(printing, tables(found), warnings=found.warnings())
    say(f"Written: {output.resolve()}", err=printing.chosen != "table")
