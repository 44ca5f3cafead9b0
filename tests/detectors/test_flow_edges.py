"""Control and data flow between nodes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin import Snippet
from codekin.detectors.prepared import FLOWS, NodeRole, Prepared
from codekin.detectors.preparing import prepare_snippets

LANGUAGES = ("java", "c", "cpp", "python")


def shown(made: Prepared, node: int) -> str:
    """The tokens of a node, or its kind if it has none."""
    tokens = []
    for i in range(node, len(made.word)):
        above = i
        while above > node:
            above = int(made.parent[above])
        if above == node and made.role[i] != NodeRole.KIND:
            tokens.append(made.words[made.word[i]])
    return " ".join(tokens) or made.words[made.word[node]]


def flow(language: str, code: str, kind: str, leaves: bool = True) -> list[tuple[str, str]]:
    made = prepare_snippets([Snippet("a", language, code)], leaves=leaves)
    assert not made.problems[0]
    chosen = made.flow_kind == FLOWS.index(kind)
    ends = zip(made.flow_from[chosen].tolist(), made.flow_to[chosen].tolist(), strict=True)
    return [(shown(made, a), shown(made, b)) for a, b in ends]


def uses(language: str, code: str) -> list[tuple[int, int]]:
    """Next uses, by the places of names among all identifiers."""
    made = prepare_snippets([Snippet("a", language, code)])
    names = np.flatnonzero(made.role == NodeRole.IDENTIFIER).tolist()
    chosen = made.flow_kind == FLOWS.index("next use")
    ends = zip(made.flow_from[chosen].tolist(), made.flow_to[chosen].tolist(), strict=True)
    return [(names.index(a), names.index(b)) for a, b in ends]


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("java", "void f() { if (a > 1) b = 1; else if (a > 2) { b = 2; } else b = 3; }"),
        ("c", "void f() { if (a > 1) b = 1; else if (a > 2) { b = 2; } else b = 3; }"),
        ("cpp", "void f() { if (a > 1) b = 1; else if (a > 2) { b = 2; } else b = 3; }"),
        ("python", "if a > 1:\n  b = 1\nelif a > 2: # and\n  b = 2\nelse:\n  b = 3\n"),
    ],
)
def test_a_condition_leads_to_what_it_decides(language: str, code: str) -> None:
    assert flow(language, code, "condition true") == [("a > 1", "b = 1"), ("a > 2", "b = 2")]
    false = flow(language, code, "condition false")
    assert [a for a, _ in false] == ["a > 1", "a > 2"]
    assert false[0][1].startswith("a > 2 b = 2") and false[1][1] == "b = 3"


def test_an_if_without_else_leads_nowhere_else() -> None:
    assert flow("java", "void f() { if (a) b(); }", "condition false") == []


@pytest.mark.parametrize(
    ("language", "code", "head", "body"),
    [
        ("java", "void f() { while (a < 1) a++; }", "a < 1", "a ++"),
        ("java", "void f() { do { a++; } while (a < 1); }", "a < 1", "a ++"),
        ("java", "void f() { for (int i = 0; i < 9; i++) { a++; } }", "i < 9", "a ++"),
        ("java", "void f() { for (int i : all()) a++; }", "all", "a ++"),
        ("c", "void f() { for (i = 0; i < 9; i++) a++; }", "i < 9", "a ++"),
        ("c", "void f() { while (a < 1) { a++; } }", "a < 1", "a ++"),
        ("c", "void f() { do a++; while (a < 1); }", "a < 1", "a ++"),
        ("cpp", "void f() { for (auto x : all) { a++; } }", "all", "a ++"),
        ("python", "for x in xs:\n  a += 1\n", "xs", "a += 1"),
        ("python", "while a < 1:\n  # more\n  a += 1\n", "a < 1", "a += 1"),
    ],
)
def test_loops_lead_from_head_to_body_and_back(
    language: str, code: str, head: str, body: str
) -> None:
    assert flow(language, code, "loop body") == [(head, body)]
    assert flow(language, code, "loop again") == [(body, head)]


def test_a_loop_without_a_condition_is_its_own_head() -> None:
    assert flow("java", "void f() { for (;;) a(); }", "loop body") == [("a", "a")]


def test_a_loop_of_python_decides_about_its_else() -> None:
    code = "while a:\n  b()\nelse:\n  c()\n"
    assert flow("python", code, "condition false") == [("a", "c")]


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("java", "void f() { a(); /* so */ b(); { c(); d(); } }"),
        ("c", "void f() { a(); /* so */ b(); { c(); d(); } }"),
        ("cpp", "void f() { a(); /* so */ b(); { c(); d(); } }"),
        ("python", "a()\n# so\nb()\nif x:\n  c()\n  d()\n"),
    ],
)
def test_statements_of_one_block_follow_each_other(language: str, code: str) -> None:
    last = "x c d" if language == "python" else "c d"
    assert flow(language, code, "next statement") == [("a", "b"), ("b", last), ("c", "d")]


@pytest.mark.parametrize(
    ("language", "code", "expected"),
    [
        # int f(int n) { n(n); return o.n + n; }: f n n n o n n
        ("java", "int f(int n) { n(n); return o.n + n; }", [(1, 3), (3, 6)]),
        ("c", "int f(int n) { g(n); return o.n + n; }", [(1, 3), (3, 6)]),
        ("cpp", "int f(int n) { g(n); return o.n + n; }", [(1, 3), (3, 6)]),
        ("python", "def f(n):\n  g(n)\n  return o.n + n\n", [(1, 3), (3, 6)]),
    ],
)
def test_members_and_functions_are_no_uses_of_a_variable(
    language: str, code: str, expected: list[tuple[int, int]]
) -> None:
    assert uses(language, code) == expected


def test_variables_of_one_name_in_two_scopes_are_two() -> None:
    code = "void f() { for (int i = 0; i < 9; i++) a(); for (int i = 0; i < 9; i++) a(); }"
    # f, i i i a, i i i a
    assert uses("java", code) == [(1, 2), (2, 3), (5, 6), (6, 7)]


def test_a_field_is_one_variable_with_and_without_this() -> None:
    code = "class A { int x; void f(int y) { x = y; this.x = 1; } void g(int x) { this.x = x; } }"
    # A x f y x y x g x x x
    assert uses("java", code) == [(1, 4), (3, 5), (4, 6), (6, 9), (8, 10)]


def test_without_leaves_only_control_flow_is_left() -> None:
    code = "void f(int a) { while (a > 1) { a--; } b(a); }"
    assert flow("java", code, "next use", leaves=False) == []
    assert len(flow("java", code, "loop body", leaves=False)) == 1
    # A bare name as a condition is dropped, and the loop takes its place.
    code = "while a:\n  b(a)\n"
    assert flow("python", code, "loop body", leaves=False) == [("while_statement", "block")]


def test_a_language_without_rules_has_statements_alone() -> None:
    made = prepare_snippets([Snippet("a", "kotlin", "fun f() { while (a) { b() }\n c() }")])
    assert set(made.flow_kind.tolist()) <= {FLOWS.index("next statement")}


PIECES = st.sampled_from(
    (
        *("if (a) ", "else ", "while (b < a) ", "for (int i = 0; i < a; i++) ", "do ", "{ ", "} "),
        *("a = b;", "int b = a;", "for x in a:\n  ", "def f(a):\n  ", "elif a:\n ", "return "),
        *("(", ")", "\n", "§"),
    )
)


@given(st.sampled_from(LANGUAGES), st.lists(PIECES, max_size=25).map("".join), st.booleans())
def test_edges_of_any_text_are_sound(language: str, code: str, leaves: bool) -> None:
    made = prepare_snippets([Snippet("a", language, code)], leaves=leaves)
    edges = np.stack([made.flow_kind, made.flow_from, made.flow_to], 1)
    assert len(np.unique(edges, axis=0)) == len(edges)
    assert ((edges[:, 1:] >= 0) & (edges[:, 1:] < len(made.word))).all()
    assert (made.flow_from != made.flow_to).all()
    again = made.flow_kind == FLOWS.index("loop again")
    body = made.flow_kind == FLOWS.index("loop body")
    assert set(map(tuple, edges[again, 1:].tolist())) == set(
        map(tuple, edges[body, :0:-1].tolist())
    )
    # A variable has one next use, and is one.
    use = made.flow_kind == FLOWS.index("next use")
    for ends in (made.flow_from[use], made.flow_to[use]):
        assert len(np.unique(ends)) == len(ends)
    assert (made.word[made.flow_from[use]] == made.word[made.flow_to[use]]).all()
    assert (made.flow_from[use] < made.flow_to[use]).all()
