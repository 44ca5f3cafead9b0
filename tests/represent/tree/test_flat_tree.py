import random
from pathlib import Path

import numpy as np
import pytest

from codekin.languages import (
    TokenClass,
    get_language,
    language_names,
    languages,
)
from codekin.languages.language import ERROR_KIND
from codekin.represent.tree import parsing
from codekin.represent.tree.flat_tree import flatten
from codekin.represent.tree.parsing import ParseLimits, parse
from codekin.source import Source

SAMPLES = sorted((Path(__file__).parents[2] / "languages" / "samples").iterdir())
BROKEN = [("c", "int f( { return ; }}}"), ("python", "def (:\n  x ="), ("java", "class { int")]


def preorder(tree, length):
    """The plain way: a walk over tree-sitter's own node objects."""
    found = []
    pending = [(tree.root_node, -1)]
    while pending:
        node, parent = pending.pop()
        end = min(node.end_byte, length)  # a grammar's tail stands behind the text
        found.append((node.kind_id, parent, node.start_byte, end, node.is_missing))
        index = len(found) - 1
        pending += [(child, index) for child in reversed(node.children)]
    return found


def assert_equals_walk(source):
    expected = preorder(parse(source.grammar, source.data), len(source.data))
    tree = source.tree
    missing = np.zeros(len(tree), dtype=bool)
    missing[tree.missing] = True
    columns = (tree.kind, tree.parent, tree.start, tree.end, missing)
    rows = list(zip(*(c.tolist() for c in columns), strict=True))
    assert rows == expected


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_arrays_are_a_preorder_walk(path):
    assert_equals_walk(Source.from_file(path))


@pytest.mark.parametrize(("name", "text"), BROKEN)
def test_broken_code_is_walked_too(name, text):
    source = Source(text, name)
    assert_equals_walk(source)
    assert len(source.tree.errors) + len(source.tree.missing) > 0


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_sizes_depths_and_children_agree(path):
    tree = Source.from_file(path).tree
    assert tree.size[0] == len(tree)
    for node in range(len(tree)):
        children = tree.children(node)
        assert all(tree.parent[child] == node for child in children)
        assert tree.size[node] == 1 + sum(int(tree.size[child]) for child in children)
        assert all(tree.depth[child] == tree.depth[node] + 1 for child in children)


def test_fields_have_their_names():
    source = Source("def f(x): return x", "python")
    fields = {source.grammar.fields[f] for f in source.tree.field.tolist()}
    assert {"name", "parameters", "body"} <= fields


def test_errors_are_the_outermost():
    tree = Source("x = = = ) ( }", "javascript").tree
    for error in tree.errors.tolist():
        above = tree.parent[error]
        while above >= 0:
            assert tree.kind[above] != ERROR_KIND
            above = tree.parent[above]


def test_deep_trees_need_no_recursion():
    deep = b"(" * 10_000 + b"1" + b")" * 10_000
    tree = flatten(Source("", "python").grammar, deep)
    assert int(tree.depth.max()) >= 10_000


def test_empty_text_has_a_root():
    for known in languages():
        tree = Source("", known).tree
        assert len(tree) == 1
        assert tree.parent.tolist() == [-1]


def test_a_parse_past_its_budget_ends_in_an_error(monkeypatch):
    monkeypatch.setattr(parsing, "LIMITS", ParseLimits(reads=3, reads_per_piece=0))
    text = "x = 1\n" * 500
    source = Source(text, "python")
    tree = source.tree
    assert tree.errors.tolist() == [len(tree) - 1]
    assert tree.end[0] == tree.end[-1] == len(text)
    assert tree.size[0] == len(tree)
    assert source.problems[-1].end == len(text)
    assert tree.unparsed == len(text) - 511
    assert source.problems[-1].message == "stopped parsing: too much work, 2,489 bytes are left"
    code = [t.text for t in source.tokens if t.cls < TokenClass.NEWLINE]
    assert code == text.split()


BIG = {
    "java": ("class Big {\n", "    int f%d(int a) { return a * 2; }\n", "}\n"),
    "csharp": ("namespace N {\nclass Big {\n", "    int f%d(int a) { return a * 2; }\n", "}\n}\n"),
    "cpp": ("namespace n {\n", "int f%d(int a) { return a * 2; }\n", "}\n"),
    "c": ("static const int t[] = {\n", "    %d, 0x1f,\n", "};\n"),
    "javascript": ("(function () {\n", "  function f%d(a) { return a * 2; }\n", "})();\n"),
    "typescript": ("class Big {\n", "    f%d(a: number): number { return a * 2; }\n", "}\n"),
    "python": ("x = [\n", "    %d, 'abc',\n", "]\n"),
    "kotlin": ("class Big {\n", "    fun f%d(a: Int): Int { return a * 2 }\n", "}\n"),
    "php": ("<?php\nclass Big {\n", "    function f%d($a) { return $a * 2; }\n", "}\n"),
    "ruby": ("class Big\n", "  def f%d(a)\n    a * 2\n  end\n", "end\n"),
    "rust": ("mod m {\n", "    fn f%d(a: i32) -> i32 { a * 2 }\n", "}\n"),
    "go": ("package p\nvar t = []int{\n", "    %d, 0x1f,\n", "}\n"),
}


@pytest.mark.parametrize("language", language_names())
def test_long_code_is_read_though_its_start_leaves_it_all_open(language):
    head, unit, tail = BIG[language]
    count = 140_000 // len(unit)
    source = Source(head + "".join(unit % i for i in range(count)) + tail, language)
    assert len(source.data) > 1 << 17
    assert not source.problems
    assert len(source.tree) > 3 * count


@pytest.mark.parametrize("language", language_names())
def test_long_garbage_ends(language):
    noise = random.Random(5)
    text = "".join(noise.choice("abc01 (){}[];,.<>=+-*/\"'#$\n\t") for _ in range(150_000))
    source = Source(text, language)
    assert source.problems
    assert len(source.tokens) > 1000


@pytest.mark.parametrize("text", ['[$*"<\n/"")c"[.b"}]', "x = <T,>() => { </", "`${`${`${"])
def test_parses_that_go_in_circles_end(text):
    for grammar in get_language("typescript").grammars:
        assert len(flatten(grammar, text.encode())) >= 1


def test_unicode_blanks_at_the_end_are_no_problem():
    for blank in ("\u00a0", "\u2028", "\ufeff", "\u3000"):
        assert Source("int x;" + blank, "java").problems == ()


def test_many_open_heredocs_crash_nothing():
    text = "".join(f"f(<<'{'word' * 20}{i}')\n" for i in range(400))
    assert len(Source(text, "ruby").tokens) > 400


@pytest.mark.parametrize("text", ["class A\n@foo", "val x: Int\n@foo(a", "val x: Int\n@"])
def test_kotlin_that_ends_in_an_annotation_ends(text):
    source = Source(text, "kotlin")
    assert int(source.tree.end.max()) <= len(text)
    assert "@" in source.tokens.texts
