"""Adequacy: whether a measure meets the criteria for comparing revisions, case by case."""

from codekin.evaluation.adequacy.case import Case, Slot
from codekin.evaluation.adequacy.criteria import CRITERIA, Criterion, chosen_criteria
from codekin.evaluation.adequacy.documents import made_languages
from codekin.evaluation.adequacy.generators import generate_cases
from codekin.evaluation.adequacy.verdict import (
    AdequacyJudgement,
    CounterExample,
    MeasureAdequacy,
    Split,
    Verdict,
    evaluate_adequacy,
    judge_adequacy,
)

__all__ = [
    "CRITERIA",
    "AdequacyJudgement",
    "Case",
    "CounterExample",
    "Criterion",
    "MeasureAdequacy",
    "Slot",
    "Split",
    "Verdict",
    "chosen_criteria",
    "evaluate_adequacy",
    "generate_cases",
    "judge_adequacy",
    "made_languages",
]
