"""The options of commands that train or use detectors, and the bar while one trains."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from codekin.detectors.detector import TrainingProgress

__all__ = ["TrainedOption", "training_bar"]

TrainedOption = Annotated[
    Path | None,
    typer.Option(
        "--model",
        metavar="FOLDER",
        help="A detector that was trained.",
    ),
]


@contextmanager
def training_bar(color: str = "auto") -> Iterator[Callable[[TrainingProgress], None] | None]:
    """A bar on stderr with loss, validation AP and time left; none without a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True, no_color=color == "never" or None)
    columns = (
        TextColumn("epoch {task.fields[epoch]}/{task.fields[epochs]}"),
        BarColumn(),
        TextColumn("loss {task.fields[loss]:.4f}"),
        TextColumn("validation AP {task.fields[validation]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=1.0, epoch=0, epochs=0, loss=float("nan"), validation="–")

        def report(at: TrainingProgress) -> None:
            known = at.validation == at.validation
            bar.update(
                task,
                completed=at.epoch - 1 + at.done / at.pairs,
                total=at.epochs,
                epoch=at.epoch,
                epochs=at.epochs,
                loss=at.loss,
                validation=f"{at.validation:.3f}" if known else "–",
            )

        yield report
