"""The judgements of runs in a report: which there are, and what the page shows of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from codekin.errors import CodekinError
from codekin.evaluation.card import Card, judge_card
from codekin.evaluation.cost import PairCost, pair_costs
from codekin.evaluation.outcomes import OutcomeJudgement, judge_outcomes
from codekin.evaluation.scored_runs import kind_of
from codekin.evaluation.triplets import TripletJudgement, judge_triplets
from codekin.report.judging.card_section import CardSection, card_section
from codekin.report.judging.cells import Places
from codekin.report.judging.outcome_section import OutcomeSection, outcome_section
from codekin.report.judging.triplet_section import TripletSection, triplet_section
from codekin.report.run_scores import Scores
from codekin.runs.run import Run

__all__ = ["Section", "judgement_of", "sections_of"]


@dataclass(frozen=True)
class Section:
    """What a report shows of the judgement of a run.

    Attributes
    ----------
    id : str
        Of its element.
    kind : str
        ``triplets``, ``outcomes`` or ``card``.
    run : str
        The run's name where a report is of several; else empty.
    content : TripletSection, OutcomeSection or CardSection
    costs : bool
        Whether times were measured.
    """

    id: str
    kind: str
    run: str
    content: TripletSection | OutcomeSection | CardSection
    costs: bool


def judgement_of(run: Run) -> TripletJudgement | OutcomeJudgement | Card | None:
    """The judgement that a run was made for; None for one that was only to be scored."""
    kind = kind_of(run)
    if kind is None:
        return None
    if kind == "triplets":
        return judge_triplets(run)
    if kind == "outcomes":
        return judge_outcomes(run)
    if kind == "card":
        return judge_card(run, costs=False)
    raise CodekinError(
        f"{run.path}: was made for {kind!r}, which this codekin cannot judge; use the one that "
        "made it"
    )


def sections_of(scores: Scores, *, costs: bool = False) -> list[Section]:
    """What to show of the judgements of the runs of a report.

    Parameters
    ----------
    scores : Scores
    costs : bool
        Whether to measure what pairs cost, which no two times gives the same.
    """
    sections: list[Section] = []
    several = len(scores.runs) > 1
    for i, run in enumerate(scores.runs):
        judgement = judgement_of(run)
        if judgement is None:
            continue
        timed = pair_costs(run) if costs else None
        kind, content = _content(judgement, scores, i, timed)
        name = f"judgement-{len(sections) + 1}" if sections else "judgement"
        sections.append(Section(name, kind, run.name if several else "", content, bool(timed)))
    return sections


def _content(
    judgement: TripletJudgement | OutcomeJudgement | Card,
    scores: Scores,
    run: int,
    costs: Mapping[str, tuple[PairCost, ...]] | None,
) -> tuple[str, TripletSection | OutcomeSection | CardSection]:
    if isinstance(judgement, Card):
        return "card", card_section(judgement, costs)
    places = _places(scores, run)
    if isinstance(judgement, TripletJudgement):
        return "triplets", triplet_section(judgement, places, costs)
    here = slice(scores.starts[run], scores.starts[run + 1])
    values = {label: own[here] for label, own in scores.values.items()}
    content = outcome_section(judgement, values, scores.outcome[here], places, costs)
    return "outcomes", content


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
