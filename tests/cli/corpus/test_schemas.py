"""Every JSON document that a command prints about a corpus is valid by its schema."""

from __future__ import annotations

import copy
import json
from importlib import resources
from pathlib import Path

import jsonschema
import pytest

EXAMPLE = Path(__file__).parents[3] / "docs" / "examples" / "clones" / "snippets.jsonl"
TYPED = "id1,id2,type,sim_line,sim_token\nbs-01,bs-12,VST3,.9,.9\nbs-05,bs-19,T1,1,1\n"


@pytest.fixture(scope="module")
def typed(tmp_path_factory) -> Path:
    place = tmp_path_factory.mktemp("typed") / "typed.csv"
    place.write_text(TYPED)
    return place


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("audit", ("audit", EXAMPLE)),
        ("corpus-balance", ("corpus", "balance", EXAMPLE)),
        (
            "corpus-build",
            (
                "corpus",
                "build",
                EXAMPLE,
                "--preset",
                "contest",
                "--min-solutions",
                "7",
                "-o",
                "big",
            ),
        ),
        ("corpus-check", ("corpus", "check", EXAMPLE)),
        ("corpus-check", ("corpus", "split", EXAMPLE, "--ratio", "2:1:1", "-o", "view")),
        ("corpus-compare", ("corpus", "compare", EXAMPLE, EXAMPLE)),
        ("corpus-info", ("corpus", "info", EXAMPLE)),
        ("corpus-type", ("corpus", "type", EXAMPLE)),
        ("corpus-type-check", ("corpus", "type", EXAMPLE, "--check", "TYPED")),
    ],
)
def test_documents_are_valid(cli, tmp_path, monkeypatch, typed, name, words) -> None:
    monkeypatch.chdir(tmp_path)
    given = [typed if word == "TYPED" else word for word in words]
    done = cli(*given, "--format", "json")
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    text = resources.files("codekin").joinpath(f"data/{name}.schema.json").read_text("utf-8")
    validator = jsonschema.Draft202012Validator(json.loads(text))
    validator.validate(document)
    for key in document:
        less = copy.deepcopy(document)
        del less[key]
        assert not validator.is_valid(less), key
    assert not validator.is_valid(document | {"more": 1})
