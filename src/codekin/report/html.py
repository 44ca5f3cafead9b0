"""The HTML report: one file that works offline, with everything inside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from codekin._version import __version__
from codekin.errors import CodekinError
from codekin.languages import get_language
from codekin.report.payload import embed, payload
from codekin.report.plots import Axis, group_histograms, nice_axis, sparkline, unit_axis
from codekin.report.rows import ReportRow
from codekin.report.summary import Cell, Summary, summarise

__all__ = ["render_report", "write_report"]


def write_report(
    rows: Sequence[ReportRow], path: str | Path, title: str = "How alike are these pairs?"
) -> Path:
    """Write the report of scored pairs; the same rows give the same bytes.

    Parameters
    ----------
    rows : sequence of ReportRow
        The scored pairs, with unique ids.
    path : str or Path
        The file to write.
    title : str
        The heading.
    """
    path = Path(path)
    # Lone surrogates may stand in a title or an id; they have no bytes in UTF-8.
    data = render_report(rows, title).encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    try:
        path.write_bytes(data.encode("utf-8"))
    except OSError as error:
        raise CodekinError(f"{path}: {error.strerror or error}") from None
    return path


def render_report(rows: Sequence[ReportRow], title: str = "How alike are these pairs?") -> str:
    """The report as a text of HTML."""
    import jinja2  # here, for commands that write no report start sooner without it

    seen: set[str] = set()
    for row in rows:
        if row.id in seen:
            raise CodekinError(f"report: the id {row.id!r} stands on two rows; ids must be unique")
        seen.add(row.id)
    summary = summarise(rows)
    axes = {name: _axis(rows, name, far) for name, far in summary.measures.items()}
    loader = jinja2.PackageLoader("codekin.report")
    environment = jinja2.Environment(
        loader=loader,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    # jinja's own urlencode stumbles over lone surrogates.
    environment.filters["fragment"] = lambda text: quote(text, safe="", errors="replace")
    return environment.get_template("report.html.j2").render(
        style=loader.get_source(environment, "report.css")[0],
        script=loader.get_source(environment, "report.js")[0],
        title=title,
        version=__version__,
        rows=rows,
        summary=summary,
        languages=_languages(rows),
        heads=[_head(rows, name, axes[name]) for name in summary.measures],
        columns=_columns(len(summary.measures)),
        heat=_heat_rows(summary, axes),
        spots=[(m, ties) for m in summary.measures if (ties := summary.blind_spots(m))],
        failures=[(r.id, name, why) for r in rows for name, why in r.failures.items()],
        data=embed(payload(rows, {name: axis.high for name, axis in axes.items()})),
    )


def _axis(rows: Sequence[ReportRow], measure: str, distance: bool) -> Axis:
    if not distance:
        return unit_axis()
    return nice_axis(max(row.scores[measure].value for row in rows if measure in row.scores))


def _languages(rows: Sequence[ReportRow]) -> list[tuple[str, str]]:
    names = dict.fromkeys(n for r in rows for n in (r.language, r.reference_language))
    return [(name, language_title(name)) for name in names]


def language_title(name: str) -> str:
    """The name of a language as people write it; as given where codekin does not know it."""
    try:
        return get_language(name).title
    except CodekinError:
        return name


def _head(rows: Sequence[ReportRow], measure: str, axis: Axis) -> dict[str, object]:
    """What stands above a measure's column and in its card of histograms."""
    groups: dict[str, list[float]] = {row.group: [] for row in rows}
    first = None
    for row in rows:
        if measure in row.scores:
            first = first or row.scores[measure]
            groups[row.group].append(row.scores[measure].value)
    everything = [value for values in groups.values() for value in values]
    return {
        "name": measure,
        "summary": first.measure.summary if first else "no pair could be scored",
        "distance": bool(first and first.measure.distance),
        "sparkline": sparkline(measure, everything, axis),
        "histograms": group_histograms(measure, groups, axis),
    }


def _columns(cards: int) -> int:
    """Four or three cards in a row, whichever leaves the last row fuller."""
    return max((4, 3), key=lambda columns: (cards - 1) % columns / columns)


def _heat_rows(summary: Summary, axes: dict[str, Axis]) -> list[dict[str, object]]:
    return [
        {
            "group": group,
            "pairs": pairs,
            "cells": [
                _heat_cell(summary.cells[group, name], far, axes[name].high, group)
                for name, far in summary.measures.items()
            ],
        }
        for group, pairs in summary.groups.items()
    ]


def _heat_cell(cell: Cell, distance: bool, high: float, group: str) -> dict[str, object]:
    if cell.mean is None:
        return {"text": "–", "heat": "0", "blind": False, "title": "no pair could be scored"}
    likeness = 1 - cell.mean / high if distance else cell.mean
    title = f"mean of {cell.scored} of {cell.pairs} pairs: {cell.mean:.4f}"
    if cell.as_equal:
        title += f"; {cell.as_equal} of them score as equal texts do"
    return {
        "text": cell.text(distance),
        "heat": f"{min(1.0, max(0.0, likeness)):.3f}",
        "blind": cell.blind and group != "equal",
        "title": title,
    }
