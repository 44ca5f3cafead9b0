"""What people look at: tables in the terminal, JSON documents and the one-file HTML report."""

from codekin.report.html import render_report, write_report
from codekin.report.rows import ReportRow, read_demo, score_row
from codekin.report.summary import Cell, Summary, summarise

__all__ = [
    "Cell",
    "ReportRow",
    "Summary",
    "read_demo",
    "render_report",
    "score_row",
    "summarise",
    "write_report",
]
