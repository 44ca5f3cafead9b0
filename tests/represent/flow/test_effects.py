"""Effects: aliases, fields, pointers, globals, captured variables, and summaries of calls."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.represent.flow_irs import flow_ir, operation_names

from codekin import Source
from codekin.represent.flow.calls import Calls, resolve_calls
from codekin.represent.flow.control_flow import control_flow
from codekin.represent.flow.effects import BINDING, ELEMENTS, Effects, effects
from codekin.represent.flow.flow_ir import Access, Alias, FlowIR
from codekin.represent.flow.reaching_definitions import reaching_definitions

NOTHING = np.empty(0, dtype=np.int32)
NO_CALLS = Calls(NOTHING, NOTHING)


def line_pairs(text: str, **options: object) -> set[tuple[int, int]]:
    """Lines (defined, used), from 1, of a Python text."""
    ir = Source(text, "python").flow_ir
    found = effects(ir, resolve_calls(ir), **options)
    pairs = reaching_definitions(control_flow(ir), found)
    lines = [text.encode()[:start].count(b"\n") + 1 for start in ir.start.tolist()]
    both = zip(pairs.definition.tolist(), pairs.use.tolist(), strict=True)
    return {(lines[d], lines[u]) for d, u in both}


def used_by(text: str, line: int, **options: object) -> set[int]:
    """The lines whose definitions a line uses."""
    return {d for d, u in line_pairs(text, **options) if u == line} - {line}


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("a = 1\na = 2\nprint(a)", {2}),
        ("a = []\na.append(1)\nprint(a)", {1, 2}),
        ("a = []\nb = a\nb.append(1)\nprint(a)", {1, 3}),
        ("a = []\nb = a\nb = 7\nprint(a)", {1}),
        ("a = [1]\na[0] = 2\na = [3]\nprint(a)", {3}),
        ("a = [[1]]\nb = a[0]\nb[0] = 2\nprint(a)", {1, 3}),
        ("a = o()\na.x = 1\na.y = 2\nprint(a.x)", {1, 2}),
        ("a = o()\na.x = 1\na.y = 2\nprint(a)", {1, 2, 3}),
        ("a = []\nb = []\na.append(b)\nb.append(1)\nprint(a)", {1, 3, 4}),
        ("n = 0\ndef f():\n  global n\n  n = 1\nf()\nprint(n)", {1, 5}),
        ("n = 0\ndef f(): return n\nn = 5\nprint(f())", {3}),
        ("n = 0\ndef f():\n  global n\n  n = 1\ndef g(): f()\ng()\nprint(n)", {1, 6}),
        ("def f(p): p.append(1)\na = []\nb = []\nf(a)\nf(b)\nprint(a)", {2, 4}),
        ("def f(p): p = [2]\na = []\nf(a)\nprint(a)", {2}),
        ("def f(p): return p\na = []\nb = f(a)\nb.append(1)\nprint(a)", {2, 4}),
        ("def f(p): return [p]\na = []\nb = f(a)\nb[0].append(1)\nprint(a)", {2, 4}),
        ("def f(p, q): p.append(q)\na = []\nb = []\nf(a, b)\nb.append(1)\nprint(a)", {2, 4, 5}),
        ("def f(p): p[0].append(1)\ndef g(q): f(q)\na = [[]]\ng(a)\nprint(a[0])", {3, 4}),
        ("def f(n):\n  if n:\n    xs.append(n)\n    f(n - 1)\nxs = []\nf(3)\nprint(xs)", {5, 6}),
        ("def f(g): g()\nn = [0]\ndef h(): n[0] += 1\nf(h)\nprint(n)", {2, 4}),
        ("n = [0]\nfor i in map(lambda x: n.append(x), [1]):\n  pass\nprint(n)", {1, 2}),
        ("k = 1\nh = lambda: k\nk = 2\nprint(h())", {2, 3}),
        ("a = []\nb = [1]\na.append(b)\nb[0] = 2\nb = []\nprint(a)", {1, 3, 4}),
    ],
)
def test_what_the_last_line_uses(text: str, last: set[int]) -> None:
    assert used_by(text, text.count("\n") + 1) == last


COUNTER = """class C:
  def __init__(self): self.n = 0
  def add(self, k): self.n += k
  def get(self): return self.n
c = C()
c.add(1)
print(c.get())
print(c.n)
print(c)
"""


@pytest.mark.parametrize("line", [7, 8, 9])
def test_methods_change_their_object(line: int) -> None:
    assert used_by(COUNTER, line) == {5, 6}


def test_aliased_parameters_are_one_in_the_callee() -> None:
    body = "def f(p, q):\n  p.append(1)\n  print(q)\na = []\nb = []\n"
    assert used_by(body + "f(a, b)", 3) == {1}
    assert used_by(body + "f(a, a)", 3) == {1, 2}


def test_a_global_passed_to_a_function_that_uses_it() -> None:
    body = "a = []\ndef f(p):\n  p.append(1)\n  print(a)\n"
    assert 3 in used_by(body + "f(a)", 4)
    assert 3 not in used_by(body + "f([])", 4)


def test_closures_share_what_they_capture() -> None:
    text = (
        "def make():\n  n = 0\n  def step():\n    nonlocal n\n    n += 1\n    return n\n"
        "  return step\nh = make()\nh()\nprint(h())"
    )
    assert used_by(text, 10) == {8, 9}


def test_functions_that_nobody_calls_see_the_top_level() -> None:
    assert used_by("n = 1\ndef main(): print(n)", 2) == {1}
    assert used_by("n = 1\ndef f(): print(n)\nn = 2\nf()", 2) == set()


def test_unknown_calls() -> None:
    text = "a = []\nfoo(a)\na.frobnicate()\nprint(a)"
    assert used_by(text, 4) == {1, 3}
    assert used_by(text, 4, unknown="pure") == {1}
    assert used_by(text, 4, unknown="arguments") == {1, 2, 3}


def test_without_summaries_calls_of_the_text_change_nothing() -> None:
    text = "n = 0\ndef f():\n  global n\n  n = 1\nf()\nprint(n)"
    assert used_by(text, 6, summaries=False) == {1}


def described(ir: FlowIR, found: Effects, operation: str) -> tuple[list[str], list[str]]:
    """Uses and definitions of an operation of a listing, `!` for strong ones."""
    at = operation_names(ir).index(operation)

    def name(location: int) -> str:
        text = ir.string(ir.variable_name[found.location_variable[location]])
        field = int(found.location_field[location])
        return text + {BINDING: "", ELEMENTS: "[]"}.get(field, f".{ir.string(field)}")

    uses = found.uses[found.use_offsets[at] : found.use_offsets[at + 1]].tolist()
    part = slice(found.definition_offsets[at], found.definition_offsets[at + 1])
    pairs = zip(found.definitions[part].tolist(), found.strong[part].tolist(), strict=True)
    return [name(u) for u in uses], [name(d) + "!" * s for d, s in pairs]


def with_aliases(ir: FlowIR, *pairs: tuple[str, str, Alias]) -> FlowIR:
    names = [ir.string(name) for name in ir.variable_name.tolist()]
    rows = np.array([(names.index(a), names.index(b), k) for a, b, k in pairs], dtype=np.int32)
    return replace(
        ir,
        alias_left=rows[:, 0].copy(),
        alias_right=rows[:, 1].copy(),
        alias_kind=rows[:, 2].astype(np.uint8),
    )


def test_a_store_through_a_pointer_changes_what_it_points_at() -> None:
    listing = "a{x=}; b{p=}; c{@p p[]=}; d{x}; e{p[]}; f{x=}; g{y}"
    ir = with_aliases(flow_ir(listing), ("p", "x", Alias.ADDRESS))
    found = effects(ir, NO_CALLS)
    assert described(ir, found, "c") == (["p"], ["x", "x[]"])
    assert described(ir, found, "d") == (["x"], [])
    assert described(ir, found, "e") == (["x", "p", "x[]"], [])
    assert described(ir, found, "f") == ([], ["x!"])
    assert described(ir, found, "g") == (["y"], [])


def test_copies_share_contents_and_fields() -> None:
    listing = "a{x=}; b{x y=}; c{@y y.f=}; d{x.f}; e{x.g}; f{x}; g{z.f=}"
    ir = with_aliases(flow_ir(listing), ("y", "x", Alias.COPY))
    found = effects(ir, NO_CALLS)
    assert described(ir, found, "c") == (["y"], ["x.f"])
    assert described(ir, found, "d") == (["x", "x.f"], [])
    assert described(ir, found, "e") == (["x"], [])
    assert described(ir, found, "f") == (["x", "x.f"], [])
    assert described(ir, found, "g") == (["z"], ["z.f"])


def test_the_only_variable_of_an_object_kills_what_it_held() -> None:
    ir = flow_ir("a{x=}; b{@x x[]=}; c{x=}; d{x?=}")
    found = effects(ir, NO_CALLS)
    assert described(ir, found, "c")[1] == ["x!", "x[]!"]
    assert described(ir, found, "d")[1] == ["x"]


@st.composite
def programs(
    draw: st.DrawFn,
) -> tuple[FlowIR, Calls, list[set[int]], list[set[int]], list[list[int]]]:
    """Functions that touch globals and call each other; reads, writes and calls of each."""
    functions = draw(st.integers(1, 6))
    chosen = st.sets(st.integers(0, 4), max_size=2)
    reads = [draw(chosen) for _ in range(functions)]
    writes = [draw(chosen) for _ in range(functions)]
    calls = [draw(st.lists(st.integers(0, functions - 1), max_size=2)) for _ in range(functions)]
    lines = ["m{" + " ".join(f"g{i}=" for i in range(5)) + "}"]
    for f in range(functions):
        touched = " ".join(
            [f"g{i}" for i in sorted(reads[f])] + [f"g{i}=" for i in sorted(writes[f])]
        )
        lines += [f"def f{f}()", f"w{f}{{{touched}}}" if touched else f"w{f}"]
        lines += [f"c{f}_{i}" for i in range(len(calls[f]))]
    ir = flow_ir("; ".join(lines))
    names = operation_names(ir)
    globals_of = {ir.string(n): v for v, n in enumerate(ir.variable_name[:5].tolist())}
    variable = np.array(
        [globals_of[ir.string(ir.variable_name[v])] for v in ir.access_variable.tolist()],
        dtype=np.int32,
    )
    pairs = sorted(
        (names.index(f"c{f}_{i}"), callee + 1)
        for f in range(functions)
        for i, callee in enumerate(calls[f])
    )
    columns = np.array(pairs, dtype=np.int32).reshape(-1, 2).T.copy()
    return replace(ir, access_variable=variable), Calls(*columns), reads, writes, calls


@settings(max_examples=150, deadline=None)
@given(programs())
def test_summaries_are_the_closure_over_calls(
    case: tuple[FlowIR, Calls, list[set[int]], list[set[int]], list[list[int]]],
) -> None:
    ir, calls, reads, writes, called = case
    found = effects(ir, calls)
    for operation, f in zip(calls.operation.tolist(), calls.function.tolist(), strict=True):
        reached, pending = set(), [f - 1]
        while pending:
            at = pending.pop()
            if at not in reached:
                reached.add(at)
                pending += called[at]
        name = operation_names(ir)[operation]
        expected_reads = {f"g{i}" for r in reached for i in reads[r]}
        expected_writes = {f"g{i}" for r in reached for i in writes[r]}
        assert tuple(map(set, described(ir, found, name))) == (expected_reads, expected_writes)


@pytest.mark.parametrize("first", [True, False], ids=["callees first", "callers first"])
def test_many_functions(first: bool) -> None:
    order = range(2000) if first else reversed(range(2000))
    text = "\n".join(f"def f{i}(p):\n  global g{i}\n  g{i} = p\n  f{i - 1}(p)" for i in order)
    ir = Source(text + "\nf1999(0)\n", "python").flow_ir
    begin = time.perf_counter()
    found = effects(ir, resolve_calls(ir))
    assert time.perf_counter() - begin < 10
    call = int(np.flatnonzero(ir.function == 0)[-1])
    defined = found.definition_offsets[call + 1] - found.definition_offsets[call]
    assert defined == 2000


def test_only_weak_definitions_come_from_calls() -> None:
    ir = Source("n = 0\ndef f():\n  global n\n  n = 1\nf()\n", "python").flow_ir
    calls = resolve_calls(ir)
    found = effects(ir, calls)
    call = int(calls.operation[0])
    part = slice(found.definition_offsets[call], found.definition_offsets[call + 1])
    assert found.strong[part].tolist() == [0]
    assert (ir.access_mode == Access.DEFINE).sum() == found.strong.sum()


def test_wrong_arguments_are_refused() -> None:
    ir = Source("f()", "python").flow_ir
    with pytest.raises(ValueError, match=r"call\[0\] is 99; expected"):
        effects(ir, Calls(np.array([99], dtype=np.int32), np.array([0], dtype=np.int32)))
    with pytest.raises(ValueError, match="unknown must be"):
        effects(ir, NO_CALLS, unknown="none")  # type: ignore[arg-type]
