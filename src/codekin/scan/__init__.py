"""Finding clones in many files: fragments, candidates, findings, and classes of clones."""

from codekin.scan.scan_result import CloneClass, CodeRegion, Finding, Scan
from codekin.scan.scanned_files import LeftOutFile
from codekin.scan.scanning import scan_paths

__all__ = ["CloneClass", "CodeRegion", "Finding", "LeftOutFile", "Scan", "scan_paths"]
