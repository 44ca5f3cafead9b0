from __future__ import annotations

import json
import shutil
import xml.etree.ElementTree as ET
from importlib import resources
from pathlib import Path

import jsonschema
import pytest

from codekin import CodekinError
from codekin.represent.graph.semantic_graph import SemanticGraph

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "graphs"
WORDS = EXAMPLES / "words.py"
SCHEMA = json.loads(resources.files("codekin").joinpath("data/graph.schema.json").read_text())


@pytest.mark.parametrize("stage", ["ir", "cfg", "pdg", "semantic"])
def test_every_stage_has_a_listing(cli, stage):
    done = cli("graph", WORDS, "--stage", stage)
    assert done.exit_code == 0, done.output
    for name in ("count_words", "longest"):
        assert name in done.stdout
    assert done.stdout == cli(
        "graph", "-", "-l", "python", "--stage", stage, stdin=WORDS.read_bytes()
    ).stdout.replace("<stdin>", str(WORDS))


def test_the_listing_of_the_ir_nests_what_control_nests(cli):
    lines = cli("graph", EXAMPLES / "control_flow.py", "--stage", "ir").stdout.splitlines()
    (test,) = (line for line in lines if line.strip().startswith("if %"))
    (leaves,) = (line for line in lines if " return" in line and "%" in line)
    (saves,) = (line for line in lines if "call save" in line)
    indents = [len(line) - len(line.lstrip()) for line in (test, leaves, saves)]
    assert indents[0] == indents[2] < indents[1]


def test_the_listing_of_control_flow_shows_both_ways(cli):
    shown = cli("graph", EXAMPLES / "control_flow.py", "--stage", "cfg").stdout
    (line,) = (line for line in shown.splitlines() if "data is None" in line and "->" in line)
    assert "(true)" in line
    assert "(false)" in line


def test_dependence_by_lines(cli):
    shown = cli("graph", EXAMPLES / "control_flow.py", "--stage", "pdg").stdout
    assert "     2 -> 4    control" in shown
    assert "     1 -> 4    data" in shown


@pytest.mark.parametrize("stage", ["pdg", "semantic"])
def test_json_is_valid_by_its_schema(cli, stage):
    done = cli("graph", WORDS, "--format", "json", "--stage", stage, "--labels", "operator+literal")
    document = json.loads(done.stdout)
    jsonschema.validate(document, SCHEMA)
    kinds = {edge["kind"] for edge in document["edges"]}
    assert kinds == {"data", "control"} | ({"call", "root"} if stage == "semantic" else set())
    assert SemanticGraph.from_json(document).to_json() == document


@pytest.mark.parametrize("stage", ["ir", "cfg"])
def test_arrays_of_the_first_stages_are_json(cli, stage):
    done = cli("graph", WORDS, "--format", "json", "--stage", stage)
    assert len(json.loads(done.stdout)["kind"]) > 10
    refused = cli("graph", WORDS, "--format", "svg", "--stage", stage)
    assert isinstance(refused.exception, CodekinError)
    assert "--format svg is for --stage pdg and semantic" in str(refused.exception)


def test_pictures_and_data_go_to_files(cli, tmp_path):
    for name in ("svg", "html", "dot", "graphml", "json", "text"):
        path = tmp_path / f"graph.{name}"
        for _ in range(2):  # an earlier one is replaced
            done = cli("graph", WORDS, "--format", name, "-o", path)
            assert done.exit_code == 0, done.output
        assert path.read_text("utf-8") == cli("graph", WORDS, "--format", name).stdout
        assert f"Written: {path}" in done.stdout.replace("\n", "")
    ET.parse(tmp_path / "graph.svg")
    ET.parse(tmp_path / "graph.graphml")


def test_code_is_not_replaced(cli, tmp_path):
    code = tmp_path / "words.py"
    shutil.copy(WORDS, code)
    done = cli("graph", code, "-o", code)
    assert "unknown suffix '.py' (known: .html, .htm, .json, .svg, .dot" in str(done.exception)
    done = cli("graph", code, "--format", "text", "-o", code)
    assert "was not written by codekin as text, so it is not replaced" in str(done.exception)
    assert "is a folder" in str(cli("graph", code, "-o", tmp_path).exception)
    assert code.read_bytes() == WORDS.read_bytes()


def test_errors_are_for_people(cli, process, command):
    assert "no such file" in str(cli("graph", "nowhere.py").exception)
    done = process("graph", "-", "--stage", "ast")
    assert done.returncode == 2
    assert done.stderr.startswith("codekin: ")
    assert "Traceback" not in done.stderr
    done = command("graph", "-", "-l", "ruby", stdin=b"puts 1\n")
    assert done.returncode == 2
    assert "ruby" in done.stderr.lower()


def test_statements_are_fewer(cli):
    many = cli("graph", WORDS).stdout
    few = cli("graph", WORDS, "--granularity", "statement").stdout
    assert len(few.splitlines()) < len(many.splitlines())
