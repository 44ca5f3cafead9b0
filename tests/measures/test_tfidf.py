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


def by_sklearn(candidate, reference, corpus, **parameters):
    vectorizer = TfidfVectorizer(**parameters).fit(corpus)
    one, other = vectorizer.transform([candidate, reference])
    return float((one @ other.T).toarray()[0, 0])


@settings(max_examples=60, deadline=None)
@given(texts, texts, st.sampled_from([1, 2]))
def test_scores_are_cosines_of_scikit_learns_vectors_over_tokens(candidate, reference, n):
    one, other = Source(candidate, "text"), Source(reference, "text")
    known = " ".join(one.tokens.texts).split(), " ".join(other.tokens.texts).split()
    score = measure("tfidf", n=n).score(one, other)
    if min(map(len, known)) < n:
        assert score.value == float(known[0] == known[1])
        return
    theirs = by_sklearn(
        *known,
        known,
        analyzer=lambda words: [tuple(words[i : i + n]) for i in range(len(words) - n + 1)],
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
        (lambda: parse_measure("tfidf:sublinear=yes"), "unknown parameter 'sublinear'"),
    ],
)
def test_bad_input_is_refused(make, told):
    with pytest.raises(CodekinError, match=told):
        make()


def test_explanations_shade_shared_tokens():
    why = measure("tfidf").score("total = 1", "total = 2", language="python").explain()
    assert "total" in why.candidate_text[why.candidate[0].start : why.candidate[0].end]
