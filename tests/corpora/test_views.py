from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.corpora.small import contest

from codekin import CodekinError
from codekin.corpora.checking import check_corpus
from codekin.corpora.corpus import Corpus
from codekin.corpora.labelled_pairs import Pairs
from codekin.corpora.snippets import Role, Snippet
from codekin.corpora.views import VIEWS, rotate_corpus, split_corpus


def sides(corpus, key):
    found = {}
    for one in corpus.snippets:
        found.setdefault(key(one), set()).add(one.side)
    return found


def test_random_sides_have_the_sizes_of_the_paper():
    bare = Corpus("many", tuple(Snippet(str(i), "c", "") for i in range(9134)))
    counts = Counter(one.side for one in split_corpus(bare).snippets)
    assert counts == {"train": 7308, "validation": 913, "test": 913}


@given(
    view=st.sampled_from(VIEWS),
    seed=st.integers(0, 50),
    by=st.sampled_from(["groups", "snippets"]),
)
@settings(max_examples=12, deadline=None)
def test_no_view_has_what_it_forbids(view, seed, by):
    corpus = contest(authors=48)
    found = split_corpus(corpus, view, ratio=(1, 1, 1), by=by, seed=seed)
    if view in ("cross-project", "cross-all"):
        assert all(len(on) == 1 for on in sides(found, lambda one: one.project).values())
    if view in ("cross-functionality", "cross-all"):
        assert all(len(on) == 1 for on in sides(found, lambda one: one.functionality).values())
    if view != "cross-all":
        assert len(found) == len(corpus)
    assert check_corpus(found).sound
    again = split_corpus(corpus, view, ratio=(1, 1, 1), by=by, seed=seed)
    assert again.snippets == found.snippets


def test_sizes_count_where_they_should():
    sizes = {"a": 60, "b": 20, "c": 10, "d": 10}
    corpus = Corpus(
        "uneven",
        tuple(
            Snippet(f"{name}{i}", "c", f"int {name}{i};", (Role(name),))
            for name, size in sizes.items()
            for i in range(size)
        ),
    )
    found = split_corpus(corpus, "cross-functionality", ratio=(8, 1, 1), by="snippets")
    assert Counter(one.side for one in found.snippets) == {
        "train": 80,
        "validation": 10,
        "test": 10,
    }


def test_the_papers_preset_shares_functionalities_of_validation_and_test():
    found = split_corpus(contest(), "cross-functionality", preset="paper")
    on = sides(found, lambda one: one.functionality)
    assert sorted(map(len, on.values())) == [1, 1, 1, 1, 2, 2]
    assert sum(names == {"train"} for names in on.values()) == 4
    assert check_corpus(found).sound


def test_every_rotation_once():
    found = list(rotate_corpus(contest(), least=5))
    assert len(found) == 20
    halves = {
        frozenset(one.functionality for one in view.snippets if one.side == "train")
        for view in found
    }
    assert len(halves) == 20
    assert all(check_corpus(view).sound for view in found[:3])
    with pytest.raises(CodekinError, match="a rotation needs four"):
        list(rotate_corpus(contest(), least=13))
    with pytest.raises(CodekinError, match="only cross-functionality and cross-all"):
        list(rotate_corpus(contest(), "random"))


def with_copies() -> Corpus:
    corpus = contest()
    copied = [replace(one, id=f"{one.id}'", project="copier") for one in corpus.snippets[:30]]
    return replace(corpus, snippets=(*corpus.snippets, *copied))


@pytest.mark.parametrize("view", ["random", "cross-project"])
def test_copies_can_be_kept_on_one_side_or_dropped(view):
    corpus = with_copies()
    loose = check_corpus(split_corpus(corpus, view, ratio=(1, 1, 1)))
    assert sum(one.count for one in loose.leaks if "copy of a training" in one.kind) > 0
    for how in ("together", "drop"):
        found = split_corpus(corpus, view, ratio=(1, 1, 1), copies=how)
        check = check_corpus(found)
        assert sum(one.count for one in check.leaks if "copy of a training" in one.kind) == 0
        assert check.sound
    assert len(found) <= 72


def test_pairs_are_kept_where_both_snippets_are():
    corpus = contest()
    n = len(corpus)
    first, second = np.triu_indices(n, 1)
    pairs = Pairs(first.astype(np.int32), second.astype(np.int32), np.zeros(len(first), np.int8))
    found = split_corpus(replace(corpus, pairs=pairs), "random", ratio=(1, 1, 1))
    assert len(found.pairs) == 3 * (24 * 23 // 2)
    assert len(found.pairs.of_side("test")) == 24 * 23 // 2


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"view": "cross-projekt"}, "unknown view 'cross-projekt'; did you mean 'cross-project'"),
        ({"by": "size"}, "unknown by 'size'"),
        ({"ratio": (8, 1)}, "three positive numbers, such as 8:1:1, not 8:1"),
        ({"ratio": (1, 0, 1)}, "three positive numbers"),
        ({"copies": "no"}, "unknown copies"),
        ({"preset": "papers"}, "unknown preset 'papers'"),
    ],
)
def test_bad_arguments(arguments, problem):
    with pytest.raises(CodekinError, match=problem):
        split_corpus(contest(), **arguments)


def test_views_that_leave_a_side_empty_are_refused():
    one = contest(problems=1)
    with pytest.raises(CodekinError, match="has 1 functionality; to split by functionality"):
        split_corpus(one, "cross-functionality")
    with pytest.raises(CodekinError, match="leaves nothing for validation"):
        split_corpus(contest(problems=2), "cross-functionality")
    with pytest.raises(CodekinError, match="cross-all leaves"):
        split_corpus(contest(), "cross-all")
    bare = replace(one, snippets=tuple(replace(s, roles=()) for s in one.snippets))
    with pytest.raises(CodekinError, match="snippets have no functionality"):
        split_corpus(bare, "cross-functionality")
