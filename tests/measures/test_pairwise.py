from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin import CodekinError, Measure, Score, Source, measure
from codekin.measures import measure_classes
from codekin.measures.excision import EsToken
from codekin.measures.pairwise import directed_scores, scores_one_by_one

SYMMETRIC = [
    (name, compat)
    for name, forms in measure_classes().items()
    for compat, form in forms.items()
    if form.symmetric and not form.needs_origin
]
TEXTS = ["a = 1\n", "a = 2\n", "b = a + 1\n", "", "def f(x):\n    return x\n"]


def sources(texts=TEXTS):
    return [Source(text, "python") for text in texts]


def test_measures_that_are_symmetric_say_so():
    named = {name for name, _ in SYMMETRIC}
    assert {"exact", "ed", "nes", "jaccard", "length"} <= named
    assert not named & {"bleu", "codebleu"}


@pytest.mark.parametrize(("name", "compat"), SYMMETRIC)
@settings(max_examples=30, deadline=None)
@given(st.text("ab =+(1\n", max_size=20), st.text("ab =+(1\n", max_size=20))
def test_what_claims_to_be_symmetric_is(name, compat, a, b):
    one = measure(name, compat=compat)
    there = one.score(a, b, language="python").value
    assert there == one.score(b, a, language="python").value


@pytest.mark.parametrize("name", ["nes", "bleu", "ed"])
def test_scores_are_the_means_of_both_ways(name):
    one = measure(name)
    scores = directed_scores(one, sources()).both_ways().values
    for i, a in enumerate(sources()):
        for j, b in enumerate(sources()):
            both = (one.score(a, b).value + one.score(b, a).value) / 2
            assert scores[i, j] == pytest.approx(both)
    assert (scores == scores.T).all()


@dataclass(frozen=True, kw_only=True, repr=False)
class Counted(Measure):
    """How often it is asked, and a pair that it cannot score."""

    name: ClassVar[str] = "counted"
    summary: ClassVar[str] = "counts its calls"
    asked: ClassVar[list[tuple[str, str]]] = []

    def _pair(self, candidate: Source, reference: Source) -> Score:
        self.asked.append((candidate.text, reference.text))
        if {candidate.text, reference.text} == {"bad", "a"}:
            raise CodekinError("no")
        if {candidate.text, reference.text} == {"bad", "b"}:
            return Score(self, float("nan"), {}, candidate, reference)
        return Score(self, 0.5, {}, candidate, reference)


def test_equal_texts_are_scored_once():
    Counted.asked.clear()
    scores = directed_scores(Counted(), sources(["a", "b", "a", "a", "b"])).both_ways().values
    assert sorted(Counted.asked) == [("a", "b"), ("b", "a")]
    assert scores.tolist()[0] == [1.0, 0.5, 1.0, 1.0, 0.5]


def test_a_pair_without_a_score_is_no_number():
    scores = directed_scores(Counted(), sources(["a", "b", "bad"])).both_ways().values
    assert np.isnan(scores).tolist() == [
        [False, False, True],
        [False, False, True],
        [True, True, False],
    ]


@dataclass(frozen=True, kw_only=True, repr=False)
class AllAtOnce(EsToken):
    """A measure with a faster way."""

    name: ClassVar[str] = "all-at-once"
    summary: ClassVar[str] = "all pairs at once"
    size: int = 0

    def _pairwise(self, sources, origin):
        n = self.size or len(sources)
        return np.full((n, n), len(origin.text) / 10)


def test_a_faster_way_is_taken():
    found = directed_scores(AllAtOnce(), sources(["a", "b", "a"]), Source("12345", "python"))
    assert found.both_ways().values.tolist() == [[1, 0.5, 1], [0.5, 1, 0.5], [1, 0.5, 1]]


@pytest.mark.parametrize("name", ["es-token", "es-line"])
def test_the_faster_way_of_excision_gives_the_same_scores(name):
    origin = Source("def f(x):\n    a = 1\n    return x\n", "python")
    texts = [origin.text.replace("a = 1", f"a = {i}\n    b = a + {i % 3}") for i in range(6)]
    fast = directed_scores(measure(name), sources(texts), origin).both_ways().values
    slow = scores_one_by_one(measure(name), sources(texts), origin).both_ways().values
    np.fill_diagonal(slow, 1.0)
    assert fast == pytest.approx(slow, abs=1e-12)
    assert len(np.unique(fast)) > 2


def test_a_faster_way_that_is_wrong_is_refused():
    with pytest.raises(CodekinError, match=r"\(3, 3\) scores for 2 texts"):
        directed_scores(AllAtOnce(size=3), sources(["a", "b"]), Source("", "python"))


def test_a_measure_of_revisions_needs_the_origin():
    with pytest.raises(CodekinError, match="needs their origin"):
        directed_scores(AllAtOnce(), sources())


def test_nothing_has_no_scores():
    assert directed_scores(measure("nes"), []).both_ways().values.shape == (0, 0)


@pytest.mark.parametrize("name", ["bleu", "tsed", "nes"])
def test_directed_scores_have_the_row_as_candidate(name):
    one = measure(name)
    found = directed_scores(one, sources())
    for i, a in enumerate(sources()):
        for j, b in enumerate(sources()):
            if i != j:
                score = one.score(a, b)
                assert (found.lower[i, j], found.upper[i, j]) == score.bounds
                assert found.values[i, j] == score.value


def test_bounds_come_with_the_scores():
    tight, loose = measure("tsed"), measure("tsed", steps=0)
    texts = sources(["def f(x):\n    return x + 1\n", "for i in y:\n    print(i, j)\n", "a = 1"])
    exact, found = directed_scores(tight, texts), directed_scores(loose, texts)
    assert (exact.lower == exact.upper).all()
    assert (found.lower < found.upper).any()
    assert (found.lower <= exact.values).all()
    assert (exact.values <= found.upper).all()
    both = found.both_ways()
    assert (both.lower == (found.lower + found.lower.T) / 2).all()
    assert (found.taken([2, 0]).upper == found.upper[np.ix_([2, 0], [2, 0])]).all()
