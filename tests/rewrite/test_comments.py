import ast

import pytest

from codekin import Source
from codekin.rewrite import rewrite

CODE = {
    "python": "#!/usr/bin/env python\nx = 1\n# -*- coding: latin-1 -*-\ndef f(a):\n    'Doc.'\n"
    "    y = '''a\nb''' + \\\n        a\n    if a: y = 2; z = 3\n    return [\n        y\n    ]\n",
    "c": "#define M(a) \\\n    f(a); \\\n    g(a)\n#if M(1)\nint x;\n#endif\nint h(int a) {\n"
    "    M(a);\n    return a; }\n",
    "cpp": 'int f(int a) {\n    const char *s = R"(\n  // no\n  )";\n    return a;\n}\n',
    "java": "class A {\n  int x = 1;\n  int f(int a) {\n    x += a;\n    return a;\n  }\n}\n",
    "javascript": "'use strict'\nlet a = 1\nfunction f() {\n  a++\n  return `x\n  y`\n}\n",
}


@pytest.mark.parametrize("language", CODE)
@pytest.mark.parametrize("seed", range(10))
def test_only_comments_come(language, seed):
    source = Source(CODE[language], language)
    changed = rewrite(source, "comments", seed)
    assert changed is not None
    after = Source(changed, language)
    assert after.tokens.texts == source.tokens.texts
    assert len(after.tokens_with(comments=True)) > len(source.tokens_with(comments=True))
    if language == "python":
        assert ast.dump(ast.parse(changed)) == ast.dump(ast.parse(CODE[language]))


def test_the_first_lines_of_python_stay():
    for seed in range(20):
        lines = rewrite(Source(CODE["python"], "python"), "comments", seed).split("\n")
        assert lines[0] == "#!/usr/bin/env python"
        assert lines[1].startswith("x = 1")


def test_the_first_line_of_a_script_stays():
    for seed in range(20):
        code = "#!/usr/bin/env node\nlet a = 1;\nlet b = 2;\n"
        changed = rewrite(Source(code, "javascript"), "comments", seed)
        assert changed.startswith("#!/usr/bin/env node\n")


def test_several_kinds():
    texts = [rewrite(Source(CODE["java"], "java"), "comments", seed) for seed in range(20)]
    for kind in ("// ", "/* ", "/**\n", ";  // "):
        assert any(kind in text for text in texts)
