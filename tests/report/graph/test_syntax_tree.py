from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin import CodekinError, Source
from codekin.report.graph.stages import export_graph
from codekin.report.graph.syntax_tree import _tidy, syntax_tree

CODE = "def f(x):\n    # twice\n    return x + x\n\n\ndef g(y):\n    return f(y)\n"
LONG = "".join(f"def f{i}(x):\n    return x + {i}\n" for i in range(80))


def kinds(tree):
    return [tree.source.tree.kind_name(node) for node in tree.nodes]


@st.composite
def trees(draw):
    count = draw(st.integers(1, 30))
    depths = [0]
    for _ in range(count - 1):
        depths.append(draw(st.integers(1, depths[-1] + 1)))
    parents, path = [], []
    for index, depth in enumerate(depths):
        del path[depth:]
        parents.append(path[-1] if path else -1)
        path.append(index)
    widths = draw(st.lists(st.floats(10, 200), min_size=count, max_size=count))
    return parents, depths, widths


@given(trees())
def test_neighbours_do_not_overlap_and_parents_are_centred(tree):
    parents, depths, widths = tree
    middles = _tidy(parents, widths)
    for depth in set(depths):
        level = [i for i, own in enumerate(depths) if own == depth]
        for left, right in itertools.pairwise(level):
            gap = (middles[right] - widths[right] / 2) - (middles[left] + widths[left] / 2)
            assert gap >= 14 - 1e-6
    for parent in set(parents) - {-1}:
        children = [i for i, own in enumerate(parents) if own == parent]
        assert middles[parent] == pytest.approx((middles[children[0]] + middles[children[-1]]) / 2)
    assert min(m - w / 2 for m, w in zip(middles, widths, strict=True)) == pytest.approx(0)


def test_comments_are_no_nodes():
    assert "comment" not in kinds(syntax_tree(Source(CODE, "python")))


def test_a_function_and_lines_have_their_part_of_the_tree():
    whole = syntax_tree(Source(CODE, "python"))
    listed = export_graph(CODE, "python", function="g", tree=True)
    tree = listed.split("semantic graph")[0]
    assert "call" in tree
    assert "binary_operator" not in tree
    one_line = export_graph(CODE, "python", lines=(3, 3), tree=True).split("semantic graph")[0]
    assert "return_statement" in one_line
    assert len(re.findall(r"^ +\d+  ", one_line, re.MULTILINE)) < len(whole)


def test_the_picture_has_every_node_of_the_tree_and_the_graph():
    svg = ET.fromstring(export_graph(CODE, "python", form="svg", tree=True))
    tree, graph = svg.findall("{http://www.w3.org/2000/svg}svg")
    drawn = [g for g in tree.iter("{http://www.w3.org/2000/svg}g") if "node" in g.get("class", "")]
    assert len(drawn) == len(syntax_tree(Source(CODE, "python")))
    assert b"entry:f" in ET.tostring(graph)


def test_a_large_tree_is_drawn_by_its_upper_levels_and_says_so():
    tree = syntax_tree(Source(LONG, "python"))
    drawn = tree.shallow()
    assert len(drawn) <= 400 < len(tree)
    assert len(drawn) + sum(drawn.hidden) == len(tree)
    assert f"{len(tree):,} nodes, too many to draw" in export_graph(
        LONG, "python", form="svg", tree=True
    )


def test_the_page_has_a_view_for_the_tree_only_if_asked():
    assert 'data-stage="tree"' in export_graph(CODE, "python", form="html", tree=True)
    assert 'data-stage="tree"' not in export_graph(CODE, "python", form="html")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"form": "json"}, "json has the graph alone"),
        ({"form": "text", "slice_at": 3}, "a slice has no syntax tree of its own"),
    ],
)
def test_what_has_no_tree_says_so(options, message):
    with pytest.raises(CodekinError, match=message):
        export_graph(CODE, "python", tree=True, **options)


@pytest.mark.parametrize("code", ["", "def f(", "\x00\u202e", "x = '\u202e'"])
def test_any_text_has_a_tree(code):
    listed = export_graph(code, "python", tree=True)
    assert listed.startswith("syntax tree of code:")
    assert "\u202e" not in listed
    ET.fromstring(export_graph(code, "python", form="svg", tree=True))
