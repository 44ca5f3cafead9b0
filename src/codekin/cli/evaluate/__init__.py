"""``codekin evaluate``: how far measures can be trusted, with one file per evaluation."""

from __future__ import annotations

from codekin.cli.command_table import Entry, command_group
from codekin.evaluation.registry import EVALUATIONS

__all__ = ["COMMANDS", "app"]

COMMANDS = tuple(Entry(one.name, one.basis, one.summary) for one in EVALUATIONS)

app = command_group(
    "codekin.cli.evaluate",
    COMMANDS,
    "Judge measures: by right and wrong programs, test outcomes, known changes and edits.",
    "codekin evaluate card -m bleu,tsed",
)
