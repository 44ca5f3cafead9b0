from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from nltk.translate.meteor_score import single_meteor_score

from codekin import CodekinError, Source, measure
from codekin.measures import parse_measure

words = st.sampled_from(["the", "The", "cats", "cat", "running", "runs", "skies", "sky", "(", "é"])
texts = st.lists(words, max_size=15).map(" ".join)


class NoSynonyms:
    """A WordNet without any words, which turns nltk's third stage off."""

    @staticmethod
    def synsets(_word):
        return []


@settings(max_examples=300, deadline=None)
@given(
    texts,
    texts,
    st.sampled_from([(0.9, 3.0, 0.5), (0.5, 1.0, 1.0), (0.85, 0.2, 0.6)]),
)
@example("", "", (0.9, 3.0, 0.5))
@example("the", "", (0.9, 3.0, 0.5))
def test_nltk_is_reproduced(candidate, reference, formula):
    alpha, beta, gamma = formula
    theirs = single_meteor_score(
        reference.split(),
        candidate.split(),
        wordnet=NoSynonyms(),
        alpha=alpha,
        beta=beta,
        gamma=gamma,
    )
    ours = measure("meteor", compat="nltk", alpha=alpha, beta=beta, gamma=gamma)
    score = ours.score(candidate, reference, language="text")
    assert score.value == pytest.approx(theirs, abs=1e-9)


@settings(max_examples=200, deadline=None)
@given(texts, texts)
@example("cats cats the cats the cats the the cats", "the " * 9 + "cats")
def test_the_default_matches_as_many_words_in_no_more_chunks_than_nltk(candidate, reference):
    """nltk compares in lower case from the start, so that is what both are given."""
    pair = candidate.lower(), reference.lower()
    greedy = measure("meteor", compat="nltk").score(*pair, language="text")
    best = measure("meteor", stem_weight=1.0).score(*pair, language="text")
    if greedy.parts["matches"]:
        assert best.parts["matches"] == greedy.parts["matches"]
        assert best.parts["chunks"] <= greedy.parts["chunks"]
        if best.parts["penalty"]:
            assert best.value >= greedy.value - 1e-12


def test_fewer_chunks_than_nltk_are_found():
    texts = "a b c a b", "a b x a b c"
    assert measure("meteor", compat="nltk").score(*texts, language="text").parts["chunks"] == 3
    score = measure("meteor").score(*texts, language="text")
    assert (score.parts["matches"], score.parts["chunks"]) == (5, 2)
    assert score.exact


def test_equal_texts_score_1_and_other_forms_of_words_less():
    meteor = measure("meteor")
    assert meteor.score("the cat sat", "the cat sat", language="text").value == 1.0
    score = meteor.score("the cats sat", "the cat sat", language="text")
    assert (score.parts["matches"], score.parts["stem_matches"]) == (3, 1)
    assert score.parts["precision"] == pytest.approx(2.6 / 3)
    assert (
        measure("meteor", stem_weight=0)
        .score("the cats sat", "the cat sat", language="text")
        .parts["matches"]
        == 2
    )


def test_recall_counts_more_than_precision():
    meteor = measure("meteor")
    longer = meteor.score("a b c d x y", "a b c d", language="text").value
    shorter = meteor.score("a b c d", "a b c d x y", language="text").value
    assert longer > shorter


def test_a_budget_that_ends_is_told_by_the_bounds():
    text = Source("f(x, y); " * 40, "c"), Source("g(y, x); f(x); " * 40, "c")
    low, high = measure("meteor", steps=0).score(*text).bounds
    assert low < high
    more = measure("meteor", steps=100_000).score(*text)
    assert low <= more.value <= more.bounds[1] <= high


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("meteor:alpha=1.5", "alpha must be from 0 to 1"),
        ("meteor:gamma=-1", "gamma must be from 0 to 1"),
        ("meteor:steps=-1", "steps must be from 0"),
        ("meteor:tokens=char", "char tokens have no stems"),
        ("meteor:compat=nltk,tokens=13a", "unknown tokens '13a'"),
    ],
)
def test_bad_parameters_are_refused(word, told):
    with pytest.raises(CodekinError, match=told):
        parse_measure(word)


def test_explanations_shade_matches_by_form_and_by_stem():
    why = measure("meteor").score("the cats sat", "The cat sat", language="text").explain()
    shaded = {why.candidate_text[s.start : s.end]: s.level for s in why.candidate}
    assert shaded == {"the cats": 0.6, "sat": 1.0}
    assert why.details == (("matched by stem", "the ~ The  cats ~ cat"),)


def test_a_very_long_word_is_stemmed_in_time():
    text = "y" * 300_000
    assert measure("meteor").score(text, text + "s", language="text").parts["matches"] == 1
