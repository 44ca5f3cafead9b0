"""Planted measures get the verdicts that they deserve."""

from __future__ import annotations

import math

import pytest
from tests.evaluation.adequacy.planted import planted

from codekin import CodekinError
from codekin.evaluation.adequacy import (
    CRITERIA,
    AdequacyJudgement,
    MeasureAdequacy,
    chosen_criteria,
    judge_adequacy,
    made_languages,
)

NAMES = [
    "one",
    "zero",
    "rewards_nothing_done",
    "edits_as_bags",
    "left_hand_side_counts",
    "additions_alone",
    "longer_is_better",
    "bleu",
    "nes",
    "length",
    "ed",
    "exact",
]


def judged(*names: str, criteria: tuple[str, ...] | None = None, cases: int = 30, seed: int = 0):
    return judge_adequacy(
        planted(*names),
        chosen_criteria(criteria),
        cases=cases,
        seed=seed,
        languages=made_languages(),
        programs={},
    )


@pytest.fixture(scope="module")
def judgement() -> AdequacyJudgement:
    return judged(*NAMES)


@pytest.fixture(scope="module")
def verdicts(judgement) -> dict[str, MeasureAdequacy]:
    return dict(zip(NAMES, judgement.measures, strict=True))


def broken(one: MeasureAdequacy) -> set[str]:
    return {verdict.criterion.name for verdict in one.verdicts if verdict.broken}


def always_broken(one: MeasureAdequacy) -> set[str]:
    return {verdict.criterion.name for verdict in one.verdicts if verdict.share == 1}


def test_every_criterion_can_fail_and_can_hold(judgement) -> None:
    failed = set().union(*map(broken, judgement.measures))
    held = {
        v.criterion.name for one in judgement.measures for v in one.verdicts if str(v) == "holds"
    }
    assert failed == set(CRITERIA)
    assert held == set(CRITERIA)


def test_a_measure_of_edits_keeps_the_first_four_properties_and_is_symmetric(verdicts) -> None:
    # It takes no comments for blanks, no two names for one, and no two functions for one.
    assert broken(verdicts["edits_as_bags"]) == {"5c", "5e", "5f", "5g"}
    assert always_broken(verdicts["edits_as_bags"]) == {"5c", "5e", "5f", "5g"}


def test_an_unknown_criterion_is_named(judgement) -> None:
    [first, *_] = judgement.measures
    assert first["5c"].criterion.name == "5c"
    with pytest.raises(CodekinError, match="no criterion 'c5'"):
        first["c5"]


def test_a_constant_tells_nothing(verdicts) -> None:
    assert always_broken(verdicts["one"]) == {"1b", "1c", "2a", "2b", "2c", "3d", "4", "5a"}
    assert broken(verdicts["one"]) == always_broken(verdicts["one"])
    # Nothing lies below 0, so that an extra edit cannot lower it.
    assert broken(verdicts["zero"]) == {"1a", "1b", "1c", "3e", "4", "5a"}


def test_a_measure_that_rewards_doing_nothing(verdicts) -> None:
    found = verdicts["rewards_nothing_done"]
    assert {"1a", "1b", "3d"} <= broken(found)
    assert found["3d"].share == found["1a"].share == 1
    assert str(found["3e"]) == "holds"


def test_what_the_paper_says_of_each_kind(verdicts) -> None:
    for pairwise in ("bleu", "nes"):
        assert {"2b", "2c", "3a", "3b", "3c", "3d", "4"} <= broken(verdicts[pairwise])
        assert verdicts[pairwise]["4"].share == 1
        assert str(verdicts[pairwise]["1a"]) == "holds"
    assert {"2b", "2d"} <= broken(verdicts["left_hand_side_counts"])
    assert "1c" in broken(verdicts["additions_alone"])
    assert not broken(verdicts["additions_alone"]) & {"3a", "3b", "3c"}


def test_lengths_alone_are_found_out(verdicts) -> None:
    assert {"1b", "2b", "2c", "3a", "3d", "4"} <= broken(verdicts["length"])
    assert "6" in broken(verdicts["longer_is_better"])


def test_a_distance_is_not_asked_for_scores_from_0_to_1(verdicts) -> None:
    found = verdicts["ed"]
    unasked = {v.criterion.name for v in found.verdicts if v.word == "does not apply"}
    assert unasked == {name for name, one in CRITERIA.items() if one.bounded}
    assert "distance" in (found["3d"].reason or "")
    assert math.isnan(found["3d"].share)
    assert str(found["1a"]) == str(found["1b"]) == str(found["3a"]) == "holds"
    assert found["4"].share == 1


def test_counts_add_up_and_counter_examples_are_broken(judgement) -> None:
    for one in judgement.measures:
        for verdict in one.verdicts:
            assert sum(split.cases for split in verdict.by_level) == verdict.cases
            assert sum(split.broken for split in verdict.by_language) == verdict.broken
            assert (verdict.counter_example is None) == (verdict.broken == 0)
            if verdict.cases:
                assert verdict.interval.low <= verdict.share <= verdict.interval.high
            if verdict.counter_example is not None and not one.distance:
                example = verdict.counter_example
                assert not verdict.criterion.kept(example.values, example.case)


def test_counter_examples_are_tiny(verdicts) -> None:
    for name, most in {"3d": 6, "4": 14, "2b": 12, "3a": 24}.items():
        example = verdicts["bleu"][name].counter_example
        assert example is not None
        assert example.case.size <= most, name


def test_the_same_seed_gives_the_same_judgement_and_another_does_not() -> None:
    names, few = ("bleu", "edits_as_bags"), ("1b", "2b", "3c", "5b")
    first, again = judged(*names, criteria=few), judged(*names, criteria=few)
    assert first == again
    assert judged(*names, criteria=few, seed=1) != first


def test_what_cannot_be_scored_is_counted_and_not_held_against_it() -> None:
    found = judged("never_scores", criteria=("1a",), cases=7).measures[0]["1a"]
    assert (found.cases, found.broken, found.failed, found.word) == (0, 0, 7, "does not apply")
    assert found.reason == "not scored: RuntimeError: out of order"
