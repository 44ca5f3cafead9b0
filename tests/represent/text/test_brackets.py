from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin import Source
from codekin.represent.text.brackets import unmatched_brackets
from codekin.represent.text.problems import problems

BROKEN = {
    "java": (
        "class A {\n  void f() {\n    if (x) {\n      y();\n  }\n  void g() {\n    z();\n  }\n}\n",
        (3, 12, "'{' is never closed"),
    ),
    "c": ("int f(int a) {\n  if (a) {\n    return 1;\n  return 0;\n}\n", (2, 10, "never closed")),
    "javascript": ("function f() {\n  g(1, [2, 3);\n}\n", (2, 8, "'[' is never closed")),
    "go": ("package m\nfunc f() {\n\tx := (1 + 2\n\ty := 3\n}\n", (3, 7, "'(' is never closed")),
    "rust": ('fn f() {\n    let s = "{"; // {\n    if s {\n        g();\n}\n', (3, 10, "'{'")),
    "python": ("def f(x):\n    return (x\n\ndef g():\n    pass\n", (2, 12, "'('")),
    "cpp": ("int f() {\n  return g(1));\n}\n", (2, 14, "')' closes nothing")),
}


@pytest.mark.parametrize("language", BROKEN)
def test_a_problem_is_reported_at_the_bracket(language):
    text, (line, column, message) = BROKEN[language]
    first = Source(text, language).problems[0]
    assert (first.line, first.column) == (line, column)
    assert message in first.message
    assert text[first.start : first.end] in "()[]{}"


def test_the_outermost_bracket_is_not_blamed_for_an_inner_one():
    text = "class A {\n" + "  int a;\n" * 9 + "  void f() {\n    g();\n\n  int b;\n}\n"
    assert str(Source(text, "java").problems[0]) == "11:12: '{' is never closed"


def test_brackets_in_strings_and_comments_do_not_count():
    text = "x = '(' + \"[\"  # {{{\ny = [1, 2\n"
    (bracket,) = unmatched_brackets(Source(text, "python").lexemes)
    assert (bracket.line, bracket.text, bracket.leads) == (2, "[", False)


def test_only_one_alternative_of_a_directive_counts():
    text = "int f() {\n#if A\n  if (a) {\n#else\n  if (b) {\n#endif\n  g(;\n  }\n}\n"
    source = Source(text, "c")
    (bracket,) = unmatched_brackets(source.lexemes, directives=True)
    assert (bracket.line, bracket.text) == (7, "(")
    assert len(unmatched_brackets(source.lexemes)) == 2


def test_other_problems_keep_their_places():
    (only,) = Source("if x\n  y\n", "python").problems
    assert str(only) == "1:1: could not read 'if x'"


def test_badly_indented_code_is_not_blamed():
    text = "class A {\n      void f() {\n    g();\n}\n  }\n"
    assert Source(text, "java").problems == ()
    assert unmatched_brackets(Source(text, "java").lexemes) == ()


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 40))
def test_a_deleted_bracket_of_a_line_of_its_own_is_found(seed, size):
    """Remove one closing brace from well-indented code: its opening one is blamed."""
    chance = random.Random(seed)
    lines, waiting, pairs = [], [], {}
    for _ in range(size):
        if waiting and chance.random() < 0.45:
            opened = waiting.pop()
            pairs[len(lines)] = opened
            lines.append("  " * len(waiting) + "}")
        else:
            lines.append("  " * len(waiting) + "if (a) {")
            waiting.append(len(lines) - 1)
    while waiting:
        pairs[len(lines)] = waiting[-1]
        waiting.pop()
        lines.append("  " * len(waiting) + "}")
    gone = chance.choice(sorted(pairs))
    text = "\n".join(lines[:gone] + lines[gone + 1 :])
    (found,) = unmatched_brackets(Source(text, "c").lexemes)
    assert found.opens
    # Among brackets of the same column in a row, any may lack its partner.
    blamed = lines[found.line - 1]
    assert blamed.index("i") == lines[pairs[gone]].index("i")


@given(st.text("(){}[]\n 'a#", max_size=60))
def test_any_text_has_an_answer(text):
    source = Source(text, "python")
    found = unmatched_brackets(source.lexemes)
    assert [b.start for b in found] == sorted({b.start for b in found})
    assert all(source.text[b.start] == b.text for b in found)
    assert len(source.problems) == len(problems(source.tree, source.data, source.positions))


def test_deep_nesting_is_read():
    text = "x = " + "(" * 50_000 + ")" * 49_999
    (bracket,) = unmatched_brackets(Source(text, "python").lexemes)
    assert bracket.start == 4
