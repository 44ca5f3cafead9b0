import importlib
import pkgutil
import subprocess
import sys

import pytest

import codekin


def test_the_public_names_are_exactly_these():
    assert sorted(codekin.__all__) == [
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


def test_nothing_else_leaks_into_the_public_module():
    public = {name for name in dir(codekin) if not name.startswith("_")}
    modules = {m.name for m in pkgutil.iter_modules(codekin.__path__)}
    assert public - modules == set(codekin.__all__) - {"__version__"}


def test_every_public_name_is_there():
    for name in codekin.__all__:
        assert getattr(codekin, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'evaluate'"):
        _ = codekin.evaluate


def test_scoring_does_not_load_what_judges():
    script = "import sys, codekin.runs.shard_scoring; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert {"codekin.runs.workers", "codekin.runs.shard_scoring"} <= loaded
    judging = {"codekin.evaluation", "codekin.runs.run", "codekin.rewrite"}
    assert not loaded & {*judging, "pyarrow.compute", "scipy.stats", "rich"}


def test_every_module_declares_what_it_exports():
    for module in pkgutil.walk_packages(codekin.__path__, "codekin."):
        if module.name.endswith("_native"):
            continue
        loaded = importlib.import_module(module.name)
        for name in getattr(loaded, "__all__", []):
            assert hasattr(loaded, name), f"{module.name} has no {name}"
