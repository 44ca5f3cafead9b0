from __future__ import annotations

import ast
import heapq
import inspect
import random
import textwrap

import pytest

from codekin import Source, measure

MISPLACED = {
    "def f(x):\nreturn x\n": "2:1: an indented block is missing before this line",
    "def f():\n    # nothing yet\n": "1:1: an indented block is missing after this line",
    "class A:\n\ndef f():\n    pass\n": "3:1: an indented block is missing before this line",
    "x = 1\n  y = 2\n": "2:3: unexpected indentation",
    "if x: y = 1\n    z = 2\n": "2:5: unexpected indentation",
    "if x:\n        y = 1\n    z = 2\n": "3:5: indentation like no block around this line",
    "def f(a):\n    b = g(a) return b\n": "2:14: 'return' begins a statement inside another one",
}


@pytest.mark.parametrize("text", MISPLACED)
def test_wrong_layout_is_a_problem(text):
    with pytest.raises(SyntaxError):
        ast.parse(text)
    assert str(Source(text, "python").problems[0]) == MISPLACED[text]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# nothing\n",
        'def f():\n    """Only a docstring."""\n',
        "def f(): ...\n",
        "if x: y = 1; z = 2\nelse: raise ValueError\n",
        "def f():\n  # a comment\n        # and one more\n  return 1\n",
        "x = [\n1,\n      2]\ny = 3\n",
        "x = 1 + \\\n        2\ny = 3\n",
        "async def f():\n    async with g() as h: return h\n",
        "from a import b\n",
        'x = """\n  return\nif:\n"""\n',
        "if x:\n\ty = 1\n\tif y:\n\t\tz = 2\n",
        "d = {a: b for a in c}\nf = lambda: 0\ns = t[1:]\n",
    ],
)
def test_layout_that_python_allows_is_none(text):
    ast.parse(text)
    assert Source(text, "python").problems == ()


def test_code_from_inside_a_block_has_no_problem():
    assert Source("        x = 1\n        return x\n", "python").problems == ()
    assert Source("    return 1\n\n\ndef g():\n    pass\n", "python").problems == ()


@pytest.mark.parametrize("module", [heapq, textwrap])
def test_wrong_indentation_is_found_wherever_python_finds_it(module):
    lines = inspect.getsource(module).split("\n")
    rng = random.Random(7)
    wrong = 0
    for _ in range(120):
        changed = list(lines)
        at = rng.randrange(1, len(changed))
        if rng.random() < 0.5:
            changed[at] = " " * rng.choice((1, 2, 4)) + changed[at]
        else:
            changed[at] = changed[at].removeprefix(" " * rng.choice((1, 2, 4)))
        text = "\n".join(changed)
        try:
            ast.parse(text)
            parses = True
        except SyntaxError:
            parses = False
        wrong += not parses
        assert (Source(text, "python").problems == ()) == parses, (at, changed[at])
    assert wrong > 20


def test_layout_counts_in_no_other_language():
    assert Source("int f() {\nreturn 1;\n   }\n", "c").problems == ()


def test_a_revision_whose_layout_is_wrong_scores_0():
    origin = "def f(a):\n    if a:\n        return 1\n    return 2\n"
    reference = origin.replace("2", "3")
    candidate = reference.replace("    return 3", "      return 3")
    score = measure("es").score(candidate, reference, origin, language="python")
    assert score.value == 0
    assert "4:7: indentation like no block around this line" in score.remark
