"""Finding clones in many files: fragments, candidates, findings, and classes of clones."""

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

__all__ = [
    "AbsentStudent",
    "ChangedLines",
    "CloneBaseline",
    "CloneClass",
    "CloneFinding",
    "ClonePlace",
    "CodeIndex",
    "CodeMark",
    "CodeRegion",
    "FoundCode",
    "FoundPlace",
    "IndexInfo",
    "LeftOutFile",
    "MatchedRegion",
    "PairEvidence",
    "Scan",
    "ScanConfig",
    "ScanGate",
    "SharedFeature",
    "ShownFile",
    "Student",
    "SubmissionGroup",
    "SubmissionPair",
    "Submissions",
    "SubmittedLines",
    "UnusualPairs",
    "add_to_index",
    "changed_lines",
    "compare_submissions",
    "find_code",
    "find_scan_config",
    "index_info",
    "read_scan_config",
    "scan_gate",
    "scan_paths",
]
