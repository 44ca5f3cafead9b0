"""``codekin audit``: what a corpus of clones can and cannot show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codekin.cli.corpus.corpus_options import CorpusArgument, ReadingOptions, read
from codekin.cli.options import STATISTICS, ResultOptions, SeedOption, WorkersOption, command
from codekin.cli.output import Rendering, emit, print_tables, tables
from codekin.plain_text import plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console, RenderableType

    from codekin.corpora.auditing import Audit, Finding

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
        to.print(_findings_screen(found.findings), "")
        print_tables(to, found, grids=found.grids()[1:])

    return Rendering(tables(found).texts, screen)


def _findings_screen(findings: Iterable[Finding]) -> RenderableType:
    """The findings, each with its evidence and what to do about it; of fine ones the evidence."""
    from rich.table import Table
    from rich.text import Text

    from codekin.corpora.auditing import Severity

    styles = {Severity.HIGH: "bold red", Severity.MEDIUM: "bold yellow", Severity.NONE: "green"}
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for one in findings:
        severity = Text(one.severity.value, styles.get(one.severity, "bold"))
        if one.severity is Severity.NONE:
            table.add_row(severity, Text(plain(f"{one.title}: {one.evidence}")))
            continue
        text = Text(plain(one.title), "bold")
        text.append(f"\n{plain(one.evidence)}", "not bold")
        text.append(f"\n→ {plain(one.advice)}\n", "not bold")
        table.add_row(severity, text)
    return table
