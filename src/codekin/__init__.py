"""codekin: how alike two pieces of code are, and how far that measurement can be trusted."""

from codekin._version import __version__
from codekin.engine.judging import evaluate_card, evaluate_outcomes, evaluate_triplets
from codekin.engine.run import Run
from codekin.engine.run_comparison import compare_runs
from codekin.engine.scoring import score
from codekin.engine.summaries import summarize
from codekin.engine.triplet_building import build_triplets
from codekin.errors import CodekinError
from codekin.languages import Language, TokenClass, language_names
from codekin.measures import (
    Comparison,
    CorpusMeasure,
    Explanation,
    Measure,
    Score,
    Span,
    compare,
    measure,
    measure_names,
)
from codekin.represent.detection import detect_language
from codekin.source import Source

__all__ = [
    "CodekinError",
    "Comparison",
    "CorpusMeasure",
    "Explanation",
    "Language",
    "Measure",
    "Run",
    "Score",
    "Source",
    "Span",
    "TokenClass",
    "__version__",
    "build_triplets",
    "compare",
    "compare_runs",
    "detect_language",
    "evaluate_card",
    "evaluate_outcomes",
    "evaluate_triplets",
    "language_names",
    "measure",
    "measure_names",
    "score",
    "summarize",
]
