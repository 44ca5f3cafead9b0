"""The findings of an audit in a terminal: each as a paragraph, the severe ones first."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from codekin.corpora.auditing import Finding, Severity
from codekin.plain_text import plain

__all__ = ["findings_screen"]

_STYLES = {Severity.HIGH: "bold red", Severity.MEDIUM: "bold yellow", Severity.NONE: "green"}


def findings_screen(findings: Iterable[Finding]) -> RenderableType:
    """The findings, each with its evidence and what to do about it; of fine ones the evidence."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for one in findings:
        severity = Text(one.severity.value, _STYLES.get(one.severity, "bold"))
        if one.severity is Severity.NONE:
            table.add_row(severity, Text(plain(f"{one.title}: {one.evidence}")))
            continue
        text = Text(plain(one.title), "bold")
        text.append(f"\n{plain(one.evidence)}", "not bold")
        text.append(f"\n→ {plain(one.advice)}\n", "not bold")
        table.add_row(severity, text)
    return table
