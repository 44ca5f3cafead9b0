"""``codekin evaluate``: how far measures can be trusted, with one file per evaluation."""

from __future__ import annotations

import typer

from codekin.cli.command_table import Entry, lazy_group
from codekin.evaluation.registry import EVALUATIONS

__all__ = ["COMMANDS", "app"]

COMMANDS = tuple(Entry(one.name, one.basis, one.summary) for one in EVALUATIONS)

app = typer.Typer(
    cls=lazy_group("codekin.cli.evaluate", COMMANDS),
    help="Judge measures: by right and wrong programs, test outcomes, known changes and edits.",
    epilog="Example: codekin evaluate card -m bleu,tsed",
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _options() -> None:
    pass
