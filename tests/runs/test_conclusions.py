from __future__ import annotations

import math

import pytest

from codekin.results import UNKNOWN, Interval
from codekin.runs.conclusions import Difference, conclude_pair


def difference(
    name: str,
    value: float,
    p: float,
    *,
    distance: bool = False,
    differing: int = 40,
    pairs: int = 83,
    corpus_p: float | None = None,
) -> Difference:
    interval = Interval(value - 0.02, value + 0.02)
    return Difference(name, distance, value, interval, p, differing, pairs, corpus_p)


def test_the_better_system_comes_first_whichever_it_is() -> None:
    up, down = difference("es", 0.031, 0.002), difference("es", -0.031, 0.002)
    assert conclude_pair("A", "B", [up], 0.95)[0] == (
        "B scores higher than A on es by 0.031 (95 % 0.011 to 0.051), p = 0.002."
    )
    assert conclude_pair("A", "B", [down], 0.95)[0] == (
        "A scores higher than B on es by 0.031 (95 % 0.011 to 0.051), p = 0.002."
    )


def test_measures_that_do_not_distinguish_are_named() -> None:
    found = [difference("es", 0.03, 0.002), difference("bleu", 0.01, 0.3), difference("kin", 0, 1)]
    assert conclude_pair("A", "B", found, 0.95)[0].endswith(
        "; bleu and kin do not distinguish them."
    )


def test_a_smaller_distance_is_better() -> None:
    found = [difference("ed", -10.6, 0.01, distance=True)]
    assert conclude_pair("A", "B", found, 0.95)[0] == (
        "B has a smaller distance than A on ed by 10.60 (95 % 10.58 to 10.62), p = 0.010."
    )
    both = [difference("es", 0.03, 0.002), *found]
    sentences = conclude_pair("A", "B", both, 0.95)
    assert "p = 0.002, and has the smaller distance on ed by 10.60" in sentences[0]
    assert not any("disagree" in one for one in sentences)


def test_measures_that_disagree_are_warned_of() -> None:
    found = [difference("es", 0.03, 0.002), difference("bleu", -0.05, 0.001)]
    sentences = conclude_pair("A", "B", found, 0.95)
    assert sentences[0].startswith("B scores higher than A on es")
    assert sentences[1].startswith("A scores higher than B on bleu by 0.050")
    assert sentences[2].startswith("The measures disagree: B is ahead by es, A by bleu.")


def test_no_difference_is_not_called_equality() -> None:
    found = [difference("es", 0.03, 0.2), difference("bleu", -0.05, 0.5)]
    [first, *_] = conclude_pair("A", "B", found, 0.95)
    assert first.startswith("None of 2 measures distinguishes A and B in 83 pairs")
    assert "smallest p = 0.200" in first
    assert "does not show that they are alike" in first
    [first, *_] = conclude_pair("A", "B", found[:1], 0.95)
    assert first.startswith("es does not distinguish A and B in 83 pairs (p = 0.200). That")


def test_differences_that_only_the_correction_hides_are_counted() -> None:
    found = [
        Difference(name, False, 0.1, Interval(0.01, 0.2), 0.12, 9, 60, own_p=own)
        for name, own in (("nes", 0.03), ("bleu", 0.04), ("kin", 0.2))
    ]
    first = conclude_pair("a", "b", found, 0.95)[0]
    assert (
        "(smallest p = 0.120); 2 would alone, but not after the correction for 3 measures, "
        "which the intervals lack. That does not show"
    ) in first


def test_the_same_scores_are_said_to_be_the_same() -> None:
    found = [difference(name, 0.0, 1.0, differing=0, pairs=3) for name in ("es", "bleu")]
    assert conclude_pair("A", "B", found, 0.95) == [
        "A and B have the same scores in each of the 3 pairs, by es and bleu."
    ]


def test_many_differences_are_counted_first_and_then_spelled() -> None:
    found = [difference(f"m{i}", 0.03, 0.002) for i in range(7)]
    first, second, *_ = conclude_pair("A", "B", [*found, difference("x", 0, 1)], 0.95)
    assert first == "B scores better than A on 7 of 8 measures; x does not distinguish them."
    assert second.count("(95 % ") == 7


@pytest.mark.parametrize("level", [0.9, 0.99])
def test_the_level_decides_what_is_significant(level) -> None:
    [first, *_] = conclude_pair("A", "B", [difference("es", 0.03, 0.05)], level)
    assert ("scores higher" in first) == (level == 0.9)


def test_nothing_is_concluded_from_nothing() -> None:
    nothing = Difference("es", False, math.nan, UNKNOWN, math.nan, 0, 0)
    [said] = conclude_pair("A", "B", [nothing], 0.95)
    assert said.startswith("A and B cannot be compared")


def test_few_pairs_and_the_limits_of_scores_are_said() -> None:
    sentences = conclude_pair("A", "B", [difference("es", 0.03, 0.2, pairs=12)], 0.95)
    assert "12 pairs can show only large differences." in sentences
    assert "not proof of better code" in sentences[-1]


def test_a_corpus_that_says_something_else_is_mentioned() -> None:
    found = [
        difference("bleu", 0.03, 0.2, corpus_p=0.01),
        difference("chrf", 0.03, 0.01, corpus_p=0.3),
        difference("kin", 0.03, 0.01, corpus_p=0.02),
    ]
    sentences = conclude_pair("A", "B", found, 0.95)
    told = [one for one in sentences if "corpus" in one]
    assert told == [
        "That is by the means of rows; over all rows as one corpus, bleu (p = 0.010) distinguishes "
        "them.",
        "That is by the means of rows; over all rows as one corpus, chrf (p = 0.300) does not "
        "distinguish them.",
    ]
    assert "kin" not in "".join(told)
