"""Conclusions: what a comparison of systems says, in sentences, and how far to trust it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from codekin.results import Interval, count_text, number_text, percent_text

__all__ = ["Difference", "amount_text", "conclude_pair", "listed", "p_words", "trust"]

_MOST_SPELLED = 4
"""Differences that fit into one sentence."""
_MOST_NAMED = 8
_FEW = 30
"""With fewer pairs, only large differences can be found."""


@dataclass(frozen=True)
class Difference:
    """Two systems by one measure.

    Attributes
    ----------
    measure : str
        Its label.
    distance : bool
        Whether smaller is better.
    value : float
        b minus a; nan where no pair has two scores.
    interval : Interval
        Of the value.
    p : float
        After the correction for several measures.
    differing : int
        The pairs with different scores.
    pairs : int
        The pairs with two scores.
    corpus_p : float or None
        Of the values of all rows together, after the same correction; None if it has none.
    own_p : float or None
        Before the correction, if it is known.
    """

    measure: str
    distance: bool
    value: float
    interval: Interval
    p: float
    differing: int
    pairs: int
    corpus_p: float | None = None
    own_p: float | None = None

    @property
    def favours_b(self) -> bool:
        """Whether b is better; a smaller distance is."""
        return (self.value < 0) == self.distance


def conclude_pair(
    a: str, b: str, differences: Sequence[Difference], level: float, *, tested: bool = False
) -> list[str]:
    """What the comparison of two systems says; the first sentence answers which is better.

    Parameters
    ----------
    a, b : str
        The names of the systems.
    differences : sequence of Difference
    level : float
        Of the intervals; a difference is significant if p is at most 1 - level.
    tested : bool
        Whether tests say how far the measures can be trusted.

    Examples
    --------
    >>> es = Difference("es", False, 0.031, Interval(0.012, 0.05), 0.002, 80, 83)
    >>> bleu = Difference("bleu", False, 0.004, Interval(-0.01, 0.02), 0.6, 80, 83)
    >>> conclude_pair("A", "B", [es, bleu], 0.95)[0]
    'B scores higher than A on es by 0.031 (95 % 0.012 to 0.050), p = 0.002; bleu does not \
distinguish them.'
    """
    compared = [one for one in differences if math.isfinite(one.value)]
    if not compared:
        return [f"{a} and {b} cannot be compared: no pair of rows has a score by both."]
    pairs = max(one.pairs for one in compared)
    if not any(one.differing for one in compared):
        measures = _measures([one.measure for one in compared])
        where = "the pair" if pairs == 1 else f"each of the {pairs:,} pairs"
        return [f"{a} and {b} have the same scores in {where}, by {measures}."]
    threshold = 1 - level + 1e-12
    found = [one for one in compared if one.p <= threshold]
    for_b = [one for one in found if one.favours_b]
    for_a = [one for one in found if not one.favours_b]
    silent = [one.measure for one in compared if one not in found]
    first, second = ((b, a, for_b), (a, b, for_a))
    if len(for_a) > len(for_b):
        first, second = second, first
    sentences = []
    if not found:
        sentences.append(_nothing(a, b, compared, pairs, threshold))
    else:
        ahead = _ahead(*first, len(compared), level)
        sentences.append(f"{ahead[0]}{_silence(silent)}.")
        sentences += ahead[1:]
        if second[2]:
            sentences += [f"{one}." for one in _ahead(*second, len(compared), level)[:1]]
            sentences.append(
                f"The measures disagree: {first[0]} is ahead by {listed(_names(first[2]))}, "
                f"{second[0]} by {listed(_names(second[2]))}. Decide which measure answers your "
                "question before you choose a system."
            )
    sentences += _corpora(compared, threshold)
    if pairs < _FEW:
        sentences.append(f"{count_text(pairs, 'pair')} can show only large differences.")
    return sentences if tested else [*sentences, trust(_names(compared))]


def _corpora(compared: Sequence[Difference], threshold: float) -> list[str]:
    """Where the value of all rows together says something else than the mean of rows."""
    sentences = []
    for verbs, seen in ((("distinguishes", "distinguish"), True), (("does not", "do not"), False)):
        told = [
            f"{one.measure} ({p_words(one.corpus_p)})"
            for one in compared
            if one.corpus_p is not None
            and (one.corpus_p <= threshold) is seen
            and (one.p <= threshold) is not seen
        ]
        if told:
            verb = verbs[len(told) > 1] + ("" if seen else " distinguish")
            sentences.append(
                f"That is by the means of rows; over all rows as one corpus, {listed(told)} {verb} "
                "them."
            )
    return sentences


def _names(differences: Iterable[Difference]) -> list[str]:
    return [one.measure for one in differences]


def _nothing(a: str, b: str, compared: Sequence[Difference], pairs: int, threshold: float) -> str:
    least = min(one.p for one in compared)
    which = (
        f"{compared[0].measure} does not distinguish {a} and {b}"
        if len(compared) == 1
        else f"None of {len(compared)} measures distinguishes {a} and {b}"
    )
    least_words = p_words(least) if len(compared) == 1 else f"smallest {p_words(least)}"
    alone = sum(one.own_p is not None and one.own_p <= threshold for one in compared)
    but = ""
    if alone:
        but = (
            f"; {alone} would alone, but not after the correction for {len(compared)} measures, "
            "which the intervals lack"
        )
    return (
        f"{which} in {count_text(pairs, 'pair')} ({least_words}){but}. That does not show "
        "that they are alike: the intervals say how far apart they may be."
    )


def _ahead(
    winner: str, loser: str, found: Sequence[Difference], measures: int, level: float
) -> list[str]:
    """On which measures a system is ahead, and by how much."""
    higher = [one for one in found if not one.distance]
    lower = [one for one in found if one.distance]
    if len(found) > _MOST_SPELLED:
        every = "all" if len(found) == measures else f"{len(found)} of"
        head = f"{winner} scores better than {loser} on {every} {measures} measures"
        spelled = "; ".join(f"{one.measure} by {amount_text(one, level)}" for one in found)
        return [head, f"{spelled[0].upper()}{spelled[1:]}."]
    clauses = []
    if higher:
        each = (f"{one.measure} by {amount_text(one, level)}" for one in higher)
        clauses.append(f"scores higher than {loser} on {listed(each, ', and ')}")
    if lower:
        each = (f"{one.measure} by {amount_text(one, level)}" for one in lower)
        than = "" if higher else f" than {loser}"
        clauses.append(
            f"has {'the' if higher else 'a'} smaller distance{than} on {listed(each, ', and ')}"
        )
    return [f"{winner} {', and '.join(clauses)}"]


def _silence(measures: Sequence[str]) -> str:
    if not measures:
        return ""
    verb = "does" if len(measures) == 1 else "do"
    return f"; {_measures(measures)} {verb} not distinguish them"


def _measures(names: Sequence[str]) -> str:
    return listed(names) if len(names) <= _MOST_NAMED else f"{len(names)} measures"


def amount_text(one: Difference, level: float) -> str:
    """How large a difference is, without its sign, with its interval and p.

    Examples
    --------
    >>> amount_text(Difference("ed", True, -10.6, Interval(-20.5, -1.6), 0.0004, 9, 9), 0.95)
    '10.60 (95 % 1.60 to 20.50), p < 0.001'
    """
    digits = 2 if one.distance else 3
    ends = [one.interval.low, one.interval.high]
    if one.value < 0:
        ends = [-one.interval.high, -one.interval.low]
    amount = number_text(abs(one.value), digits=digits)
    if all(map(math.isfinite, ends)):
        low, high = (number_text(end, digits=digits) for end in ends)
        amount += f" ({percent_text(level)} {low} to {high})"
    return f"{amount}, {p_words(one.p)}"


def p_words(p: float) -> str:
    """A p-value in a sentence.

    Examples
    --------
    >>> p_words(0.00012), p_words(0.0301), p_words(1.0)
    ('p < 0.001', 'p = 0.030', 'p = 1')
    """
    if math.isnan(p):
        return "p unknown"
    if p < 0.001:
        return "p < 0.001"
    return "p = 1" if p >= 0.9995 else f"p = {p:.3f}"


def listed(names: Iterable[str], last: str = " and ") -> str:
    """Names in a sentence; beyond a few, how many more.

    Examples
    --------
    >>> listed(["a", "b", "c"])
    'a, b and c'
    >>> listed(str(i) for i in range(12))
    '0, 1, 2, 3, 4, 5, 6, 7 and 4 more'
    """
    given = list(names)
    if len(given) > _MOST_NAMED:
        given = [*given[:_MOST_NAMED], f"{len(given) - _MOST_NAMED:,} more"]
    return last.join(filter(None, [", ".join(given[:-1]), *given[-1:]]))


def trust(measures: Sequence[str]) -> str:
    """What a score cannot say, and where to read how well measures agree with tests."""
    which = f"{measures[0]} agrees" if len(measures) == 1 else "these measures agree"
    return (
        "A better score means closer to the reference, which is not proof of better code. How well "
        f'{which} with tests is on the page "Edits and their tests" of the documentation; for '
        "your own rows, codekin evaluate outcomes measures it."
    )
