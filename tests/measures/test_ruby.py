from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.real_programs import LANGUAGES, PROGRAMS

from codekin import CodekinError, Source, measure

RUBY = measure("ruby", steps=2000)
GRAPHS, TREES, TOKENS = 3, 2, 1
WHOLE = "def f(x):\n    return x + 1\n"
BROKEN = "def f(x):\n    return x +\n    y = 2\n\nz = f(3)\n"


def _score(one: str, other: str, language: str = "python"):
    return RUBY.score(one, other, language=language)


def test_graphs_where_both_texts_parse_and_do_something():
    score = _score(WHOLE, WHOLE.replace("x + 1", "x - 1"))
    assert score.parts["level"] == GRAPHS
    graphs = measure("cssg").score(WHOLE, WHOLE.replace("x + 1", "x - 1"), language="python")
    assert score.value == graphs.value
    assert score.parts["distance"] == graphs.parts["distance"]


def test_trees_where_one_text_has_errors_and_is_mostly_read():
    score = _score(BROKEN, WHOLE)
    assert score.parts["level"] == TREES
    trees = measure("tsed", operators=True).score(BROKEN, WHOLE, language="python").parts
    both = trees["nodes"] + trees["reference_nodes"]
    assert score.parts["distance"] == trees["distance"]
    assert score.value == pytest.approx(1 - trees["distance"] / both)


def test_trees_where_there_is_no_graph():
    assert _score("42", "43").parts["level"] == TREES
    assert (
        _score("int f() { return 1; }", "int g() { return 2; }", "csharp").parts["level"] == TREES
    )


def test_tokens_where_one_text_is_mostly_unreadable():
    garbage = "))) = ((("
    score = _score(garbage, WHOLE)
    assert score.parts["level"] == TOKENS
    assert (
        score.value == measure("nes", unit="tokens").score(garbage, WHOLE, language="python").value
    )


def test_empty_texts():
    assert _score("", "").value == 1
    assert _score("", "# nothing").value == 1
    assert _score("", "# nothing").parts["distance"] == 0
    assert _score("", WHOLE).value == 0
    assert _score(BROKEN, "").bounds == (0, 0)


@settings(max_examples=25)
@given(
    *(st.tuples(st.sampled_from(LANGUAGES), st.integers(0, 99)) for _ in range(2)),
    st.integers(20, 900),
)
def test_scores_are_symmetric_and_1_for_equal_texts(first, second, end):
    one, other = (PROGRAMS[k][n % len(PROGRAMS[k])] for k, n in (first, second))
    candidate, reference = Source(one[:end], first[0]), Source(other[: 2 * end], second[0])
    score, back = RUBY.score(candidate, reference), RUBY.score(reference, candidate)
    assert (score.value, score.bounds, score.parts) == (back.value, back.bounds, back.parts)
    assert 0 <= score.bounds[0] == score.value <= score.bounds[1] <= 1
    assert RUBY.score(candidate, Source(one[:end], first[0])).value == 1
    assert score.explain().summary


def test_wrong_steps_are_refused():
    with pytest.raises(CodekinError, match="ruby: steps must be from 0"):
        measure("ruby", steps=-1)
