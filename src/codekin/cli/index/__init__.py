"""``codekin index``: indexes of code on disk, for ``codekin scan --index`` and ``codekin find``."""

from __future__ import annotations

from codekin.cli.command_table import Entry, command_group

__all__ = ["COMMANDS", "app"]

COMMANDS = (
    Entry("add", "Make", "Add files to an index; only those that changed are parsed.", "indexes"),
    Entry("info", "Look", "Show what an index holds, and check that it is whole.", "indexes"),
)

app = command_group(
    "codekin.cli.index",
    COMMANDS,
    "Indexes of code on disk: parsed once, scanned and searched often.",
    "codekin index add code.index src/",
)
