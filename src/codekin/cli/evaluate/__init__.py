"""``codekin evaluate``: how far a measure can be trusted, one file a way to judge it."""

from __future__ import annotations

import typer

from codekin.cli.evaluate.adequacy import adequacy_command
from codekin.cli.evaluate.card import card_command
from codekin.cli.evaluate.outcomes import outcomes_command
from codekin.cli.evaluate.triplets import triplets_command

__all__ = ["evaluate_app"]

evaluate_app = typer.Typer(
    help="Judge measures: by right and wrong programs, test outcomes, known changes and edits.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
evaluate_app.command("triplets")(triplets_command)
evaluate_app.command("outcomes")(outcomes_command)
evaluate_app.command("card")(card_command)
evaluate_app.command("adequacy")(adequacy_command)
