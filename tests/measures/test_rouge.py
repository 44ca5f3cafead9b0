from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codekin import CodekinError, Source, measure
from codekin.measures import parse_measure


def longest(a, b):
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            table[i + 1][j + 1] = (
                table[i][j] + 1 if x == y else max(table[i][j + 1], table[i + 1][j])
            )
    return table[-1][-1]


@given(
    st.lists(st.sampled_from("abc+("), max_size=12), st.lists(st.sampled_from("abc+("), max_size=12)
)
def test_rouge_l_is_the_f1_of_the_longest_common_subsequence(first, second):
    one, other = Source(" ".join(first), "c"), Source(" ".join(second), "c")
    common = longest(one.tokens.texts, other.tokens.texts)
    score = measure("rouge").score(one, other)
    assert score.parts["common"] == common
    if len(one.tokens) and len(other.tokens):
        sizes = len(one.tokens), len(other.tokens)
        assert score.value == pytest.approx(2 * common / sum(sizes), abs=1e-12)
    else:
        assert score.value == float(len(one.tokens) == len(other.tokens))


def test_the_default_reads_tokens_of_code():
    rouge = measure("rouge")
    assert rouge.score("f( x )  # why", "f(x)", language="python").value == 1.0
    assert rouge.score("f(x)", "g(x)", language="python").value == 0.8


def test_values_that_the_package_rouge_score_gives():
    """rouge-score 0.1.2's rougeL of words in lower case, split at blanks."""
    rouge = measure("rouge", tokens="split")
    texts = (
        ("the cat sat on it", "the cats sat", 0.5),
        ("police killed the gunman", "police kill the gunman", 0.75),
        ("the gunman kill police", "police kill the gunman", 0.5),
        ("w x y z", "a b c", 0.0),
    )
    for candidate, reference, expected in texts:
        score = rouge.score(candidate, reference, language="text")
        assert score.value == pytest.approx(expected, abs=1e-12)


def test_order_matters():
    swapped = "b = 2\na = 1\n", "a = 1\nb = 2\n"
    assert measure("rouge").score(*swapped, language="python").value < 0.7


def test_the_best_of_several_references_counts():
    texts = ["the cat sat", "a dog ran home", "cat sat"]
    rouge = measure("rouge")
    score = rouge.score("the cat ran", references=texts, language="text")
    each = [rouge.score("the cat ran", text, language="text").value for text in texts]
    assert score.value == max(each) == pytest.approx(2 / 3)


def test_bad_parameters_are_refused():
    with pytest.raises(CodekinError, match="unknown tokens 'words'"):
        parse_measure("rouge:tokens=words")
    with pytest.raises(CodekinError, match="unknown parameter 'kind'"):
        parse_measure("rouge:kind=2")


def test_explanations_shade_what_is_in_common():
    why = measure("rouge").score("f(x, y)", "f(x, z)", language="python").explain()
    assert "f(x," in why.candidate_text[why.candidate[0].start : why.candidate[0].end]
    assert " % of the candidate and " in why.summary


def test_long_repetitive_texts_are_quick():
    first, second = Source("( " * 20_000, "c"), Source(") ( " * 10_000, "c")
    assert measure("rouge", tokens="split").score(first, second).parts["common"] == 10_000
