from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin.errors import CodekinError
from codekin.languages import get_language
from codekin.represent.text.chat_answers import (
    CodeBlock,
    chat_answer,
    code_blocks,
    extract_code,
)

PYTHON = get_language("python")
CODE = "def f(x):\n    return x\n"


def code_of(text: str, choice: str = "first") -> str:
    answer = chat_answer(text, PYTHON, choice)
    assert answer is not None
    return answer.code


@pytest.mark.parametrize(
    "text",
    [
        f"```python\n{CODE}```",
        f"```\n{CODE}```\n",
        f"~~~py\n{CODE}~~~",
        f"```{{.python}}\n{CODE}```",
        f"````python\n{CODE}````",
        f"```python title=a.py\n{CODE}```",
        f"```Python\r\n{CODE}```\r\n",
        f"Sure! Here is the code:\n\n```python\n{CODE}```\n\nHope this helps.",
        f"```python\n{CODE}",  # never closed
        f"{CODE}```",  # opened by the prompt
        f"{CODE}```\n\nThis function returns its argument.",
        f"```markdown\nSome words of text.\n```python\n{CODE}```\nMore words of text.\n```",
        f"````md\nSome words of text.\n```python\n{CODE}```\n````",
        "1. Do this:\n    ```python\n    def f(x):\n        return x\n    ```\n2. You are done.",
        f"```bash\npip install x\n```\nand then\n```python\n{CODE}```\n```\noutput: 1\n```",
        f"Here is the code:\n\n{CODE}\nIt returns its argument.",
        f"{CODE}\nThis function returns its argument.",
    ],
)
def test_the_code_of_an_answer(text: str) -> None:
    assert code_of(text) == CODE


@pytest.mark.parametrize(
    "text",
    [
        CODE,
        "",
        "   \n",
        'def f(x):\n    """Say:\n\n    ```python\n    f(1)\n    ```\n    """\n    return x\n',
        "TEXT = '''\n```\nfenced\n```\n'''\n",
        # The same with an error elsewhere: what is outside the fence is code.
        'def f(x):\n    """Say:\n\n    ```python\n    f(1)\n    ```\n    """\n    return (x\n',
        "# Say `f` to the thing\nx = 1\n",
        "for x in items:\n    if (\n",  # broken, but not prose
        "x = `1`\n",
    ],
)
def test_code_is_no_answer(text: str) -> None:
    assert chat_answer(text, PYTHON) is None


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("javascript", "  let a = 1;\n  return a;\n}\n"),  # the body of a function
        (
            "java",
            "        List<Integer> result = new ArrayList<>();\n        return result;\n    }\n}\n",
        ),
        ("rust", "    let mut total: i32 = 0;\n    total\n}\n"),
    ],
)
def test_bodies_are_no_answers(language: str, text: str) -> None:
    assert chat_answer(text, get_language(language)) is None


def test_which_block() -> None:
    text = "First:\n```python\na = 1\n```\nThen:\n```python\nb = 2\n```\n"
    assert code_of(text) == "a = 1\n"
    assert code_of(text, "last") == "b = 2\n"
    assert code_of(text, "all") == "a = 1\n\nb = 2\n"


def test_blocks_of_the_language_come_first() -> None:
    text = "```java\nint a;\n```\n```python\nb = 2\n```\n"
    assert code_of(text) == "b = 2\n"
    java = chat_answer(text, get_language("java"))
    assert java is not None
    assert java.code == "int a;\n"


@pytest.mark.parametrize(
    "text",
    ["I'm sorry, I cannot help with that.", "You can use `x = 1` to set the value.", "```\n```"],
)
def test_an_answer_without_code(text: str) -> None:
    assert code_of(text) == ""


def test_a_fence_at_the_end_of_a_line_of_code_closes_its_block() -> None:
    answer = "Sure:\n```python\ny = 2\nx = 1```\nThis sets x."
    assert code_blocks(answer) == ([CodeBlock("python", "y = 2\nx = 1\n")], "Sure:\nThis sets x.")
    two = "```\nx = 1```\nor\n```python\nz = 3\n```\n"
    assert code_blocks(two)[0] == [CodeBlock("", "x = 1\n"), CodeBlock("python", "z = 3\n")]
    inside = "# as in ```\ny = 1\n"
    assert code_blocks(f"```python\n{inside}```\nDone.")[0] == [CodeBlock("python", inside)]


def test_a_block_on_one_line() -> None:
    assert code_of("```x = 1```") == "x = 1\n"
    assert code_of("```python x = 1```") == "x = 1\n"


def test_without_a_language() -> None:
    answer = chat_answer(f"Sure:\n```python\n{CODE}```", None)
    assert answer is not None
    assert answer.code == CODE
    assert chat_answer(CODE, None) is None


@pytest.mark.parametrize(
    "text",
    [
        "Some words of prose are here. " * 350_000,  # on one line
        "Some words of prose.\n" * 40_000,
        "```\nx\n" * 40_000,
        "`" * 10_000_000,
        "```python\n" + "x = 1\n" * 1000 + "````\n" * 40_000,
    ],
    ids=["line", "lines", "fences", "backticks", "longer fences"],
)
def test_long_answers_take_linear_time(text: str) -> None:
    started = time.process_time()
    chat_answer(text, PYTHON)
    assert time.process_time() - started < 20


@given(st.text(alphabet="`~ ab\n#*python:", max_size=80), st.sampled_from(["first", "last", "all"]))
def test_any_text_is_read(text: str, choice: str) -> None:
    blocks, outside = code_blocks(text)
    assert sum(len(one.code) for one in blocks) + len(outside) <= len(text) + len(blocks) + 1
    answer = chat_answer(text, PYTHON, choice)
    assert answer is None or answer.form in ("fenced", "prose")


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("x = 1\n", "x = 1\n"),
        ("", ""),
        ("```\nx = 1\n```", "x = 1\n"),
        ("Sure:\n\n```python\nx = 1\n```\n\nOr:\n```python\nx = 2\n```\n", "x = 1\n"),
        ("~~~py\nx = '```'\n~~~", "x = '```'\n"),
        ("````md\n```python\nx = 1\n```\n````", "x = 1\n"),
        ("```python\nx = 1\n", "x = 1\n"),
    ],
)
def test_what_is_extracted(answer, code) -> None:
    assert extract_code(answer) == code
    assert extract_code(answer, "python") == code


def test_an_unknown_choice_is_an_error() -> None:
    with pytest.raises(CodekinError, match="first, last, all"):
        extract_code("x", choice="second")
