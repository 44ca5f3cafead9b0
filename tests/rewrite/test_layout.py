import ast

import pytest

from codekin import Source
from codekin.rewrite import rewrite

PYTHON = '''
class A:
    """Doc
      of A."""

    def f(self, a, b):
        # before
        if a<b  and  a!=-b:
            text = """one
  two
"""
            return [a,
              b, text], {
    "k": 1}

        elif a: pass
        else:
            b = a \\
                + 1
        # end

        return f"{a }  {b}"
x = A().f(1, 2)
'''
BRACED = {
    "java": "class A {\n  int f(int a, int b) {\n    if (a<b) { return a - -b; } // c\n    else\n"
    "    {\n      a+=b; }\n    return a; } }\n",
    "c": "#define BIG(x) \\\n    ((x) > 3)\n#if BIG(4)\nint z;\n  #endif\nint f(int a,int b)\n{\n"
    "  int *p = &a; /* c\n   d */ return a+ +b - *p + 0xe + 1;\n}\n",
    "cpp": "namespace n {\nint f(int a) { auto g = [=](int b) { return a<b && b>(a); }; return g(1)"
    '; }\nconst char *s = R"(a  ,b\n   { c)";\n}\n',
    "javascript": "function f(a, b) {\n  const o = { a, b }\n  {\n    g(o) }\n  if (a) {\n"
    "    return\n  }\n  return `x  ,${ a+b }\n y`\n}\n",
}


@pytest.mark.parametrize("seed", range(12))
def test_python_is_the_same_tree(seed):
    changed = rewrite(Source(PYTHON, "python"), "layout", seed)
    assert changed is not None
    assert ast.dump(ast.parse(changed)) == ast.dump(ast.parse(PYTHON))


def test_python_styles_differ():
    results = {rewrite(Source(PYTHON, "python"), "layout", seed) for seed in range(12)}
    assert len(results) > 6
    first_lines = {text.split("def f")[0].rsplit("\n", 1)[1] for text in results}
    assert len(first_lines) > 2  # several indentations


@pytest.mark.parametrize("language", BRACED)
@pytest.mark.parametrize("seed", range(12))
def test_tokens_stay(language, seed):
    source = Source(BRACED[language], language)
    changed = rewrite(source, "layout", seed)
    assert changed is not None
    after = Source(changed, language)
    assert after.tokens_with(comments=True).texts == source.tokens_with(comments=True).texts


def test_directives_stay():
    head = BRACED["c"].split("int f")[0]
    for seed in range(12):
        assert rewrite(Source(BRACED["c"], "c"), "layout", seed).startswith(head)


def test_a_return_keeps_its_line_end():
    for seed in range(12):
        changed = rewrite(Source(BRACED["javascript"], "javascript"), "layout", seed)
        assert changed.split("return")[1].startswith("\n")
        assert changed.split("{ a")[1].split("}")[1].startswith("\n")  # before the bare block


def test_numbers_keep_away_from_signs():
    for seed in range(12):
        changed = rewrite(Source(BRACED["c"], "c"), "layout", seed)
        assert "0xe+" not in changed
        assert "++b" not in changed


def test_blanks_in_jsx_are_text():
    code = "const f = (a) => <p>one  {a} two</p>;\n"
    assert rewrite(Source(code, "javascript"), "layout", 0) is None


def test_what_becomes_text_keeps_its_blanks():
    code = (
        "#define SHOW(x) puts(#x)\n#define ALSO(x) SHOW(x)\n"
        "void f(int a) { SHOW(a  + g(a,a)); ALSO(a   *  a); a  =  2; }\n"
    )
    for seed in range(12):
        changed = rewrite(Source(code, "c"), "layout", seed)
        assert "SHOW(a  + g(a,a))" in changed
        assert "ALSO(a   *  a)" in changed
