from __future__ import annotations

import json
import re
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


def test_the_listing_of_a_graph_has_as_many_nodes_as_it_says(cli):
    for options in ((), ("--slice", "7:word"), ("--function", "longest")):
        first, *lines = cli("graph", WORDS, *options).stdout.splitlines()
        said = int(re.search(r": (\d+) nodes;", first)[1])
        listed = [int(found[1]) for line in lines if (found := re.match(r" +(\d+) ", line))]
        assert listed == list(range(said))


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
    done = cli("graph", WORDS, "--format", "json", "--stage", stage)
    document = json.loads(done.stdout)
    jsonschema.validate(document, SCHEMA)
    kinds = {edge["kind"] for edge in document["edges"]}
    assert kinds == {"data", "control"} | ({"call", "root"} if stage == "semantic" else set())
    assert SemanticGraph.from_json(document).to_json() == document


@pytest.mark.parametrize(("stage", "unknown"), [("ir", "svg"), ("cfg", "dot")])
def test_arrays_of_the_first_stages_are_json(cli, stage, unknown):
    done = cli("graph", WORDS, "--format", "json", "--stage", stage)
    assert len(json.loads(done.stdout)["kind"]) > 10
    refused = cli("graph", WORDS, "--format", unknown, "--stage", stage)
    assert isinstance(refused.exception, CodekinError)
    assert f"{unknown} is for the stages pdg and semantic" in str(refused.exception)


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


def test_one_function_of_a_file(cli):
    whole, part = (cli("graph", WORDS, *more).stdout for more in ([], ["--function", "longest"]))
    assert "longest" in part
    assert "count_words" not in part.replace("call:count_words", "")
    assert len(part.splitlines()) < len(whole.splitlines())
    for stage in ("ir", "cfg", "pdg"):
        shown = cli("graph", WORDS, "--stage", stage, "--function", "longest")
        assert shown.exit_code == 0, shown.output
        assert "\nlongest" in shown.stdout
        assert "\ncount_words" not in shown.stdout
    for stage in ("ir", "cfg"):
        for part in (["--function", "longest"], []):
            first, *lines = cli("graph", WORDS, "--stage", stage, *part).stdout.splitlines()
            listed = sum(line.lstrip().startswith("%") for line in lines)
            assert f": {'1 function' if part else '3 functions'}, {listed} operations" in first
    flow = cli("graph", WORDS, "--stage", "cfg", "--lines", "5").stdout.splitlines()
    edges = sum(len(line.split(" -> ")[1].split(", ")) for line in flow if " -> " in line)
    assert flow[0].endswith(f"1 function, {len(flow) - 3} operations, {edges} edges")


def test_lines_of_a_file(cli):
    shown = cli("graph", WORDS, "--lines", "5-6").stdout
    lines = {int(line.split()[1]) for line in shown.splitlines()[4:] if line.strip()[:1].isdigit()}
    assert lines <= {1, 5, 6}
    assert {5, 6} <= lines
    flow = cli("graph", WORDS, "--stage", "cfg", "--lines", "5").stdout
    assert "len(word) < least" in flow
    assert "counts = {}" not in flow


def test_a_range_of_lines_may_have_a_colon(cli):
    assert (
        cli("graph", WORDS, "--lines", "5:6").stdout == cli("graph", WORDS, "--lines", "5-6").stdout
    )


def test_a_slice_of_a_line_and_of_a_variable(cli, tmp_path):
    code = tmp_path / "a.py"
    code.write_text("a = read()\nb = read()\nc = a + b\nprint(c)\n")
    every, one = (cli("graph", code, "--slice", place).stdout for place in ("4", "3:b"))
    assert "a = read()" in every
    assert "b = read()" in every
    assert "a = read()" not in one
    assert "b = read()" in one
    document = json.loads(cli("graph", code, "--slice", "3:b", "--format", "json").stdout)
    jsonschema.validate(document, SCHEMA)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--function", "longst"], "no function 'longst' in the text; did you mean 'longest'?"),
        (["--function", "<b>"], "no function '<b>' in the text; it has count_words, longest"),
        (["--lines", "900-901"], "lines 900 to 901 are not in the text, which has lines 1 to"),
        (["--lines", "9-2"], "lines 9 to 2: the first line must not come after the last"),
        (["--lines", "0-2"], "line 0 is not in the text, which has lines 1 to"),
        (["--lines", "2-900"], "lines 20 to 900 are not in the text, which has lines 1 to 19"),
        (["--lines", "1-3", "--function", "longest"], "have no operation of function longest"),
        (["--lines", "1", "--function", "longest", "--stage", "cfg"], "1 to 1 have no operation"),
        (["--lines", "9-10"], "lines 9 to 10 have no operation"),
        (["--lines", "two"], "--lines two: is not a range of lines, such as 10-40"),
        (["--lines", "5", "--stage", "cfg", "--format", "json"], "leave function and lines"),
        (["--slice", "0"], "line 0 is not in the text"),
        (["--slice", "x:y"], "--slice x:y: is not a line, such as 12, or 12:total"),
        (["--slice", "3:"], "--slice 3:: is not a line"),
        (["--slice", "2:cuonts"], "no variable 'cuonts' on line 2; did you mean 'counts'?"),
        (["--slice", "2", "--stage", "cfg"], "a slice is for the stages pdg and semantic"),
        (["--slice", "2", "--lines", "3"], "leave function and lines out"),
        (["--slice", "2", "--preset", "joern"], "leave preset out"),
        (["--lines", "2", "--stage", "ir"], "for ir, name a function"),
    ],
)
def test_parts_that_are_not_there(cli, options, said):
    done = cli("graph", WORDS, *options)
    assert isinstance(done.exception, CodekinError)
    assert said in str(done.exception)


@pytest.mark.parametrize("option", [["--function", "f"], ["--slice", "1"], ["--lines", "1-9"]])
@pytest.mark.parametrize("data", [b"", b"x = 1\n", b"a\0b\0c"])
def test_parts_of_files_without_functions_and_of_binary_ones(cli, tmp_path, option, data):
    code = tmp_path / "a.py"
    code.write_bytes(data)
    done = cli("graph", code, *option)
    if data == b"x = 1\n" and option[0] == "--slice":
        assert done.exit_code == 0
    else:
        assert isinstance(done.exception, CodekinError)


def test_the_control_flow_as_a_picture(cli, tmp_path):
    done = cli("graph", WORDS, "--stage", "cfg", "--format", "svg")
    words = [one.text for one in ET.fromstring(done.stdout).iter()]
    assert {"true", "false", "exit"} <= set(words)
    part = cli("graph", WORDS, "--stage", "cfg", "--format", "svg", "--function", "longest")
    assert len(part.stdout) < len(done.stdout)
    page = tmp_path / "flow.html"
    assert cli("graph", WORDS, "--stage", "cfg", "-o", page).exit_code == 0
    assert '"first":"flow"' in page.read_text("utf-8")
