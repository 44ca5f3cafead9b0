"""Pairs drawn for people to judge, so that precision can be estimated.

:func:`judging_sample` draws them, and the page of :mod:`codekin.report.judging_page` asks a person
about each and exports the answers as JSON; :func:`codekin.corpora.judgements.judged` reads them.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from codekin.corpora.corpus import Corpus
from codekin.corpora.labelled_pairs import TYPES, UNKNOWN_LABEL, PairColumn, Pairs
from codekin.corpora.snippets import Snippet
from codekin.errors import CodekinError, suggestion
from codekin.results import Grid, Tabular, count_text, grids_html, written_text

__all__ = [
    "ANSWERS",
    "QUESTION",
    "STRATA",
    "JudgingPair",
    "JudgingSample",
    "JudgingStratum",
    "judging_sample",
]

ANSWERS = ("clone", "no clone", "undecided")
"""What a judge may say of a pair."""

QUESTION = "Are these two pieces of code clones?"

STRATA = ("type", "basis", "label")
"""What a sample may be stratified by."""

MOST_PAIRS = 2000
"""That a page asks about; nobody would judge more."""

EXPORT_KIND, EXPORT_FORMAT = "codekin-judgements", 1
"""By which an export says what it is."""

_NONE = "(none)"
_ALL = "all"

Places = npt.NDArray[np.intp]


@dataclass(frozen=True)
class JudgingStratum:
    """A part of the pairs that a sample was drawn from.

    Attributes
    ----------
    name : str
        A type or a basis, ``all`` where the sample is not stratified.
    pairs : int
        How many pairs it has.
    claimed : int
        How many of them are called clones: all but those whose label is 0.
    """

    name: str
    pairs: int
    claimed: int


@dataclass(frozen=True)
class JudgingPair:
    """A pair to be judged, and what is claimed of it.

    Attributes
    ----------
    first, second : Snippet
        In an order that was drawn, too.
    stratum : int
        The position of its stratum in the sample.
    label : int or None
        1 for clones, 0 for others, None where the corpus does not say.
    type, basis : str or None
        As the corpus has them.
    """

    first: Snippet
    second: Snippet
    stratum: int = 0
    label: int | None = None
    type: str | None = None
    basis: str | None = None

    @property
    def claim(self) -> str:
        """What the corpus says of the pair, in words."""
        label = {None: "", 1: "clone", 0: "no clone"}[self.label]
        return ", ".join(one for one in (label, self.type, self.basis) if one) or "nothing"


@dataclass(frozen=True)
class JudgingSample(Tabular):
    """Pairs for people to judge.

    Attributes
    ----------
    corpus : str
        The name of the corpus that they were drawn from.
    pairs : tuple of JudgingPair
        In random order.
    strata : tuple of JudgingStratum
    by : str or None
        What the strata are; None for a uniform sample, which has a single stratum.
    seed : int
    notes : tuple of str
        What a reader must know about the draw.
    """

    corpus: str
    pairs: tuple[JudgingPair, ...]
    strata: tuple[JudgingStratum, ...]
    by: str | None = None
    seed: int = 0
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.pairs)

    @cached_property
    def fingerprint(self) -> str:
        """Sixteen hex digits of all that it consists of, texts included."""
        digest = hashlib.sha256(_canonical(self._facts()))
        for one in self.pairs:
            ends = [(end.id, end.language, end.code) for end in (one.first, one.second)]
            digest.update(hashlib.sha256(_canonical([ends, one.stratum, one.claim])).digest())
        return digest.hexdigest()[:16]

    def document(self) -> dict[str, Any]:
        """What an export holds before any answer is given; its texts are not part of it."""
        return {
            "kind": EXPORT_KIND,
            "format": EXPORT_FORMAT,
            "sample": {"fingerprint": self.fingerprint, **self._facts()},
            "pairs": [
                {
                    "id1": one.first.id,
                    "id2": one.second.id,
                    "stratum": one.stratum,
                    "label": one.label,
                }
                for one in self.pairs
            ],
        }

    def table(self) -> Grid:
        """One record per pair, with what the corpus says of it."""
        cells = tuple(
            (
                *(one.first.id, one.second.id, self.strata[one.stratum].name),
                *(one.label, one.type, one.basis),
            )
            for one in self.pairs
        )
        return Grid("", ("id1", "id2", "stratum", "label", "type", "basis"), cells, keys=3)

    def to_html(
        self,
        path: str | Path | None = None,
        *,
        question: str = QUESTION,
        show_claims: bool = False,
    ) -> str:
        """The page on which a person judges the pairs, offline; also written to `path` if given.

        Answers are kept in the browser and exported as JSON for :func:`codekin.judged`.

        Parameters
        ----------
        path : str or Path, optional
        question : str
            What the judge answers with clone, no clone or undecided.
        show_claims : bool
            Whether the page shows what the corpus says of a pair. A judge who sees it tends to
            agree.
        """
        page: bytes = import_module("codekin.report.judging_page").judging_page(
            self, question=question, show_claims=show_claims
        )
        return written_text(page.decode("utf-8"), path)

    def _repr_html_(self) -> str:
        drawn = Counter(one.stratum for one in self.pairs)
        cells = tuple(
            (one.name, drawn[i], one.pairs, one.claimed) for i, one in enumerate(self.strata)
        )
        title = f"{count_text(len(self), 'pair')} of {self.corpus} to judge"
        grid = Grid(title, ("stratum", "drawn", "pairs", "called clones"), cells)
        return grids_html([grid], self.notes)

    def _facts(self) -> dict[str, Any]:
        strata = [
            {"name": one.name, "pairs": one.pairs, "claimed": one.claimed} for one in self.strata
        ]
        return {"corpus": self.corpus, "seed": self.seed, "by": self.by, "strata": strata}


def _canonical(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode("ascii")


def judging_sample(
    corpus: Corpus, size: int = 100, *, seed: int = 0, by: str | None = None
) -> JudgingSample:
    """Draw pairs of a corpus for people to judge.

    The labels decide nothing: pairs are drawn uniformly, or evenly from each stratum. Their order
    and which text comes first are random, and give nothing away.

    Parameters
    ----------
    corpus : Corpus
        With pairs: labelled ones, or those that a tool reports as clones.
    size : int
        How many pairs, at most 2,000; all of them where the corpus has fewer.
    seed : int
    by : str, optional
        Draw the same number from each ``type``, ``basis`` or ``label``. A stratum with fewer pairs
        gives all of them, and the others make up for it.

    Returns
    -------
    JudgingSample
        Of different pairs: a repeated pair counts once, and no snippet is paired with itself.

    Raises
    ------
    CodekinError
        If the corpus has no pairs, or none with what they should be stratified by.

    Examples
    --------
    >>> from codekin.corpora.labelled_pairs import Pairs
    >>> from codekin.corpora.snippets import Problems
    >>> snippets = tuple(Snippet(name, "c", f"int {name};") for name in "abcd")
    >>> rows = [{"id1": "a", "id2": "b", "type": "T1"}, {"id1": "c", "id2": "d", "type": "T2"}]
    >>> pairs = Pairs.of_rows(rows, snippets, Problems("rows"))
    >>> sample = judging_sample(Corpus("tiny", snippets, pairs), 2, by="type")
    >>> len(sample), [one.name for one in sample.strata]
    (2, ['T1', 'T2'])
    """
    if not 1 <= size <= MOST_PAIRS:
        raise CodekinError(f"a sample has 1 to {MOST_PAIRS:,} pairs, not {size:,}")
    if seed < 0:
        raise CodekinError(f"seed must be 0 or more, not {seed}")
    pairs, notes = _different(corpus)
    names, codes = _strata(corpus.name, pairs, by)
    generator = np.random.default_rng([seed, len(pairs)])
    chosen = _drawn([np.flatnonzero(codes == i) for i in range(len(names))], size, generator)
    if len(chosen) < size:
        notes.append(f"{size:,} pairs were asked for, and there are {len(chosen):,}")
    turned = generator.random(len(chosen)) < 0.5
    label = pairs.label
    types, bases = (_texts(one, chosen) for one in (pairs.type, pairs.basis))
    found = []
    for i, place in enumerate(chosen.tolist()):
        ends = [corpus.snippets[int(one[place])] for one in (pairs.first, pairs.second)]
        first, second = reversed(ends) if turned[i] else ends
        known = None if label[place] == UNKNOWN_LABEL else int(label[place])
        found.append(JudgingPair(first, second, int(codes[place]), known, types[i], bases[i]))
    strata = tuple(
        JudgingStratum(
            name,
            int(np.count_nonzero(codes == i)),
            int(np.count_nonzero((codes == i) & (label != 0))),
        )
        for i, name in enumerate(names)
    )
    return JudgingSample(corpus.name, tuple(found), strata, by, seed, tuple(notes))


def _different(corpus: Corpus) -> tuple[Pairs, list[str]]:
    """The pairs, each once and without those of a snippet with itself."""
    pairs = corpus.pairs
    if pairs is None or not len(pairs):
        raise CodekinError(
            f"{corpus.name}: has no pairs to judge; name a file of pairs with --pairs, or draw "
            "some with codekin corpus pairs"
        )
    first, second = pairs.first.astype(np.int64), pairs.second.astype(np.int64)
    keys = np.minimum(first, second) * len(corpus) + np.maximum(first, second)
    once = np.sort(np.unique(keys, return_index=True)[1])
    apart = once[first[once] != second[once]]
    notes = []
    if len(once) < len(pairs):
        notes.append(f"{count_text(len(pairs) - len(once), 'pair')} repeated, and counted once")
    if len(apart) < len(once):
        notes.append(
            f"{count_text(len(once) - len(apart), 'pair')} of a snippet with itself left out"
        )
    if not len(apart):
        raise CodekinError(f"{corpus.name}: has only pairs of a snippet with itself")
    return pairs.take(apart), notes


def _strata(
    corpus: str, pairs: Pairs, by: str | None
) -> tuple[tuple[str, ...], npt.NDArray[np.int64]]:
    """The names of the strata that have pairs, and the stratum of each pair."""
    if by is None:
        return (_ALL,), np.zeros(len(pairs), np.int64)
    if by not in STRATA:
        raise CodekinError(
            f"unknown strata {by!r}{suggestion(by, STRATA)} (known: type, basis, label)"
        )
    column: PairColumn | None = None
    if by == "label":
        column = (np.where(pairs.label == UNKNOWN_LABEL, -1, 1 - pairs.label), ANSWERS[:2])
    else:
        column = getattr(pairs, by)
    if column is None or bool((column[0] < 0).all()):
        more = "; codekin corpus type finds it" if by == "type" else ""
        raise CodekinError(f"{corpus}: its pairs have no {by}{more}")
    codes, names = column
    # Not by first occurrence, which depends on the order of the rows.
    known = sorted(names, key=lambda name: (TYPES.index(name) if name in TYPES else 99, name))
    order = [code for name in known if (codes == (code := names.index(name))).any()]
    order += [-1] if bool((codes < 0).any()) else []
    found = np.zeros(len(pairs), np.int64)
    for place, code in enumerate(order):
        found[codes == code] = place
    return tuple(_NONE if i < 0 else names[i] for i in order), found


def _drawn(strata: Sequence[Places], size: int, generator: np.random.Generator) -> Places:
    """Positions drawn evenly from strata, in random order."""
    shares = _even([len(one) for one in strata], size)
    parts = [
        one[np.sort(generator.choice(len(one), share, replace=False))]
        for one, share in zip(strata, shares, strict=True)
    ]
    return generator.permutation(np.concatenate(parts))


def _even(sizes: Sequence[int], total: int) -> list[int]:
    """Shares of a total that are as equal as the sizes allow.

    The smallest stratum comes first: what it cannot give is divided among the others.
    """
    shares = [0] * len(sizes)
    left = min(total, sum(sizes))
    order = sorted(range(len(sizes)), key=lambda i: sizes[i])
    for rank, i in enumerate(order):
        shares[i] = min(sizes[i], math.ceil(left / (len(order) - rank)))
        left -= shares[i]
    return shares


def _texts(column: PairColumn | None, chosen: Places) -> list[str | None]:
    if column is None:
        return [None] * len(chosen)
    codes, names = column
    return [None if i < 0 else names[i] for i in codes[chosen].tolist()]
