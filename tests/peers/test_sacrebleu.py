"""BLEU and chrF beside sacrebleu, on cases of the kinds that its own suite has."""

from __future__ import annotations

from typing import Any

import pytest
import sacrebleu
from pytest import approx

from codekin import measure

HYPOTHESES = ["the mat is on the cat", "a cat sat", "", "je t'aime, ma chérie!", "ok"]
REFERENCES = [
    ["the cat is on the mat", "one cat sat down", "nothing", "je t'aime ma chérie", "ok"],
    ["there is a cat on the mat", "a cat sat", "none", "je l'aime , ma chère !", "fine then"],
]
SENTENCES = [
    ("", [""]),
    ("", ["one two"]),
    ("one", [""]),
    ("one", ["one"]),
    ("one two", ["one two"]),
    ("one two three", ["one two three four five six"]),
    ("one one one one one", ["one two", "one one three"]),
    ("x=f(a,b);", ["x = f( a , b ) ;"]),
    ("naïve café № 5 % – “quoted”", ['naive cafe No 5% - "quoted"']),
    ("数据 データ 12,345.67", ["数据 データ 12,345.67 项"]),
    ("tab\tand\nline", ["tab and line"]),
]
SMOOTHING: list[dict[str, Any]] = [
    {"smooth_method": "exp"},
    {"smooth_method": "none"},
    {"smooth_method": "floor"},
    {"smooth_method": "floor", "smooth_value": 0.01},
    {"smooth_method": "add-k"},
    {"smooth_method": "add-k", "smooth_value": 2},
]


def ours(name: str, **options: Any) -> Any:
    return measure(name, compat="sacrebleu", **options)


@pytest.mark.parametrize("effective_order", [False, True])
@pytest.mark.parametrize("smoothing", SMOOTHING, ids=str)
def test_sentences_by_every_smoothing(smoothing: dict[str, Any], effective_order: bool) -> None:
    theirs = sacrebleu.BLEU(**smoothing, effective_order=effective_order)
    mine = ours("bleu", **smoothing, effective_order=effective_order)
    for hypothesis, references in SENTENCES:
        expected = theirs.sentence_score(hypothesis, references)
        score = mine.score(hypothesis, references=references)
        assert 100 * score.value == approx(expected.score, abs=1e-9)
        assert score.parts["brevity_penalty"] == approx(expected.bp, abs=1e-9)


@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("tokenize", ["13a", "intl", "char", "none"])
def test_sentences_by_every_tokenizer(tokenize: str, lowercase: bool) -> None:
    options = {"tokenize": tokenize, "lowercase": lowercase, "effective_order": True}
    theirs = sacrebleu.BLEU(**options)
    for hypothesis, references in SENTENCES:
        expected = theirs.sentence_score(hypothesis.upper(), references).score
        found = ours("bleu", **options).score(hypothesis.upper(), references=references)
        assert 100 * found.value == approx(expected, abs=1e-9)


@pytest.mark.parametrize("order", [1, 2, 3, 4, 6])
def test_a_corpus_with_several_references(order: int) -> None:
    rows = [list(row) for row in zip(*REFERENCES, strict=True)]
    expected = sacrebleu.BLEU(max_ngram_order=order).corpus_score(HYPOTHESES, REFERENCES).score
    found = ours("bleu", max_ngram_order=order).corpus_score(HYPOTHESES, rows)
    assert 100 * found == approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"word_order": 2},
        {"char_order": 1, "beta": 1},
        {"beta": 3, "eps_smoothing": True},
        {"whitespace": True},
        {"lowercase": True, "word_order": 1},
    ],
    ids=str,
)
def test_chrf_of_sentences_and_of_a_corpus(options: dict[str, Any]) -> None:
    theirs, mine = sacrebleu.CHRF(**options), ours("chrf", **options)
    for hypothesis, references in SENTENCES:
        expected = theirs.sentence_score(hypothesis, references).score
        assert 100 * mine.score(hypothesis, references=references).value == approx(
            expected, abs=1e-9
        )
    rows = [list(row) for row in zip(*REFERENCES, strict=True)]
    expected = theirs.corpus_score(HYPOTHESES, REFERENCES).score
    assert 100 * mine.corpus_score(HYPOTHESES, rows) == approx(expected, abs=1e-9)


def test_values_by_hand() -> None:
    assert ours("bleu").score("a b c d", "a b c d").value == approx(1.0)
    assert ours("bleu").score("a b", "a b").value == 0.0
    assert ours("bleu", effective_order=True).score("a b", "a b").value == approx(1.0)
    # One of two characters: (1/2 + 0) / 2 in precision and in recall.
    assert ours("chrf").score("aa", "ab").value == approx(0.25)
