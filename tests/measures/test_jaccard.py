import textdistance
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx

from codekin import measure

words = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=12).map(" ".join)


@given(words, words, st.booleans(), st.integers(1, 3))
def test_compat_equals_textdistance(a, b, as_set, qval):
    peer = textdistance.Jaccard(qval=qval, as_set=as_set, external=False)
    ours = measure("jaccard", compat="textdistance", as_set=as_set, qval=qval, unit="chars")
    try:
        expected = peer(a, b)
    except ZeroDivisionError:  # neither text has an n-gram; ours is documented to be 0
        expected = 0.0
    assert ours.score(a, b).value == approx(expected, abs=1e-12)
    if qval == 1:
        by_words = measure("jaccard", compat="textdistance", as_set=as_set)
        assert by_words.score(a, b).value == approx(peer(a.split(), b.split()), abs=1e-12)


@given(words, words, st.booleans(), st.integers(1, 3))
def test_the_default_is_the_definition(a, b, multiset, n):
    from collections import Counter

    bags = []
    for text in (a, b):
        items = text.split()
        bag = Counter(zip(*(items[i:] for i in range(n)), strict=False))
        bags.append(bag if multiset else Counter(set(bag)))
    together = sum((bags[0] | bags[1]).values())
    value = measure("jaccard", tokens="split", multiset=multiset, n=n).score(a, b).value
    if together:
        assert value == approx(sum((bags[0] & bags[1]).values()) / together)
    else:
        assert value == float(a.split() == b.split())


def test_tokens_of_code_without_comments():
    score = measure("jaccard").score("f(a) # one", "f(b) # two", language="python")
    assert score.parts == {"shared": 4, "together": 6}


def test_empty_texts():
    jaccard = measure("jaccard")
    assert jaccard.score("", "# nothing", language="python").value == 1.0
    assert jaccard.score("", "x", language="python").value == 0.0
