from __future__ import annotations

import json
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from importlib import resources

import jsonschema
import networkx
import pytest
from tests.represent.hand_made import little_graph

from codekin import CodekinError
from codekin.represent.graph.semantic_graph import SemanticGraph

SCHEMA = json.loads(resources.files("codekin").joinpath("data/graph.schema.json").read_text())
_NASTY = 'x = "\x00\x1b</data>&\ud800\\" # é名'


def _nasty() -> SemanticGraph:
    """A graph with a label and code that no format likes."""
    graph = little_graph(labels="operator+literal")
    data = graph.data + _NASTY.encode("utf-8", "surrogatepass")
    end = graph.end.copy()
    end[3] = len(data)
    labels = (*graph.labels[:2], _NASTY, *graph.labels[3:])
    return replace(graph, data=data, end=end, labels=labels, functions=("<module>", _NASTY))


@pytest.mark.parametrize("granularity", ["operation", "statement"])
@pytest.mark.parametrize("labels", ["operator", "operator+literal", "category", "type"])
def test_json_is_valid_and_comes_back_as_it_was(granularity, labels):
    graph = little_graph(granularity=granularity, labels=labels)
    document = json.loads(json.dumps(graph.to_json()))
    jsonschema.validate(document, SCHEMA)
    back = SemanticGraph.from_json(document)
    assert back.to_json() == document
    assert list(back.nodes()) == list(graph.nodes())
    assert list(back.edges()) == list(graph.edges())


def test_nasty_text_survives_json():
    graph = _nasty()
    assert SemanticGraph.from_json(json.dumps(graph.to_json())).data == graph.data
    assert SemanticGraph.from_json(graph.to_json()).node(3) == graph.node(3)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("no json", "not valid JSON"),
        ("[]", "not a semantic graph"),
        ({}, "KeyError: 'nodes'"),
        ({"nodes": []}, "numbered from 0"),
        ({"edges": [{"source": 0, "target": 99, "kind": "data"}]}, "ends at no node"),
        ({"edges": [{"source": 0, "target": 1, "kind": "love"}]}, "LOVE"),
        ({"functions": []}, "belongs to no function"),
        ({"text": None}, "AttributeError"),
        ({"options": {"labels": "x"}}, "labels='x' is not one of"),
    ],
)
def test_what_is_no_graph_is_refused(change, said):
    document = little_graph().to_json() | change if isinstance(change, dict) and change else change
    with pytest.raises(CodekinError, match=said):
        SemanticGraph.from_json(document)


def test_dot_has_every_node_and_edge():
    graph = little_graph()
    lines = graph.to_dot().splitlines()
    assert lines[0] == "digraph semantic {"
    assert lines[-1] == "}"
    assert sum("[label=" in line for line in lines) == len(graph)
    assert sum("->" in line for line in lines) == len(graph.source)
    assert '    n4 [label="call:half\\n5: half(total)"];' in lines
    assert any(line.startswith("  subgraph cluster_1 {") for line in lines)
    assert '\\"' in _nasty().to_dot()
    assert all(line.isprintable() for line in _nasty().to_dot().splitlines())


def test_graphml_is_what_networkx_reads(tmp_path):
    graph = little_graph()
    (tmp_path / "graph.xml").write_text(graph.to_graphml(), encoding="utf-8")
    read = networkx.read_graphml(tmp_path / "graph.xml")
    assert len(read) == len(graph)
    assert read.number_of_edges() == len(graph.source)
    assert read.nodes["n4"]["label"] == "call:half"
    assert read.nodes["n4"]["line"] == 5
    ET.fromstring(_nasty().to_graphml().encode("utf-8"))


def test_networkx_keeps_kinds_apart():
    graph = little_graph()
    made = graph.to_networkx()
    assert isinstance(made, networkx.MultiDiGraph)
    assert len(made) == len(graph)
    assert made.number_of_edges() == len(graph.source)
    assert made.nodes[4]["text"] == "half(total)"
    assert set(made[4]) == {6, 8}
    assert list(made[4][8]) == ["call"]


def test_without_networkx_it_says_what_to_do(monkeypatch):
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(CodekinError, match="pip install networkx"):
        little_graph().to_networkx()
