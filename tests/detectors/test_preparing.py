"""Snippets read for detectors, and the arrays they become."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.detectors.tasks import assert_same

from codekin import Snippet
from codekin.detectors import preparing
from codekin.detectors.prepared import (
    END,
    NodeRole,
    Prepared,
    spread,
)
from codekin.detectors.preparing import prepare_snippets

CODES = {
    "java": "int f(int n) { for (int i = 0; i < n; i++) { n += i; } return n; }",
    "c": "int f(int n) { for (int i = 0; i < n; i++) { n += i; } return n; }",
    "cpp": "int f(int n) { for (auto i : all) { n += i; } return n; }",
    "python": "def f(n):\n  for i in range(n):\n    n += i\n  return n\n",
}
SNIPPETS = [Snippet(language, language, code) for language, code in CODES.items()]
MANY = [Snippet(f"{one.id}{i}", one.language, one.code) for i in range(3) for one in SNIPPETS]


@pytest.fixture(autouse=True, scope="module")
def read_once() -> None:
    """Not here, where reading is tested."""


def words(made: Prepared, *roles: NodeRole) -> list[str]:
    return [made.words[i] for i in made.word[np.isin(made.role, roles)]]


def sequence(language: str, code: str, *, leaves: bool = True) -> list[str]:
    """The words at which statements begin, and ``end``."""
    made = prepare_snippets([Snippet("a", language, code)], leaves=leaves)
    return [
        "end" if node == END else made.words[made.word[node]] for node in made.statement.tolist()
    ]


@pytest.mark.parametrize("language", CODES)
def test_names_literals_and_operators_are_told_apart(language: str) -> None:
    made = prepare_snippets([Snippet("a", language, CODES[language])])
    assert made.problems == ("",)
    names = {"f", "n", "i"} | {"cpp": {"all"}, "python": {"range"}}.get(language, set())
    assert set(words(made, NodeRole.IDENTIFIER)) == names
    assert set(words(made, NodeRole.LITERAL)) == ({"0"} if language in ("java", "c") else set())
    other = set(words(made, NodeRole.OTHER))
    assert "+=" in other and ("int" in other) == (language != "python")
    assert not {"for", "return", "(", ";"} & set(words(made, *NodeRole))


def test_primitive_types_and_modifiers_are_no_identifiers_and_type_names_are() -> None:
    code = "static void f(boolean a, Map m, String[] s, long[] t) { }"
    made = prepare_snippets([Snippet("a", "java", code)])
    assert words(made, NodeRole.OTHER) == ["static", "void", "boolean", "long"]
    assert words(made, NodeRole.IDENTIFIER) == ["f", "a", "Map", "m", "String", "s", "t"]


def test_comments_are_left_out_and_strings_are_one_word() -> None:
    code = 'def f():\n  """What."""\n  # why\n  return "a b" + f"{x}"\n'
    made = prepare_snippets([Snippet("a", "python", code)])
    assert words(made, NodeRole.LITERAL) == ['"a b"', 'f"{x}"']
    assert not any("why" in word or "What" in word for word in made.words)
    assert [made.terms[i] for i in made.term] == ["def", "what", "why", "return"]


@pytest.mark.parametrize("language", CODES)
def test_without_leaves_only_kinds_are_left(language: str) -> None:
    one = [Snippet("a", language, CODES[language])]
    made, whole = prepare_snippets(one, leaves=False), prepare_snippets(one)
    assert words(made, *NodeRole) == words(whole, NodeRole.KIND)
    assert set(made.role.tolist()) == {NodeRole.KIND}
    assert set(made.terms) <= {word.lower() for word in made.words}


def test_statements_are_in_order_between_blocks_and_their_ends() -> None:
    assert sequence("java", CODES["java"]) == [
        *("program", "method_declaration", "block", "for_statement", "block"),
        *("expression_statement", "end", "return_statement", "end"),
    ]
    assert sequence("python", CODES["python"]) == [
        *("module", "function_definition", "block", "for_statement", "block"),
        *("expression_statement", "end", "return_statement", "end"),
    ]


def test_each_node_belongs_to_its_innermost_statement() -> None:
    made = prepare_snippets([Snippet("a", "java", "void f() { if (a) { b(); } c(); }")])
    of = {
        made.words[made.word[i]]: made.words[made.word[made.statement[made.member[i]]]]
        for i in np.flatnonzero(made.role == NodeRole.IDENTIFIER).tolist()
    }
    assert of == {
        "f": "method_declaration",
        "a": "if_statement",
        "b": "expression_statement",
        "c": "expression_statement",
    }


GARBAGE = "".join(chr(33 + i * 7919 % 9000) for i in range(2000))


@pytest.mark.parametrize("language", CODES)
@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("", "is empty"),
        (" \n\t ", "is empty"),
        (GARBAGE, "does not parse"),
        ("f(a, b(", "does not parse"),
        ("\0\0", "does not parse"),
    ],
    ids=["empty", "blank", "garbage", "half-written", "binary"],
)
def test_bad_code_is_read_as_far_as_it_goes(language: str, code: str, problem: str) -> None:
    for leaves in (True, False):
        made = prepare_snippets([Snippet("a", language, code)], leaves=leaves)
        assert made.problems == (problem,)
        assert (len(made.word) == 0) == (problem == "is empty")


def test_comments_alone_are_empty_code() -> None:
    assert prepare_snippets([Snippet("a", "java", "// nothing\n")]).problems == ("is empty",)


def test_huge_code_is_read_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing, "_MOST_NODES", 100)
    code = "void f() { " + "a = a + 1; " * 1000 + "}"
    made = prepare_snippets([Snippet("a", "java", code)])
    assert len(made.word) == 100
    assert "of which the first 100 are read" in made.problems[0]
    assert made.flow_to.max() < 100 and made.statement.max() < 100
    assert made.member.max() < len(made.statement)


@given(st.sampled_from(list(CODES)), st.text(max_size=30), st.booleans())
def test_arrays_of_any_text_are_sound(language: str, code: str, leaves: bool) -> None:
    made = prepare_snippets([Snippet("a", language, code)], leaves=leaves)
    count = len(made.word)
    assert made.nodes.tolist() == [0, count]
    assert len(made.parent) == len(made.role) == len(made.member) == count
    assert (made.parent < np.arange(count)).all()
    assert np.count_nonzero(made.parent < 0) == min(count, 1)
    blocks = np.flatnonzero(made.statement != END)
    assert (np.diff(made.statement[blocks]) > 0).all()
    assert np.isin(made.member, blocks).all()


def test_any_number_of_workers_gives_the_same() -> None:
    expected = prepare_snippets(MANY, workers=0)
    assert_same(expected, prepare_snippets(MANY, workers=2))


def test_equal_snippets_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("made.npz", "again.npz"):
        prepare_snippets(MANY, workers=0).save(tmp_path / name)
    assert (tmp_path / "made.npz").read_bytes() == (tmp_path / "again.npz").read_bytes()


def test_no_snippets_are_prepared_too() -> None:
    assert len(prepare_snippets([])) == 0


def test_words_are_counted_in_some_snippets_only() -> None:
    made = prepare_snippets(SNIPPETS)
    counts = made.words_in(np.array([False, False, True, False]))
    assert counts[made.words.index("all")] == 1
    assert counts[made.words.index("range")] == 0


@given(st.lists(st.integers(0, 9), max_size=9))
def test_groups_begin_where_those_before_end(sizes: list[int]) -> None:
    found = spread(np.array(sizes, np.int64))
    assert np.diff(found).tolist() == sizes and found[0] == 0
