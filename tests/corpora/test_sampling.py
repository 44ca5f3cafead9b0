from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.corpora.small import contest

from codekin import CodekinError
from codekin.corpora import sampling
from codekin.corpora.corpus import Corpus
from codekin.corpora.sampling import sample_pairs
from codekin.corpora.snippets import Role, Snippet
from codekin.corpora.views import split_corpus


def role_of(snippet: Snippet, functionality: str) -> str | None:
    """The kind of a snippet's role for a functionality; None also where it has none."""
    roles = (role for role in snippet.roles if role.functionality == functionality)
    return next((role.kind for role in roles), None)


def keys(pairs):
    return list(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True))


def roles() -> Corpus:
    """Two functionalities with examples, and tags of both kinds; one snippet has three roles."""
    kinds = ["example"] * 3 + ["tagged_true"] * 5 + ["tagged_false"] * 4
    snippets = [
        Snippet(f"{name}{i}", "java", f"{name}{i}", (Role(name, kind),))
        for name in ("2", "4")
        for i, kind in enumerate(kinds)
    ]
    both = (Role("2", "example"), Role("4", "example"))
    return Corpus("roles", (*snippets, Snippet("x", "java", "x", both)))


def expected_roles(corpus):
    """All labelled pairs by the definition, those with two labels left out."""
    found = {}
    for (i, one), (j, other) in combinations(enumerate(corpus.snippets), 2):
        labels = set()
        for a, b in ((one, other), (other, one)):
            for name in ("2", "4"):
                kinds = (role_of(a, name), role_of(b, name))
                if kinds[0] == "example" and kinds[1] in ("example", "tagged_true"):
                    labels.add(1)
                if kinds == ("example", "tagged_false"):
                    labels.add(0)
        if len(labels) == 1:
            found[i, j] = labels.pop()
    return found


def test_all_pairs_of_roles_are_those_of_the_definition():
    corpus = roles()
    pairs = sample_pairs(corpus).pairs
    assert dict(zip(keys(pairs), pairs.label.tolist(), strict=True)) == expected_roles(corpus)
    _, names = pairs.basis
    assert set(names) == {
        "example x example",
        "example x tagged true",
        "example x tagged false",
    }
    true_and_true = {
        (i, j)
        for (i, a), (j, b) in combinations(enumerate(corpus.snippets), 2)
        if {a.roles[0].kind, b.roles[0].kind} == {"tagged_true"}
    }
    assert not true_and_true & set(keys(pairs))


def test_negatives_across_functionalities():
    corpus = roles()
    pairs = sample_pairs(corpus, negatives="across").pairs
    across = [i for i, code in enumerate(pairs.basis[0]) if pairs.basis[1][code].startswith("oth")]
    assert across
    for i in across:
        one, other = (corpus.snippets[p] for p in (pairs.first[i], pairs.second[i]))
        assert not set(one.functionalities) & set(other.functionalities)
    assert len(set(keys(pairs))) == len(pairs)


def test_all_pairs_by_functionality():
    corpus = contest(authors=5)
    pairs = sample_pairs(corpus).pairs
    assert sorted(keys(pairs)) == list(combinations(range(30), 2))
    for (i, j), label in zip(keys(pairs), pairs.label.tolist(), strict=True):
        assert label == (corpus.snippets[i].functionality == corpus.snippets[j].functionality)


def test_snippets_with_two_functionalities_are_counted_once():
    both = (Role("a"), Role("b"))
    snippets = tuple(
        Snippet(str(i), "c", str(i), roles)
        for i, roles in enumerate([both, both, both, (Role("a"),), (Role("b"),), (Role("c"),)])
    )
    pairs = sample_pairs(Corpus("two", snippets)).pairs
    assert sorted(keys(pairs)) == list(combinations(range(6), 2))
    assert pairs.positives == 3 + 3 + 3


@given(
    size=st.integers(20, 900),
    rate=st.sampled_from([None, 0.05, 0.2, 0.5]),
    seed=st.integers(0, 5),
)
@settings(max_examples=40, deadline=None)
def test_samples_have_the_stated_size_and_rate(size, rate, seed):
    corpus = contest(authors=20)
    found = sample_pairs(corpus, size, rate=rate, seed=seed)
    pairs = found.pairs
    assert len(pairs) == size == len(set(keys(pairs)))
    natural = 6 * 190 / (120 * 119 / 2)
    assert pairs.positives == round(size * (natural if rate is None else rate))
    names = [corpus.snippets[i].functionality for i in pairs.first[pairs.label == 1]]
    spread = Counter(names).values()
    if pairs.positives >= 6:
        assert max(spread) - min(spread) <= 1
    again = sample_pairs(corpus, size, rate=rate, seed=seed).pairs
    assert np.array_equal(again.first, pairs.first)


def test_each_side_has_its_own_pairs():
    view = split_corpus(contest(), "random", ratio=(2, 1, 1))
    found = sample_pairs(view, {"train": 100, "test": 40})
    for side, count in (("train", 100), ("validation", 18 * 17 // 2), ("test", 40)):
        pairs = found.pairs.of_side(side)
        assert len(pairs) == count
        assert {view.snippets[i].side for one in keys(pairs) for i in one} == {side}


def test_large_corpora_are_never_listed_in_full():
    many = Corpus("many", tuple(Snippet(str(i), "c", "", (Role(str(i % 9)),)) for i in range(9000)))
    assert len(sample_pairs(many, 1000).pairs) == 1000
    with pytest.raises(CodekinError, match="has 40,495,500 pairs, and 20,000,000 are the most"):
        sample_pairs(many)


@pytest.mark.parametrize("size", [None, 300, 150])
def test_many_pairs_are_chosen_part_by_part(size, monkeypatch):
    monkeypatch.setattr(sampling, "_PART", 17)
    corpus = contest(authors=5)
    pairs = sample_pairs(corpus, size, rate=None if size is None else 0.05).pairs
    assert len(set(keys(pairs))) == len(pairs) == (size or 435)
    for (i, j), label in zip(keys(pairs), pairs.label.tolist(), strict=True):
        assert label == (corpus.snippets[i].functionality == corpus.snippets[j].functionality)


def test_parts_are_drawn_from_evenly(monkeypatch):
    monkeypatch.setattr(sampling, "_PART", 10)
    drawn = np.zeros(35, int)
    for seed in range(300):
        numbers = sampling._distinct(35, 14, np.random.default_rng(seed))
        assert (np.diff(numbers) > 0).all()
        drawn[numbers] += 1
    assert drawn.sum() == 300 * 14
    assert drawn.min() > 80
    assert drawn.max() < 160


@given(st.lists(st.sets(st.sampled_from("abc"), min_size=1), min_size=3, max_size=14))
@settings(max_examples=25, deadline=None)
def test_pairs_of_snippets_with_several_functionalities(kinds):
    snippets = [
        Snippet(str(i), "c", str(i), tuple(Role(name) for name in sorted(names)))
        for i, names in enumerate([*kinds, {"a", "b"}, {"a", "b", "c"}, {"d"}])
    ]
    pairs = sample_pairs(Corpus("several", tuple(snippets))).pairs
    assert sorted(keys(pairs)) == list(combinations(range(len(snippets)), 2))
    for (i, j), label in zip(keys(pairs), pairs.label.tolist(), strict=True):
        shared = set(snippets[i].functionalities) & set(snippets[j].functionalities)
        assert label == bool(shared)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"rate": 1.5}, "a rate is a number between 0 and 1"),
        ({"rule": "same"}, "unknown rule 'same'"),
        ({"negatives": "all"}, "unknown negatives"),
        ({"size": 2000, "rate": 0.5}, "has 396 clones, and 1,000 were asked for"),
    ],
)
def test_bad_arguments(arguments, problem):
    with pytest.raises(CodekinError, match=problem):
        sample_pairs(contest(), **arguments)


def test_one_functionality_has_no_other_pairs():
    with pytest.raises(CodekinError, match="has no pairs other than clones"):
        sample_pairs(contest(problems=1))
    bare = replace(contest(), snippets=tuple(replace(s, roles=()) for s in contest().snippets))
    with pytest.raises(CodekinError, match="the corpus has no clones"):
        sample_pairs(bare)
