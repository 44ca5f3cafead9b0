from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from codekin import CodekinError, Source, measure
from codekin.measures import parse_measure

TYPES = ["rouge1", "rouge2", "rouge9", "rougeL", "rougeLsum"]
words = st.sampled_from(
    ["the", "Cats", "cat", "running", "runs", "ran", "a1", "skies", ".", "\n", "\n\n", "é", "_"]
)
texts = st.one_of(st.lists(words, max_size=25).map(" ".join), st.text(max_size=30))


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("stemmer", [False, True])
@settings(max_examples=60, deadline=None)
@given(texts, texts)
@example("", "")
@example("a", "")
@example("x y\nz", "z\nx y")
def test_rouge_score_is_reproduced(kind, stemmer, candidate, reference):
    theirs = RougeScorer([kind], use_stemmer=stemmer).score(reference, candidate)[kind]
    ours = measure("rouge", compat="rouge-score", rouge_type=kind, use_stemmer=stemmer)
    score = ours.score(candidate, reference, language="text")
    assert score.value == pytest.approx(theirs.fmeasure, abs=1e-9)
    assert score.parts["precision"] == pytest.approx(theirs.precision, abs=1e-9)
    assert score.parts["recall"] == pytest.approx(theirs.recall, abs=1e-9)


def test_several_references_count_by_the_best_as_in_the_package():
    texts = ["the cat sat", "a dog ran home", "cat sat"]
    theirs = RougeScorer(["rougeL"]).score_multi(texts, "the cat ran")["rougeL"].fmeasure
    ours = measure("rouge", compat="rouge-score")
    score = ours.score("the cat ran", references=texts, language="text")
    assert score.value == pytest.approx(theirs, abs=1e-9)


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


def test_order_matters_within_lines_only_by_lsum():
    swapped = "b = 2\na = 1\n", "a = 1\nb = 2\n"
    assert measure("rouge", kind="Lsum").score(*swapped, language="python").value == 1.0
    assert measure("rouge").score(*swapped, language="python").value < 0.7
    sentences = "It rained. We stayed in.", "We stayed in. It rained."
    assert measure("rouge", kind="Lsum").score(*sentences, language="text").value == 1.0


def test_nothing_in_common_counts_twice_by_lsum():
    score = measure("rouge", kind="Lsum").score("x", "x\nx\nx", language="c")
    assert (score.parts["common"], score.parts["precision"]) == (1, 1.0)


def test_stems_match_other_forms_of_a_word():
    texts = "She runs daily", "she running daily"
    assert measure("rouge").score(*texts, language="text").value == pytest.approx(1 / 3)
    assert measure("rouge", stem=True).score(*texts, language="text").value == 1.0


def test_n_grams_longer_than_both_texts_match_only_equal_texts():
    rouge = measure("rouge", kind="5")
    assert rouge.score("f(x", "f(x", language="c").value == 1.0
    assert rouge.score("f(x", "f(y", language="c").value == 0.0


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("rouge:kind=0", "unknown kind '0'"),
        ("rouge:kind=10", "unknown kind '10'"),
        ("rouge:tokens=char,stem=yes", "char tokens have no stems"),
        ("rouge:tokens=13a,kind=Lsum", "13a tokens have no lines"),
        ("rouge:compat=rouge-score,rouge_type=rouge0", "unknown rouge_type"),
    ],
)
def test_bad_parameters_are_refused(word, told):
    with pytest.raises(CodekinError, match=told):
        parse_measure(word)


def test_explanations_shade_what_is_in_common():
    for word in ("rouge", "rouge:kind=2", "rouge:kind=Lsum", "rouge:compat=rouge-score"):
        why = parse_measure(word).score("f(x, y)", "f(x, z)", language="python").explain()
        assert "f(x," in why.candidate_text[why.candidate[0].start : why.candidate[0].end]
        assert "compat" in word or " % of the candidate and " in why.summary


def test_long_repetitive_texts_are_quick():
    first, second = Source("( " * 20_000, "c"), Source(") ( " * 10_000, "c")
    assert measure("rouge", tokens="split").score(first, second).parts["common"] == 10_000
