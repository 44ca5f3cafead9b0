"""The options of commands that train or use detectors, and the bar while one trains."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from codekin.errors import CodekinError

if TYPE_CHECKING:
    from codekin.detectors.detector import TrainingProgress

__all__ = ["SettingsOption", "TrainedOption", "given_settings", "training_bar"]

TrainedOption = Annotated[
    Path | None,
    typer.Option(
        "--model",
        metavar="FOLDER",
        help="A detector that was trained (default: one that comes with codekin, for Java or C).",
    ),
]

SettingsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="A setting that is not kept with a detector, such as device=cpu, or a measure or a "
        "detector that is not codekin's own. Repeat it for more.",
    ),
]


def given_settings(given: Sequence[str] | None) -> dict[str, str]:
    """The settings of `--set`."""
    found: dict[str, str] = {}
    for one in given or ():
        name, equals, value = one.partition("=")
        if not equals or not name.strip():
            raise CodekinError(f"--set: cannot read {one!r}; write NAME=VALUE, such as device=cpu")
        if name.strip() in found:
            raise CodekinError(f"--set: {name.strip()} is given twice")
        found[name.strip()] = value
    return found


@contextmanager
def training_bar() -> Iterator[Callable[[TrainingProgress], None] | None]:
    """A bar on stderr with loss, validation AP and time left; none without a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
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
