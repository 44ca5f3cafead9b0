from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote_to_bytes

import jsonschema
import pytest
from tests.scan.test_scanning import CHANGED, MEAN, OTHER, RENAMED

from codekin import scan_paths
from codekin.scan.scan_result import CloneClass, CodeRegion

MESSAGE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["text"],
    "properties": {"text": {"type": "string", "minLength": 1}},
}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
ARTIFACT = {
    "type": "object",
    "additionalProperties": False,
    "required": ["uri"],
    "properties": {
        # A reference as in RFC 3986, of unreserved characters alone.
        "uri": {"type": "string", "pattern": r"^(file:///)?([A-Za-z0-9._~/-]|%[0-9A-F]{2})+$"},
        "uriBaseId": {"type": "string"},
    },
}
LOCATION = {
    "type": "object",
    "additionalProperties": False,
    "required": ["physicalLocation"],
    "properties": {
        "id": {"type": "integer", "minimum": -1},
        "physicalLocation": {
            "type": "object",
            "additionalProperties": False,
            "required": ["artifactLocation"],
            "properties": {
                "artifactLocation": ARTIFACT,
                "region": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {
                        "startLine": {"type": "integer", "minimum": 1},
                        "endLine": {"type": "integer", "minimum": 1},
                    },
                },
            },
        },
        "logicalLocations": {
            "type": "array",
            "uniqueItems": True,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "properties": {"name": {"type": "string"}, "kind": {"type": "string"}},
            },
        },
        "message": MESSAGE,
    },
}
LOCATIONS = {"type": "array", "uniqueItems": True, "items": LOCATION}
RULE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["id"],
    "properties": {
        "id": {"type": "string"},
        "name": {"type": "string"},
        "shortDescription": MESSAGE,
        "fullDescription": MESSAGE,
        "help": MESSAGE,
        "defaultConfiguration": {
            "type": "object",
            "additionalProperties": False,
            "properties": {"level": LEVEL},
        },
        "properties": {
            "type": "object",
            "properties": {
                "tags": {"type": "array", "uniqueItems": True, "items": {"type": "string"}}
            },
        },
    },
}
RESULT = {
    "type": "object",
    "additionalProperties": False,
    "required": ["message", "ruleId", "locations", "partialFingerprints"],
    "properties": {
        "ruleId": {"type": "string"},
        "ruleIndex": {"type": "integer", "minimum": -1},
        "level": LEVEL,
        "message": MESSAGE,
        "locations": LOCATIONS,
        "relatedLocations": LOCATIONS,
        "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
        "baselineState": {"enum": ["new", "unchanged", "updated", "absent"]},
        "properties": {"type": "object"},
    },
}
RUN = {
    "type": "object",
    "additionalProperties": False,
    "required": ["tool"],
    "properties": {
        "tool": {
            "type": "object",
            "additionalProperties": False,
            "required": ["driver"],
            "properties": {
                "driver": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["name"],
                    "properties": {
                        "name": {"type": "string"},
                        "version": {"type": "string"},
                        "rules": {"type": "array", "uniqueItems": True, "items": RULE},
                    },
                }
            },
        },
        "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
        "originalUriBaseIds": {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "additionalProperties": False,
                "properties": {"description": MESSAGE},
            },
        },
        "invocations": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["executionSuccessful"],
                "properties": {
                    "executionSuccessful": {"type": "boolean"},
                    "toolExecutionNotifications": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "additionalProperties": False,
                            "required": ["message"],
                            "properties": {
                                "level": LEVEL,
                                "message": MESSAGE,
                                "locations": LOCATIONS,
                            },
                        },
                    },
                },
            },
        },
        "results": {"type": "array", "items": RESULT},
    },
}
SARIF = {
    "type": "object",
    "additionalProperties": False,
    "required": ["version", "runs"],
    "properties": {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"const": "2.1.0"},
        "runs": {"type": "array", "items": RUN},
    },
}
"""The part of the schema of SARIF 2.1.0 about what is written; nothing else is allowed."""


def run_of(scan) -> dict:
    document = json.loads(scan.to_sarif())
    jsonschema.validate(document, SARIF)
    (run,) = document["runs"]
    for one in run["results"]:
        assert run["tool"]["driver"]["rules"][one["ruleIndex"]]["id"] == one["ruleId"]
    return run


@pytest.fixture
def write(tmp_path, monkeypatch) -> Callable[..., None]:
    monkeypatch.chdir(tmp_path)
    Path("src").mkdir()

    def write_files(**texts: str) -> None:
        for name, text in texts.items():
            Path("src", f"{name}.py").write_text(text)

    return write_files


def scanned(*paths: str):
    return scan_paths(paths or ["src"], workers=0)


def test_each_member_is_a_result_with_its_copies(write) -> None:
    write(a=MEAN, b=CHANGED, c=RENAMED, d=OTHER)
    Path("src/bad.py").write_bytes(b"\0")
    run = run_of(scanned())
    results = run["results"]
    assert [one["ruleId"] for one in results] == ["clone-T2", "clone-T2", "clone-T3"]
    assert results[2]["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "src/b.py", "uriBaseId": "%SRCROOT%"},
                "region": {"startLine": 1, "endLine": 12},
            },
            "logicalLocations": [{"name": "weighted_mean", "kind": "function"}],
        }
    ]
    related = [
        one["physicalLocation"]["artifactLocation"] for one in results[2]["relatedLocations"]
    ]
    assert [one["uri"] for one in related] == ["src/a.py", "src/c.py"]
    assert results[2]["message"]["text"] == (
        "Changed copy (12 lines of code) weighted_mean of src/a.py:1, src/c.py:1."
    )
    (notice,) = run["invocations"][0]["toolExecutionNotifications"]
    assert notice["message"]["text"].startswith("Not read: src/bad.py (looks binary")


def fingerprints(scan) -> list[tuple[str, str]]:
    return [
        (
            one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            one["partialFingerprints"]["codekinClone/v1"],
        )
        for one in run_of(scan)["results"]
    ]


def test_fingerprints_stay_when_code_moves(write) -> None:
    write(a=MEAN, b=MEAN + "\n\n" + MEAN)
    before, issues = fingerprints(scanned()), json.loads(scanned().to_gitlab())
    assert len(set(before)) == len(before) == 3
    longer = MEAN.replace("    total = 0\n", "    # from zero\n\n    total  =  0\n")
    write(a=OTHER + "\n\n" + longer, b=f"# moved\n{MEAN}x = 1\n" + RENAMED)
    assert fingerprints(scanned()) == before
    assert [one["fingerprint"] for one in json.loads(scanned().to_gitlab())] == [
        one["fingerprint"] for one in issues
    ]
    write(a=MEAN.replace("count == 0", "count <= 0"))
    assert fingerprints(scanned())[0] != before[0]
    assert fingerprints(scanned())[1:] == before[1:]


def test_odd_names_are_percent_encoded(write) -> None:
    write(a=MEAN)
    odd = [b"src/a b:#1%.py", "src/ü.py".encode(), b"src/\xff.py"]
    for name in odd:
        Path(os.fsdecode(name)).write_text(MEAN)
    uris = {uri for uri, _ in fingerprints(scanned())}
    assert {unquote_to_bytes(one) for one in uris} == {b"src/a.py", *odd}
    assert "src/a%20b%3A%231%25.py" in uris


def test_files_elsewhere_have_whole_paths(write, monkeypatch, tmp_path) -> None:
    write(a=MEAN, b=MEAN)
    Path("below").mkdir()
    monkeypatch.chdir("below")
    expected = [(tmp_path / "src" / name).as_uri() for name in ("a.py", "b.py")]
    for path in ("../src", str(tmp_path / "src")):
        results = run_of(scanned(path))["results"]
        artifacts = [one["locations"][0]["physicalLocation"]["artifactLocation"] for one in results]
        assert artifacts == [{"uri": uri} for uri in expected]


def test_cells_of_notebooks_have_no_lines_of_the_file(write) -> None:
    cells = [{"cell_type": "code", "source": text} for text in (MEAN, RENAMED)]
    Path("src/n.ipynb").write_text(json.dumps({"cells": cells, "nbformat": 4}))
    first = run_of(scanned())["results"][0]
    place = first["locations"][0]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "src/n.ipynb", "uriBaseId": "%SRCROOT%"}
    }
    assert place["logicalLocations"][0]["name"] == "cell 1"
    assert "in cell 1, lines 1 to 10," in first["message"]["text"]


def test_gitlab_issues_are_unique(write) -> None:
    write(a=MEAN, b=MEAN + "\n\n" + MEAN)
    issues = json.loads(scanned().to_gitlab("report.json"))
    assert json.loads(Path("report.json").read_text()) == issues
    assert len({one["fingerprint"] for one in issues}) == 3
    assert [(one["location"]["path"], one["location"]["lines"]) for one in issues] == [
        ("src/a.py", {"begin": 1, "end": 10}),
        ("src/b.py", {"begin": 1, "end": 10}),
        ("src/b.py", {"begin": 13, "end": 22}),
    ]
    assert issues[0]["severity"] == "major"
    assert issues[0]["check_name"] == "clone-T1"


def test_no_clones_make_an_empty_report(write) -> None:
    write(a=OTHER)
    assert run_of(scanned())["results"] == []
    assert json.loads(scanned().to_gitlab()) == []


def test_exact_copies_are_reported_as_such_with_those_that_differ(write) -> None:
    write(a=MEAN, b=MEAN, c=CHANGED)
    found = scanned()
    exact, changed = found.classes
    results = run_of(found)["results"]
    assert [one["ruleId"] for one in results] == ["clone-T1", "clone-T1", "clone-T3"]
    assert results[0]["properties"]["cloneClass"] == exact.number
    assert results[0]["properties"]["widerClasses"] == [changed.number]
    assert results[0]["message"]["text"] == (
        "Identical copy (10 lines of code) weighted_mean of src/b.py:1."
    )
    related = [one["message"]["text"] for one in results[0]["relatedLocations"]]
    assert related == ["Copy: weighted_mean", "Changed copy: weighted_mean"]
    related = [one["message"]["text"] for one in results[2]["relatedLocations"]]
    assert related == ["Copy: weighted_mean"] * 2
    issues = json.loads(found.to_gitlab())
    assert [issue["check_name"] for issue in issues] == ["clone-T1", "clone-T1", "clone-T3"]
    assert [len(issue["other_locations"]) for issue in issues] == [2, 2, 2]


def test_a_place_is_in_the_innermost_of_its_classes(write) -> None:
    write(a=OTHER)
    a, b, c, d = (CodeRegion(f"{name}.py", 1, 9, "", name) for name in "abcd")
    classes = (
        CloneClass(1, "T1", 1.0, (a, b), 9, within=2),
        CloneClass(2, "T3", 0.8, (a, b, c), 9, within=3),
        CloneClass(3, "T4", 0.7, (a, b, c, d), 9),
    )
    found = replace(scanned(), classes=classes)
    assert [
        (one.region.file, one.clone_class.number, [region.file for region in one.copies()])
        for one in found.places
    ] == [
        ("a.py", 1, ["b.py"]),
        ("b.py", 1, ["a.py"]),
        ("c.py", 2, ["a.py", "b.py"]),
        ("d.py", 3, ["a.py", "b.py", "c.py"]),
    ]
    assert [type_ for type_, _ in found.places[0].changed] == ["T3", "T4"]
    assert {one.family for one in found.places} == {3}
