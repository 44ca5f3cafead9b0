"""The table of commands, and the options of codekin itself."""

from __future__ import annotations

from typing import Annotated

import typer

from codekin.cli.command_table import Entry, lazy_group

__all__ = ["COMMANDS", "app"]

COMMANDS = (
    Entry("compare", "Compare", "Score one file against another, or against several."),
    Entry("align", "Compare", "Show what a candidate and a reference changed in their origin."),
    Entry("cluster", "Compare", "Group revisions of one file, and show which to review first."),
    Entry("matrix", "Compare", "Compare every file with every other one: a heatmap, and groups."),
    Entry("score", "Score", "Score rows of candidates and references into a run."),
    Entry("summarize", "Score", "Summarize a run: each measure with confidence intervals."),
    Entry("compare-runs", "Score", "Say which of two or more systems is better, with tests."),
    Entry("evaluate", "Evaluate", "Judge measures: how far can their scores be trusted?"),
    Entry("estimate", "Evaluate", "Estimate pass rates from few tests and many scores."),
    Entry("plan", "Evaluate", "Plan how many rows to test, and draw which to test next."),
    Entry("calibrate", "Evaluate", "Fit the probability of an outcome given scores."),
    Entry("build-triplets", "Evaluate", "Build triplets that judge measures from submissions."),
    Entry("scan", "Clones", "Find clones in folders of code, or copies among submissions."),
    Entry("index", "Clones", "Parse code once into an index that scans and searches use."),
    Entry("find", "Clones", "Find where a snippet comes from, in an index of code."),
    Entry("corpus", "Clones", "Read, build, type, abstract, split and check clone corpora."),
    Entry("audit", "Clones", "Find out what a corpus of clones can and cannot show."),
    Entry("detect", "Clones", "Train clone detectors, use them, and compare them."),
    Entry("graph", "Look", "Show what a program does: control flow, data flow and calls."),
    Entry(
        "abstract", "Look", "Replace the names of a program by numbered ones, and show the change."
    ),
    Entry("report", "Look", "Write runs as one offline HTML page with plots and every row."),
    Entry("demo", "Look", "Score bundled examples with every measure, and write a report."),
    Entry("measures", "About", "List the measures and their parameters.", "listings"),
    Entry(
        "languages", "About", "List the languages, their file suffixes and grammars.", "listings"
    ),
)

app = typer.Typer(
    name="codekin",
    cls=lazy_group("codekin.cli", COMMANDS),
    help="How alike two pieces of code are, and how far that measurement can be trusted.",
    epilog="Example: codekin compare mine.py yours.py",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from codekin._version import __version__

        typer.echo(f"codekin {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    pass
