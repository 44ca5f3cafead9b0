from __future__ import annotations

import pytest

from codekin import CodekinError, Source
from codekin.corpora.abstracting import abstract_corpus
from codekin.corpora.corpus import Corpus, load_corpus
from codekin.corpora.snippets import Role, Snippet
from codekin.rewrite.abstraction import Vocabulary, abstract

SNIPPETS = (
    Snippet("a", "java", "void f(int n) { g(n); } // f", (Role("copy"),), file="A.java"),
    Snippet("b", "java", "class Box { void g(Box k) { h(k); } }", (Role("copy"),)),
    Snippet("c", "java", "void m(Box b, Crate c) { h(b", (Role("sort"),)),
    Snippet("d", "python", "def f(n):\n    return g(n)\n", (Role("sort"),)),
)
FILES = {"A.java": "class Crate { void f(int n) { g(n); } }"}


def corpus(**changes: object) -> Corpus:
    return Corpus("four", SNIPPETS, **changes)  # type: ignore[arg-type]


def codes(made: Corpus) -> list[str]:
    return [one.code for one in made.snippets]


def test_types_and_calls_have_one_name_in_all_snippets() -> None:
    made = abstract_corpus(corpus(), 3)
    assert codes(made) == [
        "void f(int var1) { fun0(var1); }",
        "class Type0 { void fun0(Type0 var1) { fun1(var1); } }",
        "void m(Type0 var1, Obj1 var2) { fun1(var1",
        "def f(var1):\n    return fun0(var1)\n",
    ]
    assert [one.roles for one in made.snippets] == [one.roles for one in SNIPPETS]
    assert Vocabulary.from_mapping(made.vocabulary).functions == {"g": "fun0", "h": "fun1"}


def test_types_of_whole_files_are_declared_and_the_files_are_left_out() -> None:
    made = abstract_corpus(corpus(files=FILES), 1)
    assert codes(made)[2] == "void m(Type0 var1, Type1 var2) { h(var1"
    assert not made.files
    assert "Crate" in Vocabulary.from_mapping(made.vocabulary).types


def test_the_step_counts_what_parsed() -> None:
    step = abstract_corpus(corpus(), "abs").steps[-1]
    assert step.name == "abstract"
    assert dict(step.parameters) == {"level": "abs", "drop_imports": False}
    assert step.before["parsed"] == step.after["parsed"] == 3
    assert step.before["snippets"] == step.after["snippets"] == 4
    assert step.parents == (("four", corpus().fingerprint),)


@pytest.mark.parametrize("level", ["0", "1", "2", "3", "abs", "over"])
def test_a_second_abstraction_changes_nothing(level: str) -> None:
    once = abstract_corpus(corpus(files=FILES), level)
    twice = abstract_corpus(once, level)
    assert codes(twice) == codes(once)
    assert twice.vocabulary == once.vocabulary
    assert twice.fingerprint == once.fingerprint


def test_new_code_is_abstracted_alike(tmp_path) -> None:
    abstract_corpus(corpus(), 3).save(tmp_path / "made")
    words = Vocabulary.from_mapping(load_corpus(tmp_path / "made").vocabulary)
    new = abstract(Source("Box x() { h(new Box()); q(); }", "java"), 3, vocabulary=words)
    assert new.text == "Type0 x() { fun1(new Type0()); fun2(); }"


def test_workers_change_nothing() -> None:
    many = tuple(
        Snippet(str(i), "java", f"Kind{i % 7} f{i}(int a{i}) {{ g{i % 40}(a{i}, this.b); }}")
        for i in range(200)
    )
    alone = abstract_corpus(Corpus("many", many), 3, workers=0)
    together = abstract_corpus(Corpus("many", many), 3, workers=2)
    assert codes(alone) == codes(together)
    assert alone.vocabulary == together.vocabulary
    assert alone.steps[-1] == together.steps[-1]
    assert codes(alone)[41] == "Obj1 f41(int var1) { fun1(var1, this.var2); }"


def test_other_languages_are_refused() -> None:
    some = Corpus("some", (*SNIPPETS, Snippet("r", "ruby", "x"), Snippet("s", "ruby", "y")))
    with pytest.raises(
        CodekinError, match=r"some: Ruby cannot be abstracted .* \(2 times, first r, s"
    ):
        abstract_corpus(some)
    with pytest.raises(CodekinError, match="no snippets to abstract"):
        abstract_corpus(Corpus("none", ()))
    with pytest.raises(CodekinError, match="unknown level"):
        abstract_corpus(corpus(), 7)
