from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from tests.represent.hand_made import MODULE, TEXT, flow_ir, little_graph, pairs

from codekin.report.graph import graph_frame, graph_page, graph_svg
from codekin.report.graph.detail import shown
from codekin.represent.graph.semantic_graph import assemble

SVG = "{http://www.w3.org/2000/svg}"


def _named(root: ET.Element, name: str) -> list[ET.Element]:
    return [one for one in root.iter() if name in (one.get("class") or "").split()]


def test_the_picture_has_every_node_and_edge():
    graph = little_graph()
    root = ET.fromstring(graph_svg(graph))
    assert root.tag == f"{SVG}svg"
    assert sorted(int(n.get("data-node", "")) for n in _named(root, "node")) == list(range(12))
    drawn = sorted(one.get("data-edge", "") for one in _named(root, "edge"))
    assert drawn == sorted(f"{edge.source} {edge.target}" for edge in graph.edges())
    labels = ["".join(one.itertext()) for one in _named(root, "label")]
    assert "call:half" in labels
    assert "5 half(total)" in ["".join(one.itertext()) for one in _named(root, "code")]
    assert [n.get("data-node") for n in _named(root, "predicate")] == ["3"]
    assert "prefers-color-scheme: dark" in graph_svg(graph)
    assert graph_svg(graph) == graph_svg(little_graph()) == graph._repr_svg_()


def test_nasty_text_is_no_markup():
    graph = little_graph()
    nasty = "</text><script>alert(1)</script>\x00\ud800"
    bad = replace(
        graph,
        data=nasty.encode("utf-8", "surrogatepass") + graph.data,
        end=graph.end + 30,
        labels=tuple(f"{label}{nasty}" for label in graph.labels),
        functions=(nasty, nasty),
    )
    ET.fromstring(graph_svg(bad).encode())
    page = graph_page(bad, nasty)
    assert "<script>alert" not in page
    page.encode("utf-8")


def test_large_graphs_are_drawn_by_statements_and_say_so():
    graph = little_graph()
    assert shown(graph).notes == ()
    fewer = shown(graph, most=11)
    assert len(fewer.graph) < len(graph)
    edges = len(fewer.graph.source)
    said = f"12 nodes are too many: {len(fewer.graph)} statements with {edges} edges are drawn."
    assert fewer.notes == (said,)
    least = shown(graph, most=5)
    assert least.functions == (0,)
    assert least.notes[1].startswith("Left out: 1 of 2 functions")
    assert shown(replace(graph, complete=False)).notes == ("A limit left edges out.",)


def test_a_program_of_nothing_has_a_page():
    none = pairs([])
    graph = assemble(flow_ir([[(*MODULE[0][:2], "", -1)]], ""), none, none, none)
    assert "0</dd>" in graph_page(graph, "nothing.py")
    ET.fromstring(graph_svg(graph))


def test_a_notebook_shows_the_page_in_a_frame():
    frame = little_graph()._repr_html_()
    assert frame == graph_frame(little_graph())
    assert frame.startswith('<iframe srcdoc="&lt;!doctype html')


@pytest.mark.parametrize("width", [1400, 420])
def test_code_and_graph_point_at_each_other(chromium, tmp_path, width):
    path = tmp_path / "graph.html"
    path.write_text(graph_page(little_graph(), "little.py"), encoding="utf-8")
    page = chromium.page(width, 900)
    page.open(path)
    assert page.texts(".code li") == TEXT.splitlines()
    assert page.run("document.documentElement.scrollWidth") <= width
    page.run(
        "document.querySelector('[data-node=\"4\"]').dispatchEvent("
        "new PointerEvent('pointerover', {bubbles: true}))"
    )
    assert "".join(page.texts(".code .hit")) == "half(total)"
    near = "[...document.querySelectorAll('.node.near')].map((one) => Number(one.dataset.node))"
    assert sorted(page.run(near)) == [2, 3, 4, 6, 7, 8]
    page.run(
        "document.querySelector('[data-node=\"4\"]').dispatchEvent("
        "new PointerEvent('pointerout', {bubbles: true}))"
    )
    assert page.texts(".code .hit") == []
    place = TEXT.index("total > limit")
    page.run(f"document.querySelector('.code [data-a=\"{place}\"]').click()")
    lit = "[...document.querySelectorAll('.node.lit')].map((one) => Number(one.dataset.node))"
    assert page.run(lit) == [3]
    page.press("Escape")
    assert page.run(lit) == []
    assert page.complaints() == []
    page.close()


def test_kinds_switch_off_and_on(chromium, tmp_path):
    path = tmp_path / "graph.html"
    path.write_text(graph_page(little_graph(), "little.py"), encoding="utf-8")
    page = chromium.page(1400, 900)
    page.open(path)
    seen = (
        "[...document.querySelectorAll('.edge.data')]"
        ".filter((one) => getComputedStyle(one).display !== 'none').length"
    )
    assert page.run(seen) == 9
    page.click(".kind.data")
    assert page.run(seen) == 0
    assert page.run("document.querySelector('.kind.data').getAttribute('aria-pressed')") == "false"
    page.click(".kind.data")
    assert page.run(seen) == 9
    before = page.run("document.querySelector('.sg').getBoundingClientRect().width")
    page.click("[data-zoom=in]")
    assert page.run("document.querySelector('.sg').getBoundingClientRect().width") > before
    page.close()


def test_the_code_of_every_drawn_node_is_in_the_page():
    graph = little_graph()
    page = graph_page(graph, "little.py")
    places = json.loads(re.search(r'id="places">(.*?)</script>', page, re.S)[1])
    code = {node: TEXT[slice(*ends)] for node, [ends] in enumerate(places) if ends}
    assert {node: text for node, text in code.items() if node not in (1, 8)} == {
        node.index: node.text for node in graph.nodes() if node.text
    }
