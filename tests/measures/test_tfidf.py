from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from codekin import CodekinError, Source, measure
from codekin.measures import parse_measure

words = st.sampled_from(["the", "The", "cat", "cats", "x", "a_b", "été", "42", "(", "\n"])
texts = st.lists(words, max_size=12).map(" ".join)
CORPUS = ["the cat sat", "the dog sat on the cat", "42 cats", "été"]


def by_sklearn(candidate, reference, corpus, **parameters):
    vectorizer = TfidfVectorizer(**parameters).fit(corpus)
    one, other = vectorizer.transform([candidate, reference])
    return float((one @ other.T).toarray()[0, 0])


@pytest.mark.parametrize("corpus", [None, CORPUS])
@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"sublinear_tf": True, "lowercase": False},
        {"use_idf": False, "ngram_range": (1, 2)},
        {"smooth_idf": False, "ngram_range": (2, 3)},
    ],
)
@settings(max_examples=40, deadline=None)
@given(texts, texts)
def test_scikit_learn_is_reproduced(corpus, parameters, candidate, reference):
    ours = measure("tfidf", compat="sklearn", **parameters)
    try:
        theirs = by_sklearn(candidate, reference, corpus or [candidate, reference], **parameters)
    except ValueError as error:  # no words at all
        assert "empty vocabulary" in str(error)
        theirs = 0.0
    if corpus is not None:
        ours = ours.fit(corpus)
    score = ours.score(candidate, reference, language="text")
    assert score.value == pytest.approx(theirs, abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(texts, texts, st.sampled_from([1, 2]), st.booleans())
def test_the_default_is_that_cosine_over_tokens(candidate, reference, n, sublinear):
    one, other = Source(candidate, "text"), Source(reference, "text")
    known = " ".join(one.tokens.texts).split(), " ".join(other.tokens.texts).split()
    score = measure("tfidf", n=n, sublinear=sublinear).score(one, other)
    if min(map(len, known)) < n:
        assert score.value == float(known[0] == known[1])
        return
    theirs = by_sklearn(
        *known,
        known,
        analyzer=lambda words: [tuple(words[i : i + n]) for i in range(len(words) - n + 1)],
        sublinear_tf=sublinear,
    )
    assert score.value == pytest.approx(theirs, abs=1e-9)


def test_a_corpus_says_what_is_rare():
    corpus = ["import os", "import sys", "import json", "import re"]
    fitted = measure("tfidf").fit(corpus, language="python")
    common = fitted.score("import os", "import yaml", language="python").value
    rare = fitted.score("import yaml", "from yaml", language="python").value
    assert rare > common
    plain = measure("tfidf").score("import os", "import yaml", language="python").value
    assert common < plain
    assert "|background:" in fitted.score("x", "x", language="python").signature


def test_it_ignores_order_and_nothing_else():
    tfidf = measure("tfidf")
    assert tfidf.score("a = b", "b = a", language="python").value == 1.0
    assert tfidf.score("a = b", "a = b = b", language="python").value < 1.0


def test_a_fitted_measure_scores_the_same_in_workers(tmp_path):
    import codekin

    rows = [
        {"id": str(i), "language": "python", "candidate": f"x{i % 3} = y", "reference": "x1 = y"}
        for i in range(8)
    ]
    fitted = measure("tfidf").fit(["x1 = 1", "y = 2"], language="python")
    run = codekin.score(rows, [fitted], output=tmp_path / "run", workers=2)
    expected = [fitted.score(r["candidate"], r["reference"], language="python").value for r in rows]
    assert np.allclose(run.to_pandas()["tfidf"], expected)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: measure("tfidf").fit("one text"), "is a list of texts"),
        (lambda: measure("tfidf").fit([]), "list of at least one text"),
        (lambda: measure("tfidf", background="x"), "must be a Background"),
        (lambda: parse_measure("tfidf:n=0"), "n must be from 1 to 64"),
        (lambda: measure("tfidf", compat="sklearn").fit("one text"), "is a list of texts"),
        (lambda: measure("tfidf", compat="sklearn").fit([]), "list of at least one text"),
        (lambda: measure("tfidf", compat="sklearn", ngram_range=(2, 1)), "two numbers in order"),
        (lambda: measure("tfidf", compat="sklearn", ngram_range=(0, 1)), "from 1 to 64"),
    ],
)
def test_bad_input_is_refused(make, told):
    with pytest.raises(CodekinError, match=told):
        make()


def test_explanations_shade_shared_tokens():
    for word in ("tfidf", "tfidf:compat=sklearn"):
        why = parse_measure(word).score("total = 1", "total = 2", language="python").explain()
        assert "total" in why.candidate_text[why.candidate[0].start : why.candidate[0].end]
