from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codekin import CodekinError, Measure, Score, Source, measure, similarity_matrix
from codekin.groups.similarity_matrix import usual_threshold
from codekin.measures import measure_label

PROGRAMS = {
    "ann": "def area(r):\n    return 3.14 * r * r\n",
    "ben": "def area(x):\n    return 3.14 * x * x\n",
    "cid": "print(sorted(input().split()))\n",
    "dot": "print(sorted(raw_input().split()))\n",
    "eve": "def area(r):\n    return 3.14 * r * r\n",
}


def compared(programs=PROGRAMS, chosen="nes", **more):
    return similarity_matrix(programs, chosen, language="python", **more)


def test_every_pair_has_the_score_of_its_measure():
    found = compared(chosen="bleu")
    bleu = measure("bleu")
    for i, a in enumerate(found.names):
        for j, b in enumerate(found.names):
            expected = bleu.score(PROGRAMS[a], PROGRAMS[b], language="python").value
            assert found.values[i, j] == pytest.approx(1.0 if i == j else expected)
    assert not found.symmetric
    assert (found.values != found.values.T).any()
    assert found.inexact == 0


def test_what_is_alike_is_a_group_and_copies_are_named():
    found = compared()
    assert [group.members for group in found.groups] == [("ann", "eve", "ben"), ("cid", "dot")]
    assert found.copies == (("ann", "eve"),)
    assert found.automatic
    assert 0.3 < found.threshold < 0.9
    assert sorted(found.order) == list(range(5))
    assert {*found.order[:3]} == {0, 1, 4}
    assert found.measure == "nes"
    assert found.signature == measure("nes").signature()
    assert found.symmetric


def test_the_threshold_and_the_number_of_groups_can_be_asked_for():
    assert [len(group.members) for group in compared(threshold=1.0).groups] == [2, 1, 1, 1]
    assert [len(group.members) for group in compared(groups=1).groups] == [5]
    assert compared(groups=3).threshold is None
    assert not compared(threshold=0.2).automatic


def test_the_usual_threshold_lies_above_what_any_two_share():
    scores = np.full((20, 20), 0.3) + 0.7 * np.eye(20)
    assert usual_threshold(scores) == usual_threshold(np.ones((1, 1))) == 1.0
    scores[0, 1] = scores[1, 0] = 0.9
    pairs = scores[np.triu_indices(20, 1)]
    assert usual_threshold(scores) == pytest.approx(pairs.mean() + pairs.std())
    # Two families of ten: their deviation leads beyond what is alike.
    scores[:10, :10] = scores[10:, 10:] = 0.7
    assert usual_threshold(scores) == pytest.approx((0.3 * 100 + 0.7 * 90) / 190 / 2 + 0.35)


def test_of_two_directions_the_mean_makes_pairs_and_groups():
    found = compared(chosen="bleu")
    mean = (found.values + found.values.T) / 2
    pairs = list(found.pairs())
    assert len(pairs) == 10
    for pair in pairs:
        assert pair.value == mean[pair.first, pair.second]
        assert pair.first < pair.second
    assert [pair.value for pair in pairs] == sorted((p.value for p in pairs), reverse=True)
    assert [*found.pairs(2)] == pairs[:2]
    assert found.linkage[0, 2] == pytest.approx(1 - pairs[0].value)


@dataclass(frozen=True, kw_only=True, repr=False)
class Loose(Measure):
    """A measure that is not sure of some texts."""

    name: ClassVar[str] = "loose"
    summary: ClassVar[str] = "within bounds"
    symmetric: ClassVar[bool] = True

    def _pair(self, candidate: Source, reference: Source) -> Score:
        if "bad" in candidate.text:
            raise CodekinError("no bad texts")
        longer = max(len(candidate.text), len(reference.text))
        value = 1 / longer
        loose = "raw" in candidate.text + reference.text
        bounds = (value, value + 0.25) if loose else None
        return Score(self, value, {}, candidate, reference, bounds=bounds)


def test_bounds_are_kept_for_every_pair():
    found = compared(chosen=Loose())
    loose = found.lower != found.upper
    assert found.inexact == np.triu(loose, 1).sum() == 4
    assert (found.upper - found.lower)[loose] == pytest.approx(0.25)
    assert (found.lower == found.values).all()
    assert [pair.exact for pair in found.pairs()].count(False) == 4
    assert (found.values.diagonal() == found.upper.diagonal()).all()


def test_what_cannot_be_scored_is_listed_and_the_rest_goes_on():
    found = compared({**PROGRAMS, "bob": "bad"}, Loose(), unusable={"zoe": "is empty"})
    assert found.failures == (("bob", "no bad texts"), ("zoe", "is empty"))
    assert found.names == tuple(sorted(PROGRAMS))


def test_programs_that_do_not_parse_are_named_if_the_measure_parses_them():
    broken = {**PROGRAMS, "zoe": "def area(:\n    return"}
    found = compared(broken, "tsed")
    assert found.unparsed == ("zoe",)
    assert "1 file has places that do not parse: zoe" in found.notes()
    assert compared(broken, "nes").unparsed == ()


def test_without_two_usable_texts_nothing_is_said_about_similarity():
    neither = similarity_matrix(["x=1", "x=2"])  # in which language?
    assert neither.notes()[0] == "no groups: no file could be used"
    single = similarity_matrix({"a": Source("x = 1", "python"), "b": "x=2"})
    assert single.notes()[0] == "no groups: only 1 file could be used"


@settings(max_examples=15)
@given(st.permutations(sorted(PROGRAMS)))
def test_the_order_that_programs_are_given_in_changes_nothing(names):
    one, other = compared(), compared({name: PROGRAMS[name] for name in names})
    assert one.names == other.names
    assert (one.values == other.values).all()
    assert one.groups[1] == other.groups[1]
    assert one.order == other.order


def test_progress_is_told_of_pairs_that_differ():
    told: list[tuple[int, int]] = []
    compared(chosen="tsed", workers=0, report=lambda *of: told.append(of))
    assert told == [(1, 6), (3, 6), (6, 6)]  # of the four texts that differ


def test_a_sequence_is_numbered_and_languages_may_differ():
    sources = [Source("int f() { return 1; }", "c"), "def f():\n    return 1\n"] * 5
    found = similarity_matrix(sources, "tsed")
    assert found.names[:2] == ("01", "02")
    assert found.copies[0] == ("01", "03", "05", "07", "09")
    assert "tree-sitter-c-" in found.signature
    assert "tree-sitter-python-" in found.signature
    assert "references" not in found.signature


def test_one_and_none():
    alone = compared({"a": "x"})
    assert alone.values.tolist() == [[1.0]]
    assert math.isnan(alone.groups[0].similarity)
    assert compared({}).groups == ()
    assert list(compared({}).pairs()) == []


@pytest.mark.parametrize(
    ("chosen", "more", "message"),
    [
        ("ed", {}, "ed is a distance; use a similarity"),
        ("es-token", {}, "es-token compares revisions of one file and needs their origin"),
        ("nothing", {}, "unknown measure 'nothing'"),
        ("nes", {"threshold": 2}, "from 0 to 1"),
        ("nes", {"groups": 9}, "9 groups cannot be made of 5 programs"),
        ("nes", {"groups": 2, "threshold": 0.5}, "not both"),
    ],
)
def test_what_makes_no_sense_is_refused(chosen, more, message):
    with pytest.raises(CodekinError, match=message):
        compared(chosen=chosen, **more)


def test_the_measure_is_kept():
    assert compared().compared_by == measure("nes")
    assert measure_label(compared().compared_by) == "nes"


def test_a_page_of_less_than_two_programs_has_no_heatmap() -> None:
    page = similarity_matrix({"a": "x = 1"}, "nes", language="python").to_html()
    assert page.startswith("<!doctype html>")
    assert "only 1 file could be used" in page
