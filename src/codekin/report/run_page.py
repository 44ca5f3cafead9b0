"""The HTML report of runs: one file that works offline, with everything inside it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

import numpy as np

from codekin._version import __version__
from codekin.errors import CodekinError
from codekin.evaluation.cost import pair_costs
from codekin.evaluation.registry import evaluation_of
from codekin.evaluation.scored_runs import kind_of
from codekin.measures.cssg import Cssg
from codekin.plain_text import plain
from codekin.report.answer import Answer, answer_of
from codekin.report.brief_names import brief_names
from codekin.report.choice import affordable, choose_rows
from codekin.report.graph.pair import pair_style
from codekin.report.page_data import language_title, put_data
from codekin.report.page_file import check_place, replacing, template_environment, with_files
from codekin.report.page_names import page_problem
from codekin.report.pages import DATA_HERE, put_json
from codekin.report.plots.axes import Axis, known, minus, nice_axis, nice_range, unit_axis
from codekin.report.plots.charts import Chart, group_histograms, interval_plot, sparkline
from codekin.report.probability_section import probability_section
from codekin.report.run_scores import Scores, gather
from codekin.report.sections import Places
from codekin.report.summary import SystemSummary, summarise
from codekin.results import Estimate, Section
from codekin.runs.failures import Failure, failures
from codekin.runs.run import Run
from codekin.runs.summaries import as_run
from codekin.runs.text_counts import (
    TextCounts,
    group_texts,
    prompt_notes,
    text_notes,
    text_warnings,
)
from codekin.statistics.correlation import correlation_matrix

__all__ = [
    "Overview",
    "RunJudgement",
    "judgement_of",
    "overview",
    "page_into",
    "sections_of",
    "write_report",
]

_MOST_NAMED = 12
"""Groups that are named because some of their texts do not parse."""

_ALL_PARSE = "all candidates and references parse"

_UNTIMED = Section(
    "Cost against quality",
    "Times are not in this report, so that the same scores give the same file: codekin report "
    "--costs measures them.",
)


@dataclass(frozen=True)
class RunJudgement:
    """What a report shows of the judgement of a run.

    Attributes
    ----------
    id : str
        Of its element.
    section : Section
    notes : list of str
    places : Places
        Where the rows of the run are.
    failures : bool
        Whether there are rows that could not be scored.
    """

    id: str
    section: Section
    notes: list[str]
    places: Places
    failures: bool


def judgement_of(run: Run) -> Any:
    """The judgement that a run was made for; None for one that was only to be scored."""
    kind = kind_of(run)
    if kind is None:
        return None
    evaluation = evaluation_of(kind)
    if evaluation is None:
        raise CodekinError(
            f"{run.path}: was made for {kind!r}, which this codekin cannot judge; use the one that "
            "made it"
        )
    return evaluation.judge(run)


def sections_of(scores: Scores, *, costs: bool = False) -> list[RunJudgement]:
    """What to show of the judgements of the runs of a report.

    Parameters
    ----------
    scores : Scores
    costs : bool
        Whether to measure the cost of pairs, which varies from time to time.
    """
    found: list[RunJudgement] = []
    for i, run in enumerate(scores.runs):
        judgement = judgement_of(run)
        if judgement is None:
            continue
        section = judgement.section(pair_costs(run) if costs else None)
        if not costs:
            section = replace(section, parts=(*section.parts, _UNTIMED))
        if len(scores.runs) > 1:
            section = replace(section, title=f"{run.name}: {section.title}")
        found.append(
            RunJudgement(
                f"judgement-{len(found) + 1}" if found else "judgement",
                section,
                judgement.notes(),
                _places(scores, i),
                bool(judgement.failures),
            )
        )
    return found


def _probabilities(scores: Scores) -> list[RunJudgement]:
    """What to show of the probabilities of the runs of a report."""
    found: list[RunJudgement] = []
    for i in range(len(scores.runs)):
        shown = probability_section(scores, i)
        if shown is not None:
            name = f"probabilities-{len(found) + 1}" if found else "probabilities"
            found.append(RunJudgement(name, *shown, _places(scores, i), failures=False))
    return found


def _places(scores: Scores, run: int) -> Places:
    """Ids of several runs may be the same, so their rows are named by number as well."""
    if len(scores.runs) == 1:
        return Places()
    start, end = scores.starts[run : run + 2]
    ids = scores.ids.slice(start, end - start).to_pylist()
    rows: dict[str, int] = {}
    for number, one in enumerate(ids, start):
        rows.setdefault(one, number)
    return Places(rows)


_MOST_LISTED = 300
_MOST_SEEN = 30
_MANY = 40
"""Of more systems than this, the table shows the first ones until all are asked for."""
_MOST_PLOTTED = 20
_USUAL_NAME, _LONG_NAME = 24, 80
"""Signs that a table shows of a name, in several lines if need be."""
_MOST_REASONS = 30
_MOST_OUTCOMES = 12
_MANY_MEASURES = 10
"""Of more measures than this, the table of means has narrow columns and no intervals."""


@dataclass(frozen=True)
class Overview:
    """The tables and plots of a report.

    Attributes
    ----------
    heads : list of dict
        Of each measure what stands above its column and in its cards.
    heat, corpus : list of dict
        The table of means and the table of corpus values, a system each.
    corpus_heads : list of dict
        Those of the measures that have a corpus value.
    correlations : dict or None
        Names and cells of the table; None where there is nothing to correlate.
    spots, invariances : list of (str, list)
        Of each measure with blind spots, where it has them, and the same of changes that keep the
        meaning, which it is right to ignore.
    failures : list of (str, Failure)
        The reasons, the most frequent first, each with its run if there are several.
    reasons : int
        How many reasons there are in all.
    parsed, warnings : list of str
        How many texts parse, and what is wrong with candidates.
    columns : int
        How many cards stand in a row.
    plotted, seen, listed : int
        How many of the systems are in the plots, at first in the tables, and there in all.
    rest : dict
        What the plots of each measure would have of the systems that are listed and not plotted.
    dense : bool
        Whether the measures are too many for the intervals of the means.
    intervals : bool
        Whether any mean has one.
    long_names : bool
        Whether a name needs more room than usual.
    """

    heads: list[dict[str, Any]]
    heat: list[dict[str, Any]]
    corpus: list[dict[str, Any]]
    corpus_heads: list[dict[str, Any]]
    correlations: dict[str, Any] | None
    spots: list[tuple[str, list[tuple[str, int, int]]]]
    invariances: list[tuple[str, list[tuple[str, int, int]]]]
    failures: list[tuple[str, Failure]]
    reasons: int
    parsed: list[str]
    warnings: list[str]
    columns: int
    plotted: int
    seen: int
    listed: int
    rest: dict[str, list[list[str]]]
    dense: bool
    intervals: bool
    long_names: bool


def overview(scores: Scores, summary: SystemSummary, answer: Answer | None = None) -> Overview:
    """Make the tables and plots of a report."""
    marks = answer.marks if answer is not None else {}
    axes = {
        label: nice_axis(scores.high(label)) if far else unit_axis()
        for label, far in summary.measures.items()
    }
    names = list(summary.systems)[:_MOST_LISTED]
    heads = [_head(scores, summary, label, axes[label], names) for label in summary.measures]
    pooled = {label for (_, label), cell in summary.cells.items() if cell.corpus is not None}
    briefly = zip(names, brief_names(names, _LONG_NAME), strict=True)
    titles = {name: {"name": brief} for name, brief in briefly}
    reasons = [
        (
            run.name if len(scores.runs) > 1 else "",
            replace(failure, where=page_problem(failure.where)),
        )
        for run in scores.runs
        for failure in failures(run)
    ]
    reasons.sort(key=lambda one: -one[1].rows)
    said = _said_of_texts(scores.runs)
    return Overview(
        heads=heads,
        heat=[titles[s] | _heat_row(summary, s, axes, marks) for s in names],
        corpus=[titles[s] | _corpus_row(summary, s, axes, pooled) for s in names] if pooled else [],
        corpus_heads=[head for head in heads if head["name"] in pooled],
        correlations=_correlations(scores),
        spots=[(m, ties) for m in summary.measures if (ties := summary.blind_spots(m))],
        invariances=[(m, ties) for m in summary.measures if (ties := summary.invariances(m))],
        failures=reasons[:_MOST_REASONS],
        reasons=len(reasons),
        parsed=said["parsed"],
        warnings=said["warnings"],
        columns=cards_in_a_row(len(heads)),
        plotted=min(len(names), _MOST_PLOTTED),
        seen=_MOST_SEEN if len(names) > _MANY else len(names),
        listed=len(names),
        rest={
            kind: [head[kind].rest if head[kind] else [] for head in heads]
            for kind in ("intervals", "histograms")
        },
        dense=len(heads) > _MANY_MEASURES,
        intervals=any(cell.mean and known(cell.mean.known) for cell in summary.cells.values()),
        long_names=any(len(name) > _USUAL_NAME for name in names),
    )


def _said_of_texts(runs: Sequence[Run]) -> dict[str, list[str]]:
    """How many texts parse and what is wrong with them, with the name of the run if needed."""
    parsed: list[str] = []
    warnings: list[str] = []
    for run in runs:
        groups, prefix = group_texts(run), f"{run.name}: " if len(runs) > 1 else ""
        zero = run.manifest["asked"]["missing"] == "zero"
        parsed += [prefix + line for line in [*prompt_notes(groups), *_parse_notes(groups)]]
        warnings += [prefix + line for line in text_warnings(groups, zero=zero)]
    if parsed == [_ALL_PARSE]:
        parsed = [_ALL_PARSE.capitalize()]
    return {"parsed": parsed, "warnings": warnings}


def _parse_notes(groups: Sequence[tuple[str | None, int, TextCounts]]) -> list[str]:
    """The share of texts that parse; groups of which all texts parse share a sentence."""
    whole = [
        one
        for one in groups
        if one[2].candidates_parsed == one[2].references_parsed == 1 and not one[2].missing
    ]
    others = [one for one in groups if one not in whole]
    if len(whole) < 2 or len(others) > _MOST_NAMED:
        return text_notes(groups)
    if not others:
        return [_ALL_PARSE]
    *named, _ = text_notes([*others, whole[0]])  # a group alone would not be named
    return [*named, f"all candidates and references of the other {len(whole)} groups parse"]


def _head(
    scores: Scores, summary: SystemSummary, label: str, axis: Axis, systems: Sequence[str]
) -> dict[str, Any]:
    """What stands above a measure's column and in its cards."""
    one = next(m for run in scores.runs for m in run.measures if m.label == label)
    values = scores.values[label]
    groups = {name: scores.of(i, label) for i, name in enumerate(systems)}
    means = _means(summary, label, systems)
    return {
        "name": label,
        "summary": one.summary,
        "distance": one.distance,
        "sparkline": sparkline(label, values[~np.isnan(values)], axis),
        "histograms": group_histograms(
            label, groups, axis, {s: v.value for s, v in means.items()}, _MOST_PLOTTED
        ),
        "intervals": _intervals(label, systems, means, one.distance),
    }


def _means(summary: SystemSummary, label: str, systems: Sequence[str]) -> dict[str, Estimate]:
    cells = {s: summary.cells.get((s, label)) for s in systems}
    return {s: cell.mean for s, cell in cells.items() if cell and cell.mean}


def _intervals(
    label: str, systems: Sequence[str], means: Mapping[str, Estimate], distance: bool
) -> Chart | None:
    if not means:
        return None
    # The axis is that of the systems in the picture; the page fits it again when it shows others.
    shown = [means[s] for s in systems[:_MOST_PLOTTED] if s in means] or list(means.values())
    ends = [
        end for v in shown for end in (v.value, v.known.low, v.known.high) if math.isfinite(end)
    ]
    axis = nice_range(min(ends), max(ends) if any(ends) else 1.0)
    if not distance and (axis.low < 0 or axis.high > 1 or axis.high - axis.low > 0.75):
        axis = unit_axis()
    return interval_plot(label, {s: means.get(s) for s in systems}, axis, _MOST_PLOTTED)


def cards_in_a_row(cards: int) -> int:
    """Four or three cards in a row, whichever leaves the last row fuller."""
    return max((4, 3), key=lambda columns: (cards - 1) % columns / columns)


def _heat_row(
    summary: SystemSummary,
    system: str,
    axes: Mapping[str, Axis],
    marks: Mapping[tuple[str, str], str],
) -> dict[str, Any]:
    return {
        "system": system,
        "rows": summary.systems[system],
        "failed": summary.failed[system],
        "cells": [
            _heat_cell(summary, system, label, axes[label].high)
            | {"mark": marks.get((system, label), "")}
            for label in summary.measures
        ],
    }


_NOTHING = {"text": "–", "range": "", "heat": "0", "tie": "", "blind": False, "value": ""}


def _heat_cell(summary: SystemSummary, system: str, label: str, high: float) -> dict[str, Any]:
    cell = summary.cells.get((system, label))
    if cell is None or cell.mean is None:
        why = "not scored by this measure" if cell is None else "no row could be scored"
        return _NOTHING | {"title": why}
    distance = summary.measures[label]
    title = f"mean of {cell.scored:,} of {cell.rows:,} rows: {_value_text(cell.mean)}"
    if cell.tied:
        title += f"; {cell.tied:,} of them score as well as {summary.touchstones[system]}"
    return {
        "text": cell.text(distance),
        "range": _range(cell.mean, distance),
        "heat": _heat(cell.mean.value, distance, high),
        "tie": summary.touchstones[system] if cell.blind else "",
        "blind": system not in summary.keeping,
        "value": repr(cell.mean.value),
        "title": title,
    }


def _corpus_row(
    summary: SystemSummary, system: str, axes: Mapping[str, Axis], pooled: set[str]
) -> dict[str, Any]:
    cells = []
    for label, distance in summary.measures.items():
        if label not in pooled:
            continue
        cell = summary.cells.get((system, label))
        value = cell.corpus if cell else None
        if value is None:
            cells.append(_NOTHING | {"title": "no corpus value"})
            continue
        cells.append(
            {
                "text": f"{value.value:.3f}",
                "range": _range(value, distance),
                "heat": _heat(value.value, distance, axes[label].high),
                "title": f"{label} of all rows as one corpus: {_value_text(value)}",
            }
        )
    return {"system": system, "cells": cells}


def _heat(value: float, distance: bool, high: float) -> str:
    likeness = 1 - value / high if distance else value
    return f"{min(1.0, max(0.0, likeness)):.3f}"


def _range(value: Estimate, distance: bool) -> str:
    if not known(value.known):
        return ""
    digits = 1 if distance else 3
    low, high = f"{value.known.low:.{digits}f}", f"{value.known.high:.{digits}f}"
    return "" if low == high else f"{low}–{high}"


def _value_text(value: Estimate) -> str:
    ends = value.known
    if not known(ends):
        return f"{value.value:.4f}"
    return f"{value.value:.4f}, 95 % interval from {ends.low:.4f} to {ends.high:.4f}"


def _correlations(scores: Scores) -> dict[str, Any] | None:
    """Pearson above the diagonal and Spearman below it; None for a single measure."""
    if len(scores.values) < 2 or len(scores) < 3:
        return None
    columns = dict(scores.values)
    if scores.has_outcome:
        columns["outcome"] = scores.outcome
    given = list(columns.values())
    pearson, spearman = correlation_matrix(given), correlation_matrix(given, ranks=True)
    names = list(columns)
    rows = []
    for i, name in enumerate(names):
        cells = []
        for j, other in enumerate(names):
            kind, matrix = ("Pearson", pearson) if j > i else ("Spearman", spearman)
            cells.append(_correlation(float(matrix[i, j]), kind, name, other, same=i == j))
        rows.append({"name": name, "cells": cells})
    return {"names": names, "rows": rows}


def _correlation(value: float, kind: str, name: str, other: str, *, same: bool) -> dict[str, Any]:
    if same:
        return {"text": "", "heat": "0", "sign": "same", "title": name, "x": name, "y": other}
    if math.isnan(value):
        title = f"{kind}: too few rows, or one of the two never changes"
        return {"text": "–", "heat": "0", "sign": "none", "title": title, "x": other, "y": name}
    return {
        "text": f"{round(value, 2) + 0:.2f}".replace("-", "−").replace("0.", "."),
        "heat": f"{abs(value):.3f}",
        "sign": "minus" if value < 0 else "plus",
        "title": f"{kind} correlation of {name} and {other}: {minus(f'{value:.4f}')}",
        "x": other,
        "y": name,
    }


_STYLES = ("base.css", "plots.css", "ranking.css", "browser.css", "three_way.css", "print.css")
_SCRIPTS = (
    "pieces.js",
    "theme.js",
    "data.js",
    "selection.js",
    "code.js",
    "three_way.js",
    "list.js",
    "pair_items.js",
    "detail.js",
    "scatter.js",
    "ranking.js",
    "columns.js",
    "state.js",
)
_JUDGEMENT_STYLE, _JUDGEMENT_SCRIPT = "sections.css", "sections.js"
_TITLE, _JUDGED_TITLE = "How alike are these pairs?", "How far can these measures be trusted?"
_COMPARED_TITLE = "Which system is better?"


def write_report(
    runs: Run | str | Path | Sequence[Run | str | Path],
    path: str | Path,
    title: str | None = None,
    *,
    explain: int | None = None,
    rows: Sequence[str] = (),
    workers: int | None = None,
    costs: bool = False,
    by: str = "group",
    report: Callable[[int, int], None] | None = None,
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
    explain : int, optional
        How many rows are explained by their measures; by default as many as take about ten seconds
        of one core, and 2,000 at most. Where there are more, these are the extremes of each
        measure, the largest disagreements between measures, failures, and a sample; every other
        row still shows its texts, its scores and their parts.
    rows : sequence of str
        Ids of rows to explain besides.
    workers : int, optional
        How many processes explain rows; one a core by default, unless the rows are few, and 0 for
        none besides this one. The bytes are the same.
    costs : bool
        Whether what a pair costs is measured for judgements, which takes up to half a minute a
        run. Times are never twice the same, and then neither are the bytes.
    by : str
        The field that names the systems of a run, such as ``model``.
    report : callable, optional
        Called with the number of rows explained so far and of all.
    """
    opened = opened_runs(runs)
    path = Path(path)
    check_place(path)
    with replacing(path) as stream:  # first, for who cannot write need not wait to hear it
        page_into(
            stream,
            gather(opened, by),
            title,
            explain=explain,
            rows=rows,
            workers=workers,
            costs=costs,
            report=report,
        )
    return path


def opened_runs(runs: Run | str | Path | Sequence[Run | str | Path]) -> list[Run]:
    """The runs themselves, or those of folders."""
    several = runs if isinstance(runs, Iterable) and not isinstance(runs, str) else [runs]
    return [as_run(one) for one in several]


def page_into(
    stream: IO[bytes],
    scores: Scores,
    title: str | None = None,
    *,
    explain: int | None = None,
    rows: Sequence[str] = (),
    workers: int | None = None,
    costs: bool = False,
    report: Callable[[int, int], None] | None = None,
) -> Answer:
    """Write the report of scores into a stream, and return its answer; see :func:`write_report`."""
    _check_ids(scores, rows)
    judgements = sections_of(scores, costs=costs)
    summary = summarise(scores)
    answer = Answer([]) if judgements else answer_of(scores, summary)
    answer = replace(answer, sentences=[plain(one) for one in answer.sentences])
    seen = overview(scores, summary, answer)
    if title is None:
        title = _JUDGED_TITLE if judgements else _COMPARED_TITLE if answer.section else _TITLE
    chosen = choose_rows(scores, affordable(scores) if explain is None else explain, rows)
    explained = len(chosen) if explain is None else None  # who chose the number knows it
    sections = [*judgements, *_probabilities(scores)]
    head, tail = _document(scores, summary, seen, title, sections, answer, explained)
    stream.write(head)
    if seen.plotted < seen.listed:
        put_json(stream, "plots", seen.rest)
    put_data(stream, scores, chosen, frozenset(rows), workers, report)
    stream.write(tail)
    return answer


def _check_ids(scores: Scores, wanted: Sequence[str]) -> None:
    known = set(scores.ids.to_pylist()) if wanted else set()
    for one in wanted:
        if one not in known:
            raise CodekinError(f"report: no row has the id {one!r}")


def _document(
    scores: Scores,
    summary: SystemSummary,
    seen: Overview,
    title: str,
    judgements: Sequence[RunJudgement],
    answer: Answer,
    explained: int | None,
) -> tuple[bytes, bytes]:
    """What stands before the data in the page, and what after them."""
    from codekin.report.sections import SECTION_TOOLS

    environment = template_environment()
    # Other runs have no use for them.
    judged = bool(judgements) or answer.section is not None
    data = with_files(
        environment,
        "report.html.j2",
        [*_STYLES, *[_JUDGEMENT_STYLE] * judged],
        [*_SCRIPTS, *[_JUDGEMENT_SCRIPT] * judged],
        own_scope=True,
        judgements=judgements,
        answer=answer,
        explained=explained,
        **SECTION_TOOLS,
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
    head, _, tail = data.rpartition(DATA_HERE)
    return head, tail


def _drawing_style(scores: Scores) -> str:
    """The style of pictures of graphs, where a measure has them."""
    shown = any(isinstance(one.measure, Cssg) for run in scores.runs for one in run.measures)
    return pair_style() if shown else ""


def _languages(scores: Scores) -> list[tuple[str, str]]:
    used = set(scores.language.tolist()) | set(scores.reference_language.tolist())
    named = [(i, name) for i, name in enumerate(scores.languages) if i in used and name]
    return [(name, language_title(name)) for _, name in named]


def _outcomes(scores: Scores) -> list[str]:
    """The outcomes to choose from, where they are few."""
    found = np.unique(scores.outcome[~np.isnan(scores.outcome)])
    return [f"{one:g}" for one in found.tolist()] if len(found) <= _MOST_OUTCOMES else []
