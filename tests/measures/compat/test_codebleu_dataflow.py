"""Data flow by the rules of the codebleu package: what holds for all languages."""

import os
import subprocess
import sys
import time
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin import Source, _native
from codekin.measures.compat.codebleu.dataflow import (
    PACKAGE_RULES,
    FlowRules,
    dataflow,
    native_rules,
)


def flow(text, language):
    """Each variable, and the names from which it has its value."""
    source = Source(text, language)
    data, tree = source.data, source.tree
    rules = native_rules(PACKAGE_RULES[language], tree.grammar)
    _, starts, ends, _, offsets, source_starts, source_ends = _native.dataflow(
        rules, data, tree.kind, tree.field, tree.parent, tree.size, tree.start, tree.end
    )
    sources = [
        data[a:b].decode("utf-8", "replace")
        for a, b in zip(source_starts, source_ends, strict=True)
    ]
    edges = zip(starts, ends, pairwise(offsets), strict=True)
    return [
        (data[a:b].decode("utf-8", "replace"), " ".join(sources[i:j])) for a, b, (i, j) in edges
    ]


def test_flow_by_example():
    text = "def f(a, b=1):\n    c = a + b\n    c += 2\n    return c\n"
    assert flow(text, "python") == [
        ("a", ""),
        ("b", "1"),
        ("1", ""),
        ("c", "a b"),
        ("a", "a"),
        ("b", "b"),
        ("c", "2"),  # the package does not know that `+=` reads its target
        ("2", ""),
        ("c", "c"),
    ]


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
    assert flow(DEEP[language], language) == []


@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=200), language=st.sampled_from(sorted(PACKAGE_RULES)))
def test_any_text_has_a_flow(text, language):
    flow(text, language)


SCRIPT = """
from codekin import Source
from codekin.measures.compat.codebleu.dataflow import PACKAGE_RULES, dataflow
text = "for (var i = 0; i < n; i++) { s += a[i] * b + c; t = {s, a, b, c, i}; var q = s + t + a; }"
source = Source(text, "javascript")
print(dataflow(source.tree, source.data, PACKAGE_RULES["javascript"]).tolist())
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
def test_work_is_bounded(case):
    text, language = LARGE[case]
    source = Source(text, language)
    tree = source.tree
    begin = time.process_time()
    dataflow(tree, source.data, PACKAGE_RULES[language])
    assert time.process_time() - begin < 3.0


def test_a_large_table_is_followed_all_the_same():
    text, language = LARGE["a table of constants"]
    assert len(flow(text, language)) == 10_001


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
        rules = native_rules(PACKAGE_RULES["python"], Source("", "python").tree.grammar)
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
    package = PACKAGE_RULES["python"]
    expected = len(dataflow(source.tree, source.data, package))
    assert expected > 0
    for _ in range(20):
        assert len(dataflow(source.tree, source.data, FlowRules({}, {}))) == 0
        copy = FlowRules(package.rules, package.kinds)
        assert len(dataflow(source.tree, source.data, copy)) == expected
