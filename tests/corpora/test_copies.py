from __future__ import annotations

import random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein
from tests.corpora.small import contest, program

from codekin.corpora.copies import find_copies
from codekin.corpora.snippets import Snippet


def snippets(texts):
    return [Snippet(str(i), "c", text) for i, text in enumerate(texts)]


def groups_of(marks):
    return sorted(np.flatnonzero(marks == mark).tolist() for mark in set(marks.tolist()))


def slow_groups(words, least=15):
    """Connected components of near copies, by comparing all pairs."""
    roots = list(range(len(words)))

    def root(i):
        return i if roots[i] == i else root(roots[i])

    for i, one in enumerate(words):
        for j in range(i):
            long, short = sorted((len(one), len(words[j])), reverse=True)
            near = short >= least and 10 * Levenshtein.distance(one, words[j]) <= long
            if near or one == words[j]:
                roots[max(root(i), root(j))] = min(root(i), root(j))
    found = np.array([root(i) for i in range(len(words))])
    return groups_of(found)


@given(st.integers(0, 10**9))
@settings(max_examples=60, deadline=None)
def test_near_copies_are_those_that_all_pairs_have(seed):
    chance = random.Random(seed)
    words = [f"w{i}" for i in range(chance.choice((2, 8, 60)))]
    texts = []
    for _ in range(chance.randrange(12)):
        if texts and chance.random() < 0.7:
            text = list(chance.choice(texts))
            for _ in range(chance.randrange(1 + len(text) // 7 + 1)):
                at = chance.randrange(len(text) + 1)
                text[at : at + chance.randrange(2)] = chance.choices(words, k=chance.randrange(2))
        else:
            text = chance.choices(words, k=chance.randrange(60))
        texts.append(text)
    found = find_copies(snippets([" ".join(text) for text in texts]))
    assert groups_of(found.near) == slow_groups(texts)


def test_layout_and_comments_do_not_count():
    one = program("sum", 1)
    found = find_copies(snippets([one, one.replace(" ", "\n\t"), one + " // again", "int x;"]))
    assert found.exact.tolist() == [0, 0, 0, 1]
    assert found.exact_copies == 3
    assert [one.tolist() for one in found.groups()] == [[0, 1, 2]]


def test_short_texts_are_copies_only_if_equal():
    found = find_copies(snippets(["int x = 1;", "int x = 2;", "int  x = 1;"]))
    assert found.near.tolist() == [0, 1, 0]


def test_different_programs_are_no_copies():
    found = find_copies(contest().snippets)
    assert found.near_copies == 0
    assert len(set(found.near.tolist())) == 72


def test_empty_and_broken_texts():
    found = find_copies(snippets(["", " \n", "/* open", '"open', "\x00", "}}}}"]))
    assert found.exact[0] == found.exact[1]
    assert find_copies([]).groups() == []
    assert find_copies([]).exact_copies == 0
