"""Every JSON document that a command prints about a run is valid by its schema."""

from __future__ import annotations

import copy
import json
import re
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from codekin import score

ROWS = [
    {"id": f"{system}{i}", "group": system, "task": str(i), "language": "c"}
    | {"candidate": "x;" * (i + (system == "b")), "reference": "x;" * i}
    for system in "ab"
    for i in range(5)
] + [{"id": "bad", "group": "a"}]


def schema(name: str) -> Any:
    return json.loads(resources.files("codekin").joinpath(f"data/{name}.schema.json").read_text())


@pytest.fixture
def run(tmp_path) -> Path:
    return score(ROWS, ["nes", "bleu", "ed"], output=tmp_path / "run", workers=0).path


@pytest.fixture
def documents(cli, run, tmp_path) -> dict[str, list[Any]]:
    """For each command, what it prints in several cases."""
    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    none = tmp_path / "none.jsonl"
    bad = [{"id": 1, "candidate": one, "reference": "x"} for one in (7, [])]
    none.write_text("".join(json.dumps(row) + "\n" for row in bad))
    commands: dict[str, list[list[Any]]] = {
        "score": [
            [rows, "-o", tmp_path / "new", "-m", "nes", "-w", 1],
            [none, "-o", tmp_path / "none", "-m", "nes", "-w", 1],
        ],
        "summarize": [[run], [run, "--by", "group", "--cluster", "task"], [run, "--by", "id"]],
        "compare-runs": [
            [run, "--group", "a", "--group", "b"],
            [run, "--group", "a", "--group", "b", "--on", "task", "--top", "0"],
            [run, run],
        ],
        "compare-systems": [[run, run, run], [run, run, run, "--cluster", "task"]],
    }
    printed = {}
    for name, cases in commands.items():
        printed[name] = []
        for words in cases:
            command = "compare-runs" if name == "compare-systems" else name
            result = cli(command, *words, "--format", "json")
            assert result.exit_code == int(none in words), result.output
            printed[name].append(json.loads(result.stdout))
    return printed


def test_documents_are_valid(documents) -> None:
    for name in ("score", "summarize", "compare-runs", "compare-systems"):
        check_schema(name, documents[name])


def check_schema(name: str, printed: list[Any]) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(name))
    validator = jsonschema.Draft202012Validator(schema(name))
    for document in printed:
        validator.validate(document)
        # A key more or less would not pass, so that the schema says all there is.
        for key in document:
            less = copy.deepcopy(document)
            del less[key]
            assert not validator.is_valid(less)
        assert not validator.is_valid(document | {"more": 1})
        assert not validator.is_valid(document | {"measures": [{}], "groups": [{}]})


def test_the_documented_example_of_score_is_valid() -> None:
    page = Path(__file__).parents[2] / "docs" / "json.md"
    (example,) = re.findall(r"## score.*?```json\n(.*?)```", page.read_text(), re.S)
    jsonschema.validate(json.loads(example), schema("score"), jsonschema.Draft202012Validator)


@pytest.mark.parametrize(
    "name",
    [
        *("compare-systems",),
        *("summarize", "compare-runs", "align", "cluster", "matrix", "audit", "corpus info"),
        *("corpus balance", "corpus compare", "corpus check", "corpus type", "corpus type --check"),
        *("corpus build", "scan --submissions"),
    ],
)
def test_the_documentation_names_every_field(name) -> None:
    page = (Path(__file__).parents[2] / "docs" / "json.md").read_text("utf-8")
    (section,) = re.findall(rf"^## {name}\n(.*?)(?=^## )", page, re.S | re.M)
    named = set(re.findall(r"`\.*(\w+)(?:\[\])?`", section))
    whole = schema(name.replace("--", "").replace(" ", "-"))
    parts = {key: part for key, part in whole["$defs"].items() if "properties" in part}
    fields = {field for part in (whole, *parts.values()) for field in part["properties"]}
    estimate = {"percentile", "bca"} if name == "compare-runs" else set()
    assert fields - named == estimate | {f for f in fields if f.endswith("_holm")}


def test_the_documented_way_to_a_schema_works() -> None:
    page = (Path(__file__).parents[2] / "docs" / "json.md").read_text("utf-8")
    (example,) = re.findall(r"## The schemas.*?```python\n(.*?)```", page, re.S)
    found: dict[str, Any] = {}
    exec(example, found)
    assert found["schema"] == schema("summarize")
