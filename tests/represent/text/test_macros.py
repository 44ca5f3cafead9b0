import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from codekin.represent.text.macros import expand_macros


def squeezed(text):
    return " ".join(text.split())


CASES = {
    "object": ("#define N 3\nx = N;", "x = 3 ;"),
    "empty": ("#define E\nE int x;", "int x;"),
    "chain": ("#define A B\n#define B 4\nA", "4"),
    "function": ("#define f(a, b) a * b\nf(1, 2)", "1 * 2"),
    "no parentheses": ("#define f(a) a\nint f;", "int f;"),
    "blank before parenthesis": ("#define f (a)\nf", "(a)"),
    "call over lines": ("#define f(a) [a]\nf\n(\n1\n)", "[1]"),
    "nested call": ("#define f(a) <a>\nf(f(1))", "< <1> >"),
    "nested parentheses": ("#define f(a) <a>\nf((1, 2))", "<(1, 2)>"),
    "wrong number": ("#define f(a, b) a\nf(1) f(1,2,3)", "f(1) f(1,2,3)"),
    "no parameters": ("#define f() 1\nf() f(2)", "1 f(2)"),
    "stringify": ('#define s(x) #x\ns(a  "b\\n")', '"a \\"b\\\\n\\""'),
    "stringify is of the argument as written": ("#define v 4\n#define s(x) #x\ns(v)", '"v"'),
    "stringify after expansion": (
        "#define v 4\n#define s(x) #x\n#define t(x) s(x)\nt(v)",
        '"4"',
    ),
    "paste": ("#define p(a, b) a ## b\np(x, 1) p(, y)", "x1 y"),
    "paste is rescanned": ("#define ab 7\n#define p(x, y) x##y\np(a, b)", "7"),
    "variadic": ("#define l(f, ...) g(f, __VA_ARGS__)\nl(1, 2, 3)", "g(1, 2, 3)"),
    "comma goes": ("#define l(f, ...) g(f, ##__VA_ARGS__)\nl(1) l(1, 2)", "g(1) g(1,2)"),
    "named variadic": ("#define l(a...) g(a)\nl(1, 2)", "g(1, 2)"),
    "own name": ("#define x x + 1\nx", "x + 1"),
    "each other": ("#define a b\n#define b a\na b", "a b"),
    "own call": ("#define f(x) f(x + 1)\nf(2)", "f(2 + 1)"),
    "redefined": ("#define N 1\nN\n#define N 2\nN", "1 2"),
    "undef": ("#define N 1\nN\n#undef N\nN", "1 N"),
    "undef of the unknown": ("#undef N\nN", "#undef N N"),
    "continued": ("#define N 1 \\\n + 2\nN", "1 + 2"),
    "text": ("#define N 1\n\"N\" 'N' // N\n/* N */ N", "\"N\" 'N' // N /* N */ 1"),
    "raw text": ('#define N 1\nR"x(N " N)x" N', 'R"x(N " N)x" 1'),
    "comment in body": ("#define N 1 // one\nN;", "1 ;"),
    "conditional": ("#if X\n#define N 1\nN\n#endif\nN", "#if X #define N 1 N #endif N"),
    "include": ("#include <a.h>\n#define N 1\nN", "#include <a.h> 1"),
    "no glue": ("#define M -1\nx = -M;", "x = - -1 ;"),
    "define in comment": ("/*\n#define N 1\n*/ N", "/* #define N 1 */ N"),
}


@pytest.mark.parametrize("case", CASES)
def test_expansion(case):
    text, expected = CASES[case]
    assert squeezed(expand_macros(text)) == expected


def test_lines_keep_their_numbers():
    text = "#define A \\\n 1\n#undef B\nx\n#define C 2\ny"
    assert expand_macros(text).split("\n")[3:] == ["x", "", "y"]


def test_growth_is_bounded():
    bomb = "\n".join(f"#define A{i} A{i - 1} A{i - 1}" for i in range(1, 64)) + "\nA63"
    assert expand_macros(bomb) == bomb
    wide = "#define x y y y y y y y y y y y y\n#define y z z z z z z z z z z z z\n" + "x " * 9000
    assert len(expand_macros(wide)) <= 8 * len(wide) + 65_536 + len(wide)


def test_deep_calls_are_left_alone():
    text = "#define f(x) x\n" + "f(" * 5000 + "1" + ")" * 5000
    assert expand_macros(text) == text


DIRECTIVES = ["#define ", "#undef ", "#if 1\n", "#endif\n", "f(x) ", "x##x", "#x", "##"]
SCRAPS = ["f(", "f", "x", "(", ")", ",", "...", "__VA_ARGS__", "\n", "\\\n", '"', "'", "/*", "*/"]
PIECES = st.sampled_from([*DIRECTIVES, *SCRAPS, "//", " ", "1", "é"])


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=40).map("".join))
@example("#define f(x) x##\nf(1)")
@example("#define f(x,x) x\nf(1,2)")
@example("#define f(\nf(")
def test_any_text_is_accepted(text):
    assert isinstance(expand_macros(text), str)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=80))
def test_text_without_definitions_is_unchanged(text):
    if "define" not in text:
        assert expand_macros(text) == text
