from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.corpora.judges import paired
from tests.corpora.small import contest

from codekin import CodekinError
from codekin.corpora.judging import _even, judging_sample


def ends(sample) -> list[frozenset[str]]:
    return [frozenset((one.first.id, one.second.id)) for one in sample.pairs]


def test_pairs_are_drawn_once_and_belong_to_the_corpus() -> None:
    corpus = paired()
    sample = judging_sample(corpus, 40, seed=3)
    assert len(set(ends(sample))) == len(sample) == 40
    assert sample.strata[0].pairs == 66
    assert sample.strata[0].claimed == 18
    known = {
        frozenset((corpus.snippets[a].id, corpus.snippets[b].id)): int(label)
        for a, b, label in zip(
            corpus.pairs.first, corpus.pairs.second, corpus.pairs.label, strict=True
        )
    }
    assert [known[one] for one in ends(sample)] == [one.label for one in sample.pairs]


def test_the_seed_decides_the_draw() -> None:
    corpus = paired()
    one, again, other = (judging_sample(corpus, 30, seed=seed) for seed in (1, 1, 2))
    assert one == again
    assert one.fingerprint == again.fingerprint != other.fingerprint
    assert ends(one) != ends(other)


def test_neither_the_order_nor_the_side_gives_a_label_away() -> None:
    """Over many seeds, half of the clones come early, and half of the first ids on the left."""
    corpus = paired()
    early = turned = clones = 0
    for seed in range(200):
        sample = judging_sample(corpus, 66, seed=seed)
        places = [i for i, one in enumerate(sample.pairs) if one.label == 1]
        early += sum(i < 33 for i in places)
        clones += len(places)
        turned += sum(
            corpus.places[one.first.id] > corpus.places[one.second.id] for one in sample.pairs
        )
    assert 0.46 < early / clones < 0.54
    assert 0.48 < turned / (200 * 66) < 0.52


def test_labels_do_not_change_the_draw() -> None:
    rows = [{"id1": f"sum/{i}", "id2": f"max/{j}"} for i in range(4) for j in range(4)]
    labelled = [row | {"label": i % 2} for i, row in enumerate(rows)]
    assert ends(judging_sample(paired(rows), 9)) == ends(judging_sample(paired(labelled), 9))


def test_every_stratum_gives_the_same_number() -> None:
    sample = judging_sample(paired(), 30, by="basis")
    assert [one.name for one in sample.strata] == ["count", "max", "sum"]
    assert [one.pairs for one in sample.strata] == [6, 22, 38]
    assert Counter(one.stratum for one in sample.pairs) == {0: 6, 1: 12, 2: 12}
    assert all(one.basis == sample.strata[one.stratum].name for one in sample.pairs)


def test_pairs_without_a_type_are_a_stratum_of_their_own() -> None:
    sample = judging_sample(paired(), 12, by="type")
    assert [(one.name, one.pairs, one.claimed) for one in sample.strata] == [
        ("T2", 15, 15),
        ("MT3", 3, 3),
        ("(none)", 48, 0),
    ]
    assert Counter(one.stratum for one in sample.pairs) == {0: 5, 1: 3, 2: 4}
    labels = judging_sample(paired(), 12, by="label")
    assert [(one.name, one.pairs) for one in labels.strata] == [("clone", 18), ("no clone", 48)]
    assert all(one.label == 1 - one.stratum for one in labels.pairs)


@given(st.lists(st.integers(1, 50), min_size=1, max_size=8), st.integers(1, 200))
def test_shares_are_as_even_as_the_sizes_allow(sizes, total) -> None:
    shares = _even(sizes, total)
    assert sum(shares) == min(total, sum(sizes))
    assert all(share <= size for share, size in zip(shares, sizes, strict=True))
    unfilled = [share for share, size in zip(shares, sizes, strict=True) if share < size]
    if unfilled:
        assert max(shares) - min(unfilled) <= 1


def test_repeated_pairs_and_a_snippet_with_itself() -> None:
    rows = [("sum/0", "sum/1"), ("sum/1", "sum/0"), ("sum/2", "sum/2"), ("max/0", "sum/3")]
    sample = judging_sample(paired([{"id1": a, "id2": b} for a, b in rows]), 10)
    assert set(ends(sample)) == {frozenset(rows[0]), frozenset(rows[3])}
    assert sample.notes == (
        "1 pair repeated, and counted once",
        "1 pair of a snippet with itself left out",
        "10 pairs were asked for, and there are 2",
    )
    assert {one.label for one in sample.pairs} == {None}
    assert sample.strata[0].claimed == 2


def test_a_claim_in_words() -> None:
    claims = {one.claim for one in judging_sample(paired(), 66).pairs}
    assert {"clone, T2, sum", "no clone, max"} <= claims
    assert judging_sample(paired([{"id1": "sum/0", "id2": "sum/1"}]), 1).pairs[0].claim == "nothing"


def test_the_fingerprint_depends_on_texts() -> None:
    sample = judging_sample(paired(), 5)
    first = replace(sample.pairs[0], first=replace(sample.pairs[0].first, code="other"))
    assert replace(sample, pairs=(first, *sample.pairs[1:])).fingerprint != sample.fingerprint


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"size": 0}, "1 to 2,000 pairs, not 0"),
        ({"size": 2001}, "1 to 2,000 pairs, not 2,001"),
        ({"seed": -1}, "seed must be 0 or more"),
        ({"by": "typ"}, "unknown strata 'typ'; did you mean 'type'"),
    ],
)
def test_what_cannot_be_drawn(settings, problem) -> None:
    with pytest.raises(CodekinError, match=problem):
        judging_sample(paired(), **settings)


def test_a_corpus_without_pairs_or_strata() -> None:
    with pytest.raises(CodekinError, match="contest: has no pairs to judge; name a file"):
        judging_sample(contest())
    with pytest.raises(CodekinError, match="its pairs have no type; codekin corpus type"):
        judging_sample(paired([{"id1": "sum/0", "id2": "sum/1"}]), by="type")
    with pytest.raises(CodekinError, match="only pairs of a snippet with itself"):
        judging_sample(paired([{"id1": "sum/0", "id2": "sum/0"}]))
