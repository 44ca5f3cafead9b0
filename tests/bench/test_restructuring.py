from __future__ import annotations

import doctest
import random
from typing import Any

import pytest

import restructuring
import scan
import scan_code
from codekin import Source
from restructuring import RESTRUCTURINGS, changed, restructured

COUNTED = """def counted(xs, n):
    total = 0
    step = 2
    for i in range(n):
        total += 1
    for x in xs:
        if x > 2 and step:
            total = total * x
        elif x == 1:
            continue
        else:
            total -= 3
    while total > 50:
        total -= 7
    if total > 20 and n > 1:
        total += 2
    if total == 4:
        if step > 1:
            total = 9
    if total < 3:
        return 1
    else:
        step = 5
    return total if step else n
"""


@pytest.mark.parametrize("module", [restructuring, scan, scan_code])
def test_the_examples_in_the_documentation(module: Any) -> None:
    assert doctest.testmod(module).failed == 0


def result(text: str, xs: list[int], n: int) -> int:
    names: dict[str, Any] = {}
    exec(compile(text, "restructured", "exec"), names)  # a program of this test
    value: int = names["counted"](xs, n)
    return value


@pytest.mark.parametrize("name", [*RESTRUCTURINGS])
def test_python_does_the_same(name: str) -> None:
    after = changed(Source(COUNTED, "python"), name, random.Random(0))
    if name == "do to while":
        assert after is None
        return
    if after is None:
        pytest.fail(f"{name} changes nothing")
    for xs, n in (([], 0), ([1, 2, 3], 2), ([5, 0, 9], 7), ([3] * 6, 1)):
        assert result(after.text, xs, n) == result(COUNTED, xs, n)


def test_many_restructurings_together_do_the_same() -> None:
    for seed in range(20):
        done = restructured(Source(COUNTED, "python"), random.Random(seed), most=9)
        assert done is not None and len(done[1]) >= 3
        assert result(done[0], [5, 0, 9, 1], 7) == result(COUNTED, [5, 0, 9, 1], 7)


@pytest.mark.parametrize(
    ("language", "name", "before", "after"),
    [
        (
            "c",
            "do to while",
            "do { a++; } while (a < 3);",
            "while (1) { a++; if (a >= 3) { break; } }",
        ),
        (
            "c",
            "for to while",
            "for (i = 0; i < 3; i++) g(i);",
            "i = 0; while (i < 3) { g(i); i++; }",
        ),
        ("c", "while to for", "while (a) g(a);", "for (; a; ) { g(a); }"),
        ("c", "swapped statements", "x = y;\nz = g;", "z = g; x = y;"),
        (
            "javascript",
            "spelled out choices",
            "x = a ? b : c;",
            "if (a) { x = b; } else { x = c; }",
        ),
        ("java", "split condition", "if (a && b) g();", "if (a) { if (b) { g(); } }"),
    ],
)
def test_braces(language: str, name: str, before: str, after: str) -> None:
    head = {"c": "void f() {", "javascript": "function f() {", "java": "class A { void f() {"}
    tail = "}}" if language == "java" else "}"
    new = changed(Source(f"{head[language]}\n{before}\n{tail}\n", language), name, random.Random(0))
    assert new is not None
    inner = " ".join(new.text.removeprefix(head[language]).split()).removesuffix(tail).strip()
    assert inner == after


@pytest.mark.parametrize(
    "statements",
    [
        "x = 1;\ny = x;",
        "x = g();\ny = h();",
        "x = g();\ny = z;",  # g may change z
        "*p = 1;\ny = *q;",  # p may be q
        "x = y;\ny = x;",
    ],
)
def test_dependent_statements_stay(statements: str) -> None:
    source = Source(f"void f() {{\n{statements}\n}}\n", "c")
    assert changed(source, "swapped statements", random.Random(0)) is None


def test_a_loop_that_continues_keeps_its_update() -> None:
    source = Source("void f() { for (i = 0; i < 3; i++) { if (i) continue; g(); } }", "c")
    assert changed(source, "for to while", random.Random(0)) is None
