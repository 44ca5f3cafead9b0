"""Judging measures: by triplets, by outcomes, by changes of programs, and by known edits."""

from codekin.engine.judging.adequacy import evaluate_adequacy
from codekin.engine.judging.cards import bundled_programs, evaluate_card, judge_card
from codekin.engine.judging.outcomes import evaluate_outcomes, judge_outcomes
from codekin.engine.judging.triplets import evaluate_triplets, judge_triplets

__all__ = [
    "bundled_programs",
    "evaluate_adequacy",
    "evaluate_card",
    "evaluate_outcomes",
    "evaluate_triplets",
    "judge_card",
    "judge_outcomes",
    "judge_triplets",
]
