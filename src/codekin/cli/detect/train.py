"""``codekin detect train``: a detector trained on a corpus, and tested."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from codekin.cli.corpus.corpus_options import CorpusArgument, check_output, read
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
        typer.Option("--size", min=2, metavar="N", help="Training pairs to draw (100000)."),
    ] = None,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    *,
    printing: PrintOptions,
) -> None:
    """Train a detector on a corpus, and test it."""
    from codekin.detectors.fitting import train_detector

    check_output(output)
    if Path(model, "model.json").is_file():
        raise CodekinError(
            f"--model {model}: is a trained detector, and not one to train, such as tbccd; detect "
            "predict and detect search use it"
        )
    given = read(corpus)
    with training_bar() as draw:
        made, found = train_detector(
            given,
            model,
            view=view,
            level=level,
            pairs=size,
            seed=seed,
            workers=workers,
            progress=draw,
        )
    made.save(output)
    say(f"Written: {output.resolve()}", err=printing.chosen != "table")
    emit(printing, tables(found), warnings=found.warnings())
