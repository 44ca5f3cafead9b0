"""demo: the rows that come with codekin, scored by every measure, and their report."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codekin.report.run_report import RunReport
    from codekin.runs.run import Run

__all__ = ["TITLE", "demo", "demo_runs", "read_demo", "read_demo_edits"]

TITLE = "Predictions and edits, seen by every measure"


def demo(path: str | Path | None = None) -> RunReport:
    """Score the rows that come with codekin by every measure, and make their report.

    Parameters
    ----------
    path : str or Path, optional
        A file to save the report to.

    Returns
    -------
    RunReport
        Of predictions and of edits; it takes about ten seconds.
    """
    from codekin.report.page_file import check_place
    from codekin.report.run_report import report

    if path is not None:
        check_place(Path(path))
    with demo_runs() as runs:
        return report(runs, path, TITLE)


def read_demo() -> list[dict[str, str]]:
    """The predictions that come with codekin, each with its reference."""
    return _read("demo.jsonl")


def read_demo_edits() -> list[dict[str, str]]:
    """The edits that come with codekin, each with its origin and the edit of reference."""
    return _read("demo_edits.jsonl")


def _read(name: str) -> list[dict[str, str]]:
    text = resources.files("codekin").joinpath("data", name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line]


@contextmanager
def demo_runs() -> Iterator[tuple[Run, Run]]:
    """Predictions and edits under every measure that suits them, in runs that go with the block."""
    from codekin.runs.scoring import score

    with tempfile.TemporaryDirectory(prefix="codekin-") as name:
        folder = Path(name)
        yield (
            score(read_demo(), output=folder / "predictions", workers=0),
            score(read_demo_edits(), output=folder / "edits", workers=0),
        )
