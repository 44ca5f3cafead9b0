"""Finding clones in many files: fragments, candidates, findings, and classes of clones."""

from codekin.scan.clone_places import ClonePlace
from codekin.scan.scan_result import CloneClass, CloneFinding, CodeRegion, Scan
from codekin.scan.scanned_files import LeftOutFile
from codekin.scan.scanning import scan_paths

__all__ = [
    "CloneClass",
    "CloneFinding",
    "ClonePlace",
    "CodeRegion",
    "LeftOutFile",
    "Scan",
    "scan_paths",
]
