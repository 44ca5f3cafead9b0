import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import CHRF

from codekin import CodekinError, measure

texts = st.text(st.sampled_from("ab(), \n.é"), max_size=40)


@given(texts, st.lists(texts, min_size=1, max_size=3), st.integers(0, 2), st.booleans())
def test_compat_equals_sacrebleu(candidate, references, words, eps):
    peer = CHRF(word_order=words, eps_smoothing=eps)
    expected = peer.sentence_score(candidate, references).score / 100
    ours = measure("chrf", compat="sacrebleu", word_order=words, eps_smoothing=eps)
    assert ours.score(candidate, references=references).value == pytest.approx(expected, abs=1e-9)


@given(texts, texts)
def test_the_default_differs_only_where_both_are_blank(candidate, reference):
    default = measure("chrf").score(candidate, reference).value
    compat = measure("chrf", compat="sacrebleu").score(candidate, reference).value
    if not candidate.strip() and not reference.strip():
        assert (default, compat) == (1.0, 0.0)
    else:
        assert default == compat


def test_empty_texts():
    chrf = measure("chrf")
    assert chrf.score("", " \n").value == 1.0
    assert chrf.score("", "x").value == 0.0
    assert chrf.score("x", "").value == 0.0


def test_the_best_reference_counts():
    chrf = measure("chrf")
    best = chrf.score("alpha", references=["beta", "alpha", "gamma"]).value
    assert best == 1.0


def test_a_corpus_is_scored_from_summed_statistics():
    candidates, references = ["f(x)", "return y"], ["f(y)", "return x"]
    expected = CHRF().corpus_score(candidates, [references]).score / 100
    ours = measure("chrf").corpus_score(candidates, [[r] for r in references])
    assert ours == pytest.approx(expected, abs=1e-12)


def test_an_order_of_zero_on_both_sides_is_refused():
    with pytest.raises(CodekinError, match="above 0"):
        measure("chrf", char_order=0)


def test_an_explanation_says_how_much_is_shared() -> None:
    why = measure("chrf").score("f(x, y)", "f(x, z)", language="python").explain()
    assert why.summary.startswith(
        "37.8 % of the candidate's character n-grams are in the reference"
    )
