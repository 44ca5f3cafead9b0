"""Leaks of a view: what its sides share, and what contradicts itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from codekin.corpora.copies import Copies, contradicting_groups, find_copies, snippet_lexemes
from codekin.corpora.corpus import Corpus
from codekin.corpora.description import all_positive_f1, natural_rate
from codekin.corpora.numbered_sequences import NumberedSequences
from codekin.corpora.snippets import contradictions
from codekin.corpora.views import SIDES
from codekin.results import Column, Grid, Result, Section, count_text, share_text

__all__ = ["CorpusCheck", "CorpusLeak", "SideFacts", "check_corpus", "copies_note"]

_SHOWN = 3
"""How many cases of a leak are named."""


@dataclass(frozen=True)
class CorpusLeak:
    """Something that two sides share, or that contradicts itself.

    Attributes
    ----------
    kind : str
        What is shared, such as ``project on two sides``.
    count : int
        How many snippets or pairs are concerned.
    forbidden : bool
        Whether the view promises that there is none.
    cases : tuple of str
        The first of them.
    """

    kind: str
    count: int
    forbidden: bool
    cases: tuple[str, ...]


@dataclass(frozen=True)
class SideFacts:
    """One side of a view.

    Attributes
    ----------
    name : str
    snippets, functionalities, projects : int
    pairs, clones : int
        Its labelled pairs.
    rate : float
        The share of clones among its labelled pairs; of all its pairs where it has none.
    all_positive_f1 : float
        Of calling every pair a clone.
    copied, near_copied : int
        Snippets with an exact copy, and with an exact or near copy, in training.
    unseen_words, unseen_occurrences : float
        The share of its different lexemes, and of all its lexemes, that training does not have.
    """

    name: str
    snippets: int
    functionalities: int
    projects: int
    pairs: int
    clones: int
    rate: float
    all_positive_f1: float
    copied: int
    near_copied: int
    unseen_words: float
    unseen_occurrences: float


@dataclass(frozen=True)
class CorpusCheck(Result):
    """What is wrong with a corpus or its view.

    Attributes
    ----------
    corpus : str
    view : str or None
        None where it was not split by codekin.
    sides : tuple of SideFacts
    leaks : tuple of CorpusLeak
        Those that the view forbids first.
    """

    corpus: str
    view: str | None
    sides: tuple[SideFacts, ...]
    leaks: tuple[CorpusLeak, ...]

    @property
    def sound(self) -> bool:
        """Whether nothing was found that is forbidden."""
        return not any(one.forbidden and one.count for one in self.leaks)

    def grids(self) -> list[Grid]:
        """A line per side, and one per kind of leak."""
        rows = tuple(
            (
                *(one.name, one.snippets, one.functionalities, one.projects, one.pairs),
                *(one.rate, one.all_positive_f1, one.copied, one.near_copied),
                *(one.unseen_words, one.unseen_occurrences),
            )
            for one in self.sides
        )
        columns = (
            "side",
            "snippets",
            "functionalities",
            "projects",
            Column("pairs", optional=True),
            Column("base rate", digits=4),
            Column("all-positive F1", digits=3),
            Column("copies in train"),
            Column("near copies in train"),
            Column("unseen words", digits=3),
            Column("unseen occurrences", digits=3),
        )
        leaks = tuple((one.kind, one.count, "yes" if one.forbidden else "no") for one in self.leaks)
        heads = ("what was looked for", "found", "forbidden by the view")
        found = [Grid("", columns, rows)] if rows else []
        return [*found, Grid("Leaks and contradictions", heads, leaks)]

    def section(self) -> Section:
        """The grids under what was checked."""
        return Section(f"Check of {self.corpus}", content=tuple(self.grids()))

    def table(self) -> Grid:
        """A line per kind of leak."""
        return self.grids()[-1]

    def warnings(self) -> list[str]:
        """Everything that was found and is forbidden."""
        return [
            f"{one.count:,} × {one.kind}: {', '.join(one.cases)}"
            for one in self.leaks
            if one.forbidden and one.count
        ]

    def notes(self) -> list[str]:
        """The first cases of what was found, and how to read the table."""
        found = [
            f"{one.kind}: {', '.join(one.cases)}{', …' if one.count > len(one.cases) else ''}"
            for one in self.leaks
            if one.count and not one.forbidden
        ]
        test = next((one for one in self.sides if one.name == "test"), None)
        if test is not None and test.near_copied:
            note = copies_note(test.near_copied, test.snippets, "test snippet")
            found.append(f"{note}: report every result with and without them")
        return found


def copies_note(copied: int, whole: int, noun: str, what: str = "a copy") -> str:
    """How many of some things have a copy in training.

    Examples
    --------
    >>> copies_note(2, 4, "test snippet")
    '2 of 4 test snippets (50 %) have a copy in training'
    >>> copies_note(1, 1, "test pair", "code with a copy")
    '1 of 1 test pair (100 %) has code with a copy in training'
    """
    have = "has" if whole == 1 else "have"
    share = share_text(copied / whole)
    return f"{copied:,} of {count_text(whole, noun)} ({share}) {have} {what} in training"


def check_corpus(corpus: Corpus) -> CorpusCheck:
    """Look for leaks between the sides of a view, and for contradictions in a corpus.

    Parameters
    ----------
    corpus : Corpus
        Split by :func:`codekin.split_corpus`, or with pairs that have sides, as some data sets do.
    """
    step = next((one for one in reversed(corpus.steps) if one.name == "split"), None)
    view = None if step is None else str(step.parameters.get("view"))
    together = step is not None and step.parameters.get("copies") in ("together", "drop")
    shared = step is not None and (
        step.parameters.get("preset") == "paper" or "rotation" in step.parameters
    )
    sides = _sides_of(corpus)
    words = snippet_lexemes(corpus.snippets)
    copies = find_copies(corpus.snippets, lexemes=words)
    leaks = [
        _on_two_sides(sides, "snippet", [snippet.id for snippet in corpus.snippets], True),
        _projects(corpus, sides, view in ("cross-project", "cross-all")),
        _functionalities(corpus, sides, view in ("cross-functionality", "cross-all"), shared),
        _copied("exact copy", corpus, sides, copies.exact, together),
        _copied("exact or near copy", corpus, sides, copies.near, together),
        *_pair_leaks(corpus),
        _contradicting_tags(corpus),
        _contradicting_copies(corpus, copies),
    ]
    order = sorted(leaks, key=lambda one: (not (one.forbidden and one.count), not one.count))
    return CorpusCheck(corpus.name, view, _facts(corpus, sides, copies, words), tuple(order))


def _sides_of(corpus: Corpus) -> list[set[str]]:
    """The sides that each snippet is on: its own, and those of the pairs that it is in."""
    found = [{one.side} if one.side else set() for one in corpus.snippets]
    if corpus.pairs is not None and corpus.pairs.side is not None:
        codes, names = corpus.pairs.side
        on = np.zeros((len(corpus), len(names) + 1), bool)  # the last column is of no side
        for ends in (corpus.pairs.first, corpus.pairs.second):
            on[ends, codes] = True
        for place, code in np.argwhere(on[:, :-1]).tolist():
            found[place].add(names[code])
    return found


def _leak(kind: str, cases: Sequence[str], forbidden: bool) -> CorpusLeak:
    return CorpusLeak(kind, len(cases), forbidden, tuple(cases[:_SHOWN]))


def _on_two_sides(
    sides: Sequence[set[str]], what: str, names: Sequence[str], forbidden: bool
) -> CorpusLeak:
    found: dict[str, set[str]] = defaultdict(set)
    for name, mine in zip(names, sides, strict=True):
        found[name] |= mine
    cases = [f"{name} ({', '.join(sorted(on))})" for name, on in found.items() if len(on) > 1]
    return _leak(f"{what} on two sides", cases, forbidden)


def _projects(corpus: Corpus, sides: Sequence[set[str]], forbidden: bool) -> CorpusLeak:
    names = [one.origin for one in corpus.snippets]
    return _on_two_sides(sides, "project", names, forbidden)


def _functionalities(
    corpus: Corpus, sides: Sequence[set[str]], forbidden: bool, shared: bool
) -> CorpusLeak:
    """Functionalities on two sides; validation and test may share theirs in the paper's preset."""
    found: dict[str, set[str]] = defaultdict(set)
    for one, mine in zip(corpus.snippets, sides, strict=True):
        for role in one.roles:
            found[role.functionality] |= {"rest" if shared and s != "train" else s for s in mine}
    cases = [f"{name} ({', '.join(sorted(on))})" for name, on in found.items() if len(on) > 1]
    return _leak("functionality on two sides", cases, forbidden)


def _copied(
    kind: str,
    corpus: Corpus,
    sides: Sequence[set[str]],
    marks: npt.NDArray[np.int32],
    forbidden: bool,
) -> CorpusLeak:
    """Snippets outside of training that have a copy in it."""
    train = {mark for mark, mine in zip(marks.tolist(), sides, strict=True) if "train" in mine}
    cases = [
        one.id
        for one, mark, mine in zip(corpus.snippets, marks.tolist(), sides, strict=True)
        if mine - {"train"} and mark in train
    ]
    return _leak(f"{kind} of a training snippet elsewhere", cases, forbidden)


def _pair_leaks(corpus: Corpus) -> Iterable[CorpusLeak]:
    pairs = corpus.pairs
    if pairs is None:
        return
    ids = [one.id for one in corpus.snippets]
    low, high = np.minimum(pairs.first, pairs.second), np.maximum(pairs.first, pairs.second)

    def named(chosen: npt.NDArray[np.intp]) -> list[str]:
        return [f"{ids[low[i]]} and {ids[high[i]]}" for i in chosen.tolist()]

    yield _leak("snippet paired with itself", named(np.flatnonzero(low == high)), True)
    keys = low.astype(np.int64) << 32 | high
    order = np.argsort(keys, kind="stable")
    again = np.flatnonzero(np.diff(keys[order]) == 0) + 1
    yield _leak("pair listed again", named(order[again]), False)
    differ = pairs.label[order[again]] != pairs.label[order[again - 1]]
    yield _leak("pair with two labels", named(order[again[differ]]), True)
    if pairs.side is not None:
        codes, names = pairs.side
        moved = codes[order[again]] != codes[order[again - 1]]
        yield _leak("pair on two sides", named(order[again[moved]]), True)
        own = np.array(
            [names.index(one.side) if one.side in names else -1 for one in corpus.snippets], np.int8
        )
        known = (own[pairs.first] >= 0) & (own[pairs.second] >= 0)
        wrong = known & ((own[pairs.first] != codes) | (own[pairs.second] != codes))
        yield _leak("pair on another side than its snippets", named(np.flatnonzero(wrong)), True)


def _contradicting_tags(corpus: Corpus) -> CorpusLeak:
    cases = [f"{one.id} ({name})" for one, name in contradictions(corpus.snippets)]
    return _leak("snippet tagged both as having a functionality and as lacking it", cases, False)


def _contradicting_copies(corpus: Corpus, copies: Copies) -> CorpusLeak:
    """Groups of exact copies of which some have a functionality and others lack it."""
    cases = list(contradicting_groups(corpus.snippets, copies.groups()).values())
    return _leak("group of exact copies with contradicting tags", cases, False)


def _facts(
    corpus: Corpus, sides: Sequence[set[str]], copies: Copies, words: NumberedSequences
) -> tuple[SideFacts, ...]:
    names = [side for side in SIDES if any(side in mine for mine in sides)]
    if not names:
        return ()
    places = {side: [i for i, mine in enumerate(sides) if side in mine] for side in names}
    train = places.get("train", [])
    unseen = _occurrences(words, train) == 0
    exact = set(copies.exact[train].tolist())
    near = set(copies.near[train].tolist())
    found = []
    for side in names:
        mine = places[side]
        snippets = [corpus.snippets[i] for i in mine]
        pairs = None
        if corpus.pairs is not None and corpus.pairs.side is not None:
            pairs = corpus.pairs.of_side(side)
        rate = natural_rate(snippets) if pairs is None else pairs.rate
        counts = _occurrences(words, mine)
        tested = side != "train"
        found.append(
            SideFacts(
                name=side,
                snippets=len(mine),
                functionalities=len({n for one in snippets for n in one.functionalities}),
                projects=len({one.origin for one in snippets}),
                pairs=0 if pairs is None else len(pairs),
                clones=0 if pairs is None else pairs.positives,
                rate=rate,
                all_positive_f1=all_positive_f1(rate),
                copied=sum(int(copies.exact[i]) in exact for i in mine) if tested else 0,
                near_copied=sum(int(copies.near[i]) in near for i in mine) if tested else 0,
                unseen_words=_share(unseen, counts > 0) if tested else 0.0,
                unseen_occurrences=_share(unseen, counts) if tested else 0.0,
            )
        )
    return tuple(found)


def _occurrences(words: NumberedSequences, places: Sequence[int]) -> npt.NDArray[np.int64]:
    """How often each word occurs in some snippets."""
    found = np.zeros(words.alphabet, np.int64)
    for i in places:
        np.add.at(found, words[i], 1)
    return found


def _share(chosen: npt.NDArray[np.bool_], weights: npt.NDArray[Any]) -> float:
    total = float(weights.sum())
    return float(weights[chosen].sum()) / total if total else float("nan")
