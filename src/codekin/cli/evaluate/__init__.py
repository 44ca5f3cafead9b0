"""``codekin evaluate``: how far a measure can be trusted, with one file per way to judge it."""

from __future__ import annotations

import typer

from codekin.cli.command_table import Entry, lazy_group

__all__ = ["COMMANDS", "app"]

COMMANDS = (
    Entry("triplets", "By programs", "Judge measures by triplets of right and wrong programs."),
    Entry(
        "outcomes", "By programs", "Judge measures by rows with an outcome, such as tests passed."
    ),
    Entry("card", "By changes", "Show how measures react to changes whose effect is known."),
    Entry("adequacy", "By changes", "Test measures of edits against the adequacy criteria."),
)

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
