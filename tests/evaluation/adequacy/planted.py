"""Measures with known faults, by which the criteria are judged themselves."""

from __future__ import annotations

from collections import Counter

from codekin.evaluation.adequacy.case import words
from codekin.measures import Measure, adopt_measure, measure


def one(candidate: str, reference: str) -> float:
    return 1.0


def zero(candidate: str, reference: str) -> float:
    return 0.0


def rewards_nothing_done(candidate: str, reference: str, *, origin: str) -> float:
    return float(candidate == origin)


def edits_as_bags(candidate: str, reference: str, *, origin: str) -> float:
    """What was added and what was deleted, each as a bag of words: a measure without faults."""
    before, mine, theirs = (_bag(text) for text in (origin, candidate, reference))
    shares = []
    for own, other in ((mine - before, theirs - before), (before - mine, before - theirs)):
        total = own.total() + other.total()
        if total:
            shares.append(2 * (own & other).total() / total)
    return sum(shares) / len(shares) if shares else 1.0


def left_hand_side_counts(candidate: str, reference: str, *, origin: str) -> float:
    """All edits in one bag, signs left out, as in DiffBLEU."""
    before, mine, theirs = (_bag(text) for text in (origin, candidate, reference))
    own = (mine - before) + (before - mine)
    other = (theirs - before) + (before - theirs)
    total = own.total() + other.total()
    return 2 * (own & other).total() / total if total else 1.0


def additions_alone(candidate: str, reference: str, *, origin: str) -> float:
    """Blind to deletions, as SansLCS is."""
    before, mine, theirs = (_bag(text) for text in (origin, candidate, reference))
    own, other = mine - before, theirs - before
    total = own.total() + other.total()
    return 2 * (own & other).total() / total if total else 1.0


def longer_is_better(candidate: str, reference: str) -> float:
    return 1 - 1 / (1 + len(words(candidate)))


def never_scores(candidate: str, reference: str) -> float:
    raise RuntimeError("out of order")


def _bag(text: str) -> Counter[str]:
    return Counter(word for word in words(text) if word != "\n")


def planted(*names: str) -> list[Measure]:
    """Measures by the name of a function here, or of codekin's own."""
    here = globals()
    return [adopt_measure(here[name]) if name in here else measure(name) for name in names]
