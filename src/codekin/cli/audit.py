"""``codekin audit``: what a corpus of clones can and cannot show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codekin.cli.corpus.corpus_options import CorpusArgument, ReadingOptions, read
from codekin.cli.options import STATISTICS, ResultOptions, SeedOption, WorkersOption, command
from codekin.cli.output import Rendering, emit, print_tables, tables

if TYPE_CHECKING:
    from rich.console import Console

    from codekin.corpora.auditing import Audit

__all__ = ["audit_command"]


@command(example="codekin audit snippets.jsonl -o audit.html", formats=STATISTICS)
def audit_command(
    corpus: CorpusArgument,
    workers: WorkersOption = None,
    seed: SeedOption = 0,
    *,
    reading: ReadingOptions,
    result: ResultOptions,
) -> None:
    """Find out what a corpus of clones can and cannot show.

    Names that give functionalities away, copies, contradicting labels, imbalance, and how far
    trivial detectors get; ordered by severity, each with what to do about it.
    """
    from codekin.corpora.auditing import audit_corpus

    found = audit_corpus(read(corpus, reading), workers=workers, seed=seed)
    emit(result, _rendering(found), warnings=found.warnings())


def _rendering(found: Audit) -> Rendering:
    """An audit in every format; in a terminal, findings are paragraphs."""

    def screen(to: Console) -> None:
        from codekin.report.audit_findings import findings_screen

        to.print(findings_screen(found.findings), "")
        print_tables(to, found, grids=found.grids()[1:])

    return Rendering(tables(found).texts, screen)
