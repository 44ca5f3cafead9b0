"""What people look at: tables in the terminal, JSON documents and the one-file HTML report."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from codekin.report.run_page import write_report

__all__ = ["write_report"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from codekin.report import run_page  # loaded on first use: it imports most of this package

    return getattr(run_page, name)
