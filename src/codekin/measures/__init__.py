"""Measures: one file each, all with the same verbs."""

from codekin.measures.base import CorpusMeasure, Explanation, Measure, Score, Span
from codekin.measures.comparing import Comparison, ComparisonList, compare
from codekin.measures.foreign import adopt_measure
from codekin.measures.registry import (
    built_in_measure,
    distinct,
    given_measures,
    is_built_in,
    measure,
    measure_classes,
    measure_label,
    measure_names,
    named_classes,
    parse_measure,
    split_words,
)
from codekin.measures.score_list import ScoreList

__all__ = [
    "Comparison",
    "ComparisonList",
    "CorpusMeasure",
    "Explanation",
    "Measure",
    "Score",
    "ScoreList",
    "Span",
    "adopt_measure",
    "built_in_measure",
    "compare",
    "distinct",
    "given_measures",
    "is_built_in",
    "measure",
    "measure_classes",
    "measure_label",
    "measure_names",
    "named_classes",
    "parse_measure",
    "split_words",
]
