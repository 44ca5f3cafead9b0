"""Planted leaks of every kind, each of which must be found."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.corpora.small import contest

from codekin.corpora.checking import check_corpus
from codekin.corpora.labelled_pairs import Pairs
from codekin.corpora.sampling import sample_pairs
from codekin.corpora.snippets import Role
from codekin.corpora.views import SIDES, split_corpus
from codekin.results import share_text


def found(corpus):
    return {one.kind: one for one in check_corpus(corpus).leaks if one.count}


def moved(corpus, place, **changes):
    snippets = list(corpus.snippets)
    snippets[place] = replace(snippets[place], **changes)
    return replace(corpus, snippets=tuple(snippets))


@pytest.fixture(scope="module")
def view():
    return split_corpus(contest(authors=48), "cross-all", ratio=(1, 1, 1))


def first_of(corpus, side):
    return next(i for i, one in enumerate(corpus.snippets) if one.side == side)


def test_a_clean_view_has_no_leak(view):
    check = check_corpus(sample_pairs(view, 20))
    assert check.sound
    assert not [one for one in check.leaks if one.count]
    assert [one.name for one in check.sides] == list(SIDES)
    test = check.sides[2]
    assert 0 < test.unseen_words < 1
    assert test.rate == pytest.approx(check.sides[2].clones / test.pairs)


def test_a_project_on_two_sides(view):
    train = view.snippets[first_of(view, "train")]
    leaky = moved(view, first_of(view, "test"), project=train.project)
    leak = found(leaky)["project on two sides"]
    assert leak.forbidden
    assert leak.cases == (f"{train.project} (test, train)",)
    assert not check_corpus(leaky).sound


def test_a_functionality_on_two_sides(view):
    train = view.snippets[first_of(view, "train")]
    leaky = moved(view, first_of(view, "test"), roles=train.roles)
    assert found(leaky)["functionality on two sides"].forbidden
    lacking = (Role(train.functionality, "tagged_false"),)
    leaky = moved(view, first_of(view, "test"), roles=lacking)
    assert found(leaky)["functionality on two sides"].forbidden


def test_copies_in_training(view):
    train = view.snippets[first_of(view, "train")]
    place = first_of(view, "test")
    leaky = moved(view, place, code=train.code.replace(" ", "  "))
    assert found(leaky)["exact copy of a training snippet elsewhere"].count == 1
    assert check_corpus(leaky).sides[2].copied == 1
    near = train.code.replace("return", "n = n; return", 1)
    leaky = moved(view, place, code=near + "// longer")
    kinds = found(leaky)
    assert "exact copy of a training snippet elsewhere" not in kinds
    assert kinds["exact or near copy of a training snippet elsewhere"].cases == (
        view.snippets[place].id,
    )
    check = check_corpus(leaky)
    assert check.sides[2].near_copied == 1
    share = share_text(1 / check.sides[2].snippets)
    assert check.notes()[-1] == (
        f"1 of {check.sides[2].snippets} test snippets ({share}) have a copy in training: report "
        "every result with and without them"
    )


def test_copies_are_forbidden_where_they_were_kept_apart():
    view = split_corpus(contest(), "random", copies="together")
    train = view.snippets[first_of(view, "train")]
    leaky = moved(view, first_of(view, "test"), code=train.code)
    assert not check_corpus(leaky).sound


def with_pairs(corpus, first, second, label=None, side=None):
    pairs = Pairs(
        np.array(first, np.int32),
        np.array(second, np.int32),
        np.array(label or [0] * len(first), np.int8),
        side=None if side is None else (np.array([SIDES.index(s) for s in side], np.int8), SIDES),
    )
    return replace(corpus, pairs=pairs)


def test_a_snippet_in_pairs_of_two_sides():
    leaky = with_pairs(contest(), [0, 0], [1, 2], side=["train", "test"])
    leak = found(leaky)["snippet on two sides"]
    assert leak.forbidden
    assert leak.cases == ("sum/0 (test, train)",)


def test_a_pair_on_two_sides_and_listed_again():
    leaky = with_pairs(contest(), [0, 1], [1, 0], side=["train", "test"])
    kinds = found(leaky)
    assert kinds["pair on two sides"].cases == ("sum/0 and sum/1",)
    assert not kinds["pair listed again"].forbidden


def test_a_pair_with_two_labels():
    leaky = with_pairs(contest(), [0, 1], [1, 0], label=[1, 0])
    assert found(leaky)["pair with two labels"].forbidden


def test_a_snippet_paired_with_itself():
    assert found(with_pairs(contest(), [3], [3]))["snippet paired with itself"].count == 1


def test_a_pair_on_another_side_than_its_snippets(view):
    place = first_of(view, "test")
    leaky = with_pairs(view, [place], [place + 1], side=["train"])
    assert found(leaky)["pair on another side than its snippets"].forbidden


def test_contradicting_tags():
    corpus = contest()
    twice = (Role("sum", "tagged_true"), Role("sum", "tagged_false"))
    assert found(moved(corpus, 0, roles=twice))[
        "snippet tagged both as having a functionality and as lacking it"
    ].cases == ("sum/0 (sum)",)
    copied = moved(corpus, 1, code=corpus.snippets[0].code, roles=(Role("sum", "tagged_false"),))
    leak = found(copied)["group of exact copies with contradicting tags"]
    assert leak.cases == ("sum/0, sum/1 (sum)",)
