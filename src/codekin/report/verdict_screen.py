"""Verdicts in a terminal: each as a paragraph, with what it rests on."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from codekin.detectors.benchmark.dataset_properties import DatasetProperty, PropertyVerdict
from codekin.detectors.benchmark.paper_findings import FindingVerdict, PaperFinding
from codekin.plain_text import plain

__all__ = ["paper_findings_screen", "properties_screen"]

_STYLES = {
    FindingVerdict.HOLDS: "bold green",
    FindingVerdict.DOES_NOT: "bold red",
    PropertyVerdict.HOLDS: "bold green",
    PropertyVerdict.FAILS: "bold red",
}


def paper_findings_screen(findings: Iterable[PaperFinding]) -> RenderableType:
    """The findings of the papers, each with its verdict and where it was seen."""
    return _paragraphs(
        (one.verdict, f"{one.paper} {one.number}: {one.claim}", one.summary) for one in findings
    )


def properties_screen(properties: Iterable[DatasetProperty]) -> RenderableType:
    """The properties of datasets, each with its verdict and numbers."""
    return _paragraphs(
        (
            one.verdict,
            f"{one.corpus}, {one.view}: P{one.number} {one.title}",
            f"{one.numbers} {one.reason}".strip(),
        )
        for one in properties
    )


def _paragraphs(
    lines: Iterable[tuple[FindingVerdict | PropertyVerdict, str, str]],
) -> RenderableType:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for verdict, title, text in lines:
        shown = Text(plain(title), "bold")
        shown.append(f"\n{plain(text)}\n", "not bold")
        table.add_row(Text(verdict.value, _STYLES.get(verdict, "bold yellow")), shown)
    return table
