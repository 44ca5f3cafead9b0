"""codekin: how alike two pieces of code are, and how far that measurement can be trusted."""

import importlib as _importlib
import typing as _typing

from codekin._version import __version__
from codekin.align.lcs import longest_common_subsequence
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

if _typing.TYPE_CHECKING:
    from codekin.align.graph_edit import GraphEdit, graph_edit_distance
    from codekin.align.three_way import ThreeWayAlignment, align_three
    from codekin.engine.clustering import cluster_revisions
    from codekin.engine.judging import (
        evaluate_adequacy,
        evaluate_card,
        evaluate_outcomes,
        evaluate_triplets,
    )
    from codekin.engine.matrix import SimilarityMatrix, similarity_matrix
    from codekin.engine.run import Run
    from codekin.engine.run_comparison import compare_runs
    from codekin.engine.scoring import score
    from codekin.engine.summaries import summarize
    from codekin.engine.triplet_building import build_triplets
    from codekin.graphs import semantic_graph
    from codekin.report.three_way import RevisionAlignment, align_revisions
    from codekin.represent.semantic_graph import SemanticGraph

__all__ = [
    "CodekinError",
    "Comparison",
    "CorpusMeasure",
    "Explanation",
    "GraphEdit",
    "Language",
    "Measure",
    "RevisionAlignment",
    "Run",
    "Score",
    "SemanticGraph",
    "SimilarityMatrix",
    "Source",
    "Span",
    "ThreeWayAlignment",
    "TokenClass",
    "__version__",
    "align_revisions",
    "align_three",
    "build_triplets",
    "cluster_revisions",
    "compare",
    "compare_runs",
    "detect_language",
    "evaluate_adequacy",
    "evaluate_card",
    "evaluate_outcomes",
    "evaluate_triplets",
    "graph_edit_distance",
    "language_names",
    "longest_common_subsequence",
    "measure",
    "measure_names",
    "score",
    "semantic_graph",
    "similarity_matrix",
    "summarize",
]

# A scoring process loads the package, and needs none of these.
_LATER = {
    "GraphEdit": "codekin.align.graph_edit",
    "RevisionAlignment": "codekin.report.three_way",
    "Run": "codekin.engine.run",
    "SemanticGraph": "codekin.represent.semantic_graph",
    "SimilarityMatrix": "codekin.engine.matrix",
    "ThreeWayAlignment": "codekin.align.three_way",
    "align_revisions": "codekin.report.three_way",
    "align_three": "codekin.align.three_way",
    "build_triplets": "codekin.engine.triplet_building",
    "cluster_revisions": "codekin.engine.clustering",
    "compare_runs": "codekin.engine.run_comparison",
    "evaluate_adequacy": "codekin.engine.judging",
    "evaluate_card": "codekin.engine.judging",
    "evaluate_outcomes": "codekin.engine.judging",
    "evaluate_triplets": "codekin.engine.judging",
    "graph_edit_distance": "codekin.align.graph_edit",
    "score": "codekin.engine.scoring",
    "semantic_graph": "codekin.graphs",
    "similarity_matrix": "codekin.engine.matrix",
    "summarize": "codekin.engine.summaries",
}


def __getattr__(name: str) -> _typing.Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_importlib.import_module(_LATER[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
