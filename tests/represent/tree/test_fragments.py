from __future__ import annotations

import pytest

from codekin import Source
from codekin.represent.tree.fragments import functions_of

PROGRAMS = {
    "python": (
        "@cached\ndef f(a):\n    def g():\n        pass\n    return g\n"
        "class A:\n    async def m(self):\n        return 1\nh = lambda x: x\n",
        [("f", 1, 5), ("g", 3, 4), ("m", 7, 8)],
    ),
    "java": (
        "class A {\n A(int x) { }\n int m() {\n  return 1;\n }\n abstract int n();\n}",
        [("A", 2, 2), ("m", 3, 5), ("n", 6, 6)],
    ),
    "c": (
        "int *f(int a) { return 0; }\nstatic void (*g(int x))(int)\n{ return 0; }\n",
        [("f", 1, 1), ("g", 2, 3)],
    ),
    "cpp": (
        "template<class T>\nT A<T>::f(T a) { return a; }\nA::~A() {}\n"
        "bool operator<(A a, A b) { return 1; }",
        [("f", 1, 2), ("~A", 3, 3), ("operator<", 4, 4)],
    ),
    "javascript": (
        "function a(){}\nconst b = (x) =>\n  x + 1;\nclass K { m(){} }\nrun(() => 2);\n",
        [("a", 1, 1), ("b", 2, 3), ("m", 4, 4)],
    ),
    "typescript": ("const f = async (x: number) => { return x };", [("f", 1, 1)]),
    "go": ("func A(x int) int { return 1 }\nfunc (r *T) M() {}\n", [("A", 1, 1), ("M", 2, 2)]),
    "rust": ("fn a() {}\nimpl T {\n pub fn m(&self) -> i32 { 1 } }", [("a", 1, 1), ("m", 3, 3)]),
    "csharp": ("class A {\n int M(int x) => x;\n}", [("M", 2, 2)]),
    "php": ("<?php\nfunction f($a) { return 1; }", [("f", 2, 2)]),
    "ruby": ("def f(a)\n 1\nend\nclass A\n def self.g; end\nend\n", [("f", 1, 3), ("g", 5, 5)]),
    "kotlin": ("fun f(a: Int): Int = 1\nclass A {\n fun m() { } }", [("f", 1, 1), ("m", 3, 3)]),
}


@pytest.mark.parametrize("language", PROGRAMS)
def test_functions(language):
    text, expected = PROGRAMS[language]
    source = Source(text, language)
    found = functions_of(source.tree, source.data, source.language)
    assert [(one.name, one.first_line, one.last_line) for one in found] == expected
    lines = text.split("\n")
    for one in found:
        assert one.text(source.data).split("\n")[0] in lines[one.first_line - 1]


def test_functions_inside_of_functions_can_be_left_out():
    source = Source(PROGRAMS["python"][0], "python")
    found = functions_of(source.tree, source.data, source.language, nested=False)
    assert [one.name for one in found] == ["f", "m"]


def test_two_functions_of_one_declaration_are_cut_apart():
    source = Source("const b = (x) => x+1, c = function(){};", "javascript")
    found = functions_of(source.tree, source.data, source.language)
    assert [one.text(source.data) for one in found] == ["b = (x) => x+1", "c = function(){}"]


@pytest.mark.parametrize("language", PROGRAMS)
@pytest.mark.parametrize(
    "text", ["", "\x00\x01", "}}}", "def f(", "int f( {{{", "function function"]
)
def test_broken_code(language, text):
    source = Source(text, language)
    for one in functions_of(source.tree, source.data, source.language):
        assert 0 <= one.start <= one.end <= len(source.data)
