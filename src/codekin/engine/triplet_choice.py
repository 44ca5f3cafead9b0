"""Choosing the triplets of one problem: who is anchor, positive and negative beside whom."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from codekin.engine.near_duplicates import (
    Fingerprint,
    compare_fingerprints,
    fingerprint,
    token_similarity,
)
from codekin.engine.submissions import Submission
from codekin.source import Source

__all__ = [
    "MATCHED",
    "MOST_OF_AUTHOR",
    "MOST_SUBMISSIONS",
    "NO_ANCHOR",
    "RANDOM",
    "TAKEN",
    "Candidate",
    "Candidates",
    "Choice",
    "choose_triplets",
    "find_candidates",
]

MATCHED, RANDOM = "matched", "random"

MOST_SUBMISSIONS = 1000
"""Of a problem with more submissions in a language, a random sample of about so many is read."""

MOST_OF_AUTHOR = 20
"""So many that passed, and so many that failed, of one author of a problem are looked at."""

_MOST_ANCHORS = 100
"""So many anchors are tried for a pair; where all are near-duplicates, the next will be too."""

_MOST_PAIRS = 20
"""So many pairs are tried for every triplet that is wanted."""


class Candidate(NamedTuple):
    """A submission that may be chosen.

    Attributes
    ----------
    submission : Submission
    tokens : Fingerprint
    key : bytes
        The same for texts that differ in white space and comments only.
    """

    submission: Submission
    tokens: Fingerprint
    key: bytes

    @property
    def author(self) -> str | None:
        """Who wrote it."""
        return self.submission.author


@dataclass
class Candidates:
    """What may be chosen of the submissions to a problem in one language.

    Attributes
    ----------
    passed, failed : list of Candidate
        In random order.
    left_out : list of (str, Submission)
        Why a submission may not be chosen.
    """

    passed: list[Candidate] = field(default_factory=list)
    failed: list[Candidate] = field(default_factory=list)
    left_out: list[tuple[str, Submission]] = field(default_factory=list)


@dataclass
class Choice:
    """The triplets of a problem.

    Attributes
    ----------
    triplets : list of (anchor, positive, negative)
    near_duplicates : Counter
        How many anchors were passed over as near-duplicates, by kind.
    without_anchor, taken : int
        Pairs of a positive and a negative that found no anchor, and those of which a text had
        been taken before.
    reason : str or None
        Why there are no triplets.
    """

    triplets: list[tuple[Submission, Submission, Submission]] = field(default_factory=list)
    near_duplicates: Counter[str] = field(default_factory=Counter)
    without_anchor: int = 0
    taken: int = 0
    reason: str | None = None


_Pair = tuple[Candidate, Candidate]


def find_candidates(
    submissions: Sequence[Submission], mode: str, chance: random.Random
) -> Candidates:
    """Sort out what may be chosen, whatever order the submissions come in.

    Left out are programs without a token, programs that their author handed in before, those
    without an author where triplets are matched, and contradictions: texts that passed and failed.
    """
    found = Candidates()
    texts = [_lines(one.code) for one in submissions]
    verdicts: dict[str, set[bool]] = {}
    for one, text in zip(submissions, texts, strict=True):
        verdicts.setdefault(text, set()).add(one.passed)
    told: list[Submission] = []
    contradictions: dict[str, Submission] = {}
    for one, text in zip(submissions, texts, strict=True):
        if len(verdicts[text]) == 1:
            told.append(one)
        else:
            found.left_out.append((_CONTRADICTION, one))
            contradictions.setdefault(text, one)
    sample = _sample(told, chance)
    if len(sample) < len(told):
        read = set(map(id, sample))
        found.left_out += [(_NOT_READ, one) for one in told if id(one) not in read]
    candidates = [_candidate(one) for one in sample]
    # What differs from a contradiction in comments alone is one as well, whatever its verdict.
    keys = {_candidate(one).key: {True, False} for one in contradictions.values()}
    for candidate in candidates:
        keys.setdefault(candidate.key, set()).add(candidate.submission.passed)
    seen: set[tuple[str | None, bytes]] = set()
    for candidate in candidates:
        one = candidate.submission
        if not len(candidate.tokens.ids):
            found.left_out.append((_EMPTY, one))
        elif len(keys[candidate.key]) > 1:
            found.left_out.append((_CONTRADICTION, one))
        elif one.author is None and mode == MATCHED:
            found.left_out.append((_NO_AUTHOR, one))
        elif (one.author, candidate.key) in seen:
            found.left_out.append((_REPEATED, one))
        else:
            seen.add((one.author, candidate.key))
            (found.passed if one.passed else found.failed).append(candidate)
    return found


TAKEN = "one of its texts stands in another triplet of the problem"
NO_ANCHOR = "no anchor by another author that is no near-duplicate"
_NO_PAIRS = {
    MATCHED: "no author has one that passed and one that failed",
    RANDOM: "no three by different authors, two that passed and one that failed",
}
_CONTRADICTION = "the same text passed and failed"
_EMPTY = "nothing but comments and white space"
_NO_AUTHOR = "no author, which matched triplets need"
_REPEATED = "its author, or nobody known, handed in the same text before"
_NOT_READ = (
    f"not read: of a problem, about {MOST_SUBMISSIONS:,} in a language are, and "
    f"{MOST_OF_AUTHOR} of one author and verdict"
)


def _lines(code: str) -> str:
    """A text without the white space that no language minds."""
    return "\n".join(line.rstrip() for line in code.splitlines()).strip("\n")


def _sample(submissions: Iterable[Submission], chance: random.Random) -> list[Submission]:
    """Submissions in random order, whole authors of them, until they are enough."""
    ordered = sorted(submissions, key=lambda one: (one.author or "", one.code, one.passed, one.id))
    authors: dict[object, list[Submission]] = {}
    for number, one in enumerate(ordered):
        authors.setdefault(number if one.author is None else one.author, []).append(one)
    groups = list(authors.values())
    chance.shuffle(groups)
    sample: list[Submission] = []
    for group in groups:
        if len(sample) >= MOST_SUBMISSIONS:
            break
        chance.shuffle(group)
        for verdict in (True, False):
            sample += [one for one in group if one.passed is verdict][:MOST_OF_AUTHOR]
    return sample


def _candidate(submission: Submission) -> Candidate:
    # The tree is not needed any more: a thousand of them would take memory.
    tokens = fingerprint(Source(submission.code, submission.language))
    return Candidate(
        submission, tokens, hashlib.blake2b(tokens.ids.tobytes(), digest_size=16).digest()
    )


def choose_triplets(
    anchors: Candidates, others: Candidates, mode: str, most: int, chance: random.Random
) -> Choice:
    """Choose the triplets of a problem for a pair of languages.

    No text stands in two roles, no author of an anchor wrote another text of its triplet, and no
    anchor is a near-duplicate of another text of its triplet. A positive and a negative occur once,
    an anchor again only where all others have been taken as often, or are wanted as positives.

    Parameters
    ----------
    anchors, others : Candidates
        In the language of the anchors and in that of positives and negatives.
    mode : {'matched', 'random'}
    most : int
        How many triplets.
    chance : random.Random
    """
    reason = _missing(anchors, others, mode)
    if reason is not None:
        return Choice(reason=reason)
    if mode == MATCHED:
        pairs = _alike_pairs(others, chance)
    else:
        pairs = _random_pairs(others, spare=1 if anchors is others else 0)
    ordered = list(anchors.passed)
    chance.shuffle(ordered)
    choice = _with_anchors(pairs[: _MOST_PAIRS * most], ordered, most)
    if not choice.triplets:
        choice.reason = NO_ANCHOR if pairs else _NO_PAIRS[mode]
    return choice


def _missing(anchors: Candidates, others: Candidates, mode: str) -> str | None:
    known = " and has an author" if mode == MATCHED else ""
    if not others.failed:
        return f"no submission that failed{known}"
    if not others.passed:
        return f"no submission that passed{known}"
    if not anchors.passed:
        return f"no submission that passed{known} in the anchor's language"
    return None


def _alike_pairs(candidates: Candidates, chance: random.Random) -> list[_Pair]:
    """Of every author with both, the two texts that are most alike: faulty and mended."""
    passed: dict[str | None, list[Candidate]] = {}
    for one in candidates.passed:
        passed.setdefault(one.author, []).append(one)
    failed: dict[str | None, list[Candidate]] = {}
    for one in candidates.failed:
        failed.setdefault(one.author, []).append(one)
    pairs = [
        max(
            ((positive, negative) for positive in passed[author] for negative in failed[author]),
            key=lambda pair: token_similarity(pair[0].tokens, pair[1].tokens),
        )
        for author in passed
        if author in failed
    ]
    chance.shuffle(pairs)
    return pairs


def _random_pairs(candidates: Candidates, spare: int) -> list[_Pair]:
    """Texts of two authors, each text once; so many that passed are left to be anchors."""
    pairs: list[_Pair] = []
    left = list(candidates.passed)
    for negative in candidates.failed:
        if len(left) <= spare:
            break
        for at, positive in enumerate(left):
            if positive.author is None or positive.author != negative.author:
                pairs.append((left.pop(at), negative))
                break
    return pairs


def _with_anchors(pairs: Sequence[_Pair], anchors: Sequence[Candidate], most: int) -> Choice:
    choice = Choice()
    roles: dict[bytes, str] = {}
    uses: Counter[bytes] = Counter()
    for number, (positive, negative) in enumerate(pairs):
        wanted = most - len(choice.triplets)
        if wanted == 0:
            break
        if positive.key in roles or negative.key in roles:
            choice.taken += 1
            continue
        # Positives of pairs to come are the last to be taken, and of these the next one.
        coming = {pair[0].key: -at for at, pair in enumerate(pairs[number + 1 :][: wanted - 1])}
        first = -len(pairs)
        ordered = sorted(anchors, key=lambda one: (coming.get(one.key, first), uses[one.key]))
        anchor = _free_anchor(ordered, (positive, negative), roles, choice.near_duplicates)
        if anchor is None:
            choice.without_anchor += 1
            continue
        uses[anchor.key] += 1
        roles |= {anchor.key: "anchor", positive.key: "positive", negative.key: "negative"}
        choice.triplets.append((anchor.submission, positive.submission, negative.submission))
    return choice


def _free_anchor(
    ordered: Iterable[Candidate],
    pair: _Pair,
    roles: dict[bytes, str],
    near_duplicates: Counter[str],
) -> Candidate | None:
    """The first that has no other role, is by another author, and a near-duplicate of neither."""
    tried = 0
    authors = {one.author for one in pair} - {None}
    for anchor in ordered:
        if anchor.author in authors or roles.get(anchor.key, "anchor") != "anchor":
            continue
        if anchor is pair[0]:
            continue
        found = next(
            (alike for one in pair if (alike := compare_fingerprints(anchor.tokens, one.tokens))),
            None,
        )
        if found is None:
            return anchor
        near_duplicates[found[0]] += 1
        tried += 1
        if tried == _MOST_ANCHORS:
            break
    return None
