"""What people look at: tables in the terminal, JSON documents and the one-file HTML report."""

from codekin.report.run_page import write_report

__all__ = ["write_report"]
