"""Backward slices, by examples and by running what they leave of random programs."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from tests.represent.random_programs.check import Case, cases, mismatches, shrunk
from tests.represent.random_programs.check import Slicer as LineSlicer
from tests.represent.random_programs.chooser import Chooser, programs
from tests.represent.random_programs.generate import random_program
from tests.represent.random_programs.graph_slices import graph_slicer
from tests.represent.random_programs.run import missing_tools
from tests.represent.random_programs.syntax import statements

from codekin import CodekinError, Source, semantic_graph
from codekin.represent.flow.slicing import Slicer
from codekin.represent.graph.parts import EdgeKind

EXAMPLES = {
    "the last definition counts": ("a = 1\na = 2\nprint(a)\n", 3, [2, 3]),
    "a branch that may not run": ("a = 1\nif b:\n    a = 2\nprint(a)\n", 4, [1, 2, 3, 4]),
    "what a jump leaps over": (
        "def f(x):\n    while x:\n        if x > 3:\n            break\n        x -= 1\n",
        5,
        [1, 2, 3, 4, 5],
    ),
    "an element is not the whole": ("a = [1]\na[0] = 2\nb = 3\nprint(a)\n", 4, [1, 2, 4]),
    "through another name": ("a = [1]\nb = a\nb[0] = 2\nprint(a)\n", 4, [1, 2, 3, 4]),
    "into a function and out of it": (
        "def f(x):\n    y = 1\n    z = 2\n    return x + y\na = 3\nprint(f(a))\n",
        6,
        [1, 2, 4, 5, 6],
    ),
    "what a function writes outside": (
        "def f():\n    global g\n    h = 1\n    g = 2\ng = 1\nf()\nprint(g)\n",
        7,
        [1, 4, 5, 6, 7],
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_lines_of_examples(name):
    code, line, expected = EXAMPLES[name]
    source = Source(code, "python")
    assert Slicer(semantic_graph(source, jumps=True), source.flow_ir).lines(line) == expected


def test_without_the_ir_a_call_depends_on_its_whole_callee():
    code, line, expected = EXAMPLES["into a function and out of it"]
    slicer = Slicer(semantic_graph(code, "python", jumps=True))
    assert slicer.lines(line) == sorted({*expected, 3})


def test_nodes_are_sorted_and_hold_the_start():
    graph = semantic_graph("a = 1\nb = a\nprint(b)\n", "python")
    for node in range(len(graph)):
        found = Slicer(graph).nodes([node])
        assert node in found
        assert np.array_equal(found, np.unique(found))


@pytest.mark.parametrize("node", [-1, 10**6])
def test_a_slice_starts_inside_the_graph(node):
    with pytest.raises(CodekinError, match="nodes of the graph"):
        Slicer(semantic_graph("a = 1\n", "python")).nodes([node])


def _seeded(language: str, count: int, slicer: LineSlicer) -> list[Case]:
    drawn = [random_program(Chooser.seeded(i), language, 12) for i in range(count)]
    return [case for program in drawn for case in cases(program, slicer, 2)]


@settings(max_examples=150)
@given(programs("python", 6))
def test_deleting_the_rest_changes_no_result_in_python(program):
    wrong, _ = mismatches(list(cases(program, graph_slicer, 2)))
    assert not wrong, str(wrong[0])


@pytest.mark.parametrize(("language", "count"), [("c", 40), ("java", 12)])
def test_deleting_the_rest_changes_no_result(language, count):
    missing = missing_tools(language)
    if missing:
        pytest.skip(f"{', '.join(missing)} is not on this machine")
    checked = _seeded(language, count, graph_slicer)
    wrong, stopped = mismatches(checked)
    assert not wrong, str(wrong[0])
    assert stopped < count / 20
    assert sum(case.deleted for case in checked) > 2 * len(checked)


def _without(kind: EdgeKind) -> LineSlicer:
    """A slicer that does not see one kind of edges."""

    def slicer(code: str, language: str) -> Callable[[int], set[int]]:
        source = Source(code, language)
        graph = semantic_graph(source, jumps=True, fold=False)
        seen = graph.edge_kind != kind
        edges = {name: getattr(graph, name)[seen] for name in ("source", "target", "edge_kind")}
        broken = Slicer(replace(graph, **edges), source.flow_ir)
        return lambda line: set(broken.lines(line))

    return slicer


@pytest.mark.parametrize("kind", [EdgeKind.DATA, EdgeKind.CONTROL, EdgeKind.CALL])
def test_without_a_kind_of_edges_results_change(kind):
    broken = _without(kind)
    wrong, _ = mismatches(_seeded("python", 30, broken))
    assert wrong
    small = shrunk(wrong[0], broken)
    assert len(statements(small.case.program)) < len(statements(wrong[0].case.program))
    assert mismatches([small.case])[0]


def test_keeping_everything_changes_nothing_and_nothing_everything():
    everything = _seeded(
        "python", 20, lambda code, _: lambda _: set(range(1, code.count("\n") + 1))
    )
    assert not any(case.deleted for case in everything)
    assert mismatches(everything) == ([], 0)
    nothing = _seeded("python", 20, lambda *_: lambda line: {line})
    assert len(mismatches(nothing)[0]) > 20
