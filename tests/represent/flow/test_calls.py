"""Resolved calls, from source text and from IRs put together by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from codekin import Source
from codekin.represent.flow.calls import resolve_calls
from codekin.represent.flow.flow_ir import CallShape, FlowIR, OperationKind


def resolved(text: str) -> list[tuple[str, str]]:
    """(called name, function it runs: `class.name` or `name:line`) of each call of a text."""
    ir = Source(text, "python").flow_ir
    return named_pairs(replace(ir, call_target=np.full_like(ir.call_target, -1)), text)


def named_pairs(ir: FlowIR, text: str = "") -> list[tuple[str, str]]:
    calls = resolve_calls(ir)
    found = []
    for operation, f in zip(calls.operation.tolist(), calls.function.tolist(), strict=True):
        line = text.encode()[: ir.function_start[f]].count(b"\n")
        owner = ir.string(ir.function_owner[f])
        name = ir.string(ir.function_name[f])
        found.append(
            (ir.string(ir.name[operation]), f"{owner}.{name}" if owner else f"{name}:{line}")
        )
    return found


def test_by_name_and_number_of_arguments() -> None:
    text = "def f(a, b=1): pass\nf(1)\nf(1, 2)\nf()\nf(1, 2, 3)\nh(1)\nf(*xs)\n"
    assert resolved(text) == [("f", "f:0"), ("f", "f:0"), ("f", "f:0")]


def test_any_number_of_arguments() -> None:
    ir = Source("def f(a): pass\nf()\nf(1)\nf(1, 2, 3)\n", "python").flow_ir
    ir = replace(ir, call_target=np.full_like(ir.call_target, -1))
    assert len(resolve_calls(ir)) == 1
    assert len(resolve_calls(replace(ir, function_most=np.full_like(ir.function_most, -1)))) == 2


def test_the_innermost_function_that_can_be_seen() -> None:
    text = (
        "def f(): pass\ndef g():\n    def f(): pass\n    def inner():\n        f()\n"
        "    f()\n    inner()\ndef other(): f()\n"
    )
    assert sorted(resolved(text)) == [
        ("f", "f:0"),
        ("f", "f:2"),
        ("f", "f:2"),
        ("inner", "inner:3"),
    ]


CLASSES = """
class A:
    def __init__(self, x): pass
    def run(self): self.step(1)
    def step(self, k): pass
class B:
    def step(self, k): pass
    def only(self): pass
"""


def test_methods_constructors_and_receivers() -> None:
    text = CLASSES + "a = A(1)\nA()\na.step(2)\na.only()\nA.step(a, 3)\n"
    assert sorted(resolved(text)) == [
        ("A", "A.__init__"),
        ("only", "B.only"),
        ("step", "A.step"),
        ("step", "A.step"),
        ("step", "A.step"),
    ]


def with_type(ir: FlowIR, variable: str, cls: str) -> FlowIR:
    """The same with a variable declared to be of a class."""
    strings = (*ir.strings, cls) if cls not in ir.strings else ir.strings
    types = ir.variable_type.copy()
    for v, name in enumerate(ir.variable_name.tolist()):
        if ir.string(name) == variable:
            types[v] = strings.index(cls)
    return replace(ir, strings=strings, variable_type=types)


@pytest.mark.parametrize(
    ("cls", "expected"), [("A", ["A.step"]), ("B", ["B.step"]), ("Unheard", [])]
)
def test_a_declared_class_decides(cls: str, expected: list[str]) -> None:
    ir = with_type(Source(CLASSES + "a = make()\na.step(2)\n", "python").flow_ir, "a", cls)
    assert [f for name, f in named_pairs(ir) if name == "step"] == [*expected, "A.step"]


def test_a_class_without_the_method_may_inherit_it() -> None:
    ir = with_type(Source(CLASSES + "a = make()\na.only()\n", "python").flow_ir, "a", "A")
    assert ("only", "B.only") in named_pairs(ir)


def test_a_plain_call_in_a_class_may_mean_its_method() -> None:
    ir = Source(CLASSES, "python").flow_ir
    shape = np.full_like(ir.call_shape, CallShape.PLAIN)
    assert named_pairs(replace(ir, call_shape=shape)) == [("step", "A.step")]


def test_a_known_target_decides() -> None:
    ir = Source("def f(a): pass\ndef g(): pass\nf()\n", "python").flow_ir
    target = np.full_like(ir.call_target, 2)
    assert named_pairs(replace(ir, call_target=target)) == [("f", "g:0")]


def test_wrong_arrays_are_refused() -> None:
    ir = Source("f()", "python").flow_ir
    with pytest.raises(ValueError, match=r"ir\.call_operation\[0\] is 101; expected"):
        resolve_calls(replace(ir, call_operation=ir.call_operation + 100))


def test_every_pair_is_a_call_that_the_function_takes() -> None:
    ir = Source(CLASSES + "A(1).step(2)\nlambda x: x\n", "python").flow_ir
    calls = resolve_calls(ir)
    assert len(calls)
    assert (ir.kind[calls.operation] == OperationKind.CALL).all()
    pairs = list(zip(calls.operation.tolist(), calls.function.tolist(), strict=True))
    assert pairs == sorted(set(pairs))


@pytest.mark.parametrize(
    "text",
    [
        "def g(): pass\ndef f(g):\n    return g()\n",
        "def g(): pass\ndef f(a):\n    g = a[0]\n    return g()\n",
        "def g(): pass\ndef f(g):\n    def inner():\n        return g()\n    return inner\n",
    ],
)
def test_a_variable_hides_functions_of_its_name(text: str) -> None:
    assert resolved(text) == []


def test_an_argument_of_its_name_hides_no_function() -> None:
    """As ``std::g(g)``, of which the IR keeps no qualifier."""
    text = "int g(int x) { return x; }\nint f(int g) { return std::g(g); }\n"
    assert named_pairs(Source(text, "cpp").flow_ir, text) == [("g", "g:0")]


def test_a_function_inside_hides_a_parameter_outside() -> None:
    text = "def f(g):\n    def inner():\n        def g(): pass\n        return g()\n"
    assert resolved(text) == [("g", "g:2")]
