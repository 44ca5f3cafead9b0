"""Excision against several references at once."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest import approx

from codekin import Source, measure
from codekin.measures.excised import Units, excise
from codekin.measures.excision import excise_jointly

words = st.lists(st.sampled_from("abcd"), max_size=9).map(" ".join)
SPLIT = Units(tokens="split")


def joint(candidate, references, origin, name="es-token", **parameters):
    one = measure(name, join="joint", **parameters)
    return one.score(candidate, origin=origin, references=references, language="python")


@settings(max_examples=80, deadline=None)
@given(words, words, words)
def test_one_reference_leaves_what_the_regions_hold(candidate, reference, origin):
    sources = [Source(text, "python") for text in (candidate, reference, origin)]
    left = excise(*sources, SPLIT)
    before, mine, (theirs,) = excise_jointly(sources[0], (sources[1],), sources[2], SPLIT)
    assert before.tolist() == left.remainder(left.origin, 4).tolist()
    assert mine.tolist() == left.remainder(left.candidate, 2).tolist()
    assert theirs.tolist() == left.remainder(left.reference, 0).tolist()


@settings(max_examples=80, deadline=None)
@given(words, st.lists(words, min_size=2, max_size=3), words)
def test_the_remainders_have_as_many_regions_and_equal_references_change_nothing(
    candidate, references, origin
):
    sources = [Source(text, "python") for text in references]
    ends = Source(candidate, "python"), Source(origin, "python")
    before, mine, pool = excise_jointly(ends[0], tuple(sources), ends[1], SPLIT)
    breaks = {(ids == 0).sum() for ids in (before, mine, *pool)}
    assert len(breaks) == 1
    twice = excise_jointly(ends[0], (sources[0], sources[0]), ends[1], SPLIT)
    once = excise_jointly(ends[0], (sources[0],), ends[1], SPLIT)
    assert twice[1].tolist() == once[1].tolist()
    # Every unit of a text is in a region or shared by all: so many are excised from each.
    texts = (origin, candidate, *references)
    excised = {
        len(text.split()) - (ids != 0).sum()
        for text, ids in zip(texts, (before, mine, *pool), strict=True)
    }
    assert len(excised) == 1


@pytest.mark.parametrize("name", ["es-token", "es-line"])
def test_a_candidate_may_take_something_of_each_reference(name):
    origin = "a = 1\nkeep()\nb = 2\n"
    references = [origin.replace("1", "x"), origin.replace("2", "y")]
    both = origin.replace("1", "x").replace("2", "y")
    pooled = joint(both, references, origin, name).value
    best = measure(name).score(both, origin=origin, references=references, language="python").value
    assert best < pooled < 1
    assert joint(references[1], references, origin, name).value == 1.0
    assert "join:joint|python|references:2|" in joint(both, references, origin, name).signature


def test_an_empty_text_is_an_edit_like_another():
    assert joint("", ["a", ""], "a b").value == 1.0
    assert joint("a", ["a", "a"], "a").value == 1.0
    alone = measure("es-token").score("a", "", "a b", language="python").value
    assert joint("a", ["", ""], "a b").value == approx(alone)
    # Nothing of what the references add and keep; of the 1-, 2- and 3-grams that it deletes, they
    # delete 2 of 6, 3 of 4 and 2 of 2: F1 is 1/2, 6/7 and 1.
    assert joint("", ["a", "b"], "a b").value == approx((1 / 2 + 6 / 7 + 1) / 3 / 3)


def test_idleness_is_rewarded_where_references_edit_different_places():
    origin = "a = 1\nb = 2\n"
    references = ["a = 3\nb = 2\n", "a = 1\nb = 4\n"]
    assert joint(origin, references, origin).value == approx(2 / 9)
    best = measure("es-token").score(
        origin, origin=origin, references=references, language="python"
    )
    assert best.value == 0.0


def test_an_explanation_is_about_the_likest_reference():
    origin = "a = 1\nb = 2\n"
    score = joint("a = 3\nb = 2\n", ["a = 1\nb = 4\n", "a = 3\nb = 5\n"], origin)
    assert score.pair[1].text == "a = 3\nb = 5\n"
    assert dict(score.explain().details)["both add"] == "3"
