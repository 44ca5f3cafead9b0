from __future__ import annotations

import numpy as np
import pytest

from codekin import Source, _native
from codekin.represent.graph.features import (
    ProgramParts,
    declared_names,
    shown_words,
    token_words,
    words_of,
)


def words(text: str, language: str = "python") -> list[str]:
    source = Source(text, language)
    ir = source.flow_ir if source.language.lowering else None
    program = ProgramParts(language, source.tokens, ir=ir)
    return shown_words(words_of(program), source.tokens)


def ids(text: str, language: str = "python") -> list[int]:
    return token_words(Source(text, language).tokens, language).ids.tolist()


def test_names_are_taken_out_unless_they_are_called_or_members():
    assert words("total = price.tax + len(items)") == ["·", "=", "tax", "+", "len"]
    assert words("a->b = c::d(e);", "cpp") == ["·", "b", "=", "d"]


def test_after_the_arrow_of_a_lambda_stands_no_member():
    assert words("f = n -> n + g(m -> m);", "java") == ["·", "=", "+", "g"]


def test_own_functions_have_no_names_where_they_are_called_or_defined():
    text = "def f(x):\n    return f(x) + g(x)\n"
    assert words(text) == ["def", "own", "·", "return", "own", "+", "g"]


def test_a_called_value_is_a_name():
    assert words("def f(act):\n    return act(1)\n") == ["def", "own", "·", "return", "1"]
    assert words("def f(act):\n    return x.act(1)\n")[-2:] == ["act", "1"]


def test_a_variable_that_is_declared_with_arguments_is_a_name():
    text = "void f(int n) { vector<int> marks(n, 0); sort(marks); }"
    assert words(text, "cpp")[-6:] == ["vector", "<", "int", ">", "0", "sort"]


@pytest.mark.parametrize(
    ("text", "language"), [('f"{x}"', "python"), ("`${x}`", "javascript"), ('$"{x}"', "csharp")]
)
def test_a_string_made_of_variables_is_one_word_whatever_their_names(text, language):
    assert ids(f"y = {text}", language) == ids(f"y = {text.replace('x', 'y')}", language)
    assert ids("y = 'x'", "python") != ids("y = 'y'", "python")
    assert ids("y = `x`", "javascript") != ids("y = `y`", "javascript")


def test_layout_delimiters_and_comments_do_not_count():
    assert words("if (a) { b; } // c", "java") == ["if", "·"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("x and not y or None", "python"), ("x && !y || null", "javascript")),
        (("f(True, 'a')", "python"), ('f(true, "a")', "javascript")),
        (("xs.append(10)", "python"), ("xs.push_back(10L)", "cpp")),
        (("elif", "python"), ("if", "python")),
    ],
)
def test_what_means_the_same_is_the_same_word(one, other):
    assert ids(*one) == ids(*other)


def test_a_token_that_looks_like_a_word_is_itself():
    source = Source("def f():\n    return f(x)\n", "python")
    names = declared_names(source.flow_ir)
    mine = token_words(source.tokens, "python", names).ids.tolist()
    assert ids("own(1)")[0] not in mine
    assert ids("x.·")[-1] not in mine


def test_a_variable_that_is_called_is_no_function_of_its_name():
    text = "def g():\n    pass\ndef f(g):\n    return g()\n"
    renamed = text.replace("f(g)", "f(h)").replace("return g()", "return h()")
    one, other = (Source(each, "python") for each in (text, renamed))
    mine, theirs = (
        token_words(s.tokens, "python", declared_names(s.flow_ir)) for s in (one, other)
    )
    assert mine.ids.tolist() == theirs.ids.tolist()


def test_languages_without_graphs_have_words_too():
    assert words("puts foo.bar(1)", "ruby")


def test_arrays_of_different_lengths_are_refused():
    one, none = np.ones(1, dtype=np.uint64), np.empty(0, dtype=np.uint64)
    nowhere = np.empty(0, dtype=np.int32)
    with pytest.raises(ValueError, match=r"classes must be as long as ids \(1\), not 0"):
        _native.token_words(
            one, np.empty(0, dtype=np.uint8), nowhere, *[none] * 6, nowhere, nowhere, True, 0, 0
        )
