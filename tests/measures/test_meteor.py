from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from nltk.translate.meteor_score import align_words

from codekin import CodekinError, Source, measure
from codekin.measures import parse_measure
from codekin.measures.meteor import chunk_count, matched_words

FEW = st.lists(st.integers(0, 3), max_size=7)
MANY = st.lists(st.integers(0, 12), max_size=60)


def ids(words):
    return np.array(words, dtype=np.uint64)


def fewest_chunks(first, second):
    """The fewest chunks of any matching of as many words as possible, by trying all."""
    most = (Counter(first) & Counter(second)).total()
    fewest = len(first) + 1

    def extend(at, pairs, taken):
        nonlocal fewest
        if len(pairs) + len(first) - at < most:
            return
        if at == len(first):
            fewest = min(fewest, chunk_count(pairs))
            return
        for place, word in enumerate(second):
            if word == first[at] and place not in taken:
                extend(at + 1, [*pairs, (at, place)], taken | {place})
        extend(at + 1, pairs, taken)

    extend(0, [], frozenset())
    return fewest if most else 0


@settings(deadline=None)
@given(MANY, MANY)
@example([1, 2, 3, 1, 4], [1, 4, 1, 2])
def test_as_many_words_as_possible_are_matched_once(first, second):
    pairs = matched_words(ids(first), ids(second))
    assert pairs == sorted(pairs)
    assert all(first[i] == second[j] for i, j in pairs)
    assert len(pairs) == (Counter(first) & Counter(second)).total()
    assert len({j for _, j in pairs}) == len({i for i, _ in pairs}) == len(pairs)


@settings(max_examples=200, deadline=None)
@given(FEW, FEW)
def test_chunks_are_never_fewer_than_possible_and_fewest_for_an_edit(first, second):
    least = fewest_chunks(first, second)
    assert chunk_count(matched_words(ids(first), ids(second))) >= least
    assert chunk_count(matched_words(ids(first), ids(first))) == bool(first)


def test_chunks_are_nearly_as_few_as_possible():
    """Of all pairs of up to five of three words, few have more chunks than need be."""
    texts = [
        [number // 3**place % 3 for place in range(length)]
        for length in range(1, 6)
        for number in range(0, 3**length, 5)
    ]
    more = [
        chunk_count(matched_words(ids(first), ids(second))) - fewest_chunks(first, second)
        for first in texts
        for second in texts
    ]
    assert min(more) == 0
    assert max(more) <= 2
    assert sum(map(bool, more)) < 0.06 * len(more)


class NoSynonyms:
    """A WordNet without any words, which turns nltk's third stage off."""

    @staticmethod
    def synsets(_word):
        return []


class NoStems:
    """Every word is its own stem, which turns nltk's second stage off."""

    @staticmethod
    def stem(word):
        return word


def test_as_many_words_are_matched_as_by_nltk_in_fewer_chunks():
    chance = random.Random(3)
    words = ["the", "cats", "sat", "on", "a", "mat", "(", ")"]
    totals = Counter()
    for _ in range(200):
        first, second = ([chance.choice(words) for _ in range(12)] for _ in range(2))
        theirs = align_words(first, second, stemmer=NoStems(), wordnet=NoSynonyms())[0]
        score = measure("meteor", tokens="split").score(
            " ".join(first), " ".join(second), language="text"
        )
        assert score.parts["matches"] == len(theirs)
        totals["ours"] += score.parts["chunks"]
        totals["nltk"] += chunk_count(sorted(theirs))
    assert totals["ours"] < 0.9 * totals["nltk"]


def test_repeated_words_are_matched_in_runs():
    meteor = measure("meteor")
    for texts, matches, chunks in (
        (("( ( a", "x ( a ( b"), 3, 2),
        (("a b", "a x a b"), 2, 1),
        (("a a b c", "a b c"), 3, 1),
        (("c a b", "a b c"), 3, 2),
    ):
        parts = meteor.score(*texts, language="text").parts
        assert (parts["matches"], parts["chunks"]) == (matches, chunks)


def test_the_value_is_that_of_the_formula():
    score = measure("meteor").score("a b x c", "a b c d e", language="text")
    precision, recall = 3 / 4, 3 / 5
    mean = precision * recall / (0.9 * precision + 0.1 * recall)
    assert score.parts["chunks"] == 2
    assert score.parts["penalty"] == pytest.approx(0.5 * (2 / 3) ** 3)
    assert score.value == pytest.approx(mean * (1 - score.parts["penalty"]), abs=1e-15)
    assert measure("meteor").score("a", "b", language="text").value == 0.0


def test_equal_texts_score_1_and_other_forms_of_words_less():
    meteor = measure("meteor")
    assert meteor.score("the cat sat", "the cat sat", language="text").value == 1.0
    score = meteor.score("the cats sat", "the cat sat", language="text")
    assert (score.parts["matches"], score.parts["chunks"]) == (2, 2)
    assert meteor.score("The cat", "the cat", language="text").parts["matches"] == 1


def test_recall_counts_more_than_precision():
    meteor = measure("meteor")
    longer = meteor.score("a b c d x y", "a b c d", language="text").value
    shorter = meteor.score("a b c d", "a b c d x y", language="text").value
    assert longer > shorter


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("meteor:alpha=1.5", "alpha must be from 0 to 1"),
        ("meteor:gamma=-1", "gamma must be from 0 to 1"),
        ("meteor:beta=101", "beta must be from 0 to 100"),
        ("meteor:stem_weight=0.6", "unknown parameter 'stem_weight'"),
        ("meteor:tokens=words", "unknown tokens 'words'"),
    ],
)
def test_bad_parameters_are_refused(word, told):
    with pytest.raises(CodekinError, match=told):
        parse_measure(word)


def test_explanations_shade_matches():
    why = measure("meteor").score("the cats sat", "The cat sat", language="text").explain()
    shaded = {why.candidate_text[s.start : s.end]: s.level for s in why.candidate}
    assert shaded == {"sat": 1.0}
    assert why.summary.startswith("1 of 3 words of the candidate match")
    assert "in 1 chunk." in why.summary


def test_long_repetitive_texts_are_quick():
    first, second = Source("( " * 20_000, "c"), Source(") ( " * 10_000, "c")
    assert measure("meteor", tokens="split").score(first, second).parts["matches"] == 10_000
