from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin import Source
from codekin.represent.flow.branches import branches
from codekin.represent.flow.control_flow import FlowKind, control_flow
from codekin.represent.flow.dependence import control_dependence


def _program(chance: random.Random, depth: int = 0) -> list[str]:
    """Lines of a random Python function."""
    lines = []
    for _ in range(chance.randint(1, 3)):
        kind = chance.choice(["call", "if", "else", "while", "return", "break", "try"])
        inner = [f"    {line}" for line in (_program(chance, depth + 1) if depth < 3 else ["k()"])]
        other = [f"    {line}" for line in (_program(chance, depth + 1) if depth < 3 else ["m()"])]
        if kind in ("if", "else"):
            lines += [f"if a{depth} < b:", *inner]
            lines += ["else:", *other] if kind == "else" else []
        elif kind == "while":
            lines += [f"while c{depth} > d:", *inner]
        elif kind == "try":
            lines += ["try:", *inner, "except E:", *other]
        elif kind == "return":
            lines += ["if r:", "    return"]
        elif kind == "break":
            lines += ["for x in y:", "    if z:", "        break", "    w()"]
        else:
            lines.append(f"f{depth}(b)")
    return lines


def _after(flow) -> dict[int, list[int]]:
    after: dict[int, list[int]] = {}
    for source, target in zip(flow.source.tolist(), flow.target.tolist(), strict=True):
        after.setdefault(source, []).append(target)
    return after


def _always_passes(after, start: int, node: int, exits: set[int]) -> bool:
    """Whether every path from a node to the exit passes another."""
    seen, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        if here == node:
            continue
        if here in exits:
            return False
        waiting += [one for one in after.get(here, []) if one not in seen]
        seen |= set(after.get(here, []))
    return True


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_outcomes_are_those_of_the_definition(seed):
    chance = random.Random(seed)
    text = "\n".join(["def f():", *(f"    {line}" for line in _program(chance)), ""])
    flow = control_flow(Source(text, "python").flow_ir)
    after, exits = _after(flow), set(flow.exits.tolist())
    wanted: dict[tuple[int, int], set[FlowKind]] = {}
    for source, target, kind in zip(
        flow.source.tolist(), flow.target.tolist(), flow.kind.tolist(), strict=True
    ):
        if kind not in (FlowKind.TRUE, FlowKind.FALSE) or flow.decides[source] < 0:
            continue
        for node in range(flow.operations):
            # The test itself is always on the way from itself; what counts is the way back to it.
            from_test = node != source and _always_passes(after, source, node, exits)
            if not from_test and _always_passes(after, target, node, exits):
                pair = int(flow.decides[source]), node
                wanted.setdefault(pair, set()).add(FlowKind(kind))
    assert branches(flow) == {
        pair: kinds.pop() for pair, kinds in sorted(wanted.items()) if len(kinds) == 1
    }


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32))
def test_whoever_runs_by_an_outcome_depends_on_the_test(seed):
    text = "\n".join(_program(random.Random(seed)))
    flow = control_flow(Source(text, "python").flow_ir)
    pairs = control_dependence(flow)
    known = set(zip(pairs.controller.tolist(), pairs.dependent.tolist(), strict=True))
    assert set(branches(flow)) <= known


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("c", "void f(int a) { if (a > 1) g(); else h(); }"),
        ("java", "class A { void f(int a) { if (a > 1) g(); else h(); } }"),
        ("go", "package p\nfunc f(a int) {\n if a > 1 {\n g()\n } else {\n h()\n }\n}"),
        ("rust", "fn f(a: i32) { if a > 1 { g(); } else { h(); } }"),
        ("javascript", "function f(a) { if (a > 1) g(); else h(); }"),
    ],
)
def test_both_ways_of_an_if_in_other_languages(language, text):
    ir = Source(text, language).flow_ir
    names = [ir.string(name) for name in ir.name.tolist()]
    found = branches(control_flow(ir))
    assert {
        (names[run], kind.name) for (test, run), kind in found.items() if names[test] == ">"
    } == {
        ("g", "TRUE"),
        ("h", "FALSE"),
    }


def test_a_test_of_a_loop_that_decides_about_itself():
    found = branches(control_flow(Source("while a < b:\n    f()\n", "python").flow_ir))
    assert set(found.values()) == {FlowKind.TRUE}
    assert any(test == run for test, run in found)
