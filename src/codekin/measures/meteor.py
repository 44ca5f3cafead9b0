"""meteor: matched words, with a penalty for the number of runs that they are in."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from codekin.align.lcs import lcs_pairs
from codekin.measures.base import Explanation, Measure, Score, check_choice, check_range
from codekin.measures.highlight import paired_spans
from codekin.measures.units import TOKENS, Ids, token_ids
from codekin.source import Source

__all__ = ["Meteor"]


@dataclass(frozen=True, kw_only=True, repr=False)
class Meteor(Measure):
    """METEOR with its exact stage [1]_: the words that both texts have, and their order.

    As many equal words as possible are matched: first those of the longest common subsequence, then
    the others from left to right. Where a word can be matched next to its neighbour's match
    instead, it is, since the fewer chunks the better: runs of words that are neighbours in both
    texts, in the same order. The score is the mean of precision and recall, weighted by `alpha`,
    less the penalty ``gamma * (chunks / matches) ** beta``; there is none for equal texts.

    Parameters
    ----------
    alpha : float
        The weight of recall, in [0, 1].
    beta, gamma : float
        Shape and size of the penalty.
    tokens : str
        ``code``, or ``split``, ``13a``, ``intl``, ``char``.
    comments : bool
        Whether comments and docstrings count.

    References
    ----------
    .. [1] Lavie and Agarwal, "METEOR: an automatic metric for MT evaluation with high levels of
       correlation with human judgments", WMT 2007.

    Examples
    --------
    >>> from codekin import measure
    >>> texts = "the dog chases cats", "dogs and cats, the dog chases"
    >>> score = measure("meteor").score(*texts, language="text")
    >>> round(score.value, 4), score.parts["matches"], score.parts["chunks"]
    (0.5597, 4, 2)
    """

    name: ClassVar[str] = "meteor"
    summary: ClassVar[str] = "matched words, recall first, less a penalty for their order"
    alpha: float = 0.9
    beta: float = 3.0
    gamma: float = 0.5
    tokens: str = "code"
    comments: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_range(self.name, "alpha", self.alpha, 0, 1)
        check_range(self.name, "beta", self.beta, 0, 100)
        check_range(self.name, "gamma", self.gamma, 0, 1)
        check_choice(self.name, "tokens", self.tokens, TOKENS)

    def _pair(self, candidate: Source, reference: Source) -> Score:
        mine = token_ids(candidate, self.tokens, comments=self.comments)
        theirs = token_ids(reference, self.tokens, comments=self.comments)
        if not len(mine) or not len(theirs):
            return Score(self, float(len(mine) == len(theirs)), {}, candidate, reference)
        pairs = matched_words(mine, theirs)
        matches, chunks = len(pairs), chunk_count(pairs)
        precision, recall = matches / len(mine), matches / len(theirs)
        weighted = self.alpha * precision + (1 - self.alpha) * recall
        equal = matches == len(mine) == len(theirs) and chunks == 1
        penalty = 0.0 if equal or not matches else self.gamma * (chunks / matches) ** self.beta
        value = (1 - penalty) * (precision * recall / weighted) if weighted else 0.0
        parts = {
            "precision": precision,
            "recall": recall,
            "matches": matches,
            "chunks": chunks,
            "penalty": penalty,
        }
        return Score(self, value, parts, candidate, reference)

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Shade the matched tokens."""
        mine = candidate.tokens_with(comments=self.comments)
        theirs = reference.tokens_with(comments=self.comments)
        pairs = matched_words(mine.ids, theirs.ids)
        chunks = chunk_count(pairs)
        return Explanation(
            f"{len(pairs):,} of {len(mine):,} words of the candidate match words of the reference, "
            f"in {chunks:,} {'chunk' if chunks == 1 else 'chunks'}. Matched words are shaded.",
            *paired_spans(mine, theirs, pairs),
            candidate.text,
            reference.text,
        )


def matched_words(candidate: Ids, reference: Ids) -> list[tuple[int, int]]:
    """Places of equal words, as many as possible and in few chunks, in the candidate's order.

    Examples
    --------
    >>> import numpy as np
    >>> first, second = (np.array(ids, dtype=np.uint64) for ids in ([1, 2, 3, 1, 4], [1, 4, 1, 2]))
    >>> matched_words(first, second)
    [(0, 2), (1, 3), (3, 0), (4, 1)]
    """
    first, second = candidate.tolist(), reference.tolist()
    place = dict(lcs_pairs(candidate, reference))
    _join_neighbours(place, first, second)
    taken = set(place.values())
    free: dict[int, list[int]] = {}
    for j in range(len(second) - 1, -1, -1):
        if j not in taken:
            free.setdefault(second[j], []).append(j)
    for i, word in enumerate(first):
        if i not in place and free.get(word):
            place[i] = free[word].pop()
    _join_neighbours(place, first, second)
    return sorted(place.items())


def _join_neighbours(place: dict[int, int], first: list[int], second: list[int]) -> None:
    """Match each word next to the match of the word after it, or before it, where that is possible.

    The same word must be there, free or matched with a word that is in no run with its neighbours.
    """
    matched = {j: i for i, j in place.items()}
    places = range(len(first))
    for step, order in ((1, reversed(places)), (-1, places)):
        for i in order:
            neighbour, before = place.get(i + step), place.get(i)
            target = -1 if neighbour is None else neighbour - step
            if before == target or not 0 <= target < len(second) or second[target] != first[i]:
                continue
            holder = matched.get(target)
            if holder is None:
                if before is not None:
                    del matched[before]
            elif place.get(holder - 1) == target - 1 or place.get(holder + 1) == target + 1:
                continue
            else:
                del place[holder]
                if before is not None:
                    place[holder], matched[before] = before, holder
            place[i], matched[target] = target, i


def chunk_count(pairs: list[tuple[int, int]]) -> int:
    """The number of runs of pairs that are neighbours in both texts, in the same order.

    Examples
    --------
    >>> chunk_count([(0, 2), (1, 3), (3, 0), (4, 1)])
    2
    """
    if not pairs:
        return 0
    return 1 + sum((i + 1, j + 1) != following for (i, j), following in pairwise(pairs))
