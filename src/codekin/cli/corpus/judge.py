"""``codekin corpus judge``: a page on which a person judges sampled pairs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from codekin.cli.corpus.corpus_options import ReadingOptions, read
from codekin.cli.options import PageOption, SeedOption, command
from codekin.cli.output import say

__all__ = ["judge_command"]


@command(example="codekin corpus judge clones.csv --files src --size 200 -o judging.html")
def judge_command(
    corpus: Annotated[
        Path,
        typer.Argument(
            metavar="PAIRS",
            help="Corpus with pairs, or data in a known form, such as a clone report.",
        ),
    ],
    output: PageOption = Path("codekin-judging.html"),
    size: Annotated[
        int, typer.Option("--size", min=1, metavar="N", help="Number of pairs to judge.")
    ] = 100,
    by: Annotated[
        str | None,
        typer.Option(
            "--stratify",
            metavar="WHAT",
            help="Draw the same number of pairs from each type, basis or label "
            "(default: uniformly from all).",
        ),
    ] = None,
    question: Annotated[
        str | None,
        typer.Option("--question", metavar="TEXT", help="Question that the judge answers."),
    ] = None,
    show_claims: Annotated[
        bool,
        typer.Option(
            "--show-claims", help="Show the label, type and basis of each pair to the judge."
        ),
    ] = False,
    seed: SeedOption = 0,
    *,
    reading: ReadingOptions,
) -> None:
    """Write an offline page on which a person judges sampled pairs.

    The page keeps the answers in the browser and exports them as JSON; codekin corpus judged reads
    the exports of one or several judges.
    """
    from codekin.corpora.judging import QUESTION, judging_sample
    from codekin.report.page_file import check_place, replacing

    check_place(output)
    sample = judging_sample(read(corpus, reading), size, seed=seed, by=by)
    page = sample.to_html(question=question or QUESTION, show_claims=show_claims)
    with replacing(output) as stream:
        stream.write(page.encode("utf-8"))
    for note in sample.notes:
        say(f"codekin: {note}", err=True)
    total = sum(one.pairs for one in sample.strata)
    say(f"Written: {output.resolve()} ({len(sample):,} of {total:,} pairs)")
    say("Open it in a browser, judge, and export; then run: codekin corpus judged EXPORT.json")
