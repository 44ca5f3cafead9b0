"""Clones in GitLab's format for code quality, which is a part of CodeClimate's."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from codekin.scan.clone_places import file_and_cell
from codekin.scan.sarif import clone_message, rule_of

if TYPE_CHECKING:
    from codekin.scan.scan_result import Scan

__all__ = ["gitlab_document"]

_SEVERITIES = {"T1": "major", "T2": "major", "T3": "minor", "T4": "info"}
_MAX_LOCATIONS = 20


def gitlab_document(scan: Scan) -> list[dict[str, Any]]:
    """The places of clones as issues of code quality.

    Parameters
    ----------
    scan : Scan
    """
    return [
        {
            "type": "issue",
            "check_name": rule_of(place.clone_class.type),
            "description": clone_message(place),
            "categories": ["Duplication"],
            "severity": _SEVERITIES[place.clone_class.type],
            "fingerprint": _unique(place.region.file, place.fingerprint),
            "location": _location(place.region.file, place.region.start, place.region.end),
            "other_locations": [
                _location(region.file, region.start, region.end)
                for region in (*place.copies(), *(region for _, region in place.changed))
            ][:_MAX_LOCATIONS],
        }
        for place in scan.places
    ]


def _unique(file: str, fingerprint: str) -> str:
    """GitLab compares fingerprints alone, so that of a place contains its file."""
    text = f"{file}\0{fingerprint}".encode("utf-8", "surrogateescape")
    return hashlib.sha256(text).hexdigest()[:32]


def _location(name: str, start: int, end: int) -> dict[str, Any]:
    file, cell = file_and_cell(name)
    lines = {"begin": start, "end": end} if cell is None else {"begin": 1, "end": 1}
    return {"path": file, "lines": lines}
