"""Which labelled pairs train and test: those that were given, on their sides, and how many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from tests.corpora.small import contest

from codekin import CodekinError, Corpus, Snippet, check_corpus
from codekin.corpora.labelled_pairs import Pairs
from codekin.corpora.pair_use import pairs_for_training
from codekin.corpora.snippets import SIDES, Problems


def corpus(rows: Sequence[dict[str, object]], sides: dict[str, str] | None = None) -> Corpus:
    """A corpus of the snippets that some pairs name."""
    names = dict.fromkeys(str(row[end]) for row in rows for end in ("id1", "id2"))
    snippets = tuple(
        Snippet(name, "c", f"int f{i}(int a) {{ return a + {i}; }}", side=(sides or {}).get(name))
        for i, name in enumerate(names)
    )
    problems = Problems("pairs")
    pairs = Pairs.of_rows(rows, snippets, problems)
    problems.check()
    return Corpus("tiny", snippets, pairs)


def apart(count: int, **columns: object) -> list[dict[str, object]]:
    """Pairs that share no snippet; every second is a clone."""
    return [{"id1": f"a{i}", "id2": f"b{i}", "label": i % 2} | columns for i in range(count)]


def kept(made: Corpus) -> set[tuple[str, str, str]]:
    """The ids of each pair with its side."""
    assert made.pairs is not None and made.pairs.side is not None
    codes, names = made.pairs.side
    return {
        (made.snippets[first].id, made.snippets[second].id, names[code])
        for first, second, code in zip(
            made.pairs.first.tolist(), made.pairs.second.tolist(), codes.tolist(), strict=True
        )
    }


def test_pairs_stay_on_their_sides_and_snippets_take_theirs_from_them():
    sides = ("train", "train", "validation", "validation", "test", "test")
    rows = [row | {"side": side} for row, side in zip(apart(6), sides, strict=True)]
    made, use = pairs_for_training(corpus(rows), sizes={})
    assert kept(made) == {(f"a{i}", f"b{i}", side) for i, side in enumerate(sides)}
    assert [snippet.side for snippet in made.snippets] == [s for s in sides for _ in "ab"]
    assert (use.given, use.used, use.drawn, use.view) == (6, 6, False, "given")
    assert use.line() == (
        "6 labelled pairs given, all used: 2 train (50 % clones), 2 validation (50 % clones), "
        "2 test (50 % clones)"
    )
    assert not use.remarks


def test_pairs_without_a_label_or_a_side_are_counted():
    rows = [row | {"side": side} for row, side in zip(apart(3), SIDES, strict=True)]
    rows += [{"id1": "c", "id2": "d", "label": 1}, {"id1": "c", "id2": "e", "side": "train"}]
    _, use = pairs_for_training(corpus(rows), sizes={})
    assert (use.given, use.used) == (4, 3)
    assert use.remarks == ("1 pair without a label left out", "1 pair without a side left out")


def test_without_validation_some_training_pairs_choose_the_threshold():
    rows = [row | {"side": "train" if i < 40 else "test"} for i, row in enumerate(apart(60))]
    made, use = pairs_for_training(corpus(rows), sizes={})
    assert [(side.name, side.pairs) for side in use.sides] == [
        ("train", 36), ("validation", 4), ("test", 20)
    ]  # fmt: skip
    assert "no pairs of the side validation: 4 of the training pairs" in use.remarks[0]
    tested = {ids for *ids, side in map(list, kept(made)) if side == "test" for ids in [tuple(ids)]}
    assert tested == {(f"a{i}", f"b{i}") for i in range(40, 60)}


def test_pairs_that_share_no_snippet_are_all_used():
    made, use = pairs_for_training(corpus(apart(100)), sizes={})
    assert (use.used, use.view) == (100, "random")
    assert [side.pairs for side in use.sides] == [80, 10, 10]
    assert {pair[:2] for pair in kept(made)} == {(f"a{i}", f"b{i}") for i in range(100)}
    assert check_corpus(made).sound
    again, _ = pairs_for_training(corpus(apart(100)), sizes={})
    assert kept(again) == kept(made)
    other, _ = pairs_for_training(corpus(apart(100)), sizes={}, seed=1)
    assert kept(other) != kept(made)


def test_pairs_that_share_snippets_are_split_by_snippet():
    rows = [
        {"id1": f"s{i}", "id2": f"s{j}", "label": (i + j) % 2} for i in range(20) for j in range(i)
    ]
    made, use = pairs_for_training(corpus(rows), sizes={})
    assert use.given == 190 and 0 < use.used < 190
    assert use.remarks == (
        f"{190 - use.used} pairs left out: the view random puts their snippets on two sides",
    )
    assert check_corpus(made).sound
    labels = {frozenset((str(row["id1"]), str(row["id2"]))): row["label"] for row in rows}
    for first, second, label in zip(
        made.pairs.first, made.pairs.second, made.pairs.label, strict=True
    ):
        assert labels[frozenset((made.snippets[first].id, made.snippets[second].id))] == label


def test_a_view_that_is_asked_for_keeps_the_given_pairs():
    whole = contest(problems=8)
    generator = np.random.default_rng(0)
    first, second = generator.integers(0, len(whole), (2, 2000)).astype(np.int32)
    label = generator.integers(0, 2, 2000).astype(np.int8)  # nothing to do with functionality
    paired = replace(whole, pairs=Pairs(first, second, label))
    made, use = pairs_for_training(paired, "cross-functionality", sizes={})
    assert use.view == "cross-functionality" and not use.drawn and use.used < 2000
    given = {
        (whole.snippets[a].id, whole.snippets[b].id, c)
        for a, b, c in zip(first.tolist(), second.tolist(), label.tolist(), strict=True)
    }
    assert made.pairs is not None
    for a, b, c in zip(made.pairs.first, made.pairs.second, made.pairs.label, strict=True):
        assert (made.snippets[a].id, made.snippets[b].id, c) in given
        assert made.snippets[a].side == made.snippets[b].side


def test_sides_of_snippets_decide_where_pairs_have_none():
    sides = {"a0": "train", "b0": "train", "a1": "test", "b1": "train", "a2": "test", "b2": "test"}
    made, use = pairs_for_training(corpus(apart(3), sides), sizes={})
    assert kept(made) == {("a0", "b0", "train"), ("a2", "b2", "test")}
    assert use.remarks == ("1 pair left out: their snippets are on two sides, or on none",)


def test_a_size_takes_some_of_the_given_pairs():
    made, use = pairs_for_training(corpus(apart(100)), sizes={"train": 30})
    assert [side.pairs for side in use.sides] == [30, 10, 10]
    assert use.remarks == ("30 of 80 pairs of the side train, drawn at random (seed 0)",)
    assert {pair[:2] for pair in kept(made)} <= {(f"a{i}", f"b{i}") for i in range(100)}


def test_pairs_are_drawn_where_there_are_none_or_as_asked():
    whole = contest(problems=8)
    _, use = pairs_for_training(whole, sizes={"train": 50})
    assert use.drawn and use.given == 0 and use.sides[0].pairs == 50
    assert use.line().startswith("no labelled pairs given, ")
    ids = [snippet.id for snippet in whole.snippets[:4]]
    problems = Problems("")
    rows = [{"id1": ids[0], "id2": ids[1], "label": 1}, {"id1": ids[2], "id2": ids[3], "label": 0}]
    paired = replace(whole, pairs=Pairs.of_rows(rows, whole.snippets, problems))
    _, use = pairs_for_training(paired, sizes={"train": 50}, draw=True)
    assert use.drawn and use.given == 2
    assert use.line().startswith("2 labelled pairs given, ")


def test_nothing_to_draw_from():
    with pytest.raises(CodekinError, match="snippets of one functionality are clones"):
        pairs_for_training(replace(corpus(apart(40)), pairs=None), sizes={})
