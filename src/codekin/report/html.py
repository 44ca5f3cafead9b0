"""The HTML report of runs: one file that works offline, with everything inside it."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING
from urllib.parse import quote

import numpy as np

from codekin._version import __version__
from codekin.engine.run import Run
from codekin.errors import CodekinError
from codekin.report.choice import choose_rows
from codekin.report.overview import Overview, overview
from codekin.report.page_data import language_title, put_data
from codekin.report.pages import put_json
from codekin.report.scores import Scores, gather
from codekin.report.summary import Summary, summarise

if TYPE_CHECKING:
    from codekin.report.judging.page import Section

__all__ = ["check_place", "write_report"]

_STYLES = ("base.css", "plots.css", "ranking.css", "browser.css", "three_way.css", "print.css")
_SCRIPTS = (
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
_BEGINNING = b"<!doctype html"
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
    part = path.with_name(path.name + ".tmp")
    try:
        with part.open("wb") as stream:  # first, for who cannot write need not wait to hear it
            _write(stream, gather(opened), title, explain, rows, workers, costs=costs)
        part.replace(path)
    except OSError as error:
        raise CodekinError(f"{path}: {error.strerror or error}") from None
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
    return path


def _opened(runs: Run | str | Path | Sequence[Run | str | Path]) -> list[Run]:
    several = [runs] if isinstance(runs, Run | str | Path) else runs
    return [one if isinstance(one, Run) else Run(one) for one in several]


def check_place(path: Path) -> None:
    """Refuse to replace what is no report, such as the predictions that the run is of."""
    if path.is_dir():
        raise CodekinError(f"{path}: is a folder; name a file")
    if not path.exists():
        return
    head = b""
    if path.is_file():  # to read a pipe would take what is in it
        try:
            with path.open("rb") as stream:
                head = stream.read(len(_BEGINNING))
        except OSError as error:
            raise CodekinError(f"{path}: {error.strerror or error}") from None
    if not path.is_file() or (head and head.lower() != _BEGINNING):
        raise CodekinError(f"{path}: is not an HTML file, so it is not replaced; name another")


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
    import jinja2  # here, for commands that write no report start sooner without it

    from codekin.report.judging.cells import breakable

    loader = jinja2.PackageLoader("codekin.report")
    environment = jinja2.Environment(
        loader=loader,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["breakable"] = breakable
    # jinja's own urlencode stumbles over lone surrogates.
    environment.filters["fragment"] = lambda text: quote(text, safe="", errors="replace")

    def inlined(names: Sequence[str]) -> str:
        return "\n".join(loader.get_source(environment, name)[0] for name in names)

    # Plain runs have no use for them.
    judged = bool(judgements)
    page = environment.get_template("report.html.j2").render(
        style=inlined([*_STYLES, *[_JUDGEMENT_STYLE] * judged]),
        script=inlined([*_SCRIPTS, *[_JUDGEMENT_SCRIPT] * judged]),
        judgements=judgements,
        title=title,
        version=__version__,
        scores=scores,
        summary=summary,
        seen=seen,
        languages=_languages(scores),
        outcomes=_outcomes(scores),
        failed=int(scores.failed.sum()),
    )
    # Lone surrogates may stand in a title; they have no bytes in UTF-8.
    data = page.encode("utf-8", "surrogatepass").decode("utf-8", "replace").encode("utf-8")
    head, _, tail = data.rpartition(_HERE)
    return head, tail


def _languages(scores: Scores) -> list[tuple[str, str]]:
    used = set(scores.language.tolist()) | set(scores.reference_language.tolist())
    named = [(i, name) for i, name in enumerate(scores.languages) if i in used and name]
    return [(name, language_title(name)) for _, name in named]


def _outcomes(scores: Scores, most: int = 12) -> list[str]:
    """The outcomes to choose from, where they are few."""
    found = np.unique(scores.outcome[~np.isnan(scores.outcome)])
    return [f"{one:g}" for one in found.tolist()] if len(found) <= most else []
