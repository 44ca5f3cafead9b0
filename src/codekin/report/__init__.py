"""What people look at: tables in the terminal, JSON documents and the one-file HTML report.

``codekin.report(run)`` makes the report of a run: this package is also a function.
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from codekin.report.run_page import write_report

__all__ = ["write_report"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from codekin.report import run_page  # loaded on first use: it imports most of this package

    return getattr(run_page, name)


class _ReportPackage(ModuleType):
    """The package, which can be called; it has the name that its function should have."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Make the report of runs; see :func:`codekin.report.run_report.report`."""
        from codekin.report.run_report import report

        return report(*arguments, **options)


sys.modules[__name__].__class__ = _ReportPackage
