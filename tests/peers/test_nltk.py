"""BLEU beside nltk, on cases of the kinds that its own suite has."""

from __future__ import annotations

import math
import warnings
from typing import Any

import pytest
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu
from pytest import approx

from codekin import measure

CASES = [
    ("", ["a b c"]),
    ("a", [""]),
    ("", [""]),
    ("a", ["a"]),
    ("a b", ["a b"]),
    ("a b c", ["a b c"]),
    ("a c b", ["a b c"]),
    ("a a a a a a a", ["a cat is on a mat", "there is a cat on a mat"]),
    ("x y", ["a b c d e"]),
    ("to be or not to be", ["to be or not", "or not to be that is"]),
    ("a b c d e f", ["a b c d e f", "a b c"]),
    ("été à l'œuvre ; ∑ xᵢ", ["été à l' œuvre ; ∑ xᵢ"]),
]
WEIGHTS = [(0.25,) * 4, (1.0,), (0.5, 0.5), (1 / 3,) * 3, (0.2,) * 5, (0.1, 0.2, 0.3, 0.4)]


def by_nltk(hypothesis: str, references: list[str], *args: Any, **options: Any) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pool = [reference.split() for reference in references]
        return float(sentence_bleu(pool, hypothesis.split(), *args, **options))


@pytest.mark.parametrize("auto_reweigh", [False, True])
@pytest.mark.parametrize("weights", WEIGHTS, ids=str)
def test_weights(weights: tuple[float, ...], auto_reweigh: bool) -> None:
    mine = measure("bleu", compat="nltk", weights=weights, auto_reweigh=auto_reweigh)
    for hypothesis, references in CASES:
        expected = by_nltk(hypothesis, references, weights, auto_reweigh=auto_reweigh)
        found = mine.score(hypothesis, references=references).value
        assert found == approx(expected, abs=1e-9)


@pytest.mark.parametrize("method", range(8))
def test_smoothing(method: int) -> None:
    smoothing = SmoothingFunction(epsilon=0.05, alpha=4, k=6)
    mine = measure("bleu", compat="nltk", smoothing=f"method{method}", epsilon=0.05, alpha=4, k=6)
    for hypothesis, references in CASES:
        found = mine.score(hypothesis, references=references).value
        try:
            function = getattr(smoothing, f"method{method}")
            expected = by_nltk(hypothesis, references, smoothing_function=function)
        except (AssertionError, ZeroDivisionError, ValueError):
            expected = 0.0  # where nltk gives up
        assert found == approx(expected, abs=1e-9)


@pytest.mark.parametrize("method", [None, "method0", "method1", "method2", "method3", "method4"])
def test_a_corpus_with_texts_too_short_for_some_orders(method: str | None) -> None:
    hypotheses, references = [h for h, _ in CASES], [r for _, r in CASES]
    pools = [[one.split() for one in row] for row in references]
    function = None if method is None else getattr(SmoothingFunction(), method)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        split = [h.split() for h in hypotheses]
        expected = corpus_bleu(pools, split, smoothing_function=function)
    mine = measure("bleu", compat="nltk", smoothing=method)
    assert mine.corpus_score(hypotheses, references) == approx(expected, abs=1e-9)


def test_values_by_hand() -> None:
    def value(hypothesis: str, *references: str, **options: Any) -> float:
        mine = measure("bleu", compat="nltk", **options)
        return mine.score(hypothesis, references=list(references)).value

    # The papers' example: two of seven, clipped by the reference that has two.
    assert value("the the the the the the the", "the cat is on the mat", weights=(1.0,)) == approx(
        2 / 7
    )
    # Seven words against eight, the closest of eight and eleven.
    assert value("a " * 7, "a " * 11, "a " * 8, weights=(1.0,)) == approx(math.exp(1 - 8 / 7))
    assert value("a b c", "d e f") == 0.0
