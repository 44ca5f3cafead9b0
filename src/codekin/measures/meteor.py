"""meteor: matched words, by form or stem, with a penalty for the runs that they are in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from codekin.align.word_chunks import DEFAULT_STEPS, WordMatching, match_words
from codekin.errors import CodekinError
from codekin.measures.base import Explanation, Measure, Score, check_choice, check_range
from codekin.measures.highlight import spans_of_tokens
from codekin.measures.units import TOKENS, Ids, stem_ids, token_ids
from codekin.source import Source

__all__ = ["Meteor", "check_formula", "meteor_value"]


def check_formula(name: str, alpha: float, beta: float, gamma: float) -> None:
    """Raise an error for parameters outside their ranges."""
    check_range(name, "alpha", alpha, 0, 1)
    check_range(name, "beta", beta, 0, 100)
    check_range(name, "gamma", gamma, 0, 1)


def meteor_value(
    precision: float, recall: float, fragmentation: float, formula: tuple[float, float, float]
) -> tuple[float, float]:
    """The score and its penalty, for `formula` alpha, beta and gamma.

    Examples
    --------
    >>> meteor_value(0.5, 0.5, 0.5, (0.9, 3.0, 0.5))
    (0.46875, 0.0625)
    """
    alpha, beta, gamma = formula
    weighted = alpha * precision + (1 - alpha) * recall
    penalty = gamma * fragmentation**beta
    return ((1 - penalty) * (precision * recall / weighted) if weighted else 0.0), penalty


@dataclass(frozen=True, kw_only=True, repr=False)
class Meteor(Measure):
    """METEOR with its exact and stem stages [1]_ [2]_.

    As many words as possible are matched: equal ones first, then those with equal stems, which
    count `stem_weight`. Among these matchings, the one with the fewest chunks counts: runs of words
    that are neighbours in both texts, in the same order. The score is the mean of precision and
    recall, weighted by `alpha`, less the penalty ``gamma * (chunks / matches) ** beta``; there is
    none if both texts match completely in one chunk. Finding the fewest chunks is a search; if its
    budget ends first, the score is not exact, and its bounds say what is proven.

    Parameters
    ----------
    alpha : float
        The weight of recall, in [0, 1].
    beta, gamma : float
        Shape and size of the penalty.
    stem_weight : float
        What a match of stems counts, in [0, 1]; 0 turns the stage off.
    steps : int
        The budget of the search.
    tokens : str
        ``code``, or ``split``, ``13a``, ``intl``, ``char``; stems need ``code``.
    comments : bool
        Whether comments and docstrings count.

    References
    ----------
    .. [1] Lavie and Agarwal, "METEOR: an automatic metric for MT evaluation with high levels of
       correlation with human judgments", WMT 2007.
    .. [2] Denkowski and Lavie, "Meteor universal: language specific translation evaluation for any
       target language", WMT 2014.

    Examples
    --------
    >>> from codekin import measure
    >>> texts = "The dog chases cats.", "Cats are chased by the dog."
    >>> score = measure("meteor").score(*texts, language="text")
    >>> round(score.value, 4), score.parts["matches"], score.parts["chunks"]
    (0.4158, 5, 4)
    """

    name: ClassVar[str] = "meteor"
    summary: ClassVar[str] = "matched words and stems, recall first, less a penalty for their order"
    alpha: float = 0.9
    beta: float = 3.0
    gamma: float = 0.5
    stem_weight: float = 0.6
    steps: int = DEFAULT_STEPS
    tokens: str = "code"
    comments: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_formula(self.name, self.alpha, self.beta, self.gamma)
        check_range(self.name, "stem_weight", self.stem_weight, 0, 1)
        check_range(self.name, "steps", self.steps, 0, 2**62)
        check_choice(self.name, "tokens", self.tokens, TOKENS)
        if self.tokens != "code" and self.stem_weight:
            raise CodekinError(
                f"meteor: {self.tokens} tokens have no stems; use tokens='code' or stem_weight=0"
            )

    def uses_tree(self) -> bool:
        """Whether tokens are those of code, which need the grammar."""
        return self.tokens == "code"

    def _words(self, source: Source, tokens: str) -> tuple[Ids, Ids]:
        words = token_ids(source, tokens, comments=self.comments)
        return words, stem_ids(source, comments=self.comments) if self.stem_weight else words

    def _matching(self, candidate: Source, reference: Source, tokens: str) -> WordMatching:
        texts = self._words(candidate, tokens), self._words(reference, tokens)
        return match_words(*texts, steps=self.steps)

    def _pair(self, candidate: Source, reference: Source) -> Score:
        mine = token_ids(candidate, self.tokens, comments=self.comments)
        theirs = token_ids(reference, self.tokens, comments=self.comments)
        if not len(mine) or not len(theirs):
            return Score(self, float(len(mine) == len(theirs)), {}, candidate, reference)
        found = self._matching(candidate, reference, self.tokens)
        matches = len(found.pairs)
        places = ([i for i, _ in found.pairs], [j for _, j in found.pairs])
        exact = int((mine[places[0]] == theirs[places[1]]).sum())
        weight = exact + self.stem_weight * (matches - exact)
        precision, recall = weight / len(mine), weight / len(theirs)
        formula = self.alpha, self.beta, self.gamma
        whole = matches == len(mine) == len(theirs)

        def value(chunks: int) -> tuple[float, float]:
            unbroken = not matches or (whole and chunks == 1)
            fragmentation = 0.0 if unbroken else chunks / matches
            return meteor_value(precision, recall, fragmentation, formula)

        low, penalty = value(found.chunks)
        high = value(found.least_chunks)[0]
        parts = {
            "precision": precision,
            "recall": recall,
            "matches": matches,
            "stem_matches": matches - exact,
            "chunks": found.chunks,
            "penalty": penalty,
        }
        return Score(self, low, parts, candidate, reference, bounds=(low, high))

    def explain(self, candidate: Source, reference: Source) -> Explanation:
        """Shade the matched tokens: fully if they are equal, less if only their stems are."""
        mine = candidate.tokens_with(comments=self.comments)
        theirs = reference.tokens_with(comments=self.comments)
        found = self._matching(candidate, reference, "code")
        levels = [0.0] * len(mine), [0.0] * len(theirs)
        by_stem = []
        for i, j in found.pairs:
            equal = mine.texts[i] == theirs.texts[j]
            levels[0][i] = levels[1][j] = 1.0 if equal else self.stem_weight
            if not equal:
                by_stem.append(f"{mine.texts[i]} ~ {theirs.texts[j]}")
        count, chunks = len(found.pairs), found.chunks
        return Explanation(
            f"{count:,} of {len(mine):,} words of the candidate match words of the reference, in "
            f"{chunks:,} {'chunk' if chunks == 1 else 'chunks'}. Matched words are shaded.",
            spans_of_tokens(mine, levels[0]),
            spans_of_tokens(theirs, levels[1]),
            candidate.text,
            reference.text,
            details=(("matched by stem", "  ".join(by_stem[:12])),) if by_stem else (),
        )
