from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin import CodekinError, Source, program_slice, semantic_graph
from codekin.represent.flow.slicing import Slicer
from codekin.represent.graph.parts import ROOT

CODE = """\
def total(values, limit):
    count = 0
    kept = 0
    for value in values:
        if value > limit:
            count += value
        else:
            kept += 1
    return count

def main(lines):
    print(total(lines, 3))
"""
GRAPH = semantic_graph(CODE, "python")


def _lines(graph):
    """The lines of its nodes, without the entry of the top-level code."""
    nodes = [node for node in graph.nodes() if node.label != "entry:<module>"]
    return sorted({node.line for node in nodes} - {0})


def test_a_function_by_its_name():
    part = GRAPH.of_function("total")
    assert {node.function for node in part.nodes()} == {None, "total"}
    assert [node.text for node in part.nodes() if node.text] == [
        node.text for node in GRAPH.nodes() if node.function == "total" and node.text
    ]


def test_all_methods_of_a_name_are_shown():
    code = (
        "class A { int f() { return 1; } }\n"
        "class B { int f() { return g(); } int g() { return 2; } }"
    )
    part = semantic_graph(code, "java").of_function("f")
    assert [node.label for node in part.nodes()].count("entry:f") == 2
    assert "entry:g" not in [node.label for node in part.nodes()]


def test_an_unknown_function_is_suggested_another():
    with pytest.raises(CodekinError, match="no function 'totl' in the text; did you mean 'total'"):
        GRAPH.of_function("totl")
    with pytest.raises(CodekinError, match="no function 'zzzzzz' in the text; it has total, main"):
        GRAPH.of_function("zzzzzz")
    with pytest.raises(CodekinError, match="the text has no named functions"):
        semantic_graph("x = 1\n", "python").of_function("f")


def test_lines_with_the_entries_of_their_functions():
    part = GRAPH.of_lines(6, 8)
    assert _lines(part) == [1, 6, 8]
    assert [node.label for node in part.nodes()][:2] == ["root", "entry:total"]


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        (0, 3, "^line 0 is not in the text, which has lines 1 to 12"),
        (-2, 3, "^lines -2 to 0 are not"),
        (5, 4, "^lines 5 to 4: the first line"),
        (12, 14, "^lines 13 to 14 are not in the text"),
        (99, 99, "^line 99 is not"),
    ],
)
def test_lines_that_are_not_there(first, last, said):
    with pytest.raises(CodekinError, match=said):
        GRAPH.of_lines(first, last)


@given(st.integers(1, 12), st.integers(1, 12))
def test_a_part_has_all_edges_between_its_nodes(one, other):
    first, last = sorted((one, other))
    part = GRAPH.of_lines(first, last)
    nodes = {(n.kind, n.label, n.start, n.end, n.function) for n in part.nodes()}

    def edges(graph):
        every = list(graph.nodes())
        keys = [(n.kind, n.label, n.start, n.end, n.function) for n in every]
        return {(keys[e.source], keys[e.target], e.kind) for e in graph.edges()}

    assert edges(part) == {e for e in edges(GRAPH) if e[0] in nodes and e[1] in nodes}
    assert part.kind[0] == ROOT
    assert type(part).from_json(part.to_json()).to_json() == part.to_json()


def test_a_slice_of_a_line_is_that_of_the_slicer():
    source = Source(CODE, "python")
    part = program_slice(source, 9)
    whole = semantic_graph(source, jumps=True, fold=False)
    nodes = [i for i, line in enumerate(whole.lines.tolist()) if line == 9]
    kept = Slicer(whole, source.flow_ir).nodes(nodes)
    assert set(_lines(part)) == {1, *whole.lines[kept].tolist()} - {0}
    assert 8 not in _lines(part)
    assert 3 not in _lines(part)
    assert 12 in _lines(part)  # where the values come from


def test_a_slice_of_a_variable_follows_that_one():
    code = "a = read()\nb = read()\nc = a + b\nprint(c)\n"
    assert _lines(program_slice(code, 3, language="python")) == [1, 2, 3]
    assert _lines(program_slice(code, 3, "a", language="python")) == [1, 3]
    assert _lines(program_slice(code, 3, "b", language="python")) == [2, 3]
    assert _lines(program_slice(code, 3, "c", language="python")) == [1, 2, 3]


def test_a_slice_may_be_of_statements():
    part = program_slice(CODE, 9, language="python", granularity="statement")
    assert part.options.granularity == "statement"
    assert _lines(part) == _lines(program_slice(CODE, 9, language="python"))
    with pytest.raises(CodekinError, match="granularity='lines' is not one of"):
        program_slice(CODE, 9, language="python", granularity="lines")


@pytest.mark.parametrize(
    ("line", "variable", "said"),
    [
        (0, None, "line 0 is not in the text"),
        (14, None, "line 14 is not in the text, which has lines 1 to 12"),
        (10, None, "line 10 does nothing"),
        ("9", None, "line must be a whole number from 1, such as 3, not '9'"),
        (9.5, None, "line must be a whole number from 1, such as 3, not 9.5"),
        (6, "cuont", "no variable 'cuont' on line 6; did you mean 'count'"),
        (2, "zz", "no variable 'zz' on line 2; its variables are count"),
    ],
)
def test_a_slice_of_nothing_is_refused(line, variable, said):
    with pytest.raises(CodekinError, match=said):
        program_slice(CODE, line, variable, language="python")


def test_an_empty_text_has_no_slice():
    with pytest.raises(CodekinError, match="line 1 does nothing"):
        program_slice("", 1, language="python")
