"""The places of values: in the order of the text, whatever reads them."""

from __future__ import annotations

import time

import pytest

from codekin import Source
from codekin.represent.flow.value_places import ANYWHERE, ValuePlaces


def find(text, language="python"):
    """The IR, the places of values, and operations by their names."""
    source = Source(text, language)
    ir = source.flow_ir
    named = {ir.string(name): i for i, name in enumerate(ir.name.tolist())}
    return ir, ValuePlaces(ir, source.tokens), named


def test_operands_and_variables_are_in_one_order():
    _, places, at = find("def f(a, b):\n    return g(h(a), b, k(b), a)\n")
    first, second = 2, 3  # the parameters
    found = [places.places(one, at["g"]) for one in (at["h"], second, at["k"], first)]
    assert found == [[0], [9], [18], [27]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a - b", (0, 1)), ("b - a", (1, 0)), ("(a) - (b)", (0, 1)), ("b - (a)", (1, 0))],
)
def test_brackets_do_not_matter(text, expected):
    _, places, at = find(f"def f(a, b):\n    return {text}\n")
    assert (*places.places(2, at["-"]), *places.places(3, at["-"])) == expected


def test_a_variable_that_only_an_operand_reads_has_no_place():
    _, places, at = find("int f(int n) { return n + 1; }", "c")
    assert places.places(at["+"], at["return"]) == [0]
    assert places.places(at["param"], at["return"]) == []


def test_a_value_may_be_in_several_places():
    _, places, at = find("def f(a, b):\n    return g(a, a, b)\n")
    assert places.places(2, at["g"]) == [0, 9]
    assert places.places(3, at["g"]) == [18]


@pytest.mark.parametrize(("text", "expected"), [("a[b:]", [0]), ("a[:b]", [8]), ("a[::b]", [16])])
def test_a_bound_that_is_left_out_leaves_a_gap(text, expected):
    _, places, at = find(f"def f(a, b):\n    return {text}\n")
    assert places.places(3, at["slice"]) == expected


def test_members_functions_and_arguments_with_the_name_of_a_variable_are_not_read():
    _, places, at = find("def f(a, b):\n    return a.b(b=1) + b(a.b, b)\n")
    assert places.places(3, at["+"]) == [] or places.places(3, at["+"]) == [ANYWHERE]
    assert places.places(3, at["b"])[-1] == 9


def test_names_that_are_declared_elsewhere():
    ir, places, at = find("def f(a):\n    return rate * a - rate(a)\n")
    found = [(i, ir.string(int(ir.variable_name[v]))) for i, v in places.outer_reads()]
    assert found == [(at["*"], "rate")]
    assert places.variable_places(at["*"], places.outer_reads()[0][1]) == [0]
    assert places.variable_places(at["-"], places.outer_reads()[0][1]) == [ANYWHERE]


def test_what_inner_functions_read():
    ir, places, at = find("def f(a):\n    b = 1\n    return lambda x: x + b\n")
    [(definition, reader, variable)] = places.captured_reads()
    assert (definition, reader) == (at["="], at["+"])
    assert ir.string(int(ir.variable_name[variable])) == "b"
    assert places.variable_places(reader, variable) == [1]


def test_assignments_to_nothing_but_local_variables():
    text = "class A { int q; void f(int[] a) { int b = 1; q = b; a[0] = b; } }"
    ir, places, _ = find(text, "java")
    made = [i for i, name in enumerate(ir.name.tolist()) if ir.string(name) == "="]
    assert [places.writes_only_locals(i) for i in made] == [True, False, False]


def test_long_chains_are_quick():
    _, places, _ = find("def f(x):\n    return " + " - ".join(["x"] * 4000) + "\n")
    start = time.process_time()
    for target in range(3, 4000):
        places.places(2, target)
    assert time.process_time() - start < 1
