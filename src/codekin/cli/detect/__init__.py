"""``codekin detect``: trained clone detectors, with one file per thing that is done with them."""

from __future__ import annotations

from codekin.cli.command_table import Entry, command_group

__all__ = ["COMMANDS", "app"]

COMMANDS = (
    Entry("train", "Train", "Train a detector on a corpus, and test it."),
    Entry("benchmark", "Train", "Run detectors over views, levels and corpora of a grid."),
    Entry("properties", "Train", "Judge whether a corpus has the properties of a sound dataset."),
    Entry("predict", "Use", "Score pairs of code with a trained detector."),
    Entry("evaluate", "Use", "Judge a detector, predictions or a clone report by labelled pairs."),
    Entry("search", "Use", "Rank the pairs of functions that a detector takes for clones."),
    Entry("models", "Use", "List the detectors and their settings.", ".listings"),
)

app = command_group(
    "codekin.cli.detect",
    COMMANDS,
    "Clone detectors: train them, use them, and see how far their results hold.",
    "codekin detect train snippets.jsonl --model tbccd -o model",
)
