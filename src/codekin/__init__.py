"""codekin: how alike two pieces of code are, and how far that measurement can be trusted."""

from importlib import import_module as _import_module

TYPE_CHECKING = False  # as that of typing, which takes longer to load than all this
if TYPE_CHECKING:
    from codekin._version import __version__
    from codekin.align.graph_edit import GraphEdit, graph_edit_distance
    from codekin.align.lcs import longest_common_subsequence
    from codekin.align.three_way import ThreeWayAlignment, align_three
    from codekin.corpora.abstracting import abstract_corpus
    from codekin.corpora.auditing import Audit, Finding, Severity, audit_corpus
    from codekin.corpora.builders import (
        CorpusBuild,
        build_contest,
        build_corpus,
        build_yu,
        describe_build,
    )
    from codekin.corpora.checking import CorpusCheck, check_corpus
    from codekin.corpora.clone_types import (
        CloneType,
        TypeCheck,
        TypeTable,
        check_types,
        clone_type,
        type_pairs,
        type_table,
    )
    from codekin.corpora.copies import Copies, find_copies
    from codekin.corpora.corpus import Corpus, Step
    from codekin.corpora.description import (
        Balance,
        CorpusDescription,
        corpus_balance,
        describe_corpus,
    )
    from codekin.corpora.labelled_pairs import Pairs
    from codekin.corpora.name_overlap import NameOverlap, name_overlap
    from codekin.corpora.reading import read_corpus
    from codekin.corpora.sampling import sample_pairs
    from codekin.corpora.similarity import CorpusSimilarity, compare_corpora
    from codekin.corpora.snippets import Role, Snippet
    from codekin.corpora.trivial import TrivialDetectors, trivial_detectors
    from codekin.corpora.views import rotate_corpus, split_corpus
    from codekin.detectors.benchmark.benchmark_result import Benchmark, read_benchmark
    from codekin.detectors.benchmark.cell_results import CellNumbers, CellResult, PartNumbers
    from codekin.detectors.benchmark.cells import Cell
    from codekin.detectors.benchmark.dataset_properties import (
        DatasetProperties,
        DatasetProperty,
        PropertyVerdict,
        dataset_properties,
    )
    from codekin.detectors.benchmark.grid import BenchmarkGrid, GridCorpus, PairSizes, read_grid
    from codekin.detectors.benchmark.paper_findings import FindingCase, FindingVerdict, PaperFinding
    from codekin.detectors.benchmark.running import run_benchmark
    from codekin.detectors.detector import (
        ArrayDetector,
        Detector,
        Fitted,
        LabelledPlaces,
        TrainingProgress,
        detector,
        detector_names,
        load_detector,
        parse_detector,
    )
    from codekin.detectors.fitting import Training, train_detector
    from codekin.detectors.predicting import PairPrediction, Predictions, predict_pairs
    from codekin.detectors.prepared import Prepared, load_prepared
    from codekin.detectors.preparing import prepare_snippets
    from codekin.detectors.searching import CloneRanking, RankedPair, search_clones
    from codekin.detectors.shipped import shipped_detector
    from codekin.errors import CodekinError
    from codekin.evaluation.adequacy import AdequacyJudgement, evaluate_adequacy
    from codekin.evaluation.calibrated_scores import (
        CalibratedScores,
        FeatureDrift,
        apply_calibration,
    )
    from codekin.evaluation.calibrating import calibrate
    from codekin.evaluation.calibration import (
        CalibratedMeasure,
        Calibration,
        CalibrationDataset,
        CalibrationFeature,
        CalibrationJudgement,
    )
    from codekin.evaluation.calibration_file import load_calibration
    from codekin.evaluation.card import Card, evaluate_card
    from codekin.evaluation.estimation import (
        RateDifference,
        RateEstimates,
        SystemRate,
        estimate_rates,
    )
    from codekin.evaluation.fitted_rows import FittedRows
    from codekin.evaluation.outcome_judgement import OutcomeJudgement
    from codekin.evaluation.outcomes import evaluate_outcomes
    from codekin.evaluation.sample_plan import (
        PlannedRow,
        SamplePlan,
        SystemPlan,
        plan_tests,
        rows_needed,
    )
    from codekin.evaluation.score_shift import ScoreShift
    from codekin.evaluation.triplet_building import TripletSet, build_triplets
    from codekin.evaluation.triplet_judgement import TripletJudgement
    from codekin.evaluation.triplets import evaluate_triplets
    from codekin.groups.clustering import Clustering, cluster_revisions
    from codekin.groups.similarity_matrix import SimilarityMatrix, similarity_matrix
    from codekin.languages import Language, NameRole, TokenClass, language_names
    from codekin.measures import (
        Comparison,
        ComparisonList,
        CorpusMeasure,
        Explanation,
        Measure,
        Score,
        ScoreList,
        Span,
        compare,
        measure,
        measure_names,
    )
    from codekin.report.demo import demo
    from codekin.report.graph.stages import export_graph
    from codekin.report.listings import describe_detectors, describe_languages, describe_measures
    from codekin.report.run_report import RunReport, report
    from codekin.represent.graph.semantic_graph import SemanticGraph
    from codekin.represent.text.chat_answers import extract_code
    from codekin.represent.text.detection import detect_language
    from codekin.results import Estimate, Grid, Interval, Result
    from codekin.revisions.alignment import RevisionAlignment, align_revisions
    from codekin.revisions.alignment_report import AlignmentReport
    from codekin.rewrite.abstraction import Abstraction, Vocabulary, abstract
    from codekin.rewrite.identifiers import Identifier, IdentifierList, identifiers
    from codekin.runs.comparison import RunComparison, compare_runs
    from codekin.runs.run import Run
    from codekin.runs.scoring import score
    from codekin.runs.summaries import GroupChance, RunSummary, summarize
    from codekin.runs.system_comparison import SystemComparison, compare_systems
    from codekin.scan.baseline import CloneBaseline
    from codekin.scan.clone_places import ClonePlace
    from codekin.scan.code_search import FoundCode, FoundPlace, find_code
    from codekin.scan.gate import ScanGate, scan_gate
    from codekin.scan.git_changes import ChangedLines, changed_lines
    from codekin.scan.indexing import IndexInfo, add_to_index, index_info
    from codekin.scan.scan_config import ScanConfig, find_scan_config, read_scan_config
    from codekin.scan.scan_result import CloneClass, CloneFinding, CodeRegion, Scan
    from codekin.scan.scanned_files import LeftOutFile
    from codekin.scan.scanning import scan_paths
    from codekin.scan.store import CodeIndex
    from codekin.scan.submission_evidence import (
        CodeMark,
        MatchedRegion,
        PairEvidence,
        SharedFeature,
        ShownFile,
        SubmittedLines,
    )
    from codekin.scan.submission_result import (
        AbsentStudent,
        Student,
        SubmissionGroup,
        SubmissionPair,
        Submissions,
        UnusualPairs,
    )
    from codekin.scan.submissions import compare_submissions
    from codekin.source import Source, program_slice, semantic_graph
    from codekin.statistics.outcome_probability import ReliabilityBin
    from codekin.statistics.prediction_powered import MeanEstimate, PoweredMean, powered_mean
    from codekin.statistics.retrieval import Retrieval
del TYPE_CHECKING

__all__ = [
    "AbsentStudent",
    "Abstraction",
    "AdequacyJudgement",
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
    "Card",
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
    "Estimate",
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
    "OutcomeJudgement",
    "PairEvidence",
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
    "TripletJudgement",
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
    "evaluate_adequacy",
    "evaluate_card",
    "evaluate_outcomes",
    "evaluate_triplets",
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

# Loaded when they are asked for: a scoring process needs few of these, and while the command line
# has only this package loaded, Ctrl-C is not yet its to handle.
_HOMES = {
    "AbsentStudent": "codekin.scan.submission_result",
    "Abstraction": "codekin.rewrite.abstraction",
    "AdequacyJudgement": "codekin.evaluation.adequacy",
    "AlignmentReport": "codekin.revisions.alignment_report",
    "ArrayDetector": "codekin.detectors.detector",
    "Audit": "codekin.corpora.auditing",
    "Balance": "codekin.corpora.description",
    "Benchmark": "codekin.detectors.benchmark.benchmark_result",
    "BenchmarkGrid": "codekin.detectors.benchmark.grid",
    "CalibratedMeasure": "codekin.evaluation.calibration",
    "CalibratedScores": "codekin.evaluation.calibrated_scores",
    "Calibration": "codekin.evaluation.calibration",
    "CalibrationDataset": "codekin.evaluation.calibration",
    "CalibrationFeature": "codekin.evaluation.calibration",
    "CalibrationJudgement": "codekin.evaluation.calibration",
    "Card": "codekin.evaluation.card",
    "Cell": "codekin.detectors.benchmark.cells",
    "CellNumbers": "codekin.detectors.benchmark.cell_results",
    "CellResult": "codekin.detectors.benchmark.cell_results",
    "ChangedLines": "codekin.scan.git_changes",
    "CloneBaseline": "codekin.scan.baseline",
    "CloneClass": "codekin.scan.scan_result",
    "CloneFinding": "codekin.scan.scan_result",
    "ClonePlace": "codekin.scan.clone_places",
    "CloneRanking": "codekin.detectors.searching",
    "CloneType": "codekin.corpora.clone_types",
    "Clustering": "codekin.groups.clustering",
    "CodeIndex": "codekin.scan.store",
    "CodeMark": "codekin.scan.submission_evidence",
    "CodeRegion": "codekin.scan.scan_result",
    "CodekinError": "codekin.errors",
    "Comparison": "codekin.measures",
    "ComparisonList": "codekin.measures",
    "Copies": "codekin.corpora.copies",
    "Corpus": "codekin.corpora.corpus",
    "CorpusBuild": "codekin.corpora.builders",
    "CorpusCheck": "codekin.corpora.checking",
    "CorpusDescription": "codekin.corpora.description",
    "CorpusMeasure": "codekin.measures",
    "CorpusSimilarity": "codekin.corpora.similarity",
    "DatasetProperties": "codekin.detectors.benchmark.dataset_properties",
    "DatasetProperty": "codekin.detectors.benchmark.dataset_properties",
    "Detector": "codekin.detectors.detector",
    "Estimate": "codekin.results",
    "Explanation": "codekin.measures",
    "FeatureDrift": "codekin.evaluation.calibrated_scores",
    "Finding": "codekin.corpora.auditing",
    "FindingCase": "codekin.detectors.benchmark.paper_findings",
    "FindingVerdict": "codekin.detectors.benchmark.paper_findings",
    "Fitted": "codekin.detectors.detector",
    "FittedRows": "codekin.evaluation.fitted_rows",
    "FoundCode": "codekin.scan.code_search",
    "FoundPlace": "codekin.scan.code_search",
    "GraphEdit": "codekin.align.graph_edit",
    "Grid": "codekin.results",
    "GridCorpus": "codekin.detectors.benchmark.grid",
    "GroupChance": "codekin.runs.summaries",
    "Identifier": "codekin.rewrite.identifiers",
    "IdentifierList": "codekin.rewrite.identifiers",
    "IndexInfo": "codekin.scan.indexing",
    "Interval": "codekin.results",
    "LabelledPlaces": "codekin.detectors.detector",
    "Language": "codekin.languages",
    "LeftOutFile": "codekin.scan.scanned_files",
    "MatchedRegion": "codekin.scan.submission_evidence",
    "MeanEstimate": "codekin.statistics.prediction_powered",
    "Measure": "codekin.measures",
    "NameOverlap": "codekin.corpora.name_overlap",
    "NameRole": "codekin.languages",
    "OutcomeJudgement": "codekin.evaluation.outcome_judgement",
    "PairEvidence": "codekin.scan.submission_evidence",
    "PairPrediction": "codekin.detectors.predicting",
    "PairSizes": "codekin.detectors.benchmark.grid",
    "Pairs": "codekin.corpora.labelled_pairs",
    "PaperFinding": "codekin.detectors.benchmark.paper_findings",
    "PartNumbers": "codekin.detectors.benchmark.cell_results",
    "PlannedRow": "codekin.evaluation.sample_plan",
    "PoweredMean": "codekin.statistics.prediction_powered",
    "Predictions": "codekin.detectors.predicting",
    "Prepared": "codekin.detectors.prepared",
    "PropertyVerdict": "codekin.detectors.benchmark.dataset_properties",
    "RankedPair": "codekin.detectors.searching",
    "RateDifference": "codekin.evaluation.estimation",
    "RateEstimates": "codekin.evaluation.estimation",
    "ReliabilityBin": "codekin.statistics.outcome_probability",
    "Result": "codekin.results",
    "Retrieval": "codekin.statistics.retrieval",
    "RevisionAlignment": "codekin.revisions.alignment",
    "Role": "codekin.corpora.snippets",
    "Run": "codekin.runs.run",
    "RunComparison": "codekin.runs.comparison",
    "RunReport": "codekin.report.run_report",
    "RunSummary": "codekin.runs.summaries",
    "SamplePlan": "codekin.evaluation.sample_plan",
    "Scan": "codekin.scan.scan_result",
    "ScanConfig": "codekin.scan.scan_config",
    "ScanGate": "codekin.scan.gate",
    "Score": "codekin.measures",
    "ScoreList": "codekin.measures",
    "ScoreShift": "codekin.evaluation.score_shift",
    "SemanticGraph": "codekin.represent.graph.semantic_graph",
    "Severity": "codekin.corpora.auditing",
    "SharedFeature": "codekin.scan.submission_evidence",
    "ShownFile": "codekin.scan.submission_evidence",
    "SimilarityMatrix": "codekin.groups.similarity_matrix",
    "Snippet": "codekin.corpora.snippets",
    "Source": "codekin.source",
    "Span": "codekin.measures",
    "Step": "codekin.corpora.corpus",
    "Student": "codekin.scan.submission_result",
    "SubmissionGroup": "codekin.scan.submission_result",
    "SubmissionPair": "codekin.scan.submission_result",
    "Submissions": "codekin.scan.submission_result",
    "SubmittedLines": "codekin.scan.submission_evidence",
    "SystemComparison": "codekin.runs.system_comparison",
    "SystemPlan": "codekin.evaluation.sample_plan",
    "SystemRate": "codekin.evaluation.estimation",
    "ThreeWayAlignment": "codekin.align.three_way",
    "TokenClass": "codekin.languages",
    "Training": "codekin.detectors.fitting",
    "TrainingProgress": "codekin.detectors.detector",
    "TripletJudgement": "codekin.evaluation.triplet_judgement",
    "TripletSet": "codekin.evaluation.triplet_building",
    "TrivialDetectors": "codekin.corpora.trivial",
    "TypeCheck": "codekin.corpora.clone_types",
    "TypeTable": "codekin.corpora.clone_types",
    "UnusualPairs": "codekin.scan.submission_result",
    "Vocabulary": "codekin.rewrite.abstraction",
    "__version__": "codekin._version",
    "abstract": "codekin.rewrite.abstraction",
    "abstract_corpus": "codekin.corpora.abstracting",
    "add_to_index": "codekin.scan.indexing",
    "align_revisions": "codekin.revisions.alignment",
    "align_three": "codekin.align.three_way",
    "apply_calibration": "codekin.evaluation.calibrated_scores",
    "audit_corpus": "codekin.corpora.auditing",
    "build_contest": "codekin.corpora.builders",
    "build_corpus": "codekin.corpora.builders",
    "build_triplets": "codekin.evaluation.triplet_building",
    "build_yu": "codekin.corpora.builders",
    "calibrate": "codekin.evaluation.calibrating",
    "changed_lines": "codekin.scan.git_changes",
    "check_corpus": "codekin.corpora.checking",
    "check_types": "codekin.corpora.clone_types",
    "clone_type": "codekin.corpora.clone_types",
    "cluster_revisions": "codekin.groups.clustering",
    "compare": "codekin.measures",
    "compare_corpora": "codekin.corpora.similarity",
    "compare_runs": "codekin.runs.comparison",
    "compare_submissions": "codekin.scan.submissions",
    "compare_systems": "codekin.runs.system_comparison",
    "corpus_balance": "codekin.corpora.description",
    "dataset_properties": "codekin.detectors.benchmark.dataset_properties",
    "demo": "codekin.report.demo",
    "describe_build": "codekin.corpora.builders",
    "describe_corpus": "codekin.corpora.description",
    "describe_detectors": "codekin.report.listings",
    "describe_languages": "codekin.report.listings",
    "describe_measures": "codekin.report.listings",
    "detect_language": "codekin.represent.text.detection",
    "export_graph": "codekin.report.graph.stages",
    "extract_code": "codekin.represent.text.chat_answers",
    "detector": "codekin.detectors.detector",
    "detector_names": "codekin.detectors.detector",
    "estimate_rates": "codekin.evaluation.estimation",
    "evaluate_adequacy": "codekin.evaluation.adequacy",
    "evaluate_card": "codekin.evaluation.card",
    "evaluate_outcomes": "codekin.evaluation.outcomes",
    "evaluate_triplets": "codekin.evaluation.triplets",
    "find_code": "codekin.scan.code_search",
    "find_copies": "codekin.corpora.copies",
    "find_scan_config": "codekin.scan.scan_config",
    "graph_edit_distance": "codekin.align.graph_edit",
    "identifiers": "codekin.rewrite.identifiers",
    "index_info": "codekin.scan.indexing",
    "language_names": "codekin.languages",
    "load_calibration": "codekin.evaluation.calibration_file",
    "load_detector": "codekin.detectors.detector",
    "load_prepared": "codekin.detectors.prepared",
    "longest_common_subsequence": "codekin.align.lcs",
    "measure": "codekin.measures",
    "measure_names": "codekin.measures",
    "name_overlap": "codekin.corpora.name_overlap",
    "parse_detector": "codekin.detectors.detector",
    "plan_tests": "codekin.evaluation.sample_plan",
    "powered_mean": "codekin.statistics.prediction_powered",
    "predict_pairs": "codekin.detectors.predicting",
    "prepare_snippets": "codekin.detectors.preparing",
    "read_benchmark": "codekin.detectors.benchmark.benchmark_result",
    "read_corpus": "codekin.corpora.reading",
    "read_grid": "codekin.detectors.benchmark.grid",
    "read_scan_config": "codekin.scan.scan_config",
    "report": "codekin.report.run_report",
    "rotate_corpus": "codekin.corpora.views",
    "rows_needed": "codekin.evaluation.sample_plan",
    "run_benchmark": "codekin.detectors.benchmark.running",
    "sample_pairs": "codekin.corpora.sampling",
    "scan_gate": "codekin.scan.gate",
    "scan_paths": "codekin.scan.scanning",
    "score": "codekin.runs.scoring",
    "search_clones": "codekin.detectors.searching",
    "program_slice": "codekin.source",
    "semantic_graph": "codekin.source",
    "shipped_detector": "codekin.detectors.shipped",
    "similarity_matrix": "codekin.groups.similarity_matrix",
    "split_corpus": "codekin.corpora.views",
    "summarize": "codekin.runs.summaries",
    "train_detector": "codekin.detectors.fitting",
    "trivial_detectors": "codekin.corpora.trivial",
    "type_pairs": "codekin.corpora.clone_types",
    "type_table": "codekin.corpora.clone_types",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(_import_module(_HOMES[name]), name)
    # The package codekin.report, which is there by now, is also the function of its name.
    return globals().setdefault(name, found)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
