"""report: the page of runs as an object, which a notebook shows and which saves itself."""

from __future__ import annotations

import io
from collections.abc import Sequence
from html import escape
from pathlib import Path

from codekin.report.page_file import check_place, replacing
from codekin.report.run_page import opened_runs, page_into
from codekin.report.run_scores import gather
from codekin.runs.run import Run

__all__ = ["RunReport", "report"]

_HEIGHT = 720
"""Of the frame in a notebook, in pixels."""


class RunReport:
    """The report of runs: one HTML page that works offline.

    A notebook shows it in a frame of its own; :meth:`save` writes it to a file.

    Attributes
    ----------
    html : str
        The whole page.
    path : Path or None
        Where it was saved last.
    """

    def __init__(self, page: bytes, conclusion: Sequence[str]) -> None:
        self.html = page.decode("utf-8")
        self.path: Path | None = None
        self._conclusion = list(conclusion)

    def conclusion(self) -> list[str]:
        """What the first screen says, in sentences."""
        return list(self._conclusion)

    def save(self, path: str | Path) -> Path:
        """Write the page to a file; one that is there is replaced only if it is HTML."""
        where = Path(path)
        check_place(where)
        with replacing(where) as stream:
            stream.write(self.html.encode("utf-8"))
        self.path = where
        return where

    def to_html(self, path: str | Path | None = None) -> str:
        """The whole page; also saved to `path` if given."""
        if path is not None:
            self.save(path)
        return self.html

    def __str__(self) -> str:
        return "\n".join(self._conclusion)

    def __repr__(self) -> str:
        where = "not saved" if self.path is None else str(self.path)
        return f"<RunReport {len(self.html) / 1e6:.1f} MB, {where}>"

    def _repr_html_(self) -> str:
        # The frame keeps the styles, the scripts and the policy of the page apart from the
        # notebook's; what the page was made of cannot reach the notebook.
        return (
            f'<iframe sandbox="allow-scripts" width="100%" height="{_HEIGHT}" '
            f'title="codekin report" srcdoc="{escape(self.html)}"></iframe>'
        )


def report(
    runs: Run | str | Path | Sequence[Run | str | Path],
    path: str | Path | None = None,
    title: str | None = None,
    *,
    by: str = "group",
    explain: int | None = None,
    rows: Sequence[str] = (),
    workers: int | None = None,
) -> RunReport:
    """Make the report of runs, which a notebook shows; it is also saved where a path is given.

    Parameters
    ----------
    runs : Run, str, Path or a sequence of them
        Runs, or the folders of runs.
    path : str or Path, optional
        A file to save it to.
    title : str, optional
        The heading; it says what the page is about by default.
    by : str
        The field that names the systems of a run, such as ``model``.
    explain, rows, workers
        As :func:`~codekin.report.write_report` takes them.

    Examples
    --------
    >>> import codekin
    >>> rows = [
    ...     {"id": str(i), "candidate": "x = 1", "reference": f"x = {i}", "language": "python"}
    ...     for i in range(3)
    ... ]
    >>> page = codekin.report(codekin.score(rows, "nes", workers=0))
    >>> print(page)
    On average of 3 rows, the score is 0.867 (95 % 0.800 to 1.000) by nes; 1 means equal.
    """
    if path is not None:
        check_place(Path(path))
    scores = gather(opened_runs(runs), by)
    stream = io.BytesIO()
    answer = page_into(stream, scores, title, explain=explain, rows=rows, workers=workers)
    made = RunReport(stream.getvalue(), answer.sentences)
    if path is not None:
        made.save(path)
    return made
