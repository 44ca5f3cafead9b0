"""The schemas in the package are those of the types, and say exactly what documents hold."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import jsonschema
import pytest


def _tool() -> ModuleType:
    path = Path(__file__).parents[2] / "tools" / "schemas.py"
    spec = importlib.util.spec_from_file_location("schemas", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TOOL = _tool()


@pytest.mark.parametrize("name", TOOL.DOCUMENTS)
def test_schemas_are_current(name: str) -> None:
    path = TOOL.folder() / f"{name}.schema.json"
    assert path.read_text("utf-8") == TOOL.text_of(TOOL.schema_of(name)) + "\n", (
        "run: python tools/schemas.py"
    )


def test_there_is_no_other_schema() -> None:
    found = {path.name.removesuffix(".schema.json") for path in TOOL.folder().glob("*.schema.json")}
    assert found == set(TOOL.DOCUMENTS)


@pytest.mark.parametrize("name", TOOL.DOCUMENTS)
def test_schemas_are_sound_and_closed(name: str) -> None:
    schema = TOOL.schema_of(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    for part in (schema, *schema["$defs"].values()):
        if "properties" in part:
            assert part["additionalProperties"] is False
            assert set(part["required"]) <= set(part["properties"])
            assert part["description"]
    used = set(_references(schema))
    assert used == {f"#/$defs/{part}" for part in schema["$defs"]}


def _references(value: object) -> list[str]:
    if isinstance(value, dict):
        own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
        return own + [found for one in value.values() for found in _references(one)]
    return [found for one in value for found in _references(one)] if isinstance(value, list) else []


def test_descriptions_are_in_the_words_of_json() -> None:
    estimate = TOOL.schema_of("summarize")["$defs"]["Estimate"]["properties"]
    assert estimate["value"] == {
        "type": ["number", "null"],
        "description": "Of the units at hand; null where there are none.",
    }
    assert estimate["bca"]["$ref"] == "#/$defs/Interval"


def test_what_fits_on_a_line_is_on_one() -> None:
    long = {"a": {"b": ["c" * 90]}, "d": {"e": {"f": "g" * 90}}}
    text = TOOL.text_of(long)
    assert json.loads(text) == long
    assert text.splitlines()[1] == '  "a": {"b": ["' + "c" * 90 + '"]},'
