"""Flows by example, one language after the other, and what holds for all of them."""

import os
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin import Source, _native
from codekin.represent.codebleu_flow_rules import PACKAGE_RULES
from codekin.represent.flow.dataflow import dataflow
from codekin.represent.flow.flow_rules import FlowRules, native_rules
from codekin.represent.flow.language_flow_rules import FLOW_RULES


def flow(text, language, rules=FLOW_RULES):
    source = Source(text, language)
    found = dataflow(source.tree, source.data, rules[language])
    return [(e.name, " ".join(e.sources)) for e in found.edges()]


EXAMPLES = {
    "python": (
        "def f(a, b=1):\n    c = a + b\n    c += 2\n    p[i] = c\n    return c\n",
        "b <- 1; c <- a b; a <- a; b <- b; c <- c 2; p <- c; c <- c; c <- c",
    ),
    "java": (
        "class A { int f(int[] xs) { int s = 0; for (int x : xs) s += x; return s; } }",
        "s <- 0; x <- xs; xs <- xs; s <- s x; x <- x; s <- s",
    ),
    "c": (
        "int f(int n) { int s = 0, *p = &s; for (int i = 0; i < n; i++) s += i; return *p; }",
        "s <- 0; p <- s; s <- s; i <- 0; i <- i; n <- n; i <- i; s <- s i; i <- i; p <- p",
    ),
    "cpp": (
        "int f(V xs) { int s = 0; for (auto x : xs) { s += x; } return s; }",
        "s <- 0; x <- xs; xs <- xs; s <- s x; x <- x; s <- s",
    ),
    "javascript": (
        "function f(a) { let b = a; [a, b] = [b, a]; return `${a}`; }",
        "b <- a; a <- a; a <- b; b <- a; b <- b; a <- a; a <- a",
    ),
    "typescript": (
        "function f(a: number): number { const b: number = a * 2; return b; }",
        "b <- a 2; a <- a; b <- b",
    ),
    "go": (
        "package m\nfunc f(xs []int) int {\n\ts := 0\n\tfor _, x := range xs {\n\t\ts +"
        "= x\n\t}\n\treturn s\n}\n",
        "s <- 0; _ <- xs; x <- xs; xs <- xs; s <- s x; x <- x; s <- s",
    ),
    "rust": (
        "fn f(a: i32) -> i32 { let mut b = a; b += 1; if let Some(c) = g(b) { return c; } b }",
        "b <- a; a <- a; b <- b 1; c <- g b; b <- b; c <- c; b <- b",
    ),
    "csharp": (
        "class A { int F(int a) { var b = a; b++; foreach (var c in b) { a = c; } return a; } }",
        "b <- a; a <- a; b <- b; c <- b; b <- b; a <- c; c <- c; a <- a",
    ),
    "php": (
        "<?php function f($a) { $b = $a; foreach ($b as $c) { $d[$c] = 1; } return $d; }",
        "$b <- $a; $a <- $a; $b <- $b; $c <- $b; $d <- 1; $c <- $c; $d <- $d",
    ),
    "ruby": (
        "def f(a, b = 1)\n  c = a\n  c += b\n  [c].each { |x| puts x }\n  c\nend\n",
        "b <- 1; c <- a; a <- a; c <- c b; b <- b; c <- c; x <- x; c <- c",
    ),
    "kotlin": (
        "fun f(a: Int): Int { val b = a; var c = 0; for (i in b) { c += i }; return c }",
        "b <- a; a <- a; c <- 0; i <- b; b <- b; c <- c i; i <- i; c <- c",
    ),
}


@pytest.mark.parametrize("language", EXAMPLES)
def test_flow_by_example(language):
    text, expected = EXAMPLES[language]
    assert "; ".join(f"{name} <- {sources}" for name, sources in flow(text, language)) == expected


def test_every_language_has_an_example():
    assert set(EXAMPLES) == set(FLOW_RULES)


def test_a_use_after_a_branch_sees_both_sides():
    text = "if a:\n    x = b\nelse:\n    x = c\ny = x\n"
    assert flow(text, "python")[-2:] == [("y", "x"), ("x", "x")]


def test_what_a_branch_assigns_is_unknown_to_the_other():
    assert ("n", "n") not in flow("if a:\n    n = 1\nelse:\n    print(n)\n", "python")


def test_a_loop_sees_what_a_later_line_of_it_assigned():
    assert ("x", "x") in flow("while a:\n    print(x)\n    x = 1\n", "python")


def test_parameters_are_new_variables():
    text = "x = 1\ndef f(x):\n    return x\n"
    assert flow(text, "python") == [("x", "1"), ("x", "x")]


def test_members_are_no_variables():
    assert flow("x = 1\no.x = y\nz = o.x\n", "python") == [
        ("x", "1"),
        ("o", "y"),
        ("z", "o"),
        ("o", "o"),
    ]


def test_names_do_not_matter_but_their_pattern_does():
    def items(text):
        source = Source(text, "python")
        return dataflow(source.tree, source.data, FLOW_RULES["python"]).ordered.tolist()

    assert items("a = b + c\nd = a") == items("w = x + y\nz = w")
    assert items("a = b + c\nd = a") != items("w = x + y\nz = x")


DEEP = {
    "python": "x = " + "(" * 10_000 + "y" + ")" * 10_000,
    "java": "class A { void f() " + "{ if (a) " * 2_000 + ";" + "}" * 2_001 + "}",
    "c": "void f() {" + "for (int i = 0; i < n; i++) {" * 1_000 + "x = i;" + "}" * 1_001,
    "javascript": "a = () => " * 10_000 + "b",
    "go": "package m\nfunc f() {" + "for {" * 4_000 + "x = y" + "}" * 4_001,
    "ruby": "while a\n" * 2_000 + "x = y\n" + "end\n" * 2_000,
}


@pytest.mark.parametrize("language", DEEP)
def test_deep_nesting_neither_crashes_nor_hangs(language):
    flow(DEEP[language], language)
    assert flow(DEEP[language], language, PACKAGE_RULES) == []


@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=200), language=st.sampled_from(sorted(FLOW_RULES)))
def test_any_text_has_a_flow(text, language):
    flow(text, language)
    if language in PACKAGE_RULES:
        flow(text, language, PACKAGE_RULES)


SCRIPT = """
from codekin import Source
from codekin.represent.flow.dataflow import dataflow
from codekin.represent.codebleu_flow_rules import PACKAGE_RULES
text = "for (var i = 0; i < n; i++) { s += a[i] * b + c; t = {s, a, b, c, i}; var q = s + t + a; }"
source = Source(text, "javascript")
flow = dataflow(source.tree, source.data, PACKAGE_RULES["javascript"])
print([(e.name, e.sources) for e in flow.edges()])
"""


def test_the_hash_seed_has_no_say():
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(outputs) == 1


def names(prefix, count):
    return ", ".join(f"{prefix}{i}" for i in range(count))


LARGE = {
    "a pattern, cubic in the package": (
        f"let [{names('a', 2000)}] = [{names('b', 2000)}];",
        "javascript",
    ),
    "every name from every other": (
        f"{names('a', 20_000)} = f({names('b', 20_000)})",
        "python",
    ),
    "a table of constants": (f"class A {{ int[] t = {{ {names('v', 10_000)} }}; }}", "java"),
    "unfinished loops": ("class A { void f() {" + "for(x:y){ a=b; " * 200, "java"),
    "chained assignments": (
        "class A { void f() { " + "".join(f"a{i} = " for i in range(900)) + "1; } }",
        "java",
    ),
}


@pytest.mark.parametrize("case", LARGE)
@pytest.mark.parametrize("rules", [FLOW_RULES, PACKAGE_RULES], ids=["default", "package"])
def test_work_is_bounded(case, rules):
    text, language = LARGE[case]
    source = Source(text, language)
    tree = source.tree
    begin = time.process_time()
    dataflow(tree, source.data, rules[language])
    assert time.process_time() - begin < 3.0


def test_a_large_table_is_followed_all_the_same():
    text, language = LARGE["a table of constants"]
    (edge,) = flow(text, language)
    assert len(edge[1].split()) == 10_000
    assert len(flow(text, language, PACKAGE_RULES)) == 10_001


@pytest.mark.parametrize(
    ("array", "values"),
    [
        ("kind", [1]),
        ("field", [0]),
        ("parent", [-1, 0, 2]),
        ("parent", [-1, -1, 0]),
        ("parent", [0, 0, 1]),
        ("size", [3, 0, 1]),
        ("size", [3, 2, 2]),
        ("size", [3, -1, 1]),
        ("size", [2**31 - 1, 2, 1]),
        ("start", [0, -1, 0]),
        ("start", [0, 3, 0]),
        ("end", [2, 2, 99]),
        ("end", [2]),
    ],
)
def test_arrays_that_are_no_tree_are_refused(array, values):
    good = {
        "kind": [1, 1, 1],
        "field": [0, 0, 0],
        "parent": [-1, 0, 1],
        "size": [3, 2, 1],
        "start": [0, 0, 0],
        "end": [2, 2, 2],
    }

    def native(**columns):
        columns = {
            name: np.array(column, dtype=np.uint16 if name in ("kind", "field") else np.int32)
            for name, column in columns.items()
        }
        rules = native_rules(FLOW_RULES["python"], Source("", "python").tree.grammar)
        _native.dataflow(rules, b"ab", **columns)
        tables = [np.zeros(65536, dtype=t) for t in (np.uint64, np.uint8, np.uint8)]
        del columns["start"], columns["end"]
        return tables, columns

    def shapes(tables, columns, special=(), field_labels=1):
        labels, parts, hidden = tables
        _native.subtree_shapes(
            **columns,
            kind_label=labels,
            field_label=np.zeros(field_labels, dtype=np.uint64),
            part=parts,
            special=np.array(special, dtype=np.int32),
            special_label=np.ones(len(special), dtype=np.uint64),
            left_out=np.array([], dtype=np.int32),
            hidden=hidden,
        )

    tables, columns = native(**good)
    shapes(tables, columns)
    with pytest.raises(ValueError, match=rf"\b{array}\b"):
        native(**{**good, array: values})
    if array in columns:
        with pytest.raises(ValueError, match=rf"\b{array}\b"):
            shapes(tables, {**columns, array: np.array(values, dtype=columns[array].dtype)})
    for special in ([3], [-1]):
        with pytest.raises(ValueError, match=r"special\[0\] is -?\d; expected a number"):
            shapes(tables, columns, special)
    with pytest.raises(ValueError, match=r"field\[0\] is 0; expected none"):
        shapes(tables, columns, field_labels=0)


def test_rules_that_are_gone_leave_no_table_behind():
    source = Source("x = y", "python")
    for _ in range(20):
        assert len(dataflow(source.tree, source.data, FlowRules({}, {}))) == 0
        assert len(dataflow(source.tree, source.data, replace(FLOW_RULES["python"]))) == 1
