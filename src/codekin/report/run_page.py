"""The HTML report of runs: one file that works offline, with everything inside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np

from codekin._version import __version__
from codekin.errors import CodekinError
from codekin.measures.cssg import Cssg
from codekin.report.choice import choose_rows
from codekin.report.graph.pair import pair_style
from codekin.report.overview import Overview, overview
from codekin.report.page_data import language_title, put_data
from codekin.report.page_file import check_place, replacing, template_environment, with_files
from codekin.report.pages import put_json
from codekin.report.scores import Scores, gather
from codekin.report.summary import Summary, summarise
from codekin.runs.run import Run

if TYPE_CHECKING:
    from codekin.report.judging.page import Section

__all__ = ["write_report"]

_STYLES = ("base.css", "plots.css", "ranking.css", "browser.css", "three_way.css", "print.css")
_SCRIPTS = (
    "pieces.js",
    "data.js",
    "selection.js",
    "code.js",
    "three_way.js",
    "list.js",
    "detail.js",
    "scatter.js",
    "ranking.js",
    "state.js",
)
_JUDGEMENT_STYLE, _JUDGEMENT_SCRIPT = "judgement.css", "judgement.js"
_HERE = b"<!-- data -->"
_TITLE, _JUDGED_TITLE = "How alike are these pairs?", "How far can these measures be trusted?"


def write_report(
    runs: Run | str | Path | Sequence[Run | str | Path],
    path: str | Path,
    title: str | None = None,
    *,
    explain: int = 2000,
    rows: Sequence[str] = (),
    workers: int | None = None,
    costs: bool = False,
) -> Path:
    """Write the report of runs; the same scores give the same bytes.

    A run that `codekin evaluate` made is shown with its judgement.

    Parameters
    ----------
    runs : Run, str, Path or a sequence of them
        Runs, or the folders of runs. Several are shown side by side. A run whose rows have groups
        is shown by its groups.
    path : str or Path
        The file to write. One that is there is replaced if it is HTML, and left alone otherwise.
    title : str, optional
        The heading; it says what the page is about by default.
    explain : int
        How many rows are explained by their measures. Where there are more, these are the extremes
        of each measure, the largest disagreements between measures, failures, and a sample; every
        other row still shows its texts, its scores and their parts.
    rows : sequence of str
        Ids of rows to explain besides.
    workers : int, optional
        How many processes explain rows; one a core by default, unless the rows are few, and 0 for
        none besides this one. The bytes are the same.
    costs : bool
        Whether what a pair costs is measured for judgements, which takes up to half a minute a
        run. Times are never twice the same, and then neither are the bytes.
    """
    opened = _opened(runs)
    path = Path(path)
    check_place(path)
    with replacing(path) as stream:  # first, for who cannot write need not wait to hear it
        _write(stream, gather(opened), title, explain, rows, workers, costs=costs)
    return path


def _opened(runs: Run | str | Path | Sequence[Run | str | Path]) -> list[Run]:
    several = [runs] if isinstance(runs, Run | str | Path) else runs
    return [one if isinstance(one, Run) else Run(one) for one in several]


def _write(
    stream: IO[bytes],
    scores: Scores,
    title: str | None,
    explain: int,
    rows: Sequence[str],
    workers: int | None,
    *,
    costs: bool,
) -> None:
    _check_ids(scores, rows)
    # Here, for what judges takes long to load, and most commands write no report.
    from codekin.report.judging.page import sections_of

    judgements = sections_of(scores, costs=costs)
    summary = summarise(scores)
    seen = overview(scores, summary)
    if title is None:
        title = _JUDGED_TITLE if judgements else _TITLE
    head, tail = _document(scores, summary, seen, title, judgements)
    stream.write(head)
    if seen.plotted < seen.listed:
        put_json(stream, "plots", seen.rest)
    put_data(stream, scores, choose_rows(scores, explain, rows), frozenset(rows), workers)
    stream.write(tail)


def _check_ids(scores: Scores, wanted: Sequence[str]) -> None:
    known = set(scores.ids.to_pylist()) if wanted else set()
    for one in wanted:
        if one not in known:
            raise CodekinError(f"report: no row has the id {one!r}")


def _document(
    scores: Scores, summary: Summary, seen: Overview, title: str, judgements: Sequence[Section]
) -> tuple[bytes, bytes]:
    """What stands before the data in the page, and what after them."""
    from codekin.report.judging.cells import breakable

    environment = template_environment()
    environment.filters["breakable"] = breakable
    # Plain runs have no use for them.
    judged = bool(judgements)
    data = with_files(
        environment,
        "report.html.j2",
        [*_STYLES, *[_JUDGEMENT_STYLE] * judged],
        [*_SCRIPTS, *[_JUDGEMENT_SCRIPT] * judged],
        own_scope=True,
        judgements=judgements,
        drawing_style=_drawing_style(scores),
        title=title,
        version=__version__,
        scores=scores,
        summary=summary,
        seen=seen,
        languages=_languages(scores),
        outcomes=_outcomes(scores),
        failed=int(scores.failed.sum()),
    )
    head, _, tail = data.rpartition(_HERE)
    return head, tail


def _drawing_style(scores: Scores) -> str:
    """The style of pictures of graphs, where a measure has them."""
    shown = any(isinstance(one.measure, Cssg) for run in scores.runs for one in run.measures)
    return pair_style() if shown else ""


def _languages(scores: Scores) -> list[tuple[str, str]]:
    used = set(scores.language.tolist()) | set(scores.reference_language.tolist())
    named = [(i, name) for i, name in enumerate(scores.languages) if i in used and name]
    return [(name, language_title(name)) for _, name in named]


def _outcomes(scores: Scores, most: int = 12) -> list[str]:
    """The outcomes to choose from, where they are few."""
    found = np.unique(scores.outcome[~np.isnan(scores.outcome)])
    return [f"{one:g}" for one in found.tolist()] if len(found) <= most else []
