"""``codekin corpus``: clone corpora, with one file per thing that is done to them."""

from __future__ import annotations

from codekin.cli.command_table import Entry, command_group

__all__ = ["COMMANDS", "app"]

COMMANDS = (
    Entry("info", "Look", "Show what a corpus consists of, and how it was made.", "overview"),
    Entry("balance", "Look", "Show how evenly functionalities share the snippets.", "overview"),
    Entry("compare", "Look", "Compare what the snippets of two corpora look like.", "overview"),
    Entry("check", "Look", "Look for leaks between the sides of a view, and for contradictions."),
    Entry("type", "Look", "Give the clones of a corpus their types, from T1 to WT3/T4."),
    Entry("read", "Make", "Read a corpus in any known form, and write it as codekin's own."),
    Entry("build", "Make", "Keep trusted labels, expand snippets, balance and pair them."),
    Entry("abstract", "Make", "Replace the names in every snippet of a corpus by numbered ones."),
    Entry("split", "Make", "Split a corpus into training, validation and test, in four views."),
    Entry("pairs", "Make", "Draw labelled pairs at a stated size and base rate."),
)

app = command_group(
    "codekin.cli.corpus",
    COMMANDS,
    "Clone corpora: read, build, type, abstract, split, pair and check them.",
    "codekin corpus info snippets.jsonl",
)
