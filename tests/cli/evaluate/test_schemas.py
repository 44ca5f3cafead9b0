"""Every JSON document of a judgement is valid by its schema, which the documentation explains."""

from __future__ import annotations

import copy
import json
import re
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from tests.report.judging.example_judgements import (
    broken_cards,
    broken_outcomes,
    broken_triplets,
    full_outcomes,
    many_languages,
    one_language,
    two_cards,
)

RUNS = [
    "triplets",
    "triplets-languages",
    "triplets-broken",
    "triplets-nothing",
    "triplets-none",
    "outcomes",
    "outcomes-broken",
    "card",
    "card-broken",
    "card-nothing",
]
BY_HAND = [
    ("triplets", one_language),
    ("triplets", many_languages),
    ("triplets", broken_triplets),
    ("outcomes", full_outcomes),
    ("outcomes", broken_outcomes),
    ("card", two_cards),
    ("card", broken_cards),
]


def schema(name: str) -> Any:
    file = resources.files("codekin").joinpath(f"data/evaluate-{name}.schema.json")
    return json.loads(file.read_text("utf-8"))


@pytest.mark.parametrize("run", RUNS)
def test_printed_documents_are_valid(cli, run_of, run) -> None:
    name = run.partition("-")[0]
    result = cli("evaluate", name, run_of(run), "--format", "json")
    validate(name, json.loads(result.stdout))


@pytest.mark.parametrize(("name", "make"), BY_HAND)
def test_documents_with_all_that_can_be_missing_are_valid(name, make) -> None:
    validate(name, json.loads(make().to_json()))


def validate(name: str, document: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(name))
    validator = jsonschema.Draft202012Validator(schema(name))
    validator.validate(document)
    # A key more or less would not pass, so that the schema says all there is.
    for key in document:
        less = copy.deepcopy(document)
        del less[key]
        assert not validator.is_valid(less)
    for label, one in document["measures"].items():
        for key in one:
            less = copy.deepcopy(document)
            del less["measures"][label][key]
            assert not validator.is_valid(less), key
        more = copy.deepcopy(document)
        more["measures"][label]["more"] = 1
        assert not validator.is_valid(more)
    assert not validator.is_valid(document | {"more": 1})


@pytest.mark.parametrize("name", ["triplets", "outcomes", "card", "adequacy"])
def test_the_documentation_names_every_field(name) -> None:
    page = (Path(__file__).parents[3] / "docs" / "json.md").read_text("utf-8")
    (section,) = re.findall(rf"^## evaluate {name}\n(.*?)(?=^## )", page, re.S | re.M)
    named = set(re.findall(r"`\.*(\w+)(?:\[\]|\{\})?`", section))
    whole = schema(name)
    parts = [part for part in whole["$defs"].values() if "properties" in part]
    fields = {field for part in (whole, *parts) for field in part["properties"]}
    # Intervals are named by their value, and by what was drawn.
    assert {
        field for field in fields - named if not re.search(r"_ci(_task|_group)?$", field)
    } == set()
