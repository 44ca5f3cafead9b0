"""Texts that took for ever or all memory: they have graphs at once that say what they lack."""

from __future__ import annotations

import time

import numpy as np
import pytest

from codekin import Source, measure, semantic_graph
from codekin.measures.pairwise import directed_scores
from codekin.represent.flow.calls import resolve_calls
from codekin.represent.flow.effects import effects
from codekin.represent.flow.flow_ir import VariableKind
from codekin.represent.flow.slicing import Slicer
from codekin.represent.graph.semantic_graph import SemanticGraph

SECONDS = 20
OPAQUE = "f'{" * 4000
UPDATES = "x = 1\n" + "if c:\n    x = x + 1\n" * 1000
INCOMPLETE = (Source(UPDATES, "python"), Source(UPDATES + "f(x)\n", "python"))


def graph_of(text: str, language: str, **options: object) -> SemanticGraph:
    source = Source(text, language)
    assert len(source.tree.kind)  # what parsing takes is no part of it
    begin = time.process_time()
    graph = semantic_graph(source, **options)
    assert time.process_time() - begin < SECONDS
    return graph


def test_classes_that_inherit_from_each_other() -> None:
    text = "".join(
        f"class C{i}({', '.join(f'C{j}' for j in range(3) if j != i)}):\n"
        f" def f(self):\n  return self.x{i}\n"
        for i in range(3)
    )
    graph = graph_of(text * 3 + "class Z(C0):\n def g(self):\n  return self.y\n", "python")
    assert graph.complete


def test_a_field_is_found_through_any_number_of_classes() -> None:
    line = "".join(f"class C{i}(C{i - 1}):\n pass\n" for i in range(1, 60))
    base = "class C0:\n def set(self):\n  self.x = 1\n"
    last = "class Z(C59):\n def get(self):\n  return self.x\n"
    ir = Source(base + line + last, "python").flow_ir
    fields = ir.variable_name[ir.variable_kind == VariableKind.FIELD]
    assert [ir.string(name) for name in fields] == ["x"]


def test_too_many_classes_above_show() -> None:
    line = "".join(f"class C{i}(C{i - 1}):\n def f(self):\n  self.x{i}\n" for i in range(1, 400))
    assert not graph_of(line, "python").complete


def test_references_to_each_other() -> None:
    assert graph_of("int &a = b;\nint &b = a;\nint f() { return a + b; }\n", "cpp").complete


# Each would have as many edges, accesses, calls or steps as the square of its length.
MANY = {
    "opaque operations": (OPAQUE, "java"),
    "weak definitions": ("x=1\n" + "if c:\n x=x+1\n" * 1500, "python"),
    "methods of one name": (
        "".join(f"class A{i}:\n def f(self): pass\n" for i in range(1500)) + "x.f()\n" * 1500,
        "python",
    ),
    "fields of one name": (
        "".join(f"class A{i}:\n def f(self): self.x=1\n" for i in range(1500)) + "o.x\n" * 1500,
        "python",
    ),
    "addresses of many variables": (
        "void f(){int *p;"
        + "".join(f"int a{i};p=&a{i};" for i in range(2500))
        + "g(*p);" * 2500
        + "}",
        "c",
    ),
}


@pytest.mark.parametrize(("text", "language"), MANY.values(), ids=MANY)
def test_a_limit_that_is_reached_shows(text: str, language: str) -> None:
    graph = graph_of(text, language)
    assert not graph.complete
    assert len(graph.source) < 1_000_000
    assert graph == semantic_graph(text, language)


# Quadratic to look at, not to say: these are complete.
LONG = {
    "shifts": ("int f(){return 1" + "<<1" * 20_000 + ";}", "cpp"),
    "members": ("a" + ".b" * 20_000, "python"),
    "names in blocks": (
        "{" * 1500 + "".join(f"f(x{i});" for i in range(1500)) + "}" * 1500,
        "java",
    ),
    "names in functions": ("lambda:" * 400 + "+".join(f"x{i}" for i in range(2000)), "python"),
    "stream": ("void f(){cin" + "".join(f">>a{i}" for i in range(5000)) + ";}", "cpp"),
    "macro tokens": ("fn f(){m!(" + "a(" * 1000 + ")" * 1000 + ");}", "rust"),
    "lists": ("x = " + "[" * 3000 + "]" * 3000, "python"),
    "defaults": ("[" + "a=b," * 2000 + "]=[" + "1," * 2000 + "]", "javascript"),
}


@pytest.mark.parametrize(("text", "language"), LONG.values(), ids=LONG)
def test_long_texts_are_complete(text: str, language: str) -> None:
    assert graph_of(text, language).complete


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("f(" * 3000 + ")" * 3000, "c"),
        ("while(1)" * 2000 + ";", "c"),
        ("int a[9];int f(){" + "".join(f"a[{i}]=a[{i + 1}];g(a);" for i in range(1500)) + "}", "c"),
    ],
    ids=["nested calls", "constant loops", "elements"],
)
def test_joerns_conventions_have_limits_too(text: str, language: str) -> None:
    assert not graph_of(text, language, preset="joern").complete


@pytest.mark.parametrize("name", ["cssg", "ruby", "kin"])
def test_measures_of_incomplete_graphs_prove_nothing(name: str) -> None:
    one, other = INCOMPLETE
    assert not semantic_graph(one).complete
    score = measure(name).score(one, other)
    assert not score.exact
    assert score.bounds == (0, 1)
    assert 0 < score.value < 1
    same = measure(name).score(one, one)
    assert (same.value, same.exact) == (1, True)


def test_a_matrix_of_incomplete_graphs_has_bounds() -> None:
    found = directed_scores(measure("kin"), INCOMPLETE)
    assert (found.lower[0, 1], found.upper[0, 1]) == (0, 1)


def test_limits_give_a_part_and_say_so() -> None:
    ir = Source("class A:\n def f(self): self.a = 1\nx.f()\ny.f()\nprint(x.a)\n", "python").flow_ir
    assert ir.complete
    none, all_calls = resolve_calls(ir, limit=0), resolve_calls(ir)
    assert (len(none), none.complete) == (0, False)
    assert (len(all_calls), all_calls.complete) == (2, True)
    some, whole = effects(ir, all_calls, limit=1), effects(ir, all_calls)
    assert (some.complete, whole.complete) == (False, True)
    assert len(some.uses) < len(whole.uses)


def test_slices_follow_each_function_once() -> None:
    returns = "".join(f"    if x == {i}:\n        return {i}\n" for i in range(1500))
    text = f"def f(x):\n{returns}" + "y = f(1)\n" * 1500
    source = Source(text, "python")
    graph = semantic_graph(source)
    begin = time.process_time()
    found = Slicer(graph, source.flow_ir).nodes([len(graph) - 1])
    assert time.process_time() - begin < SECONDS
    assert len(np.intersect1d(found, np.flatnonzero(graph.lines <= 3001))) > 1500
