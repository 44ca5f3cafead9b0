"""The commands, put together."""

from __future__ import annotations

from typing import Annotated

import typer

from codekin._version import __version__
from codekin.cli.align import align_command
from codekin.cli.build_triplets import build_triplets_command
from codekin.cli.cluster import cluster_command
from codekin.cli.compare import compare_command
from codekin.cli.compare_runs import compare_runs_command
from codekin.cli.demo import demo_command
from codekin.cli.evaluate import evaluate_app
from codekin.cli.graph import graph_command
from codekin.cli.languages import languages_command
from codekin.cli.matrix import matrix_command
from codekin.cli.measures import measures_command
from codekin.cli.report import report_command
from codekin.cli.score import score_command
from codekin.cli.summarize import summarize_command

__all__ = ["app"]

app = typer.Typer(
    name="codekin",
    help="How alike two pieces of code are, and how far that measurement can be trusted.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
# Further words are let through, since the command says best what to do about them.
app.command("compare", context_settings={"allow_extra_args": True})(compare_command)
app.command("align")(align_command)
app.command("graph")(graph_command)
app.command("score")(score_command)
app.command("summarize")(summarize_command)
app.command("compare-runs")(compare_runs_command)
app.add_typer(evaluate_app, name="evaluate")
app.command("build-triplets")(build_triplets_command)
app.command("cluster")(cluster_command)
app.command("matrix")(matrix_command)
app.command("report")(report_command)
app.command("measures")(measures_command)
app.command("languages")(languages_command)
app.command("demo")(demo_command)


def _show_version(wanted: bool) -> None:
    if wanted:
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
