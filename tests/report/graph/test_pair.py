from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.real_programs import LANGUAGES, PROGRAMS

from codekin import Source, measure
from codekin.report.graph.pair import BOTH, CANDIDATE, REFERENCE, merge_graphs, pair_svg
from codekin.report.graph.pair_page import pair_page, pair_text

CSSG = measure("cssg", steps=20_000)
ONE = "def f(a, b):\n    c = a + b\n    if c < 0:\n        return 0\n    return c\n"
OTHER = "def f(x, y):\n    z = x + y\n    print(z)\n    return z\n"


def _pair(one: str = ONE, other: str = OTHER) -> tuple[Source, Source]:
    return Source(one, "python"), Source(other, "python")


def _named(root: ET.Element, *names: str) -> list[ET.Element]:
    return [one for one in root.iter() if {*names} <= set((one.get("class") or "").split())]


@settings(max_examples=20)
@given(*(st.tuples(st.sampled_from(LANGUAGES), st.integers(0, 99)) for _ in range(2)))
def test_a_merged_graph_has_every_node_and_edge_of_both_once(first, second):
    one, other = (Source(PROGRAMS[k][n % len(PROGRAMS[k])], k) for k, n in (first, second))
    match = CSSG.match(one, other)
    merged = merge_graphs(match, most=10_000)
    graphs = match.candidate.graph, match.reference.graph
    for side, graph in enumerate(graphs):
        present = merged.nodes[:, side]
        assert sorted(present[present >= 0].tolist()) == list(range(len(graph)))
        wanted = {(e.source, e.target) for e in graph.edges()}
        whose = (BOTH, CANDIDATE if side == 0 else REFERENCE)
        found = {
            (int(present[edge.source]), int(present[edge.target]))
            for edge, of in zip(merged.graph.edges(), merged.edge_side, strict=True)
            if of in whose
        }
        assert found == wanted
    counts = match.counts
    assert merged.node_side.count(BOTH) == counts["matched_nodes"]
    assert merged.node_side.count(CANDIDATE) == counts["nodes"] - counts["matched_nodes"]
    assert len(merged.captions) == len(merged.graph)
    kept = {
        (e.source, e.target)
        for e, of in zip(merged.graph.edges(), merged.edge_side, strict=True)
        if of == BOTH
    }
    assert len(kept) == counts["preserved_edges"]


def test_large_graphs_show_what_differs():
    many = "".join(f"def f{i}(x):\n    return x + {i}\n" for i in range(40))
    match = CSSG.match(*_pair(many, many.replace("x + 7", "x - 7")))
    merged = merge_graphs(match, most=20)
    assert len(merged.graph) <= 20
    assert merged.notes[0].startswith("162 nodes are too many: drawn are")
    labels = [node.label for node in merged.graph.nodes()]
    assert {"root", "+", "-", "entry:f7"} <= set(labels)
    assert "entry:f3" not in labels
    ET.fromstring(pair_svg(match))


def test_the_picture_marks_what_one_side_alone_has():
    picture = pair_svg(CSSG.match(*_pair()))
    root = ET.fromstring(picture)
    texts = ["".join(node.itertext()) for node in _named(root, "node", "candidate")]
    assert sorted(texts) == ["<3 c < 0\N{MINUS SIGN}", "return4 return 0\N{MINUS SIGN}"]
    (added,) = _named(root, "node", "reference")
    assert "".join(added.itertext()) == "call:print3 print(z)+"
    assert len(_named(root, "edge", "candidate")) == len(_named(root, "ground", "candidate"))
    both = ["".join(node.itertext()) for node in _named(root, "node", "shared")]
    assert "=2 c = a + b2 z = x + y" in both
    assert "only in the candidate" in picture
    assert "prefers-color-scheme: dark" in picture


def test_nasty_text_is_no_markup():
    nasty = 'x = "</text><script>alert(1)</script>\x00\ud800" + f(1)\n'
    one, other = _pair(nasty, "x = f(1)\n")
    ET.fromstring(pair_svg(CSSG.match(one, other)).encode())
    page = pair_page(CSSG.score(one, other), CSSG.match(one, other), [nasty, "<b>"])
    assert "<script>alert" not in page
    assert "<b>" not in page
    page.encode("utf-8")


@pytest.mark.parametrize("texts", [("", ""), ("", ONE), ("}{", "(((")])
def test_any_two_texts_have_a_page_and_a_picture(texts):
    score = CSSG.score(*_pair(*texts))
    ET.fromstring(pair_text(score, ["a", "b"], "svg"))
    assert pair_text(score, ["a", "b"], "html").startswith("<!doctype html>")


@pytest.mark.parametrize("width", [1400, 420])
def test_both_texts_and_the_graphs_point_at_each_other(chromium, tmp_path, width):
    path = tmp_path / "pair.html"
    path.write_text(pair_text(CSSG.score(*_pair()), ["one.py", "other.py"], "html"), "utf-8")
    page = chromium.page(width, 900)
    page.open(path)
    assert page.texts(".code li") == [*ONE.splitlines(), *OTHER.splitlines()]
    assert page.run("document.documentElement.scrollWidth") <= width
    node = "[...document.querySelectorAll('.node')].find((n) => n.textContent.includes('c = a'))"
    page.run(f"{node}.dispatchEvent(new PointerEvent('pointerover', {{bubbles: true}}))")
    assert "".join(page.texts(".candidate .code .hit")) == "c = a + b"
    assert "".join(page.texts(".reference .code .hit")) == "z = x + y"
    page.run(f"{node}.dispatchEvent(new PointerEvent('pointerout', {{bubbles: true}}))")
    assert page.texts(".code .hit") == []
    place = OTHER.index("print")
    lit = "[...document.querySelectorAll('.node.lit .label')].map((one) => one.textContent)"
    page.run(f"document.querySelector('.reference .code [data-a=\"{place}\"]').click()")
    assert page.run(lit) == ["call:print"]
    page.press("Escape")
    assert page.run(lit) == []
    seen = (
        "[...document.querySelectorAll('.edge.reference')]"
        ".filter((one) => getComputedStyle(one).display !== 'none').length"
    )
    assert page.run(seen) > 0
    page.click(".side.reference")
    assert page.run(seen) == 0
    assert "".join(page.texts(".candidate .code .alone")) == "if c < 0:return 0"
    assert page.complaints() == []
    page.close()


def test_every_sign_is_inside_of_the_picture():
    folder = Path(__file__).parents[3] / "docs" / "examples" / "submissions"
    one, other = (
        Source((folder / name).read_text(), language)
        for name, language in (("cleo.py", "python"), ("fay.java", "java"))
    )
    root = ET.fromstring(pair_svg(measure("cssg").match(one, other)))
    left, _, width, _ = map(float, root.get("viewBox").split())
    places = [float(circle.get("cx")) for sign in _named(root, "sign") for circle in sign[:1]]
    assert places
    assert left + 6 <= min(places) <= max(places) <= left + width - 6
