import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Indel, Levenshtein

from codekin import CodekinError, measure

texts = st.text(st.sampled_from("ab(é \n😀"), max_size=30)


@given(texts, texts)
def test_distance_and_similarity_equal_rapidfuzz(a, b):
    assert measure("ed").score(a, b).value == Levenshtein.distance(a, b)
    similarity = Levenshtein.normalized_similarity(a, b)
    assert measure("nes").score(a, b).value == pytest.approx(similarity, abs=1e-12)
    indel = measure("nes", compat="rapidfuzz", algorithm="Indel")
    assert indel.score(a, b).value == Indel.normalized_similarity(a, b)


@given(texts, texts)
def test_lines_are_compared_whole(a, b):
    expected = Levenshtein.distance(a.splitlines(), b.splitlines())
    assert measure("ed", unit="lines").score(a, b).value == expected


def test_tokens_of_code():
    score = measure("ed", unit="tokens").score("f(a,b)", "f( a, c )", language="python")
    assert score.value == 1
    assert score.parts == {"length": 7, "reference_length": 7}


def test_empty_texts():
    for unit in ("chars", "tokens", "lines"):
        nes = measure("nes", unit=unit)
        assert nes.score("", "", language="python").value == 1.0
        assert nes.score("", "x", language="python").value == 0.0


def test_the_nearest_of_several_references():
    score = measure("ed").score("abc", references=["xyz", "abd", "abcdef"])
    assert score.value == 1


def test_an_unknown_unit_is_refused():
    with pytest.raises(CodekinError, match="unknown unit 'words'"):
        measure("nes", unit="words")


def test_the_explanation_shows_what_stays():
    explanation = measure("nes").score("a + b", "a - b").explain()
    kept = "".join(explanation.candidate_text[s.start : s.end] for s in explanation.candidate)
    assert kept == "a  b"
    assert "1 chars" in explanation.summary
