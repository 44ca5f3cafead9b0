from pathlib import Path

import numpy as np
import pytest

from codekin.languages import TokenClass, language, languages
from codekin.languages.language import ERROR_KIND
from codekin.represent.tree import flatten
from codekin.source import Source

SAMPLES = sorted((Path(__file__).parents[1] / "languages" / "samples").iterdir())
BROKEN = [("c", "int f( { return ; }}}"), ("python", "def (:\n  x ="), ("java", "class { int")]


def preorder(tree):
    """The plain way: a walk over tree-sitter's own node objects."""
    found = []
    pending = [(tree.root_node, -1)]
    while pending:
        node, parent = pending.pop()
        found.append((node.kind_id, parent, node.start_byte, node.end_byte, node.is_missing))
        index = len(found) - 1
        pending += [(child, index) for child in reversed(node.children)]
    return found


def assert_equals_walk(source):
    expected = preorder(source.grammar.parse(source.data))
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
    monkeypatch.setattr(language, "_READS", 3)
    monkeypatch.setattr(language, "_READS_PER_PIECE", 0)
    text = "x = 1\n" * 500
    source = Source(text, "python")
    tree = source.tree
    assert tree.errors.tolist() == [len(tree) - 1]
    assert tree.end[0] == tree.end[-1] == len(text)
    assert tree.size[0] == len(tree)
    assert source.problems[-1].end == len(text)
    code = [t.text for t in source.tokens if t.cls < TokenClass.NEWLINE]
    assert code == text.split()
