"""The judgements of runs in a report: which there are, and the sections that the page shows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from codekin.errors import CodekinError
from codekin.evaluation.cost import pair_costs
from codekin.evaluation.registry import evaluation_of
from codekin.evaluation.scored_runs import kind_of
from codekin.report.run_scores import Scores
from codekin.report.sections import Places
from codekin.results import Section
from codekin.runs.run import Run

__all__ = ["RunJudgement", "judgement_of", "sections_of"]

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
