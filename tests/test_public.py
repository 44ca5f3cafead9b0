import ast
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import codekin
from codekin.evaluation.registry import EVALUATIONS

FOREIGN = {f"codekin.adapters.{name}" for name in ("huggingface_evaluate", "inspect_ai", "lm_eval")}
"""Modules of packages that are slow to import or missing here; tests/adapters has their tests."""


def test_the_public_names_are_exactly_these():
    judging = [f"evaluate_{one.name}" for one in EVALUATIONS]
    judging += [one.result.__name__ for one in EVALUATIONS]
    others = [
        "AbsentStudent",
        "Abstraction",
        "AlignmentReport",
        "ArrayDetector",
        "Audit",
        "Balance",
        "Benchmark",
        "BenchmarkGrid",
        "CalibratedMeasure",
        "CalibratedScores",
        "Calibration",
        "CalibrationDataset",
        "CalibrationFeature",
        "CalibrationJudgement",
        "Cell",
        "CellNumbers",
        "CellResult",
        "ChangedLines",
        "CloneBaseline",
        "CloneClass",
        "CloneFinding",
        "ClonePlace",
        "CloneRanking",
        "CloneType",
        "Clustering",
        "CodeIndex",
        "CodeMark",
        "CodeRegion",
        "CodekinError",
        "Comparison",
        "ComparisonList",
        "Copies",
        "Corpus",
        "CorpusBuild",
        "CorpusCheck",
        "CorpusDescription",
        "CorpusMeasure",
        "CorpusSimilarity",
        "DatasetProperties",
        "DatasetProperty",
        "Detector",
        "DetectorEvaluation",
        "Estimate",
        "EvaluatedPart",
        "Explanation",
        "FeatureDrift",
        "Finding",
        "FindingCase",
        "FindingVerdict",
        "Fitted",
        "FittedRows",
        "FoundCode",
        "FoundPlace",
        "GraphEdit",
        "Grid",
        "GridCorpus",
        "GroupChance",
        "Identifier",
        "IdentifierList",
        "IndexInfo",
        "Interval",
        "LabelledPlaces",
        "Language",
        "LeftOutFile",
        "MatchedRegion",
        "MeanEstimate",
        "Measure",
        "NameOverlap",
        "NameRole",
        "PairEvidence",
        "PairNumbers",
        "PairPrediction",
        "PairSizes",
        "Pairs",
        "PaperFinding",
        "PartNumbers",
        "PlannedRow",
        "PoweredMean",
        "Predictions",
        "Prepared",
        "PropertyVerdict",
        "RankedPair",
        "RateDifference",
        "RateEstimates",
        "ReliabilityBin",
        "Result",
        "Retrieval",
        "RevisionAlignment",
        "Role",
        "Run",
        "RunComparison",
        "RunReport",
        "RunSummary",
        "SamplePlan",
        "Scan",
        "ScanConfig",
        "ScanGate",
        "Score",
        "ScoreList",
        "ScoreShift",
        "SemanticGraph",
        "Severity",
        "SharedCode",
        "SharedFeature",
        "ShownFile",
        "SimilarityMatrix",
        "Snippet",
        "Source",
        "Span",
        "Step",
        "Student",
        "SubmissionGroup",
        "SubmissionPair",
        "Submissions",
        "SubmittedLines",
        "SystemComparison",
        "SystemPlan",
        "SystemRate",
        "ThreeWayAlignment",
        "TokenClass",
        "Training",
        "TrainingProgress",
        "TripletSet",
        "TrivialDetectors",
        "TypeCheck",
        "TypeTable",
        "UnusualPairs",
        "Vocabulary",
        "__version__",
        "abstract",
        "abstract_corpus",
        "add_to_index",
        "align_revisions",
        "align_three",
        "apply_calibration",
        "audit_corpus",
        "build_contest",
        "build_corpus",
        "build_triplets",
        "build_yu",
        "calibrate",
        "changed_lines",
        "check_corpus",
        "check_types",
        "clone_type",
        "cluster_revisions",
        "compare",
        "compare_corpora",
        "compare_runs",
        "compare_submissions",
        "compare_systems",
        "corpus_balance",
        "dataset_properties",
        "demo",
        "describe_build",
        "describe_corpus",
        "describe_detectors",
        "describe_languages",
        "describe_measures",
        "detect_language",
        "detector",
        "detector_names",
        "estimate_rates",
        "evaluate_detector",
        "export_graph",
        "extract_code",
        "find_code",
        "find_copies",
        "find_scan_config",
        "graph_edit_distance",
        "identifiers",
        "index_info",
        "language_names",
        "load_calibration",
        "load_detector",
        "load_prepared",
        "longest_common_subsequence",
        "measure",
        "measure_names",
        "name_overlap",
        "parse_detector",
        "plan_tests",
        "powered_mean",
        "predict_pairs",
        "prepare_snippets",
        "program_slice",
        "read_benchmark",
        "read_corpus",
        "read_grid",
        "read_scan_config",
        "report",
        "rotate_corpus",
        "rows_needed",
        "run_benchmark",
        "sample_pairs",
        "scan_gate",
        "scan_paths",
        "score",
        "search_clones",
        "semantic_graph",
        "shipped_detector",
        "similarity_matrix",
        "split_corpus",
        "summarize",
        "train_detector",
        "trivial_detectors",
        "type_pairs",
        "type_table",
    ]
    assert sorted(codekin.__all__) == sorted([*others, *judging])


def test_type_checkers_see_the_public_names_where_they_are():
    tree = ast.parse(Path(codekin.__file__).with_suffix(".pyi").read_text("utf-8"))
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    homes = {name.asname: node.module for node in imports for name in node.names}
    assert sorted(homes) == sorted(codekin.__all__)
    assert codekin.score is importlib.import_module(homes["score"]).score


def test_all_public_names_can_be_imported_at_once():
    found = {}
    exec("from codekin import *", found)
    assert set(codekin.__all__) <= found.keys()


def test_nothing_else_leaks_into_the_public_module():
    public = {name for name in dir(codekin) if not name.startswith("_")}
    modules = {m.name for m in pkgutil.iter_modules(codekin.__path__)}
    # The package codekin.report is also a function.
    assert public - modules == set(codekin.__all__) - {"__version__", "report"}


def test_a_package_may_be_called_by_its_name():
    script = "import codekin; print(callable(codekin.report), codekin.report.__name__)"
    for before in ("", "import codekin.report.run_page; "):
        done = subprocess.run(
            [sys.executable, "-c", before + script], capture_output=True, text=True, check=True
        )
        assert done.stdout.split() == ["True", "codekin.report"]


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
        if module.name.endswith("_native") or module.name in FOREIGN:
            continue
        loaded = importlib.import_module(module.name)
        for name in getattr(loaded, "__all__", []):
            assert hasattr(loaded, name), f"{module.name} has no {name}"
