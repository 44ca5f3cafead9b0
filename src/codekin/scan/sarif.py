"""Clones as SARIF 2.1.0, the format of code scanning services and editors."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from codekin.plain_text import plain
from codekin.results import count_text
from codekin.scan.clone_places import ClonePlace, file_and_cell

if TYPE_CHECKING:
    from codekin.scan.scan_result import CodeRegion, Scan

__all__ = ["clone_message", "rule_of", "sarif_document"]

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_ROOT = "%SRCROOT%"
_MAX_RELATED = 20
"""Related locations of a result; a class may have thousands of members."""
_MAX_NAMED = 3
"""Copies that a message names."""
_RULES = {
    "T1": ("IdenticalCopy", "Identical copy", "Only layout and comments differ.", "warning"),
    "T2": ("RenamedCopy", "Renamed copy", "Names, numbers or strings differ.", "warning"),
    "T3": ("ChangedCopy", "Changed copy", "Some statements differ, too.", "warning"),
    "T4": (
        *("RewrittenCopy", "Rewritten copy"),
        *("Many statements differ, but the operations are mostly the same.", "note"),
    ),
}


def sarif_document(scan: Scan, *, new: Collection[ClonePlace] | None = None) -> dict[str, Any]:
    """The places of clones as a SARIF log with one run.

    There is a result per place rather than per pair, since the pairs of a class grow with the
    square of its members, and since services show a result at one place.

    Parameters
    ----------
    scan : Scan
    new : collection of ClonePlace, optional
        Those that are new; then each result says whether it is.
    """
    from codekin._version import __version__

    numbers = {type_: number for number, type_ in enumerate(_RULES)}
    results = []
    for place in scan.places:
        type_ = place.clone_class.type
        result: dict[str, Any] = {
            "ruleId": rule_of(type_),
            "ruleIndex": numbers[type_],
            "level": _RULES[type_][3],
            "message": {"text": clone_message(place)},
            "locations": [_location(place.region)],
            "relatedLocations": [
                {"id": number, **_location(region), "message": {"text": _copy_text(what, region)}}
                for number, (what, region) in enumerate(_related(place), 1)
            ],
            "partialFingerprints": {"codekinClone/v1": place.fingerprint},
            "properties": {
                "cloneClass": place.clone_class.number,
                "score": round(place.clone_class.score, 4),
                "copies": len(place.clone_class.members),
                **({"widerClasses": [one.number for one in place.wider]} if place.wider else {}),
            },
        }
        if new is not None:
            result["baselineState"] = "new" if place in new else "unchanged"
        results.append(result)
    run = {
        "tool": {
            "driver": {
                "name": "codekin",
                "version": __version__,
                "rules": [_rule(type_) for type_ in _RULES],
            }
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {
            _ROOT: {"description": {"text": "The folder in which the scan was run."}}
        },
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [
                    {
                        "level": "warning",
                        "message": {"text": plain(f"Not read: {one.path} ({one.reason})")},
                        "locations": [
                            {"physicalLocation": {"artifactLocation": _artifact(one.path)}}
                        ],
                    }
                    for one in scan.unreadable
                ],
            }
        ],
        "results": results,
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def rule_of(type_: str) -> str:
    """The name of the rule for a type of clones.

    Examples
    --------
    >>> rule_of("T1")
    'clone-T1'
    """
    return f"clone-{type_}"


def clone_message(place: ClonePlace) -> str:
    """What a place of a clone is and where its first copies are, in a sentence."""
    region = place.region
    what = _RULES[place.clone_class.type][1]
    named = ", ".join(_copy_place(one) for one in place.copies(_MAX_NAMED))
    more = len(place.clone_class.members) - 1 - _MAX_NAMED
    cell = file_and_cell(region.file)[1]
    where = "" if cell is None else f" in cell {cell}, lines {region.start} to {region.end},"
    name = f" {plain(region.name)}" if region.name else ""
    of = f" of {named}" if named else ""
    return (
        f"{what} ({count_text(region.code_lines, 'line')} of code){name}{where}{of}"
        f"{f' and {more:,} more' if more > 0 else ''}."
    )


def _copy_place(region: CodeRegion) -> str:
    return f"{plain(region.file)}:{region.start}"


def _related(place: ClonePlace) -> list[tuple[str, CodeRegion]]:
    """The other places of the class, and then those of wider classes, with what they are."""
    copies = [("Copy", region) for region in place.copies(_MAX_RELATED)]
    return copies + [
        (_RULES[type_][1], region) for type_, region in place.changed[: _MAX_RELATED - len(copies)]
    ]


def _copy_text(what: str, region: CodeRegion) -> str:
    return f"{what}: {plain(region.name)}" if region.name else what


def _rule(type_: str) -> dict[str, Any]:
    name, title, difference, level = _RULES[type_]
    return {
        "id": rule_of(type_),
        "name": name,
        "shortDescription": {"text": f"{title} of other code ({type_} clone)"},
        "fullDescription": {"text": f"This code is a copy of other code. {difference}"},
        "help": {"text": "Move the code that the copies share to one place, and use it there."},
        "defaultConfiguration": {"level": level},
        "properties": {"tags": ["maintainability", "duplication"]},
    }


def _location(region: CodeRegion) -> dict[str, Any]:
    """A location; lines of a cell are not lines of the notebook's file."""
    file, cell = file_and_cell(region.file)
    physical: dict[str, Any] = {"artifactLocation": _artifact(file)}
    location: dict[str, Any] = {"physicalLocation": physical}
    if cell is None:
        physical["region"] = {"startLine": region.start, "endLine": region.end}
    logical = [{"name": f"cell {cell}", "kind": "module"}] if cell is not None else []
    if region.name:
        logical.append({"name": plain(region.name), "kind": "function"})
    if logical:
        location["logicalLocations"] = logical
    return location


def _artifact(file: str) -> dict[str, str]:
    """A file below the current folder relative to it; another one with its full path."""
    if file.startswith(("/", "../")) or Path(file).is_absolute():
        return {"uri": Path(os.path.abspath(file)).as_uri()}  # noqa: PTH100, links stay
    return {"uri": quote(os.fsencode(file), safe="/"), "uriBaseId": _ROOT}
