from __future__ import annotations

import json
import math

import pytest

from codekin import CodekinError
from codekin.corpora.abstracting import abstract_corpus
from codekin.corpora.corpus import Corpus
from codekin.corpora.name_overlap import name_overlap, snippet_names
from codekin.corpora.snippets import TAGGED_FALSE, Role, Snippet

CODE = {
    "copy": "void copy(File in, File out) { while (in.read()) { out.write(in.size); } }",
    "sort": "void sort(int[] a) { for (int i = 0; i < n; i++) { swap(a, i); } }",
    "hash": "String hash(String text) { return Base.of(text); }",
}


def corpus() -> Corpus:
    counts = {"copy": 3, "sort": 2, "hash": 1}
    snippets = [
        Snippet(f"{name} {i}", "java", CODE[name], (Role(name),))
        for name, count in counts.items()
        for i in range(count)
    ]
    false = Snippet("no", "java", "void other() { }", (Role("copy", TAGGED_FALSE),))
    return Corpus("small", (*snippets, false, Snippet("none", "java", "void no() { }")))


def test_names_of_a_snippet() -> None:
    assert snippet_names(
        "java", "import a.B; @Ann int f(B b) { x: return b.c + d.g(1, true); }"
    ) == [
        "B",
        "b",
        "c",
        "d",
        "f",
        "g",
    ]


def test_frequent_names_and_ties() -> None:
    found = name_overlap(corpus(), top=3, min_snippets=2)
    first = found.functionalities[0]
    assert (first.functionality, first.snippets) == ("copy", 3)
    assert first.names == (("File", 3), ("copy", 3), ("in", 3))
    assert [one.functionality for one in found.large] == ["copy", "sort"]
    assert [one.functionality for one in found.small] == ["hash"]


def test_means_with_and_without_small_functionalities() -> None:
    snippets = [
        Snippet("1", "java", "int f(int a) { return b; }", (Role("one"),)),
        Snippet("2", "java", "int f(int a) { return c; }", (Role("one"),)),
        Snippet("3", "java", "int f(int a) { return d; }", (Role("two"),)),
        Snippet("4", "java", "int f(int a) { return d; }", (Role("two"),)),
        Snippet("5", "java", "int x(int y) { return z; }", (Role("three"),)),
    ]
    found = name_overlap(Corpus("five", tuple(snippets)), min_snippets=2)
    # f and a of f, a, b, c, d; nothing in common with x, y, z
    assert found.pairs[0].jaccard == pytest.approx(2 / 5)
    assert found.mean == pytest.approx(2 / 15)
    assert found.mean_without_small == pytest.approx(2 / 5)
    assert math.isnan(name_overlap(Corpus("one", tuple(snippets[:2]))).mean)


def test_abstraction_raises_the_overlap() -> None:
    before = name_overlap(corpus()).mean
    assert name_overlap(abstract_corpus(corpus(), "abs")).mean > before + 0.1


def test_the_result_is_shown_in_every_form() -> None:
    found = name_overlap(corpus(), min_snippets=2)
    document = json.loads(found.to_json())
    assert document["mean"] == pytest.approx(found.mean)
    assert len(document["pairs"]) == 3
    assert "hash (1)" in found.to_markdown()
    assert [row["number"] for row in found.table().records()] == [3, 2]


def test_bad_input() -> None:
    with pytest.raises(CodekinError, match="no snippet has a functionality"):
        name_overlap(Corpus("none", (Snippet("a", "java", "void f() { }"),)))
    with pytest.raises(CodekinError, match="at least 1"):
        name_overlap(corpus(), top=0)
