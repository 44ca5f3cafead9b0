from __future__ import annotations

import pytest

from codekin import Source
from codekin.scan.code_tokens import Trait
from codekin.scan.file_parts import file_parts

# Each with the lines of code that declares nothing.
DECLARED = {
    "python": (
        "class A:\n    size = 3\n\n    def f(self, a):\n        b = a + 1\n        return b\n"
        "f(A())\n",
        {5, 6, 7},
    ),
    "java": (
        "class A {\n  int size = 3;\n  abstract int g(int a);\n  int f(int a) {\n"
        "    return a + 1;\n  }\n  static {\n    start();\n  }\n}\n",
        {5, 8},
    ),
    "c": ("struct a {\n  int b;\n};\nint g(int a);\nint f(int a) {\n  return g(a);\n}\n", {6}),
    "cpp": ("class A {\n  int b;\n  int f(int a) {\n    return a;\n  }\n};\n", {4}),
    "javascript": (
        "class A {\n  f(a) {\n    return a + 1;\n  }\n}\nconst g = (a) => a + 1;\nrun(g);\n",
        {3, 6, 7},
    ),
    "typescript": (
        "interface A {\n  a: number;\n}\nfunction f(a: A): void;\nfunction f(a: any) {\n"
        "  return a;\n}\nnamespace N {\n  export type B = {\n    b: string;\n  };\n}\n",
        {6},
    ),
    "go": ("type A struct {\n\tb int\n}\n\nfunc (a *A) f() int {\n\treturn a.b\n}\n", {6}),
    "rust": (
        "struct A {\n  b: i32,\n}\nimpl A {\n  fn f(&self) -> i32 {\n    self.b\n  }\n}\n",
        {6},
    ),
    "csharp": ("class A {\n  int b;\n  int F(int a) {\n    return a;\n  }\n}\n", {4}),
    "php": ("<?php\nclass A {\n  public $b;\n  function f($a) {\n    return $a;\n  }\n}\n", {1, 5}),
    "ruby": ("def f(a)\n  b = a + 1\n  b\nend\n", {2, 3}),
    "kotlin": ("class A {\n  val b = 3\n  fun f(a: Int): Int {\n    return a\n  }\n}\n", {4}),
}


@pytest.mark.parametrize("language", DECLARED)
def test_heads_of_functions_and_members_of_types_are_declarations(language: str) -> None:
    text, expected = DECLARED[language]
    tokens = file_parts(Source(text, language), min_lines=1, fast=False).tokens
    declared = tokens.traits & int(Trait.DECLARATION) != 0
    closing = tokens.traits & int(Trait.CLOSES) != 0
    lines = set(tokens.lines[~declared & ~closing].tolist())
    # Where a body begins with a bracket, that is in the line of its head.
    assert lines - set(tokens.lines[declared].tolist()) | expected == expected
    assert expected <= lines
    weighed = tokens.statements[tokens.code_weights > 0]
    assert set(tokens.lines[weighed].tolist()) <= expected
    assert tokens.code_weights.sum() < tokens.weights.sum()


def test_without_a_parser_nothing_is_known_of_declarations() -> None:
    text, _ = DECLARED["java"]
    tokens = file_parts(Source(text, "java"), min_lines=1, fast=True).tokens
    assert not (tokens.traits & int(Trait.DECLARATION)).any()
    assert tokens.code_weights.tolist() == tokens.weights.tolist()


@pytest.mark.parametrize("text", ["", "\n", "class", "class A {", "def f(", "}}}}", "\0"])
def test_broken_code_has_parts(text: str) -> None:
    for language in DECLARED:
        parts = file_parts(Source(text, language), min_lines=1, fast=False)
        assert len(parts.tokens.traits) == len(parts.tokens)
