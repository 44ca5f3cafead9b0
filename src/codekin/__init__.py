"""codekin: how alike two pieces of code are, and how far that measurement can be trusted."""

from importlib import import_module as _import_module

TYPE_CHECKING = False  # as that of typing, which takes longer to load than all this
if TYPE_CHECKING:
    from codekin._version import __version__
    from codekin.align.graph_edit import GraphEdit, graph_edit_distance
    from codekin.align.lcs import longest_common_subsequence
    from codekin.align.three_way import ThreeWayAlignment, align_three
    from codekin.errors import CodekinError
    from codekin.evaluation.adequacy import AdequacyJudgement, evaluate_adequacy
    from codekin.evaluation.card import Card, evaluate_card
    from codekin.evaluation.outcome_judgement import OutcomeJudgement
    from codekin.evaluation.outcomes import evaluate_outcomes
    from codekin.evaluation.triplet_building import TripletSet, build_triplets
    from codekin.evaluation.triplet_judgement import TripletJudgement
    from codekin.evaluation.triplets import evaluate_triplets
    from codekin.groups.clustering import Clustering, cluster_revisions
    from codekin.groups.matrix import SimilarityMatrix, similarity_matrix
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
    from codekin.represent.graph.semantic_graph import SemanticGraph
    from codekin.represent.text.detection import detect_language
    from codekin.results import Estimate, Grid, Interval, Result
    from codekin.revisions.alignment import RevisionAlignment, align_revisions
    from codekin.revisions.alignment_report import AlignmentReport
    from codekin.runs.comparison import RunComparison, compare_runs
    from codekin.runs.run import Run
    from codekin.runs.scoring import score
    from codekin.runs.summaries import RunSummary, summarize
    from codekin.source import Source, semantic_graph
del TYPE_CHECKING

__all__ = [
    "AdequacyJudgement",
    "AlignmentReport",
    "Card",
    "Clustering",
    "CodekinError",
    "Comparison",
    "CorpusMeasure",
    "Estimate",
    "Explanation",
    "GraphEdit",
    "Grid",
    "Interval",
    "Language",
    "Measure",
    "OutcomeJudgement",
    "Result",
    "RevisionAlignment",
    "Run",
    "RunComparison",
    "RunSummary",
    "Score",
    "SemanticGraph",
    "SimilarityMatrix",
    "Source",
    "Span",
    "ThreeWayAlignment",
    "TokenClass",
    "TripletJudgement",
    "TripletSet",
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

# Loaded when they are asked for: a scoring process needs few of these, and while the command line
# has only this package loaded, Ctrl-C is not yet its to handle.
_HOMES = {
    "AdequacyJudgement": "codekin.evaluation.adequacy",
    "AlignmentReport": "codekin.revisions.alignment_report",
    "Card": "codekin.evaluation.card",
    "Clustering": "codekin.groups.clustering",
    "CodekinError": "codekin.errors",
    "Comparison": "codekin.measures",
    "CorpusMeasure": "codekin.measures",
    "Estimate": "codekin.results",
    "Explanation": "codekin.measures",
    "GraphEdit": "codekin.align.graph_edit",
    "Grid": "codekin.results",
    "Interval": "codekin.results",
    "Language": "codekin.languages",
    "Measure": "codekin.measures",
    "OutcomeJudgement": "codekin.evaluation.outcome_judgement",
    "Result": "codekin.results",
    "RevisionAlignment": "codekin.revisions.alignment",
    "Run": "codekin.runs.run",
    "RunComparison": "codekin.runs.comparison",
    "RunSummary": "codekin.runs.summaries",
    "Score": "codekin.measures",
    "SemanticGraph": "codekin.represent.graph.semantic_graph",
    "SimilarityMatrix": "codekin.groups.matrix",
    "Source": "codekin.source",
    "Span": "codekin.measures",
    "ThreeWayAlignment": "codekin.align.three_way",
    "TokenClass": "codekin.languages",
    "TripletJudgement": "codekin.evaluation.triplet_judgement",
    "TripletSet": "codekin.evaluation.triplet_building",
    "__version__": "codekin._version",
    "align_revisions": "codekin.revisions.alignment",
    "align_three": "codekin.align.three_way",
    "build_triplets": "codekin.evaluation.triplet_building",
    "cluster_revisions": "codekin.groups.clustering",
    "compare": "codekin.measures",
    "compare_runs": "codekin.runs.comparison",
    "detect_language": "codekin.represent.text.detection",
    "evaluate_adequacy": "codekin.evaluation.adequacy",
    "evaluate_card": "codekin.evaluation.card",
    "evaluate_outcomes": "codekin.evaluation.outcomes",
    "evaluate_triplets": "codekin.evaluation.triplets",
    "graph_edit_distance": "codekin.align.graph_edit",
    "language_names": "codekin.languages",
    "longest_common_subsequence": "codekin.align.lcs",
    "measure": "codekin.measures",
    "measure_names": "codekin.measures",
    "score": "codekin.runs.scoring",
    "semantic_graph": "codekin.source",
    "similarity_matrix": "codekin.groups.matrix",
    "summarize": "codekin.runs.summaries",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(_import_module(_HOMES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
