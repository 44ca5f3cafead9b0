import math
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
from sacrebleu.metrics import BLEU

from codekin import CodekinError, Source, measure

words = st.lists(st.sampled_from(["a", "b", "c", "(", ")", "=", "1"]), max_size=14).map(" ".join)
SMOOTHINGS = ["exp", "floor", "add-k", "none"]


def python(candidate, reference, **parameters):
    return measure("bleu", **parameters).score(candidate, reference, language="python")


def test_identical_two_token_code_scores_1():
    assert python("x()", "x()").value == 1.0
    assert python("x", "x").value == 1.0


def test_empty_texts():
    assert python("", "").value == 1.0
    assert python("# only a comment", "").value == 1.0
    assert python("", "x = 1").value == 0.0
    assert python("x = 1", "").value == 0.0


def test_layout_and_comments_do_not_count_by_default():
    a = "def f(x):\n    return x  # same\n"
    b = 'def f( x ):\n\n  """Say x."""\n  return x\n'
    assert python(a, b).value == 1.0
    assert python(a, b, comments=True).value < 1.0


def test_indentation_counts_in_python():
    inside = "for x in y:\n    f(x)\n    g()\n"
    outside = "for x in y:\n    f(x)\ng()\n"
    assert python(inside, outside).value < 1.0


def test_the_value_by_hand():
    score = python("return a + b", "return a - b")
    # tokens: return a + b, line end; 4 of 5, 2 of 4, 0 of 3 and 0 of 2 n-grams match
    expected = (4 / 5 * 2 / 4 * 1 / (2 * 3) * 1 / (4 * 2)) ** 0.25
    assert score.value == pytest.approx(expected, abs=1e-12)
    assert score.parts["precision_3"] == pytest.approx(1 / 6)


def test_brevity_penalty():
    score = python("a b".replace(" ", "\n"), "a\nb\nc\nd")
    assert score.parts["brevity_penalty"] == pytest.approx(math.exp(1 - 8 / 4))


def test_several_references_are_pooled():
    bleu = measure("bleu")
    pooled = bleu.score("f(a, b)", references=["f(a)", "g(a, b)"], language="python").value
    single = [bleu.score("f(a, b)", r, language="python").value for r in ("f(a)", "g(a, b)")]
    assert pooled > max(single)


@given(words, st.lists(words, min_size=1, max_size=3), st.sampled_from(SMOOTHINGS), st.booleans())
def test_compat_equals_sacrebleu(candidate, references, smooth, effective):
    peer = BLEU(smooth_method=smooth, effective_order=effective)
    expected = peer.sentence_score(candidate, references).score / 100
    ours = measure("bleu", compat="sacrebleu", smooth_method=smooth, effective_order=effective)
    assert ours.score(candidate, references=references).value == pytest.approx(expected, abs=1e-9)


@given(words, st.lists(words, min_size=1, max_size=3), st.integers(0, 7), st.booleans())
def test_compat_equals_nltk(candidate, references, method, reweigh):
    function = getattr(SmoothingFunction(), f"method{method}")
    ours = measure("bleu", compat="nltk", smoothing=f"method{method}", auto_reweigh=reweigh)
    value = ours.score(candidate, references=references).value
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = sentence_bleu(
                [r.split() for r in references],
                candidate.split(),
                smoothing_function=function,
                auto_reweigh=reweigh,
            )
    except AssertionError:  # method 6 without a matching trigram
        expected = 0.0
    assert value == pytest.approx(expected, abs=1e-9)


def test_a_corpus_is_scored_from_summed_statistics():
    rows = [("a b c d e", ["a b c d e f"]), ("x y", ["x z", "x y z"])]
    ours = measure("bleu", compat="sacrebleu").corpus_score(
        [c for c, _ in rows], [r for _, r in rows]
    )
    streams = [["a b c d e f", "x z"], [None, "x y z"]]
    expected = BLEU().corpus_score([c for c, _ in rows], streams).score / 100
    assert ours == pytest.approx(expected, abs=1e-12)


def test_bad_parameters_are_named():
    with pytest.raises(CodekinError, match="did you mean 'smoothing'"):
        measure("bleu", smothing="exp")
    with pytest.raises(CodekinError, match="unknown smoothing 'laplace'"):
        measure("bleu", smoothing="laplace")
    with pytest.raises(CodekinError, match="known: nltk, sacrebleu"):
        measure("bleu", compat="moses")
    with pytest.raises(CodekinError, match="unknown tokens 'wordpiece'"):
        measure("bleu", tokens="wordpiece").score("a", "b")


def test_the_explanation_shades_what_was_matched():
    score = python("total = a + b", "total = a - b")
    explanation = score.explain()
    text = explanation.candidate_text
    shaded = "".join(text[s.start : s.end] for s in explanation.candidate)
    assert "total" in shaded
    assert "+" not in shaded
    assert any("a +" in detail for _, detail in explanation.details)


def test_the_signature_names_what_decides_the_score():
    plain = python("a", "b").signature
    assert plain.startswith("bleu|tree-sitter-python-")
    assert "order:2" in python("a", "b", order=2).signature
    compat = measure("bleu", compat="sacrebleu").score("a", "b").signature
    assert compat.startswith("bleu|compat:sacrebleu|codekin-")


def test_prepared_and_fresh_sources_score_alike():
    a, b = Source("f(x) + g(y)", "python"), Source("f(x) - g(z)", "python")
    bleu = measure("bleu")
    first = bleu.score(a, b).value
    assert bleu.score(a, b).value == first
    assert bleu.score(a.text, b.text, language="python").value == first


def test_what_is_repeated_is_shaded_as_often_as_it_counts() -> None:
    text = "x = a + b\n"
    why = measure("bleu").score(text * 3, text, language="python").explain()
    assert max(span.end for span in why.candidate) <= len(text)
    assert max(span.end for span in why.reference) >= len(text) - 1
