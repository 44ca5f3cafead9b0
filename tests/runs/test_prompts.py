"""Which texts continue what a prompt begins."""

from __future__ import annotations

import pytest

from codekin.languages import get_language
from codekin.runs.prompts import begun_function, continues, defines, is_continued

PROMPTS = {
    "python": ("def twice(x):\n    '''Twice x.'''\n", "    return 2 * x\n"),
    "java": ("class A {\n    int twice(int x) {\n", "        return 2 * x;\n    }\n}\n"),
    "c": ("int twice(int x) {\n", "    return 2 * x;\n}\n"),
    "cpp": ("using namespace std;\nint twice(int x){\n", "    return 2 * x;\n}\n"),
    "go": ("func twice(x int) int {\n", "\treturn 2 * x\n}\n"),
    "javascript": ("const twice = (x) => {\n", "  return 2 * x\n}\n"),
    "rust": ("fn twice(x: i32) -> i32 {\n", "    2 * x\n}\n"),
}


@pytest.mark.parametrize("name", PROMPTS)
def test_a_body_continues_and_a_whole_function_does_not(name: str) -> None:
    language = get_language(name)
    prompt, body = PROMPTS[name]
    function = begun_function(prompt, (body,), None, language)
    assert function == "twice"
    assert is_continued(prompt, body, function, language)
    assert is_continued(prompt, "helper\n", function, language)
    assert not is_continued(prompt, prompt + body, function, language)
    assert not is_continued(prompt, f"\n{prompt.replace('2', '3')}{body}", function, language)
    assert not is_continued(prompt, " \n", function, language)


def test_the_function_is_the_one_that_the_prompt_leaves_open() -> None:
    python = get_language("python")
    prompt = "def encode(x):\n    return x + 1\n\n\ndef decode(x):\n    # The other way.\n"
    body = "    return x - 1\n"
    assert begun_function(prompt, (body,), None, python) == "decode"
    assert begun_function(prompt, (body,), "decode_all", python) == "decode"  # a wrong name
    nested = "def outer(x):\n    def inner(y):\n"
    rest = "        return y\n    return inner(x)\n"
    assert begun_function(nested, (rest,), None, python) == "outer"
    assert begun_function(nested, (rest,), "inner", python) == "inner"


@pytest.mark.parametrize(
    "prompt",
    [
        "Write a function `twice(x)`.",
        '"""\nDouble x.\nassert twice(1) == 2\n"""\n',
        "",
        "import os\n",
    ],
)
def test_prompts_that_begin_no_function(prompt: str) -> None:
    reference = "def twice(x):\n    return 2 * x\n"
    assert begun_function(prompt, (reference,), "twice", get_language("python")) is None


def test_a_method_defines_and_a_nested_function_does_not() -> None:
    python = get_language("python")
    assert defines("class A:\n    def f(self):\n        pass\n", "f", python)
    assert not defines("def g():\n    def f():\n        pass\n", "f", python)
    assert not defines("    def f():\n        pass\n", "f", python)
    assert not defines("f = 1\n", "f", python)


def test_java_bodies_continue() -> None:
    java = get_language("java")
    prompt = "class A {\n    int f(int x) {\n"
    assert continues(prompt, "        return x;\n    }\n}\n", java)
    assert continues(prompt, "return x;\n    }\n}\n", java)
    whole = "class A {\n    int f(int x) {\n        return x;\n    }\n}\n"
    assert not continues(prompt, whole, java)
